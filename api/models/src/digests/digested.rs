//! What is known of all digested games: in memory, and on disk for the next start.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use plybook_events::LogId;
use plybook_rules::log::Status;
use plybook_store::{Log, Store};

use super::digest::Digest;
use super::kinds::KindDigests;
use super::merge::Unmerged;
use super::runs::{self, Runs};
use super::saved_figures::{self, SavedFigures};
use super::saved_replays::SavedReplays;
use crate::error::ModelError;
use crate::known::{Catalogue, Contents};

/// After how many events the runs are saved, at the latest.
const SAVED_EVENTS: u64 = 1 << 18;

/// How many times as many events there are between two saves while many are still to be digested.
const MORE: u64 = 16;

/// The 64ths of the memory that visits may take before they are written to runs, and how many bytes one takes, or less.
const RECENT_PARTS: u64 = 4;
const VISIT_BYTES: u64 = 128;

/// What is known of all digested games.
pub(crate) struct DigestedGames {
    log: Log,
    kinds: RwLock<BTreeMap<String, KindDigests>>,
    /// The runs on disk; `None` if everything is in memory.
    runs: Option<Runs>,
    /// What was counted, on disk; `None` as for the runs.
    figures: Option<SavedFigures>,
    /// The folds of long games.
    pub replays: SavedReplays,
    recent_visits: usize,
}

impl DigestedGames {
    /// Opens the folders; nothing is loaded yet.
    pub fn open(store: &Store) -> Result<Self, ModelError> {
        Self::open_with(store, (store.memory().parts(RECENT_PARTS) / VISIT_BYTES) as usize)
    }

    /// `recent_visits`: how many visits of positions are in memory before they are written to runs; also after how many events that
    /// is done.
    pub fn open_with(store: &Store, recent_visits: usize) -> Result<Self, ModelError> {
        Ok(Self {
            log: store.log().clone(),
            kinds: RwLock::default(),
            runs: store.tables(runs::FOLDER)?.map(Runs::new),
            figures: SavedFigures::open(store)?,
            replays: SavedReplays::open(store)?,
            recent_visits,
        })
    }

    /// The digests by kind.
    pub fn kinds(&self) -> RwLockReadGuard<'_, BTreeMap<String, KindDigests>> {
        self.kinds.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn kinds_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<String, KindDigests>> {
        self.kinds.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads what was saved; returns the journal position up to which it has everything. If a part of it is damaged, of another
    /// version or another journal, there is nothing.
    pub fn load(&self, catalogue: &Catalogue) -> Result<u64, ModelError> {
        let Some((runs, figures)) = self.runs.as_ref().zip(self.figures.as_ref()) else { return Ok(0) };
        runs.load(&self.log, catalogue, &self.kinds)?;
        let counted = runs.position().and_then(|_| figures.load(&catalogue.known().games));
        let Some((in_runs, (loaded, in_figures))) = runs.position().zip(counted) else {
            self.clear()?;
            return Ok(0);
        };
        let mut kinds = self.kinds_mut();
        for (name, figures) in loaded {
            kinds.entry(name).or_default().figures = figures;
        }
        Ok(in_runs.min(in_figures))
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
            Some(digest) => kind.positions.set(number, &digest.keys, &digest.words, &row),
            None => kind.positions.remove(number),
        }
    }

    /// Saves what should be saved, once everything before a journal position is placed; `is_more` if much more follows.
    pub fn save_due(&self, position: u64, is_more: bool) {
        let times = if is_more { MORE } else { 1 };
        let visits: usize = self.kinds().values().map(|kind| kind.positions.recent().visits()).sum();
        let is_late = position >= self.in_runs() + times * SAVED_EVENTS.min(self.recent_visits as u64);
        if visits >= self.recent_visits || is_late {
            self.save_runs(position);
        }
        if position >= self.in_figures() + times * saved_figures::SAVED_EVENTS {
            self.save_figures(position);
        }
    }

    /// Saves everything before a journal position, unless it is saved.
    pub fn save(&self, position: u64) {
        let runs = || (self.in_runs() != position).then(|| self.save_runs(position));
        let figures = || (self.in_figures() != position).then(|| self.save_figures(position));
        rayon::join(runs, figures);
    }

    /// The journal position up to which the runs have everything.
    fn in_runs(&self) -> u64 {
        self.runs.as_ref().and_then(Runs::position).unwrap_or(0)
    }

    /// The journal position of which what was counted is saved.
    fn in_figures(&self) -> u64 {
        self.figures.as_ref().map_or(0, SavedFigures::position)
    }

    /// Writes what is in memory to runs, which then have everything before a journal position. If the disk refuses, it stays in
    /// memory.
    fn save_runs(&self, position: u64) {
        let Some(runs) = &self.runs else { return };
        let saved = runs.spill(&self.kinds).and_then(|()| runs.commit(position, &self.log, &self.kinds));
        if let Err(why) = saved {
            tracing::warn!(%why, "positions stay in memory");
        }
    }

    /// Saves what was counted before a journal position.
    fn save_figures(&self, position: u64) {
        let Some(figures) = &self.figures else { return };
        if let Err(why) = figures.save(&self.kinds, position) {
            tracing::warn!(%why, "what was counted is not saved");
        }
    }

    /// Merges some runs, and returns whether there were any to merge.
    pub(super) fn merge(&self, is_over: impl Fn() -> bool) -> Result<bool, Unmerged> {
        self.runs.as_ref().map_or(Ok(false), |runs| runs.merge(&self.kinds, is_over))
    }

    /// Forgets everything, in memory and on disk.
    pub fn clear(&self) -> Result<(), ModelError> {
        self.kinds_mut().clear();
        self.figures.as_ref().map_or(Ok(()), SavedFigures::clear)?;
        self.replays.clear()?;
        self.runs.as_ref().map_or(Ok(()), Runs::clear)
    }
}
