//! The read model of games, players and tournaments: in memory for queries, on disk for the next start.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::LogId;
use plybook_store::{Memory, Store};

use super::contents::Contents;
use super::files::{CatalogueFiles, Unsaved};
use crate::error::ModelError;

/// The most events applied at once.
const BATCH: usize = 4096;

/// How long to wait for events that the writer has written.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often the log tells how far a start has come that makes everything from the journal.
const TOLD_EVERY: Duration = Duration::from_secs(5);

/// The games, players and tournaments of the service, kept in step with the journal.
pub struct Catalogue {
    known: Arc<RwLock<Contents>>,
    /// Held while it is saved; `None` if nothing is kept for the next start, or that has been given up.
    files: Mutex<Option<CatalogueFiles>>,
}

impl Catalogue {
    /// Loads what was saved, applies later events from the journal, and then follows the journal.
    ///
    /// # Errors
    /// The journal or the folder of the tables cannot be read.
    pub fn open(store: &Store) -> Result<Arc<Self>, ModelError> {
        Self::follow(store, CatalogueFiles::open(store)?)
    }

    /// Like [`open`](Self::open), but from the journal alone, and without keeping anything.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn open_to_read(store: &Store) -> Result<Arc<Self>, ModelError> {
        Self::follow(store, None)
    }

    fn follow(store: &Store, mut files: Option<CatalogueFiles>) -> Result<Arc<Self>, ModelError> {
        let log = store.log();
        let mut known = match &mut files {
            Some(files) => files.load()?,
            None => Contents::new(log, Memory::of(0)),
        };
        let mut told = Instant::now();
        let mut catch_up = |known: &mut Contents, end: Option<u64>| -> Result<(), ModelError> {
            while end.is_none_or(|end| known.position < end) {
                let entries = log.entries(known.position, BATCH)?;
                if entries.is_empty() {
                    break;
                }
                known.apply_all(&entries);
                if files.is_some() && CatalogueFiles::is_full(known) {
                    save(&mut files, |files| files.save(known));
                }
                if told.elapsed() > TOLD_EVERY {
                    told = Instant::now();
                    tracing::info!(events = known.position, of = log.len(), "the lists of games are made");
                }
            }
            Ok(())
        };
        catch_up(&mut known, None)?;
        let known = Arc::new(RwLock::new(known));
        // The log lives as long as the catalogue, which reads it.
        let follower = Arc::downgrade(&known);
        let mut guard = known.write().unwrap_or_else(PoisonError::into_inner);
        // The lock is held until everything before the first watched event is applied.
        let from = log.watch(move |entries| {
            if let Some(known) = follower.upgrade() {
                known.write().unwrap_or_else(PoisonError::into_inner).apply_all(entries);
            }
        });
        catch_up(&mut guard, Some(from))?;
        drop(guard);
        Ok(Arc::new(Self { known, files: Mutex::new(files) }))
    }

    /// The current games and players: every acknowledged event is applied.
    pub fn known(&self) -> RwLockReadGuard<'_, Contents> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the events before a journal position are applied: the writer is about to do so.
    pub fn catch_up(&self, position: u64) {
        let deadline = Instant::now() + PATIENCE;
        while self.known().position < position && Instant::now() < deadline {
            thread::sleep(Duration::from_micros(50));
        }
    }

    /// Notes the mean ratings of players for these games; see [`Row::rating`](super::Row::rating).
    pub(crate) fn set_ratings(&self, ratings: &[(LogId, Option<f32>)]) {
        let mut known = self.known_mut();
        for (game, rating) in ratings {
            known.games.set_rating(*game, *rating);
        }
    }

    fn known_mut(&self) -> RwLockWriteGuard<'_, Contents> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves everything, for the next start. What cannot be saved stays in memory, and is applied again by the next start.
    pub fn save(&self) {
        self.save_if(|_, _| true);
    }

    /// Saves everything if a condition holds.
    pub(super) fn save_if(&self, condition: impl Fn(&CatalogueFiles, &Contents) -> bool) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        save(&mut files, |files| {
            let saving = {
                let known = self.known();
                if condition(files, &known) { files.begin(&known)? } else { None }
            };
            // Writers go on meanwhile.
            if let Some(saving) = saving {
                let saved = files.finish(saving)?;
                saved.settle(&mut self.known_mut());
            }
            Ok(())
        });
    }

    /// Saves whenever enough has changed, until the catalogue is dropped; looks at this interval.
    pub fn keep_saved(self: &Arc<Self>, every: Duration) {
        let catalogue = Arc::downgrade(self);
        thread::spawn(move || {
            loop {
                thread::sleep(every);
                let Some(catalogue) = catalogue.upgrade() else { return };
                catalogue.save_if(CatalogueFiles::is_due);
            }
        });
    }
}

/// Saves, if anything is kept. If a run is damaged, nothing is kept any more.
fn save(files: &mut Option<CatalogueFiles>, save: impl FnOnce(&mut CatalogueFiles) -> Result<(), Unsaved>) {
    let Some(kept) = files else { return };
    let Err(why) = save(kept) else { return };
    tracing::error!(%why, "the lists of games, players and tournaments are not saved");
    if matches!(why, Unsaved::Damaged) {
        if let Err(why) = kept.clear() {
            tracing::error!(%why, "the tables of the catalogue cannot be removed");
        }
        *files = None;
    }
}
