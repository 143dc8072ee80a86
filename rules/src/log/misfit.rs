//! Why an event does not fit a folded log.

use super::fault::FaultKind;
use super::order::Disorder;
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
    /// The outcome divides these partners.
    #[error("the outcome: the seats {0:?} are partners, who win, lose and share a place together")]
    Divided(Vec<u8>),
    /// The content of a sealed event is unknown here.
    #[error("it is sealed, and not revealed yet")]
    Sealed,
    /// The rules refuse a sealed action. The text gives no reason, as that would reveal the action.
    #[error("the rules do not accept what is sealed in it")]
    Secret(Box<Misfit>),
    /// The event cannot come here, whatever the rules are.
    #[error(transparent)]
    Order(#[from] Disorder),
    /// The rules end the game before this event, which does not say so.
    #[error("the rules have ended the game: `ended` comes here")]
    Over,
    /// The action is a secret of its seat, and the game is not recorded openly.
    #[error("it is a secret of its seat, and must be sealed")]
    Unsealed,
    /// Everybody may see the action, so that there is nothing to seal.
    #[error("it seals what everybody may see")]
    Needless,
    /// Nobody signed it, and it is not what follows where nobody acts.
    #[error("nobody signed it, and it is not what the rules submit for a seat that does not act")]
    Unsigned,
    /// What is public of the setup is not what the rules make public.
    #[error("the setup shows more or less than its public part")]
    PublicSetup,
    /// The log commits to something that there is none of in this kind of game.
    #[error("there are no {0} in this kind of game")]
    Without(&'static str),
    /// It claims that something was drawn which is no such member of a setup.
    #[error("`drawn` names members of the setup that can be drawn, ascending")]
    Drawn,
    /// The service set a deadline that is not the one of the setup.
    #[error("the deadline is not the one that the setup gives")]
    Deadline,
    /// The log is a line, but its parent was not given.
    #[error("it is a line of analysis: it continues another log, which is needed to read it")]
    Parent,
    /// The line does not continue the log that it claims to continue.
    #[error("the line does not fit its parent: {0}")]
    Fork(&'static str),
    /// The rules do not let the event come here.
    #[error("`{0}` cannot come here")]
    OutOfPlace(&'static str),
}

impl FoldError {
    /// The sort of fault that it is.
    pub(super) fn kind(&self) -> FaultKind {
        match &self.why {
            Misfit::Created => FaultKind::Order,
            Misfit::Order(why) => why.kind(),
            Misfit::Parent | Misfit::Fork(_) => FaultKind::Line,
            _ => FaultKind::Rules,
        }
    }
}
