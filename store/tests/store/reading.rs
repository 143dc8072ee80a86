//! Stores opened for reading: on request, or because the disk refuses writes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plybook_store::{AppendError, Options, Store, VaultError};

use crate::support::{all_logs, copy_dir, event, events, log_id, open, push};

fn fill(dir: &Path) {
    let store = open(dir).unwrap();
    for n in 0..90 {
        let log = log_id(n % 7);
        let head = store.log().head(log);
        store.log().append(log, head.as_ref(), events(log, head.as_ref(), &["a1-b2", "c3-d4"])).unwrap();
    }
    store.vault().put(log_id(1), "seed", b"secret").unwrap();
}

/// All files below a directory, with their contents.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

#[test]
fn a_store_is_read_while_another_records_and_nothing_is_touched() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    fs::remove_file(dir.path().join("lock")).unwrap();
    let before = files(dir.path());
    let read = || Store::open_to_read(dir.path(), None, &mut |_, _| ()).unwrap();
    let store = read();
    let logs = all_logs(&store);
    assert_eq!((logs.len(), store.log().len()), (7, 180));
    let head = store.log().head(log_id(1)).unwrap();
    let refused = store.log().append(log_id(1), Some(&head), vec![event(log_id(1), Some(&head), "x")]);
    assert!(matches!(refused, Err(AppendError::ReadOnly)), "{refused:?}");
    assert!(matches!(store.vault().put(log_id(1), "a", b"x"), Err(VaultError::ReadOnly)));
    assert_eq!(store.vault().get(log_id(1), "seed").as_deref(), Some(&b"secret"[..]));
    assert!(store.refusal().is_some());
    drop(store);
    assert_eq!(files(dir.path()), before);
    // Next to a store that is recording.
    let recording = open(dir.path()).unwrap();
    push(&recording, log_id(3), "b");
    assert_eq!(read().log().len(), 181);
    drop(recording);
    // A torn end does not count, and is left alone.
    let paths = fs::read_dir(dir.path().join("journal")).unwrap().map(|entry| entry.unwrap().path());
    let segment = paths.filter(|path| path.extension().is_some()).max().unwrap();
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..whole.len() - 9]).unwrap();
    assert_eq!(read().log().len(), 180);
    assert_eq!(fs::read(&segment).unwrap().len(), whole.len() - 9);
    assert!(Store::open_to_read(&dir.path().join("none"), None, &mut |_, _| ()).is_err());
    assert!(!dir.path().join("none").exists());
}

/// A directory in place of the probe's file stands for a disk that refuses writes.
#[test]
fn a_store_on_a_disk_that_takes_nothing_is_opened_for_reading() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy) = (dir.path().join("data"), dir.path().join("copy"));
    fill(&data);
    fs::create_dir(data.join("probe")).unwrap();
    copy_dir(&data, &copy);
    for _ in 0..3 {
        let store = open(&data).unwrap();
        assert!(store.refusal().is_some_and(|why| why.contains("directory")), "{:?}", store.refusal());
        assert_eq!((all_logs(&store).len(), store.log().is_read_only()), (7, true));
        assert!(open(&data).is_err(), "nobody else comes in");
        assert_eq!(store.keyspace("rows").unwrap().position(), 0);
    }
    assert!(Store::rebuild(&data, &Options::default(), &mut |_, _| ()).is_err());
    for part in ["journal", "sled"] {
        let (now, before) = (files(&data.join(part)), files(&copy.join(part)));
        assert!(now.values().eq(before.values()), "{part} is as it was");
    }
    fs::remove_dir(data.join("probe")).unwrap();
    let store = open(&data).unwrap();
    assert!(store.refusal().is_none() && !store.log().is_read_only());
    assert_eq!(push(&store, log_id(1), "b").seq(), 26);
}

#[test]
fn an_index_is_rebuilt_under_the_lock() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    let mut indexed = 0;
    let store = Store::rebuild(dir.path(), &Options::default(), &mut |done, _| indexed = done).unwrap();
    assert_eq!(indexed, 180);
    assert!(Store::rebuild(dir.path(), &Options::default(), &mut |_, _| ()).is_err());
    assert_eq!(all_logs(&store).len(), 7, "what is open was not deleted");
}

#[test]
fn the_next_event_of_a_log_is_found_from_every_position() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    let store = open(dir.path()).unwrap();
    let mut entries = Vec::new();
    while (entries.len() as u64) < store.log().len() {
        entries.extend(store.log().entries(entries.len() as u64, 64).unwrap());
    }
    for log in (0..8).map(log_id) {
        for from in 0..=store.log().len() {
            let next = entries.iter().find(|entry| entry.log == log && entry.position >= from);
            assert_eq!(store.log().entry_from(log, from).unwrap().as_ref(), next, "{log} from {from}");
        }
    }
}
