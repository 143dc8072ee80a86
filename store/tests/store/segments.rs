//! Closed segments: compressed, known from one start to the next, and found damaged.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use plybook_store::{EventBytes, FileJournal, Journal, JournalError, Memory, Options, Store, backup, examine, restore};

use crate::support::{Random, all_logs, events, log_id};
use crate::tier::size;

pub const OPTIONS: Options = Options { segment_bytes: 2_000, memory: Memory::of(128 << 20), ..Options::DEFAULT };

/// How long something is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program that checks a segment without this one.
const CHECK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/python/journal.py");

const FIRST: &str = "00000000000000000000.log";

pub fn open(dir: &Path) -> Store {
    Store::open(dir, &OPTIONS, &mut |_, _| ()).unwrap()
}

/// Records in several segments.
fn fill(store: &Store) {
    fill_with(store, "action");
}

/// Records actions with this word.
pub fn fill_with(store: &Store, word: &str) {
    for n in 0..40 {
        let what: Vec<String> = (0..=n % 7).map(|n| format!("{word} {n}")).collect();
        let what: Vec<&str> = what.iter().map(String::as_str).collect();
        store.log().append(log_id(n), None, events(log_id(n), None, &what)).unwrap();
    }
}

/// Compresses all closed segments.
pub fn compress(store: &mut Store) {
    let (tell, told) = channel();
    store.compress_segments(move |progress| tell.send(progress.clone()).unwrap()).unwrap();
    let deadline = Instant::now() + PATIENCE;
    loop {
        let progress = told.recv_timeout(deadline - Instant::now()).expect("it makes progress");
        assert!(progress.damages.is_empty(), "{progress:?}");
        if progress.segments > 3 && progress.segments == progress.compressed {
            return;
        }
    }
}

/// A data directory whose closed segments are compressed, and what it held before.
pub fn compressed(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut store = open(dir);
    fill(&store);
    let texts = texts(dir);
    let logs = all_logs(&store);
    compress(&mut store);
    assert_eq!(all_logs(&store), logs);
    drop(store);
    texts
}

/// The closed segments that are text.
fn texts(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = fs::read_dir(dir.join("journal")).unwrap().map(|entry| entry.unwrap().path());
    let mut texts: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "log")).collect();
    texts.sort();
    texts.pop();
    texts.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

pub fn of_text(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.zst", path.display()))
}

pub fn read_all(journal: &FileJournal) -> Vec<EventBytes> {
    let mut all = Vec::new();
    while (all.len() as u64) < journal.len() {
        all.extend(journal.read(all.len() as u64, 100).unwrap());
    }
    all
}

#[test]
fn a_compressed_segment_is_its_text_and_every_event_is_read_from_it() {
    let dir = tempfile::tempdir().unwrap();
    let texts = compressed(dir.path());
    for (path, text) in &texts {
        assert!(!path.exists(), "{}", path.display());
        assert_eq!(zstdcat(&of_text(path)), str::from_utf8(text).unwrap());
    }
    let mut sums = Command::new("sha256sum");
    let sums =
        sums.args(["--check", "--strict", "SHA256SUMS"]).current_dir(dir.path().join("journal")).output().unwrap();
    assert!(sums.status.success(), "{sums:?}");
    assert_eq!(String::from_utf8(sums.stdout).unwrap().lines().count(), texts.len());
    let journal = FileJournal::open_to_read(&dir.path().join("journal")).unwrap();
    let all = read_all(&journal);
    for from in 0..all.len() {
        let some = journal.read(from as u64, 5).unwrap();
        assert!(!some.is_empty() && all[from..].starts_with(&some), "{from}");
    }
}

