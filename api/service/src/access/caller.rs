//! Callers: who makes a request, and what their token allows.

use plybook_events::{Hash, LogId, Who};
use plybook_rules::Viewer;
use plybook_rules::log::Replay;
use serde::{Deserialize, Serialize};

use super::role::Role;
use crate::error::Problem;

/// Who makes a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// What they may do.
    pub role: Role,
    /// The player that they are.
    pub player: Option<LogId>,
    /// The one game that they may use.
    pub game: Option<LogId>,
    /// Their seat in that game.
    pub seat: Option<u8>,
    /// For an organiser or a table, the one tournament whose games they may use.
    pub tournament: Option<LogId>,
    /// The one table of that tournament.
    pub table: Option<TableNumber>,
    /// The hash of their token: whose keys of requests they are.
    pub token: Option<Hash>,
    /// Who they are in the logs of what they cause.
    pub who: Option<Who>,
}

/// A table of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableNumber {
    /// The round, from 1.
    pub round: u32,
    /// The table in that round, from 1.
    pub table: u32,
}

/// What a limited token can be valid for: a game, and the place where it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePlace {
    /// The game; for a line, the one that it belongs to.
    pub game: LogId,
    /// The tournament.
    pub tournament: Option<LogId>,
    /// The table.
    pub table: Option<TableNumber>,
}

impl Caller {
    /// A caller without a token.
    pub const SPECTATOR: Self = Self {
        role: Role::Spectator,
        player: None,
        game: None,
        seat: None,
        tournament: None,
        table: None,
        token: None,
        who: None,
    };

    /// A caller who may do everything: the program itself.
    pub const ADMIN: Self = Self { role: Role::Admin, ..Self::SPECTATOR };

    /// The id of the caller's token.
    pub(super) fn token_id(&self) -> Option<String> {
        match self.who? {
            Who::Token { id, .. } => Some(format!("{id:08x}")),
            Who::Operator => None,
        }
    }

    /// # Errors
    /// The caller's role is below `role`.
    pub fn require(&self, role: Role) -> Result<(), Problem> {
        if self.may(role) {
            return Ok(());
        }
        match self.role {
            Role::Spectator => {
                Err(Problem::Unauthenticated(format!("this needs the token of {}", role.with_article())))
            }
            own => {
                let (role, own) = (role.with_article(), own.with_article());
                Err(Problem::Forbidden(format!("this needs the token of {role}, yours is {own}'s")))
            }
        }
    }

    /// Whether the caller's role, where its token is valid, includes this one.
    pub(super) fn may(&self, role: Role) -> bool {
        self.role.within() >= role
    }

    /// # Errors
    /// The caller's token is for another game, tournament or table.
    pub(super) fn require_game(&self, place: &GamePlace) -> Result<(), Problem> {
        if self.covers(place) { Ok(()) } else { Err(self.confined()) }
    }

    /// # Errors
    /// The caller's token is for one game, tournament or table, and what is to be written belongs to none.
    pub fn require_any_game(&self) -> Result<(), Problem> {
        if self.game.is_none() && self.tournament.is_none() { Ok(()) } else { Err(self.confined()) }
    }

    fn covers(&self, place: &GamePlace) -> bool {
        self.game.is_none_or(|own| own == place.game)
            && self.tournament.is_none_or(|own| Some(own) == place.tournament)
            && self.table.is_none_or(|own| Some(own) == place.table)
    }

    /// Whether the token is valid for a recorded game.
    fn covers_game(&self, game: &Replay) -> bool {
        let created = game.created();
        let table = created.round.zip(created.table).map(|(round, table)| TableNumber { round, table });
        self.covers(&GamePlace { game: game.log(), tournament: created.tournament, table })
    }

    /// The refusal that names what the token is valid for.
    pub(super) fn confined(&self) -> Problem {
        let what = match (self.game, self.tournament, self.table) {
            (Some(game), ..) => format!("the game {game}"),
            (None, Some(_), Some(TableNumber { round, table })) => format!("table {table} of round {round}"),
            (None, Some(tournament), None) => format!("the tournament {tournament}"),
            (None, None, _) => "everything".to_owned(),
        };
        Problem::Forbidden(format!("your token is for {what} only"))
    }

    /// Whether a seat of a game is one of the caller's own.
    pub fn sits_in(&self, game: &Replay, seat: u8) -> bool {
        if self.role != Role::Player || self.game.is_some_and(|own| own != game.log()) {
            return false;
        }
        let by_seat = self.game.is_some() && self.seat == Some(seat);
        let entry = usize::from(seat).checked_sub(1).and_then(|index| game.created().seats.get(index));
        by_seat || (self.player.is_some() && entry.is_some_and(|entry| entry.player == self.player))
    }

    /// The first seat of the caller in a game.
    pub fn seat_in(&self, game: &Replay) -> Option<u8> {
        (1..=game.position().seats()).find(|seat| self.sits_in(game, *seat))
    }

    /// # Errors
    /// The caller may not act for the seat.
    pub fn require_seat(&self, game: &Replay, seat: u8) -> Result<(), Problem> {
        self.require(Role::Player)?;
        if !self.covers_game(game) {
            return Err(self.confined());
        }
        if self.may(Role::Recorder) || self.sits_in(game, seat) {
            return Ok(());
        }
        Err(Problem::Forbidden(format!("your token is not for seat {seat}")))
    }

    /// Whether the caller may see what a viewer sees.
    pub fn may_view(&self, game: &Replay, viewer: Viewer) -> bool {
        let sees_secrets = self.may(Role::Arbiter) && self.covers_game(game);
        match viewer {
            _ if game.is_open() || sees_secrets => true,
            Viewer::Public => true,
            Viewer::All => false,
            Viewer::Seat(seat) => self.sits_in(game, seat),
        }
    }

    /// The viewer that the caller is by default.
    pub fn viewer(&self, game: &Replay) -> Viewer {
        if self.may_view(game, Viewer::All) {
            return Viewer::All;
        }
        self.seat_in(game).map_or(Viewer::Public, Viewer::Seat)
    }
}
