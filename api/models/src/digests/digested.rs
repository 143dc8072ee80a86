//! The state of explorer and statistics: memtables, runs and columns, and their snapshot.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use plybook_events::LogId;
use plybook_rules::log::Status;
use plybook_store::Store;
use rayon::prelude::*;

use super::digest::Digest;
use super::kinds::{KindDigests, measured};
use super::merge::Merge;
use super::run::Run;
use crate::catalogue::Contents;
use crate::error::ModelError;
use crate::snapshot::SnapshotFile;

/// The folder of the snapshot and of the runs.
pub(crate) const FOLDER: &str = "digests";

/// The version of what is in it.
const VERSION: &str = "v1";

/// After how many events everything is saved.
const SAVED_EVENTS: u64 = if cfg!(test) { 500 } else { 1 << 18 };

/// How many times as many events there are between two saves while many are still to be digested.
const MORE: u64 = 16;

/// About how many bytes a game takes in the snapshot.
const GAME_BYTES: u64 = 256;

/// The 64ths of the memory that the memtables may take, and how many bytes a visit takes, or less.
const MEMTABLE_PARTS: u64 = 4;
const VISIT_BYTES: u64 = 64;

/// What is known of all digested games.
pub(crate) struct DigestedGames {
    kinds: RwLock<BTreeMap<String, KindDigests>>,
    /// `None` if everything is in memory.
    snapshot: Option<SnapshotFile>,
    /// The journal position of the snapshot.
    saved: AtomicU64,
    next_run: AtomicU64,
    /// The runs that were merged into others since the last snapshot, which may still name them. Locked before the kinds, while a
    /// snapshot is written or a run replaced.
    merged: Mutex<Vec<u64>>,
    /// The most visits in memory.
    visits_max: usize,
}

impl DigestedGames {
    /// Opens the folder; nothing is loaded yet.
    pub fn open(store: &Store) -> Result<Self, ModelError> {
        Self::open_with(store, (store.memory().parts(MEMTABLE_PARTS) / VISIT_BYTES) as usize)
    }

    /// `visits_max`: how many visits of positions are in memory before they are written to runs.
    pub fn open_with(store: &Store, visits_max: usize) -> Result<Self, ModelError> {
        Ok(Self {
            kinds: RwLock::default(),
            snapshot: SnapshotFile::open(store, FOLDER, format!("{VERSION} {}", measured()))?,
            saved: AtomicU64::new(0),
            next_run: AtomicU64::new(0),
            merged: Mutex::default(),
            visits_max,
        })
    }

