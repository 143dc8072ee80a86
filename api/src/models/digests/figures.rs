//! What was counted in the games of one kind, in columns: each figure for all games side by side.

use super::digest::{Digest, Facts, Heat, SeatLuck};

/// Marks a figure that a game does not have.
const NONE: i64 = i64::MIN;

/// The figures of the games of a kind, by number.
#[derive(Default)]
pub struct FigureColumns {
    takebacks: Vec<i64>,
    /// The number of legal actions, and of positions with a choice.
    choices: Vec<(u64, u32)>,
    /// By measure, in the order of the kind.
    values: Vec<Vec<i64>>,
    /// For each game, what is counted at places, and its luck.
    rest: Vec<Option<Rest>>,
    /// The extremes of all games, one after another.
    extremes: Vec<i16>,
    /// How many numbers each game has among them.
    extremes_len: usize,
}

/// Figures that are needed less often.
pub struct Rest {
    /// The first action, as records write it.
    pub first: Option<Box<str>>,
    /// The first eight bytes of the key of the position after it.
    pub first_key: u64,
    /// For each heat of the kind.
    pub heat: Box<[Heat]>,
    /// For each luck of the kind.
    pub luck: Box<[SeatLuck]>,
}

impl FigureColumns {
    /// Stores the figures of a game's digest, or that it has none.
    pub(super) fn set(&mut self, number: u32, digest: Option<&Digest>) {
        let at = number as usize;
        let none = Facts::default();
        let facts = digest.map_or(&none, |digest| &digest.facts);
        put(&mut self.takebacks, at, if digest.is_some() { i64::from(facts.takebacks) } else { NONE }, NONE);
        put(&mut self.choices, at, (facts.choices, facts.choosing), (0, 0));
        if self.values.len() < facts.values.len() {
            self.values.resize(facts.values.len(), Vec::new());
        }
        for (measure, column) in self.values.iter_mut().enumerate() {
            put(column, at, facts.values.get(measure).copied().flatten().unwrap_or(NONE), NONE);
        }
        self.set_extremes(at, facts.extremes.as_slice());
        if self.rest.len() <= at {
            self.rest.resize_with(at + 1, || None);
        }
        self.rest[at] = digest.map(|digest| Rest {
            first: digest.words.first().cloned(),
            first_key: digest.keys.get(1).copied().unwrap_or_default(),
            heat: facts.heat.clone(),
            luck: facts.luck.clone(),
        });
    }

    fn set_extremes(&mut self, at: usize, extremes: &[i16]) {
        if self.extremes_len == 0 {
            self.extremes_len = extremes.len();
        }
        let (from, to) = (at * self.extremes_len, (at + 1) * self.extremes_len);
        if self.extremes.len() < to {
            self.extremes.resize(to, 0);
        }
        if extremes.len() == self.extremes_len {
            self.extremes[from..to].copy_from_slice(extremes);
        }
    }

    /// The least and the most of each fact; `None` if they are not known.
    pub fn extremes(&self, number: u32) -> Option<&[i16]> {
        self.rest(number)?;
        self.extremes.chunks_exact(self.extremes_len.max(1)).nth(number as usize)
    }

    /// The number of takebacks; `None` if it is not known.
    pub fn takebacks(&self, number: u32) -> Option<i64> {
        value(&self.takebacks, number)
    }

    /// The mean number of legal actions in positions with a choice; `None` if there are no such positions.
    pub fn branching(&self, number: u32) -> Option<f64> {
        let (choices, choosing) = *self.choices.get(number as usize)?;
        (choosing > 0).then(|| choices as f64 / f64::from(choosing))
    }

    /// A measure of the kind, by its index; `None` where it does not apply.
    pub fn measure(&self, measure: usize, number: u32) -> Option<i64> {
        value(self.values.get(measure)?, number)
    }

    /// The figures of a game that are needed less often.
    pub fn rest(&self, number: u32) -> Option<&Rest> {
        self.rest.get(number as usize)?.as_ref()
    }
}

fn put<T: Clone>(column: &mut Vec<T>, at: usize, value: T, none: T) {
    if column.len() <= at {
        column.resize(at + 1, none);
    }
    column[at] = value;
}

fn value(column: &[i64], number: u32) -> Option<i64> {
    column.get(number as usize).copied().filter(|value| *value != NONE)
}
