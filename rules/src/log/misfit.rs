//! Why an event cannot be applied to a folded log.

use super::commitments::Breach;
use crate::{ActionError, PositionError, SetupError};

/// The first event that cannot be applied; everything before it stands.
#[derive(Clone, Debug, thiserror::Error)]
#[error("event {seq} (ply {ply}): {why}")]
pub struct FoldError {
    /// The seq of the event.
    pub seq: u64,
    /// The plies applied before it.
    pub ply: usize,
    /// Why it cannot be applied.
    pub why: Misfit,
}

/// Why an event cannot be applied.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Misfit {
    /// A game begins with `created`, once.
    #[error("a game begins with `created`, and only there")]
    Created,
    /// No game of that kind is known here.
    #[error("no game is called {0:?}")]
    Kind(String),
    /// The rules of that version are not known here.
    #[error("{kind} has no rules {version:?}")]
    Version {
        /// The game.
        kind: String,
        /// The version asked for.
        version: String,
    },
    /// The setup is refused.
    #[error("setup: {0}")]
    Setup(#[from] SetupError),
    /// The position that is set up is refused.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// The number of seats does not fit the setup.
    #[error("the setup has {setup} seats, and {named} are named")]
    Seats {
        /// Seats of the setup.
        setup: u8,
        /// Seats in the event.
        named: usize,
    },
    /// The action is not accepted.
    #[error("{token}: {why}")]
    Action {
        /// The action.
        token: String,
        /// Why not.
        why: ActionError,
    },
    /// The event says that the rules ended the game otherwise than they do.
    #[error("the rules do not end the game like this")]
    Outcome,
    /// What is sealed is not known here.
    #[error("it is sealed, and not revealed yet")]
    Sealed,
    /// The rules do not accept what is sealed; the text does not say why, which would tell it.
    #[error("the rules do not accept what is sealed in it")]
    Secret(Box<Misfit>),
    /// It breaks what the log has committed to.
    #[error(transparent)]
    Breach(#[from] Breach),
    /// It is a line, which continues a log that was not given.
    #[error("it is a line of analysis: it continues another log, which is needed to read it")]
    Parent,
    /// It does not continue the log that it says it continues.
    #[error("the line does not fit its parent: {0}")]
    Fork(&'static str),
    /// The event cannot come now, or from there.
    #[error("`{0}` cannot come here")]
    OutOfPlace(&'static str),
}
