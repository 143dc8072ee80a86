//! A journal as it was written once, which must open for ever.

use std::fs;
use std::path::Path;

use plybook_store::{FileJournal, Journal};

use crate::support::{events, log_id};

/// `UPDATE=1` rewrites the file. A change to it is a change of the format.
#[test]
fn version_1_opens_and_is_what_is_written() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store/fixtures/journal-1.log");
    let (first, second) =
        (events(log_id(1), None, &["b1-b2", "b2-b3"]), events(log_id(2), None, &["\"quotes\" and \u{1f3b2}"]));
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(&dir.path().join("new"), 1 << 20).unwrap();
    for group in [&first, &second] {
        let group: Vec<_> = group.iter().map(|bytes| bytes.as_slice().into()).collect();
        journal.append(journal.len(), &group).unwrap();
    }
    drop(journal);
    let written = fs::read(dir.path().join("new/00000000000000000000.log")).unwrap();
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&fixture, &written).unwrap();
    }
    let kept = fs::read(&fixture).unwrap();
    assert!(kept == written, "the format has changed");
    let old = dir.path().join("old");
    fs::create_dir(&old).unwrap();
    fs::write(old.join("00000000000000000000.log"), kept).unwrap();
    let found = FileJournal::open(&old, 1 << 20).unwrap().read(0, 9).unwrap();
    assert!(found.iter().map(|b| &**b).eq(first.iter().chain(&second).map(Vec::as_slice)));
}
