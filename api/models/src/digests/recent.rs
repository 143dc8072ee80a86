//! The positions of the games that changed last, in memory.
//!
//! Most positions belong to one game and cost one slot. A position of a few games lists them. A position of
//! many games keeps a set of games per action, with the results counted.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::slice;
use std::sync::Arc;

use plybook_events::LogId;
use roaring::RoaringBitmap;

use super::run::RunWriter;
use super::tally::{Asked, Counted, NOTHING, Tally};
use super::visits::{self, Visit, Visits};

/// The number of [`NOTHING`].
const NO_WORD: u32 = 0;

/// Positions of some games of one kind.
pub(super) struct RecentPositions {
    words: Vec<Arc<str>>,
    word_numbers: HashMap<Arc<str>, u32>,
    slots: HashMap<u64, Slot, BuildHasherDefault<KeyHasher>>,
    /// The visits of positions that several games reached.
    several: Vec<Visits>,
    /// The unused indices in `several`.
    free: Vec<u32>,
    /// By number.
    games: BTreeMap<u32, RecentGame>,
    visits: usize,
}

/// A game: its id, and the positions that it passed through, each with the number of the word that was played there.
struct RecentGame {
    id: LogId,
    way: Vec<(u64, u32)>,
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

impl Default for RecentPositions {
    fn default() -> Self {
        let nothing: Arc<str> = NOTHING.into();
        Self {
            word_numbers: HashMap::from([(Arc::clone(&nothing), NO_WORD)]),
            words: vec![nothing],
            slots: HashMap::default(),
            several: Vec::new(),
            free: Vec::new(),
            games: BTreeMap::new(),
            visits: 0,
        }
    }
}

impl RecentPositions {
    /// The games, by number, with their ids.
    pub fn games(&self) -> impl ExactSizeIterator<Item = (u32, LogId)> {
        self.games.iter().map(|(number, game)| (*number, game.id))
    }

    /// How many visits of positions they make.
    pub fn visits(&self) -> usize {
        self.visits
    }

    /// What was played in a game, as records write it; `None` if it is not among them.
    pub fn words(&self, number: u32) -> Option<impl ExactSizeIterator<Item = &str>> {
        let (_, played) = self.games.get(&number)?.way.split_last()?;
        Some(played.iter().map(|(_, word)| &*self.words[*word as usize]))
    }

    /// Replaces what is known of a game: the positions it passed through, and what it did there. `games` says how games are
    /// counted, that one as before.
    pub fn set(&mut self, number: u32, id: LogId, keys: &[u64], words: &[Box<str>], games: &[Option<Counted>]) {
        if !self.goes_on(number, keys, words) {
            self.remove(number, games);
        }
        let mut way = self.games.remove(&number).map_or_else(|| Vec::with_capacity(keys.len()), |game| game.way);
        for (ply, key) in keys.iter().enumerate().skip(way.len().saturating_sub(1)) {
            let word = words.get(ply).map_or(NO_WORD, |word| self.word(word));
            match way.get_mut(ply) {
                Some((_, stood)) if *stood == word => {}
                Some((_, stood)) => {
                    *stood = word;
                    self.leave(*key, (word, number), games);
                }
                None => {
                    self.visits += usize::from(self.add_visit(*key, (word, number), games));
                    way.push((*key, word));
                }
            }
        }
        self.games.insert(number, RecentGame { id, way });
    }

    /// Whether a game is among them, and nothing of it was taken back since.
    fn goes_on(&self, number: u32, keys: &[u64], words: &[Box<str>]) -> bool {
        let way = self.games.get(&number).and_then(|game| game.way.split_last());
        way.is_some_and(|((last, _), before)| {
            let mut plies = before.iter().zip(keys.iter().zip(words));
            let is_same =
                plies.all(|((key, word), (now, played))| key == now && *self.words[*word as usize] == **played);
            is_same && keys.get(before.len()) == Some(last)
        })
    }

