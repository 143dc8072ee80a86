//! What the events of a tournament's log mean.
//!
//! [`Tournament`] is the one fold of them; [`Tournament::decide`] judges what somebody wants done and answers with
//! events. Both are pure: times and ids come in with the events, salts and game ids as arguments.

mod check;
mod command;
mod entering;
mod history;
mod pairing;
mod settings;
mod entrants;
mod misfit;
mod results;
mod rounds;
mod tournament;

pub use check::{Broken, Warning};
pub use command::{Command, NewEntrant, Refused};
pub use entrants::Entrant;
pub use misfit::{FoldError, Misfit};
pub use history::{Ranks, kind_of};
pub use settings::Rules;
pub use rounds::{ResultSource, Round, RoundStatus, Table, TableGame, TableResult, TableStatus};
pub use tournament::{ENTRANTS_MAX, Tournament, TournamentStatus};
