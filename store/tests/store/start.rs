//! What a start reads, and what it does if something of that is damaged, missing, or of another time.

use std::fs;
use std::path::{Path, PathBuf};

use plybook_store::{
    FileJournal, Journal, JournalError, Memory, OpenError, Options, Store, TlogError, Until, backup, examine, restore,
};
use plybook_tlog::Quorum;

use crate::segments::{OPTIONS, compress, compressed, fill_with, of_text, open, read_all};
use crate::support::{all_logs, copy_dir, events, log_id, push};

const ENDS: &str = "sled/heads";

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
    fs::remove_dir_all(dir.path().join(ENDS)).unwrap();
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
fn ends_of_any_other_time_or_journal_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let (data, early, other) = (dir.path().join("data"), dir.path().join("early"), dir.path().join("other"));
    compressed(&data);
    copy_dir(&data.join(ENDS), &early);
    let store = open(&data);
    for n in 0..30 {
        push(&store, log_id(n), "later");
    }
    let logs = all_logs(&store);
    drop(store);
    let store = open(&other);
    for n in 0..50 {
        push(&store, log_id(n), "of another journal");
    }
    drop(store);
    let copy = dir.path().join("copy");
    let check = |what: &str, change: &dyn Fn(&Path)| {
        copy_dir(&data, &copy);
        change(&copy.join(ENDS));
        for start in ["first", "second"] {
            let store = open(&copy);
            assert_eq!(all_logs(&store), logs, "{what}, {start} start");
            assert_eq!(store.log().logs_len(), logs.len(), "{what}, {start} start");
        }
        fs::remove_dir_all(&copy).unwrap();
    };
    let replace = |ends: &Path, by: &Path| {
        fs::remove_dir_all(ends).unwrap();
        copy_dir(by, ends);
    };
    check("as it was", &|_| ());
    check("none", &|ends| fs::remove_dir_all(ends).unwrap());
    check("early", &|ends| replace(ends, &early));
    check("of another journal", &|ends| replace(ends, &other.join(ENDS)));
    for name in ["manifest", "table"] {
        let of = |ends: &Path| {
            let files = fs::read_dir(ends).unwrap().map(|entry| entry.unwrap().path());
            files.into_iter().find(|path| path.to_string_lossy().ends_with(name)).unwrap()
        };
        check(&format!("no {name}"), &|ends| fs::remove_file(of(ends)).unwrap());
        check(&format!("an empty {name}"), &|ends| fs::write(of(ends), []).unwrap());
        check(&format!("a {name} that is cut"), &|ends| {
            let whole = fs::read(of(ends)).unwrap();
            fs::write(of(ends), &whole[..whole.len() - 40]).unwrap();
        });
        for at in (16..fs::read(of(&data.join(ENDS))).unwrap().len()).step_by(61) {
            check(&format!("byte {at} of the {name} flipped"), &|ends| {
                let mut flipped = fs::read(of(ends)).unwrap();
                flipped[at] ^= 1;
                fs::write(of(ends), flipped).unwrap();
            });
        }
    }
}

/// Appends go on after a damage is found: they follow the ends that the journal has.
#[test]
fn what_is_appended_follows_the_journal_where_the_ends_are_damaged() {
    let dir = tempfile::tempdir().unwrap();
    compressed(dir.path());
    damage_ends(dir.path());
    let store = open(dir.path());
    let before = store.log().len();
    for n in 0..9 {
        push(&store, log_id(n), "later");
    }
    assert_eq!(store.log().len(), before + 9);
    let logs = all_logs(&store);
    drop(store);
    assert_eq!(all_logs(&open(dir.path())), logs);
}

/// Changes a block of the table of ends.
fn damage_ends(dir: &Path) {
    let mut files = fs::read_dir(dir.join(ENDS)).unwrap().map(|entry| entry.unwrap().path());
    let table = files.find(|path| path.extension().is_some()).unwrap();
    let mut damaged = fs::read(&table).unwrap();
    damaged[20] ^= 1;
    fs::write(&table, damaged).unwrap();
}

/// Whoever verifies all logs would otherwise find nothing wrong with none of them.
#[test]
fn logs_that_cannot_be_listed_are_not_taken_for_none() {
    let dir = tempfile::tempdir().unwrap();
    for (path, _) in &compressed(dir.path()) {
        flip(&of_text(path));
    }
    damage_ends(dir.path());
    let store = open(dir.path());
    assert!(store.log().logs_len() > 0 && store.log().logs_after(None, 9).is_err());
}

/// The journal was put back to an earlier copy, and the ends tell of more.
#[test]
fn ends_that_are_ahead_of_the_journal_are_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let (data, early) = (dir.path().join("data"), dir.path().join("early"));
    compressed(&data);
    copy_dir(&data, &early);
    push(&open(&data), log_id(1), "later");
    fs::remove_dir_all(early.join(ENDS)).unwrap();
    copy_dir(&data.join(ENDS), &early.join(ENDS));
    let logs = all_logs(&open(&early));
    assert_eq!(logs.iter().map(|(_, events)| events.len() as u64).sum::<u64>(), open(&data).log().len() - 1);
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
        assert!(matches!(&why, OpenError::Journal(JournalError::Missing { file: gone, .. }) if gone == file), "{why}");
        assert!(
            why.to_string().contains(&format!("{name} is missing: it holds the events {} to ", first_of(file))),
            "{why}"
        );
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
        let restored = restore(&to, &back, Some(Until::Position(until)), &mut |_, _| ()).unwrap();
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
