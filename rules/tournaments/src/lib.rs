//! Tournaments: pairing systems, standings and tie-breaks, tournament files.
//!
//! As pure as the games' rules: no I/O, no clock, no randomness that does not come in as an argument, no
//! floating point. A tournament is known by its [`History`]; whoever pairs or ranks gets one, and the same
//! history gives the same answer on every machine.

pub mod baku;
pub mod dutch;
mod history;
mod pairing;
mod points;
pub mod trf;

pub use history::{Bye, ByeKind, Entrant, EntrantNumber, History, Round, Table, TableResult};
pub use pairing::{
    PairedBye, PairedTable, Pairing, PairingError, PreferenceStrength, Reason, SeatPreference, SeatRule,
};
pub use points::Points;
