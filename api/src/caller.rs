//! Who calls, and what they may do.

use std::fmt;
use std::str::FromStr;

use plybook_events::LogId;
use plybook_rules::Viewer;
use plybook_rules::log::Replay;
use serde::{Deserialize, Serialize};

use crate::error::Problem;

/// What a caller may do; each may all that the ones before may, except that a player acts for its
/// own seats only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads what is public; needs no token.
    Spectator,
    /// Acts for its seats and sees their secrets.
    Player,
    /// Creates games and records for any seat.
    Recorder,
    /// Takes back, adjudicates, corrects, sees secrets.
    Arbiter,
    /// Everything.
    Admin,
}

/// A role is one of five words.
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

/// Who makes a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// What they may do.
    pub role: Role,
    /// The player they are.
    pub player: Option<LogId>,
    /// The one game they may touch.
    pub game: Option<LogId>,
    /// Their seat in that game.
    pub seat: Option<u8>,
}

impl Caller {
    /// Somebody without a token.
    pub const SPECTATOR: Self = Self { role: Role::Spectator, player: None, game: None, seat: None };

    /// Somebody who may do everything: the program itself.
    pub const ADMIN: Self = Self { role: Role::Admin, player: None, game: None, seat: None };

    /// # Errors
    /// The caller's role is below `role`.
    pub fn require(&self, role: Role) -> Result<(), Problem> {
        if self.role >= role {
            return Ok(());
        }
        match self.role {
            Role::Spectator => Err(Problem::Unauthenticated(format!("this needs the token of a {role}"))),
            _ => Err(Problem::Forbidden(format!("this needs the token of a {role}, yours is a {}'s", self.role))),
        }
    }

    /// # Errors
    /// The caller's token is for another game.
    pub fn require_game(&self, game: LogId) -> Result<(), Problem> {
        match self.game {
            Some(own) if own != game => Err(Problem::Forbidden(format!("your token is for the game {own} only"))),
            _ => Ok(()),
        }
    }

    /// # Errors
    /// The caller's token is for one game, and something else is to be written.
    pub fn require_any_game(&self) -> Result<(), Problem> {
        match self.game {
            Some(own) => Err(Problem::Forbidden(format!("your token is for the game {own} only"))),
            None => Ok(()),
        }
    }

    /// Whether the caller sits in a seat of a game.
    pub fn sits_in(&self, game: &Replay, seat: u8) -> bool {
        if self.role != Role::Player || self.game.is_some_and(|own| own != game.log()) {
            return false;
        }
        let by_seat = self.game.is_some() && self.seat == Some(seat);
        let entry = usize::from(seat).checked_sub(1).and_then(|index| game.created().seats.get(index));
        by_seat || (self.player.is_some() && entry.is_some_and(|entry| entry.player == self.player))
    }

    /// # Errors
    /// The caller may not act for the seat.
    pub fn require_seat(&self, game: &Replay, seat: u8) -> Result<(), Problem> {
        self.require(Role::Player)?;
        self.require_game(game.log())?;
        if self.role >= Role::Recorder || self.sits_in(game, seat) {
            return Ok(());
        }
        Err(Problem::Forbidden(format!("your token is not for seat {seat}")))
    }

    /// Whether the caller may look through these eyes.
    pub fn may_view(&self, game: &Replay, viewer: Viewer) -> bool {
        let sees_secrets = self.role >= Role::Arbiter && self.game.is_none_or(|own| own == game.log());
        match viewer {
            _ if game.is_open() || sees_secrets => true,
            Viewer::Public => true,
            Viewer::All => false,
            Viewer::Seat(seat) => self.sits_in(game, seat),
        }
    }

    /// Through whose eyes the caller looks at a game, unless they ask for others.
    pub fn viewer(&self, game: &Replay) -> Viewer {
        let own = (1..=game.position().seats()).find(|seat| self.sits_in(game, *seat));
        match own {
            _ if self.may_view(game, Viewer::All) => Viewer::All,
            Some(seat) => Viewer::Seat(seat),
            None => Viewer::Public,
        }
    }
}
