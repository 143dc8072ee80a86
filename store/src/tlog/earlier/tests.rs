use std::fs;
use std::path::Path;
use std::time::Instant;

use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_tlog::Quorum;

use super::*;
use crate::Store;
use crate::journal::{FileJournal, Journal};
use crate::store::Options;
use crate::tlog::Tlog;

const EVENTS: u64 = 1_000;

fn event(n: u64, action: &str) -> Vec<u8> {
    event_of(LogId::from_bytes(u128::from(n).to_be_bytes()), n as i64, action)
}

/// The first event of a log.
pub(in crate::tlog) fn event_of(log: LogId, at_ms: i64, action: &str) -> Vec<u8> {
    let at = Timestamp::from_millis(at_ms).unwrap();
    let body = Body::Acted(Acted { action: action.to_owned(), clock_ms: None, fair: false });
    let event =
        Event { at, by: By::Seat(1), log, prev: Hash::ZERO, seq: 0, body, who: None, signature: None, request: None };
    event.to_bytes().unwrap()
}

fn store(dir: &Path) -> Store {
    Store::open(dir, &Options::DEFAULT, &mut |_, _| ()).unwrap()
}

fn start(dir: &Path, store: &Store, last: u64) -> Result<Tlog, TlogError> {
    Tlog::start_with(dir, store.log(), None, Quorum::default(), last)
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn filled(dir: &Path) {
    let store = store(dir);
    for n in 0..EVENTS {
        store.log().append(LogId::from_bytes(u128::from(n).to_be_bytes()), None, vec![event(n, "a")]).unwrap();
    }
    let tlog = start(dir, &store, u64::MAX).unwrap();
    wait_until("a checkpoint covers it", || tlog.signed().checkpoint.size == EVENTS);
}

#[test]
fn a_tile_that_is_lost_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    filled(dir.path());
    let tile = dir.path().join("tlog/tile/1/000.p/3");
    let whole = fs::read(&tile).unwrap();
    for damaged in [None, Some(vec![0; whole.len()])] {
        match damaged {
            None => fs::remove_file(&tile).unwrap(),
            Some(bytes) => fs::write(&tile, bytes).unwrap(),
        }
        let store = store(dir.path());
        let tlog = start(dir.path(), &store, 300).unwrap();
        wait_until("the tile is there again", || fs::read(&tile).is_ok_and(|bytes| bytes == whole));
        assert!(!tlog.is_refused());
    }
}

/// Somebody who can write everything makes a journal that is whole: what stands before the last events is found after the
/// start, and no checkpoint covers it.
#[test]
fn a_change_at_the_beginning_is_found_after_the_start_and_never_signed() {
    for (changed, is_early) in [(5, true), (EVENTS - 200, false)] {
        let dir = tempfile::tempdir().unwrap();
        filled(dir.path());
        for gone in ["journal", "sled"] {
            fs::remove_dir_all(dir.path().join(gone)).unwrap();
        }
        let journal = FileJournal::open(&dir.path().join("journal"), 1 << 20).unwrap();
        for n in 0..EVENTS {
            journal.append(journal.len(), &[event(n, if n == changed { "b" } else { "a" }).into()]).unwrap();
        }
        drop(journal);
        let store = store(dir.path());
        let started = start(dir.path(), &store, 300);
        if !is_early {
            assert!(matches!(started, Err(TlogError::Changed { events: Some(at), .. }) if at.contains(&changed)));
            continue;
        }
        let tlog = started.unwrap();
        wait_until("the change is found", || tlog.is_refused());
        let late = LogId::from_bytes([9; 16]);
        store.log().append(late, None, vec![event_of(late, 9, "late")]).unwrap();
        tlog.close();
        assert_eq!(tlog.signed().checkpoint.size, EVENTS);
        assert!(
            matches!(start(dir.path(), &store, u64::MAX), Err(TlogError::Changed { events: Some(at), .. }) if at == (0..=255))
        );
    }
}
