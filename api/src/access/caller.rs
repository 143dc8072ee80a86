//! Who makes a request, and what its token allows.

use plybook_events::LogId;
use plybook_rules::Viewer;
use plybook_rules::log::Replay;

use super::role::Role;
use crate::error::Problem;

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
    /// The caller's token is for one game, and what is to be written belongs to none.
    pub fn require_any_game(&self) -> Result<(), Problem> {
        match self.game {
            Some(own) => Err(Problem::Forbidden(format!("your token is for the game {own} only"))),
            None => Ok(()),
        }
    }

    /// Whether a seat of a game is the caller's own.
    pub fn sits_in(&self, game: &Replay, seat: u8) -> bool {
        if self.role != Role::Player || self.game.is_some_and(|own| own != game.log()) {
            return false;
        }
        let by_seat = self.game.is_some() && self.seat == Some(seat);
        let entry = usize::from(seat).checked_sub(1).and_then(|index| game.created().seats.get(index));
        by_seat || (self.player.is_some() && entry.is_some_and(|entry| entry.player == self.player))
    }

    /// The first seat of a game in which the caller sits.
    pub fn seat_in(&self, game: &Replay) -> Option<u8> {
        (1..=game.position().seats()).find(|seat| self.sits_in(game, *seat))
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

    /// Whether the caller may see what a viewer sees.
    pub fn may_view(&self, game: &Replay, viewer: Viewer) -> bool {
        let sees_secrets = self.role >= Role::Arbiter && self.game.is_none_or(|own| own == game.log());
        match viewer {
            _ if game.is_open() || sees_secrets => true,
            Viewer::Public => true,
            Viewer::All => false,
            Viewer::Seat(seat) => self.sits_in(game, seat),
        }
    }

    /// The viewer whose view the caller gets by default.
    pub fn viewer(&self, game: &Replay) -> Viewer {
        if self.may_view(game, Viewer::All) {
            return Viewer::All;
        }
        self.seat_in(game).map_or(Viewer::Public, Viewer::Seat)
    }
}
