//! An index from the positions of one kind of game to the games that reached them.
//!
//! Most positions belong to one game and cost one slot. A position of a few games lists them. A position of
//! many games keeps a set of games per action, with the results counted, so the cost of a query over all
//! games does not depend on their number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::visits::{self, Choice, Kind, NOTHING, PositionSummary, Visit, Visits};
use crate::models::known::Row;
use crate::models::results::GameResult;

/// The index of one kind.
pub struct PositionIndex {
    words: Vec<Arc<str>>,
    word_numbers: HashMap<Arc<str>, u32>,
    slots: HashMap<u64, Slot, BuildHasherDefault<KeyHasher>>,
    /// The visits of positions that several games reached.
    several: Vec<Visits>,
    /// The unused indices in `several`.
    free: Vec<u32>,
    /// How the games in the index count, by their numbers.
    results: Vec<Option<GameResult>>,
}

/// The only game that reached a position, and what it did there; or where to find the visits of several
/// games.
#[derive(Clone, Copy)]
struct Slot {
    word: u32,
    /// The number of the game; if `word` is [`Slot::SEVERAL`], the index of the visits.
    number: u32,
}

impl Slot {
    const SEVERAL: u32 = u32::MAX;
}

/// Keys are hashes already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

impl Default for PositionIndex {
    fn default() -> Self {
        let nothing: Arc<str> = "".into();
        Self {
            word_numbers: HashMap::from([(Arc::clone(&nothing), NOTHING)]),
            words: vec![nothing],
            slots: HashMap::default(),
            several: Vec::new(),
            free: Vec::new(),
            results: Vec::new(),
        }
    }
}

impl PositionIndex {
    /// The number of positions.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds a game: the positions it passed through, and what it did there.
    pub(super) fn add(&mut self, number: u32, keys: &[u64], words: &[Box<str>], rows: &[Row]) {
        let at = number as usize;
        if self.results.len() <= at {
            self.results.resize(at + 1, None);
        }
        self.results[at] = Some(rows[at].result);
        for (ply, key) in keys.iter().enumerate() {
            let word = words.get(ply).map_or(NOTHING, |word| self.word(word));
            self.add_visit(*key, (word, number), rows);
        }
    }

    /// Removes a game that was added with these positions.
    pub(super) fn remove(&mut self, number: u32, keys: &[u64], words: &[Box<str>], rows: &[Row]) {
        let Some(result) = self.results.get_mut(number as usize).and_then(Option::take) else { return };
        for (ply, key) in keys.iter().enumerate() {
            let word = words.get(ply).map_or(NOTHING, |word| self.word(word));
            self.remove_visit(*key, (word, number), result, rows);
        }
    }

    /// What all games that reached a position played there, or those of them that `choose` accepts.
    /// `with_ratings` also asks for the mean rating of the games of each action.
    pub fn look(&self, key: u64, rows: &[Row], choose: Option<Choice<'_>>, with_ratings: bool) -> PositionSummary {
        let kind = Kind { words: &self.words, results: &self.results, rows, with_ratings };
        match self.slots.get(&key) {
            None => PositionSummary::default(),
            Some(slot) if slot.word == Slot::SEVERAL => self.several[slot.number as usize].summary(kind, choose),
            Some(slot) => visits::summary(&[(slot.word, slot.number)], kind, choose),
        }
    }

    /// The number of a game that reached a position.
    pub fn any_at(&self, key: u64) -> Option<u32> {
        let slot = self.slots.get(&key)?;
        if slot.word == Slot::SEVERAL { self.several[slot.number as usize].any() } else { Some(slot.number) }
    }

    /// The numbers of the games that reached a position.
    pub fn games_at(&self, key: u64) -> RoaringBitmap {
        match self.slots.get(&key) {
            None => RoaringBitmap::new(),
            Some(slot) if slot.word == Slot::SEVERAL => self.several[slot.number as usize].games(),
            Some(slot) => RoaringBitmap::from_iter([slot.number]),
        }
    }

    fn word(&mut self, word: &str) -> u32 {
        if let Some(number) = self.word_numbers.get(word) {
            return *number;
        }
        let (word, number): (Arc<str>, _) = (word.into(), self.words.len() as u32);
        self.words.push(Arc::clone(&word));
        self.word_numbers.insert(word, number);
        number
    }

    fn add_visit(&mut self, key: u64, visit: Visit, rows: &[Row]) {
        let Some(slot) = self.slots.get_mut(&key) else {
            self.slots.insert(key, Slot { word: visit.0, number: visit.1 });
            return;
        };
        if slot.word != Slot::SEVERAL {
            let first = (slot.word, slot.number);
            if first == visit {
                return;
            }
            let index = self.free.pop().unwrap_or_else(|| {
                self.several.push(Visits::Few(Vec::new()));
                self.several.len() as u32 - 1
            });
            self.several[index as usize] = Visits::Few(vec![first]);
            *slot = Slot { word: Slot::SEVERAL, number: index };
        }
        let kind = Kind { words: &self.words, results: &self.results, rows, with_ratings: false };
        self.several[slot.number as usize].add(visit, kind);
    }

