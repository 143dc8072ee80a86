//! Read models: what can be asked of all games at once. Fed by the journal, never trusted over it.

mod digest;
mod digests;
mod distribution;
mod figures;
mod games;
mod nodes;
mod players;
mod results;
mod rows;
mod summary;

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::Duration;

use plybook_events::{Body, Event, LogId};
use plybook_store::{Changes, Entry, Store, Table};
use serde::Serialize;

pub use digest::{Digest, short_key, shorten};
pub use digests::{Asked, Digests, Kind, table_name as digests_table};
pub use distribution::{Distribution, Spread};
pub use figures::Figures;
pub use games::{Audience, Branch, Filter, Games, Order, OrderKey};
pub use nodes::{Seen, SeenAction};
pub use players::{Player, Players};
pub use results::Results;
pub use rows::{Result as GameResult, Row, Rows};
pub use summary::Summary;

use crate::error::Problem;

/// The name of the table that the models are kept in, with the version of what is in it.
const TABLE: &str = "models/v3";

/// The most events that are applied at once.
const BATCH: usize = 4096;

/// The games and players of the service, as they stand.
#[derive(Default)]
pub struct Known {
    /// All games.
    pub games: Games,
    /// All players.
    pub players: Players,
    /// The journal position of the next event to apply.
    position: u64,
}

/// Forgets all read models and builds them again from the journal; gives the number of events read.
/// `progress` gets the events read and the events to read.
///
/// # Errors
/// The journal or a table cannot be read.
pub fn rebuild(store: &Store, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, Problem> {
    let models = store.table(TABLE).map_err(Problem::internal)?;
    let digests = store.table(&digests::table_name()).map_err(Problem::internal)?;
    models.clear().map_err(Problem::internal)?;
    digests.clear().map_err(Problem::internal)?;
    let mut known = Known::default();
    let log = store.log();
    let total = log.len();
    let mut entries = log.entries(0, digests::BATCH)?;
    while !entries.is_empty() && known.position < total {
        // The summaries and the next entries are ready by the time the digests are.
        let (next, fresh) = thread::scope(|scope| {
            let fresh = scope.spawn(|| digests::fresh(log, &entries));
            let next = known.take_in(&entries, &models).and_then(|()| Ok(log.entries(known.position, digests::BATCH)?));
            (next, fresh.join().expect("digesting does not panic"))
        });
        entries = next?;
        digests.apply(&fresh, known.position).map_err(Problem::internal)?;
        progress(known.position, total);
    }
    Ok(known.position)
}

/// The read models: in memory to be asked, in a table to be there again after a restart.
pub struct Models {
    known: Arc<RwLock<Known>>,
    table: Table,
    /// One writer of the table at a time; whether there will be none any more.
    given_up: Mutex<bool>,
}

impl Models {
    /// Loads what the table has, applies what the journal has beyond it, and follows the journal
    /// from then on.
    ///
    /// # Errors
    /// The journal or the table cannot be read.
    pub fn open(store: &Store) -> Result<Arc<Self>, Problem> {
        let table = store.table(TABLE).map_err(Problem::internal)?;
        let mut known = Known::load(&table)?;
        let catch_up = |known: &mut Known, end: Option<u64>| -> Result<(), Problem> {
            while end.is_none_or(|end| known.position < end) {
                let entries = store.log().entries(known.position, BATCH)?;
                if entries.is_empty() {
                    break;
                }
                known.apply_all(&entries);
            }
            Ok(())
        };
        catch_up(&mut known, None)?;
        let known = Arc::new(RwLock::new(known));
        let follower = Arc::clone(&known);
        let mut held = known.write().unwrap_or_else(PoisonError::into_inner);
        // The lock is held until the gap before the first watched event is closed.
        let from = store.log().watch(move |entries| {
            follower.write().unwrap_or_else(PoisonError::into_inner).apply_all(entries);
        });
        catch_up(&mut held, Some(from))?;
        drop(held);
        Ok(Arc::new(Self { known, table, given_up: Mutex::default() }))
    }

    /// What is known now: every event that has been acknowledged is in it.
    pub fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what has changed since the last time to the table. Changes that cannot be written
    /// leave the table incomplete: it is emptied then and let alone, and made again from the
    /// journal by the next start.
    ///
    /// # Errors
    /// The table is damaged, or a row is too large for it; said once.
    pub fn save(&self) -> Result<(), Problem> {
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        if *given_up {
            return Ok(());
        }
        let (changes, position) = {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            (known.take_changes(), known.position)
        };
        if position == self.table.position() {
            return Ok(());
        }
        self.table.apply(&changes, position).map_err(|why| {
            *given_up = true;
            if let Err(why) = self.table.clear() {
                tracing::error!(%why, "the table of the read models cannot be emptied");
            }
            Problem::internal(why)
        })
    }

    /// Saves every so often until the models are dropped.
    pub fn keep_saved(self: &Arc<Self>, every: Duration) {
        let models = Arc::downgrade(self);
        thread::spawn(move || {
            loop {
                thread::sleep(every);
                let Some(models) = models.upgrade() else { return };
                if let Err(why) = models.save() {
                    tracing::error!(%why, "the read models are not saved");
                }
            }
        });
    }
}

impl Known {
    fn load(table: &Table) -> Result<Self, Problem> {
        let mut known = Self { position: table.position(), ..Self::default() };
        for row in table.prefix(b"") {
            let (key, value) = row.map_err(Problem::internal)?;
            let loaded = match key.first() {
                Some(b'g') => serde_json::from_slice(&value).map(|game| known.games.load(game)),
                _ => serde_json::from_slice(&value).map(|player| known.players.load(player)),
            };
            if loaded.is_err() {
                return Ok(Self::default());
            }
        }
        Ok(known)
    }

    fn apply_all(&mut self, entries: &[Entry]) {
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
    }

    fn apply(&mut self, event: &Event) {
        match &event.body {
            Body::PlayerCreated(player) => self.players.create(event.log, &player.name, event.at),
            _ => self.games.apply(event),
        }
    }

    /// Applies entries, here and in the table.
    fn take_in(&mut self, entries: &[Entry], table: &Table) -> Result<(), Problem> {
        self.apply_all(entries);
        table.apply(&self.take_changes(), self.position).map_err(Problem::internal)
    }

    fn take_changes(&mut self) -> Changes {
        let mut changes = Changes::new();
        for game in self.games.take_changed() {
            changes.put(key(b'g', game.id), json(&*game));
        }
        for player in self.players.take_changed() {
            changes.put(key(b'p', player.id), json(&*player));
        }
        changes
    }
}

fn key(kind: u8, id: LogId) -> Vec<u8> {
    [&[kind][..], &id.to_bytes()].concat()
}

fn json(row: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(row).expect("a row is plain data")
}
