//! What the rules refuse, and why.

use plybook_events::Actor;

/// An invalid setup; the text says what is wrong and what would be valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(pub String);

/// JSON that is not a position of the game; the text says what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// Text that is not an action of the game in any position; it says how actions are written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Syntax(pub String);

/// An action that is illegal in this position; the text says why, in words a player understands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

/// Why an action was not accepted. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The game is over; no more actions are accepted.
    #[error("the game is over")]
    Over,
    /// Another actor is to act. Wait, or act for the right seat.
    #[error("it is not the turn of {}", name(*.0))]
    NotToAct(Actor),
    /// The text is not an action of this game. Correct its spelling.
    #[error(transparent)]
    Syntax(#[from] Syntax),
    /// The action is illegal here. Choose another.
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
