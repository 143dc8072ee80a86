//! The history of a tournament, as pairing systems and standings see it.

use serde::{Deserialize, Serialize};

use crate::Points;

/// The number of an entrant in the tournament, from 1: the starting rank, which identifies the entrant in
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
    /// The number of planned rounds, if it is fixed.
    pub rounds_planned: Option<u16>,
    /// The entrants; index 0 is number 1.
    pub entrants: Vec<Entrant>,
    /// The rounds that were paired, in order.
    pub rounds: Vec<Round>,
}

/// Why a history cannot be ranked or paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// Somebody is named who is not in the tournament.
    #[error("round {round}: there is no entrant {entrant}")]
    Unknown {
        /// The round, from 1.
        round: usize,
        /// The number that was named.
        entrant: u16,
    },
    /// Somebody is at two tables, or at a table and has a bye.
    #[error("round {round}: entrant {entrant} is there twice")]
    Twice {
        /// The round, from 1.
        round: usize,
        /// The entrant.
        entrant: u16,
    },
    /// Nobody sits at a table, or its result does not give points to exactly its seats.
    #[error("round {round}, table {table}: {seats} seats and points for {points}")]
    Result {
        /// The round, from 1.
        round: usize,
        /// The table, from 1.
        table: usize,
        /// The number of seats.
        seats: usize,
        /// The number of seats that get points.
        points: usize,
    },
    /// More points than a table or a bye may give.
    #[error(
        "round {round}: entrant {entrant} gets {points} points, more than the {} that a round may give",
        crate::MOST_POINTS
    )]
    Points {
        /// The round, from 1.
        round: usize,
        /// The entrant.
        entrant: u16,
        /// The points.
        points: Points,
    },
}

impl History {
    /// Checks that everybody who is named is in the tournament, that nobody appears twice in a round, and
    /// that results give points to exactly the seats of their tables.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), HistoryError> {
        let mut last_seen = vec![0; self.entrants.len()];
        for (index, round) in self.rounds.iter().enumerate() {
            let number = index + 1;
            for (table_index, table) in round.tables.iter().enumerate() {
                let seats = table.seats.len();
                let points = table.result.as_ref().map(TableResult::points);
                if seats == 0 || points.is_some_and(|points| points.len() != seats) {
                    let points = points.map_or(0, <[Points]>::len);
                    return Err(HistoryError::Result { round: number, table: table_index + 1, seats, points });
                }
            }
            for (entrant, points) in round.everybody() {
                match last_seen.get_mut(usize::from(entrant.0).wrapping_sub(1)) {
                    None => return Err(HistoryError::Unknown { round: number, entrant: entrant.0 }),
                    Some(seen) if *seen == number => {
                        return Err(HistoryError::Twice { round: number, entrant: entrant.0 });
                    }
                    Some(seen) => *seen = number,
                }
                if points > crate::MOST_POINTS {
                    return Err(HistoryError::Points { round: number, entrant: entrant.0, points });
                }
            }
        }
        Ok(())
    }

    /// How many games an entrant played in the first `rounds` rounds; forfeits do not count as played.
    pub fn played(&self, entrant: EntrantNumber, rounds: usize) -> usize {
        let tables = self.rounds.iter().take(rounds).flat_map(|round| &round.tables);
        let played = tables.filter(|table| matches!(table.result, Some(TableResult::Played(_))));
        played.filter(|table| table.seats.contains(&entrant)).count()
    }

    /// The seats, from 1, that an entrant had in games that were or are being played, in order.
    pub fn seats_had(&self, entrant: EntrantNumber) -> Vec<u8> {
        let tables = self.rounds.iter().flat_map(|round| &round.tables);
        let played = tables.filter(|table| !matches!(table.result, Some(TableResult::Forfeit(_))));
        let seats = played.filter_map(|table| table.seats.iter().position(|seated| *seated == entrant));
        seats.map(|seat| seat as u8 + 1).collect()
    }

    /// The entrants who were there when the tournament began, in the order of their numbers.
    pub fn starters(&self) -> impl Iterator<Item = EntrantNumber> {
        let starters = self.entrants.iter().enumerate().filter(|(_, entrant)| entrant.is_starter());
        starters.map(|(index, _)| EntrantNumber::from_index(index))
    }
}

impl Round {
    /// Everybody who is at a table or has a bye, with the points for it; `None` while they are not known.
    pub fn everybody(&self) -> impl Iterator<Item = (EntrantNumber, Points)> {
        let at_tables = self.tables.iter().flat_map(|table| {
            let points = table.result.as_ref().map(TableResult::points);
            let points = move |seat: usize| points.map_or(Points::ZERO, |points| points[seat]);
            table.seats.iter().enumerate().map(move |(seat, entrant)| (*entrant, points(seat)))
        });
        at_tables.chain(self.byes.iter().map(|bye| (bye.entrant, bye.points)))
    }
}

/// Somebody who takes part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// The name.
    pub name: String,
    /// The seed rating; `None` if there is none.
    pub rating: Option<u16>,
    /// The virtual points of acceleration in each round, index 0 is round 1; none for missing rounds.
    pub acceleration: Vec<Points>,
    /// How many rounds had been paired when this entrant entered: 0 for those who were there at the start.
    pub entered_after: u16,
    /// How many rounds had been paired when this entrant withdrew; `None` if the entrant has not withdrawn.
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
    /// Those who were not paired, and what they get. An entrant who is at no table and not listed here was
    /// absent and gets nothing.
    pub byes: Vec<Bye>,
}

/// Who met at a table, and the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Who sits where; index 0 is seat 1.
    pub seats: Vec<EntrantNumber>,
    /// `None` while it is not known.
    pub result: Option<TableResult>,
}

/// The result of a table: the points of each seat, index 0 is seat 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableResult {
    /// It was played.
    Played(Vec<Points>),
    /// It was decided without play.
    Forfeit(Vec<Points>),
}

impl TableResult {
    /// The points of each seat, index 0 is seat 1.
    pub fn points(&self) -> &[Points] {
        let (Self::Played(points) | Self::Forfeit(points)) = self;
        points
    }
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
    /// Nobody was left to play: the bye that the pairing allocates.
    Pairing,
    /// A half-point bye that was asked for.
    Half,
    /// A full-point bye given by the organiser.
    Full,
    /// A zero-point bye for an announced absence.
    Zero,
}
