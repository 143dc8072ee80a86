//! Writes a table, pair by pair.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use plybook_events::Hash;
use zstd::bulk::Compressor;

use super::TableId;
use super::block::{self, Key};
use super::table::MAGIC;
use crate::numbers::push_number;

/// A block is written when its pairs have this many bytes. A smaller one would compress less well, a larger one take longer
/// to read a single pair from.
const BLOCK_BYTES: usize = 8 * 1024;

/// Higher levels hardly gain anything here: most bytes are hashes.
const LEVEL: i32 = 1;

/// A table that is being written. Until it is finished, it is none, and its file goes with the writer.
pub struct TableWriter {
    number: u64,
    path: PathBuf,
    is_finished: bool,
    file: BufWriter<File>,
    compressor: Compressor<'static>,
    block: Vec<u8>,
    first: Key,
    last: Key,
    /// What the directory says of the blocks.
    blocks: Vec<u8>,
    blocks_len: u64,
    /// The first key of the block before.
    before: Key,
}

impl TableWriter {
    pub(super) fn create(number: u64, path: &Path) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(1 << 18, File::create(path)?);
        file.write_all(MAGIC)?;
        Ok(Self {
            number,
            path: path.to_owned(),
            is_finished: false,
            file,
            compressor: Compressor::new(LEVEL)?,
            block: Vec::new(),
            first: (0, 0),
            last: (0, 0),
            blocks: Vec::new(),
            blocks_len: 0,
            before: (0, 0),
        })
    }

    /// Adds a pair, whose key is greater than the one before.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn push(&mut self, key: Key, value: &[u8]) -> io::Result<()> {
        // A large value has a block of its own, so that nobody unpacks it who asks for something else.
        if !self.block.is_empty() && self.block.len() + value.len() > BLOCK_BYTES {
            self.end_block()?;
        }
        if self.block.is_empty() {
            self.first = key;
            self.last = (0, 0);
        } else {
            assert!(key > self.last, "the pairs of a table are sorted");
        }
        block::push(&mut self.block, self.last, key, value);
        self.last = key;
        Ok(())
    }

    /// Writes what is left, and a note about the table.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn finish(mut self, note: &[u8]) -> io::Result<TableId> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        let mut directory = Vec::new();
        let packed = self.compressor.compress(note)?;
        push_place(&mut directory, &packed, note.len());
        self.file.write_all(&packed)?;
        push_number(&mut directory, self.blocks_len);
        directory.append(&mut self.blocks);
        let check = Hash::of_parts(&[&directory]);
        self.file.write_all(&directory)?;
        self.file.write_all(&(directory.len() as u64).to_be_bytes())?;
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        self.is_finished = true;
        Ok(TableId { number: self.number, check })
    }

    fn end_block(&mut self) -> io::Result<()> {
        let packed = self.compressor.compress(&self.block)?;
        push_number(&mut self.blocks, self.first.0 - self.before.0);
        self.blocks.push(self.first.1);
        push_place(&mut self.blocks, &packed, self.block.len());
        self.file.write_all(&packed)?;
        self.blocks_len += 1;
        self.before = self.first;
        self.block.clear();
        Ok(())
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        // Otherwise every attempt on a full disk would take more of it. What cannot be removed now, the next start removes.
        if !self.is_finished {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Adds to a directory how long something is, packed and unpacked, and its check.
fn push_place(directory: &mut Vec<u8>, packed: &[u8], unpacked: usize) {
    push_number(directory, packed.len() as u64);
    push_number(directory, unpacked as u64);
    directory.extend_from_slice(&crc32fast::hash(packed).to_be_bytes());
}
