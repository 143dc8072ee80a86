//! Whatever happens to sled's files, no event is lost and no keyspace has gaps.

use std::fs;
use std::path::{Path, PathBuf};

use plybook_events::LogId;
use plybook_store::{Changes, IndexFiles, OpenError, Options, Store, index_files};

use crate::support::{Random, all_logs, copy_dir, events, log_id, open, push};
use crate::tier::size;

type Logs = Vec<(LogId, Vec<Vec<u8>>)>;

/// Damage done to a tree behind the store's back.
type Damage<'a> = &'a dyn Fn(&sled::Tree);

const ROWS: u64 = 500;

/// A data directory that was closed cleanly, with a keyspace that is up to date.
fn fill(dir: &Path) -> Logs {
    let store = open(dir).unwrap();
    for n in 0..600 {
        let log = log_id(n % 20);
        let head = store.log().head(log);
        let batch = events(log, head.as_ref(), &["a1-b2", "c3-d4", "e5-f6"]);
        store.log().append(log, head.as_ref(), batch).unwrap();
    }
    let keyspace = store.keyspace("rows").unwrap();
    for n in 0..ROWS {
        let mut changes = Changes::new();
        changes.put(n.to_be_bytes(), format!("{n:0>100}"));
        keyspace.apply(&changes, (n + 1) * 3).unwrap();
    }
    all_logs(&store)
}

/// Opens a damaged directory, and returns whether anything had to be indexed again.
fn check(dir: &Path, expected: &Logs, what: &str) -> bool {
    let mut is_indexed = false;
    let store = Store::open(dir, &Options::default(), &mut |_, _| is_indexed = true);
    let store = store.unwrap_or_else(|why| panic!("{what}: {why}"));
    assert!(all_logs(&store) == *expected, "{what}: other events");
    assert_eq!(push(&store, expected[0].0, "more").seq(), expected[0].1.len() as u64, "{what}");
    store.keyspace("rows").unwrap_or_else(|why| panic!("{what}: {why}"));
    is_indexed
}

/// How many rows the keyspace has.
fn rows(store: &Store) -> u64 {
    store.keyspace("rows").unwrap().prefix(b"").count() as u64
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn an_index_that_is_well_is_used_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let logs = fill(dir.path());
    let mut indexed = 0;
    let options = Options::default();
    let store = Store::open(dir.path(), &options, &mut |_, _| indexed += 1).unwrap();
    assert_eq!((all_logs(&store), indexed), (logs.clone(), 0));
    assert_eq!(rows(&store), ROWS);
}

#[test]
fn deleted_files_cost_a_rebuild() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, damaged) = (dir.path().join("whole"), dir.path().join("damaged"));
    let logs = fill(&whole);
    copy_dir(&whole, &damaged);
    fs::remove_dir_all(damaged.join("sled")).unwrap();
    let mut last = (0, 0);
    let options = Options::default();
    drop(Store::open(&damaged, &options, &mut |done, total| last = (done, total)).unwrap());
    assert_eq!(last, (1800, 1800), "progress is shown to the end");
    check(&damaged, &logs, "no sled at all");
    for file in files(&whole.join("sled")) {
        fs::remove_dir_all(&damaged).unwrap();
        copy_dir(&whole, &damaged);
        let file = file.strip_prefix(&whole).unwrap();
        fs::remove_file(damaged.join(file)).unwrap();
        check(&damaged, &logs, &format!("without {}", file.display()));
    }
}

/// The index is one that is opened as it is.
#[test]
fn cut_and_flipped_files_cost_a_rebuild_at_most() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, damaged) = (dir.path().join("whole"), dir.path().join("damaged"));
    let logs = fill(&whole);
    let mut random = Random(0xda_3a6e);
    let mut indexed = 0;
    // How often files are damaged at random.
    let rounds = size(24, 80, 80);
    for round in 0..rounds {
        if damaged.exists() {
            fs::remove_dir_all(&damaged).unwrap();
        }
        copy_dir(&whole, &damaged);
        drop(open(&damaged).unwrap());
        // Mostly the file that holds the rows.
        let files = files(&damaged.join("sled"));
        let db = files.iter().find(|file| file.ends_with("db")).unwrap();
        let file = if round % 4 == 0 { &files[random.below(files.len())] } else { db };
        let mut bytes = fs::read(file).unwrap();
        let written = bytes.iter().rposition(|b| *b != 0).map_or(1, |at| at + 1);
        let at = random.below(written);
        match round % 3 {
            0 => bytes.truncate(at),
            1 => bytes[at] ^= 1 << random.below(8),
            _ => {
                let end = (at + 1 + random.below(5_000)).min(bytes.len());
                bytes[at..end].fill(0);
            }
        }
        fs::write(file, bytes).unwrap();
        let what = format!("round {round}: {} at {at}", file.display());
        indexed += u32::from(check(&damaged, &logs, &what));
    }
    // In the other cases, the damage hit something that is no longer used.
    assert!(indexed >= rounds / 8, "the damage did nothing in most rounds: {indexed}");
    println!("indexed again in {indexed} of {rounds} rounds");
}

