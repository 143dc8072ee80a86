//! What is done for closed segments in the background: they are compressed, and read again from time to time.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::closed::Closed;
use super::{FileJournal, JournalError, fresh_name};
use crate::{disk, operator};

/// How closed segments are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upkeep {
    /// Whether they are compressed.
    pub compresses: bool,
    /// How fast they are read again, in bytes of text a second; 0 if they are not.
    pub scrub_bytes_s: u64,
    /// How long a segment is left alone after it was read.
    pub scrub_every: Duration,
}

/// How far that is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpkeepProgress {
    /// The number of closed segments, and how many of them are compressed.
    pub segments: u64,
    /// See `segments`.
    pub compressed: u64,
    /// The number of bytes of text that were read again, to look for damage, since the start.
    pub scrubbed_bytes: u64,
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
    upkeep: Upkeep,
    shared: Arc<Shared>,
    report: Report,
    progress: UpkeepProgress,
    /// When segments may be compressed again, after the disk was full.
    compresses_at: Option<Instant>,
    /// Segments that are left alone until then; if there is no time, until the next start.
    left_alone: BTreeMap<u64, Option<Instant>>,
}

impl Keeper {
    pub(crate) fn start(journal: Arc<FileJournal>, upkeep: Upkeep, report: Report) -> std::io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let progress = UpkeepProgress::default();
        let work = Work {
            journal,
            upkeep,
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

    /// Does the next thing; whether there was one.
    fn step(&mut self) -> bool {
        let is_past = |at: Option<Instant>| at.is_some_and(|at| Instant::now() >= at);
        let is_wanted = |first: u64| self.left_alone.get(&first).is_none_or(|until| is_past(*until));
        let compresses = self.upkeep.compresses && (self.compresses_at.is_none() || is_past(self.compresses_at));
        if let Some(first) = self.journal.unfinished(compresses, is_wanted) {
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
                self.journal.read_again(first, &mut pace)
            };
            self.conclude(first, compresses, done);
            return true;
        }
        let every = i64::try_from(self.upkeep.scrub_every.as_millis()).unwrap_or(i64::MAX);
        let now = operator::now().as_millis();
        // What was read in the future was read by a wrong clock.
        let is_old = |closed: &Closed| closed.read_at < now.saturating_sub(every) || closed.read_at > now;
        let is_due = |closed: &Closed| is_old(closed) && is_wanted(closed.first);
        let due = self.journal.closed().into_iter().filter(is_due).min_by_key(|closed| closed.read_at);
        let Some(due) = due.filter(|_| self.upkeep.scrub_bytes_s > 0) else { return false };
        let (shared, speed) = (Arc::clone(&self.shared), self.upkeep.scrub_bytes_s);
        let (mut read, mut waited) = (0, 0);
        let mut pace = |bytes: u64| {
            read += bytes;
            let time = Duration::from_secs_f64((read - waited) as f64 / speed as f64);
            if time < TURN {
                return true;
            }
            waited = read;
            shared.wait(time)
        };
        let done = self.journal.read_again(due.first, &mut pace);
        self.progress.scrubbed_bytes += read;
        self.conclude(due.first, false, done);
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
