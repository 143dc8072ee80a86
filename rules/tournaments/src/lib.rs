//! Tournaments: pairing systems, standings and tie-breaks, tournament files.
//!
//! As pure as the games' rules: no I/O, no clock, no randomness except what comes in as an argument, no
//! floating point. Pairing systems and standings work on a [`History`], and the same history gives the same
//! answer on every machine.

pub mod baku;
pub mod crosstable;
pub mod dutch;
mod engine;
pub mod fast;
pub mod files;
mod format;
mod history;
pub mod log;
mod pairing;
mod points;
pub mod random;
pub mod replay;
mod scoring;
mod standings;
pub mod trf;
mod zone;

pub use engine::Engine;
pub use format::{
    Bracket, Format, FormatError, FormatReason, Free, Groups, KnockOut, Level, MOST_ROUNDS, Match, PairingOptions,
    Pods, Reached, RoundRobin, Stage, Swiss, System,
};
pub use history::{Bye, ByeKind, Entrant, EntrantNumber, History, HistoryError, Round, Table, TableResult};
pub use pairing::{
    PairedBye, PairedTable, Pairing, PairingError, PreferenceStrength, Reason, SeatPreference, SeatRule,
};
pub use points::Points;
pub use scoring::{MOST_POINTS, Scoring, ScoringError};
pub use standings::{
    Against, Amount, Column, Criterion, Dummy, Figure, How, Limit, Standing, Standings, StandingsRules, Suitability,
    Term, TieBreak, TieBreakError,
};
pub use zone::is_zone;
