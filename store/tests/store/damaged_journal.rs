//! Journals that were cut off, and journals that were changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plybook_store::{EventBytes, FileJournal, Journal, JournalError, OpenError, Options, Store, examine};

use crate::support::{all_logs, events, log_id, open, push};
use crate::tier::size;

/// A journal of one segment, without its index; returns the segment.
fn journal(dir: &Path, groups: &[&[EventBytes]]) -> PathBuf {
    let journal = FileJournal::open(dir, 1 << 20).unwrap();
    for group in groups {
        journal.append(journal.len(), group).unwrap();
    }
    dir.join("00000000000000000000.log")
}

fn batch(n: u64, what: &[&str]) -> Vec<EventBytes> {
    events(log_id(n), None, what).into_iter().map(Arc::from).collect()
}

#[test]
fn cut_anywhere_in_its_last_group_it_opens_with_all_before() {
    let dir = tempfile::tempdir().unwrap();
    let before = batch(1, &["a", "b"]);
    let last = batch(2, &["c", "d", "e"]);
    let path = journal(&dir.path().join("before"), &[&before]);
    let start = fs::read(path).unwrap().len();
    let path = journal(&dir.path().join("whole"), &[&before, &last]);
    let whole = fs::read(path).unwrap();
    assert!(start < whole.len());
    let cut_dir = dir.path().join("cut");
    fs::create_dir(&cut_dir).unwrap();
    for len in (start..whole.len()).step_by(size(7, 1, 1)) {
        fs::write(cut_dir.join("00000000000000000000.log"), &whole[..len]).unwrap();
        let cut = FileJournal::open(&cut_dir, 1 << 20).unwrap();
        assert_eq!(cut.read(0, 9).unwrap(), before, "cut at {len}");
        cut.append(cut.len(), &last).unwrap();
        assert_eq!(cut.read(2, 9).unwrap(), last, "cut at {len}");
        drop(cut);
        assert_eq!(fs::read(cut_dir.join("00000000000000000000.log")).unwrap(), whole);
    }
}

/// Nobody finds what is written to a file that was deleted, moved or replaced, so nothing more is acknowledged.
#[test]
fn nothing_is_acknowledged_once_its_last_segment_or_the_vault_is_gone() {
    let ways: [fn(&Path); 3] = [
        |path| fs::remove_file(path).unwrap(),
        |path| fs::rename(path, path.with_extension("off")).unwrap(),
        |path| {
            fs::copy(path, path.with_extension("copy")).unwrap();
            fs::rename(path.with_extension("copy"), path).unwrap();
        },
    ];
    for take_away in ways {
        let dir = tempfile::tempdir().unwrap();
        let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
        journal.append(0, &batch(1, &["a"])).unwrap();
        take_away(&dir.path().join("00000000000000000000.log"));
        for _ in 0..2 {
            assert!(matches!(journal.append(1, &batch(2, &["b"])), Err(JournalError::ReadOnly)));
        }

        let data = tempfile::tempdir().unwrap();
        let store = Store::open(data.path(), &Options::default(), &mut |_, _| ()).unwrap();
        store.vault().put(log_id(1), "kept", b"1").unwrap();
        take_away(&data.path().join("vault"));
        store.vault().put(log_id(1), "lost", b"2").unwrap_err();
        assert!(store.vault().is_read_only() && store.vault().get(log_id(1), "lost").is_none());
    }
}

#[test]
fn cut_in_the_first_line_of_its_last_segment_it_opens() {
    let dir = tempfile::tempdir().unwrap();
    let first = batch(1, &["a", "b"]);
    journal(dir.path(), &[&first]);
    let path = dir.path().join("00000000000000000002.log");
    for len in 0.."#plybook-journal 1 2\n".len() {
        fs::write(&path, &b"#plybook-journal 1 2\n"[..len]).unwrap();
        let cut = FileJournal::open(dir.path(), 1 << 20).unwrap();
        let more = batch(2, &["c"]);
        cut.append(cut.len(), &more).unwrap();
        drop(cut);
        let again = FileJournal::open(dir.path(), 1 << 20).unwrap();
        assert_eq!(again.read(2, 9).unwrap(), more, "cut at {len}");
        assert_eq!(again.len(), 3);
    }
}

