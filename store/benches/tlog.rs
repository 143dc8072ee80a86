//! The transparency log: proofs of ten million leaves, and how fast appends are with and without it. Every proof is
//! checked during the run.
//!
//! `cargo bench -p plybook-store --bench tlog`; `PLYBOOK_BENCH_DIR` chooses the disk.

#![expect(clippy::cast_precision_loss, reason = "counts of events are far below 2^52")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::time::{Duration, Instant};

use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::{Options, Store, Tlog};
use plybook_tlog::{
    Builder, Checkpoint, Quorum, SigningKey, Sink, Tile, Tree, leaf_hash, verify_consistency, verify_inclusion,
};
use rustix::time::{ClockId, clock_gettime};

/// The number of leaves, and of proofs.
const LEAVES: u64 = 10_000_000;
const PROOFS: u64 = 20_000;

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

/// Writes tiles as files.
struct Files<'a>(&'a Path);

impl Sink for Files<'_> {
    fn take(&mut self, tile: Tile, hashes: &[Hash]) {
        let path = self.0.join("tlog/tile").join(tile.to_string());
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("it is made");
        let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.0).collect();
        fs::write(path, bytes).expect("it is written");
    }
}

/// The CPU time that this thread has taken.
fn cpu() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().expect("it is not negative")
}

fn entry(index: u64) -> Vec<u8> {
    format!("entry {index}").into_bytes()
}

/// Proofs from tiles on the disk, each in a tree that has read nothing yet.
fn proofs(dir: &Path) {
    let data = dir.join("proofs");
    let (mut builder, mut files) = (Builder::default(), Files(&data));
    let (begun, step) = (Instant::now(), LEAVES / PROOFS);
    let mut roots = Vec::new();
    for index in 0..LEAVES {
        builder.push(leaf_hash(&entry(index)), &mut files);
        if index % step == 0 {
            roots.push((index + 1, builder.root()));
        }
    }
    for (tile, hashes) in builder.partial() {
        files.take(tile, hashes);
    }
    let rate = LEAVES as f64 / begun.elapsed().as_secs_f64();
    println!("{LEAVES} leaves: {rate:.0} leaves/s with the writing of tiles");
    let key = SigningKey::from_seed("bench", &[7; 32]).expect("it is a name");
    let checkpoint = Checkpoint { origin: "bench".to_owned(), size: LEAVES, root: builder.root() };
    fs::write(data.join("tlog/key"), key.to_secret_text()).expect("it is written");
    fs::write(data.join("tlog/checkpoint"), checkpoint.sign(&[&key]).to_string()).expect("it is written");
    let tlog = Tlog::open_to_read(&data).expect("it opens").expect("it is there");

    // A step that is no power of two, so that leaves are anywhere in their tiles.
    let (mut inclusions, mut consistencies) = (Vec::new(), Vec::new());
    for n in 0..PROOFS {
        let index = n * 7_919_993 % LEAVES;
        let begun = (Instant::now(), cpu());
        let path = Tree::new(tlog.tiles(), LEAVES).inclusion(index).expect("it is in the tree");
        inclusions.push((begun.0.elapsed(), cpu().saturating_sub(begun.1)));
        verify_inclusion(checkpoint.root, LEAVES, index, &entry(index), &path).expect("it is right");

        let (from, old) = roots[(n * 7_919 % PROOFS) as usize];
        let begun = (Instant::now(), cpu());
        let path = Tree::new(tlog.tiles(), LEAVES).consistency(from).expect("it was that small");
        consistencies.push((begun.0.elapsed(), cpu().saturating_sub(begun.1)));
        verify_consistency(from, old, LEAVES, checkpoint.root, &path).expect("it is right");
    }
    for (what, times) in [("inclusion", inclusions), ("consistency", consistencies)] {
        let (elapsed, cpu): (Vec<Duration>, Vec<Duration>) = times.into_iter().unzip();
        for (of, mut times) in [("on one core", cpu), ("elapsed", elapsed)] {
            times.sort_unstable();
            let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_micros();
            println!("{what:<12} {of:<12} p50 {:>5} us, p99 {:>5} us, longest {:>6} us", at(0.5), at(0.99), at(1.0));
        }
    }
    fs::remove_dir_all(data).expect("it is removed");
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
    let mut store = Store::open(data, &Options::default(), &mut |_, _| ()).expect("it opens");
    if with_tlog {
        store.keep_tlog(data, None, Quorum::default(), false).expect("it starts");
    }
    let games: Vec<(LogId, Vec<Vec<u8>>)> = (0..WRITERS).map(game).collect();
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

fn game(n: u64) -> (LogId, Vec<Vec<u8>>) {
    let mut id = [7; 16];
    id[..8].copy_from_slice(&n.to_be_bytes());
    let (log, mut prev) = (LogId::from_bytes(id), Hash::ZERO);
    let event = |seq: u64| {
        let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64).expect("in range");
        let body = Body::Acted(Acted { action: format!("a1-b2x{seq:057}"), clock_ms: Some(600_000), fair: false });
        let event = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None };
        let bytes = event.to_bytes().expect("a small event");
        prev = Hash::of_event(&bytes);
        bytes
    };
    (log, (0..EVENTS).map(event).collect())
}
