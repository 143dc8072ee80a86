//! How many 300-byte events per second become durable with one append per event: the log, compared with plain
//! write and fdatasync and with `SQLite` in the same run on the same disk, in rounds of each in turn: medians of the
//! rates, and of the ratios of a round. Every answer is checked during the run.
//!
//! `cargo bench -p plybook-store --bench append`; `PLYBOOK_BENCH_DIR` chooses the disk.

#![expect(clippy::cast_precision_loss, reason = "counts of events are far below 2^52")]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Barrier, Mutex};
use std::time::Instant;

use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::{Options, Store};

/// The events of one log, made before the clock starts.
struct Game {
    log: LogId,
    events: Vec<Vec<u8>>,
    hashes: Vec<Hash>,
}

/// How often each is run, in turn: how long a sync takes changes from second to second.
const ROUNDS: usize = 7;

fn main() {
    let dir = std::env::var_os("PLYBOOK_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(dir).expect("a folder to work in");
    println!("{:<28} {:>8} {:>10} {:>12} {:>10}", "", "writers", "events", "events/s", "x SQLite");
    for (writers, log_events, other_events) in [(1, 2_000, 2_000), (64, 1_000, 40)] {
        let runs = [
            ("write + fdatasync", other_events, plain as fn(&Path, &[Game]) -> f64),
            ("SQLite, WAL, FULL", other_events, sqlite),
            ("Log", log_events, log),
        ];
        let rounds: Vec<[f64; 3]> = (0..ROUNDS)
            .map(|_| {
                runs.map(|(_, events, run)| {
                    let games: Vec<Game> = (0..writers).map(|n| game(n, events)).collect();
                    let dir = tempfile::tempdir_in(&dir).expect("a folder to work in");
                    run(dir.path(), &games)
                })
            })
            .collect();
        for (n, (name, events, _)) in runs.into_iter().enumerate() {
            let events = writers as usize * events;
            let rate = median(rounds.iter().map(|round| round[n]));
            let ratio = median(rounds.iter().map(|round| round[n] / round[1]));
            println!("{name:<28} {writers:>8} {events:>10} {rate:>12.0} {ratio:>10.2}");
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn game(n: u64, events: usize) -> Game {
    let mut id = [7; 16];
    id[..8].copy_from_slice(&n.to_be_bytes());
    let mut game = Game { log: LogId::from_bytes(id), events: Vec::new(), hashes: Vec::new() };
    for seq in 0..events {
        let event = Event {
            at: Timestamp::from_millis(1_790_000_000_000 + seq as i64).expect("in range"),
            by: By::Seat(1),
            log: game.log,
            prev: game.hashes.last().copied().unwrap_or(Hash::ZERO),
            seq: seq as u64,
            body: Body::Acted(Acted { action: format!("a1-b2x{seq:057}"), clock_ms: Some(600_000), fair: false }),
            who: None,
            signature: None,
            request: None,
        };
        let bytes = event.to_bytes().expect("a small event");
        game.hashes.push(Hash::of_event(&bytes));
        game.events.push(bytes);
    }
    let bytes = game.events[0].len();
    assert!((295..=305).contains(&bytes), "events have about 300 bytes, these {bytes}");
    game
}

/// Runs one thread per game, and returns the events per second of all of them together.
fn race(games: &[Game], append_all: impl Fn(&Game) + Sync) -> f64 {
    let start = Barrier::new(games.len() + 1);
    let begun = std::thread::scope(|scope| {
        for game in games {
            scope.spawn(|| {
                start.wait();
                append_all(game);
            });
        }
        start.wait();
        Instant::now()
    });
    let seconds = begun.elapsed().as_secs_f64();
    games.iter().map(|game| game.events.len()).sum::<usize>() as f64 / seconds
}

fn log(dir: &Path, games: &[Game]) -> f64 {
    let store = Store::open(dir, &Options::default(), &mut |_, _| ()).expect("it opens");
    let rate = race(games, |game| {
        let mut head = None;
        for (seq, event) in game.events.iter().enumerate() {
            let appended = store.log().append(game.log, head.as_ref(), vec![event.clone()]);
            let appended = appended.expect("it is appended").head;
            assert_eq!((appended.seq(), appended.hash()), (seq as u64, game.hashes[seq]));
            head = Some(appended);
        }
    });
    drop(store);
    let store = Store::open(dir, &Options::default(), &mut |_, _| ()).expect("it opens");
    for game in games {
        let found = store.log().read(game.log, 0).expect("it is read");
        assert!(found.iter().map(|bytes| &**bytes).eq(game.events.iter().map(Vec::as_slice)));
    }
    rate
}

fn plain(dir: &Path, games: &[Game]) -> f64 {
    let path = dir.join("plain");
    let file = OpenOptions::new().create(true).append(true).open(&path).expect("it opens");
    let file: Mutex<File> = Mutex::new(file);
    let rate = race(games, |game| {
        for event in &game.events {
            let mut file = file.lock().expect("nobody panicked");
            file.write_all(event).expect("it is written");
            file.sync_data().expect("it is synced");
        }
    });
    let bytes: usize = games.iter().flat_map(|game| &game.events).map(Vec::len).sum();
    assert_eq!(std::fs::metadata(path).expect("it is there").len(), bytes as u64);
    rate
}

/// `SQLite` in Python's standard library, which takes microseconds beside a sync. It allows one writer at a time anyway.
fn sqlite(dir: &Path, games: &[Game]) -> f64 {
    let mut python = Command::new("python3");
    let python = python.args(["-c", SQLITE]).arg(dir.join("events.db")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = python.spawn().expect("python3 is there");
    let mut lines = String::new();
    for seq in 0..games[0].events.len() {
        for game in games {
            let event = std::str::from_utf8(&game.events[seq]).expect("events are text");
            lines.push_str(&format!("{} {seq} {event}\n", game.log));
        }
    }
    python.stdin.take().expect("it is piped").write_all(lines.as_bytes()).expect("it reads");
    let told = python.wait_with_output().expect("it ends");
    assert!(told.status.success(), "SQLite has every event");
    let seconds: f64 = String::from_utf8_lossy(&told.stdout).trim().parse().expect("it prints seconds");
    games.iter().map(|game| game.events.len()).sum::<usize>() as f64 / seconds
}

const SQLITE: &str = r#"
import sqlite3, sys, time, uuid
events = []
for line in sys.stdin.buffer:
    log, seq, event = line.rstrip(b"\n").split(b" ", 2)
    events.append((uuid.UUID(log.decode()).bytes, int(seq), event))
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("pragma journal_mode = wal")
db.execute("pragma synchronous = full")
db.execute("create table events (log blob, seq integer, bytes blob, primary key (log, seq)) without rowid")
begun = time.perf_counter()
for event in events:
    db.execute("insert into events values (?, ?, ?)", event)
print(time.perf_counter() - begun)
assert db.execute("select count(*) from events").fetchone() == (len(events),)
"#;
