//! Fate's favours: those that a seat has gained, and those that it still holds.

use std::fmt;
use std::str::FromStr;

use crate::{Draw, Numbered, Set};

/// A favour, in alphabetical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Favor {
    /// An extra move, an extra switch, or both.
    Assault,
    /// Keeps a piece out of all engagements during the next turn.
    Conspire,
    /// Exchanges two enemy pieces.
    Deceive,
    /// An extra step.
    Hasten,
}

impl Favor {
    /// All favours, in alphabetical order.
    const IN_ORDER: [Self; 4] = [Self::Assault, Self::Conspire, Self::Deceive, Self::Hasten];

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Assault => "assault",
            Self::Conspire => "conspire",
            Self::Deceive => "deceive",
            Self::Hasten => "hasten",
        }
    }
}

plybook_events::as_text!(Favor);

impl fmt::Display for Favor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Favor {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let favor = Self::IN_ORDER.into_iter().find(|favor| favor.name() == name);
        favor.ok_or("the favours are hasten, assault, conspire and deceive")
    }
}

impl Numbered for Favor {
    type Bits = u8;

    const ALL: u8 = 0b1111;

    fn number(self) -> u8 {
        self as u8
    }

    fn numbered(number: u8) -> Self {
        Self::IN_ORDER[usize::from(number)]
    }
}

/// A set of favours.
pub(super) type Favors = Set<Favor>;

/// The favours of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hand {
    /// Those that it has gained in this game.
    pub(super) had: Favors,
    /// Those that it has not used yet.
    pub(super) held: Favors,
}

impl Hand {
    /// Adds a favour.
    pub(super) fn gain(&mut self, favor: Favor) {
        self.had |= favor;
        self.held |= favor;
    }
    /// A hand that looks the same to everybody else: those that were used are known, the others are drawn among all
    /// that it may have gained.
    pub(super) fn guess(self, draw: &mut Draw<'_>) -> Self {
        let used = self.had & !self.held;
        let mut open: Vec<Favor> = (!used).iter().collect();
        let mut guess = Self { had: used, held: Favors::default() };
        for _ in self.held {
            guess.gain(open.swap_remove(draw(open.len() as u32) as usize));
        }
        guess
    }
}
