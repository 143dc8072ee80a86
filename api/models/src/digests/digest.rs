//! The result of folding a game once: the positions it passed through, and what was counted.

use plybook_events::LogId;
use plybook_rules::predicate::Extremes;
use plybook_rules::{AnyPosition, Figures, Luck, Viewer};
use plybook_store::Changes;
use serde::{Deserialize, Serialize};

/// The most bytes of plies in a part: a pair in a keyspace has at most 100 KiB.
const PART_BYTES: usize = 64 * 1024;

/// The length that marks a missing word: nothing was played from the last position.
const NO_WORD: u16 = u16::MAX;

/// The result of folding a game once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Digest {
    /// The positions of the mainline, from ply 0 on: the first eight bytes of their keys.
    pub keys: Vec<u64>,
    /// The actions between them, as records write them; one fewer.
    pub words: Vec<Box<str>>,
    /// What was counted.
    pub facts: Facts,
}

/// Places by index, with their counts; only those above 0.
pub type Heat = Box<[(u16, u32)]>;

/// By seat: how often chance decided, the expected total in millionths, and the actual total.
pub type SeatLuck = Box<[(u64, i64, i64)]>;

/// What was counted in a game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Facts {
    /// The number of takebacks.
    pub takebacks: u32,
    /// The number of legal actions in all positions where an actor chose from a list.
    pub choices: u64,
    /// The number of such positions.
    pub choosing: u32,
    /// The measures of the kind, in their order; `None` where one does not apply.
    pub values: Box<[Option<i64>]>,
    /// For each heat of the kind.
    pub heat: Box<[Heat]>,
    /// For each luck of the kind.
    pub luck: Box<[SeatLuck]>,
    /// The least and the most of what positions can be searched for.
    pub extremes: Extremes,
}

/// The first eight bytes of a position's key.
pub fn short_key(position: &dyn AnyPosition) -> u64 {
    shorten(&position.key(Viewer::All))
}

/// The first eight bytes of a key.
pub fn shorten(key: &plybook_events::Hash) -> u64 {
    u64::from_be_bytes(*key.0.first_chunk().expect("a key has 32 bytes"))
}

impl Digest {
    /// Writes a game's parts, replacing the `had` parts that it had.
    pub(super) fn put(&self, id: LogId, had: u16, changes: &mut Changes) {
        changes.put(part_key(id, 0), serde_json::to_vec(&self.facts).expect("facts are plain data"));
        let mut next = 1;
        let mut part = Vec::new();
        for (ply, key) in self.keys.iter().enumerate() {
            let word = self.words.get(ply).map(|word| word.as_bytes());
            if part.len() + 10 + word.map_or(0, <[u8]>::len) > PART_BYTES {
                changes.put(part_key(id, next), std::mem::take(&mut part));
                next += 1;
            }
            part.extend_from_slice(&key.to_be_bytes());
            part.extend_from_slice(&word.map_or(NO_WORD, |word| word.len() as u16).to_be_bytes());
            part.extend_from_slice(word.unwrap_or_default());
        }
        changes.put(part_key(id, next), part);
        (next + 1..had).for_each(|gone| changes.delete(part_key(id, gone)));
    }

    /// Adds a game's next part; `None` if it cannot be read.
    pub(super) fn read_part(&mut self, number: u16, mut part: &[u8]) -> Option<()> {
        if number == 0 {
            self.facts = serde_json::from_slice(part).ok()?;
            return Some(());
        }
        while !part.is_empty() {
            let key;
            let length;
            (key, part) = part.split_first_chunk()?;
            (length, part) = part.split_first_chunk()?;
            self.keys.push(u64::from_be_bytes(*key));
            let length = u16::from_be_bytes(*length);
            if length != NO_WORD {
                let word;
                (word, part) = part.split_at_checked(usize::from(length))?;
                self.words.push(str::from_utf8(word).ok()?.into());
            }
        }
        Some(())
    }
}

/// The key of a part of a game: part 0 has the facts, the others have the plies in order.
pub(super) fn part_key(id: LogId, number: u16) -> Vec<u8> {
    [&id.to_bytes()[..], &number.to_be_bytes()].concat()
}

/// The game and the number of a part.
pub(super) fn split_key(key: &[u8]) -> Option<(LogId, u16)> {
    let (id, number) = key.split_first_chunk()?;
    Some((LogId::from_bytes(*id), u16::from_be_bytes(number.try_into().ok()?)))
}

impl Facts {
    /// Takes over what the rules count.
    pub(super) fn take(&mut self, figures: Figures) {
        let above_zero = |counts: Vec<u32>| {
            let places = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
            places.map(|(place, count)| (place as u16, count)).collect()
        };
        let seats = |seats: Vec<Luck>| seats.iter().map(|luck| (luck.count, luck.expected, luck.actual)).collect();
        self.values = figures.values.into();
        self.heat = figures.heat.into_iter().map(above_zero).collect();
        self.luck = figures.luck.into_iter().map(seats).collect();
    }
}
