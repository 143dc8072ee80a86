//! The follower: a separate thread that digests what is recorded, into a keyspace and into memory.

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};
use std::thread;
use std::time::Duration;

use plybook_events::LogId;
use plybook_rules::log::Status;
use plybook_store::{Changes, Entry, Keyspace, Log, Store, TableError};

use super::batch::{self, BATCH};
use super::digest::{Digest, part_key, split_key};
use super::figures::FigureColumns;
use super::growing::GrowingDigests;
use super::kinds::{KindDigests, keyspace_name};
use super::merge::Unmerged;
use super::runs::{self, Runs};
use super::saved_figures::SavedFigures;
use crate::error::ModelError;
use crate::known::Catalogue;
use crate::pace::Pace;

/// How long runs rest before they are looked at again, and after the disk refused something.
const MERGE_REST: Duration = Duration::from_secs(1);
const REFUSED_REST: Duration = Duration::from_secs(60);

/// After how many events the runs are saved, at the latest.
const SAVED_EVENTS: u64 = 1 << 18;

/// The state shared by the follower and queries.
pub(super) struct Follower {
    log: Log,
    keyspace: Keyspace,
    pub catalogue: Arc<Catalogue>,
    pub kinds: RwLock<BTreeMap<String, KindDigests>>,
    pub pace: Pace,
    /// The runs on disk; `None` if everything is in memory.
    runs: Option<Runs>,
    /// What was counted, on disk; `None` as for the runs.
    figures: Option<SavedFigures>,
    recent_visits: usize,
    /// Whether a run was found damaged.
    is_damaged: AtomicBool,
}

impl Follower {
    /// `recent_visits` as for [`Digests`](super::Digests).
    pub fn new(store: &Store, catalogue: &Arc<Catalogue>, recent_visits: usize) -> Result<Self, ModelError> {
        Ok(Self {
            log: store.log().clone(),
            keyspace: store.keyspace(&keyspace_name())?,
            catalogue: Arc::clone(catalogue),
            kinds: RwLock::default(),
            pace: Pace::new(store.log()),
            runs: store.tables(runs::FOLDER)?.map(Runs::new),
            figures: SavedFigures::open(store)?,
            recent_visits,
            is_damaged: AtomicBool::new(false),
        })
    }

    /// Loads the keyspace, and follows the journal until told to stop.
    pub fn run(&self) {
        let loaded = self.load();
        self.prepare();
        if let Err(why) = loaded.and_then(|()| self.apply_all()) {
            tracing::error!(%why, "explorer and statistics have stopped; run `plybook rebuild`");
            self.pace.give_up();
        }
    }

    /// Merges runs until told to stop.
    pub fn merge_runs(&self) {
        while !self.pace.is_over() {
            let rest = match self.merge() {
                Ok(true) => continue,
                Ok(false) | Err(Unmerged::Stopped) => MERGE_REST,
                Err(Unmerged::Table(why @ TableError::Damaged(_))) => {
                    self.distrust(&why);
                    MERGE_REST
                }
                Err(why) => {
                    tracing::warn!(%why, "positions cannot be merged");
                    REFUSED_REST
                }
            };
            thread::park_timeout(rest);
        }
    }

    /// Merges some runs, and returns whether there were any to merge.
    pub fn merge(&self) -> Result<bool, Unmerged> {
        self.runs.as_ref().map_or(Ok(false), |runs| runs.merge(&self.kinds, || self.pace.is_over()))
    }

    /// Has all positions made again, because a run is damaged.
    pub fn distrust(&self, why: &TableError) {
        tracing::warn!(%why, "the positions are made again");
        self.is_damaged.store(true, Ordering::SeqCst);
        self.pace.reach(0);
    }

