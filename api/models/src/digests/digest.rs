//! The result of folding a game once: the positions it passed through, and what was counted.

use plybook_rules::predicate::Extremes;
use plybook_rules::{AnyPosition, Figures, Luck, Viewer};

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
#[derive(Clone, Debug, Default, PartialEq)]
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
