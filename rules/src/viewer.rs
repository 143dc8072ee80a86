//! Who looks at a position.

use std::fmt;
use std::str::FromStr;

use plybook_events::{Actor, SEATS_MAX};

/// Who looks at a position. In games without secrets, all viewers see the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// A viewer who knows everything: the arbiter, or anybody once the game is over.
    All,
    /// A viewer without a seat.
    Public,
    /// The holder of this seat.
    Seat(u8),
}

/// A viewer is written `all`, `public` or the number of a seat.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a viewer: `all`, `public` or a seat's number")]
pub struct ViewerError(String);

impl Viewer {
    /// Whether the viewer may see what concerns this actor alone.
    pub fn knows(self, actor: Actor) -> bool {
        match self {
            Self::All => true,
            Self::Public => false,
            Self::Seat(seat) => actor == Actor::Seat(seat),
        }
    }
}

impl fmt::Display for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Public => f.write_str("public"),
            Self::Seat(seat) => seat.fmt(f),
        }
    }
}

impl FromStr for Viewer {
    type Err = ViewerError;

    fn from_str(text: &str) -> Result<Self, ViewerError> {
        match text {
            "all" => Ok(Self::All),
            "public" => Ok(Self::Public),
            _ => match text.strip_prefix("seat:").unwrap_or(text).parse() {
                Ok(seat) if (1..=SEATS_MAX).contains(&seat) => Ok(Self::Seat(seat)),
                _ => Err(ViewerError(text.chars().take(40).collect())),
            },
        }
    }
}
