//! One contract for every journal: in files, in memory, and in a stream on one NATS server and on three.

use std::fs;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use plybook_events::EVENT_BYTES_MAX;
use plybook_store::{
    CopyError, EventBytes, FileJournal, JetStreamJournal, Journal, JournalError, MemoryJournal, check_journal,
    copy_journal,
};
use tempfile::TempDir;

use crate::nats::Nats;
use crate::support::{events, log_id, streams};

/// Segments this small are closed again and again.
const SEGMENT_BYTES: u64 = 2_000;

/// Where a journal is, so that it can be opened again.
pub enum Place {
    Files(TempDir),
    Memory(Arc<MemoryJournal>),
    Stream(Nats),
}

impl Place {
    /// One of each kind; streams only with `tests/run all`.
    fn all() -> impl Iterator<Item = Self> {
        let places = [Self::Files(tempfile::tempdir().unwrap()), Self::Memory(Arc::default())];
        places.into_iter().chain(streams().map(|servers| Self::Stream(Nats::start(servers))))
    }

    pub fn open(&self) -> Arc<dyn Journal> {
        match self {
            Self::Files(dir) => Arc::new(FileJournal::open(&dir.path().join("journal"), SEGMENT_BYTES).unwrap()),
            Self::Memory(journal) => journal.clone(),
            Self::Stream(nats) => Arc::new(JetStreamJournal::create(&nats.address("games"), &nats.access()).unwrap()),
        }
    }

    /// Makes appends fail until [`mend`](Self::mend).
    fn break_it(&mut self) {
        match self {
            Self::Files(dir) => fs::rename(dir.path().join("journal"), dir.path().join("away")).unwrap(),
            Self::Memory(_) => {}
            Self::Stream(nats) => (0..nats.count()).for_each(|n| nats.kill(n)),
        }
    }

    fn mend(&mut self) {
        match self {
            Self::Files(dir) => fs::rename(dir.path().join("away"), dir.path().join("journal")).unwrap(),
            Self::Memory(_) => {}
            Self::Stream(nats) => {
                (0..nats.count()).for_each(|n| nats.run(n));
                nats.wait();
            }
        }
    }
}

pub fn event(n: u64) -> EventBytes {
    format!("{{\"at\":\"{n}\",\"text\":\"{}\",\"v\":1}}", "é".repeat((n % 40) as usize)).into_bytes().into()
}

/// Appends groups of 1, 2, … 7 events, and again, until there are at least this many.
pub fn fill(journal: &dyn Journal, until: u64) {
    for len in (1..=7).cycle() {
        let at = journal.len();
        if at >= until {
            return;
        }
        let group: Vec<EventBytes> = (at..at + len).map(event).collect();
        journal.append(at, &group).unwrap();
    }
}

/// The events from a position on, at most `limit`, however many reads they take. Each gives at least one, and no more than it may.
pub fn read(journal: &dyn Journal, from: u64, limit: usize) -> Vec<String> {
    let mut events = Vec::new();
    while events.len() < limit {
        let page = journal.read(from + events.len() as u64, limit - events.len()).unwrap();
        if page.is_empty() {
            break;
        }
        events.extend(page.into_iter().map(|event| String::from_utf8(event.to_vec()).unwrap()));
    }
    assert!(events.len() <= limit);
    events
}

/// Those of [`event`].
pub fn made(positions: Range<u64>) -> Vec<String> {
    positions.map(|n| String::from_utf8(event(n).to_vec()).unwrap()).collect()
}

/// An event of the largest size.
pub(crate) fn large(letter: char) -> EventBytes {
    let text = letter.to_string().repeat(EVENT_BYTES_MAX - 15);
    format!("{{\"at\":\"{text}\",\"v\":1}}").into_bytes().into()
}

#[test]
fn what_was_appended_is_read_in_order_and_byte_for_byte() {
    for place in Place::all() {
        let journal = place.open();
        assert!(journal.is_empty() && journal.read(0, 9).unwrap().is_empty());
        fill(&*journal, 100);
        let len = journal.len();
        assert_eq!(read(&*journal, 0, usize::MAX), made(0..len));
        for from in 0..=len {
            for limit in [1, 2, 9] {
                let until = len.min(from + limit);
                assert_eq!(read(&*journal, from, limit as usize), made(from..until), "{limit} from {from}");
            }
        }
    }
}

#[test]
fn a_read_has_bounds() {
    for place in Place::all() {
        let journal = place.open();
        fill(&*journal, 10);
        assert!(journal.read(0, 0).unwrap().is_empty());
        assert!(journal.read(journal.len(), 5).unwrap().is_empty());
        assert!(journal.read(u64::MAX, usize::MAX).unwrap().is_empty());
        assert_eq!(journal.read(journal.len() - 1, usize::MAX).unwrap(), [event(journal.len() - 1)]);
    }
}

#[test]
fn an_append_is_there_as_a_whole_or_not() {
    for place in Place::all() {
        let journal = place.open();
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    let len = journal.len();
                    assert_eq!(len % 5, 0, "part of an append is seen");
                    if len > 0 {
                        assert_eq!(read(&*journal, len - 5, 5).len(), 5);
                    }
                }
            });
            for at in (0..200).step_by(5) {
                journal.append(at, &(at..at + 5).map(event).collect::<Vec<_>>()).unwrap();
            }
            is_done.store(true, Ordering::Relaxed);
        });
        assert_eq!(journal.len(), 200);
    }
}

