//! Why an event does not fit a folded log.

use super::commitments::Breach;
use crate::{ActionError, PositionError, SetupError};

/// The first event that does not fit. Everything before it was applied.
#[derive(Clone, Debug, thiserror::Error)]
#[error("event {seq} (ply {ply}): {why}")]
pub struct FoldError {
    /// The seq of the event.
    pub seq: u64,
    /// The number of plies applied before it.
    pub ply: usize,
    /// Why it does not fit.
    pub why: Misfit,
}

/// Why an event does not fit.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Misfit {
    /// A game must start with `created`, and must not contain it again.
    #[error("a game begins with `created`, and only there")]
    Created,
    /// There is no such kind of game.
    #[error("no game is called {0:?}")]
    Kind(String),
    /// There are no rules of this version.
    #[error("{kind} has no rules {version:?}")]
    Version {
        /// The kind of game.
        kind: String,
        /// The version in the event.
        version: String,
    },
    /// The setup is invalid.
    #[error("setup: {0}")]
    Setup(#[from] SetupError),
    /// The position to start from is invalid.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// The number of seats does not match the setup.
    #[error("the setup has {setup} seats, and {named} are named")]
    Seats {
        /// Seats in the setup.
        setup: u8,
        /// Seats in the event.
        named: usize,
    },
    /// The action is not accepted.
    #[error("{action}: {why}")]
    Action {
        /// The action.
        action: String,
        /// The reason.
        why: ActionError,
    },
    /// The event claims an end by the rules that the rules do not confirm.
    #[error("the rules do not end the game like this")]
    Outcome,
    /// The content of a sealed event is unknown here.
    #[error("it is sealed, and not revealed yet")]
    Sealed,
    /// The rules refuse a sealed action. The text gives no reason, as that would reveal the action.
    #[error("the rules do not accept what is sealed in it")]
    Secret(Box<Misfit>),
    /// The event violates the log's commitments.
    #[error(transparent)]
    Breach(#[from] Breach),
    /// The log is a line, but its parent was not given.
    #[error("it is a line of analysis: it continues another log, which is needed to read it")]
    Parent,
    /// The line does not continue the log that it claims to continue.
    #[error("the line does not fit its parent: {0}")]
    Fork(&'static str),
    /// The event may not occur here, or not from this author.
    #[error("`{0}` cannot come here")]
    OutOfPlace(&'static str),
}
