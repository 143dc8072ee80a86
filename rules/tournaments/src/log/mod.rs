//! The meaning of a tournament's log.
//!
//! [`Tournament`] is the one fold of its events; [`Tournament::decide`] judges commands and returns events.
//! Both are pure: times and ids come in with the events, salts and game ids as arguments.

mod card;
mod check;
mod command;
mod draft;
mod engine;
mod entering;
mod entrants;
mod history;
mod input;
mod misfit;
mod pairing;
mod results;
mod rounds;
mod settings;
mod tournament;
mod verify;

pub use card::{Cell, End};
pub use check::{Broken, Warning};
pub use command::{Command, CommandError, ENTERED_MAX, NewEntrant, RATING_MAX, REASON_CHARS_MAX};
pub use draft::{Draft, DraftError};
pub use engine::{SystemPairing, engine_of};
pub use entrants::Entrant;
pub use history::{Ranks, kind_of};
pub use input::PairingInput;
pub use misfit::{FoldError, Misfit};
pub use results::ranking_of;
pub use rounds::{Correction, ResultSource, Round, RoundStatus, Table, TableGame, TableResult, TableStatus};
pub use settings::{LINE_CHARS_MAX, LIST_MAX, NAME_CHARS_MAX, Rules, TIE_BREAKS_MAX};
pub use tournament::{ENTRANTS_MAX, Tournament, TournamentStatus};
pub use verify::{Verification, verify, verify_while};
