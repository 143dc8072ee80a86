//! The service: loads games, judges what people want, writes it, and tells who follows.

mod archive;
mod game;
mod lines;
mod shelf;
mod tree;
mod twig;
mod write;

use std::sync::Arc;
use std::time::Duration;

use plybook_events::LogId;
use plybook_store::{Log, Store};
use tokio::sync::broadcast;

pub use game::Live;
pub use lines::{LINES_MAX, NewLine};
pub use tree::{NODES_DEFAULT, NODES_MAX, TreePage};
pub(crate) use write::find_kind;
pub use write::{Draft, NewGame, NewSeat};

use self::shelf::Shelf;
use self::twig::Twigs;
use crate::clock::Clock;
use crate::error::Problem;
use crate::models::{Catalogue, Digests};

/// How many changes a slow follower may lag behind before it is told to read again.
const CHANGES_KEPT: usize = 4096;

/// How often the read models are saved.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// The most events of one log; a game that has them can only be read.
pub const EVENTS_MAX: u64 = 100_000;

/// The service over one store.
pub struct Service {
    store: Store,
    models: Arc<Catalogue>,
    digests: Digests,
    games: Shelf,
    twigs: Twigs,
    changes: broadcast::Sender<LogId>,
    clock: Clock,
}

impl Service {
    /// Starts the service over an open store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn start(store: Store) -> Result<Arc<Self>, Problem> {
        let models = Catalogue::open(&store)?;
        let (changes, _) = broadcast::channel(CHANGES_KEPT);
        let told = changes.clone();
        store.log().watch(move |entries| {
            for entry in entries {
                // Nobody has to follow.
                let _ = told.send(entry.log);
            }
        });
        models.keep_saved(SAVE_EVERY);
        let digests = Digests::open(&store, &models)?;
        let (games, twigs) = (Shelf::new(), Twigs::new());
        Ok(Arc::new(Self { store, models, digests, games, twigs, changes, clock: Clock::default() }))
    }

    /// The games and players as they stand.
    pub fn models(&self) -> &Catalogue {
        &self.models
    }

    /// The read model behind explorer and statistics.
    pub fn digests(&self) -> &Digests {
        &self.digests
    }

    /// The logs.
    pub fn log(&self) -> &Log {
        self.store.log()
    }

    /// The clock events are dated by.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Ids of logs as they change, from now on. Whoever lags behind reads again.
    pub fn changes(&self) -> broadcast::Receiver<LogId> {
        self.changes.subscribe()
    }

    /// Whether nothing can be written until a restart, because the journal or the vault has failed.
    pub fn is_read_only(&self) -> bool {
        self.log().is_read_only() || self.store.vault().is_read_only()
    }

    /// Saves what can be saved before the end.
    pub fn close(&self) {
        if let Err(why) = self.models.save() {
            tracing::error!(%why, "the read models are not saved");
        }
    }
}
