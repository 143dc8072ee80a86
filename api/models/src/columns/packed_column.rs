//! A few bytes of each game.

use std::io;
use std::ops::Range;

use plybook_store::TableError;

use super::compressed_blocks::{BlockUnpacker, CompressedBlocks, GAMES};
use crate::blocks::{BlockReader, BlockWriter};

/// A few bytes of each game, by the game's number, in compressed blocks: a third or a quarter remains. A reader goes through games
/// in any order, but those of a block in one go.
///
/// A block begins with the number of bytes of each of its games (4 each, little-endian).
#[derive(Default)]
pub struct PackedColumn {
    blocks: CompressedBlocks,
}

/// Reads the bytes of games.
pub struct PackedReader<'a>(BlockUnpacker<'a>);

/// How long the number of a game's bytes is.
const LEN_BYTES: usize = size_of::<u32>();

/// How long the beginning of a block is.
const HEAD_BYTES: usize = GAMES * LEN_BYTES;

impl PackedColumn {
    /// Writes the column: how many blocks of games there are, and of each where the bytes of each game end, and the bytes.
    pub(crate) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        to.push(&(self.blocks.len() as u64).to_be_bytes())?;
        let (mut blocks, mut bytes) = (self.blocks.unpacker(), Vec::new());
        for index in 0..self.blocks.len() {
            let block = blocks.get(index);
            let (head, of_games) = block.split_at(HEAD_BYTES.min(block.len()));
            bytes.clear();
            bytes.extend_from_slice(&((head.len() / LEN_BYTES) as u32).to_be_bytes());
            let mut end = 0_u32;
            for len in lens(head) {
                end += len;
                bytes.extend_from_slice(&end.to_be_bytes());
            }
            bytes.extend_from_slice(of_games);
            to.push(&bytes)?;
        }
        Ok(())
    }

    /// Reads what was written of no more than so many games.
    pub(crate) fn read(from: &mut BlockReader<'_>, games: usize) -> Result<Self, TableError> {
        let len = from.read(|len| {
            let len = usize::try_from(u64::from_be_bytes(len.try_into().ok()?)).ok()?;
            (len <= games.div_ceil(GAMES)).then_some(len)
        })?;
        let mut blocks = CompressedBlocks::default();
        for index in 0..len {
            from.read(|bytes| read_block(bytes, blocks.open(index, |_, _| ())))?;
        }
        Ok(Self { blocks })
    }

    /// Sets the bytes of a game.
    pub fn set(&mut self, number: u32, bytes: &[u8]) {
        let at = number as usize % GAMES;
        let block = self.blocks.open(number as usize / GAMES, |_, _| ());
        if block.is_empty() {
            block.resize(HEAD_BYTES, 0);
        }
        block.splice(place(block, at), bytes.iter().copied());
        block[at * LEN_BYTES..][..LEN_BYTES].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    }

    /// Reads the bytes of games.
    pub fn reader(&self) -> PackedReader<'_> {
        PackedReader(self.blocks.unpacker())
    }
}

impl PackedReader<'_> {
    /// The bytes of a game; none if it has none.
    pub fn get(&mut self, number: u32) -> &[u8] {
        let block = self.0.get(number as usize / GAMES);
        if block.is_empty() { &[] } else { &block[place(block, number as usize % GAMES)] }
    }
}

/// Reads a block; `None` if it is none.
fn read_block(bytes: &[u8], block: &mut Vec<u8>) -> Option<()> {
    let (len, rest) = bytes.split_first_chunk()?;
    let (ends, bytes) = rest.split_at_checked(u32::from_be_bytes(*len) as usize * LEN_BYTES)?;
    let mut before = 0;
    for end in ends.as_chunks().0 {
        let end = u32::from_be_bytes(*end);
        block.extend_from_slice(&end.checked_sub(before)?.to_le_bytes());
        before = end;
    }
    let is_right = block.len() <= HEAD_BYTES && before as usize == bytes.len();
    block.resize(HEAD_BYTES, 0);
    block.extend_from_slice(bytes);
    is_right.then_some(())
}

/// The numbers of bytes that the beginning of a block tells.
fn lens(head: &[u8]) -> impl Iterator<Item = u32> {
    head.as_chunks().0.iter().map(|len| u32::from_le_bytes(*len))
}

/// Where the bytes of a game are in a block.
fn place(block: &[u8], at: usize) -> Range<usize> {
    let begin = HEAD_BYTES + lens(&block[..at * LEN_BYTES]).sum::<u32>() as usize;
    let len = lens(&block[at * LEN_BYTES..]).next().expect("there is a number for each game");
    begin..begin + len as usize
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
            let number = step * 7919 % 101;
            let bytes = vec![step as u8; (step * 31 % 5) as usize];
            column.set(number, &bytes);
            expected.insert(number, bytes);
            if step % 97 == 0 {
                column = BlockFile::reread(|to| column.write(to), |from| PackedColumn::read(from, 101)).unwrap();
                assert!(
                    step == 0 || BlockFile::reread(|to| column.write(to), |from| PackedColumn::read(from, 8)).is_err()
                );
            }
            let mut reader = column.reader();
            for number in (0..120).chain((0..120).rev()) {
                assert_eq!(reader.get(number), expected.get(&number).map_or(&[][..], |bytes| bytes), "step {step}");
            }
        }
        assert!(column.blocks.compressed_len() > 2);
    }
}