/// What sled is known to do to damaged files without reporting an error: rows are gone. Heads are noticed at the start, blocks
/// when they are read.
#[test]
fn rows_that_are_silently_lost_or_changed_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, damaged) = (dir.path().join("whole"), dir.path().join("damaged"));
    let logs = fill(&whole);
    let nth = |tree: &sled::Tree, kind: u8, n: usize| tree.scan_prefix([kind]).nth(n).unwrap().unwrap();
    let damage: [(&str, Damage); 7] = [
        ("a block", &|tree| drop(tree.remove(nth(tree, 1, 17).0).unwrap())),
        ("the last block", &|tree| drop(tree.pop_max().unwrap())),
        ("a changed block", &|tree| {
            let (key, value) = nth(tree, 1, 20);
            let mut value = value.to_vec();
            *value.last_mut().unwrap() ^= 1;
            tree.insert(key, value).unwrap();
        }),
        ("a head", &|tree| drop(tree.remove(nth(tree, 0, 5).0).unwrap())),
        ("an old head", &|tree| {
            let (key, value) = nth(tree, 0, 5);
            let mut value = value.to_vec();
            value[7] -= 1;
            tree.insert(key, value).unwrap();
        }),
        ("the position", &|tree| drop(tree.remove(b"").unwrap())),
        ("everything", &|tree| tree.clear().unwrap()),
    ];
    for (what, damage) in damage {
        copy_dir(&whole, &damaged);
        drop(open(&damaged).unwrap());
        let db = opened(&damaged.join("sled"));
        damage(&db.open_tree("logs").unwrap());
        drop(db);
        // A start that is refused for something else has opened it, and says nothing of it.
        fs::write(damaged.join("vault"), "no secret\n\n").unwrap();
        assert!(matches!(open(&damaged).map(drop), Err(OpenError::Vault(_))), "{what}");
        fs::remove_file(damaged.join("vault")).unwrap();
        let is_made_again = check(&damaged, &logs, what) || index_files(&damaged) == IndexFiles::Stale;
        assert!(is_made_again, "{what}");
        fs::remove_dir_all(&damaged).unwrap();
    }
}

/// Opens a database as soon as sled's own threads, which outlive a store for a moment, have unlocked it.
fn opened(dir: &Path) -> sled::Db {
    loop {
        match sled::open(dir) {
            Ok(db) => return db,
            Err(why) => assert!(why.to_string().contains("could not acquire lock"), "{why}"),
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn a_damaged_keyspace_is_begun_again_in_memory_and_made_again_at_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    let logs = fill(dir.path());
    let db = opened(&dir.path().join("sled"));
    db.open_tree("rows").unwrap().insert(b"", b"half").unwrap();
    drop(db);
    let store = open(dir.path()).unwrap();
    let keyspace = store.keyspace("rows").unwrap();
    assert_eq!((keyspace.position(), keyspace.prefix(b"").count()), (0, 0));
    keyspace.put(b"key", b"value").unwrap();
    assert_eq!(rows(&store), 1);
    drop((keyspace, store));
    assert!(check(dir.path(), &logs, "the start after it"));
}

/// A refusal by the system proves no damage: the index is left alone, and one in memory is used.
#[test]
fn an_index_that_may_not_be_opened_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let logs = fill(dir.path());
    let (db, kept) = (dir.path().join("sled/db"), dir.path().join("db"));
    fs::rename(&db, &kept).unwrap();
    fs::create_dir(&db).unwrap();
    let store = open(dir.path()).unwrap();
    assert!(all_logs(&store) == logs && store.refusal().is_none());
    assert_eq!(store.keyspace("rows").unwrap().position(), 0);
    let head = push(&store, logs[0].0, "more");
    assert_eq!(*store.log().read(logs[0].0, head.seq()).unwrap()[0], *store.log().entries(1800, 1).unwrap()[0].bytes);
    assert!(open(dir.path()).is_err(), "nobody else comes in");
    drop(store);
    fs::remove_dir(&db).unwrap();
    fs::rename(&kept, &db).unwrap();
    let store = open(dir.path()).unwrap();
    assert_eq!(store.log().head(logs[0].0), Some(head));
    assert_eq!(rows(&store), ROWS, "the index was well, and is caught up");
}
