//! What rules refuse, and why.

use plybook_events::Actor;

/// A setup that cannot be played; the text says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// JSON that is no position of the game; the text says what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// A token that is no action of the game, whatever the position; the text says how one is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Syntax(pub String);

/// An action that the rules forbid here; the text says why, in words a player understands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// Why an action was not accepted; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The game is over: nothing can be played any more.
    #[error("the game is over")]
    Over,
    /// Another is to act; wait, or act for the right seat.
    #[error("it is not the turn of {}", name(*.0))]
    NotToAct(Actor),
    /// The token is no action of this game; correct its spelling.
    #[error(transparent)]
    Syntax(#[from] Syntax),
    /// The rules forbid it here; choose another action.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

fn name(actor: Actor) -> String {
    match actor {
        Actor::Seat(seat) => format!("seat {seat}"),
        Actor::Chance => "chance".to_owned(),
    }
}

macro_rules! from_text {
    ($($error:ident),*) => {$(
        impl From<&str> for $error {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $error {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    )*};
}

from_text!(SetupError, PositionError, Syntax, Illegal);
