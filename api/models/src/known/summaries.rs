//! The summaries of all games: in memory those that changed since they were saved and those that were asked for last, all others
//! in tables.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_store::{Memory, TableError};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::summary::Summary;
use crate::game_run::{GameKey, GameRun};

/// The 64ths of the memory for summaries that were read from tables.
const PARTS: u64 = 4;

/// What a summary takes in memory, and what more for each byte of its JSON; about.
const SUMMARY_BYTES: u64 = 512;
const JSON_BYTES: u64 = 2;

/// The summaries of all games.
pub(super) struct Summaries {
    /// Those that are in no run as they are now.
    changed: BTreeMap<GameKey, Arc<Summary>>,
    /// The newest last. A game counts in one of them.
    runs: Vec<GameRun>,
    read: Cache<GameKey, Kept, Weigh>,
    is_damaged: AtomicBool,
}

/// A summary that was read, and about how many bytes it takes.
#[derive(Clone)]
struct Kept(Arc<Summary>, u64);

#[derive(Clone)]
struct Weigh;

impl Weighter<GameKey, Kept> for Weigh {
    fn weight(&self, _game: &GameKey, kept: &Kept) -> u64 {
        kept.1
    }
}

impl Default for Summaries {
    fn default() -> Self {
        Self::new(Memory::of(0))
    }
}

impl Summaries {
    pub fn new(memory: Memory) -> Self {
        let bytes = memory.parts(PARTS);
        let read = Cache::with_weighter((bytes / (2 * SUMMARY_BYTES)) as usize, bytes, Weigh);
        Self { changed: BTreeMap::new(), runs: Vec::new(), read, is_damaged: AtomicBool::new(false) }
    }

    /// The summary of a game; `None` if it cannot be read.
    pub fn get(&self, game: GameKey) -> Option<Arc<Summary>> {
        if let Some(changed) = self.changed.get(&game) {
            return Some(Arc::clone(changed));
        }
        if let Some(Kept(summary, _)) = self.read.get(&game) {
            return Some(summary);
        }
        let (summary, json_len) = self
            .read(game)?
            .inspect_err(|why| {
                if !self.is_damaged.swap(true, Ordering::SeqCst) {
                    tracing::error!(%why, "summaries of games are made from their logs");
                }
            })
            .ok()?;
        let summary = Arc::new(summary);
        self.keep(game, &summary, json_len);
        Some(summary)
    }

    /// Has the system begin to read the summary of a game, unless it is in memory.
    pub fn prefetch(&self, game: GameKey) {
        if !self.changed.contains_key(&game)
            && !self.read.contains_key(&game)
            && let Some(run) = self.run(game)
        {
            run.prefetch(game);
        }
    }

    fn run(&self, game: GameKey) -> Option<&GameRun> {
        self.runs.iter().rev().find(|run| run.games.contains(game))
    }

    fn read(&self, game: GameKey) -> Option<Result<(Summary, usize), TableError>> {
        let run = self.run(game)?;
        let read = |json: Vec<u8>| Ok((serde_json::from_slice(&json).map_err(|_| run.table.damaged())?, json.len()));
        Some(run.get(game).and_then(read))
    }

    /// Keeps a summary for those who ask next.
    pub fn keep(&self, game: GameKey, summary: &Arc<Summary>, json_len: usize) {
        self.read.insert(game, Kept(Arc::clone(summary), SUMMARY_BYTES + JSON_BYTES * json_len as u64));
    }

    /// Takes out the summary of a game that is about to change; it has to be [put](Self::put) back.
    pub fn take(&mut self, game: GameKey) -> Option<Arc<Summary>> {
        let changed = self.changed.remove(&game);
        let summary = changed.or_else(|| self.get(game));
        self.read.remove(&game);
        summary
    }

    /// Sets the summary of a game.
    pub fn put(&mut self, game: GameKey, summary: Arc<Summary>) {
        self.changed.insert(game, summary);
    }

    /// Those that are in no run as they are now.
    pub fn changed(&self) -> &BTreeMap<GameKey, Arc<Summary>> {
        &self.changed
    }

    /// The runs, the newest last.
    pub fn runs(&self) -> &[GameRun] {
        &self.runs
    }

    /// Whether a run was found damaged.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::SeqCst)
    }

    /// Goes on with these runs, which have what was saved.
    pub fn replace_runs(&mut self, runs: Vec<GameRun>, saved: &BTreeMap<GameKey, Arc<Summary>>) {
        self.runs = runs;
        self.changed.retain(|game, now| !saved.get(game).is_some_and(|saved| Arc::ptr_eq(saved, now)));
    }
}
