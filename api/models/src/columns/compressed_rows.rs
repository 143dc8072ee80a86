//! A few numbers of each game that are seldom asked for.

use super::compressed_blocks::{BlockUnpacker, CompressedBlocks, GAMES};

/// As many numbers of each game, in turn the least and the most of something, by the game's number, in compressed blocks: of
/// numbers that differ little from game to game, a tenth remains. A reader goes through games in any order, but those of a block
/// in one go.
#[derive(Default)]
pub struct CompressedRows {
    /// How many numbers each game has.
    width: usize,
    blocks: CompressedBlocks,
    /// The least and the most in all games of each block; nothing while it is open.
    extents: Vec<Box<[i16]>>,
}

/// Reads the numbers of games.
pub struct RowReader<'a> {
    rows: &'a CompressedRows,
    blocks: BlockUnpacker<'a>,
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

    /// Sets the numbers of a game, as many as each has.
    pub fn set(&mut self, number: u32, row: &[i16]) {
        assert_eq!(row.len(), self.width, "all games have as many numbers");
        let Self { width, blocks, extents } = self;
        let (index, at) = (number as usize / GAMES, number as usize % GAMES * *width * NUMBER_BYTES);
        let block = blocks.open(index, |closed, bytes| extents[closed] = extent(bytes, *width));
        block.resize(GAMES * *width * NUMBER_BYTES, 0);
        let place = block[at..].chunks_exact_mut(NUMBER_BYTES).zip(row);
        place.for_each(|(place, number)| place.copy_from_slice(&number.to_le_bytes()));
        extents.resize(extents.len().max(index + 1), Box::default());
        extents[index] = Box::default();
    }

    /// The least and the most in all games of the block that a game is in; `None` if the block is open, or there is none.
    pub fn extent(&self, number: u32) -> Option<&[i16]> {
        let extent = self.extents.get(number as usize / GAMES)?;
        (!extent.is_empty()).then_some(extent)
    }

    /// Reads the numbers of games.
    pub fn reader(&self) -> RowReader<'_> {
        RowReader { rows: self, blocks: self.blocks.unpacker(), row: Vec::new() }
    }
}

impl RowReader<'_> {
    /// The numbers of a game; zeros if none were set. None of a game after the last block.
    pub fn get(&mut self, number: u32) -> &[i16] {
        let (CompressedRows { width, blocks, .. }, index) = (self.rows, number as usize / GAMES);
        self.row.clear();
        if index < blocks.len() {
            let bytes = self.blocks.get(index).get(number as usize % GAMES * width * NUMBER_BYTES..);
            self.row.extend(numbers(bytes.unwrap_or_default()).take(*width));
            self.row.resize(*width, 0);
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::columns::compressed_blocks::OPEN;

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
            let (mut reader, last) = (rows.reader(), *expected.keys().max().unwrap() as usize);
            for number in (0..120).chain((0..120).rev()) {
                let zeros: &[i16] = if number as usize / GAMES <= last / GAMES { &[0; 4] } else { &[] };
                let expected = expected.get(&number).map_or(zeros, |row| &row[..]);
                assert_eq!(reader.get(number), expected, "step {step}, game {number}");
            }
            for block in 0..120 / GAMES {
                let games = (block * GAMES..(block + 1) * GAMES).map(|number| expected.get(&(number as u32)));
                let games = games.map(|game| game.copied().unwrap_or_default());
                let extent = games.reduce(|one, other| {
                    [one[0].min(other[0]), one[1].max(other[1]), one[2].min(other[2]), one[3].max(other[3])]
                });
                let found = rows.extent((block * GAMES) as u32);
                assert!(found.is_none_or(|found| *found == extent.unwrap()), "step {step}, block {block}");
            }
        }
        let known = rows.extents.iter().filter(|extent| !extent.is_empty()).count();
        assert!(rows.blocks.compressed_len() == rows.blocks.len() - OPEN && known == rows.blocks.compressed_len());
    }
}