    fn remove_visit(&mut self, key: u64, visit: Visit, result: GameResult, rows: &[Row]) {
        let Some(slot) = self.slots.get(&key).copied() else { return };
        if slot.word != Slot::SEVERAL {
            if (slot.word, slot.number) == visit {
                self.slots.remove(&key);
            }
            return;
        }
        let visits = &mut self.several[slot.number as usize];
        visits.remove(visit, result, rows);
        if visits.is_empty() {
            *visits = Visits::Few(Vec::new());
            self.free.push(slot.number);
            self.slots.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use roaring::RoaringBitmap;

    use super::*;
    use crate::models::digests::visits::{ActionSummary, NEWEST, mean_rating};
    use crate::models::results::Results;

    /// Numbers that look random but are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    /// A game of the test: its positions and its actions.
    type Way = (Vec<u64>, Vec<Box<str>>);

    /// A path through few positions, so that paths meet and part again.
    fn way(dice: &mut Dice) -> Way {
        let keys: Vec<u64> = (0..=dice.below(6)).map(|ply| if ply == 0 { 1 } else { 2 + dice.below(8) }).collect();
        let words = (1..keys.len()).map(|_| format!("a{}", dice.below(3)).into()).collect();
        (keys, words)
    }

    /// The expected contents of a node, computed from all paths.
    fn expected(ways: &BTreeMap<u32, Way>, rows: &[Row], key: u64, among: Option<&RoaringBitmap>) -> PositionSummary {
        let mut all = BTreeSet::new();
        let mut by_word: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for (number, (keys, words)) in ways.iter().filter(|(number, _)| among.is_none_or(|a| a.contains(**number))) {
            for ply in (0..keys.len()).filter(|ply| keys[*ply] == key) {
                all.insert(*number);
                if let Some(word) = words.get(ply) {
                    by_word.entry(word).or_default().insert(*number);
                }
            }
        }
        let results = |numbers: &BTreeSet<u32>| {
            let mut results = Results::default();
            for number in numbers {
                results.add(rows[*number as usize].result);
            }
            results
        };
        let action = |(word, numbers): (&str, BTreeSet<u32>)| ActionSummary {
            word: word.into(),
            games: numbers.len() as u64,
            results: results(&numbers),
            last_ms: numbers.iter().map(|number| rows[*number as usize].played_ms).max().unwrap_or_default(),
            average_rating: mean_rating(numbers.iter().map(|number| &rows[*number as usize])),
        };
        let actions = by_word.into_iter().map(action).collect();
        let newest = all.iter().copied().rev().take(NEWEST).collect();
        PositionSummary::new(all.len() as u64, results(&all), actions, newest, rows)
    }

    /// Wins without trailing seats that won nothing: a set that lost a game keeps the entry.
    fn told(seen: &PositionSummary) -> String {
        let wins = |results: &Results| {
            let won = results.wins.iter().enumerate().filter(|(_, wins)| **wins > 0);
            format!("{:?} {} {}", won.collect::<Vec<_>>(), results.draws, results.other)
        };
        let action = |action: &ActionSummary| {
            (action.word.clone(), action.games, wins(&action.results), action.last_ms, action.average_rating)
        };
        let actions: Vec<_> = seen.actions.iter().map(action).collect();
        format!("{} {} {actions:?} {:?} {:?}", seen.games, wins(&seen.results), seen.recent, seen.top)
    }

    #[test]
    fn games_come_and_go_and_index_say_what_is_there() {
        let mut dice = Dice(5);
        let results = [GameResult::Open, GameResult::Drawn, GameResult::Won(1), GameResult::Won(0b110)];
        let mut rows: Vec<Row> = (0..100)
            .map(|_| Row::sample(dice.below(1000) as i64, results[dice.below(4) as usize], dice.below(50) as u32))
            .collect();
        let mut index = PositionIndex::default();
        let mut ways: BTreeMap<u32, Way> = BTreeMap::new();
        for step in 0..3_000 {
            let number = dice.below(100) as u32;
            if let Some((keys, words)) = ways.remove(&number) {
                index.remove(number, &keys, &words, &rows);
                rows[number as usize].result = results[dice.below(4) as usize];
            }
            // Now and then nearly all games are removed.
            if dice.below(100) > step % 110 {
                let way = way(&mut dice);
                index.add(number, &way.0, &way.1, &rows);
                ways.insert(number, way);
            }
            let key = 1 + dice.below(9);
            let half: RoaringBitmap = (0..100).filter(|_| dice.below(2) == 0).collect();
            let choose = |of: &RoaringBitmap| of & &half;
            for (choose, among) in [(None, None), (Some(&choose as Choice<'_>), Some(&half))] {
                let (found, wanted) = (index.look(key, &rows, choose, true), expected(&ways, &rows, key, among));
                assert_eq!(told(&found), told(&wanted), "step {step}, key {key}");
            }
        }
        for (number, (keys, words)) in ways {
            index.remove(number, &keys, &words, &rows);
        }
        assert!(index.is_empty() && index.free.len() == index.several.len());
    }
}
