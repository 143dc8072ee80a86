//! The transparency log: what it promises, and what an operator who rewrites history meets.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use plybook_events::Hash;
use plybook_events::body::KeyRotated;
use plybook_store::{FileJournal, Journal, Store, TileError, Tlog, TlogError};
use plybook_tlog::{Builder, Checkpoint, Quorum, Tree, VerifierKey, leaf_hash, verify_consistency, verify_inclusion};
use tempfile::TempDir;

use crate::support::{Random, events, log_id, open, push};

/// Opens a store with its transparency log.
fn kept(dir: &Path) -> Result<Store, TlogError> {
    let store = open(dir).unwrap();
    store.keep_tlog(dir, Some("games.example.org"), Quorum::default(), false).map(|()| store)
}

/// Waits until a checkpoint covers everything that is recorded.
fn covered(store: &Store) -> Checkpoint {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let published = store.tlog().unwrap().published();
        if published.checkpoint.size == store.log().len() {
            let key: VerifierKey = store.tlog().unwrap().key().to_string().parse().unwrap();
            assert_eq!(Checkpoint::open(&published.note.to_string(), &key).as_ref(), Ok(&published.checkpoint));
            return published.checkpoint.clone();
        }
        assert!(Instant::now() < until, "no checkpoint covers what is recorded");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Records this many events, in a few logs.
fn record(store: &Store, count: u64) {
    let (logs, each) = (4, count.div_ceil(4));
    let mut left = count;
    for n in 0..logs {
        let (log, some) = (log_id(n), each.min(left));
        left -= some;
        let names: Vec<String> = (0..some).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let head = store.log().head(log);
        for names in names.chunks(200) {
            let head = store.log().head(log).or(head);
            store.log().append(log, head.as_ref(), events(log, head.as_ref(), names)).unwrap();
        }
    }
}

/// All events of a journal.
fn entries(store: &Store) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while (all.len() as u64) < store.log().len() {
        all.extend(store.log().entries(all.len() as u64, 4096).unwrap().iter().map(|entry| entry.bytes.to_vec()));
    }
    all
}

fn root_of(entries: &[Vec<u8>]) -> Hash {
    let mut builder = Builder::default();
    for entry in entries {
        builder.push(leaf_hash(entry), &mut ());
    }
    builder.root()
}

/// The files of the tiles that a tree of this size has.
fn needed(dir: &Path, size: u64) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for level in 1..8 {
        for index in 0.. {
            let Some(tile) = plybook_tlog::Tile::of_tree(level, index, size) else { break };
            let path = format!("tile/{tile}");
            found.insert(path.clone(), fs::read(dir.join("tlog").join(path)).unwrap_or_default());
        }
    }
    found
}

#[test]
fn a_checkpoint_covers_what_is_recorded_and_proves_it() {
    let dir = TempDir::new().unwrap();
    let mut seen: Vec<Checkpoint> = Vec::new();
    for count in [0, 1, 300, 700] {
        // Every other start finds events that were recorded without a transparency log, as by `import`.
        record(&open(dir.path()).unwrap(), count / 2);
        let store = kept(dir.path()).unwrap();
        record(&store, count - count / 2);
        let checkpoint = covered(&store);
        let (all, tlog) = (entries(&store), store.tlog().unwrap());
        let tiles = tlog.tiles(store.log());
        assert_eq!(checkpoint.origin, "games.example.org");
        assert_eq!((checkpoint.size, checkpoint.root), (all.len() as u64, root_of(&all)));
        let tree = Tree::new(&tiles, checkpoint.size);
        for (index, entry) in all.iter().enumerate() {
            let path = tree.inclusion(index as u64).unwrap();
            verify_inclusion(checkpoint.root, checkpoint.size, index as u64, entry, &path).unwrap();
        }
        for old in seen.iter().filter(|old| old.size > 0) {
            let proof = tree.consistency(old.size).unwrap();
            verify_consistency(old.size, old.root, checkpoint.size, checkpoint.root, &proof).unwrap();
        }
        seen.push(checkpoint);
    }
}

