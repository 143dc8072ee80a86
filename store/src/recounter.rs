//! Counts keyspaces in the background that a killed process left, to find out whether sled lost anything.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::keyspace::Keyspace;
use crate::let_others_go_first;

/// How long it counts before it rests for as long, so that it takes half a core at most.
const TURN: Duration = Duration::from_millis(10);

/// The thread that counts. Dropping it ends the thread within moments.
pub(crate) struct Recounter {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    work: Mutex<Work>,
    changed: Condvar,
}

#[derive(Default)]
struct Work {
    keyspaces: Vec<Keyspace>,
    is_ending: bool,
}

impl Recounter {
    /// Starts with the keyspace of the index; without a thread, nothing is counted.
    pub(crate) fn start(index: Keyspace) -> Self {
        let shared = Arc::new(Shared::default());
        shared.work().keyspaces.push(index);
        let counting = Arc::clone(&shared);
        let thread = thread::Builder::new().name("plybook-recount".to_owned()).spawn(move || counting.run());
        if let Err(why) = &thread {
            tracing::warn!(%why, "the index is not counted");
        }
        Self { shared, thread: thread.ok() }
    }

    /// Counts another keyspace, too.
    pub(crate) fn push(&self, keyspace: Keyspace) {
        self.shared.work().keyspaces.push(keyspace);
        self.shared.changed.notify_all();
    }
}

impl Drop for Recounter {
    fn drop(&mut self) {
        self.shared.work().is_ending = true;
        self.shared.changed.notify_all();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that counts the index panicked");
        }
    }
}

impl Shared {
    fn run(&self) {
        let_others_go_first();
        while let Some(keyspace) = self.next() {
            let mut begun = Instant::now();
            loop {
                match keyspace.recount() {
                    Ok(None) => {}
                    Ok(Some(true)) => break,
                    Ok(Some(false)) => {
                        tracing::error!("the index has lost something, and is made again at the next start");
                        keyspace.database().distrust();
                        break;
                    }
                    Err(why) => {
                        tracing::error!(%why, "the index cannot be counted, and is examined at the next start");
                        break;
                    }
                }
                if begun.elapsed() >= TURN {
                    if !self.rest(begun.elapsed()) {
                        return;
                    }
                    begun = Instant::now();
                }
            }
        }
    }

    /// The next keyspace to count; waits for one. `None` at the end.
    fn next(&self) -> Option<Keyspace> {
        let waiting = |work: &mut Work| work.keyspaces.is_empty() && !work.is_ending;
        let waited = self.changed.wait_while(self.work(), waiting);
        let mut work = waited.unwrap_or_else(PoisonError::into_inner);
        if work.is_ending { None } else { work.keyspaces.pop() }
    }

    /// Waits; whether to go on then.
    fn rest(&self, time: Duration) -> bool {
        let waited = self.changed.wait_timeout_while(self.work(), time, |work| !work.is_ending);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_ending
    }

    fn work(&self) -> std::sync::MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
