//! A follower's watermark: how far a read model has followed the journal on its own thread, and waiting for it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plybook_store::Log;

use super::catalogue::Catalogue;
use super::error::ModelError;

/// How often a follower polls the journal, unless somebody waits for it: appends wake nobody.
const POLL: Duration = Duration::from_millis(10);

/// How long a follower waits for a writer that has recorded events and has not applied them.
const WRITER: Duration = Duration::from_micros(50);

/// How long a follower waits when a stream with the journal cannot be read.
const STREAM_REST: Duration = Duration::from_secs(1);

/// The progress of a follower of the journal.
pub(super) struct Watermark {
    log: Log,
    progress: Mutex<Progress>,
    changed: Condvar,
    poll: Duration,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Progress {
    /// The journal position of the next event to apply.
    position: u64,
    /// The position that somebody waits for, or has waited for.
    wanted: u64,
    /// Whether the thread has ended, so that nothing more will be applied.
    is_stuck: bool,
    /// Whether what was applied is not to be trusted, so that it counts for nothing.
    is_distrusted: bool,
}

impl Watermark {
    pub fn new(log: &Log) -> Self {
        let (progress, changed, is_over) = (Mutex::default(), Condvar::new(), AtomicBool::new(false));
        Self { log: log.clone(), progress, changed, poll: POLL, is_over }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the follower to end.
    pub fn stop(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        drop(self.progress());
        self.changed.notify_all();
    }

    /// Has a follower follow until it is told to end, and go on after a stream with the journal could not be read. `who` names
    /// what it follows for.
    ///
    /// # Errors
    /// Any other error of `follow`.
    pub fn keep_on(&self, who: &str, mut follow: impl FnMut() -> Result<(), ModelError>) -> Result<(), ModelError> {
        loop {
            match follow() {
                Err(why) if why.is_passing() && !self.is_over() => {
                    tracing::warn!(%why, "{who} wait for the journal");
                    thread::sleep(STREAM_REST);
                }
                followed => return followed,
            }
        }
    }

    /// Whether the follower was told to end.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::SeqCst)
    }

    /// The journal position of the next event to apply.
    pub fn position(&self) -> u64 {
        self.progress().position
    }

    /// Notes that all events before this position are applied, unless that has been distrusted meanwhile.
    pub fn reach(&self, position: u64) {
        let mut progress = self.progress();
        if !progress.is_distrusted {
            progress.position = position;
        }
        drop(progress);
        self.changed.notify_all();
    }

    /// Notes that what was applied is not to be trusted: it counts for nothing until the follower [begins
    /// anew](Self::begin_anew).
    pub fn distrust(&self) {
        let mut progress = self.progress();
        (progress.is_distrusted, progress.position) = (true, 0);
        drop(progress);
        self.changed.notify_all();
    }

    /// Whether what was applied is not to be trusted.
    pub fn is_distrusted(&self) -> bool {
        self.progress().is_distrusted
    }

    /// Notes that the follower has forgotten everything, and applies all events again.
    pub fn begin_anew(&self) {
        self.progress().is_distrusted = false;
    }

    /// Notes that nothing more will be applied.
    pub fn give_up(&self) {
        self.progress().is_stuck = true;
        self.changed.notify_all();
    }

    /// The number of events in the journal.
    pub fn recorded(&self) -> u64 {
        self.log.len()
    }

    /// The number of recorded events that have not been applied.
    pub fn pending(&self) -> u64 {
        self.recorded().saturating_sub(self.position())
    }

