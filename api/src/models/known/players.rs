//! All players.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plybook_events::{LogId, Timestamp};
use serde::{Deserialize, Serialize};

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The id.
    pub id: LogId,
    /// The name.
    pub name: String,
    /// When they were registered.
    pub created_at: Timestamp,
}

/// All players, by name and by id.
#[derive(Default)]
pub struct KnownPlayers {
    by_id: BTreeMap<LogId, Arc<Player>>,
    /// Lower-case name and id: the order they are listed in.
    by_name: BTreeSet<(String, LogId)>,
    changed: BTreeSet<LogId>,
}

impl KnownPlayers {
    pub(super) fn load(&mut self, player: Player) {
        self.by_name.insert((player.name.to_lowercase(), player.id));
        self.by_id.insert(player.id, Arc::new(player));
    }

    pub(super) fn create(&mut self, id: LogId, name: &str, created_at: Timestamp) {
        self.load(Player { id, name: name.to_owned(), created_at });
        self.changed.insert(id);
    }

    pub(super) fn take_changed(&mut self) -> Vec<Arc<Player>> {
        std::mem::take(&mut self.changed).iter().map(|id| Arc::clone(&self.by_id[id])).collect()
    }

    /// The player with an id.
    pub fn get(&self, id: LogId) -> Option<&Arc<Player>> {
        self.by_id.get(&id)
    }

    /// The players that satisfy a condition, in the order of their names.
    pub fn list(&self, mut accept: impl FnMut(&Player) -> bool) -> Vec<Arc<Player>> {
        let players = self.by_name.iter().map(|(_, id)| &self.by_id[id]);
        players.filter(|player| accept(player)).cloned().collect()
    }
}
