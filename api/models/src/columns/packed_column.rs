//! A few bytes of each game.

use std::ops::Range;

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

    #[test]
    fn every_game_has_what_was_set_last() {
        let mut column = PackedColumn::default();
        let mut expected: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        for step in 0..500_u32 {
            let number = step * 7919 % 61;
            let bytes = vec![step as u8; (step * 31 % 5) as usize];
            column.set(number, &bytes);
            expected.insert(number, bytes);
            for number in 0..70 {
                assert_eq!(column.get(number), expected.get(&number).map_or(&[][..], |bytes| bytes), "step {step}");
            }
        }
    }
}
