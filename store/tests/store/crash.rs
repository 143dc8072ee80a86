//! Processes killed while they write, again and again.
//!
//! The test starts this test binary as a child, which appends from several threads and prints what was
//! acknowledged, until it is killed. Then the directory is opened.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::ops::Bound;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::{Hash, LogId};
use plybook_store::{Keyspace, Store};

use crate::support::{Random, all_logs, copy_dir, events, log_id, open};
use crate::tier::size;

const CHILD: &str = "PLYBOOK_CRASH_CHILD";
const ROUNDS: &str = "PLYBOOK_CRASH_ROUNDS";
const WRITERS: u64 = 8;

/// How long a child is waited for.
const PATIENCE: Duration = Duration::from_secs(300);

#[test]
fn every_acknowledged_event_survives_a_kill() {
    let rounds: u64 = std::env::var(ROUNDS).map_or(size(8, 20, 20), |n| n.parse().expect("a number of rounds"));
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(0x5eed);
    let mut acknowledged = BTreeMap::new();
    let mut events = 0;
    for round in 0..rounds {
        let mut child = start(dir.path());
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let (tell, told) = mpsc::channel();
        let reading = thread::spawn(move || {
            let (mut text, mut end) = (String::new(), 0);
            while lines.read_line(&mut text).unwrap() > 0 {
                if text[end..].starts_with("ack ") {
                    let _ = tell.send(());
                }
                end = text.len();
            }
            text
        });
        // Every fourth is killed at any moment of the start, the others while it writes, however slow that is.
        if round % 4 != 3 {
            told.recv_timeout(PATIENCE).expect("the child writes");
        }
        thread::sleep(Duration::from_millis(random.below(100) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        // Lines are written in one piece, and the last one counts only if it ends with a line feed.
        let text = reading.join().unwrap();
        let said: Vec<_> = text.split_inclusive('\n').filter_map(parse).collect();
        acknowledged.extend(said.iter().copied());

        let store = open(dir.path()).unwrap_or_else(|why| panic!("round {round}: {why}"));
        let logs: BTreeMap<_, _> = all_logs(&store).into_iter().collect();
        for ((log, seq), hash) in &acknowledged {
            let found = logs.get(log).and_then(|events| events.get(*seq as usize));
            let found = found.unwrap_or_else(|| panic!("round {round}: {log} {seq} is lost"));
            assert_eq!(Hash::of_event(found), *hash, "round {round}: {log} {seq}");
        }
        assert!(store.log().len() >= events);
        events = store.log().len();
        check_keyspace(&store, &store.keyspace("seen").unwrap());
    }
    assert!(acknowledged.len() as u64 > rounds * 10, "too little was written to test anything");
    println!("{rounds} rounds, {} events acknowledged, {events} found", acknowledged.len());
}

/// A read model may be behind, but holds exactly what its position says.
fn check_keyspace(store: &Store, keyspace: &Keyspace) {
    assert!(keyspace.position() <= store.log().len());
    assert_eq!(keyspace.len(), keyspace.position());
    let rows = keyspace.range(Bound::Unbounded, Bound::Unbounded).map(Result::unwrap);
    let mut entries = store.log().follow(0);
    let mut expected = Vec::new();
    while (expected.len() as u64) < keyspace.position() {
        expected.extend(entries.next_batch(1000, Duration::ZERO).unwrap());
    }
    for ((key, value), entry) in rows.zip(expected) {
        assert_eq!((key, value), (entry.position.to_be_bytes().to_vec(), entry.hash.0.to_vec()));
    }
}

fn start(dir: &Path) -> Child {
    let binary = std::env::current_exe().unwrap();
    let mut command = Command::new(binary);
    command.args(["--exact", "crash::child", "--nocapture", "--quiet"]).env(CHILD, dir);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn parse(line: &str) -> Option<((LogId, u64), Hash)> {
    let words = line.strip_suffix('\n')?.strip_prefix("ack ")?;
    let [log, seq, hash] = words.split(' ').collect::<Vec<_>>().try_into().ok()?;
    Some(((log.parse().unwrap(), seq.parse().unwrap()), hash.parse().unwrap()))
}

/// What the child does; without its directory, this is not the child.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(CHILD) else {
        return;
    };
    let mut store = open(Path::new(&dir)).unwrap();
    // So that it is killed while it compresses, too.
    store.keep_segments(true, |_| ()).unwrap();
    let keyspace = store.keyspace("seen").unwrap();
    thread::scope(|scope| {
        for n in 0..WRITERS {
            let store = &store;
            scope.spawn(move || append_for_ever(store, n));
        }
        let mut follower = store.log().follow(keyspace.position());
        loop {
            let mut changes = plybook_store::Changes::new();
            for entry in follower.next_batch(100, Duration::from_millis(10)).unwrap() {
                changes.put(entry.position.to_be_bytes(), entry.hash.0);
            }
            keyspace.apply(&changes, follower.position()).unwrap();
        }
    });
}

fn append_for_ever(store: &Store, writer: u64) {
    for n in 0.. {
        let log = log_id(writer * 10 + n % 5);
        let head = store.log().head(log);
        let what = if n % 7 == 0 { &["a", "b", "c"][..] } else { &["a"] };
        let batch = events(log, head.as_ref(), what);
        let mut line = Vec::new();
        let first = head.map_or(0, |head| head.seq() + 1);
        for (seq, bytes) in (first..).zip(&batch) {
            writeln!(line, "ack {log} {seq} {}", Hash::of_event(bytes)).unwrap();
        }
        store.log().append(log, head.as_ref(), batch).unwrap();
        let mut out = std::io::stdout().lock();
        out.write_all(&line).unwrap();
        out.flush().unwrap();
    }
}

/// The lines of a child that is not killed are understood; otherwise the test would test nothing.
#[test]
fn the_child_says_what_it_does() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = start(dir.path());
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<_> = lines.filter_map(|line| parse(&(line + "\n"))).take(50).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(said.len(), 50);
}

