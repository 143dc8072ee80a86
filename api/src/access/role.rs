//! What callers may do, in five steps.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a caller may do. Each role includes those before it, except that a player acts only for its
/// own seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads what is public; needs no token.
    Spectator,
    /// Acts for its own seats and sees their secrets.
    Player,
    /// Creates games and records for any seat.
    Recorder,
    /// Takes back, adjudicates and corrects; sees secrets.
    Arbiter,
    /// May do everything.
    Admin,
}

/// A word that does not name a role for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is player, recorder, arbiter or admin")]
pub struct RoleError;

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        match text {
            "player" => Ok(Self::Player),
            "recorder" => Ok(Self::Recorder),
            "arbiter" => Ok(Self::Arbiter),
            "admin" => Ok(Self::Admin),
            _ => Err(RoleError),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spectator => "spectator",
            Self::Player => "player",
            Self::Recorder => "recorder",
            Self::Arbiter => "arbiter",
            Self::Admin => "admin",
        })
    }
}