#[test]
fn what_was_acknowledged_is_there_after_opening_again() {
    for place in Place::all() {
        let mut len = 0;
        for until in [1, 30, 90] {
            let journal = place.open();
            assert_eq!(journal.len(), len);
            fill(&*journal, until);
            len = journal.len();
        }
        assert_eq!(read(&*place.open(), 0, usize::MAX), made(0..len));
    }
}

#[test]
fn an_append_that_does_not_follow_the_end_is_refused_and_harms_nothing() {
    for place in Place::all() {
        let journal = place.open();
        fill(&*journal, 10);
        let len = journal.len();
        for at in [0, len - 1, len + 1, u64::MAX] {
            let refused = journal.append(at, &[event(1)]);
            assert!(
                matches!(refused, Err(JournalError::Conflict { at: a, len: l }) if (a, l) == (at, len)),
                "{refused:?}"
            );
        }
        assert_eq!(journal.len(), len);
        journal.append(len, &[event(len)]).unwrap();
        assert_eq!(read(&*journal, len - 1, 9), made(len - 1..len + 1));
    }
}

#[test]
fn events_of_the_largest_size_are_appended_together() {
    for place in Place::all() {
        let journal = place.open();
        let group: Vec<EventBytes> = ('a'..='h').map(large).collect();
        journal.append(0, &group).unwrap();
        assert!(journal.read(0, 99).unwrap() == group);
        assert!(place.open().read(7, 99).unwrap() == group[7..]);
    }
}

#[test]
fn after_a_failure_nothing_is_written_until_it_is_opened_again() {
    for mut place in Place::all() {
        if matches!(place, Place::Memory(_)) {
            // Nothing makes it fail.
            continue;
        }
        let journal = place.open();
        // More than a segment.
        fill(&*journal, 100);
        let len = journal.len();
        place.break_it();
        let failed = (0..100).map(|n| journal.append(len + n, &[event(len + n)])).find_map(Result::err);
        assert!(matches!(failed, Some(JournalError::ReadOnly)), "{failed:?}");
        let acknowledged = journal.len();
        place.mend();
        let refused = journal.append(acknowledged, &[event(0)]);
        assert!(matches!(refused, Err(JournalError::ReadOnly | JournalError::Pending)), "{refused:?}");
        assert_eq!(journal.read(len - 1, 1).unwrap(), [event(len - 1)]);
        drop(journal);
        let journal = place.open();
        // The one that failed may have been written.
        assert!((acknowledged..=acknowledged + 1).contains(&journal.len()), "{} after {acknowledged}", journal.len());
        fill(&*journal, 200);
        assert_eq!(read(&*journal, 0, usize::MAX), made(0..journal.len()));
    }
}

/// The events of a log of 30.
fn log(n: u64) -> Vec<EventBytes> {
    events(log_id(n), None, &["a"; 30]).into_iter().map(EventBytes::from).collect()
}

#[test]
fn a_copy_goes_every_way_and_goes_on_where_it_stopped() {
    let mut games = Vec::new();
    for n in 0..20 {
        games.extend(log(n));
    }
    let source = MemoryJournal::default();
    source.append(0, &games).unwrap();
    let mut known = None;
    for place in Place::all() {
        let target = place.open();
        // As if a copy had been interrupted.
        target.append(0, &games[..77]).unwrap();
        let (mut last, mut calls) = ((0, 0), 0);
        let contents = copy_journal(&source, &*target, &mut |done, total| {
            assert!(done >= last.0);
            (last, calls) = ((done, total), calls + 1);
        });
        let contents = contents.unwrap();
        assert_eq!((last, contents.events, contents.logs), ((600, 600), 600, 20));
        assert!(calls > 0);
        // And back.
        let back = MemoryJournal::default();
        assert_eq!(copy_journal(&*target, &back, &mut |_, _| ()).unwrap(), contents);
        assert!(back.read(0, usize::MAX).unwrap() == games);
        // Once more, there is nothing to do.
        assert_eq!(copy_journal(&source, &*place.open(), &mut |_, _| ()).unwrap(), contents);
        assert_eq!(check_journal(&*target, &mut |_, _| ()).unwrap(), contents);
        assert_eq!(*known.get_or_insert(contents), contents);
    }
}

#[test]
fn a_copy_refuses_other_contents_and_a_source_that_is_damaged() {
    let games = log(1);
    let copy = |source: &[EventBytes], target: &[EventBytes]| {
        let (from, to) = (MemoryJournal::default(), MemoryJournal::default());
        from.append(0, source).unwrap();
        to.append(0, target).unwrap();
        let why = copy_journal(&from, &to, &mut |_, _| ()).unwrap_err();
        assert!(why.is_finding());
        (why, to.read(0, usize::MAX).unwrap())
    };
    let other = log(2)[..3].to_vec();
    let (why, left) = copy(&games, &other);
    assert!(matches!(why, CopyError::Other { events: 3 }), "{why}");
    assert!(left == other);
    let swapped = [games[1].clone(), games[0].clone()];
    assert!(matches!(copy(&games, &swapped).0, CopyError::Other { events: 2 }));
    assert!(matches!(copy(&games[..2], &games).0, CopyError::Longer { target: 30, source_len: 2 }));
    let mut lacking = games.clone();
    lacking.remove(7);
    assert!(matches!(copy(&lacking, &[]).0, CopyError::Chain { position: 7, .. }));
    lacking[3] = EventBytes::from(&b"{}"[..]);
    assert!(matches!(copy(&lacking, &[]).0, CopyError::NotAnEvent { position: 3 }));
}
