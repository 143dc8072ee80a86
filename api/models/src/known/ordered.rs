//! The games of a kind in an order.

use std::ops::{Bound, Range};

use super::row_columns::RowColumns;
use super::rows::{By, Key};

/// The most games in a block; few in tests, so that they have several.
const BLOCK: usize = if cfg!(test) { 8 } else { 512 };

/// The numbers of games in the order of something, and then of their ids. A list in blocks: four bytes a game, as rows say
/// where each belongs.
pub(super) struct Ordered {
    by: By,
    /// None of them is empty.
    blocks: Vec<Vec<u32>>,
}

/// A place among the games: a block, and an index in it.
type Place = (usize, usize);

impl Ordered {
    pub fn new(by: By) -> Self {
        Self { by, blocks: Vec::new() }
    }

    /// All games, in the order.
    pub fn all(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flatten().copied()
    }

    /// Games that are in this order.
    pub fn of(by: By, games: &[u32]) -> Self {
        Self { by, blocks: games.chunks(BLOCK).map(<[u32]>::to_vec).collect() }
    }

    fn key(&self, number: u32, rows: &RowColumns) -> Key {
        rows.key(number, self.by)
    }

    /// The place before which all keys satisfy a condition, and after which none does.
    fn partition(&self, rows: &RowColumns, is_before: impl Fn(Key) -> bool) -> Place {
        let is_before = |number: &u32| is_before(self.key(*number, rows));
        let block = self.blocks.partition_point(|block| block.last().is_some_and(is_before));
        (block, self.blocks.get(block).map_or(0, |block| block.partition_point(is_before)))
    }

    pub fn insert(&mut self, number: u32, rows: &RowColumns) {
        let key = self.key(number, rows);
        let last = self.blocks.last_mut();
        // Most games belong at the end, which is begun anew when it is full.
        if last.as_ref().and_then(|last| last.last()).is_none_or(|last| rows.key(*last, self.by) < key) {
            match last {
                Some(last) if last.len() < BLOCK => last.push(number),
                _ => self.blocks.push(vec![number]),
            }
            return;
        }
        let (mut at, mut index) = self.partition(rows, |other| other < key);
        if self.blocks[at].len() == BLOCK {
            let rest = self.blocks[at].split_off(BLOCK / 2);
            self.blocks.insert(at + 1, rest);
            if index > BLOCK / 2 {
                (at, index) = (at + 1, index - BLOCK / 2);
            }
        }
        self.blocks[at].insert(index, number);
    }

    /// Removes a game that stands where its row says.
    pub fn remove(&mut self, number: u32, rows: &RowColumns) {
        let key = self.key(number, rows);
        let (at, index) = self.partition(rows, |other| other < key);
        let Some(block) = self.blocks.get_mut(at).filter(|block| block.get(index) == Some(&number)) else { return };
        block.remove(index);
        if block.is_empty() {
            self.blocks.remove(at);
        }
    }

    fn places(&self, rows: &RowColumns, from: Bound<Key>, to: Bound<Key>) -> Range<Place> {
        let from = self.partition(rows, |key| match from {
            Bound::Included(from) => key < from,
            Bound::Excluded(from) => key <= from,
            Bound::Unbounded => false,
        });
        let to = self.partition(rows, |key| match to {
            Bound::Included(to) => key <= to,
            Bound::Excluded(to) => key < to,
            Bound::Unbounded => true,
        });
        from..to.max(from)
    }

    /// The games between two keys, block by block.
    pub fn between(
        &self,
        rows: &RowColumns,
        from: Bound<Key>,
        to: Bound<Key>,
    ) -> impl DoubleEndedIterator<Item = &[u32]> {
        let Range { start, end } = self.places(rows, from, to);
        (start.0..=end.0).map(move |at| {
            let block = self.blocks.get(at).map_or(&[][..], Vec::as_slice);
            let from = if at == start.0 { start.1 } else { 0 };
            let to = if at == end.0 { end.1 } else { block.len() };
            &block[from..to]
        })
    }

    /// The number of games between two keys.
    pub fn count(&self, rows: &RowColumns, from: Bound<Key>, to: Bound<Key>) -> usize {
        let Range { start, end } = self.places(rows, from, to);
        self.blocks[start.0..end.0].iter().map(Vec::len).sum::<usize>() + end.1 - start.1
    }
}
