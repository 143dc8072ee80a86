//! A few numbers of each game that are seldom asked for.

use std::cell::RefCell;
use std::collections::VecDeque;

use zstd::bulk::{Compressor, Decompressor};

/// How many games are in a block; few in tests, so that there are several.
const BLOCK: usize = if cfg!(test) { 8 } else { 256 };

/// How many blocks that were changed last are not compressed.
const OPEN: usize = 4;

/// Higher levels gain little.
const LEVEL: i32 = 1;

/// As many numbers of each game, in turn the least and the most of something, by the game's number, in compressed blocks: of
/// numbers that differ little from game to game, a tenth remains. A reader goes through games in any order, but those of a block
/// in one go.
#[derive(Default)]
pub struct CompressedRows {
    /// How many numbers each game has.
    width: usize,
    blocks: Vec<Block>,
    /// The blocks that were changed last, each with its index.
    open: VecDeque<(usize, Vec<u8>)>,
}

/// The numbers of consecutive games.
#[derive(Default)]
struct Block {
    /// Empty while the block is open.
    packed: Box<[u8]>,
    /// The least and the most in all of its games, while it is not open.
    extent: Box<[i16]>,
}

/// Reads the numbers of games.
pub struct RowReader<'a> {
    rows: &'a CompressedRows,
    /// The index of the block that was read last.
    at: Option<usize>,
    block: Vec<u8>,
    row: Vec<i16>,
}

const NUMBER_BYTES: usize = size_of::<i16>();

impl CompressedRows {
    /// No games, of which each has so many numbers.
    pub fn new(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// How many numbers each game has.
    pub fn width(&self) -> usize {
        self.width
    }

    fn block_bytes(&self) -> usize {
        BLOCK * self.width * NUMBER_BYTES
    }

    /// Sets the numbers of a game, as many as each has.
    pub fn set(&mut self, number: u32, row: &[i16]) {
        assert_eq!(row.len(), self.width, "all games have as many numbers");
        let (block, at) = (number as usize / BLOCK, number as usize % BLOCK * self.width * NUMBER_BYTES);
        let place = self.open(block)[at..].chunks_exact_mut(NUMBER_BYTES).zip(row);
        place.for_each(|(place, number)| place.copy_from_slice(&number.to_le_bytes()));
    }

    /// A block that is about to change.
    fn open(&mut self, block: usize) -> &mut [u8] {
        while self.blocks.len() <= block {
            self.blocks.push(Block::default());
        }
        let found = self.open.iter().position(|(open, _)| *open == block).unwrap_or_else(|| {
            let mut bytes = vec![0; self.block_bytes()];
            unpack(&self.blocks[block].packed, &mut bytes);
            self.blocks[block] = Block::default();
            self.open.push_back((block, bytes));
            if self.open.len() > OPEN {
                let (oldest, bytes) = self.open.pop_front().expect("there are several");
                self.blocks[oldest] = Block { packed: pack(&bytes), extent: extent(&bytes, self.width) };
            }
            self.open.len() - 1
        });
        &mut self.open[found].1
    }

    /// The least and the most in all games of the block that a game is in; `None` if the block is open, or there is none.
    pub fn extent(&self, number: u32) -> Option<&[i16]> {
        let block = self.blocks.get(number as usize / BLOCK)?;
        (!block.extent.is_empty()).then_some(&block.extent)
    }

    /// Reads the numbers of games.
    pub fn reader(&self) -> RowReader<'_> {
        RowReader { rows: self, at: None, block: Vec::new(), row: Vec::new() }
    }
}

impl RowReader<'_> {
    /// The numbers of a game; zeros if none were set. None of a game after the last block.
    pub fn get(&mut self, number: u32) -> &[i16] {
        let (block, at) = (number as usize / BLOCK, number as usize % BLOCK * self.rows.width * NUMBER_BYTES);
        self.row.clear();
        let bytes = match self.rows.open.iter().find(|(open, _)| *open == block) {
            Some((_, bytes)) => bytes,
            None if block < self.rows.blocks.len() => {
                if self.at != Some(block) {
                    self.block.clear();
                    self.block.resize(self.rows.block_bytes(), 0);
                    unpack(&self.rows.blocks[block].packed, &mut self.block);
                    self.at = Some(block);
                }
                &self.block
            }
            None => return &[],
        };
        self.row.extend(numbers(&bytes[at..]).take(self.rows.width));
        &self.row
    }
}

/// The numbers that are in bytes.
fn numbers(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes.as_chunks().0.iter().map(|number| i16::from_le_bytes(*number))
}

/// The least of all that are the least of something in a block of games, and the most of all that are the most.
fn extent(block: &[u8], width: usize) -> Box<[i16]> {
    let mut extent: Box<[i16]> = [i16::MAX, i16::MIN].into_iter().cycle().take(width).collect();
    for game in block.chunks_exact(width * NUMBER_BYTES) {
        for (at, (found, number)) in extent.iter_mut().zip(numbers(game)).enumerate() {
            *found = if at.is_multiple_of(2) { (*found).min(number) } else { (*found).max(number) };
        }
    }
    extent
}

/// Compresses a block. Each thread keeps what it needs for that, which takes longer to prepare than to use.
fn pack(bytes: &[u8]) -> Box<[u8]> {
    thread_local! {
        static COMPRESSOR: RefCell<Compressor<'static>> =
            RefCell::new(Compressor::new(LEVEL).expect("there is memory for a compressor"));
    }
    COMPRESSOR.with_borrow_mut(|compressor| compressor.compress(bytes).expect("bytes can be compressed").into())
}

/// Decompresses what [`pack`] made of as many bytes; leaves them as they are if there is nothing.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_game_has_what_was_set_last() {
        let mut rows = CompressedRows::new(4);
        let mut expected: BTreeMap<u32, [i16; 4]> = BTreeMap::new();
        for step in 0..2_000_i32 {
            let number = step as u32 * 7919 % 97;
            let row = [step as i16, -(step as i16), 7, 7];
            rows.set(number, &row);
            expected.insert(number, row);
            if step % 151 > 0 {
                continue;
            }
            assert!(rows.open.len() <= OPEN);
            let (mut reader, last) = (rows.reader(), *expected.keys().max().unwrap() as usize);
            for number in (0..120).chain((0..120).rev()) {
                let zeros: &[i16] = if number as usize / BLOCK <= last / BLOCK { &[0; 4] } else { &[] };
                let expected = expected.get(&number).map_or(zeros, |row| &row[..]);
                assert_eq!(reader.get(number), expected, "step {step}, game {number}");
            }
            for block in 0..120 / BLOCK {
                let games = (block * BLOCK..(block + 1) * BLOCK).map(|number| expected.get(&(number as u32)));
                let games = games.map(|game| game.copied().unwrap_or_default());
                let extent = games.reduce(|one, other| {
                    [one[0].min(other[0]), one[1].max(other[1]), one[2].min(other[2]), one[3].max(other[3])]
                });
                let found = rows.extent((block * BLOCK) as u32);
                assert!(found.is_none_or(|found| *found == extent.unwrap()), "step {step}, block {block}");
            }
        }
        let blocks = rows.blocks.iter();
        assert!(blocks.filter(|block| !block.packed.is_empty() && !block.extent.is_empty()).count() > 8);
    }
}
