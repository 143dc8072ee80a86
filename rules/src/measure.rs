//! What a game measures: numbers per game, counts per place of the board, luck per seat.
//!
//! Positions count, action by action, into a type of the game's own ([`Position::Counts`]). The game's lists
//! ([`crate::Game::MEASURES`], [`crate::Game::HEAT`], [`crate::Game::LUCK`]) say how each figure is derived
//! from the counts and the current position. Secrets are counted while the game is still running, so the
//! figures of a game with secrets must not be published before it is over.

use std::any::Any;
use std::ops::Deref;

use crate::{Game, Position};

/// The name and description of a measure.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its name, in lowerCamelCase.
    pub name: &'static str,
    /// One sentence: what it measures, and its unit. If some games have no value, it says when, with the word
    /// "none", which a test looks for: `Moves of the winner; none without a winner.`
    pub description: &'static str,
}

/// A number that is measured for each game, with counts of type `C`.
pub struct Measure<P: Position, C = <P as Position>::Counts> {
    /// Its name and description.
    pub label: Label,
    /// How it is computed.
    pub value: Value<P, C>,
}

/// How a number is computed.
pub enum Value<P: Position, C = <P as Position>::Counts> {
    /// Every game has it.
    Always(fn(&Tally<'_, P>) -> i64),
    /// Every game has it, and it is counted.
    Counted(fn(&C) -> i64),
    /// It belongs to the only winner, whose index is passed; a game without exactly one winner has none.
    Winner(fn(&Tally<'_, P>, usize) -> i64),
    /// Some games have it.
    Sometimes(fn(&Tally<'_, P>) -> Option<i64>),
    /// Some games have it. Several measures share a function; this one passes this argument.
    Each(fn(&Tally<'_, P>, usize) -> Option<i64>, usize),
}

/// A game in progress, or as it ended.
pub struct Tally<'a, P: Position> {
    /// The position.
    pub position: &'a P,
    /// The counts on the way to it.
    pub counts: &'a P::Counts,
    /// The seats that have won, however it was decided; empty while the game runs, and in a draw.
    pub winners: &'a [u8],
}

/// A count per place of the board, within counts of type `C`.
pub struct Heat<C> {
    /// Its name and description.
    pub label: Label,
    /// The counts, in the order of [`Game::PLACES`].
    pub counts: fn(&C) -> &[u32],
}

/// Something that is up to chance and is compared with its expected value, within counts of type `C`.
pub struct Chance<C> {
    /// Its name and description.
    pub label: Label,
    /// How widely each occurrence may vary.
    pub spread: Spread,
    /// The luck of each seat, seat 1 first. The seats that the game does not have may be missing.
    pub seats: fn(&C) -> &[Luck],
}

/// How widely a random value may vary. The value is never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The most it can be at once, in whole units.
    pub most: i64,
    /// Its largest variance, in millionths of a square unit.
    pub variance: u64,
}

/// How chance treated a seat: what was to be expected, and what came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Luck {
    /// How often something was up to chance.
    pub count: u64,
    /// The expected total, in millionths.
    pub expected: i64,
    /// The actual total, in whole units.
    pub actual: i64,
}

/// Counts per place of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks<const PLACES: usize>([u32; PLACES]);

/// The counts of a game of any kind.
pub struct AnyCounts(Box<dyn Any + Send + Sync>);

/// The figures of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// In the order of [`crate::Rules::measures`]; `None` where one does not apply.
    pub values: Vec<Option<i64>>,
    /// In the order of [`crate::Rules::heat`]: the counts, in the order of [`crate::Rules::places`].
    pub heat: Vec<Vec<u32>>,
    /// In the order of [`crate::Rules::luck`]: by seat, seat 1 first.
    pub luck: Vec<Vec<Luck>>,
}

impl<P: Position, C> Measure<P, C> {
    /// A number that every game has.
    pub const fn always(name: &'static str, description: &'static str, value: fn(&Tally<'_, P>) -> i64) -> Self {
        Self { label: Label { name, description }, value: Value::Always(value) }
    }

    /// A number that every game has, and that is counted.
    pub const fn counted(name: &'static str, description: &'static str, value: fn(&C) -> i64) -> Self {
        Self { label: Label { name, description }, value: Value::Counted(value) }
    }

    /// A number that belongs to the only winner. Of a team that wins, it is added up.
    pub const fn of_winner(
        name: &'static str,
        description: &'static str,
        value: fn(&Tally<'_, P>, usize) -> i64,
    ) -> Self {
        Self { label: Label { name, description }, value: Value::Winner(value) }
    }

    /// A number that some games have.
    pub const fn sometimes(
        name: &'static str,
        description: &'static str,
        value: fn(&Tally<'_, P>) -> Option<i64>,
    ) -> Self {
        Self { label: Label { name, description }, value: Value::Sometimes(value) }
    }
}

// Derived, it would ask for positions that can be copied.
impl<P: Position, C> Clone for Measure<P, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position, C> Copy for Measure<P, C> {}

// Derived, it would ask for positions that can be copied.
impl<P: Position, C> Clone for Value<P, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position, C> Copy for Value<P, C> {}

impl<C> Heat<C> {
    /// Something that is counted at places.
    pub const fn new(name: &'static str, description: &'static str, counts: fn(&C) -> &[u32]) -> Self {
        Self { label: Label { name, description }, counts }
    }
}

impl<C> Chance<C> {
    /// Something that is compared with its expected value.
    pub const fn new(name: &'static str, description: &'static str, spread: Spread, seats: fn(&C) -> &[Luck]) -> Self {
        Self { label: Label { name, description }, spread, seats }
    }
}

impl<P: Position> Tally<'_, P> {
    /// The index of the only winner.
    pub fn winner(&self) -> Option<usize> {
        if let [seat] = self.winners { Some(usize::from(*seat) - 1) } else { None }
    }

    fn value(&self, value: Value<P>) -> Option<i64> {
        match value {
            Value::Always(value) => Some(value(self)),
            Value::Counted(value) => Some(value(self.counts)),
            Value::Winner(value) => {
                let is_won = self.position.teams().is_team(self.winners);
                is_won.then(|| self.winners.iter().map(|seat| value(self, usize::from(*seat) - 1)).sum())
            }
            Value::Sometimes(value) => value(self),
            Value::Each(value, which) => value(self, which),
        }
    }

    /// The figures of the game.
    pub fn figures<G: Game<Position = P>>(&self) -> Figures {
        let seats = usize::from(self.position.seats());
        Figures {
            values: G::MEASURES.iter().map(|measure| self.value(measure.value)).collect(),
            heat: G::HEAT.iter().map(|heat| (heat.counts)(self.counts).to_vec()).collect(),
            luck: G::LUCK.iter().map(|chance| (chance.seats)(self.counts)[..seats].to_vec()).collect(),
        }
    }
}

impl Spread {
    /// The spread of something that either happens or does not.
    pub const EITHER: Self = Self { most: 1, variance: 250_000 };
}

impl Luck {
    /// Adds one occurrence: its expected value in millionths, and the actual value in whole units.
    pub fn add(&mut self, expected: i64, actual: i64) {
        self.count += 1;
        self.expected += expected;
        self.actual += actual;
    }
}

impl<const PLACES: usize> Marks<PLACES> {
    /// Adds one at the place with this index.
    pub fn add(&mut self, place: impl Into<usize>) {
        self.0[place.into()] += 1;
    }
}

impl<const PLACES: usize> Default for Marks<PLACES> {
    fn default() -> Self {
        Self([0; PLACES])
    }
}

impl<const PLACES: usize> Deref for Marks<PLACES> {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl AnyCounts {
    /// Empty counts.
    pub(crate) fn new<P: Position>() -> Self {
        Self(Box::new(P::Counts::default()))
    }

    /// The counts, typed for this kind of game.
    pub(crate) fn of<P: Position>(&self) -> &P::Counts {
        self.0.downcast_ref().expect("counts belong to the kind of their game")
    }

    /// The same, mutable.
    pub(crate) fn of_mut<P: Position>(&mut self) -> &mut P::Counts {
        self.0.downcast_mut().expect("counts belong to the kind of their game")
    }
}

/// Texts from fixed-size byte arrays, each up to its first zero.
pub const fn texts<const TEXTS: usize, const LENGTH: usize>(
    bytes: &'static [[u8; LENGTH]; TEXTS],
) -> [&'static str; TEXTS] {
    let mut texts = [""; TEXTS];
    let mut text = 0;
    while text < TEXTS {
        let mut length = 0;
        while length < LENGTH && bytes[text][length] != 0 {
            length += 1;
        }
        texts[text] = match str::from_utf8(bytes[text].split_at(length).0) {
            Ok(read) => read,
            Err(_) => panic!("they are ASCII"),
        };
        text += 1;
    }
    texts
}

/// The bytes of several texts in sequence, padded with zeros.
pub(crate) const fn joined<const LENGTH: usize>(parts: &[&str]) -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let (mut part, mut length) = (0, 0);
    while part < parts.len() {
        let mut at = 0;
        while at < parts[part].len() {
            bytes[length] = parts[part].as_bytes()[at];
            (at, length) = (at + 1, length + 1);
        }
        part += 1;
    }
    bytes
}