    /// Waits until every event recorded so far is applied, for at most this long.
    pub fn wait(&self, at_most: Duration) {
        let wanted = self.log.len();
        let until = Instant::now() + at_most;
        let mut progress = self.progress();
        if progress.position < wanted {
            progress.wanted = wanted.max(progress.wanted);
            self.changed.notify_all();
        }
        while progress.position < wanted && !progress.is_stuck {
            let Some(left) = until.checked_duration_since(Instant::now()) else { break };
            progress = self.changed.wait_timeout(progress, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Waits for events that the catalogue has applied and the follower has not; returns their positions, or `None` once the
    /// follower is asked to end.
    pub fn next(&self, catalogue: &Catalogue) -> Option<Range<u64>> {
        loop {
            let is_idle = |progress: &mut Progress| progress.wanted <= progress.position && !self.is_over();
            let waited = self.changed.wait_timeout_while(self.progress(), self.poll, is_idle);
            let start = waited.unwrap_or_else(PoisonError::into_inner).0.position;
            if self.is_over() {
                return None;
            }
            let end = catalogue.known().position;
            if start < end {
                return Some(start..end);
            }
            // Who waits may be ahead of the writer, which is about to apply events.
            thread::sleep(WRITER);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plybook_events::body::PlayerCreated;
    use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
    use plybook_store::{ReadError, Store, StreamError};

    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    struct House {
        store: Store,
        catalogue: Arc<Catalogue>,
        watermark: Watermark,
    }

    impl House {
        /// A follower polls so often.
        fn with(poll: Duration) -> Self {
            let store = Store::in_memory().unwrap();
            let catalogue = Catalogue::open(&store).unwrap();
            let watermark = Watermark { poll, ..Watermark::new(store.log()) };
            Self { store, catalogue, watermark }
        }

        fn record(&self, log: u8) {
            let log = LogId::from_bytes([log; 16]);
            let body = Body::PlayerCreated(PlayerCreated { name: "Ada".to_owned() });
            let at = Timestamp::from_millis(1_790_000_000_000).unwrap();
            let event = Event {
                at,
                by: By::Service,
                log,
                prev: Hash::ZERO,
                seq: 0,
                body,
                who: None,
                signature: None,
                request: None,
            };
            self.store.log().append(log, None, vec![event.to_bytes().unwrap()]).unwrap();
        }

        /// Follows the journal until told to end; returns what was applied at once.
        fn follow(&self) -> Vec<Range<u64>> {
            let applied = std::iter::from_fn(|| {
                let events = self.watermark.next(&self.catalogue)?;
                self.watermark.reach(events.end);
                Some(events)
            });
            applied.collect()
        }
    }

    #[test]
    fn what_is_recorded_between_two_polls_is_applied_at_once() {
        let house = House::with(Duration::from_millis(20));
        house.record(1);
        house.record(2);
        assert_eq!(house.watermark.next(&house.catalogue), Some(0..2));
    }

    #[test]
    fn who_waits_need_not_wait_for_the_next_poll() {
        let house = House::with(HOUR);
        thread::scope(|scope| {
            let following = scope.spawn(|| house.follow());
            for log in 1..=3 {
                house.record(log);
                house.watermark.wait(Duration::from_secs(60));
                assert_eq!(house.watermark.position(), u64::from(log));
            }
            house.watermark.stop();
            assert_eq!(following.join().unwrap(), [0..1, 1..2, 2..3]);
        });
    }

    #[test]
    fn a_follower_waits_for_servers_and_for_nothing_else() {
        let house = House::with(Duration::ZERO);
        let away = || {
            let unanswered = StreamError::Unanswered { stream: "games".to_owned(), why: "no leader".to_owned() };
            Err(ReadError::Journal(unanswered.into()).into())
        };
        let answers = || [Err(std::io::Error::other("it is gone").into()), Ok(()), away()];
        let mut left = answers().into_iter().rev();
        house.watermark.keep_on("tests", || left.next().unwrap()).unwrap();
        assert!(matches!(house.watermark.keep_on("tests", || left.next().unwrap()), Err(ModelError::Io(_))));
        house.watermark.stop();
        let mut left = answers().into_iter().rev();
        assert!(house.watermark.keep_on("tests", || left.next().unwrap()).is_err_and(|why| why.is_passing()));
        assert_eq!(left.len(), 2, "a thread that should end does not wait");
    }

    #[test]
    fn what_is_distrusted_while_it_is_applied_counts_for_nothing() {
        let house = House::with(Duration::ZERO);
        house.record(1);
        let events = house.watermark.next(&house.catalogue).unwrap();
        house.watermark.distrust();
        house.watermark.reach(events.end);
        assert_eq!(house.watermark.position(), 0);
        assert_eq!(house.watermark.next(&house.catalogue), Some(0..1));
        assert!(house.watermark.is_distrusted());
        house.watermark.begin_anew();
        house.watermark.reach(events.end);
        assert_eq!((house.watermark.position(), house.watermark.is_distrusted()), (1, false));
    }
}
