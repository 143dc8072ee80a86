//! The transparency log: proofs of 256,000 leaves, and how fast appends are with and without it. Every proof is
//! checked during the run.
//!
//! `cargo bench -p plybook-store --bench tlog`; `PLYBOOK_BENCH_DIR` chooses the disk.

#![expect(clippy::cast_precision_loss, reason = "counts of events are far below 2^52")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Barrier, mpsc};
use std::time::{Duration, Instant};

use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::{Options, Store, UpkeepProgress};
use plybook_tlog::{Builder, Quorum, TILE_WIDTH, Tile, Tree, leaf_hash, verify_consistency, verify_inclusion};
use rustix::time::{ClockId, clock_gettime};

/// The number of leaves, and of proofs.
const LEAVES: u64 = 256_000;
const PROOFS: u64 = 4_000;

/// The writers, the events of each in a round, and the rounds.
const WRITERS: u64 = 64;
const EVENTS: u64 = 1_500;
const ROUNDS: u32 = 9;

fn main() {
    let dir = std::env::var_os("PLYBOOK_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(dir).expect("a folder to work in");
    proofs(dir.path());
    appends(dir.path());
}

/// The CPU time that this thread has taken.
fn cpu() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("it is not negative")
}

/// Proofs over a journal whose closed segments are compressed, each in a tree that has read nothing yet: with tiles of leaves that
/// are made from the journal, and with files of them, as nodes of a stream keep them.
fn proofs(dir: &Path) {
    let data = dir.join("proofs");
    let options = Options { segment_bytes: 8 << 20, ..Options::default() };
    let mut store = Store::open(&data, &options, &mut |_, _| ()).expect("it opens");
    fill(&store);
    let (compressed, is_compressed) = mpsc::channel();
    let told = move |progress: &UpkeepProgress| {
        // Nobody listens any more once all are compressed.
        let _ = compressed.send(progress.compressed == progress.segments);
    };
    store.compress_segments(told).expect("it starts");
    while !is_compressed.recv().expect("it goes on") {}
    let begun = Instant::now();
    store.keep_tlog(&data, None, Quorum::default(), false).expect("it starts");
    let tlog = store.tlog().expect("it was started");
    while tlog.published().checkpoint.size < LEAVES {
        std::thread::sleep(Duration::from_millis(1));
    }
    println!(
        "{LEAVES} leaves: {:.0} leaves/s with the writing of tiles",
        LEAVES as f64 / begun.elapsed().as_secs_f64()
    );

    let (mut builder, mut roots) = (Builder::default(), Vec::new());
    while builder.len() < LEAVES {
        for entry in store.log().entries(builder.len(), 4096).expect("it reads") {
            builder.push(leaf_hash(&entry.bytes), &mut ());
            if builder.len() % (LEAVES / PROOFS) == 0 {
                roots.push((builder.len(), builder.root()));
            }
        }
    }
    assert_eq!(builder.root(), tlog.published().checkpoint.root);
    measure(&store, &roots);
    drop(store);
    fs::remove_dir_all(data).expect("it is removed");
}

/// Records the events of some games in turn.
fn fill(store: &Store) {
    let mut games: Vec<_> =
        (0..WRITERS).map(|n| game(n, LEAVES / WRITERS)).map(|(log, events)| (log, events, None)).collect();
    while !games[0].1.is_empty() {
        for (log, events, head) in &mut games {
            let next = events.drain(..events.len().min(125)).collect();
            *head = Some(store.log().append(*log, head.as_ref(), next).expect("it is appended").head);
        }
    }
}

/// A leaf far from those of the numbers around `n`: its tile was not made just before.
fn scattered(n: u64) -> u64 {
    ((n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) * LEAVES) >> 32
}

