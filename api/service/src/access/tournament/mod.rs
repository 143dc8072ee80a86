//! Tournaments: who runs one, and what organisers and tables may do.

mod entrants;
mod rounds;
mod tables;
mod tokens;

use std::sync::Arc;

use plybook_events::LogId;
use plybook_events::body::TournamentSettings;
use plybook_rules::log::{Command as GameCommand, Standing};
use plybook_tournaments::log::Command;

use super::desk::Desk;
use super::role::Role;
use crate::error::Problem;
use crate::{Live, LiveTournament, NewReport, NewTournament, ReadReport};

pub use self::tokens::TableToken;

impl Desk {
    /// Whether the caller runs a tournament, as its organiser or as an arbiter of all games.
    pub fn may_organise(&self, tournament: LogId) -> bool {
        let is_confined = self.caller.game.is_some() || self.caller.table.is_some();
        self.caller.may(Role::Arbiter) && !is_confined && self.caller.tournament.is_none_or(|own| own == tournament)
    }

    /// # Errors
    /// The caller does not run the tournament.
    fn require_organiser(&self, tournament: LogId) -> Result<(), Problem> {
        if self.may_organise(tournament) {
            return Ok(());
        }
        let whose = "the token of the tournament's organiser, or of an arbiter";
        match self.caller.role {
            Role::Spectator => Err(Problem::Unauthenticated(format!("this needs {whose}"))),
            Role::Organiser => Err(self.caller.confined()),
            role => Err(Problem::Forbidden(format!("this needs {whose}; yours is {}'s", role.with_article()))),
        }
    }

    /// # Errors
    /// The caller is not an arbiter of all games.
    pub(in crate::access) fn require_chief(&self) -> Result<(), Problem> {
        self.caller.require(Role::Arbiter)?;
        self.caller.require_any_game()
    }

    /// Creates a tournament. For arbiters.
    ///
    /// # Errors
    /// The caller is not an arbiter of all games, or see [`crate::Service::create_tournament`].
    pub fn create_tournament(&self, new: NewTournament) -> Result<Arc<LiveTournament>, Problem> {
        self.require_chief()?;
        self.service.create_tournament(new)
    }

    /// Reads a report file, and looks up its entrants. For arbiters.
    ///
    /// # Errors
    /// The caller is not an arbiter of all games, or see [`crate::Service::read_report`].
    pub fn read_report(&self, file: &[u8], time_zone: Option<&str>) -> Result<ReadReport, Problem> {
        self.require_chief()?;
        self.service.read_report(file, time_zone)
    }

    /// Creates a tournament from a report file. For arbiters.
    ///
    /// # Errors
    /// The caller is not an arbiter of all games, or see [`crate::Service::import_report`].
    pub fn import_report(&self, new: &NewReport<'_>) -> Result<Arc<LiveTournament>, Problem> {
        self.require_chief()?;
        self.service.import_report(new)
    }

    /// Changes the settings of a tournament. For its organisers.
    ///
    /// # Errors
    /// The caller does not run the tournament, or see [`crate::Service::edit_tournament`].
    pub fn edit_tournament(
        &self,
        id: LogId,
        expected: Option<u64>,
        edit: impl Fn(&mut TournamentSettings) -> Result<(), Problem>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.edit_tournament(&live, expected, edit)?;
        Ok(live)
    }

    /// Carries out a command that changes nothing but the tournament itself. For its organisers.
    ///
    /// # Errors
    /// The caller does not run the tournament, or the command is refused; [`Problem::Breaks`] for a pairing that breaks rules
    /// and is not forced.
    pub fn organise(
        &self,
        id: LogId,
        command: &Command,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.change_tournament(&live, expected, |_| Ok(vec![command.clone()]))?;
        Ok(live)
    }

    fn run(&self, id: LogId) -> Result<Arc<LiveTournament>, Problem> {
        self.require_organiser(id)?;
        self.service.tournament(id)
    }

    fn void_if_running(&self, game: LogId, why: &str) -> Result<(), Problem> {
        let known = self.service.models().known().games.get(game);
        let is_over = |standing: &Standing| standing.end.is_some() && !standing.is_unrecorded();
        if known.is_none_or(|game| game.standing.is_void() || is_over(&game.standing)) {
            return Ok(());
        }
        let live: Arc<Live> = self.service.game(game)?;
        self.service.command(&live, &[GameCommand::Void { reason: why.to_owned() }], None)
    }
}
