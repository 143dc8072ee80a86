//! The memtable of the index of positions: the visits of the games that changed last, sorted.

use std::collections::{BTreeMap, BTreeSet};

use super::visit::{NOTHING, Visit};

/// The positions that a game passed through, each with the number of the word that was played there.
pub(super) type Way = Vec<(u64, u32)>;

/// The visits of some games of one kind.
#[derive(Default)]
pub(super) struct Memtable {
    visits: BTreeSet<Visit>,
    /// By number.
    games: BTreeMap<u32, Way>,
}

impl Memtable {
    /// How many visits there are.
    pub fn len(&self) -> usize {
        self.visits.len()
    }

    /// All visits, in their order.
    pub fn all(&self) -> impl Iterator<Item = Visit> {
        self.visits.iter().copied()
    }

    /// The visits of a position.
    pub fn at(&self, key: u64) -> impl Iterator<Item = Visit> {
        let [first, last] = Visit::bounds(key);
        self.visits.range(first..=last).copied()
    }

    /// Replaces the visits of a game. Of one that was only played on, what is new is added.
    pub fn set(&mut self, number: u32, way: Way) {
        let visit = |(key, word): &(u64, u32)| Visit { key: *key, word: *word, number };
        let old = self.games.remove(&number).unwrap_or_default();
        let same = old.iter().zip(&way).take_while(|(old, new)| old == new).count();
        // Only the last visit of a game has no word, so no other one is equal to it.
        let goes_on = old[same..].iter().all(|(_, word)| *word == NOTHING);
        for place in &old[if goes_on { same } else { 0 }..] {
            self.visits.remove(&visit(place));
        }
        self.visits.extend(way[if goes_on { same } else { 0 }..].iter().map(visit));
        self.games.insert(number, way);
    }

    /// Removes a game, if it is there.
    pub fn remove(&mut self, number: u32) {
        for (key, word) in self.games.remove(&number).unwrap_or_default() {
            self.visits.remove(&Visit { key, word, number });
        }
    }
}
