//! What was counted in games, on disk for the next start: in runs, with a manifest that says which of them count.
//!
//! Of a game there are its id (16 bytes), the key of the position after its first action (8 bytes), the length of that action (2
//! bytes) and the action, and the facts as JSON; nothing if it has no digest. Without an action, key and length are 0.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use plybook_events::LogId;
use plybook_store::{Log, Store, TableError, Tables};
use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::runs::full_version;
use crate::error::ModelError;
use crate::game_run::{GameKey, GameRun, UnmergedRuns, open_runs, push_run};
use crate::known::{KnownGames, Row};
use crate::manifest::{Applied, ListedTable, Manifest, keep_only};

/// The folder of the tables.
pub(crate) const FOLDER: &str = "counted";

/// How many games have changed, at the most, before they are written to a run; few in tests, so that they are.
const CHANGED_MAX: usize = if cfg!(test) { 8 } else { 1 << 14 };

/// What was counted in games, on disk.
pub(super) struct SavedFacts {
    tables: Tables,
    log: Log,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The newest last.
    runs: Vec<GameRun>,
    /// What is in no run as it is now.
    changed: BTreeMap<GameKey, Vec<u8>>,
}

#[derive(Serialize, Deserialize)]
struct Listed {
    runs: Vec<ListedTable>,
}

impl SavedFacts {
    /// Opens the folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store) -> Result<Option<Self>, ModelError> {
        let tables = store.tables(FOLDER)?;
        Ok(tables.map(|tables| Self { tables, log: store.log().clone(), state: Mutex::default() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the first action and the facts of each game, or that it has none. Returns the position of the journal that they stand for;
    /// `None` if they are damaged, of another version or another journal, or not there.
    pub fn load(&self, games: &KnownGames, mut each: impl FnMut(&str, u32, &Row, Option<&Digest>)) -> Option<u64> {
        let Manifest { applied, listed, .. } = Manifest::<Listed>::read(&self.tables, &full_version(), &self.log)?;
        let mut read = || -> Result<Vec<GameRun>, TableError> {
            let runs = open_runs(&self.tables, listed.runs.iter().map(|run| run.id()))?;
            for run in &runs {
                run.each(|key, bytes| {
                    let (kind, row) = games.at(key)?;
                    if bytes.is_empty() {
                        each(kind, key as u32, row, None);
                    } else {
                        let (id, digest) = unpack(bytes)?;
                        (id == row.id).then(|| each(kind, key as u32, row, Some(&digest)))?;
                    }
                    Some(())
                })?;
            }
            Ok(runs)
        };
        let runs = read().inspect_err(|why| tracing::warn!(%why, "what was counted is read from the digests")).ok()?;
        *self.state() = State { runs, changed: BTreeMap::new() };
        Some(applied.position)
    }

    /// Notes what was counted in a game.
    pub fn set(&self, game: GameKey, id: LogId, digest: Option<&Digest>) {
        let mut state = self.state();
        state.changed.insert(game, digest.map(|digest| pack(id, digest)).unwrap_or_default());
        if state.changed.len() >= CHANGED_MAX
            && let Err(why) = state.spill(&self.tables)
        {
            tracing::warn!(%why, "what was counted stays in memory");
        }
    }

    /// Saves everything that was noted before a position of the journal.
    pub fn save(&self, position: u64) -> Result<(), UnmergedRuns> {
        let mut state = self.state();
        state.spill(&self.tables)?;
        let Some(applied) = Applied::before(position, &self.log) else { return Ok(()) };
        let runs: Vec<ListedTable> = state.runs.iter().map(|run| run.table.id().into()).collect();
        Manifest::write(&self.tables, full_version(), applied, Listed { runs: runs.clone() })?;
        keep_only(&self.tables, runs.into_iter());
        Ok(())
    }

    /// Forgets everything, in memory and on disk.
    pub fn clear(&self) -> Result<(), ModelError> {
        *self.state() = State::default();
        Ok(self.tables.clear()?)
    }
}

impl State {
    fn spill(&mut self, tables: &Tables) -> Result<(), UnmergedRuns> {
        // What cannot be written stays.
        let mut runs = self.runs.clone();
        push_run(tables, &mut runs, self.changed.iter().map(|(game, bytes)| (*game, bytes)))?;
        (self.runs, self.changed) = (runs, BTreeMap::new());
        Ok(())
    }
}

fn pack(id: LogId, digest: &Digest) -> Vec<u8> {
    let word = digest.words.first().map_or("", |word| word);
    let key = digest.keys.get(1).copied().unwrap_or_default();
    let mut bytes =
        [&id.to_bytes()[..], &key.to_be_bytes(), &(word.len() as u16).to_be_bytes(), word.as_bytes()].concat();
    serde_json::to_writer(&mut bytes, &digest.facts).expect("facts are plain data");
    bytes
}

/// A digest with no more than the first action.
fn unpack(bytes: &[u8]) -> Option<(LogId, Digest)> {
    let (id, rest) = bytes.split_first_chunk()?;
    let (key, rest) = rest.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (word, facts) = rest.split_at_checked(u16::from_be_bytes(*length).into())?;
    let mut digest = Digest { facts: serde_json::from_slice(facts).ok()?, ..Digest::default() };
    if !word.is_empty() {
        digest.keys = vec![0, u64::from_be_bytes(*key)];
        digest.words = vec![str::from_utf8(word).ok()?.into()];
    }
    Some((LogId::from_bytes(*id), digest))
}
