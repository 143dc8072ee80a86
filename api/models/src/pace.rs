//! How far a read model has followed the journal on its own thread, and waiting for it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use plybook_store::Log;

use super::known::Catalogue;

/// How long a follower waits for a signal before it checks the journal anyway.
const PATIENCE: Duration = Duration::from_millis(200);

/// The progress of a follower of the journal.
pub(super) struct Pace {
    log: Log,
    progress: Mutex<Progress>,
    changed: Condvar,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Progress {
    /// The journal position of the next event to apply.
    position: u64,
    /// Whether the thread has ended, so that nothing more will be applied.
    is_stuck: bool,
}

impl Pace {
    pub fn new(log: &Log) -> Self {
        let (progress, changed, is_over) = (Mutex::default(), Condvar::new(), AtomicBool::new(false));
        Self { log: log.clone(), progress, changed, is_over }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the follower to read the journal.
    pub fn wake(&self) {
        self.changed.notify_all();
    }

    /// Tells the follower to end.
    pub fn stop(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        drop(self.progress());
        self.wake();
    }

    /// Whether the follower was told to end.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// The journal position of the next event to apply.
    pub fn position(&self) -> u64 {
        self.progress().position
    }

    /// Notes that all events before this position are applied.
    pub fn reach(&self, position: u64) {
        self.progress().position = position;
        self.wake();
    }

    /// Notes that nothing more will be applied.
    pub fn give_up(&self) {
        self.progress().is_stuck = true;
        self.wake();
    }

    /// The number of recorded events that have not been applied.
    pub fn pending(&self) -> u64 {
        self.log.len().saturating_sub(self.progress().position)
    }

    /// Waits until every event recorded so far is applied, for at most this long.
    pub fn wait(&self, at_most: Duration) {
        let wanted = self.log.len();
        let until = Instant::now() + at_most;
        let mut progress = self.progress();
        // The follower may have been woken just before it began to wait.
        self.wake();
        while progress.position < wanted && !progress.is_stuck {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            progress = self.changed.wait_timeout(progress, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for events that the catalogue has applied and the follower has not, and returns their positions;
    /// `None` once the follower is told to end.
    pub fn next(&self, catalogue: &Catalogue) -> Option<Range<u64>> {
        let mut progress = self.progress();
        loop {
            if self.is_over() {
                return None;
            }
            let end = catalogue.known().position;
            if progress.position < end {
                return Some(progress.position..end);
            }
            let waited = self.changed.wait_timeout(progress, PATIENCE);
            progress = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
