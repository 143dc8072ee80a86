//! All games, players and tournaments, and how events change them.

use std::io;

use plybook_events::{Body, Event, EventError};
use plybook_store::{Entry, Log, Memory, TableError};

use super::games::KnownGames;
use super::imports::KnownImports;
use super::players::KnownPlayers;
use super::tournaments::KnownTournaments;
use crate::blocks::{BlockReader, BlockWriter};
use crate::digests::ParsedEntry;
use crate::game_run::GameRun;

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
    pub(crate) position: u64,
}

impl Contents {
    /// Nothing. Games whose summaries are lost are read from a log; `memory` is for all read models.
    pub(super) fn new(log: &Log, memory: Memory) -> Self {
        Self { games: KnownGames::new(log, memory), ..Self::default() }
    }

    /// Writes everything but the summaries of games.
    pub(super) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        self.games.write(to)?;
        to.push_list(self.players.all())?;
        to.push_list(self.imports.all())?;
        to.push_list(self.tournaments.all())
    }

    /// Adds what was written; `runs` have the summaries, and `position` is that of the journal.
    pub(super) fn read(
        &mut self,
        from: &mut BlockReader<'_>,
        runs: Vec<GameRun>,
        position: u64,
    ) -> Result<(), TableError> {
        self.position = position;
        self.games.read(from, runs)?;
        from.read_list(|player| self.players.load(player))?;
        from.read_list(|imports| self.imports.load(imports))?;
        from.read_list(|tournament| self.tournaments.load(tournament))
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
}
