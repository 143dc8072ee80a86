//! What the events of a tournament's log mean.
//!
//! [`Tournament`] is the one fold of them; [`Tournament::decide`] judges what somebody wants done and answers with
//! events. Both are pure: times and ids come in with the events, salts and game ids as arguments.

mod decide;
mod entrants;
mod misfit;
mod results;
mod rounds;
mod tournament;

pub use decide::{Command, Refused};
pub use entrants::Entrant;
pub use misfit::{FoldError, Misfit};
pub use rounds::{Round, RoundStatus, Table, TableGame, TableResult, TableStatus};
pub use tournament::{ENTRANTS_MAX, ROUNDS_MAX, Tournament, TournamentStatus};