    /// The digests by kind.
    pub fn kinds(&self) -> RwLockReadGuard<'_, BTreeMap<String, KindDigests>> {
        self.kinds.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn kinds_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<String, KindDigests>> {
        self.kinds.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn merged(&self) -> MutexGuard<'_, Vec<u64>> {
        self.merged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads the snapshot and opens its runs; returns the journal position up to which it has everything. If a part of it is
    /// damaged, of another version or another journal, there is nothing.
    pub fn load(&self) -> Result<u64, ModelError> {
        let Some(snapshot) = &self.snapshot else { return Ok(0) };
        let Some((mut kinds, position)) = snapshot.read::<BTreeMap<String, KindDigests>>() else {
            self.clear()?;
            return Ok(0);
        };
        let mut runs = kinds.values_mut().flat_map(|kind| kind.positions.runs_mut());
        if let Err(why) = runs.try_for_each(|run| run.open(&snapshot.files)) {
            tracing::warn!(%why, "explorer and statistics are made again");
            self.clear()?;
            return Ok(0);
        }
        let ids = || kinds.values().flat_map(|kind| kind.positions.runs()).map(|run| run.id);
        self.next_run.store(ids().max().map_or(0, |last| last + 1), Ordering::Relaxed);
        snapshot.keep_only(|name| ids().any(|id| Run::name(id) == name))?;
        *self.kinds_mut() = kinds;
        self.saved.store(position, Ordering::Relaxed);
        Ok(position)
    }

    /// Replaces what is known of a game.
    pub fn place(&self, known: &Contents, id: LogId, digest: Option<&Digest>) {
        let Some((name, number)) = known.games.place(id) else { return };
        let row = known.games.rows().of(name).get(number);
        let mut kinds = self.kinds_mut();
        let kind = kinds.entry(name.to_owned()).or_default();
        let has_record = row.ply > 0 || known.games.get(id).is_none_or(|game| !game.standing.is_unrecorded());
        let is_counted = digest.is_some() && row.status != Status::Void && has_record;
        kind.figures.set(number, digest, is_counted);
        match digest.filter(|_| is_counted) {
            Some(digest) => kind.positions.set(number, &digest.keys, &digest.words),
            None => kind.positions.remove(number),
        }
    }

    /// Saves what should be saved, once everything before a journal position is placed; `is_more` if much more follows.
    pub fn save_due(&self, position: u64, is_more: bool) {
        let times = if is_more { MORE } else { 1 };
        let is_late = position >= self.saved.load(Ordering::Relaxed) + times * SAVED_EVENTS;
        let is_due = is_late || !is_more && !self.merged().is_empty();
        let visits: usize = self.kinds().values().map(|kind| kind.positions.recent().len()).sum();
        if is_due {
            self.save(position);
        } else if visits >= self.visits_max
            && let Err(why) = self.flush()
        {
            tracing::warn!(%why, "positions stay in memory");
        }
    }

    /// Saves everything before a journal position, unless it is saved. If the disk refuses, it stays in memory.
    pub fn save(&self, position: u64) {
        let Some(snapshot) = &self.snapshot else { return };
        if self.saved.swap(position, Ordering::Relaxed) == position && self.merged().is_empty() {
            return;
        }
        let save = || -> io::Result<()> {
            self.flush()?;
            let mut merged = self.merged();
            let kinds = self.kinds();
            let games: usize = kinds.values().map(|kind| kind.figures.games()).sum();
            snapshot.write(position, games as u64 * GAME_BYTES, &*kinds)?;
            drop(kinds);
            // The snapshot does not name these.
            let merged = std::mem::take(&mut *merged);
            snapshot.files.remove(|name| merged.iter().any(|id| Run::name(*id) == name))
        };
        if let Err(why) = save() {
            tracing::warn!(%why, "what explorer and statistics have counted is not saved");
        }
    }

    /// Writes the memtables to runs, using all cores. They do not count at the next start before a snapshot names them.
    fn flush(&self) -> io::Result<()> {
        let Some(SnapshotFile { files, .. }) = &self.snapshot else { return Ok(()) };
        let names: Vec<String> = self.kinds().keys().cloned().collect();
        let write = |name: &String| -> io::Result<Option<(String, Run)>> {
            let kinds = self.kinds();
            let recent = kinds[name].positions.recent();
            if recent.len() == 0 {
                return Ok(None);
            }
            let id = self.next_run.fetch_add(1, Ordering::Relaxed);
            Run::write(files, id, recent.len(), recent.all().map(Ok)).map(|run| Some((name.clone(), run)))
        };
        let written = names.par_iter().map(write).collect::<io::Result<Vec<_>>>()?;
        let mut kinds = self.kinds_mut();
        for (name, run) in written.into_iter().flatten() {
            kinds.get_mut(&name).expect("kinds are never removed").positions.replace_recent(run);
        }
        Ok(())
    }

    /// Merges some runs, if any should be merged; returns whether they were. May run beside everything else.
    pub fn merge(&self, is_over: impl Fn() -> bool) -> io::Result<bool> {
        let Some(SnapshotFile { files, .. }) = &self.snapshot else { return Ok(false) };
        let find =
            |(kind, digests): (&String, &KindDigests)| Some((kind.clone(), Merge::of(digests.positions.runs())?));
        let Some((kind, merge)) = self.kinds().iter().find_map(find) else { return Ok(false) };
        let id = self.next_run.fetch_add(1, Ordering::Relaxed);
        let run = merge.write(files, id, is_over)?;
        let mut merged = self.merged();
        let mut kinds = self.kinds_mut();
        let is_replaced = kinds.get_mut(&kind).is_some_and(|digests| digests.positions.replace_merged(&merge, run));
        if is_replaced {
            merged.extend(merge.runs().iter().map(|run| run.id));
        } else {
            files.remove(|name| name == Run::name(id))?;
        }
        Ok(is_replaced)
    }

    /// Forgets everything, in memory and on disk.
    pub fn clear(&self) -> Result<(), ModelError> {
        self.merged().clear();
        self.kinds_mut().clear();
        self.saved.store(0, Ordering::Relaxed);
        Ok(self.snapshot.as_ref().map_or(Ok(()), SnapshotFile::clear)?)
    }
}