/// The header is written with the first group, so both can be missing.
#[test]
fn a_new_segment_whose_first_blocks_were_never_written_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let first = batch(1, &["a", "b"]);
    journal(dir.path(), &[&first]);
    let long = "x".repeat(3000);
    let group = batch(2, &[&long, &long, "c"]);
    let header = b"#plybook-journal 1 2\n".to_vec();
    let whole = {
        let there = dir.path().join("there");
        let bytes = fs::read(journal(&there, &[&first, &group])).unwrap();
        fs::remove_dir_all(&there).unwrap();
        let start = fs::read(dir.path().join("00000000000000000000.log")).unwrap().len();
        [header, bytes[start..].to_vec()].concat()
    };
    let path = dir.path().join("00000000000000000002.log");
    for unwritten in [0..512, 0..4096, 0..whole.len(), 0..21] {
        for len in [whole.len(), 4096.max(unwritten.end)] {
            let mut torn = whole.clone();
            torn[unwritten.clone()].fill(0);
            torn.truncate(len);
            fs::write(&path, &torn).unwrap();
            if unwritten.end == 21 {
                // No block is this short: the text was changed later.
                assert!(FileJournal::open(dir.path(), 1 << 20).is_err());
                continue;
            }
            let cut = FileJournal::open(dir.path(), 1 << 20).unwrap_or_else(|why| panic!("{unwritten:?}: {why}"));
            assert_eq!(cut.len(), 2, "{unwritten:?}");
            cut.append(cut.len(), &group).unwrap();
            drop(cut);
            assert_eq!(fs::read(&path).unwrap(), whole, "{unwritten:?}");
        }
    }
    // This group came after an acknowledged one, so it was acknowledged as well.
    let more = batch(3, &["d"]);
    fs::write(&path, &whole).unwrap();
    let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
    journal.append(journal.len(), &more).unwrap();
    drop(journal);
    let mut torn = fs::read(&path).unwrap();
    torn[..4096].fill(0);
    fs::write(&path, torn).unwrap();
    let why = FileJournal::open(dir.path(), 1 << 20).map(|_| ()).unwrap_err();
    assert!(matches!(why, JournalError::Damaged { offset: 0, .. }), "{why}");
}

#[test]
fn any_flipped_byte_is_refused_with_its_file_and_offset() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (batch(1, &["a", "b"]), batch(2, &["c"]));
    let path = journal(dir.path(), &[&first, &second]);
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, &flipped).unwrap();
        let why = FileJournal::open(dir.path(), 1 << 20).map(|_| ()).unwrap_err();
        match &why {
            JournalError::OtherVersion { file, found: 3 } => assert_eq!((file, at), (&path, "#plybook-journal ".len())),
            JournalError::Damaged { file, offset, .. } => assert!(*file == path && *offset <= at as u64, "{at}: {why}"),
            _ => panic!("byte {at}: {why}"),
        }
        assert_eq!(fs::read(&path).unwrap(), flipped, "a refused journal stays as it is");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(FileJournal::open(dir.path(), 1 << 20).unwrap().len(), 3);
}

#[test]
fn a_store_of_another_version_is_refused_with_both_versions() {
    let dir = tempfile::tempdir().unwrap();
    push(&open(dir.path()).unwrap(), log_id(1), "a");
    let path = dir.path().join("journal/00000000000000000000.log");
    let other = fs::read_to_string(&path).unwrap().replacen("#plybook-journal 1 ", "#plybook-journal 20 ", 1);
    fs::write(&path, &other).unwrap();
    let expected = format!(
        "{} is of version 20 of the format, and this program reads version 1: use the program that recorded it",
        path.display()
    );
    let opened = open(dir.path()).map(|_| ());
    let read = Store::open_to_read(dir.path(), None, &mut |_, _| ()).map(|_| ());
    for refused in [opened, read] {
        assert_eq!(refused.unwrap_err().to_string(), expected);
    }
    assert_eq!(examine(&dir.path().join("journal")).unwrap_err().to_string(), expected);
    assert_eq!(fs::read_to_string(&path).unwrap(), other, "it stays as it is");
}

