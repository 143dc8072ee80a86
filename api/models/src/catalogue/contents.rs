//! The catalogue of games, players and tournaments, and how events change it.

use std::io;

use plybook_events::{Body, Event, EventError};
use plybook_store::Entry;
use serde::{Deserialize, Serialize};

use super::games::KnownGames;
use super::imports::KnownImports;
use super::players::KnownPlayers;
use super::tournaments::KnownTournaments;
use crate::digests::ParsedEntry;
use crate::snapshot::json;

/// How many games have changed, at the most, before they are written; few in tests, so that they are.
const CHANGED_MAX: usize = if cfg!(test) { 8 } else { 4096 };

/// All games, players and tournaments.
#[derive(Default, Serialize, Deserialize)]
pub struct Contents {
    /// All games.
    pub games: KnownGames,
    /// All players.
    #[serde(with = "json")]
    pub players: KnownPlayers,
    /// All tournaments.
    #[serde(with = "json")]
    pub tournaments: KnownTournaments,
    /// All imports.
    #[serde(with = "json")]
    pub imports: KnownImports,
    /// The journal position of the next event to apply.
    #[serde(skip)]
    pub(crate) position: u64,
}

impl Contents {
    /// Whether so many summaries are in memory that they should be in their file.
    pub(super) fn is_full(&self) -> bool {
        self.games.summaries().changed().len() >= CHANGED_MAX
    }

    /// Writes the summaries that are in memory to their file, if they are many.
    pub(super) fn flush_due(&mut self) -> io::Result<()> {
        if self.is_full() { self.games.summaries_mut().flush() } else { Ok(()) }
    }

    /// The journal position of the next event to apply.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Applies the entries that have not been applied yet.
    pub(crate) fn apply_all(&mut self, entries: &[Entry]) {
        for entry in entries {
            if entry.position >= self.position {
                self.apply_at(entry.position, Event::parse(&entry.bytes).as_ref());
            }
        }
        self.games.settle();
    }

    /// Like [`apply_all`](Self::apply_all), of entries that are parsed and have not been applied yet.
    pub(crate) fn apply_parsed(&mut self, entries: &[ParsedEntry]) {
        for entry in entries {
            self.apply_at(entry.position, entry.event.as_ref());
        }
        self.games.settle();
    }

    fn apply_at(&mut self, position: u64, event: Result<&Event, &EventError>) {
        self.position = position + 1;
        match event {
            Ok(event) => self.apply(event),
            Err(why) => tracing::error!(position, %why, "an event cannot be read"),
        }
    }

    fn apply(&mut self, event: &Event) {
        match &event.body {
            Body::HistoryAccepted(_) | Body::KeyRotated(_) => {}
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
}
