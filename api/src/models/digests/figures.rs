//! What was counted in the games of one kind, in columns: each figure for all games side by side.

use std::collections::HashMap;

use plybook_store::{Numbers, push_number, signed, unsigned};

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
    firsts: FirstActions,
    /// By heat of the kind, by game: places with their counts, packed.
    heat: Vec<Vec<Box<[u8]>>>,
    /// By game: the luck of each seat, for each luck of the kind, packed.
    luck: Vec<Box<[u8]>>,
    /// The extremes of all games, one after another.
    extremes: Vec<i16>,
    /// How many numbers each game has among them.
    extremes_len: usize,
}

/// The first actions of games. The same action leads to different positions from different setups.
#[derive(Default)]
struct FirstActions {
    /// Each with the first eight bytes of the key of the position after it.
    known: Vec<FirstAction>,
    numbers: HashMap<FirstAction, u32>,
    /// By game: an index in `known`, or [`NO_ACTION`].
    of: Vec<u32>,
}

/// An action as records write it, and the first eight bytes of the key of the position after it.
pub type FirstAction = (Box<str>, u64);

/// Marks a game without actions.
const NO_ACTION: u32 = u32::MAX;

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
        self.firsts.set(at, digest);
        if self.heat.len() < facts.heat.len() {
            self.heat.resize(facts.heat.len(), Vec::new());
        }
        for (heat, column) in self.heat.iter_mut().enumerate() {
            put(column, at, facts.heat.get(heat).map(pack_heat).unwrap_or_default(), Box::default());
        }
        put(&mut self.luck, at, pack_luck(&facts.luck), Box::default());
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
        self.takebacks(number)?;
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

    /// The first actions of all games, each once.
    pub fn first_actions(&self) -> &[FirstAction] {
        &self.firsts.known
    }

    /// The first action of a game, by its index in [`first_actions`](Self::first_actions); `None` if there is none.
    pub fn first_action(&self, number: u32) -> Option<usize> {
        let first = self.firsts.of.get(number as usize).filter(|first| **first != NO_ACTION)?;
        Some(*first as usize)
    }

    /// Places with their counts, only those above 0, for a heat of the kind; nothing if it is not known.
    pub fn heat(&self, heat: usize, number: u32) -> impl Iterator<Item = (u16, u32)> {
        let packed = self.heat.get(heat).and_then(|column| column.get(number as usize));
        unpack_heat(packed.map_or(&[], |packed| &packed[..]))
    }

    /// The luck of each seat, for each luck of the kind; nothing if it is not known.
    pub fn luck(&self, number: u32) -> impl Iterator<Item = SeatLuck> {
        unpack_luck(self.luck.get(number as usize).map_or(&[], |packed| &packed[..]))
    }
}

impl FirstActions {
    fn set(&mut self, at: usize, digest: Option<&Digest>) {
        let action = digest.and_then(|digest| Some((digest.words.first()?.clone(), *digest.keys.get(1)?)));
        let index = action.map_or(NO_ACTION, |action| {
            let Self { known, numbers, .. } = self;
            *numbers.entry(action).or_insert_with_key(|action| {
                known.push(action.clone());
                known.len() as u32 - 1
            })
        });
        put(&mut self.of, at, index, NO_ACTION);
    }
}

/// Of each place how much it is greater than the one before, and its count.
fn pack_heat(heat: &Heat) -> Box<[u8]> {
    let (mut packed, mut before) = (Vec::new(), 0);
    for (place, count) in heat {
        push_number(&mut packed, u64::from(place - before));
        push_number(&mut packed, u64::from(*count));
        before = *place;
    }
    packed.into()
}

fn unpack_heat(packed: &[u8]) -> impl Iterator<Item = (u16, u32)> {
    let (mut numbers, mut place) = (Numbers(packed), 0);
    std::iter::from_fn(move || {
        place += numbers.next()? as u16;
        Some((place, numbers.next()? as u32))
    })
}

/// Of each luck the number of seats, and of each seat the three numbers.
fn pack_luck(luck: &[SeatLuck]) -> Box<[u8]> {
    let mut packed = Vec::new();
    for seats in luck {
        push_number(&mut packed, seats.len() as u64);
        for (count, expected, actual) in seats {
            push_number(&mut packed, *count);
            push_number(&mut packed, unsigned(*expected));
            push_number(&mut packed, unsigned(*actual));
        }
    }
    packed.into()
}

fn unpack_luck(packed: &[u8]) -> impl Iterator<Item = SeatLuck> {
    let mut numbers = Numbers(packed);
    std::iter::from_fn(move || {
        let seats = numbers.next()?;
        (0..seats).map(|_| Some((numbers.next()?, signed(numbers.next()?), signed(numbers.next()?)))).collect()
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_reads_back() {
        let heat: Heat = [(0, 1), (1, 300), (700, u32::MAX), (u16::MAX, 2)].into();
        assert!(unpack_heat(&pack_heat(&heat)).eq(heat.iter().copied()));
        let luck: [SeatLuck; 3] =
            [[(3, -1_500_000, 4), (u64::MAX, i64::MIN, i64::MAX)].into(), [].into(), [(0, 0, 0)].into()];
        assert!(unpack_luck(&pack_luck(&luck)).eq(luck));
    }

    #[test]
    fn a_game_that_changes_replaces_its_figures() {
        let digest = |word: &str, key: u64, count: u32| Digest {
            keys: vec![0, key],
            words: vec![word.into()],
            facts: Facts {
                heat: [[(7, count)].into()].into(),
                luck: [[(1, 2, i64::from(count))].into()].into(),
                ..Facts::default()
            },
        };
        let mut columns = FigureColumns::default();
        columns.set(3, Some(&digest("a", 1, 5)));
        columns.set(1, Some(&digest("a", 2, 6)));
        columns.set(3, Some(&digest("a", 2, 9)));
        let first = |number: u32| columns.first_action(number).map(|first| columns.first_actions()[first].1);
        assert_eq!((first(0), first(1), first(3)), (None, Some(2), Some(2)));
        assert_eq!(columns.heat(0, 3).collect::<Vec<_>>(), [(7, 9)]);
        assert_eq!(columns.luck(3).collect::<Vec<_>>(), [SeatLuck::from([(1, 2, 9)])]);
        assert_eq!((columns.heat(0, 0).count(), columns.heat(1, 3).count(), columns.luck(9).count()), (0, 0, 0));
        columns.set(3, None);
        assert_eq!((columns.first_action(3), columns.heat(0, 3).count(), columns.takebacks(3)), (None, 0, None));
    }
}
