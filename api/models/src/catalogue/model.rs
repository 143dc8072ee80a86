//! The catalogue as a read model: it follows the journal on the threads that write.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::LogId;
use plybook_store::Store;

use super::contents::Contents;
use super::saved::Saved;
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
    saved: Mutex<Option<Saved>>,
}

impl Catalogue {
    /// Loads what was saved, applies later events from the journal, and then follows the journal. If its files cannot be
    /// read or written, as on a full disk, it is made from the journal, and nothing is kept for the next start.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn open(store: &Store) -> Result<Arc<Self>, ModelError> {
        let saved = Saved::open(store).and_then(|saved| Self::follow(store, saved));
        match saved {
            Err(ModelError::Io(why)) => {
                tracing::error!(%why, "the lists of games, players and tournaments are in memory only until the next start");
                Self::follow(store, None)
            }
            followed => followed,
        }
    }

    /// Like [`open`](Self::open), but from the journal alone, and without keeping anything.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn open_to_read(store: &Store) -> Result<Arc<Self>, ModelError> {
        Self::follow(store, None)
    }

    fn follow(store: &Store, mut saved: Option<Saved>) -> Result<Arc<Self>, ModelError> {
        let log = store.log();
        let mut known = Contents::default();
        match &mut saved {
            Some(saved) => known = saved.load(store)?,
            None => known.games.index(log),
        }
        let mut told = Instant::now();
        let mut catch_up = |known: &mut Contents, end: Option<u64>| -> Result<(), ModelError> {
            while end.is_none_or(|end| known.position < end) {
                let entries = log.entries(known.position, BATCH)?;
                if entries.is_empty() {
                    break;
                }
                known.apply_all(&entries);
                known.flush_due()?;
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
        Ok(Arc::new(Self { known, saved: Mutex::new(saved) }))
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

    /// Saves everything if a condition holds. If the summaries are damaged, nothing is kept any more.
    pub(super) fn save_if(&self, condition: impl Fn(&Saved, &Contents) -> bool) {
        let mut kept = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(saved) = &mut *kept else { return };
        if self.known().games.summaries().is_damaged() {
            tracing::error!("summaries of games are damaged; the next start makes them again");
            if let Err(why) = saved.snapshot.clear() {
                tracing::error!(%why, "the files of the catalogue cannot be removed");
            }
            *kept = None;
        } else if let Err(why) = self.save_to(saved, condition) {
            tracing::error!(%why, "the lists of games, players and tournaments are not saved");
        }
    }

    fn save_to(&self, saved: &mut Saved, condition: impl Fn(&Saved, &Contents) -> bool) -> io::Result<()> {
        let mut known = self.known_mut();
        if !saved.is_behind(&known) || !condition(saved, &known) {
            return Ok(());
        }
        known.games.summaries_mut().flush()?;
        if let Some(mut garbled) = known.games.summaries().to_compact() {
            // Readers and writers go on meanwhile.
            drop(known);
            garbled.compact(&saved.snapshot.files)?;
            known = self.known_mut();
            known.games.summaries_mut().replace_file(garbled);
            known.games.summaries_mut().flush()?;
        }
        saved.write(&RwLockWriteGuard::downgrade(known))
    }

    /// Saves whenever enough has changed, until the catalogue is dropped; looks at this interval.
    pub fn keep_saved(self: &Arc<Self>, every: Duration) {
        let catalogue = Arc::downgrade(self);
        thread::spawn(move || {
            loop {
                thread::sleep(every);
                let Some(catalogue) = catalogue.upgrade() else { return };
                catalogue.save_if(Saved::is_due);
            }
        });
    }
}
