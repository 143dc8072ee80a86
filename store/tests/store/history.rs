//! Journals that were changed: an index that is whole shows it, and the store opens only if that is accepted.

use std::fs;
use std::path::Path;

use plybook_events::body::HistoryAccepted;
use plybook_events::{Body, By, Event, Hash, LogId};
use plybook_store::{FileJournal, IndexFiles, Journal, OpenError, Options, Store, index_files};

use crate::support::{all_logs, copy_dir, events, log_id, open, push};

/// A store with three logs of ten events, in turn.
fn fill(dir: &Path) {
    let store = open(dir).unwrap();
    for n in 0..30 {
        push(&store, log_id(n % 3), "as it was");
    }
}

/// Writes the journal anew, as somebody who has this program can: whole, and with right checks.
pub fn rewrite(dir: &Path, change: impl Fn(&mut Vec<Vec<u8>>)) {
    let journal = dir.join("journal");
    let old = FileJournal::open(&journal, 20_000).unwrap();
    let mut events: Vec<Vec<u8>> = Vec::new();
    while (events.len() as u64) < old.len() {
        events.extend(old.read(events.len() as u64, 100).unwrap().iter().map(|bytes| bytes.to_vec()));
    }
    drop(old);
    change(&mut events);
    fs::remove_dir_all(&journal).unwrap();
    fs::create_dir(&journal).unwrap();
    let new = FileJournal::open(&journal, 20_000).unwrap();
    for event in events {
        new.append(new.len(), &[event.into()]).unwrap();
    }
}

/// Changes the action of an event, and the hashes of all that follow it in its log.
pub fn change_action(events: &mut [Vec<u8>], at: usize) {
    let changed = Event::parse(&events[at]).unwrap();
    let (mut prev, mut is_first) = (changed.prev, true);
    for bytes in &mut events[at..] {
        let mut event = Event::parse(bytes).unwrap();
        if event.log != changed.log {
            continue;
        }
        if let (true, Body::Acted(acted)) = (is_first, &mut event.body) {
            "as it suits me".clone_into(&mut acted.action);
        }
        (event.prev, is_first) = (prev, false);
        *bytes = event.to_bytes().unwrap();
        prev = Hash::of_event(bytes);
    }
}

pub fn refusal(dir: &Path) -> String {
    let why = open(dir).map(|_| ()).unwrap_err();
    assert!(matches!(why, OpenError::Changed(_) | OpenError::Cut { .. }), "{why}");
    why.to_string()
}

/// What was accepted: the only event of a log of its own, the last of the journal.
fn accepted(store: &Store) -> HistoryAccepted {
    let last = store.log().entries(store.log().len() - 1, 1).unwrap().remove(0);
    let event = Event::parse(&last.bytes).unwrap();
    assert_eq!((event.by, event.seq, event.prev), (By::Service, 0, Hash::ZERO));
    match event.body {
        Body::HistoryAccepted(accepted) => accepted,
        body => panic!("{}", body.type_name()),
    }
}

type Change = fn(&mut Vec<Vec<u8>>);

/// Each change, with the position at which it is noticed.
const CHANGES: [(&str, u64, Change); 7] = [
    ("an action is another", 4, |events| change_action(events, 4)),
    ("the last event is another", 29, |events| change_action(events, 29)),
    ("a log is left out", 1, |events| events.retain(|bytes| Event::parse(bytes).unwrap().log != log_id(1))),
    ("another log is inserted", 12, |events| {
        let inserted = self::events(LogId::from_bytes([9; 16]), None, &["a", "b"]);
        events.splice(12..12, inserted);
    }),
    ("two logs are in another order", 0, |events| events.swap(0, 1)),
    ("events are missing at the end", 25, |events| events.truncate(25)),
    ("another log stands in place of the last events", 28, |events| {
        events.truncate(28);
        events.extend(self::events(LogId::from_bytes([9; 16]), None, &["a", "b", "c"]));
    }),
];

#[test]
fn a_changed_history_is_refused_and_left_alone_until_it_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, data) = (dir.path().join("whole"), dir.path().join("data"));
    fill(&whole);
    for (what, at, change) in CHANGES {
        copy_dir(&whole, &data);
        let original = FileJournal::open_to_read(&data.join("journal")).unwrap().read(at, 1).unwrap().remove(0);
        // The index of a copy shows nothing: it is made again.
        assert_eq!(index_files(&data), IndexFiles::Stale);
        drop(open(&data).unwrap());
        assert_eq!(index_files(&data), IndexFiles::Sound);
        rewrite(&data, change);
        let journal = fs::read(data.join("journal/00000000000000000000.log")).unwrap();
        for _ in 0..2 {
            let said = refusal(&data);
            assert!(said.contains("--accept"), "{said}");
            let place = format!("history was changed at event {at} of the journal: ");
            assert!(said.starts_with(&place) || said.contains("the journal ends after 25 events"), "{what}: {said}");
        }
        assert!(Store::rebuild(&data, &Options::DEFAULT, &mut |_, _| ()).is_err(), "{what}: rebuild is no way out");
        assert_eq!(fs::read(data.join("journal/00000000000000000000.log")).unwrap(), journal);
        let accepting = Options { accepts_change: true, ..Options::DEFAULT };
        let store = Store::open(&data, &accepting, &mut |_, _| ()).unwrap();
        all_logs(&store);
        let told = accepted(&store);
        assert_eq!(told.position, at, "{what}");
        assert_eq!(told.recorded.unwrap().hash, Hash::of_event(&original), "{what}");
        assert_eq!(told.found.is_none(), what == "events are missing at the end");
        drop(store);
        assert!(data.join("sled.changed-1").exists(), "what was recorded can still be read");
        drop(open(&data).unwrap_or_else(|why| panic!("{what}: it is accepted once and for all: {why}")));
        fs::remove_dir_all(&data).unwrap();
    }
}

#[test]
fn accepting_where_nothing_was_changed_records_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    let accepting = Options { accepts_change: true, ..Options::DEFAULT };
    assert_eq!(Store::open(dir.path(), &accepting, &mut |_, _| ()).unwrap().log().len(), 30);
    assert_eq!(Store::rebuild(dir.path(), &accepting, &mut |_, _| ()).unwrap().log().len(), 30);
}

/// An index that is behind shows changes of what it has, and no others.
#[test]
fn an_index_that_is_behind_is_caught_up_unless_what_it_has_was_changed() {
    let dir = tempfile::tempdir().unwrap();
    let (data, early) = (dir.path().join("data"), dir.path().join("early"));
    fill(&data);
    copy_dir(&data.join("sled"), &early);
    let store = open(&data).unwrap();
    push(&store, log_id(1), "later");
    push(&store, log_id(1), "later");
    drop(store);
    let turn_back = || {
        // The folder stays the same one.
        for entry in fs::read_dir(data.join("sled")).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        copy_dir(&early, &data.join("sled"));
    };
    turn_back();
    rewrite(&data, |events| change_action(events, 30));
    assert_eq!(all_logs(&open(&data).unwrap()).len(), 3, "the index has not seen it: witnesses have to");
    turn_back();
    rewrite(&data, |events| change_action(events, 29));
    assert!(refusal(&data).contains("history was changed at event 29 of the journal"));
}

#[test]
fn the_index_of_other_data_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one"), dir.path().join("other"));
    fill(&one);
    push(&open(&other).unwrap(), log_id(7), "other");
    fs::remove_dir_all(other.join("sled")).unwrap();
    fs::rename(one.join("sled"), other.join("sled")).unwrap();
    assert!(refusal(&other).contains("history was changed at event 0 of the journal"));
}