/// Times tiles of leaves and proofs; every answer is checked.
fn measure(store: &Store, roots: &[(u64, Hash)]) {
    let (tlog, log) = (store.tlog().expect("it is kept"), store.log());
    let root = tlog.published().checkpoint.root;
    let (mut tiles, mut inclusions, mut consistencies) = (Vec::new(), Vec::new(), Vec::new());
    let timed = |times: &mut Vec<_>, begun: (Instant, Duration)| {
        times.push((begun.0.elapsed(), cpu().saturating_sub(begun.1)));
    };
    for n in 0..PROOFS {
        let index = scattered(n);
        let tile = Tile::full(0, index / u64::from(TILE_WIDTH));
        let begun = (Instant::now(), cpu());
        let found = tlog.tile(log, tile).expect("it is read");
        timed(&mut tiles, begun);
        let entry = log.entries(index, 1).expect("it is read").remove(0);
        if let Some(found) = found {
            let place = (index % u64::from(TILE_WIDTH)) as usize * 32;
            assert_eq!(found[place..place + 32], leaf_hash(&entry.bytes).0);
        }

        let index = scattered(n + PROOFS);
        let begun = (Instant::now(), cpu());
        let path = Tree::new(&tlog.tiles(log), LEAVES).inclusion(index).expect("it is in the tree");
        timed(&mut inclusions, begun);
        let entry = log.entries(index, 1).expect("it is read").remove(0);
        verify_inclusion(root, LEAVES, index, &entry.bytes, &path).expect("it is right");

        let (from, old) = roots[(scattered(n + 2 * PROOFS) * PROOFS / LEAVES) as usize];
        let begun = (Instant::now(), cpu());
        let path = Tree::new(&tlog.tiles(log), LEAVES).consistency(from).expect("it was that small");
        timed(&mut consistencies, begun);
        verify_consistency(from, old, LEAVES, root, &path).expect("it is right");
    }
    for (what, times) in [("tile", tiles), ("inclusion", inclusions), ("consistency", consistencies)] {
        let (elapsed, cpu): (Vec<Duration>, Vec<Duration>) = times.into_iter().unzip();
        for (of, mut times) in [("on one core", cpu), ("elapsed", elapsed)] {
            times.sort_unstable();
            let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_micros();
            let [p50, p99, longest] = [0.5, 0.99, 1.0].map(at);
            println!("{what:<12} {of:<12} p50 {p50:>5} us, p99 {p99:>5} us, longest {longest:>6} us");
        }
    }
}

/// Appends of one event each by many writers, without the transparency log and with it in turn, so that both see the same
/// load of the machine.
fn appends(dir: &Path) {
    let mut ratios = Vec::new();
    for round in 0..ROUNDS {
        let [without, with] = [false, true].map(|with_tlog| {
            let data = dir.join(format!("appends-{round}-{with_tlog}"));
            let rate = append(&data, with_tlog);
            fs::remove_dir_all(data).expect("it is removed");
            rate
        });
        println!("{WRITERS} writers: {without:.0} events/s without, {with:.0} with: {:.2}", with / without);
        ratios.push(with / without);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median of {ROUNDS} rounds: {:.2}", ratios[ratios.len() / 2]);
}

fn append(data: &Path, with_tlog: bool) -> f64 {
    let store = Store::open(data, &Options::default(), &mut |_, _| ()).expect("it opens");
    if with_tlog {
        store.keep_tlog(data, None, Quorum::default(), false).expect("it starts");
    }
    let games: Vec<(LogId, Vec<Vec<u8>>)> = (0..WRITERS).map(|n| game(n, EVENTS)).collect();
    let start = Barrier::new(games.len() + 1);
    let begun = std::thread::scope(|scope| {
        for (log, events) in &games {
            let (store, start) = (&store, &start);
            scope.spawn(move || {
                start.wait();
                let mut head = None;
                for event in events {
                    let appended = store.log().append(*log, head.as_ref(), vec![event.clone()]);
                    head = Some(appended.expect("it is appended").head);
                }
            });
        }
        start.wait();
        Instant::now()
    });
    let rate = (WRITERS * EVENTS) as f64 / begun.elapsed().as_secs_f64();
    if let Some(tlog) = store.tlog() {
        let begun = Instant::now();
        while tlog.published().checkpoint.size < WRITERS * EVENTS {
            assert!(begun.elapsed() < Duration::from_secs(60), "a checkpoint covers everything");
            std::thread::sleep(Duration::from_millis(1));
        }
        println!("  a checkpoint covered the last event after {} ms", begun.elapsed().as_millis());
    }
    rate
}

fn game(n: u64, events: u64) -> (LogId, Vec<Vec<u8>>) {
    let mut id = [7; 16];
    id[..8].copy_from_slice(&n.to_be_bytes());
    let (log, mut prev) = (LogId::from_bytes(id), Hash::ZERO);
    let event = |seq: u64| {
        let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64).expect("in range");
        let body = Body::Acted(Acted { action: format!("a1-b2x{seq:057}"), clock_ms: Some(600_000), fair: false });
        let event = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None, request: None };
        let bytes = event.to_bytes().expect("a small event");
        prev = Hash::of_event(&bytes);
        bytes
    };
    (log, (0..events).map(event).collect())
}