/// Starts a child in a directory, and kills it once it has recorded something.
fn kill_one(dir: &Path) {
    let mut child = start(dir);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert_eq!(lines.filter_map(|line| parse(&(line + "\n"))).take(300).count(), 300);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Has sled lose some events, without a word; whether it had any: it writes on its own time.
fn lose_a_block(dir: &Path) -> bool {
    let db = sled::open(dir.join("sled")).unwrap();
    let logs = db.open_tree("logs").unwrap();
    let block = logs.iter().keys().map(Result::unwrap).find(|key| key.len() == 24);
    block.is_some_and(|block| logs.remove(block).unwrap().is_some())
}

/// Kills a process, and has sled lose some events.
fn kill_and_lose(dir: &Path) {
    let deadline = Instant::now() + PATIENCE;
    kill_one(dir);
    while !lose_a_block(dir) {
        assert!(Instant::now() < deadline, "sled writes something");
        kill_one(dir);
    }
}

/// A process that is killed leaves an index that is believed. If sled has lost something all the same, no answer is wrong, and the
/// start after the next makes the index again.
#[test]
fn what_sled_lost_when_its_process_was_killed_is_found_after_the_start() {
    let dir = tempfile::tempdir().unwrap();
    kill_and_lose(dir.path());
    let stamp = dir.path().join("sled/open.json");
    assert!(stamp.exists());
    let store = open(dir.path()).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while stamp.exists() {
        assert!(Instant::now() < deadline, "it is found");
        thread::sleep(Duration::from_millis(5));
    }
    let whole = all_logs(&store);
    drop(store);
    let aside = dir.path().join("sled.damaged-1");
    assert!(!aside.exists() && !dir.path().join("sled/clean.json").exists());
    assert!(all_logs(&open(dir.path()).unwrap()) == whole && aside.exists());
}

/// A copy, another boot of the system, and a process that did not say when it began: the index is counted before anything else.
#[test]
fn an_index_is_believed_only_where_and_when_its_process_was_killed() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy, silent) = (dir.path().join("data"), dir.path().join("copy"), dir.path().join("silent"));
    kill_and_lose(&data);
    copy_dir(&data, &copy);
    copy_dir(&data, &silent);
    fs::remove_file(silent.join("sled/open.json")).unwrap();
    let stamp = data.join("sled/open.json");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let rebooted = fs::read_to_string(&stamp).unwrap().replace(boot.trim_end(), "00000000-0000-0000-0000-000000000000");
    assert!(rebooted.contains("0000-0000"), "{rebooted}");
    fs::write(&stamp, rebooted).unwrap();
    for dir in [data, copy, silent] {
        all_logs(&open(&dir).unwrap());
        assert!(dir.join("sled.damaged-1").exists(), "{}", dir.display());
    }
}