/// What `zstdcat` gives of a file.
fn zstdcat(path: &Path) -> String {
    let out = Command::new("zstd").arg("-dc").arg(path).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The documented way makes the text again, and `journal.py` checks it.
#[test]
fn the_text_comes_back_by_the_documented_way_and_is_used_as_before() {
    let dir = tempfile::tempdir().unwrap();
    let texts = compressed(dir.path());
    let journal = dir.path().join("journal");
    let logs = all_logs(&open(dir.path()));
    let document = include_str!("../../../docs/journal.md");
    let way = document.lines().find(|line| line.trim().starts_with("zstd -d --rm ")).unwrap();
    assert!(Command::new("sh").args(["-ec", way]).current_dir(&journal).status().unwrap().success());
    for (path, text) in &texts {
        assert_eq!(fs::read(path).unwrap(), *text);
        assert!(!of_text(path).exists());
        let out = Command::new("python3").arg(CHECK).arg(path).output().unwrap();
        assert!(out.stdout.ends_with(b"0 bytes of an unfinished group\n"), "{out:?}");
    }
    let mut store = open(dir.path());
    assert_eq!(all_logs(&store), logs);
    compress(&mut store);
    assert_eq!(all_logs(&store), logs);
}

/// The states that a process can leave which is stopped while it compresses a segment.
#[test]
fn whatever_a_stopped_compression_leaves_is_cleared_up() {
    let dir = tempfile::tempdir().unwrap();
    let texts = compressed(dir.path());
    let journal = dir.path().join("journal");
    let logs = all_logs(&open(dir.path()));
    let (path, text) = &texts[1];
    let whole = fs::read(of_text(path)).unwrap();
    let fresh = PathBuf::from(format!("{}.new", of_text(path).display()));
    let events: usize = logs.iter().map(|(_, events)| events.len()).sum();
    let check_reader = |what: &str| {
        let journal = FileJournal::open_to_read(&journal).unwrap();
        assert_eq!(read_all(&journal).len(), events, "{what}");
    };
    let check = |what: &str, is_compressed: bool| {
        assert_eq!(all_logs(&open(dir.path())), logs, "{what}");
        assert_eq!((of_text(path).exists(), path.exists()), (is_compressed, !is_compressed), "{what}");
        assert!(!fresh.exists(), "{what}");
    };
    for part in [&whole[..0], &whole[..whole.len() / 2], &whole[..]] {
        fs::write(path, text).unwrap();
        fs::write(&fresh, part).unwrap();
        let _ = fs::remove_file(of_text(path));
        check_reader("under its other name");
        check("under its other name", false);
    }
    fs::write(of_text(path), &whole).unwrap();
    check_reader("both are there");
    check("both are there", true);
    // A copy that was made before the segment was full.
    let cut = &text[..first_group_end(text)];
    fs::write(path, cut).unwrap();
    check("the text was cut after a group", true);
    // One of them is damaged.
    let spoilt = [&text[..text.len() - 9], &[0; 9]].concat();
    for (whole, text) in [(&whole[..whole.len() - 1], &text[..]), (&whole[..], &spoilt[..])] {
        fs::write(path, text).unwrap();
        fs::write(of_text(path), whole).unwrap();
        assert!(matches!(FileJournal::open(&journal, 2_000).map(|_| ()), Err(JournalError::Damaged { .. })));
        assert!(path.exists() && of_text(path).exists());
    }
    fs::remove_file(path).unwrap();
    fs::write(of_text(path), &whole).unwrap();
    // Another text that is whole: nobody knows which is right.
    let (path, text) = &texts[0];
    fs::write(path, other_text(&dir.path().join("other"), &journal, text)).unwrap();
    assert!(matches!(FileJournal::open(&journal, 2_000).map(|_| ()), Err(JournalError::Damaged { .. })));
    assert!(path.exists() && of_text(path).exists());
}

/// Where the first group of a text ends, in bytes.
fn first_group_end(text: &[u8]) -> usize {
    let commit = text.windows(8).skip(1).position(|found| found == b"#commit ").unwrap() + 1;
    commit + text[commit..].iter().position(|b| *b == b'\n').unwrap() + 1
}

/// The text of a journal's first segment with another first event, and a right check.
fn other_text(other: &Path, journal: &Path, text: &[u8]) -> Vec<u8> {
    let before = FileJournal::open_to_read(journal).unwrap().read(0, 1).unwrap();
    let changed = events(log_id(0), None, &["action 1"]).into_iter().map(Arc::from).collect::<Vec<EventBytes>>();
    assert_eq!(before[0].len(), changed[0].len());
    FileJournal::open(other, 2_000).unwrap().append(0, &changed).unwrap();
    let mut bytes = fs::read(other.join(FIRST)).unwrap();
    bytes.extend_from_slice(&text[bytes.len()..]);
    bytes
}

#[test]
fn segments_that_are_damaged_or_gone_are_told_and_hold_up_no_others() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path());
    fill(&store);
    let texts = texts(dir.path());
    let (damaged, gone) = (&texts[0].0, &texts[2].0);
    let mut bytes = texts[0].1.clone();
    bytes[60] ^= 1;
    fs::write(damaged, bytes).unwrap();
    fs::remove_file(gone).unwrap();
    let (tell, told) = channel();
    store.compress_segments(move |progress| tell.send(progress.clone()).unwrap()).unwrap();
    let deadline = Instant::now() + PATIENCE;
    let progress = loop {
        let progress = told.recv_timeout(deadline - Instant::now()).expect("it makes progress");
        if progress.compressed + 2 == progress.segments && progress.damages.len() == 2 {
            break progress;
        }
    };
    for (damage, path) in progress.damages.iter().zip([damaged, gone]) {
        assert!(damage.contains(path.to_str().unwrap()), "{damage}");
    }
    for (path, _) in &texts {
        assert_eq!(of_text(path).exists(), path != damaged && path != gone, "{}", path.display());
    }
}