    fn kinds_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<String, KindDigests>> {
        self.kinds.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn load(&self) -> Result<(), ModelError> {
        self.load_runs()?;
        let in_runs = self.runs.as_ref().and_then(Runs::position);
        match in_runs.and_then(|in_runs| Some(in_runs.min(self.load_figures()?))) {
            Some(from) => self.load_changed(from),
            None => self.load_all(),
        }
    }

    /// Adds up what is kept of all games, a kind at a time, so that nobody waits for it who asks first.
    fn prepare(&self) {
        let kinds = || self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        let names: Vec<String> = kinds().keys().cloned().collect();
        for name in names.iter().take_while(|_| !self.pace.is_over()) {
            let (known, kinds) = (self.catalogue.known(), kinds());
            if let (Some(known), Some(kind)) = (known.games.rows().kind(name), kinds.get(name)) {
                known.durations_ms(known.summed());
                kind.figures.branching.distribution(&kind.figures.scan(known.summed()));
                kind.figures.first_action_sums(known.summed(), known);
            }
        }
    }

    /// Loads what was counted; returns the position of the journal that it stands for.
    fn load_figures(&self) -> Option<u64> {
        let (loaded, position) = self.figures.as_ref()?.load(&self.catalogue.known().games)?;
        let mut kinds = self.kinds_mut();
        for (name, figures) in loaded {
            kinds.entry(name).or_default().figures = figures;
        }
        Some(position)
    }

    /// Loads the digests of the games that have changed since a position of the journal.
    fn load_changed(&self, from: u64) -> Result<(), ModelError> {
        let end = self.keyspace.position();
        let (mut position, mut done) = (from, HashSet::new());
        while position < end && !self.pace.is_over() {
            let entries = self.log.entries(position, BATCH)?;
            let Some(last) = entries.last() else { break };
            position = last.position + 1;
            for entry in entries.iter().filter(|entry| entry.position < end) {
                if !done.insert(entry.log) {
                    continue;
                }
                let digest = self.stored(entry.log)?.map(|(digest, _)| digest);
                match &digest {
                    Some(digest) => self.place_stored(entry.log, digest),
                    None => self.place(entry.log, None, None),
                }
            }
        }
        if self.pace.is_over() {
            return Ok(());
        }
        if self.is_full() {
            self.save_runs(end);
        }
        self.pace.reach(end);
        Ok(())
    }

    /// Loads all digests.
    fn load_all(&self) -> Result<(), ModelError> {
        self.figures.as_ref().map_or(Ok(()), SavedFigures::clear)?;
        self.kinds_mut().values_mut().for_each(|kind| kind.figures = FigureColumns::default());
        let mut loaded: Option<(LogId, Digest)> = None;
        let mut is_readable = true;
        let mut spilled = Ok(());
        let mut place = |id: LogId, digest: &Digest| {
            self.place_stored(id, digest);
            if spilled.is_ok() && self.is_full() {
                spilled = self.spill();
            }
        };
        let is_whole = self.keyspace.load(|key, value| {
            let Some((id, number)) = split_key(key) else { return true };
            if loaded.as_ref().is_none_or(|(last, _)| *last != id)
                && let Some((id, digest)) = loaded.replace((id, Digest::default()))
            {
                place(id, &digest);
            }
            is_readable = loaded.as_mut().is_some_and(|(_, digest)| digest.read_part(number, value).is_some());
            is_readable && !self.pace.is_over()
        });
        if let Some((id, digest)) = loaded {
            place(id, &digest);
        }
        let is_whole = is_whole? && is_readable;
        if !is_whole {
            tracing::warn!("the digests are not whole and are rebuilt");
            self.clear()?;
            self.keyspace.clear()?;
        }
        if self.pace.is_over() {
            return Ok(());
        }
        let position = self.keyspace.position();
        match spilled {
            Ok(()) if position > 0 => {
                self.save_runs(position);
                self.save_figures(position);
            }
            Ok(()) => {}
            Err(why) => tracing::warn!(%why, "positions stay in memory"),
        }
        self.pace.reach(position);
        Ok(())
    }

    /// Loads the runs, without the games that the keyspace may have other digests of.
    fn load_runs(&self) -> Result<(), ModelError> {
        let Some(runs) = &self.runs else { return Ok(()) };
        runs.load(&self.log, &self.catalogue, &self.kinds)?;
        let Some(mut position) = runs.position() else { return Ok(()) };
        while position < self.keyspace.position() && !self.pace.is_over() {
            let entries = self.log.entries(position, BATCH)?;
            let Some(last) = entries.last() else { break };
            position = last.position + 1;
            let known = self.catalogue.known();
            let mut kinds = self.kinds_mut();
            for entry in &entries {
                if let Some((kind, number)) = known.games.place(entry.log)
                    && let Some(digests) = kinds.get_mut(kind)
                {
                    digests.positions.remove(number, &[], &[]);
                }
            }
        }
        Ok(())
    }

    /// Whether so much is in memory that it should be written.
    fn is_full(&self) -> bool {
        let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
        let visits: usize = kinds.values().map(|kind| kind.positions.recent().visits()).sum();
        self.runs.is_some() && visits >= self.recent_visits
    }

    fn spill(&self) -> Result<(), ModelError> {
        self.runs.as_ref().map_or(Ok(()), |runs| runs.spill(&self.catalogue, &self.kinds))
    }

    /// Writes what is in memory to runs, which then have everything before a journal position. If the disk refuses, it stays in
    /// memory.
    fn save_runs(&self, position: u64) {
        let Some(runs) = &self.runs else { return };
        let saved = self.spill().and_then(|()| runs.commit(position, &self.log, &self.kinds));
        if let Err(why) = saved {
            tracing::warn!(%why, "positions stay in memory");
        }
    }

    /// Saves what was counted before a journal position.
    fn save_figures(&self, position: u64) {
        let games = self.catalogue.known().games.len();
        if let Some(Err(why)) = self.figures.as_ref().map(|figures| figures.save(&self.kinds, games, position)) {
            tracing::warn!(%why, "what was counted is not saved");
        }
    }

    /// Forgets everything in memory and in runs.
    fn clear(&self) -> Result<(), ModelError> {
        self.kinds_mut().clear();
        self.figures.as_ref().map_or(Ok(()), SavedFigures::clear)?;
        self.runs.as_ref().map_or(Ok(()), Runs::clear)
    }

    fn apply_all(&self) -> Result<(), ModelError> {
        let mut growing = GrowingDigests::new();
        while let Some(events) = self.pace.next(&self.catalogue) {
            if self.is_damaged.swap(false, Ordering::SeqCst) {
                self.clear()?;
                self.load()?;
                growing = GrowingDigests::new();
                continue;
            }
            let mut entries = self.log.entries(events.start, BATCH)?;
            // Events that the catalogue has not applied yet are left for the next round.
            entries.retain(|entry| entry.position < events.end);
            if let Some(last) = entries.last() {
                let position = last.position + 1;
                self.apply(&entries, position, position < events.end, &mut growing)?;
            }
        }
        let end = self.pace.position();
        if self.runs.as_ref().and_then(Runs::position).is_none_or(|committed| committed < end) && end > 0 {
            self.save_runs(end);
        }
        if self.figures.as_ref().is_some_and(|figures| !figures.has(end)) && end > 0 {
            self.save_figures(end);
        }
        Ok(())
    }

    /// Applies entries; `is_more` and `growing` as in [`batch::digests`].
    fn apply(
        &self,
        entries: &[Entry],
        position: u64,
        is_more: bool,
        growing: &mut GrowingDigests,
    ) -> Result<(), ModelError> {
        let mut changes = Changes::new();
        let mut placed = Vec::new();
        for (id, digest) in batch::digests(&self.log, entries, is_more, growing) {
            let stored = self.stored(id)?;
            let (old, had) = stored.map_or((None, 0), |(digest, rows)| (Some(digest), rows));
            match &digest {
                Some(digest) => digest.put(id, had, &mut changes),
                None => (0..had).for_each(|gone| changes.delete(part_key(id, gone))),
            }
            placed.push((id, old, digest));
        }
        self.keyspace.apply(&changes, position)?;
        for (id, old, digest) in &placed {
            self.place(*id, old.as_ref(), digest.as_ref());
        }
        let committed = self.runs.as_ref().and_then(Runs::position);
        if self.is_full()
            || committed.is_some_and(|committed| position >= committed + SAVED_EVENTS.min(self.recent_visits as u64))
        {
            self.save_runs(position);
        }
        if self.figures.as_ref().is_some_and(|figures| figures.is_due(position)) {
            self.save_figures(position);
        }
        self.pace.reach(position);
        Ok(())
    }

    /// Replaces a game's old digest with its new one, in memory.
    fn place(&self, id: LogId, old: Option<&Digest>, new: Option<&Digest>) {
        let known = self.catalogue.known();
        let Some((name, number)) = known.games.place(id) else { return };
        let row = &known.games.rows().of(name)[number as usize];
        let mut kinds = self.kinds_mut();
        let kind = kinds.entry(name.to_owned()).or_default();
        let (keys, words) = old.map_or((&[][..], &[][..]), |old| (&old.keys, &old.words));
        kind.positions.remove(number, keys, words);
        let is_counted = new.is_some() && row.status != Status::Void;
        kind.figures.set(number, new, is_counted);
        if let Some(new) = new.filter(|_| is_counted) {
            kind.positions.add(number, &new.keys, &new.words, row);
        }
    }

    /// Adds a game's digest as the keyspace has it; its positions only if no run has them.
    fn place_stored(&self, id: LogId, digest: &Digest) {
        let known = self.catalogue.known();
        let Some((name, number)) = known.games.place(id) else { return };
        let row = &known.games.rows().of(name)[number as usize];
        let mut kinds = self.kinds_mut();
        let kind = kinds.entry(name.to_owned()).or_default();
        let is_counted = row.status != Status::Void;
        kind.figures.set(number, Some(digest), is_counted);
        if is_counted && !kind.positions.holds(number) {
            kind.positions.add(number, &digest.keys, &digest.words, row);
        }
    }

    /// A game's digest in the keyspace, and how many rows it has.
    pub fn stored(&self, id: LogId) -> Result<Option<(Digest, u16)>, ModelError> {
        self.stored_from(id, 0)
    }

    /// The plies of a game's digest in the keyspace, without what was counted.
    pub fn stored_plies(&self, id: LogId) -> Result<Option<Digest>, ModelError> {
        Ok(self.stored_from(id, 1)?.map(|(digest, _)| digest))
    }

    /// A game's digest without its first parts, and how many rows it has.
    fn stored_from(&self, id: LogId, first: u16) -> Result<Option<(Digest, u16)>, ModelError> {
        let mut digest = Digest::default();
        let mut rows = 0;
        for row in self.keyspace.prefix(&id.to_bytes()) {
            let (key, value) = row?;
            let (_, number) = split_key(&key).ok_or(ModelError::Damaged("the key is no digest's"))?;
            if number >= first {
                digest.read_part(number, &value).ok_or(ModelError::Damaged("a digest cannot be read"))?;
            }
            rows += 1;
        }
        Ok((rows > 0).then_some((digest, rows)))
    }
}