#[test]
fn only_tiles_that_the_checkpoint_covers_are_shown() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, 300);
    covered(&store);
    let tile =
        |path: &str| store.tlog().unwrap().tile(store.log(), path.parse().unwrap()).unwrap().map(|bytes| bytes.len());
    assert_eq!(tile("0/000"), Some(256 * 32));
    assert_eq!(tile("0/000.p/9"), Some(9 * 32), "a partial tile that is gone is the beginning of the full one");
    assert_eq!(tile("0/001.p/44"), Some(44 * 32));
    assert_eq!([tile("0/001"), tile("0/001.p/45"), tile("0/002.p/1"), tile("1/000.p/2"), tile("3/000.p/1")], [None; 5]);
}

/// More events than one full tile of level 1 covers.
const MANY: u64 = 256 * 256 + 464;

/// A full tile of leaves is no file: it is made from the journal.
#[test]
fn tiles_of_leaves_are_made_from_the_journal() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, MANY);
    let checkpoint = covered(&store);
    let (all, tlog) = (entries(&store), store.tlog().unwrap());
    let leaves =
        |from: usize, to: usize| all[from..to].iter().flat_map(|entry| leaf_hash(entry).0).collect::<Vec<u8>>();
    let tile = |path: &str| tlog.tile(store.log(), path.parse().unwrap()).unwrap();
    for (path, from, width) in [
        ("0/000", 0, 256),
        ("0/000.p/9", 0, 9),
        ("0/255", 255 * 256, 256),
        ("0/256", 256 * 256, 256),
        ("0/257.p/208", 257 * 256, 208),
        ("0/257.p/200", 257 * 256, 200),
    ] {
        assert_eq!(tile(path), Some(leaves(from, from + width)), "{path}");
    }
    let is_file = |path: &str| dir.path().join("tlog/tile").join(path).exists();
    assert_eq!(["0/000", "0/256", "0/256.p", "0/257.p/208"].map(is_file), [false, false, false, true]);
    let (tiles, mut random) = (tlog.tiles(store.log()), Random(7));
    let tree = Tree::new(&tiles, checkpoint.size);
    for index in (0..500).map(|_| random.below(all.len())) {
        let path = tree.inclusion(index as u64).unwrap();
        verify_inclusion(checkpoint.root, checkpoint.size, index as u64, &all[index], &path).unwrap();
    }
    for from in [1, 300, 65_535, 65_536, 65_900] {
        let proof = tree.consistency(from as u64).unwrap();
        verify_consistency(from as u64, root_of(&all[..from]), checkpoint.size, checkpoint.root, &proof).unwrap();
    }
    drop(store);

    // What the disk lost is made again, after the start.
    let whole = needed(dir.path(), checkpoint.size);
    assert_eq!(whole.len(), 3);
    fs::write(dir.path().join("tlog/tile/1/000"), "torn").unwrap();
    let store = kept(dir.path()).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while needed(dir.path(), checkpoint.size) != whole {
        assert!(Instant::now() < until, "the tile is there again");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(covered(&store), checkpoint);
}

/// The hash in the tile above tells what the tree has: nothing else is given.
#[test]
fn a_tile_is_never_made_of_changed_events() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, MANY);
    covered(&store);
    let mut all = entries(&store);
    drop(store);
    all[300] = events(log_id(9), None, &["another"]).remove(0);
    rewrite(dir.path(), &all);
    let store = open(dir.path()).unwrap();
    let tlog = Tlog::open_to_read(dir.path()).unwrap().unwrap();
    let tile = |path: &str| tlog.tile(store.log(), path.parse().unwrap());
    assert!(tile("0/000").unwrap().is_some());
    for path in ["0/001", "0/001.p/2"] {
        assert!(matches!(tile(path), Err(TileError::Changed(tile)) if tile.index == 1), "{path}");
    }
    let is_told =
        |why: &TlogError| matches!(why, TlogError::Changed { events: Some(found), .. } if *found == (256..=511));
    assert!(tlog.examine(store.log()).is_err_and(|why| is_told(&why)));
    drop(store);
    let refused = kept(dir.path()).err().unwrap();
    assert!(refused.to_string().contains("the first at one of the positions 256 to 511"), "{refused}");
}

