//! What is done for closed segments in the background: they are read once, and compressed.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{FileJournal, JournalError, fresh_name};
use crate::disk;

/// How far that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpkeepProgress {
    /// The number of closed segments, and how many of them are compressed.
    pub segments: u64,
    /// See `segments`.
    pub compressed: u64,
    /// What was found to be wrong, in the order in which it was found.
    pub damages: Vec<String>,
}

/// How long a segment is left alone that could not be read or compressed, and all of them after the disk was full.
const RETRY: Duration = Duration::from_secs(600);

/// How long the thread waits for a segment to be closed before it looks again.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long it works at least before it rests.
const TURN: Duration = Duration::from_millis(20);

/// The thread that does it. Dropping it ends the thread within moments: what is half done is done again.
pub(crate) struct Keeper {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    is_ending: Mutex<bool>,
    ending: Condvar,
}

/// Told of every change.
type Report = Box<dyn Fn(&UpkeepProgress) + Send>;

struct Work {
    journal: Arc<FileJournal>,
    compresses: bool,
    shared: Arc<Shared>,
    report: Report,
    progress: UpkeepProgress,
    /// When segments may be compressed again, after the disk was full.
    compresses_at: Option<Instant>,
    /// Segments that are left alone until then; if there is no time, until the next start.
    left_alone: BTreeMap<u64, Option<Instant>>,
}

impl Keeper {
    pub(crate) fn start(journal: Arc<FileJournal>, compresses: bool, report: Report) -> std::io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let progress = UpkeepProgress::default();
        let work = Work {
            journal,
            compresses,
            shared: Arc::clone(&shared),
            report,
            progress,
            compresses_at: None,
            left_alone: BTreeMap::new(),
        };
        let thread = thread::Builder::new().name("plybook-segments".to_owned()).spawn(move || work.run())?;
        Ok(Self { shared, thread: Some(thread) })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        *self.shared.is_ending.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.ending.notify_all();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread that keeps closed segments panicked");
        }
    }
}

impl Shared {
    /// Waits; whether to go on then.
    fn wait(&self, time: Duration) -> bool {
        let is_ending = self.is_ending.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ending.wait_timeout_while(is_ending, time, |is_ending| !*is_ending);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Work {
    fn run(mut self) {
        self.tell();
        while self.shared.wait(Duration::ZERO) {
            if !self.step() && !self.shared.wait(PATIENCE) {
                return;
            }
        }
    }

    /// Reads or compresses the next segment; whether there was one.
    fn step(&mut self) -> bool {
        let is_past = |at: Option<Instant>| at.is_some_and(|at| Instant::now() >= at);
        let is_wanted = |first: u64| self.left_alone.get(&first).is_none_or(|until| is_past(*until));
        let compresses = self.compresses && (self.compresses_at.is_none() || is_past(self.compresses_at));
        let Some(first) = self.journal.unfinished(compresses, is_wanted) else { return false };
        let shared = Arc::clone(&self.shared);
        let mut last = Instant::now();
        // Half of the time it rests, so that it takes half a core at most.
        let mut pace = |_| {
            if last.elapsed() < TURN {
                return true;
            }
            let goes_on = shared.wait(last.elapsed());
            last = Instant::now();
            goes_on
        };
        let done = if compresses {
            self.journal.compress(first, &mut pace)
        } else {
            self.journal.read_closed(first, &mut pace)
        };
        self.conclude(first, compresses, done);
        true
    }

    fn conclude(&mut self, first: u64, compressed: bool, done: Result<bool, JournalError>) {
        match done {
            Ok(true) if compressed => tracing::info!(first, "a segment of the journal was compressed"),
            Ok(_) => {}
            Err(why) if is_damage(&why, first) => {
                tracing::error!(%why, "a segment of the journal is damaged: `plybook doctor` says what is affected");
                self.left_alone.insert(first, None);
                self.progress.damages.push(why.to_string());
            }
            Err(why) => {
                tracing::warn!(%why, "a segment cannot be read or compressed now, and is left alone for a while");
                let later = Instant::now() + RETRY;
                match why {
                    JournalError::Io { source, .. } if source.kind() == ErrorKind::StorageFull => {
                        self.compresses_at = Some(later);
                    }
                    _ => drop(self.left_alone.insert(first, Some(later))),
                }
            }
        }
        self.tell();
    }

    fn tell(&mut self) {
        (self.progress.segments, self.progress.compressed) = self.journal.closed_counts();
        (self.report)(&self.progress);
    }
}

/// Whether a segment is wrong or gone, rather than the disk unable at the moment, or what was written of it.
fn is_damage(why: &JournalError, first: u64) -> bool {
    match why {
        JournalError::Damaged { .. } | JournalError::Missing { .. } => true,
        JournalError::Io { path, source } => disk::is_loss(source) && !path.ends_with(fresh_name(first)),
        JournalError::ReadOnly
        | JournalError::Conflict { .. }
        | JournalError::TooLarge { .. }
        | JournalError::Pending
        | JournalError::OtherVersion { .. }
        | JournalError::Stream(_) => false,
    }
}
