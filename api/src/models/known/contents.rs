//! All games, players and tournaments, and how events and rows of the keyspace change them.

use plybook_events::{Body, Event, LogId};
use plybook_store::{Changes, Entry, Keyspace};
use serde::Serialize;

use super::games::KnownGames;
use super::imports::KnownImports;
use super::players::KnownPlayers;
use super::tournaments::KnownTournaments;
use crate::error::Problem;

/// All games, players and tournaments.
#[derive(Default)]
pub struct Contents {
    /// All games.
    pub games: KnownGames,
    /// All players.
    pub players: KnownPlayers,
    /// All tournaments.
    pub tournaments: KnownTournaments,
    /// All imports.
    pub imports: KnownImports,
    /// The journal position of the next event to apply.
    pub(in crate::models) position: u64,
}

impl Contents {
    /// Loads a keyspace, and counts its rows. If one cannot be read, or one is missing, the keyspace is emptied, and so is the
    /// result.
    pub(super) fn load(keyspace: &Keyspace) -> Result<Self, Problem> {
        let mut known = Self { position: keyspace.position(), ..Self::default() };
        let mut is_readable = true;
        let is_whole = keyspace.load(|key, value| {
            let loaded = match key.first() {
                Some(b'g') => serde_json::from_slice(value).map(|game| known.games.load(game)),
                Some(b'i') => serde_json::from_slice(value).map(|imports| known.imports.load(imports)),
                Some(b't') => serde_json::from_slice(value).map(|tournament| known.tournaments.load(tournament)),
                _ => serde_json::from_slice(value).map(|player| known.players.load(player)),
            };
            is_readable = loaded.is_ok();
            is_readable
        });
        if is_whole.map_err(Problem::internal)? && is_readable {
            return Ok(known);
        }
        tracing::warn!(
            "the lists of games, players and tournaments are not whole, and are made again from the journal"
        );
        keyspace.clear().map_err(Problem::internal)?;
        Ok(Self::default())
    }

    /// The journal position of the next event to apply.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Applies the entries that have not been applied yet.
    pub(super) fn apply_all(&mut self, entries: &[Entry]) {
        for entry in entries {
            if entry.position < self.position {
                continue;
            }
            self.position = entry.position + 1;
            match Event::parse(&entry.bytes) {
                Ok(event) => self.apply(&event),
                Err(why) => tracing::error!(position = entry.position, %why, "an event cannot be read"),
            }
        }
    }

    fn apply(&mut self, event: &Event) {
        match &event.body {
            Body::Received(_) | Body::HistoryAccepted(_) | Body::KeyRotated(_) => {}
            Body::Imported(mark) => {
                self.imports.apply(event, mark);
                self.games.note_import(mark.log);
            }
            Body::PlayerCreated(_) | Body::PlayerEdited(_) | Body::PlayerKeyAdded(_) | Body::PlayerKeyRemoved(_) => {
                self.players.apply(event);
            }
            Body::PlayerMerged(_) | Body::PlayerUnmerged(_) => {
                let before = self.players.survivor(event.log);
                self.players.apply(event);
                let players = &self.players;
                self.games.reseat(before, |player| players.survivor(player));
            }
            _ if self.tournaments.apply(event) => {}
            _ => {
                let players = &self.players;
                let begun_at = self.imports.begun_at(event.log);
                self.games.apply(event, begun_at, |player| players.survivor(player));
            }
        }
    }

    /// Applies entries, in memory and in the keyspace.
    pub(in crate::models) fn apply_to(&mut self, entries: &[Entry], keyspace: &Keyspace) -> Result<(), Problem> {
        self.apply_all(entries);
        keyspace.apply(&self.take_changes(), self.position).map_err(Problem::internal)
    }

    /// The rows that have changed since the last call.
    pub(super) fn take_changes(&mut self) -> Changes {
        let mut changes = Changes::new();
        for game in self.games.take_changed() {
            changes.put(key(b'g', game.id), json(&*game));
        }
        for player in self.players.take_changed() {
            changes.put(key(b'p', player.id), json(&*player));
        }
        for imports in self.imports.take_changed() {
            changes.put(key(b'i', imports.log), json(&imports));
        }
        for tournament in self.tournaments.take_changed() {
            changes.put(key(b't', tournament.id), json(&*tournament));
        }
        changes
    }
}

fn key(kind: u8, id: LogId) -> Vec<u8> {
    [&[kind][..], &id.to_bytes()].concat()
}

fn json(row: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(row).expect("a row is plain data")
}
