//! What was played from the positions of one kind of game: an index from positions to games.
//!
//! Most positions belong to one game only and cost one slot. Those of a few games list them; those
//! of many keep a set of games for each action with its results counted, so that what is asked of
//! all games costs no more however many there are.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use roaring::RoaringBitmap;

use super::results::Results;
use super::rows::{Result as GameResult, Row};

/// A node with more entries keeps sets.
const FEW_MAX: usize = 32;

/// How many of the newest games of a node are looked at for those that are named.
const NEWEST: usize = 256;

/// How many games are named.
const NAMED: usize = 10;

/// The word for standing at a position: nothing was played from it.
const NOTHING: u32 = 0;

/// The index of one kind.
pub struct Nodes {
    words: Vec<Arc<str>>,
    word_numbers: HashMap<Arc<str>, u32>,
    slots: HashMap<u64, Slot, BuildHasherDefault<KeyHasher>>,
    several: Vec<Node>,
    free: Vec<u32>,
    /// How the games that are in the index count, by their numbers.
    results: Vec<Option<GameResult>>,
}

/// The only game that came to a position, and what it did there; or the node of several.
#[derive(Clone, Copy)]
struct Slot {
    word: u32,
    /// The number of the game, or the index of the node where `word` is [`Slot::NODE`].
    number: u32,
}

impl Slot {
    const NODE: u32 = u32::MAX;
}

enum Node {
    /// Words and numbers, sorted.
    Few(Vec<(u32, u32)>),
    Many(Box<Many>),
}

struct Many {
    all: Games,
    /// By word.
    actions: Vec<(u32, Games)>,
}

/// Games with their results.
#[derive(Default)]
struct Games {
    numbers: RoaringBitmap,
    results: Results,
    last_ms: i64,
}

/// What was played from a position.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Games that came to it.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// What they did there, the most frequent first.
    pub actions: Vec<SeenAction>,
    /// The newest of them, by number; at most ten.
    pub recent: Vec<u32>,
    /// The longest finished of the newest of them, by number; at most ten.
    pub top: Vec<u32>,
}

/// An action that was played from a position.
#[derive(Clone, Debug)]
pub struct SeenAction {
    /// As records write it.
    pub word: Arc<str>,
    /// Games in which it was played.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// When the last of them was created, in milliseconds since 1970.
    pub last_ms: i64,
}

impl Games {
    fn add(&mut self, number: u32, result: GameResult, created_ms: i64) {
        if self.numbers.insert(number) {
            self.results.add(result);
            self.last_ms = self.last_ms.max(created_ms);
        }
    }

    fn remove(&mut self, number: u32, result: GameResult, rows: &[Row]) {
        if self.numbers.remove(number) {
            self.results.remove(result);
            if rows[number as usize].created_ms == self.last_ms {
                self.last_ms = last_ms(self.numbers.iter(), rows);
            }
        }
    }
}

