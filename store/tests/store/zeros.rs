//! The zeros that follow the text of a segment while it is written.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use plybook_store::{EventBytes, FileJournal, Journal, JournalError, backup, examine, restore};

use crate::segments::{documented_script, read_all};
use crate::support::{Random, all_logs, copy_dir, events, log_id, open, push};
use crate::tier::size;

const FIRST: &str = "00000000000000000000.log";

/// What a disk writes at once, in bytes.
const SECTOR: usize = 512;

/// A group of events of one log.
fn group(log: u64, lengths: &[usize]) -> Vec<EventBytes> {
    let words: Vec<String> = lengths.iter().map(|length| "x".repeat(*length)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    events(log_id(log), None, &words).into_iter().map(Arc::from).collect()
}

/// The file of the first segment.
fn file(dir: &Path) -> Vec<u8> {
    fs::read(dir.join(FIRST)).unwrap()
}

/// What precedes the zeros.
fn text(file: &[u8]) -> &[u8] {
    &file[..file.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1)]
}

#[test]
fn zeros_follow_the_text_while_it_is_written_and_never_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
    journal.append(0, &group(0, &[10])).unwrap();
    let begun = file(dir.path());
    assert!(begun.len() >= (64 << 10) + text(&begun).len());
    for n in 1..20 {
        journal.append(n, &group(n, &[1000])).unwrap();
        assert_eq!(file(dir.path()).len(), begun.len(), "it gets longer with group {n}");
    }
    let mut n = 20;
    while file(dir.path()).len() == begun.len() {
        journal.append(n, &group(n, &[1000])).unwrap();
        n += 1;
    }
    let longer = file(dir.path());
    let ahead = longer.len() - text(&longer).len();
    assert!(text(&longer).len() > begun.len() && ahead == text(&longer).len().max(64 << 10), "{ahead}");
    drop(journal);
    assert_eq!(file(dir.path()), text(&longer));
    // Every segment but the last one is closed.
    let small = dir.path().join("small");
    let journal = FileJournal::open(&small, 3_000).unwrap();
    for n in 0..30 {
        journal.append(n, &group(n, &[(n as usize * 37) % 900])).unwrap();
        let mut paths: Vec<_> = fs::read_dir(&small).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let last = fs::read(paths.pop().unwrap()).unwrap();
        assert!(last.len() == 3_000.max(text(&last).len()), "{n}");
        assert!(paths.iter().all(|path| fs::read(path).unwrap().ends_with(b"\n")), "{n}");
    }
}

#[test]
fn whoever_reads_beside_the_writer_passes_over_the_zeros() {
    let dir = tempfile::tempdir().unwrap();
    let (data, to, back, copy) =
        (dir.path().join("data"), dir.path().join("backup"), dir.path().join("back"), dir.path().join("copy"));
    let store = open(&data).unwrap();
    for n in 0..50 {
        push(&store, log_id(n % 7), "a");
    }
    let logs = all_logs(&store);
    assert!(
        fs::read_dir(data.join("journal"))
            .unwrap()
            .any(|entry| fs::read(entry.unwrap().path()).unwrap().ends_with(b"\0"))
    );
    let found = examine(&data.join("journal")).unwrap();
    assert_eq!((found.events, found.torn_bytes, found.damages.len()), (50, 0, 0), "{found:?}");
    assert_eq!(read_all(&FileJournal::open_to_read(&data.join("journal")).unwrap()).len(), 50);
    backup(&data, &to, &mut |_, _| ()).unwrap();
    push(&store, log_id(3), "b");
    assert_eq!(backup(&data, &to, &mut |_, _| ()).unwrap().new_events, 1);
    restore(&to, &back, None, &mut |_, _| ()).unwrap();
    assert_eq!(all_logs(&open(&back).unwrap()), all_logs(&store));
    // A copy of the files, zeros and all.
    copy_dir(&data.join("journal"), &copy.join("journal"));
    drop(store);
    let copied = open(&copy).unwrap();
    push(&copied, log_id(3), "c");
    drop(copied);
    assert_eq!(all_logs(&open(&copy).unwrap()).len(), logs.len());
}

/// A closed segment may be copied just before its zeros are written over.
#[test]
fn zeros_after_a_closed_segment_count_for_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 2_000).unwrap();
    for n in 0..9 {
        journal.append(n, &group(n, &[600])).unwrap();
    }
    let all = read_all(&journal);
    drop(journal);
    let whole = file(dir.path());
    fs::write(dir.path().join(FIRST), [&whole[..], &[0; 5000]].concat()).unwrap();
    for _ in 0..2 {
        assert_eq!(read_all(&FileJournal::open(dir.path(), 2_000).unwrap()), all);
        assert!(examine(dir.path()).unwrap().damages.is_empty());
    }
    // Zeros in place of its last group are damage.
    fs::write(dir.path().join(FIRST), [&whole[..whole.len() - 700], &[0; 700]].concat()).unwrap();
    assert!(matches!(FileJournal::open(dir.path(), 2_000).map(|_| ()), Err(JournalError::Damaged { .. })));
    assert_eq!(examine(dir.path()).unwrap().damages[0].file, dir.path().join(FIRST));
}

