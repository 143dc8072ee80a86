//! What a start reads, and what it does if something of that is damaged, missing, or of another time.

use std::fs;
use std::path::{Path, PathBuf};

use plybook_store::{
    FileJournal, Journal, JournalError, Memory, OpenError, Options, Store, TlogError, backup, examine, restore,
};
use plybook_tlog::Quorum;

use crate::segments::{OPTIONS, compress, compressed, fill_with, of_text, open, read_all};
use crate::support::{all_logs, events, log_id, push};

/// Flips a bit in the middle of a file.
fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let at = bytes.len() / 3;
    bytes[at] ^= 4;
    fs::write(path, bytes).unwrap();
}

fn refusal(dir: &Path) -> String {
    Store::open(dir, &OPTIONS, &mut |_, _| ()).map(|_| ()).unwrap_err().to_string()
}

/// The first positions of damaged segments.
fn damaged(dir: &Path) -> Vec<u64> {
    let found = examine(&dir.join("journal")).unwrap();
    found.damages.iter().map(|damage| damage.first).collect()
}

fn first_of(path: &Path) -> u64 {
    path.file_name().unwrap().to_str().unwrap()[..20].parse().unwrap()
}

#[test]
fn closed_segments_are_not_read_at_a_start() {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = compressed(dir.path()).iter().map(|(path, _)| of_text(path)).collect();
    let logs = all_logs(&open(dir.path()));
    assert!(damaged(dir.path()).is_empty());
    for file in &files {
        flip(file);
    }
    let store = open(dir.path());
    assert_eq!(all_logs(&store), logs, "they are read from the index");
    let alongside = FileJournal::open_to_read(&dir.path().join("journal")).unwrap();
    assert!(matches!(alongside.read(0, 1), Err(JournalError::Damaged { .. })));
    let head = push(&store, log_id(3), "more");
    drop(store);
    assert_eq!(open(dir.path()).log().head(log_id(3)), Some(head));
    assert_eq!(damaged(dir.path()), files.iter().map(|file| first_of(file)).collect::<Vec<_>>());
    fs::remove_dir_all(dir.path().join("sled")).unwrap();
    let said = refusal(dir.path());
    assert!(said.contains(files[0].file_name().unwrap().to_str().unwrap()), "all of it has to be read: {said}");
}

#[test]
fn caches_get_less_memory_if_there_are_many_logs() {
    let dir = tempfile::tempdir().unwrap();
    let memory = Memory::of(128 << 10);
    let open = || Store::open(dir.path(), &Options { memory, ..OPTIONS }, &mut |_, _| ()).unwrap();
    let store = open();
    for n in 0..60 {
        push(&store, log_id(n), "");
    }
    assert_eq!(store.memory(), memory);
    drop(store);
    let store = open();
    assert_eq!(store.memory(), memory, "they take less than a quarter");
    for n in 60..240 {
        push(&store, log_id(n), "");
    }
    drop(store);
    let left = open().memory();
    assert!(left < memory && left > Memory::of(32 << 10), "{left:?}");
}

/// The transparency log would compare the events of the closed segments; it leaves them to the background.
#[test]
fn a_damaged_closed_segment_stops_no_start_with_a_transparency_log() {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = compressed(dir.path()).iter().map(|(path, _)| of_text(path)).collect();
    let keep = |store: &mut Store| store.keep_tlog(dir.path(), None, Quorum::default(), false);
    let mut store = open(dir.path());
    keep(&mut store).unwrap();
    store.tlog().unwrap().close();
    assert_eq!(store.tlog().unwrap().signed().checkpoint.size, store.log().len());
    drop(store);
    flip(&files[1]);
    let mut store = open(dir.path());
    keep(&mut store).unwrap();
    push(&store, log_id(3), "more");
    store.tlog().unwrap().close();
    assert_eq!(store.tlog().unwrap().signed().checkpoint.size, store.log().len());
    drop(store);
    // The tiles would have to be made from the journal.
    fs::remove_dir_all(dir.path().join("tlog/tile")).unwrap();
    assert!(matches!(keep(&mut open(dir.path())), Err(TlogError::Read(_))));
}

#[test]
fn a_closed_segment_that_is_missing_or_has_another_size_is_named_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = compressed(dir.path()).iter().map(|(path, _)| of_text(path)).collect();
    for file in [&files[0], &files[2], files.last().unwrap()] {
        let name = file.file_name().unwrap().to_str().unwrap();
        let whole = fs::read(file).unwrap();
        fs::remove_file(file).unwrap();
        let why = Store::open(dir.path(), &OPTIONS, &mut |_, _| ()).map(|_| ()).unwrap_err();
        assert!(matches!(&why, OpenError::Journal(JournalError::Damaged { .. })), "{why}");
        assert_eq!(damaged(dir.path()), [first_of(file)]);
        for other in [&whole[..whole.len() - 1], &[&whole[..], b"x"].concat()] {
            fs::write(file, other).unwrap();
            let said = refusal(dir.path());
            assert!(said.contains(name), "{said}");
            assert_eq!(damaged(dir.path()), [first_of(file)]);
        }
        fs::write(file, whole).unwrap();
    }
    open(dir.path());
}

/// The other form of a segment is no damage; another segment is a changed history, however whole.
#[test]
fn a_segment_may_have_the_other_form_and_is_no_other_one() {
    let dir = tempfile::tempdir().unwrap();
    let (data, other) = (dir.path().join("data"), dir.path().join("other"));
    let (path, text) = compressed(&data).swap_remove(1);
    let whole = fs::read(of_text(&path)).unwrap();
    fs::remove_file(of_text(&path)).unwrap();
    fs::write(&path, &text).unwrap();
    assert!(damaged(&data).is_empty());
    fs::remove_file(&path).unwrap();
    let mut store = open(&other);
    fill_with(&store, "Action");
    compress(&mut store);
    drop(store);
    let place = of_text(&path).strip_prefix(&data).unwrap().to_owned();
    fs::copy(other.join(&place), data.join(&place)).unwrap();
    let said = refusal(&data);
    assert!(said.starts_with(&format!("history was changed at event {} of the journal", first_of(&path))), "{said}");
    fs::write(of_text(&path), whole).unwrap();
    open(&data);
}

#[test]
fn compressed_segments_are_restored_up_to_any_position() {
    let dir = tempfile::tempdir().unwrap();
    let (data, to) = (dir.path().join("data"), dir.path().join("backup"));
    let texts = compressed(&data);
    backup(&data, &to, &mut |_, _| ()).unwrap();
    let all = read_all(&FileJournal::open_to_read(&data.join("journal")).unwrap());
    let second = first_of(&texts[1].0);
    for until in [1, second - 1, second, second + 1, all.len() as u64 / 2, all.len() as u64 - 1] {
        let back = dir.path().join(format!("until-{until}"));
        let restored = restore(&to, &back, Some(until), &mut |_, _| ()).unwrap();
        let cut = restored.cut.unwrap().position as usize;
        assert!(cut <= until as usize && until as usize - cut < 8, "groups stay together: {cut} of {until}");
        let found = read_all(&FileJournal::open_to_read(&back.join("journal")).unwrap());
        assert_eq!((&found[..cut], found.len()), (&all[..cut], cut + 1), "and the journal tells of it");
        let store = Store::open(&back, &Options::DEFAULT, &mut |_, _| ()).unwrap();
        all_logs(&store);
        let log = log_id(1000);
        store.log().append(log, None, events(log, None, &["more"])).unwrap();
    }
}
