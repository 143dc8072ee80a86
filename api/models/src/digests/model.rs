//! The digests, as queries use them.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, RwLockReadGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use plybook_events::LogId;
use plybook_store::{ModelFiles, Store};

use super::digested::DigestedGames;
use super::follower::Follower;
use super::kinds::KindDigests;
use crate::catalogue::{Catalogue, Contents};
use crate::error::ModelError;

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
    /// Starts the thread that loads what was saved and follows the journal, and one that merges runs.
    ///
    /// # Errors
    /// The folders of the tables cannot be made.
    pub fn open(store: &Store, catalogue: &Arc<Catalogue>) -> Result<Self, ModelError> {
        Ok(Self::open_with(store, catalogue, DigestedGames::open(store)?))
    }

    pub(super) fn open_with(store: &Store, catalogue: &Arc<Catalogue>, digested: DigestedGames) -> Self {
        let follower = Arc::new(Follower::new(store, catalogue, digested));
        let (running, merging) = (Arc::clone(&follower), Arc::clone(&follower));
        let threads = vec![thread::spawn(move || running.run()), thread::spawn(move || merging.merge_runs())];
        Self { follower, threads }
    }

    /// The models, once every event recorded so far is applied, or after five seconds.
    pub fn ask(&self) -> Snapshot<'_> {
        self.follower.watermark.wait(WAIT);
        self.now()
    }

    /// The models as they are now.
    pub fn now(&self) -> Snapshot<'_> {
        let recorded = self.follower.watermark.recorded();
        let known = self.follower.catalogue.known();
        let kinds = self.follower.digested.kinds();
        // Nothing is forgotten while they are held, and what is forgotten before does not count as applied.
        let pending = recorded.saturating_sub(self.follower.watermark.position());
        Snapshot { known, kinds, pending }
    }

    /// The number of events that were recorded and are not counted yet.
    pub fn pending(&self) -> u64 {
        self.follower.watermark.pending()
    }

    /// Merges some runs at once, and returns whether there were any to merge.
    #[cfg(test)]
    pub(super) fn merge(&self) -> bool {
        self.follower.merge().expect("the disk takes it")
    }

    /// The actions of a game, as records write them; `None` if it is not counted, or not yet.
    pub fn words(&self, game: LogId) -> Option<Vec<Box<str>>> {
        let models = self.now();
        let (kind, number) = models.known.games.place(game)?;
        models.kind(kind)?.positions.words(number)
    }

    /// The problem with a run that could not be read. If it is damaged, the positions are made again. Do not call while holding a
    /// [`Snapshot`]: deadlocks.
    pub fn unreadable(&self, why: io::Error) -> ModelError {
        if ModelFiles::is_damage(&why) {
            self.follower.distrust(&why);
        }
        why.into()
    }
}

impl Drop for Digests {
    fn drop(&mut self) {
        self.follower.watermark.stop();
        for thread in self.threads.drain(..) {
            thread.thread().unpark();
            if thread.join().is_err() {
                tracing::error!("the digests ended in a panic");
            }
        }
    }
}
