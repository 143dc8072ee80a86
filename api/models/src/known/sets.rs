//! The games of a kind that have a term, as sets of their numbers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;

use plybook_store::{Numbers as StoredNumbers, TableError, push_number};
use roaring::RoaringBitmap;

use super::terms::{Term, TermBytes};
use crate::blocks::{BlockReader, BlockWriter};

/// The numbers of the games that have each term.
#[derive(Default)]
pub(crate) struct Sets(HashMap<Term, Numbers>);

/// Numbers of games. Many terms are those of a single game, for which a bitmap would be large.
pub(crate) enum Numbers {
    One(u32),
    Several(Box<RoaringBitmap>),
}

impl Numbers {
    pub fn contains(&self, number: u32) -> bool {
        match self {
            Self::One(only) => *only == number,
            Self::Several(set) => set.contains(number),
        }
    }

    pub fn len(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Several(set) => set.len(),
        }
    }

    /// How many of these games there are among others.
    pub fn among(&self, games: &RoaringBitmap) -> u64 {
        match self {
            Self::One(only) => games.contains(*only).into(),
            Self::Several(set) => set.intersection_len(games),
        }
    }

    pub fn set(&self) -> Cow<'_, RoaringBitmap> {
        match self {
            Self::One(only) => Cow::Owned(RoaringBitmap::from_iter([*only])),
            Self::Several(set) => Cow::Borrowed(set),
        }
    }
}

/// The bytes of sets after which another block begins.
const BLOCK_BYTES: usize = 1 << 20;

impl Sets {
    /// Writes all sets in blocks, the last of which is empty: of each the term, the number of bytes, and the set in Roaring's
    /// portable format.
    pub(super) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        let mut terms: Vec<(TermBytes, &Numbers)> = self.0.iter().map(|(term, set)| (term.to_bytes(), set)).collect();
        terms.sort_unstable_by_key(|(term, _)| *term);
        let mut block = Vec::new();
        for (term, numbers) in terms {
            let set = numbers.set();
            block.extend_from_slice(&term);
            push_number(&mut block, set.serialized_size() as u64);
            set.serialize_into(&mut block)?;
            if block.len() > BLOCK_BYTES {
                to.push(&block)?;
                block.clear();
            }
        }
        if !block.is_empty() {
            to.push(&block)?;
        }
        to.push(&[])
    }

    /// Reads what was written of the sets of so many games.
    pub(super) fn read(from: &mut BlockReader<'_>, games: u32) -> Result<Self, TableError> {
        let mut sets = Self::default();
        while from.read(|block| sets.add_block(block, games))? {}
        Ok(sets)
    }

    /// Adds the sets of a block; `false` if there are none.
    fn add_block(&mut self, mut block: &[u8], games: u32) -> Option<bool> {
        let is_last = block.is_empty();
        while !block.is_empty() {
            let (term, rest) = block.split_first_chunk()?;
            let mut numbers = StoredNumbers(rest);
            let length = usize::try_from(numbers.next()?).ok()?;
            let (set, rest) = numbers.0.split_at_checked(length)?;
            let set = RoaringBitmap::deserialize_from(set).ok()?;
            if set.max()? >= games {
                return None;
            }
            let numbers = if set.len() == 1 { Numbers::One(set.min()?) } else { Numbers::Several(Box::new(set)) };
            self.0.insert(Term::from_bytes(*term)?, numbers);
            block = rest;
        }
        Some(!is_last)
    }

    /// The games with a term; `None` if there are none.
    pub fn get(&self, term: Term) -> Option<&Numbers> {
        self.0.get(&term)
    }

    /// All terms with their games.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Term, &Numbers)> {
        self.0.iter()
    }

    pub(super) fn insert(&mut self, term: Term, number: u32) {
        match self.0.entry(term) {
            Entry::Vacant(entry) => drop(entry.insert(Numbers::One(number))),
            Entry::Occupied(mut entry) => match entry.get_mut() {
                Numbers::One(only) if *only == number => {}
                Numbers::One(only) => {
                    let both = RoaringBitmap::from_iter([*only, number]);
                    entry.insert(Numbers::Several(Box::new(both)));
                }
                Numbers::Several(set) => drop(set.insert(number)),
            },
        }
    }

    pub(super) fn remove(&mut self, term: Term, number: u32) {
        let Entry::Occupied(mut entry) = self.0.entry(term) else { return };
        let is_empty = match entry.get_mut() {
            Numbers::One(only) => *only == number,
            Numbers::Several(set) => {
                set.remove(number);
                set.is_empty()
            }
        };
        if is_empty {
            entry.remove();
        }
    }
}