/// Whatever a crash or a bad disk left of the tiles, the next start has the same bytes.
#[test]
fn tiles_are_made_again_to_the_same_bytes() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, MANY);
    let checkpoint = covered(&store);
    drop(store);
    let whole = needed(dir.path(), checkpoint.size);
    assert_eq!(whole.len(), 3);
    for (n, path) in whole.keys().enumerate() {
        let at = dir.path().join("tlog").join(path);
        match n % 3 {
            0 => fs::remove_file(&at).unwrap(),
            1 => fs::write(&at, vec![0; whole[path].len()]).unwrap(),
            _ => fs::write(&at, &whole[path][..40.min(whole[path].len() - 1)]).unwrap(),
        }
        fs::write(dir.path().join("tlog/tile.new"), "torn").unwrap();
        assert_ne!(needed(dir.path(), checkpoint.size), whole);
        let store = kept(dir.path()).unwrap();
        assert_eq!(store.tlog().unwrap().published().checkpoint, checkpoint);
        drop(store);
        assert_eq!(needed(dir.path(), checkpoint.size), whole, "{path}");
    }
    fs::remove_dir_all(dir.path().join("tlog/tile")).unwrap();
    drop(kept(dir.path()).unwrap());
    assert_eq!(needed(dir.path(), checkpoint.size), whole);
}

/// Stopped at any point between two checkpoints: the data directory is copied while the service runs.
#[test]
fn a_copy_made_at_any_time_continues() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    for round in 0..6 {
        record(&store, 150);
        let copy_of = TempDir::new().unwrap();
        // The checkpoint may not be ahead of the journal, so it is copied first, as docs/operations.md says.
        copy(&dir.path().join("tlog"), &copy_of.path().join("tlog"));
        copy(&dir.path().join("journal"), &copy_of.path().join("journal"));
        let copied = kept(copy_of.path()).unwrap();
        assert_eq!(covered(&copied).root, root_of(&entries(&copied)), "round {round}");
        drop(copied);
    }
}

/// Copies a folder in which files come and go.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for (path, bytes) in files(from) {
        let to = to.join(Path::new(&path).strip_prefix(from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
}

/// Writes a journal anew, with consistent checks, as somebody with full write access can; drops the index.
fn rewrite(dir: &Path, events: &[Vec<u8>]) {
    for gone in ["journal", "sled"] {
        fs::remove_dir_all(dir.join(gone)).unwrap();
    }
    let journal = FileJournal::open(&dir.join("journal"), 20_000).unwrap();
    for events in events.chunks(400) {
        let events: Vec<_> = events.iter().map(|event| event.clone().into()).collect();
        journal.append(journal.len(), &events).unwrap();
    }
}

#[test]
fn a_journal_that_was_rewritten_is_refused() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, 600);
    covered(&store);
    let whole = entries(&store);
    drop(store);
    let (mut changed, mut dropped, mut inserted) = (whole.clone(), whole.clone(), whole.clone());
    // The last event of a log needs no other hash to be changed.
    let last = events(log_id(3), None, &["another"]).remove(0);
    *changed.last_mut().unwrap() = last.clone();
    dropped.retain(|event| !String::from_utf8_lossy(event).contains(&log_id(1).to_string()));
    inserted.insert(0, events(log_id(9), None, &["of 2024"]).remove(0));
    let cut = whole[..599].to_vec();
    let longer = [changed.clone(), vec![events(log_id(8), None, &["more"]).remove(0)]].concat();
    for (what, events) in
        [("changed", changed), ("dropped", dropped), ("inserted", inserted), ("cut", cut), ("longer", longer)]
    {
        let before = files(&dir.path().join("tlog"));
        rewrite(dir.path(), &events);
        let refused = kept(dir.path()).err().expect(what);
        assert!(refused.to_string().starts_with("history was changed: "), "{what}: {refused}");
        match &refused {
            TlogError::Cut { journal, signed: 600, .. } => {
                assert!(["dropped", "cut"].contains(&what) && *journal == events.len() as u64, "{refused}");
            }
            TlogError::Changed { events: found, signed: 600, .. } => {
                let first = whole.iter().zip(&events).position(|(old, new)| old != new);
                let is_told = first.zip(found.as_ref()).is_some_and(|(at, found)| found.contains(&(at as u64)));
                assert!(is_told && found.as_ref().is_some_and(|found| found.end() - found.start() < 256), "{what}");
            }
            other => panic!("{what}: {other}"),
        }
        assert_eq!(files(&dir.path().join("tlog")), before, "{what}: the tree is not rewritten");
    }
    rewrite(dir.path(), &whole);
    let key = kept(dir.path()).unwrap().tlog().unwrap().key().clone();

    // If the change is accepted, another log begins: nobody takes its checkpoints for those of the old one.
    rewrite(dir.path(), &whole[..9]);
    let store = open(dir.path()).unwrap();
    store.keep_tlog(dir.path(), Some("games.example.org"), Quorum::default(), true).unwrap();
    covered(&store);
    assert!(Checkpoint::open(&store.tlog().unwrap().published().note.to_string(), &key).is_err());
    assert!(dir.path().join("tlog.before-1/checkpoint").exists());
}

