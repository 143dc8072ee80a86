//! A few bytes of each game.

use std::io;
use std::ops::Range;

use plybook_store::TableError;

use crate::blocks::{BlockReader, BlockWriter};

/// How many games are in a block; few in tests, so that there are several.
const BLOCK: usize = if cfg!(test) { 8 } else { 256 };

/// A few bytes of each game, by the game's number: besides them, it takes four bytes a game. Whenever a game changes, the
/// block of games that it is in is moved.
#[derive(Default)]
pub struct PackedColumn {
    blocks: Vec<Block>,
}

/// The bytes of consecutive games, one after another.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// Where those of each game end.
    ends: Vec<u32>,
}

impl PackedColumn {
    /// Writes the column: how many blocks of games there are, and of each where the bytes of each game end, and the bytes.
    pub(crate) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        to.push(&(self.blocks.len() as u64).to_be_bytes())?;
        let mut bytes = Vec::new();
        for block in &self.blocks {
            bytes.clear();
            bytes.extend_from_slice(&(block.ends.len() as u32).to_be_bytes());
            bytes.extend(block.ends.iter().flat_map(|end| end.to_be_bytes()));
            bytes.extend_from_slice(&block.bytes);
            to.push(&bytes)?;
        }
        Ok(())
    }

    /// Reads what was written of no more than so many games.
    pub(crate) fn read(from: &mut BlockReader<'_>, games: usize) -> Result<Self, TableError> {
        let len = from.read(|len| {
            let len = usize::try_from(u64::from_be_bytes(len.try_into().ok()?)).ok()?;
            (len <= games.div_ceil(BLOCK)).then_some(len)
        })?;
        let blocks = (0..len).map(|_| from.read(Block::read)).collect::<Result<_, _>>()?;
        Ok(Self { blocks })
    }

    /// The bytes of a game; none if it has none.
    pub fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        self.blocks.get(number / BLOCK).map_or(&[], |block| &block.bytes[block.place(number % BLOCK)])
    }

    /// Sets the bytes of a game.
    pub fn set(&mut self, number: u32, bytes: &[u8]) {
        let number = number as usize;
        while self.blocks.len() <= number / BLOCK {
            // What is full hardly grows any more.
            if let Some(full) = self.blocks.last_mut() {
                full.bytes.shrink_to_fit();
            }
            self.blocks.push(Block::default());
        }
        self.blocks[number / BLOCK].set(number % BLOCK, bytes);
    }
}

impl Block {
    /// Reads a block; `None` if it is none.
    fn read(bytes: &[u8]) -> Option<Self> {
        let (len, rest) = bytes.split_first_chunk()?;
        let (ends, bytes) = rest.split_at_checked(u32::from_be_bytes(*len) as usize * 4)?;
        let ends: Vec<u32> = ends.as_chunks().0.iter().map(|end| u32::from_be_bytes(*end)).collect();
        let is_right =
            ends.len() <= BLOCK && ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == bytes.len();
        is_right.then(|| Self { bytes: bytes.to_vec(), ends })
    }

    fn place(&self, at: usize) -> Range<usize> {
        let end = |at: usize| self.ends.get(at).map_or(self.bytes.len(), |end| *end as usize);
        at.checked_sub(1).map_or(0, end)..end(at)
    }

    fn set(&mut self, at: usize, bytes: &[u8]) {
        if self.ends.len() <= at {
            self.ends.resize(at + 1, self.bytes.len() as u32);
        }
        let place = self.place(at);
        let before = place.len() as u32;
        self.bytes.splice(place, bytes.iter().copied());
        for end in &mut self.ends[at..] {
            *end = *end - before + bytes.len() as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::blocks::BlockFile;

    #[test]
    fn every_game_has_what_was_set_last() {
        let mut column = PackedColumn::default();
        let mut expected: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for step in 0..500_u32 {
            let number = step * 7919 % 61;
            let bytes = vec![step as u8; (step * 31 % 5) as usize];
            column.set(number, &bytes);
            expected.insert(number, bytes);
            if step % 97 == 0 {
                column = BlockFile::reread(|to| column.write(to), |from| PackedColumn::read(from, 61)).unwrap();
                assert!(
                    step == 0 || BlockFile::reread(|to| column.write(to), |from| PackedColumn::read(from, 8)).is_err()
                );
            }
            for number in 0..70 {
                assert_eq!(column.get(number), expected.get(&number).map_or(&[][..], |bytes| bytes), "step {step}");
            }
        }
    }
}
