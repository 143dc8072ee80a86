//! What callers may do with players.

use std::sync::Arc;

use plybook_events::{LogId, PublicKey};
use plybook_models::Player;

use super::desk::Desk;
use super::quotas::Quota;
use super::role::Role;
use crate::error::Problem;
use crate::{Details, Roster};

impl Desk {
    /// Registers a player. For recorders.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::create_player`](crate::Service::create_player).
    pub fn create_player(&self, details: Details) -> Result<Arc<Player>, Problem> {
        self.require_recorder_of_any_game()?;
        self.within_quota(&[(Quota::Players, 1)], || self.service.create_player(details))
    }

    /// Changes the details of a player. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::edit_player`](crate::Service::edit_player).
    pub fn edit_player(&self, id: LogId, details: Details, expected: Option<u64>) -> Result<Arc<Player>, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.edit_player(id, details, expected)
    }

    /// Merges a player into another one, and returns the latter. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::merge_players`](crate::Service::merge_players).
    pub fn merge_players(&self, from: LogId, into: LogId) -> Result<Arc<Player>, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.merge_players(from, into)
    }

    /// Undoes the merge of a player. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or see
    /// [`Service::unmerge_player`](crate::Service::unmerge_player).
    pub fn unmerge_player(&self, id: LogId) -> Result<Arc<Player>, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.unmerge_player(id)
    }

    /// Adds a key that a player signs with. For the player, and for arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::add_player_key`](crate::Service::add_player_key).
    pub fn add_player_key(&self, id: LogId, key: PublicKey) -> Result<Arc<Player>, Problem> {
        self.require_self(id)?;
        self.service.add_player_key(id, key)
    }

    /// Removes a key of a player. For the player, and for arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::remove_player_key`](crate::Service::remove_player_key).
    pub fn remove_player_key(&self, id: LogId, key: PublicKey) -> Result<Arc<Player>, Problem> {
        self.require_self(id)?;
        self.service.remove_player_key(id, key)
    }

    fn require_self(&self, id: LogId) -> Result<(), Problem> {
        let is_self = self.caller.player == Some(id) && self.caller.game.is_none();
        if is_self { self.caller.require(Role::Player) } else { self.require_arbiter_of_any_game() }
    }

    /// Previews the import of a list of players. For arbiters: it shows details that are not public.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::read_roster`](crate::Service::read_roster).
    pub fn preview_roster(&self, csv: &str) -> Result<Roster, Problem> {
        self.require_arbiter_of_any_game()?;
        self.service.read_roster(csv)
    }

    /// Imports a list of players. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::import_roster`](crate::Service::import_roster).
    pub fn import_roster(&self, csv: &str) -> Result<Roster, Problem> {
        self.require_arbiter_of_any_game()?;
        self.within_quota(&[(Quota::Imports, 1)], || self.service.import_roster(csv))
    }

    /// A player's year of birth, for arbiters; to everybody else it looks as if it were not known.
    pub fn year_of_birth(&self, id: LogId) -> Option<u16> {
        self.require_arbiter_of_any_game().ok()?;
        self.service.year_of_birth(id)
    }

    fn require_arbiter_of_any_game(&self) -> Result<(), Problem> {
        self.caller.require(Role::Arbiter)?;
        self.caller.require_any_game()
    }
}