/// The report names damage that readers find in a segment that is compressed already.
#[test]
fn a_compressed_segment_that_readers_find_damaged_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = of_text(&compressed(dir.path())[1].0);
    let mut store = open(dir.path());
    let mut bytes = fs::read(&path).unwrap();
    bytes[20] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let first: u64 = path.file_name().unwrap().to_str().unwrap()[..20].parse().unwrap();
    for _ in 0..2 {
        assert!(store.log().events(first, 1).is_err());
    }
    let (tell, told) = channel();
    store.compress_segments(move |progress| tell.send(progress.clone()).unwrap()).unwrap();
    let damages = told.recv_timeout(PATIENCE).unwrap().damages;
    assert!(damages.len() == 1 && damages[0].contains(path.to_str().unwrap()), "{damages:?}");
    drop(store);
}

/// A damaged block is not noticed at the start, but when it is read.
#[test]
fn a_closed_segment_is_not_read_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let path = of_text(&compressed(dir.path())[1].0);
    let mut bytes = fs::read(&path).unwrap();
    bytes[20] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let first: u64 = path.file_name().unwrap().to_str().unwrap()[..20].parse().unwrap();
    let opened = FileJournal::open(&dir.path().join("journal"), 2_000).unwrap();
    assert!(opened.read(0, 1).is_ok());
    let why = opened.read(first, 1).unwrap_err();
    assert!(matches!(&why, JournalError::Damaged { file, .. } if *file == path), "{why}");
}

#[test]
fn a_flipped_bit_anywhere_in_a_compressed_segment_is_found_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let texts = compressed(dir.path());
    let journal = dir.path().join("journal");
    let all = read_all(&FileJournal::open_to_read(&journal).unwrap());
    let path = of_text(&texts[1].0);
    let whole = fs::read(&path).unwrap();
    let (mut random, mut named) = (Random(7), 0);
    let step = size(29, 3, 3);
    for at in (0..whole.len()).step_by(step) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << random.below(8);
        fs::write(&path, &flipped).unwrap();
        // Some bits of a zstd frame mean nothing.
        let found = examine(&journal).unwrap().damages;
        if found.is_empty() {
            assert_eq!(read_all(&FileJournal::open_to_read(&journal).unwrap()), all, "byte {at}");
        } else {
            assert_eq!((found.len(), &found[0].file), (1, &path), "byte {at}: {found:?}");
            named += 1;
        }
    }
    assert!(named >= whole.len() / step - 2, "{named}");
    for len in [0, 1, 60, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..len]).unwrap();
        assert_eq!(examine(&journal).unwrap().damages[0].file, path, "{len}");
        assert!(FileJournal::open(&journal, 2_000).is_err(), "{len}");
    }
}