fn last_ms(numbers: impl Iterator<Item = u32>, rows: &[Row]) -> i64 {
    numbers.map(|number| rows[number as usize].created_ms).max().unwrap_or(0)
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

impl Default for Nodes {
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

impl Nodes {
    /// How many positions are known.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether no position is known.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Puts a game in: the positions it went through and what it did there.
    pub(super) fn add(&mut self, number: u32, keys: &[u64], words: &[Box<str>], rows: &[Row]) {
        let row = &rows[number as usize];
        let at = number as usize;
        if self.results.len() <= at {
            self.results.resize(at + 1, None);
        }
        self.results[at] = Some(row.result);
        for (ply, key) in keys.iter().enumerate() {
            let word = words.get(ply).map_or(NOTHING, |word| self.word(word));
            self.add_entry(*key, word, number, rows);
        }
    }

    /// Takes a game out that was put in with these positions.
    pub(super) fn remove(&mut self, number: u32, keys: &[u64], words: &[Box<str>], rows: &[Row]) {
        let Some(result) = self.results.get_mut(number as usize).and_then(Option::take) else { return };
        for (ply, key) in keys.iter().enumerate() {
            let word = words.get(ply).map_or(NOTHING, |word| self.word(word));
            self.remove_entry(*key, word, number, result, rows);
        }
    }

    /// What was played from a position by all games, or by those that `choose` leaves of the ones
    /// that came there.
    pub fn look(&self, key: u64, rows: &[Row], choose: Option<&dyn Fn(&RoaringBitmap) -> RoaringBitmap>) -> Seen {
        let few = |entries: &[(u32, u32)]| {
            let among = choose.map(|choose| choose(&entries.iter().map(|(_, number)| *number).collect()));
            self.look_at_few(entries, rows, among.as_ref())
        };
        let mut seen = match self.slots.get(&key) {
            None => Seen::default(),
            Some(slot) if slot.word != Slot::NODE => few(&[(slot.word, slot.number)]),
            Some(slot) => match &self.several[slot.number as usize] {
                Node::Few(entries) => few(entries),
                Node::Many(many) => {
                    let among = choose.map(|choose| choose(&many.all.numbers));
                    self.look_at_many(many, rows, among.as_ref())
                }
            },
        };
        seen.actions.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.word.cmp(&other.word)));
        seen
    }

    /// A game that came to a position, by its number.
    pub fn any_at(&self, key: u64) -> Option<u32> {
        let slot = self.slots.get(&key)?;
        if slot.word != Slot::NODE {
            return Some(slot.number);
        }
        match &self.several[slot.number as usize] {
            Node::Few(entries) => entries.first().map(|(_, number)| *number),
            Node::Many(many) => many.all.numbers.min(),
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

    fn add_entry(&mut self, key: u64, word: u32, number: u32, rows: &[Row]) {
        let Some(slot) = self.slots.get_mut(&key) else {
            self.slots.insert(key, Slot { word, number });
            return;
        };
        if slot.word != Slot::NODE {
            if (slot.word, slot.number) == (word, number) {
                return;
            }
            let first = Node::Few(vec![(slot.word, slot.number)]);
            let index = self.free.pop().unwrap_or_else(|| {
                self.several.push(Node::Few(Vec::new()));
                self.several.len() as u32 - 1
            });
            self.several[index as usize] = first;
            *slot = Slot { word: Slot::NODE, number: index };
        }
        let node = &mut self.several[slot.number as usize];
        match node {
            Node::Few(entries) => {
                if let Err(at) = entries.binary_search(&(word, number)) {
                    entries.insert(at, (word, number));
                }
                if entries.len() > FEW_MAX {
                    let mut many = Box::new(Many { all: Games::default(), actions: Vec::new() });
                    for (word, number) in entries.iter() {
                        many.add(*word, *number, self.results[*number as usize].unwrap_or_default(), rows);
                    }
                    *node = Node::Many(many);
                }
            }
            Node::Many(many) => many.add(word, number, self.results[number as usize].unwrap_or_default(), rows),
        }
    }

    fn remove_entry(&mut self, key: u64, word: u32, number: u32, result: GameResult, rows: &[Row]) {
        let Some(slot) = self.slots.get(&key).copied() else { return };
        if slot.word != Slot::NODE {
            if (slot.word, slot.number) == (word, number) {
                self.slots.remove(&key);
            }
            return;
        }
        let is_empty = match &mut self.several[slot.number as usize] {
            Node::Few(entries) => {
                entries.retain(|entry| *entry != (word, number));
                entries.is_empty()
            }
            Node::Many(many) => {
                many.remove(word, number, result, rows);
                many.actions.is_empty()
            }
        };
        if is_empty {
            self.several[slot.number as usize] = Node::Few(Vec::new());
            self.free.push(slot.number);
            self.slots.remove(&key);
        }
    }

    fn look_at_few(&self, entries: &[(u32, u32)], rows: &[Row], among: Option<&RoaringBitmap>) -> Seen {
        let is_asked = |number: u32| among.is_none_or(|among| among.contains(number));
        let entries: Vec<(u32, u32)> = entries.iter().copied().filter(|(_, number)| is_asked(*number)).collect();
        let mut numbers: Vec<u32> = entries.iter().map(|(_, number)| *number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let actions = entries.chunk_by(|(one, _), (other, _)| one == other).filter(|chunk| chunk[0].0 != NOTHING);
        let action = |chunk: &[(u32, u32)]| SeenAction {
            word: Arc::clone(&self.words[chunk[0].0 as usize]),
            games: chunk.len() as u64,
            results: self.results_of(chunk.iter().map(|(_, number)| *number)),
            last_ms: last_ms(chunk.iter().map(|(_, number)| *number), rows),
        };
        let mut seen = Seen {
            games: numbers.len() as u64,
            results: self.results_of(numbers.iter().copied()),
            actions: actions.map(action).collect(),
            ..Seen::default()
        };
        seen.name(numbers, rows);
        seen
    }

    fn look_at_many(&self, many: &Many, rows: &[Row], among: Option<&RoaringBitmap>) -> Seen {
        let actions = many.actions.iter().filter(|(word, _)| *word != NOTHING);
        let word = |word: &u32| Arc::clone(&self.words[*word as usize]);
        let Some(among) = among else {
            let action = |(number, games): &(u32, Games)| SeenAction {
                word: word(number),
                games: games.numbers.len(),
                results: games.results.clone(),
                last_ms: games.last_ms,
            };
            let mut seen = Seen {
                games: many.all.numbers.len(),
                results: many.all.results.clone(),
                actions: actions.map(action).collect(),
                ..Seen::default()
            };
            seen.name(many.all.numbers.iter().rev().take(NEWEST).collect(), rows);
            return seen;
        };
        let action = |(number, games): &(u32, Games)| {
            let asked = &games.numbers & among;
            let results = self.results_of(asked.iter());
            SeenAction { word: word(number), games: asked.len(), results, last_ms: last_ms(asked.iter(), rows) }
        };
        let mut seen = Seen {
            games: among.len(),
            results: self.results_of(among.iter()),
            actions: actions.map(action).filter(|action| action.games > 0).collect(),
            ..Seen::default()
        };
        seen.name(among.iter().rev().take(NEWEST).collect(), rows);
        seen
    }

    fn results_of(&self, numbers: impl Iterator<Item = u32>) -> Results {
        let mut results = Results::default();
        numbers.for_each(|number| results.add(self.results[number as usize].unwrap_or_default()));
        results
    }
}

impl Seen {
    /// Names the newest and the longest of some games.
    fn name(&mut self, mut numbers: Vec<u32>, rows: &[Row]) {
        let row = |number: &u32| &rows[*number as usize];
        numbers.sort_by_key(|number| (-row(number).created_ms, *number));
        self.recent = numbers.iter().copied().take(NAMED).collect();
        numbers.retain(|number| row(number).duration_ms.is_some());
        numbers.sort_by_key(|number| (u32::MAX - row(number).ply, -row(number).created_ms));
        numbers.truncate(NAMED);
        self.top = numbers;
    }
}

impl Many {
    fn add(&mut self, word: u32, number: u32, result: GameResult, rows: &[Row]) {
        let created_ms = rows[number as usize].created_ms;
        self.all.add(number, result, created_ms);
        let at = match self.actions.binary_search_by_key(&word, |(word, _)| *word) {
            Ok(at) => at,
            Err(at) => {
                self.actions.insert(at, (word, Games::default()));
                at
            }
        };
        self.actions[at].1.add(number, result, created_ms);
    }

    fn remove(&mut self, word: u32, number: u32, result: GameResult, rows: &[Row]) {
        let Ok(at) = self.actions.binary_search_by_key(&word, |(word, _)| *word) else { return };
        self.actions[at].1.remove(number, result, rows);
        if self.actions[at].1.numbers.is_empty() {
            self.actions.remove(at);
        }
        if !self.actions.iter().any(|(_, games)| games.numbers.contains(number)) {
            self.all.remove(number, result, rows);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Numbers that are the same in every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    /// A game of the test: its positions and its actions.
    type Way = (Vec<u64>, Vec<Box<str>>);

    /// A way through few positions, so that ways meet and come back.
    fn way(dice: &mut Dice) -> Way {
        let keys: Vec<u64> = (0..=dice.below(6)).map(|ply| if ply == 0 { 1 } else { 2 + dice.below(8) }).collect();
        let words = (1..keys.len()).map(|_| format!("a{}", dice.below(3)).into()).collect();
        (keys, words)
    }

    /// What a node should say, worked out from all ways.
    fn expected(ways: &BTreeMap<u32, Way>, rows: &[Row], key: u64, among: Option<&RoaringBitmap>) -> Seen {
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
        let action = |(word, numbers): (&str, BTreeSet<u32>)| SeenAction {
            word: word.into(),
            games: numbers.len() as u64,
            results: results(&numbers),
            last_ms: numbers.iter().map(|number| rows[*number as usize].created_ms).max().unwrap_or_default(),
        };
        let mut actions: Vec<_> = by_word.into_iter().map(action).collect();
        actions.sort_by_key(|action| u64::MAX - action.games);
        let mut seen = Seen { games: all.len() as u64, results: results(&all), actions, ..Seen::default() };
        seen.name(all.into_iter().rev().take(NEWEST).collect(), rows);
        seen
    }

    /// Wins without seats that won nothing: a set that lost a game keeps its place.
    fn told(seen: &Seen) -> String {
        let wins = |results: &Results| {
            let won = results.wins.iter().enumerate().filter(|(_, wins)| **wins > 0);
            format!("{:?} {} {}", won.collect::<Vec<_>>(), results.draws, results.other)
        };
        let action = |action: &SeenAction| (action.word.clone(), action.games, wins(&action.results), action.last_ms);
        let actions: Vec<_> = seen.actions.iter().map(action).collect();
        format!("{} {} {actions:?} {:?} {:?}", seen.games, wins(&seen.results), seen.recent, seen.top)
    }

    #[test]
    fn games_come_and_go_and_nodes_say_what_is_there() {
        let mut dice = Dice(5);
        let results = [GameResult::Open, GameResult::Drawn, GameResult::Won(1), GameResult::Won(0b110)];
        let mut rows: Vec<Row> = (0..100)
            .map(|_| Row::sample(dice.below(1000) as i64, results[dice.below(4) as usize], dice.below(50) as u32))
            .collect();
        let mut nodes = Nodes::default();
        let mut ways: BTreeMap<u32, Way> = BTreeMap::new();
        for step in 0..3_000 {
            let number = dice.below(100) as u32;
            if let Some((keys, words)) = ways.remove(&number) {
                nodes.remove(number, &keys, &words, &rows);
                rows[number as usize].result = results[dice.below(4) as usize];
            }
            // Now and then nearly all games are gone.
            if dice.below(100) > step % 110 {
                let way = way(&mut dice);
                nodes.add(number, &way.0, &way.1, &rows);
                ways.insert(number, way);
            }
            let key = 1 + dice.below(9);
            let half: RoaringBitmap = (0..100).filter(|_| dice.below(2) == 0).collect();
            let choose = |of: &RoaringBitmap| of & &half;
            for (choose, among) in [(None, None), (Some(&choose as &dyn Fn(&RoaringBitmap) -> _), Some(&half))] {
                let (found, wanted) = (nodes.look(key, &rows, choose), expected(&ways, &rows, key, among));
                assert_eq!(told(&found), told(&wanted), "step {step}, key {key}");
            }
        }
        for (number, (keys, words)) in ways {
            nodes.remove(number, &keys, &words, &rows);
        }
        assert!(nodes.is_empty() && nodes.free.len() == nodes.several.len());
    }
}