#[test]
fn damage_while_it_is_open_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = journal(dir.path(), &[&batch(1, &["a", "b"]), &batch(2, &["c"])]);
    let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[60] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(matches!(journal.read(0, 9), Err(JournalError::Damaged { .. })));
}

#[test]
fn segments_that_are_missing_or_cut_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 100).unwrap();
    for n in 0..4 {
        journal.append(journal.len(), &batch(n, &["a"])).unwrap();
    }
    drop(journal);
    let segment = |n: u64| dir.path().join(format!("{n:020}.log"));
    for n in 0..3 {
        let bytes = fs::read(segment(n)).unwrap();
        fs::remove_file(segment(n)).unwrap();
        assert!(FileJournal::open(dir.path(), 100).is_err(), "segment {n} is missing");
        for len in [0, 10, bytes.len() / 2, bytes.len() - 1] {
            fs::write(segment(n), &bytes[..len]).unwrap();
            assert!(FileJournal::open(dir.path(), 100).is_err(), "segment {n} is cut at {len}");
        }
        fs::write(segment(n), bytes).unwrap();
    }
    let journal = FileJournal::open(dir.path(), 100).unwrap();
    assert_eq!(journal.len(), 4);
    assert_eq!(journal.read(2, 1).unwrap(), batch(2, &["a"]));
}

#[test]
fn a_journal_that_lost_acknowledged_events_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    push(&store, log_id(1), "a");
    let path = dir.path().join("journal/00000000000000000000.log");
    let before = fs::read(&path).unwrap();
    push(&store, log_id(1), "b");
    let events = all_logs(&store);
    drop(store);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, before).unwrap();
    let why = open(dir.path()).map(|_| ()).unwrap_err();
    assert!(matches!(why, OpenError::Cut { journal: 1, index: 2, .. }), "{why}");
    fs::write(&path, whole).unwrap();
    assert_eq!(all_logs(&open(dir.path()).unwrap()), events);
}

#[test]
fn an_examination_names_every_damage_and_whom_it_concerns() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 1500).unwrap();
    for n in 0..12 {
        journal.append(journal.len(), &batch(n, &["a", "b"])).unwrap();
    }
    drop(journal);
    let whole = examine(dir.path()).unwrap();
    assert_eq!((whole.events, whole.torn_bytes, whole.damages.len()), (24, 0, 0));
    assert!(whole.segments > 2);
    // One event in the first segment, a commit line in the last one, and a torn end.
    let first = dir.path().join("00000000000000000000.log");
    let mut bytes = fs::read(&first).unwrap();
    let at = bytes.windows(3).position(|found| found == b"\"b\"").unwrap();
    bytes[at + 1] = b'x';
    fs::write(&first, bytes).unwrap();
    let last = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    let mut bytes = fs::read(&last).unwrap();
    let len = bytes.len();
    bytes.extend_from_slice(b"{\"at\":\"2026");
    fs::write(&last, &bytes).unwrap();
    let found = examine(dir.path()).unwrap();
    assert_eq!((found.events, found.torn_bytes as usize), (24, bytes.len() - len));
    let [damage] = &found.damages[..] else { panic!("{found:?}") };
    assert_eq!((damage.first, damage.next, damage.file.clone()), (0, Some(2), first.clone()));
    assert!(damage.logs.iter().eq([&log_id(0)]), "{damage:?}");
    fs::remove_file(&first).unwrap();
    let found = examine(dir.path()).unwrap();
    assert!(found.damages[0].is_before() && found.damages[0].why.ends_with("restore that one"), "{found:?}");
    assert_eq!(found.damages[0].first, 0);
}
