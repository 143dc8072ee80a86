//! Bytes about consecutive games, in compressed blocks.

use std::cell::RefCell;
use std::collections::VecDeque;

use zstd::bulk::{Compressor, Decompressor};

/// How many games a block is about; few in tests, so that there are several.
pub(super) const GAMES: usize = if cfg!(test) { 8 } else { 256 };

/// How many blocks that were changed last are not compressed.
pub(super) const OPEN: usize = 8;

/// Higher levels gain little.
const LEVEL: i32 = 1;

/// Blocks of bytes, each about [`GAMES`] consecutive games. Those that were changed last are open, which means that they are not
/// compressed.
#[derive(Default)]
pub(super) struct CompressedBlocks {
    blocks: Vec<Block>,
    /// Each with its index.
    open: VecDeque<(usize, Vec<u8>)>,
}

/// A block that is not open.
#[derive(Clone, Default)]
struct Block {
    packed: Box<[u8]>,
    /// The number of bytes when unpacked.
    len: usize,
}

/// Reads blocks; unpacks each once, as long as no other one is asked for.
pub(super) struct BlockUnpacker<'a> {
    blocks: &'a CompressedBlocks,
    /// The index of the block that was unpacked last.
    at: Option<usize>,
    unpacked: Vec<u8>,
}

impl CompressedBlocks {
    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// A block that is about to change; it is empty if it is new. Another one may be compressed in return: `close` is shown its
    /// index and its bytes.
    pub fn open(&mut self, index: usize, close: impl FnOnce(usize, &[u8])) -> &mut Vec<u8> {
        if let Some(open) = self.open.iter().position(|(open, _)| *open == index) {
            return &mut self.open[open].1;
        }
        if self.blocks.len() <= index {
            self.blocks.resize(index + 1, Block::default());
        }
        if self.open.len() == OPEN {
            let (oldest, bytes) = self.open.pop_front().expect("there are several");
            close(oldest, &bytes);
            self.blocks[oldest] = Block { packed: pack(&bytes), len: bytes.len() };
        }
        let block = std::mem::take(&mut self.blocks[index]);
        let mut bytes = Vec::new();
        block.unpack(&mut bytes);
        self.open.push_back((index, bytes));
        &mut self.open.back_mut().expect("it was just added").1
    }

    /// Reads blocks.
    pub fn unpacker(&self) -> BlockUnpacker<'_> {
        BlockUnpacker { blocks: self, at: None, unpacked: Vec::new() }
    }

    /// The number of blocks that are compressed.
    #[cfg(test)]
    pub fn compressed_len(&self) -> usize {
        self.blocks.iter().filter(|block| block.len > 0).count()
    }
}

impl BlockUnpacker<'_> {
    /// A block; empty if there is none.
    pub fn get(&mut self, index: usize) -> &[u8] {
        if let Some((_, bytes)) = self.blocks.open.iter().find(|(open, _)| *open == index) {
            return bytes;
        }
        if self.at != Some(index) {
            self.at = Some(index);
            self.unpacked.clear();
            if let Some(block) = self.blocks.blocks.get(index) {
                block.unpack(&mut self.unpacked);
            }
        }
        &self.unpacked
    }
}

impl Block {
    fn unpack(&self, bytes: &mut Vec<u8>) {
        bytes.resize(self.len, 0);
        unpack(&self.packed, bytes);
    }
}

/// Compresses a block. Each thread keeps what it needs for that, which takes longer to prepare than to use.
fn pack(bytes: &[u8]) -> Box<[u8]> {
    thread_local! {
        static COMPRESSOR: RefCell<Compressor<'static>> =
            RefCell::new(Compressor::new(LEVEL).expect("there is memory for a compressor"));
    }
    COMPRESSOR.with_borrow_mut(|compressor| compressor.compress(bytes).expect("bytes can be compressed").into())
}

/// Decompresses what [`pack`] made of as many bytes.
fn unpack(packed: &[u8], bytes: &mut [u8]) {
    thread_local! {
        static DECOMPRESSOR: RefCell<Decompressor<'static>> =
            RefCell::new(Decompressor::new().expect("there is memory for a decompressor"));
    }
    if !packed.is_empty() {
        let read = DECOMPRESSOR.with_borrow_mut(|decompressor| decompressor.decompress_to_buffer(packed, bytes));
        read.expect("it was compressed here");
    }
}
