//! Fate's favours: what a seat has had and still holds.

use std::fmt;
use std::str::FromStr;

/// A favour, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Favor {
    /// An extra move, an extra switch, or both.
    Assault,
    /// Keeps a piece out of all engagements for the next turn.
    Conspire,
    /// Exchanges two enemy pieces.
    Deceive,
    /// An extra step.
    Hasten,
}

impl Favor {
    /// All favours, in the order of their names.
    pub(super) const ALL: [Self; 4] = [Self::Assault, Self::Conspire, Self::Deceive, Self::Hasten];

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

impl fmt::Display for Favor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Favor {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let favor = Self::ALL.into_iter().find(|favor| favor.name() == name);
        favor.ok_or("the favours are hasten, assault, conspire and deceive")
    }
}

/// A set of favours: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Favors(u8);

impl Favors {
    /// Whether one is among them.
    pub(super) const fn has(self, favor: Favor) -> bool {
        self.0 >> favor as u8 & 1 == 1
    }

    /// Adds one.
    pub(super) fn add(&mut self, favor: Favor) {
        self.0 |= 1 << favor as u8;
    }

    /// Takes one away.
    pub(super) fn take(&mut self, favor: Favor) {
        self.0 &= !(1 << favor as u8);
    }

    /// Whether there is none.
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Those that are there, in the order of their names.
    pub(super) fn iter(self) -> impl Iterator<Item = Favor> {
        Favor::ALL.into_iter().filter(move |favor| self.has(*favor))
    }

    /// Those that are not there.
    pub(super) const fn others(self) -> Self {
        Self(!self.0 & 15)
    }
}

/// The favours of one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hand {
    /// Those it has had in this game.
    pub(super) had: Favors,
    /// Those of them it has not used yet.
    pub(super) held: Favors,
}

impl Hand {
    /// Gives it a favour.
    pub(super) fn gain(&mut self, favor: Favor) {
        self.had.add(favor);
        self.held.add(favor);
    }
}
