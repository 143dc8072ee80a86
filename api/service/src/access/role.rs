//! Roles: what callers may do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a caller may do. Each role includes those before it, except that a player acts only for its own
/// seats, a table only in the game played there, and an organiser only in its tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads what is public; needs no token.
    Spectator,
    /// Acts for its own seats and sees their secrets.
    Player,
    /// Records for any seat at one table, while its round is open.
    Table,
    /// Creates games and records for any seat.
    Recorder,
    /// Runs one tournament, where it may do what an arbiter may.
    Organiser,
    /// Takes back, adjudicates and corrects; sees secrets.
    Arbiter,
    /// May do everything.
    Admin,
}

/// The word does not name a role that a token can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a role is player, table, recorder, organiser, arbiter or admin")]
pub struct RoleError;

impl Role {
    /// The role with its article: `an arbiter`.
    pub(super) fn with_article(self) -> String {
        let article = if matches!(self, Self::Organiser | Self::Arbiter | Self::Admin) { "an" } else { "a" };
        format!("{article} {self}")
    }

    /// The role that this one amounts to where its token is valid: a table is a recorder, an organiser an
    /// arbiter.
    pub(super) fn within(self) -> Self {
        match self {
            Self::Table => Self::Recorder,
            Self::Organiser => Self::Arbiter,
            role => role,
        }
    }
}

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        match text {
            "player" => Ok(Self::Player),
            "table" => Ok(Self::Table),
            "recorder" => Ok(Self::Recorder),
            "organiser" => Ok(Self::Organiser),
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
            Self::Table => "table",
            Self::Recorder => "recorder",
            Self::Organiser => "organiser",
            Self::Arbiter => "arbiter",
            Self::Admin => "admin",
        })
    }
}