/// Power cuts during the last group, which is written over zeros: any of its sectors are there, whatever length the file has.
#[test]
fn any_sectors_of_a_group_over_zeros_lose_nothing_that_was_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let (data, cut) = (dir.path().join("data"), dir.path().join("cut"));
    fs::create_dir(&cut).unwrap();
    let mut random = Random(0x0dd);
    let mut whole_ones = 0;
    for last in [&[5][..], &[450], &[300, 2000], &[3000, 10, 700]] {
        let _ = fs::remove_dir_all(&data);
        let journal = FileJournal::open(&data, 1 << 20).unwrap();
        let (before, last) = (group(1, &[40 + random.below(900), 3]), group(2, last));
        journal.append(0, &before).unwrap();
        let old = file(&data);
        journal.append(2, &last).unwrap();
        let new = file(&data);
        assert_eq!(old.len(), new.len(), "it is written over zeros");
        let (start, end) = (text(&old).len(), text(&new).len());
        let sectors: Vec<usize> = (start / SECTOR..end.div_ceil(SECTOR)).collect();
        for round in 0..size(60, 200, 200) {
            // A prefix of the sectors, or any of them.
            let are_there: Vec<bool> = match round {
                _ if round <= sectors.len() => (0..sectors.len()).map(|n| n < round).collect(),
                _ => sectors.iter().map(|_| random.below(2) == 0).collect(),
            };
            let mut torn = old.clone();
            for (sector, _) in sectors.iter().zip(&are_there).filter(|(_, is_there)| **is_there) {
                let range = sector * SECTOR..(sector + 1) * SECTOR;
                torn[range.clone()].copy_from_slice(&new[range]);
            }
            // The zeros may not have reached the disk, nor their length.
            torn.truncate([old.len(), text(&torn).len(), end.max(start + 4096)][round % 3]);
            fs::write(cut.join(FIRST), &torn).unwrap();
            let is_whole = are_there.iter().all(|is_there| *is_there);
            let expected = if is_whole { [&before[..], &last].concat() } else { before.clone() };
            let found = examine(&cut).unwrap();
            assert_eq!((found.events, found.damages.len()), (expected.len() as u64, 0), "round {round}: {found:?}");
            let opened = FileJournal::open(&cut, 1 << 20).unwrap_or_else(|why| panic!("round {round}: {why}"));
            assert_eq!(read_all(&opened), expected, "round {round}");
            opened.append(opened.len(), &last).unwrap();
            assert_eq!(read_all(&opened), [&expected[..], &last].concat(), "round {round}");
            whole_ones += usize::from(is_whole);
        }
    }
    assert!(whole_ones > 4);
}

#[test]
fn what_follows_zeros_and_is_not_of_the_same_group_is_damage() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
    journal.append(0, &group(1, &[600])).unwrap();
    let one = text(&file(dir.path())).len();
    journal.append(1, &group(2, &[600])).unwrap();
    let two = text(&file(dir.path())).len();
    journal.append(2, &group(3, &[600])).unwrap();
    let whole = file(dir.path());
    drop(journal);
    let refused = |changed: Vec<u8>, what: &str| {
        fs::write(dir.path().join(FIRST), &changed).unwrap();
        let why = FileJournal::open(dir.path(), 1 << 20).map(|_| ()).unwrap_err();
        assert!(matches!(why, JournalError::Damaged { offset, .. } if offset == one as u64), "{what}: {why}");
        assert_eq!(examine(dir.path()).unwrap().damages.len(), 1, "{what}");
        assert!(file(dir.path()) == changed, "{what}: nothing is changed");
    };
    let mut lost = whole.clone();
    lost[one..two].fill(0);
    refused(lost, "the last group follows zeros");
    let mut moved = whole.clone();
    moved[one..].fill(0);
    moved[two + 4096..][..two - one].copy_from_slice(&whole[two..][..two - one]);
    refused(moved, "the last group is elsewhere");
    let mut bit = whole;
    bit[one + 100] ^= 1;
    bit.truncate(two + 4096);
    bit[two..].fill(0);
    refused(bit, "a changed bit before zeros");
}

/// The script of `docs/journal.md` reads a segment while it is written.
#[test]
fn the_documented_script_passes_over_the_zeros() {
    let dir = tempfile::tempdir().unwrap();
    let journal = FileJournal::open(dir.path(), 1 << 20).unwrap();
    journal.append(0, &group(1, &[7, 8, 9])).unwrap();
    journal.append(3, &group(2, &[7])).unwrap();
    let path = dir.path().join(FIRST);
    let mut python = Command::new("python3");
    let out = python.args(["-c", &documented_script(1)]).arg(&path).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(String::from_utf8(out.stdout).unwrap(), "4 is the next position; 0 bytes of an unfinished group\n");
    assert!(fs::read(path).unwrap().ends_with(b"\0"));
}