#[test]
fn readers_find_every_event_while_segments_are_compressed() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path());
    fill(&store);
    let journal = dir.path().join("journal");
    let alongside = Arc::new(FileJournal::open_to_read(&journal).unwrap());
    let all = read_all(&alongside);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|n| {
                let (alongside, all) = (Arc::clone(&alongside), &all);
                scope.spawn(move || {
                    let mut random = Random(n + 1);
                    for _ in 0..500 {
                        let from = random.below(all.len());
                        let some = alongside.read(from as u64, 3).unwrap();
                        assert!(!some.is_empty() && all[from..].starts_with(&some), "{from}");
                    }
                })
            })
            .collect();
        compress(&mut store);
        for reader in readers {
            reader.join().unwrap();
        }
    });
    assert_eq!(read_all(&alongside), all);
}

#[test]
fn a_backup_goes_on_when_segments_are_compressed_and_is_restored() {
    let dir = tempfile::tempdir().unwrap();
    let (data, to, back) = (dir.path().join("data"), dir.path().join("backup"), dir.path().join("back"));
    let mut store = open(&data);
    fill(&store);
    backup(&data, &to, &mut |_, _| ()).unwrap();
    let held = fs::metadata(to.join("journal").join(FIRST)).unwrap().modified().unwrap();
    compress(&mut store);
    let head = store.log().head(log_id(3)).unwrap();
    store.log().append(log_id(3), Some(&head), events(log_id(3), Some(&head), &["more"])).unwrap();
    let summary = backup(&data, &to, &mut |_, _| ()).unwrap();
    assert_eq!((summary.new_events, summary.events), (1, store.log().len()));
    let again = fs::metadata(to.join("journal").join(FIRST)).unwrap().modified().unwrap();
    assert_eq!(held, again, "it was written again");
    restore(&to, &back, None, &mut |_, _| ()).unwrap();
    assert_eq!(all_logs(&open(&back)), all_logs(&store));
    // A first backup of compressed segments.
    let fresh = dir.path().join("fresh");
    backup(&data, &fresh, &mut |_, _| ()).unwrap();
    assert_eq!(fs::read(fresh.join("journal").join(FIRST)).unwrap(), fs::read(to.join("journal").join(FIRST)).unwrap());
}

#[test]
fn on_a_full_disk_the_text_stays_and_is_compressed_later() {
    let dir = tempfile::tempdir().unwrap();
    let mut store = open(dir.path());
    fill(&store);
    let texts = texts(dir.path());
    let fresh = PathBuf::from(format!("{}.new", of_text(&texts[0].0).display()));
    symlink("/dev/full", &fresh).unwrap();
    let (tell, told) = channel();
    store.compress_segments(move |progress| tell.send(progress.clone()).unwrap()).unwrap();
    // The first report is of the start, the second of the attempt.
    let progress = [told.recv_timeout(PATIENCE).unwrap(), told.recv_timeout(PATIENCE).unwrap()];
    assert_eq!((progress[1].compressed, progress[1].damages.len()), (0, 0));
    assert!(!fresh.exists() && fresh.symlink_metadata().is_err());
    let logs = all_logs(&store);
    drop(store);
    for (path, text) in &texts {
        assert_eq!(fs::read(path).unwrap(), *text);
    }
    let mut store = open(dir.path());
    compress(&mut store);
    assert_eq!(all_logs(&store), logs);
}
