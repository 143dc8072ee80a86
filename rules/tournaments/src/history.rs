//! What has happened in a tournament so far, as pairing systems and standings see it.

use serde::{Deserialize, Serialize};

use crate::Points;

/// The number of an entrant in the tournament, from 1: the starting rank, which stands for the entrant in
/// pairings and files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantNumber(pub u16);

impl EntrantNumber {
    /// The index into [`History::entrants`].
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }

    /// The number of the entrant at this index.
    pub fn from_index(index: usize) -> Self {
        Self(u16::try_from(index + 1).expect("a tournament has fewer than 65,536 entrants"))
    }
}

/// A tournament so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// How many rounds are planned, if that is fixed.
    pub rounds_planned: Option<u16>,
    /// The entrants; index 0 is number 1.
    pub entrants: Vec<Entrant>,
    /// The rounds that were paired, the first one first.
    pub rounds: Vec<Round>,
}

/// Somebody who takes part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// The name.
    pub name: String,
    /// The seed rating; `None` if there is none.
    pub rating: Option<u16>,
    /// The points of virtual acceleration in each round, index 0 is round 1; missing means none.
    pub acceleration: Vec<Points>,
    /// How many rounds had been paired when this entrant entered: 0 for those who were there at the start.
    pub entered_after: u16,
    /// How many rounds had been paired when this entrant withdrew; `None` if still in.
    pub withdrew_after: Option<u16>,
}

impl Entrant {
    /// Whether this entrant was in the tournament when it began: only they are drawn into round robins,
    /// groups and brackets.
    pub fn is_starter(&self) -> bool {
        self.entered_after == 0 && self.withdrew_after != Some(0)
    }
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// The tables, by their number.
    pub tables: Vec<Table>,
    /// Who was not paired, and gets what for it. An entrant who is at no table and not listed here was
    /// absent and gets nothing.
    pub byes: Vec<Bye>,
}

/// Who met at a table, and how it went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Who sits where; index 0 is seat 1.
    pub seats: Vec<EntrantNumber>,
    /// `None` while it is not known.
    pub result: Option<TableResult>,
}

/// How a table went: the points of each seat, index 0 is seat 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableResult {
    /// It was played.
    Played(Vec<Points>),
    /// It was decided without play.
    Forfeit(Vec<Points>),
}

/// What an entrant who was not paired gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bye {
    /// The entrant.
    pub entrant: EntrantNumber,
    /// Why there was no game.
    pub kind: ByeKind,
    /// The points for it.
    pub points: Points,
}

/// Why an entrant was not paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByeKind {
    /// Nobody was left to meet: the bye that the pairing allocates.
    Pairing,
    /// Half a point, asked for.
    Half,
    /// A full point, given by the organiser.
    Full,
    /// Nothing, announced.
    Zero,
}
