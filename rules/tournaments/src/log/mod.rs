//! What the events of a tournament's log mean.
//!
//! [`Tournament`] is the one fold of them; [`Tournament::decide`] judges what somebody wants done and answers with
//! events. Both are pure: times and ids come in with the events, salts and game ids as arguments.

mod check;
mod command;
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

pub use check::{Broken, Warning};
pub use command::{Command, NewEntrant, Refused};
pub use entrants::Entrant;
pub use history::{Ranks, kind_of};
pub use input::PairingInput;
pub use misfit::{FoldError, Misfit};
pub use rounds::{ResultSource, Round, RoundStatus, Table, TableGame, TableResult, TableStatus};
pub use settings::Rules;
pub use tournament::{ENTRANTS_MAX, Tournament, TournamentStatus};