/// The files of a folder with their content.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    // What is gone again is not copied.
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if let Ok(bytes) = fs::read(&path) {
            found.insert(path.display().to_string(), bytes);
        }
    }
    found
}

#[test]
fn the_key_is_private_and_belongs_to_the_checkpoint() {
    let dir = TempDir::new().unwrap();
    drop(kept(dir.path()).unwrap());
    let key = dir.path().join("tlog/key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&key).unwrap();
    let secret = text.trim_end().splitn(5, '+').last().unwrap().to_owned();

    fs::remove_file(&key).unwrap();
    assert!(matches!(kept(dir.path()), Err(TlogError::Key { .. })), "a missing key is not made again");
    fs::write(&key, text.replace("PRIVATE", "PUBLIC")).unwrap();
    let why = kept(dir.path()).err().unwrap();
    assert!(matches!(why, TlogError::Key { .. }) && !format!("{why} {why:?}").contains(&secret));
    let other = TempDir::new().unwrap();
    drop(kept(other.path()).unwrap());
    fs::copy(other.path().join("tlog/key"), &key).unwrap();
    assert!(matches!(kept(dir.path()), Err(TlogError::Checkpoint { .. })), "another key has not signed it");
    fs::write(&key, &text).unwrap();
    let checkpoint = fs::read_to_string(dir.path().join("tlog/checkpoint")).unwrap();
    fs::write(dir.path().join("tlog/checkpoint"), checkpoint.replacen("\n0\n", "\n1\n", 1)).unwrap();
    assert!(matches!(kept(dir.path()), Err(TlogError::Checkpoint { .. })), "a changed checkpoint is not signed");
    fs::write(dir.path().join("tlog/checkpoint"), checkpoint).unwrap();
    drop(kept(dir.path()).unwrap());
}

#[test]
fn an_origin_never_changes_and_has_a_name_of_its_own() {
    let dir = TempDir::new().unwrap();
    let origin = |wanted: Option<&str>| -> Result<String, TlogError> {
        let store = open(dir.path()).unwrap();
        store.keep_tlog(dir.path(), wanted, Quorum::default(), false)?;
        Ok(store.tlog().unwrap().published().checkpoint.origin.clone())
    };
    assert!(matches!(origin(Some("no origin")), Err(TlogError::BadOrigin { .. })));
    let own = origin(None).unwrap();
    assert!(own.starts_with("plybook-") && own.len() == 24, "{own}");
    assert_eq!(origin(None).unwrap(), own);
    assert_eq!(origin(Some(&own)).unwrap(), own);
    assert!(matches!(origin(Some("games.example.org")), Err(TlogError::Origin { .. })));
}

#[test]
fn a_key_is_rotated_and_the_list_tells() {
    let dir = TempDir::new().unwrap();
    assert!(matches!(rotate(dir.path(), false), Err(TlogError::Checkpoint { .. })));
    let store = kept(dir.path()).unwrap();
    record(&store, 5);
    covered(&store);
    let first = store.tlog().unwrap().key().clone();
    drop(store);
    let second = rotate(dir.path(), false).unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, 5);
    covered(&store);
    let note = store.tlog().unwrap().published().note.to_string();
    assert!([&first, &second].iter().all(|key| Checkpoint::open(&note, key).is_ok()), "both sign for a while");
    assert_eq!(store.tlog().unwrap().keys().unwrap(), format!("{first} 0\n{second} 5\n"));
    drop(store);
    let third = rotate(dir.path(), true).unwrap();
    let store = kept(dir.path()).unwrap();
    push(&store, log_id(7), "more");
    covered(&store);
    let note = store.tlog().unwrap().published().note.to_string();
    assert!(Checkpoint::open(&note, &third).is_ok());
    assert!([&first, &second].iter().all(|key| Checkpoint::open(&note, key).is_err()), "a stolen key signs no more");
    assert!(
        store.tlog().unwrap().keys().unwrap().ends_with(&format!("{third} 11\n")),
        "after ten events and a rotation"
    );
    let rotations = store.tlog().unwrap().rotations(store.log()).unwrap();
    let told: Vec<_> = rotations.iter().map(|rotation| (rotation.position, rotation.keys.clone())).collect();
    let expected = [(5, &first, &second, false), (11, &second, &third, true)];
    let expected = expected.map(|(position, old, key, dropped)| {
        (position, KeyRotated { key: key.to_string(), old: old.to_string(), dropped })
    });
    assert_eq!(told, expected);
    for rotation in &rotations {
        assert_eq!(*rotation.bytes, entries(&store)[usize::try_from(rotation.position).unwrap()]);
    }
    assert_eq!(fs::metadata(dir.path().join("tlog/key")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!dir.path().join("tlog/key.old").exists());
}

/// Rotates the key as the command does, with the store open.
fn rotate(dir: &Path, drops_old: bool) -> Result<VerifierKey, TlogError> {
    Tlog::rotate_key(dir, open(dir).unwrap().log(), drops_old)
}

/// Wherever the machine stops, the key and the journal go together, and the next call finishes what was begun.
#[test]
fn a_rotation_that_was_interrupted_is_finished() {
    let dir = TempDir::new().unwrap();
    let file = |name: &str| dir.path().join("tlog").join(name);
    let store = kept(dir.path()).unwrap();
    record(&store, 5);
    covered(&store);
    drop(store);
    let before = fs::read(file("key")).unwrap();
    let next = rotate(dir.path(), false).unwrap();
    let after = fs::read(file("key")).unwrap();
    // The rotation was recorded, and the key is still the old one.
    fs::rename(file("key"), file("key.next")).unwrap();
    fs::write(file("key"), &before).unwrap();
    let store = kept(dir.path()).unwrap();
    assert_eq!(covered(&store).size, 6, "the service starts with the old key");
    assert_ne!(store.tlog().unwrap().key(), &next);
    drop(store);
    assert!(matches!(rotate(dir.path(), true), Err(TlogError::Begun { dropped: false })));
    assert_eq!(rotate(dir.path(), false).unwrap(), next);
    assert_eq!(fs::read(file("key")).unwrap(), after);
    assert!(!file("key.next").exists());
    // The key is the new one, and only the file that it waited in is still there.
    fs::copy(file("key"), file("key.next")).unwrap();
    let store = kept(dir.path()).unwrap();
    assert_eq!((covered(&store).size, store.tlog().unwrap().key()), (6, &next));
    assert_eq!(store.tlog().unwrap().rotations(store.log()).unwrap().len(), 1, "it is recorded once");
    drop(store);
    assert_ne!(rotate(dir.path(), false).unwrap(), next, "that is another rotation");
}

#[test]
fn readers_see_the_last_checkpoint_and_change_nothing() {
    let dir = TempDir::new().unwrap();
    assert!(Tlog::open_to_read(dir.path()).unwrap().is_none());
    assert!(!dir.path().join("tlog").exists());
    let store = kept(dir.path()).unwrap();
    record(&store, 20);
    let checkpoint = covered(&store);
    let read = Tlog::open_to_read(dir.path()).unwrap().unwrap();
    assert_eq!(read.published().checkpoint, checkpoint);
    read.examine(store.log()).unwrap();
    assert_eq!(Tree::new(&read.tiles(store.log()), 20).root().unwrap(), checkpoint.root);
}

/// A full disk, a lost mount: nothing is published that is not complete, and it goes on when there is room.
#[test]
fn what_cannot_be_written_is_written_later() {
    let dir = TempDir::new().unwrap();
    let store = kept(dir.path()).unwrap();
    record(&store, 3);
    covered(&store);
    let in_the_way = dir.path().join("tlog/checkpoint.new");
    fs::create_dir(&in_the_way).unwrap();
    record(&store, 9);
    std::thread::sleep(Duration::from_millis(1_200));
    assert_eq!(store.tlog().unwrap().published().checkpoint.size, 3);
    fs::remove_dir(&in_the_way).unwrap();
    let checkpoint = covered(&store);
    assert_eq!(checkpoint.size, 12);
    let tiles = store.tlog().unwrap().tiles(store.log());
    let tree = Tree::new(&tiles, 12);
    assert_eq!(tree.root().unwrap(), checkpoint.root);
    let mut random = Random(7);
    assert!(tree.inclusion(random.below(12) as u64).is_ok());
}
