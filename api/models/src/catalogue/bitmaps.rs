//! Bitmap indexes: the games of a kind that have each term.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::terms::Term;

/// The numbers of the games that have each term.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct BitmapIndexes(HashMap<Term, Bitmap>);

/// The numbers of games. Many terms are those of a single game, for which a bitmap would be large.
#[derive(Serialize, Deserialize)]
pub(crate) enum Bitmap {
    One(u32),
    Several(Box<RoaringBitmap>),
}

impl Bitmap {
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

impl BitmapIndexes {
    /// The games with a term; `None` if there are none.
    pub fn get(&self, term: Term) -> Option<&Bitmap> {
        self.0.get(&term)
    }

    /// All terms with their games.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Term, &Bitmap)> {
        self.0.iter()
    }

    pub(super) fn insert(&mut self, term: Term, number: u32) {
        match self.0.entry(term) {
            Entry::Vacant(entry) => drop(entry.insert(Bitmap::One(number))),
            Entry::Occupied(mut entry) => match entry.get_mut() {
                Bitmap::One(only) if *only == number => {}
                Bitmap::One(only) => {
                    let both = RoaringBitmap::from_iter([*only, number]);
                    entry.insert(Bitmap::Several(Box::new(both)));
                }
                Bitmap::Several(set) => drop(set.insert(number)),
            },
        }
    }

    pub(super) fn remove(&mut self, term: Term, number: u32) {
        let Entry::Occupied(mut entry) = self.0.entry(term) else { return };
        let is_empty = match entry.get_mut() {
            Bitmap::One(only) => *only == number,
            Bitmap::Several(set) => {
                set.remove(number);
                set.is_empty()
            }
        };
        if is_empty {
            entry.remove();
        }
    }
}
