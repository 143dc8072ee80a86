//! Processes killed while they write, again and again.
//!
//! The test starts this test binary as a child, which appends from several threads and prints what was
//! acknowledged, until it is killed. Then the directory is opened.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use plybook_events::{Hash, LogId};
use plybook_store::{IndexFiles, Keyspace, Memory, Options, Store, index_files};

use crate::support::{Random, all_entries, all_logs, copy_dir, events, log_id, open};
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
    let rows: Vec<_> = keyspace.prefix(b"").map(Result::unwrap).collect();
    assert_eq!(rows.len() as u64, keyspace.position());
    for ((key, value), entry) in rows.into_iter().zip(all_entries(store)) {
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
    store.compress_segments(|_| ()).unwrap();
    let keyspace = store.keyspace("seen").unwrap();
    thread::scope(|scope| {
        for n in 0..WRITERS {
            let store = &store;
            scope.spawn(move || append_for_ever(store, n));
        }
        loop {
            let (mut changes, mut position) = (plybook_store::Changes::new(), keyspace.position());
            for entry in store.log().entries(position, 100).unwrap() {
                changes.put(entry.position.to_be_bytes(), entry.hash.0);
                position = entry.position + 1;
            }
            keyspace.apply(&changes, position).unwrap();
            thread::sleep(Duration::from_millis(1));
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

/// Whether a start makes the index again.
fn is_made_again(dir: &Path) -> bool {
    let mut is_made = false;
    let options = Options { memory: Memory::of(128 << 20), ..Options::DEFAULT };
    let store = Store::open(dir, &options, &mut |_, total| is_made = total > 0).unwrap();
    all_logs(&store);
    is_made
}

/// After a kill, the index is opened as it is; a copy, the index of another boot of the system, and one that does not say when
/// it was opened are made again.
#[test]
fn an_index_is_believed_only_where_and_when_its_process_was_killed() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy) = (dir.path().join("data"), dir.path().join("copy"));
    kill_one(&data);
    copy_dir(&data, &copy);
    assert_eq!((index_files(&data), index_files(&copy)), (IndexFiles::Sound, IndexFiles::Stale));
    let stamp = data.join("sled/stamp.json");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let killed = fs::read_to_string(&stamp).unwrap();
    let rebooted = killed.replace(boot.trim_end(), "00000000-0000-0000-0000-000000000000");
    assert!(rebooted.contains("0000-0000"), "{rebooted}");
    fs::write(&stamp, rebooted).unwrap();
    assert_eq!(index_files(&data), IndexFiles::Stale);
    fs::remove_file(&stamp).unwrap();
    assert_eq!(index_files(&data), IndexFiles::Stale);
    for dir in [data, copy] {
        assert!(is_made_again(&dir), "{}", dir.display());
        assert!(!is_made_again(&dir), "{}: it was closed", dir.display());
    }
}
