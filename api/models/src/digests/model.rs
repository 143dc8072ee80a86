//! The digests, as queries use them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLockReadGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use plybook_events::LogId;
use plybook_store::{Store, TableError};

use super::digest::Digest;
use super::follower::Follower;
use super::kinds::KindDigests;
use crate::error::ModelError;
use crate::known::{Catalogue, Contents};

/// The 64ths of the memory that visits may take before they are written to runs, and how many bytes one takes, or less.
const RECENT_PARTS: u64 = 4;
const VISIT_BYTES: u64 = 128;

/// How long a query waits for events that were recorded before it.
const WAIT: Duration = Duration::from_secs(5);

/// The digests of all recorded games.
pub struct Digests {
    follower: Arc<Follower>,
    threads: Vec<JoinHandle<()>>,
}

/// Both read models at one moment. Hold it only briefly, and never two on one thread: it blocks writers.
pub struct Snapshot<'a> {
    /// Games and players.
    pub known: RwLockReadGuard<'a, Contents>,
    kinds: RwLockReadGuard<'a, BTreeMap<String, KindDigests>>,
    /// The number of events that were recorded before the query but are not counted yet; nearly always 0.
    pub pending: u64,
}

impl Snapshot<'_> {
    /// The digests of a kind; `None` if no game of it was recorded.
    pub fn kind(&self, kind: &str) -> Option<&KindDigests> {
        self.kinds.get(kind)
    }
}

impl Digests {
    /// Starts the thread that loads the keyspace and follows the journal, and one that merges runs.
    ///
    /// # Errors
    /// The keyspace cannot be opened, or the folder of the tables not be made.
    pub fn open(store: &Store, catalogue: &Arc<Catalogue>) -> Result<Self, ModelError> {
        let recent_visits = store.memory().parts(RECENT_PARTS) / VISIT_BYTES;
        Self::open_with(store, catalogue, recent_visits as usize)
    }

    /// `recent_visits`: how many visits of positions are in memory before they are written to runs; also after how many events that
    /// is done.
    pub(super) fn open_with(
        store: &Store,
        catalogue: &Arc<Catalogue>,
        recent_visits: usize,
    ) -> Result<Self, ModelError> {
        let follower = Arc::new(Follower::new(store, catalogue, recent_visits)?);
        let told = Arc::downgrade(&follower);
        store.log().watch(move |_| {
            if let Some(follower) = told.upgrade() {
                follower.pace.wake();
            }
        });
        let (running, merging) = (Arc::clone(&follower), Arc::clone(&follower));
        let threads = vec![thread::spawn(move || running.run()), thread::spawn(move || merging.merge_runs())];
        Ok(Self { follower, threads })
    }

    /// The models, once every event recorded so far is applied, or after five seconds.
    pub fn ask(&self) -> Snapshot<'_> {
        self.follower.pace.wait(WAIT);
        self.now()
    }

    /// The models as they are now.
    pub fn now(&self) -> Snapshot<'_> {
        let pending = self.pending();
        let known = self.follower.catalogue.known();
        let kinds = self.follower.kinds.read().unwrap_or_else(PoisonError::into_inner);
        Snapshot { known, kinds, pending }
    }

    /// The number of events that were recorded and are not counted yet.
    pub fn pending(&self) -> u64 {
        self.follower.pace.pending()
    }

    /// Merges some runs at once, and returns whether there were any to merge.
    #[cfg(test)]
    pub(super) fn merge(&self) -> bool {
        self.follower.merge().expect("the disk takes it")
    }

    /// The problem with a run that could not be read. If it is damaged, the positions are made again. Nobody may call this who
    /// holds a [`Snapshot`].
    pub fn unreadable(&self, why: TableError) -> ModelError {
        if let TableError::Damaged(_) = why {
            self.follower.distrust(&why);
        }
        why.into()
    }

    /// The digest of a game, from the keyspace; `None` if it has none yet.
    ///
    /// # Errors
    /// The keyspace is damaged.
    pub fn get(&self, game: LogId) -> Result<Option<Digest>, ModelError> {
        Ok(self.follower.stored(game)?.map(|(digest, _)| digest))
    }

    /// The actions of a game, as records write them; `None` if it has no digest yet.
    ///
    /// # Errors
    /// The keyspace is damaged.
    pub fn words(&self, game: LogId) -> Result<Option<Vec<Box<str>>>, ModelError> {
        Ok(self.follower.stored_plies(game)?.map(|digest| digest.words))
    }
}

impl Drop for Digests {
    fn drop(&mut self) {
        self.follower.pace.stop();
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            if thread.join().is_err() {
                tracing::error!("the digests ended in a panic");
            }
        }
    }
}
