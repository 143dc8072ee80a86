//! All games, players and tournaments, and how events and rows of the keyspace change them.

use plybook_events::{Body, Event, LogId};
use plybook_store::{Changes, Entry, Keyspace};
use serde::Serialize;

use super::games::KnownGames;
use super::imports::KnownImports;
use super::players::KnownPlayers;
use super::summary::Summary;
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
        let mut games: Vec<(u32, Summary)> = Vec::new();
        let mut is_readable = true;
        let is_whole = keyspace.load(|key, value| {
            let loaded = match key.first() {
                Some(b'g') => read_game(value).map(|game| games.push(game)),
                Some(b'i') => serde_json::from_slice(value).map(|imports| known.imports.load(imports)),
                Some(b't') => serde_json::from_slice(value).map(|tournament| known.tournaments.load(tournament)),
                _ => serde_json::from_slice(value).map(|player| known.players.load(player)),
            };
            is_readable = loaded.is_ok();
            is_readable
        });
        games.sort_by_key(|(number, _)| *number);
        let are_numbered = games.into_iter().all(|(number, game)| known.games.load(game) == number);
        known.games.settle();
        if is_whole.map_err(Problem::internal)? && is_readable && are_numbered {
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
        self.games.settle();
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
        for (number, game) in self.games.take_changed() {
            changes.put(key(b'g', game.id), [&number.to_be_bytes()[..], &json(&*game)].concat());
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

/// The number of a game and its summary, from its row: four bytes, and JSON.
fn read_game(row: &[u8]) -> serde_json::Result<(u32, Summary)> {
    let (number, json) = row.split_first_chunk().unwrap_or((&[0; 4], &[]));
    Ok((u32::from_be_bytes(*number), serde_json::from_slice(json)?))
}

fn json(row: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(row).expect("a row is plain data")
}

#[cfg(test)]
mod tests {
    use plybook_events::body::Created;
    use plybook_events::{By, Hash, Timestamp};
    use plybook_store::Store;

    use super::*;

    #[test]
    fn a_game_keeps_its_number() {
        let mut known = Contents::default();
        // Ids do not follow the journal: the clock was set back, or the games were imported.
        let ids: Vec<LogId> = (0..20_u8).map(|n| LogId::from_bytes([n * 7 % 20; 16])).collect();
        for (n, log) in ids.iter().enumerate() {
            let created =
                Created { kind: ["one", "other"][n % 2].to_owned(), rules: "v1".to_owned(), ..Created::default() };
            let (at, body) = (Timestamp::from_millis(0).unwrap(), Body::Created(created));
            let (by, prev, seq) = (By::Service, Hash::ZERO, 0);
            known.apply(&Event { at, by, log: *log, prev, seq, body, who: None, signature: None });
        }
        let numbers = |known: &Contents| ids.iter().map(|id| known.games.number(*id).unwrap()).collect::<Vec<_>>();
        let store = Store::in_memory().unwrap();
        let keyspace = store.keyspace("t").unwrap();
        keyspace.apply(&known.take_changes(), 20).unwrap();
        let loaded = Contents::load(&keyspace).unwrap();
        assert_eq!(numbers(&loaded), numbers(&known));
        assert_eq!(numbers(&loaded)[..6], [0, 0, 1, 1, 2, 2]);

        // Without one of them, the numbers of others are not trusted either.
        keyspace.delete(&key(b'g', ids[4])).unwrap();
        assert!(Contents::load(&keyspace).unwrap().games.is_empty() && keyspace.is_empty());
    }
}
