//! What callers may do with players.

use std::sync::Arc;

use plybook_events::LogId;

use super::desk::Desk;
use super::role::Role;
use crate::error::Problem;
use crate::models::Player;
use crate::service::{Details, Roster};

impl Desk {
    /// Registers a player. For recorders.
    ///
    /// # Errors
    /// The caller may not do this, or as [`Service::create_player`](crate::service::Service::create_player).
    pub fn create_player(&self, details: Details) -> Result<Arc<Player>, Problem> {
        self.require_recorder_of_any_game()?;
        self.service.create_player(details)
    }

    /// Changes what is known of a player. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or as [`Service::edit_player`](crate::service::Service::edit_player).
    pub fn edit_player(&self, id: LogId, details: Details, expected: Option<u64>) -> Result<Arc<Player>, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.edit_player(id, details, expected)
    }

    /// Merges a player into another one, and returns that one. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or as [`Service::merge_players`](crate::service::Service::merge_players).
    pub fn merge_players(&self, from: LogId, into: LogId) -> Result<Arc<Player>, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.merge_players(from, into)
    }

    /// Undoes the merge of a player. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or as [`Service::unmerge_player`](crate::service::Service::unmerge_player).
    pub fn unmerge_player(&self, id: LogId) -> Result<Arc<Player>, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.unmerge_player(id)
    }

    /// What a list of players would do. For arbiters: it tells what is not for everybody.
    ///
    /// # Errors
    /// The caller may not do this, or as [`Service::read_roster`](crate::service::Service::read_roster).
    pub fn preview_roster(&self, csv: &str) -> Result<Roster, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.read_roster(csv)
    }

    /// Does what a list of players says. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or as [`Service::import_roster`](crate::service::Service::import_roster).
    pub fn import_roster(&self, csv: &str) -> Result<Roster, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.import_roster(csv)
    }

    /// The year in which a player was born, for arbiters; for everybody else it is as if it were not known.
    pub fn year_of_birth(&self, id: LogId) -> Option<u16> {
        self.require_arbiter_of_any_game().ok()?;
        self.service.year_of_birth(id)
    }

    fn require_arbiter_of_any_game(&self) -> Result<(), Problem> {
        self.caller.require(Role::Arbiter)?;
        self.caller.require_any_game()
    }
}
