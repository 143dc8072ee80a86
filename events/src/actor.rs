//! Who acts: a seat, chance, the arbiter, or the service.

use std::fmt;
use std::str::FromStr;

/// The most seats a game can have.
pub const SEATS_MAX: u8 = 13;

/// Who may act in a position: chance, or a seat numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Actor {
    /// A place at the board, `1..=SEATS_MAX`.
    Seat(u8),
    /// Dice and draws.
    Chance,
}

/// Who an event is by: `seat:N`, `chance`, `arbiter` or `service`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// The seat that acted, no matter who entered the action.
    Seat(u8),
    /// Dice and draws.
    Chance,
    /// The person who rules on the game.
    Arbiter,
    /// The service itself.
    Service,
}

crate::as_text!(By);

/// The text does not name an author of events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an actor: `seat:1` to `seat:13`, `chance`, `arbiter` or `service`")]
pub struct ActorError(String);

impl From<Actor> for By {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Seat(seat) => Self::Seat(seat),
            Actor::Chance => Self::Chance,
        }
    }
}

impl By {
    /// The actor, if it is one that games know.
    pub fn actor(self) -> Option<Actor> {
        match self {
            Self::Seat(seat) => Some(Actor::Seat(seat)),
            Self::Chance => Some(Actor::Chance),
            Self::Arbiter | Self::Service => None,
        }
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        By::from(*self).fmt(f)
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seat(seat) => write!(f, "seat:{seat}"),
            Self::Chance => f.write_str("chance"),
            Self::Arbiter => f.write_str("arbiter"),
            Self::Service => f.write_str("service"),
        }
    }
}

impl FromStr for By {
    type Err = ActorError;

    fn from_str(text: &str) -> Result<Self, ActorError> {
        let wrong = || ActorError(text.chars().take(40).collect());
        match text {
            "chance" => Ok(Self::Chance),
            "arbiter" => Ok(Self::Arbiter),
            "service" => Ok(Self::Service),
            _ => {
                let digits = text.strip_prefix("seat:").ok_or_else(wrong)?;
                let seat: u8 = digits.parse().map_err(|_| wrong())?;
                let canonical = !digits.starts_with(['0', '+']);
                if canonical && seat <= SEATS_MAX { Ok(Self::Seat(seat)) } else { Err(wrong()) }
            }
        }
    }
}