    /// Removes a game, if it is there. `games` says how games are counted, still that one too.
    pub fn remove(&mut self, number: u32, games: &[Option<Counted>]) {
        let Some(RecentGame { way, .. }) = self.games.remove(&number) else { return };
        for (key, word) in way {
            self.visits -= usize::from(self.remove_visit(key, (word, number), games));
        }
    }

    /// Adds up what was played from a position.
    pub fn tally(&self, key: u64, asked: Asked<'_>, tally: &mut Tally) {
        match self.slots.get(&key) {
            None => {}
            Some(slot) if slot.word == Slot::SEVERAL => {
                self.several[slot.number as usize].tally(&self.words, asked, tally);
            }
            Some(slot) => tally.add_few(&[(&self.words[slot.word as usize], slot.number)], asked),
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

    /// Writes all positions and what was played in each game, in the order of their keys. `games` says how games are counted.
    pub fn write(&self, to: &mut RunWriter, games: &[Option<Counted>]) -> io::Result<()> {
        let mut keys: Vec<u64> = self.slots.keys().copied().collect();
        keys.sort_unstable();
        let mut numbers = self.games.keys().copied().peekable();
        for key in keys {
            while let Some(number) = numbers.next_if(|number| u64::from(*number) < key) {
                self.write_played(number, to)?;
            }
            let slot = self.slots[&key];
            let one = [(slot.word, slot.number)];
            let few: &[Visit] = if slot.word == Slot::SEVERAL {
                match &self.several[slot.number as usize] {
                    Visits::Few(visits) => visits,
                    Visits::Many(sets) => {
                        let word = |word: u32| Box::from(&*self.words[word as usize]);
                        let sets = sets.actions().map(|(number, games)| (word(number), games.clone())).collect();
                        to.push_many(key, &sets, games)?;
                        continue;
                    }
                }
            } else {
                slice::from_ref(&one[0])
            };
            to.push_few(key, visits::spelled(few, &self.words))?;
        }
        numbers.try_for_each(|number| self.write_played(number, to))
    }

    fn write_played(&self, number: u32, to: &mut RunWriter) -> io::Result<()> {
        to.push_played(number, self.words(number).expect("a game passes through a position"))
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

    /// Returns whether it was new.
    fn add_visit(&mut self, key: u64, visit: Visit, games: &[Option<Counted>]) -> bool {
        let Some(slot) = self.slots.get_mut(&key) else {
            self.slots.insert(key, Slot { word: visit.0, number: visit.1 });
            return true;
        };
        if slot.word != Slot::SEVERAL {
            let first = (slot.word, slot.number);
            if first == visit {
                return false;
            }
            let index = self.free.pop().unwrap_or_else(|| {
                self.several.push(Visits::Few(Vec::new()));
                self.several.len() as u32 - 1
            });
            self.several[index as usize] = Visits::Few(vec![first]);
            *slot = Slot { word: Slot::SEVERAL, number: index };
        }
        self.several[slot.number as usize].add(visit, games)
    }

    /// Notes what a game did in the position where it stood.
    fn leave(&mut self, key: u64, visit: Visit, games: &[Option<Counted>]) {
        let stood = (NO_WORD, visit.1);
        match self.slots.get_mut(&key) {
            Some(slot) if (slot.word, slot.number) == stood => slot.word = visit.0,
            _ => {
                // Added first: a set that loses its newest game looks for the next one.
                self.visits += usize::from(self.add_visit(key, visit, games));
                self.visits -= usize::from(self.remove_visit(key, stood, games));
            }
        }
    }

    /// Returns whether it was there.
    fn remove_visit(&mut self, key: u64, visit: Visit, games: &[Option<Counted>]) -> bool {
        let Some(slot) = self.slots.get(&key).copied() else { return false };
        if slot.word != Slot::SEVERAL {
            let is_there = (slot.word, slot.number) == visit;
            if is_there {
                self.slots.remove(&key);
            }
            return is_there;
        }
        let visits = &mut self.several[slot.number as usize];
        let is_gone = visits.remove(visit, games);
        if visits.is_empty() {
            *visits = Visits::Few(Vec::new());
            self.free.push(slot.number);
            self.slots.remove(&key);
        }
        is_gone
    }
}
