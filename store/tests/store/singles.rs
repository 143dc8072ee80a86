//! Indexes of versions before blocks, with a pair for each event.

use std::path::Path;
use std::time::Duration;

use plybook_events::Hash;
use plybook_store::{Options, Store};

use crate::history::{change_action, refusal, rewrite};
use crate::support::{all_logs, log_id, open, push};

/// Replaces the index by one as an older version made it, of the first `count` events.
fn make_old(dir: &Path, count: usize) {
    let store = Store::open_to_read(dir, None, &mut |_, _| ()).unwrap();
    let mut entries = store.log().follow(0);
    let entries = entries.next_batch(count, Duration::ZERO).unwrap();
    assert_eq!(entries.len(), count);
    let db = sled::open(dir.join("sled")).unwrap();
    db.drop_tree("logs").unwrap();
    let tree = db.open_tree("events").unwrap();
    let mut sum = 0_u128;
    for entry in &entries {
        let key = [&entry.log.to_bytes()[..], &entry.seq.to_be_bytes()].concat();
        let value = [&entry.position.to_be_bytes()[..], &entry.bytes].concat();
        let Hash(hash) = Hash::of_parts(&[&24_u64.to_be_bytes(), &key, &value]);
        sum = sum.wrapping_add(u128::from_be_bytes(*hash.first_chunk().unwrap()));
        tree.insert(key, value).unwrap();
    }
    let count = (count as u64).to_be_bytes();
    tree.insert(b"", [&count[..], &count, &sum.to_be_bytes()].concat()).unwrap();
}

/// Forty events of three logs, a read model, and an index of an older version that has the first thirty.
fn fill(dir: &Path) {
    let store = open(dir).unwrap();
    for n in 0..40 {
        push(&store, log_id(n % 3), "as it was");
    }
    store.keyspace("rows").unwrap().put(b"row", b"kept").unwrap();
    drop(store);
    make_old(dir, 30);
}

fn has_old(dir: &Path) -> bool {
    sled::open(dir.join("sled")).unwrap().tree_names().iter().any(|name| **name == *b"events")
}

#[test]
fn it_is_replaced_and_read_models_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    assert!(has_old(dir.path()));
    let mut last = (0, 0);
    let store = Store::open(dir.path(), &Options::DEFAULT, &mut |done, total| last = (done, total)).unwrap();
    assert_eq!(last, (40, 40), "progress is shown");
    assert_eq!(all_logs(&store).len(), 3);
    assert_eq!(store.keyspace("rows").unwrap().get(b"row").unwrap().as_deref(), Some(&b"kept"[..]));
    drop(store);
    assert!(!has_old(dir.path()));
    assert!(!dir.path().join("sled.damaged-1").exists());
}

#[test]
fn it_still_shows_a_changed_history() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    rewrite(dir.path(), |events| change_action(events, 29));
    for _ in 0..2 {
        assert!(refusal(dir.path()).contains("history was changed at event 29 of the journal"));
    }
    rewrite(dir.path(), |events| events.truncate(20));
    assert!(refusal(dir.path()).contains("the journal ends after 20 events, but 30 were acknowledged"));
    assert!(has_old(dir.path()));
}

#[test]
fn it_is_set_aside_if_it_is_not_whole() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    let db = sled::open(dir.path().join("sled")).unwrap();
    db.open_tree("events").unwrap().pop_max().unwrap();
    drop(db);
    assert_eq!(all_logs(&open(dir.path()).unwrap()).len(), 3);
    assert!(dir.path().join("sled.damaged-1").exists());
}
