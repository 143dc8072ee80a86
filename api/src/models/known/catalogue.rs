//! The read model of games, players and tournaments: in memory for queries, in a keyspace for the next start.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::LogId;
use plybook_store::{Changes, Keyspace, Store};

use super::contents::Contents;
use crate::error::Problem;

/// The name of the keyspace, with the version of its rows.
pub(in crate::models) const KEYSPACE: &str = "models/v9";

/// The most events applied at once.
const BATCH: usize = 4096;

/// How many games have changed when a start saves them, so that it never holds all rows at once; few in tests, so that they do.
const SAVED_AT_ONCE: usize = if cfg!(test) { 8 } else { 4096 };

/// How long to wait for events that the writer has written.
const PATIENCE: Duration = Duration::from_secs(5);

/// The games, players and tournaments of the service, kept in step with the journal.
pub struct Catalogue {
    known: Arc<RwLock<Contents>>,
    /// `None` if nothing is kept for the next start.
    keyspace: Option<Keyspace>,
    /// Held while the keyspace is written; `true` once writing has been given up.
    given_up: Mutex<bool>,
}

impl Catalogue {
    /// Loads the keyspace, applies later events from the journal, and then follows the journal.
    ///
    /// # Errors
    /// The journal or the keyspace cannot be read.
    pub fn open(store: &Store) -> Result<Arc<Self>, Problem> {
        Self::follow(store, Some(store.keyspace(KEYSPACE).map_err(Problem::internal)?))
    }

    /// Like [`open`](Self::open), but from the journal alone, and without keeping anything.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn open_to_read(store: &Store) -> Result<Arc<Self>, Problem> {
        Self::follow(store, None)
    }

    fn follow(store: &Store, keyspace: Option<Keyspace>) -> Result<Arc<Self>, Problem> {
        let mut known = keyspace.as_ref().map(Contents::load).transpose()?.unwrap_or_default();
        let mut given_up = false;
        let mut catch_up = |known: &mut Contents, end: Option<u64>| -> Result<(), Problem> {
            while end.is_none_or(|end| known.position < end) {
                let entries = store.log().entries(known.position, BATCH)?;
                if entries.is_empty() {
                    break;
                }
                known.apply_all(&entries);
                if let Some(keyspace) =
                    keyspace.as_ref().filter(|_| !given_up && known.games.changed() >= SAVED_AT_ONCE)
                    && let Err(why) = write(keyspace, &known.take_changes(), known.position)
                {
                    tracing::error!(%why, "the read models are not saved");
                    given_up = true;
                }
            }
            Ok(())
        };
        catch_up(&mut known, None)?;
        let known = Arc::new(RwLock::new(known));
        let follower = Arc::clone(&known);
        let mut guard = known.write().unwrap_or_else(PoisonError::into_inner);
        // The lock is held until everything before the first watched event is applied.
        let from = store.log().watch(move |entries| {
            follower.write().unwrap_or_else(PoisonError::into_inner).apply_all(entries);
        });
        catch_up(&mut guard, Some(from))?;
        drop(guard);
        Ok(Arc::new(Self { known, keyspace, given_up: Mutex::new(given_up) }))
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
    pub(in crate::models) fn set_ratings(&self, ratings: &[(LogId, Option<f32>)]) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (game, rating) in ratings {
            known.games.set_rating(*game, *rating);
        }
    }

    /// Writes what has changed since the last call to the keyspace. If that fails, the keyspace is
    /// incomplete: it is emptied and not written any more, and the next start fills it from the journal.
    ///
    /// # Errors
    /// The keyspace is damaged, or a row is too large for it. Returned once; later calls do nothing.
    pub fn save(&self) -> Result<(), Problem> {
        let Some(keyspace) = &self.keyspace else { return Ok(()) };
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        if *given_up {
            return Ok(());
        }
        let (changes, position) = {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            (known.take_changes(), known.position)
        };
        if position == keyspace.position() {
            return Ok(());
        }
        write(keyspace, &changes, position).inspect_err(|_| *given_up = true)
    }

    /// Saves at this interval until the catalogue is dropped.
    pub fn keep_saved(self: &Arc<Self>, every: Duration) {
        let catalogue = Arc::downgrade(self);
        thread::spawn(move || {
            loop {
                thread::sleep(every);
                let Some(catalogue) = catalogue.upgrade() else { return };
                if let Err(why) = catalogue.save() {
                    tracing::error!(%why, "the read models are not saved");
                }
            }
        });
    }
}

/// Writes rows. If that fails, the keyspace is emptied.
fn write(keyspace: &Keyspace, changes: &Changes, position: u64) -> Result<(), Problem> {
    keyspace.apply(changes, position).map_err(|why| {
        if let Err(why) = keyspace.clear() {
            tracing::error!(%why, "the keyspace of the read models cannot be emptied");
        }
        Problem::internal(why)
    })
}

#[cfg(test)]
mod tests {
    use plybook_events::body::Created;
    use plybook_events::{Body, By, Event, Hash, Timestamp};

    use super::*;

    #[test]
    fn a_start_saves_the_lists_as_it_makes_them() {
        let store = Store::in_memory().unwrap();
        let ids: Vec<LogId> = (1..=20_u8).map(|n| LogId::from_bytes([n; 16])).collect();
        for log in &ids {
            let body = Body::Created(Created { kind: "one".to_owned(), rules: "v1".to_owned(), ..Created::default() });
            let (at, by, prev) = (Timestamp::from_millis(0).unwrap(), By::Service, Hash::ZERO);
            let event = Event { at, by, log: *log, prev, seq: 0, body, who: None, signature: None };
            store.log().append(*log, None, vec![event.to_bytes().unwrap()]).unwrap();
        }
        let catalogue = Catalogue::open(&store).unwrap();
        let keyspace = store.keyspace(KEYSPACE).unwrap();
        assert_eq!(keyspace.position(), 20);
        let next = Contents::load(&keyspace).unwrap();
        let numbers = |known: &Contents| ids.iter().map(|id| known.games.number(*id)).collect::<Vec<_>>();
        assert_eq!(numbers(&next), numbers(&catalogue.known()));
        assert_eq!(numbers(&next)[19], Some(19));
        catalogue.save().unwrap();
        assert_eq!(keyspace.position(), 20);
    }
}
