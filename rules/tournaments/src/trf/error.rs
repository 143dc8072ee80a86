//! What is wrong with a tournament report file.

use thiserror::Error;

use crate::{EntrantNumber, Points};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct TrfError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub problem: TrfProblem,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrfProblem {
    /// The file is too long.
    #[error("the file has more than {} MiB", super::BYTES_MAX >> 20)]
    TooLong,
    /// A line ends before its mandatory fields.
    #[error("the line ends too early: {tag} has at least {least} columns")]
    Short {
        /// The tag of the line.
        tag: String,
        /// The number of columns that it must have.
        least: usize,
    },
    /// A field has an invalid value.
    #[error("'{found}' is not {expected}")]
    Field {
        /// The value.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// Two entrants have the same number.
    #[error("number {} is given twice", .0.0)]
    Twice(EntrantNumber),
    /// Nobody has this number.
    #[error("there is no 001 line for number {}: numbers go from 1 without a gap", .0.0)]
    Gap(EntrantNumber),
    /// Somebody is named who is not in the file.
    #[error("there is no 001 line for number {}", .0.0)]
    Unknown(EntrantNumber),
    /// Two entries about one game contradict each other.
    #[error(
        "round {round}: the entries of {} and {} contradict each other: each names the other, with the other \
         seat, and both or neither were played", .one.0, .other.0
    )]
    Contradiction {
        /// The round, from 1.
        round: usize,
        /// The entrant whose entry it is.
        one: EntrantNumber,
        /// The opponent that the entry names.
        other: EntrantNumber,
    },
    /// The points do not match the results.
    #[error("the points are {stated}, but the results give {computed}; if results count otherwise, 162 must say so")]
    Sum {
        /// The points in record 001.
        stated: Points,
        /// The points of the results.
        computed: Points,
    },
    /// The record changes the meaning of the file, and is not supported.
    #[error("{tag} records are not supported: {what}")]
    Unsupported {
        /// The tag.
        tag: String,
        /// What such records are about.
        what: &'static str,
    },
    /// More rounds are paired than planned.
    #[error("{paired} rounds are paired, but only {planned} are planned")]
    Rounds {
        /// The number of paired rounds.
        paired: usize,
        /// The number of planned rounds.
        planned: u16,
    },
    /// A round is named that is not planned.
    #[error("there is no round {round}: {planned} are planned")]
    NoRound {
        /// The round.
        round: u16,
        /// The number of planned rounds.
        planned: u16,
    },
    /// A round has byes that a pairing allocated, no game, and entrants of whom nothing is said.
    #[error(
        "round {round} has the bye of a pairing (U) and no game, and nothing for others: give the whole round, or ask for \
         F, H or Z instead"
    )]
    HalfPaired {
        /// The round, from 1.
        round: usize,
    },
    /// The file format has no place for it.
    #[error("the format has no place for {0}")]
    NoPlace(String),
}
