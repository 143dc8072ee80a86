//! Facts: what a game says about a position in numbers, so that positions can be searched for.
//!
//! A fact is a number of the whole game, of a seat or of a place of the board; what stands at a place can also be
//! one of a few words. Facts tell everything that a position holds, and must not be published while anything in it is
//! hidden.

use crate::{Label, Position};

/// A fact about positions.
pub struct Fact<P: Position> {
    /// Its name and description.
    pub label: Label,
    /// How it is read off.
    pub reading: Reading<P>,
}

/// How a fact is read off a position. Seats and places are passed as indices from 0; there are never more seats than
/// the game has.
pub enum Reading<P: Position> {
    /// A number.
    Game(fn(&P) -> i64),
    /// A number of each seat.
    Seat(fn(&P, usize) -> i64),
    /// A number of each seat; sometimes it has none.
    SeatSometimes(fn(&P, usize) -> Option<i64>),
    /// A number of each seat that was counted on the way to the position.
    Counted(fn(&P::Counts, usize) -> i64),
    /// A number of each place in [`crate::Game::PLACES`].
    Place(fn(&P, usize) -> i64),
    /// What is at each place: the index of one of these words. The first word is `none`.
    Word(fn(&P, usize) -> usize, &'static [&'static str]),
}

/// What a fact is asked for with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// Nothing: `ply`.
    Nothing,
    /// A seat: `toAct(1)`.
    Seat,
    /// A place: `owner(d4)`.
    Place,
}

/// A fact, as those who search see it.
#[derive(Clone, Copy, Debug)]
pub struct FactLabel {
    /// Its name and description.
    pub label: Label,
    /// What it is asked for with.
    pub argument: Argument,
    /// The words that it takes, the first of them `none`; empty for a number.
    pub words: &'static [&'static str],
}

/// The facts that all games have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Common {
    /// The ply.
    Ply,
    /// The number of legal actions.
    Mobility,
    /// Whether a seat is to act.
    ToAct,
    /// Whether the game is over.
    Over,
    /// The chance of a seat to win.
    Chance,
}

/// The chance of a seat, from 0, to win at a ply, in per cent; `None` where it is not known.
pub type StatedChances<'a> = &'a dyn Fn(u32, usize) -> Option<i64>;

impl Common {
    /// All of them, in the order of [`common_facts`].
    pub const ALL: [Self; 5] = [Self::Ply, Self::Mobility, Self::ToAct, Self::Over, Self::Chance];

    /// What it is asked for with.
    pub const fn argument(self) -> Argument {
        self.label().argument
    }

    const fn label(self) -> FactLabel {
        let (name, argument, description) = match self {
            Self::Ply => ("ply", Argument::Nothing, "Actions that led to the position; 0 at the start."),
            Self::Mobility => {
                ("mobility", Argument::Nothing, "Legal actions of all who are to act, as far as they can be listed.")
            }
            Self::ToAct => ("toAct", Argument::Seat, "1 if the seat is to act, else 0."),
            Self::Over => ("over", Argument::Nothing, "1 if the rules have ended the game, else 0."),
            Self::Chance => (
                "chance",
                Argument::Seat,
                "The seat's chance to win in per cent, as the service analysed the game; none where it did not.",
            ),
        };
        FactLabel { label: Label { name, description }, argument, words: &[] }
    }
}

impl FactLabel {
    /// How it is asked for: `ply`, `toAct(seat)`, `owner(place)`.
    pub fn form(&self) -> String {
        let name = self.label.name;
        match self.argument {
            Argument::Nothing => name.to_owned(),
            Argument::Seat => format!("{name}(seat)"),
            Argument::Place => format!("{name}(place)"),
        }
    }

    /// Its description, with the words that it takes.
    pub fn description(&self) -> String {
        let description = self.label.description;
        if self.words.is_empty() {
            return description.to_owned();
        }
        format!("{description} One of {}.", self.words.join(", "))
    }
}

/// The facts that all games have.
pub fn common_facts() -> Vec<FactLabel> {
    Common::ALL.into_iter().map(Common::label).collect()
}

impl<P: Position> Fact<P> {
    /// A number of the whole game.
    pub const fn game(name: &'static str, description: &'static str, value: fn(&P) -> i64) -> Self {
        Self { label: Label { name, description }, reading: Reading::Game(value) }
    }

    /// A number of each seat.
    pub const fn seat(name: &'static str, description: &'static str, value: fn(&P, usize) -> i64) -> Self {
        Self { label: Label { name, description }, reading: Reading::Seat(value) }
    }

    /// A number that a seat has only sometimes.
    pub const fn seat_sometimes(
        name: &'static str,
        description: &'static str,
        value: fn(&P, usize) -> Option<i64>,
    ) -> Self {
        Self { label: Label { name, description }, reading: Reading::SeatSometimes(value) }
    }

    /// A number of each seat, counted since the start.
    pub const fn counted(name: &'static str, description: &'static str, value: fn(&P::Counts, usize) -> i64) -> Self {
        Self { label: Label { name, description }, reading: Reading::Counted(value) }
    }

    /// A number of each place.
    pub const fn place(name: &'static str, description: &'static str, value: fn(&P, usize) -> i64) -> Self {
        Self { label: Label { name, description }, reading: Reading::Place(value) }
    }

    /// One of some words for each place.
    pub const fn word(
        name: &'static str,
        description: &'static str,
        words: &'static [&'static str],
        value: fn(&P, usize) -> usize,
    ) -> Self {
        Self { label: Label { name, description }, reading: Reading::Word(value, words) }
    }

    /// What it is asked for with.
    pub(crate) const fn argument(&self) -> Argument {
        match self.reading {
            Reading::Game(_) => Argument::Nothing,
            Reading::Seat(_) | Reading::SeatSometimes(_) | Reading::Counted(_) => Argument::Seat,
            Reading::Place(_) | Reading::Word(..) => Argument::Place,
        }
    }

    /// The fact as those who search see it.
    pub(crate) fn told(&self) -> FactLabel {
        let words = if let Reading::Word(_, words) = self.reading { words } else { &[] };
        FactLabel { label: self.label, argument: self.argument(), words }
    }
}
