//! What a game measures of itself: numbers per game, counts per place of the board, luck per seat.
//!
//! Its positions count, action by action, into a type of the game's own ([`Position::Counts`]); the
//! lists of the game ([`crate::Game::MEASURES`], [`crate::Game::HEAT`], [`crate::Game::LUCK`]) say how
//! each figure is read off the counts and the position in which the game stands. What is secret
//! while a game runs is counted too: whoever publishes figures waits for the end of such a game.

use std::any::Any;
use std::ops::Deref;

use crate::{Game, Position};

/// What something that is measured is called, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Its name, in lowerCamelCase.
    pub name: &'static str,
    /// One sentence: what it is, in which unit, and where a game has no such number.
    pub description: &'static str,
}

/// A number that a game gives.
pub struct Measure<P: Position> {
    /// What it is.
    pub label: Label,
    /// How it is found.
    pub value: Value<P>,
}

/// How a number is found.
pub enum Value<P: Position> {
    /// Every game has it.
    Always(fn(&Standing<'_, P>) -> i64),
    /// It is the only winner's, whose index is given; a game without exactly one winner has none.
    Winner(fn(&Standing<'_, P>, usize) -> i64),
    /// Some games have it.
    Sometimes(fn(&Standing<'_, P>) -> Option<i64>),
    /// Several numbers are found alike, this one with this argument; some games have it.
    Each(fn(&Standing<'_, P>, usize) -> Option<i64>, usize),
}

/// A game as it stands or stopped.
pub struct Standing<'a, P: Position> {
    /// The position.
    pub position: &'a P,
    /// What was counted on the way to it.
    pub counts: &'a P::Counts,
    /// Who has won, by whatever decision: nobody while the game runs, and in a draw.
    pub winners: &'a [u8],
}

/// Something that is counted at the places of the board, within counts of type `C`.
pub struct Heat<C> {
    /// What it is.
    pub label: Label,
    /// The counts, in the order of [`Game::PLACES`].
    pub counts: fn(&C) -> &[u32],
}

/// Something that is up to chance, to be compared with what was to be expected, within counts of type `C`.
pub struct Chance<C> {
    /// What it is.
    pub label: Label,
    /// How widely it may fall each time.
    pub spread: Spread,
    /// What happened, by seat, seat 1 first; seats that a game does not have are left out.
    pub seats: fn(&C) -> &[Luck],
}

/// How widely something may fall that is up to chance. It is never negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The most that it can come to at once, in whole units.
    pub most: i64,
    /// Its variance at the widest, in millionths of a square unit.
    pub variance: u64,
}

/// How chance treated a seat: what its dice promised, and what they gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Luck {
    /// How often it was up to chance.
    pub count: u64,
    /// What was to be expected in all, in millionths.
    pub expected: i64,
    /// What it came to in all, in whole units.
    pub actual: i64,
}

/// Counts at the places of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marks<const PLACES: usize>([u32; PLACES]);

/// What a game of any kind has counted.
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

impl<P: Position> Measure<P> {
    /// A number that every game has.
    pub const fn always(name: &'static str, description: &'static str, value: fn(&Standing<'_, P>) -> i64) -> Self {
        Self { label: Label { name, description }, value: Value::Always(value) }
    }

    /// A number of the only winner's.
    pub const fn of_winner(
        name: &'static str,
        description: &'static str,
        value: fn(&Standing<'_, P>, usize) -> i64,
    ) -> Self {
        Self { label: Label { name, description }, value: Value::Winner(value) }
    }

    /// A number that some games have.
    pub const fn sometimes(
        name: &'static str,
        description: &'static str,
        value: fn(&Standing<'_, P>) -> Option<i64>,
    ) -> Self {
        Self { label: Label { name, description }, value: Value::Sometimes(value) }
    }
}

#[expect(clippy::expl_impl_clone_on_copy, reason = "derived, they would ask for positions that can be copied")]
impl<P: Position> Clone for Measure<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position> Copy for Measure<P> {}

#[expect(clippy::expl_impl_clone_on_copy, reason = "derived, they would ask for positions that can be copied")]
impl<P: Position> Clone for Value<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position> Copy for Value<P> {}

impl<C> Heat<C> {
    /// Something that is counted at places.
    pub const fn new(name: &'static str, description: &'static str, counts: fn(&C) -> &[u32]) -> Self {
        Self { label: Label { name, description }, counts }
    }
}

impl<P: Position> Standing<'_, P> {
    /// The index of the only winner.
    pub fn winner(&self) -> Option<usize> {
        if let [seat] = self.winners { Some(usize::from(*seat) - 1) } else { None }
    }

    fn value(&self, value: Value<P>) -> Option<i64> {
        match value {
            Value::Always(value) => Some(value(self)),
            Value::Winner(value) => self.winner().map(|winner| value(self, winner)),
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
    /// Of what happens or does not.
    pub const EITHER: Self = Self { most: 1, variance: 250_000 };
}

impl Luck {
    /// Compares once what could be expected, in millionths, with what came, in whole units.
    pub fn add(&mut self, expected: i64, actual: i64) {
        self.count += 1;
        self.expected += expected;
        self.actual += actual;
    }
}

impl<const PLACES: usize> Marks<PLACES> {
    /// Counts one more at a place, by its index.
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
    /// Nothing counted yet.
    pub(crate) fn new<P: Position>() -> Self {
        Self(Box::new(P::Counts::default()))
    }

    /// The counts of this kind of game.
    pub(crate) fn of<P: Position>(&self) -> &P::Counts {
        self.0.downcast_ref().expect("counts belong to the kind of their game")
    }

    /// The same, to be changed.
    pub(crate) fn of_mut<P: Position>(&mut self) -> &mut P::Counts {
        self.0.downcast_mut().expect("counts belong to the kind of their game")
    }
}

/// Several texts from their bytes, each as long as it is before the first zero.
pub(crate) const fn texts<const TEXTS: usize, const LENGTH: usize>(
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

/// The bytes of some texts, one behind the other, and zeros.
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
