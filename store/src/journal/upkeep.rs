//! Compresses closed segments in the background.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{FileJournal, JournalError, fresh_name};
use crate::disk;
use crate::priority::let_others_go_first;

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

/// How long nothing is compressed after the disk refused something.
const RETRY: Duration = Duration::from_secs(600);

/// How long the thread waits for a segment to be closed before it looks again.
const PATIENCE: Duration = Duration::from_secs(1);

/// The thread that does it. Dropping it ends the thread within moments: what is half done is done again.
pub(crate) struct Keeper {
    is_ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Every change is reported to `report`.
    pub(crate) fn start(
        journal: Arc<FileJournal>,
        report: impl Fn(&UpkeepProgress) + Send + 'static,
    ) -> std::io::Result<Self> {
        let is_ending = Arc::<AtomicBool>::default();
        let ending = Arc::clone(&is_ending);
        let run = move || compress_all(&journal, &|| !ending.load(Ordering::Acquire), &report);
        let thread = thread::Builder::new().name("plybook-segments".to_owned()).spawn(run)?;
        Ok(Self { is_ending, thread: Some(thread) })
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.is_ending.store(true, Ordering::Release);
        let Some(thread) = self.thread.take() else { return };
        thread.thread().unpark();
        if thread.join().is_err() {
            tracing::error!("the thread that compresses segments panicked");
        }
    }
}

fn compress_all(journal: &FileJournal, goes_on: &dyn Fn() -> bool, report: &dyn Fn(&UpkeepProgress)) {
    let_others_go_first();
    let (mut progress, mut damaged, mut retry_at) = (UpkeepProgress::default(), BTreeSet::new(), Instant::now());
    let tell = |progress: &mut UpkeepProgress| {
        (progress.segments, progress.compressed) = journal.closed_counts();
        progress.damages = journal.damages();
        report(progress);
    };
    tell(&mut progress);
    while goes_on() {
        let next = journal.uncompressed(|first| !damaged.contains(&first)).filter(|_| Instant::now() >= retry_at);
        let Some(first) = next else {
            if journal.damages() != progress.damages {
                tell(&mut progress);
            }
            thread::park_timeout(PATIENCE);
            continue;
        };
        match journal.compress(first, goes_on) {
            Ok(()) if journal.uncompressed(|segment| segment == first).is_none() => {
                tracing::info!(first, "a segment of the journal was compressed");
            }
            // It was not to go on.
            Ok(()) => {}
            Err(why) if is_damage(&why, first) => {
                tracing::error!(%why, "a segment of the journal is damaged: `plybook doctor` says what is affected");
                journal.note_damage(first, &why);
                damaged.insert(first);
            }
            Err(why) => {
                tracing::warn!(%why, "a segment cannot be compressed now, and is left alone for a while");
                retry_at = Instant::now() + RETRY;
            }
        }
        tell(&mut progress);
    }
}

/// Whether a segment is wrong or gone, rather than the disk unable at the moment, or what was written of it.
fn is_damage(why: &JournalError, first: u64) -> bool {
    match why {
        JournalError::Io { path, source } => disk::is_loss(source) && !path.ends_with(fresh_name(first)),
        why => matches!(why, JournalError::Damaged { .. }),
    }
}
