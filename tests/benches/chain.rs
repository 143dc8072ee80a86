//! Verifying a log's hash chain on one core, compared with plain SHA-256 over the same bytes in the same run.
//!
//! `cargo bench -p plybook-tests --bench chain`

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod support;

use std::time::Duration;

use plybook_events::body::Acted;
use plybook_events::chain::Chain;
use plybook_events::{Body, By, Event, Hash};
use plybook_rules::kind;
use sha2::{Digest, Sha256};
use support::{Runs, chain, grouped, id, long_game, timed_on_core, verdict};

/// The number of events in the log.
const EVENTS: usize = 20_000;

/// How often each figure is measured. The three take turns, so that other work on the machine slows them down
/// alike.
const RUNS: usize = 41;

/// The share of bare SHA-256 that checking should reach.
const GOAL: f64 = 0.5;

fn main() {
    println!("| events | bytes each | what | events/s | best | MB/s | of bare SHA-256 | |");
    println!("|---|---:|---|---:|---:|---:|---:|---|");
    let rules = kind("triangulate").expect("it is registered");
    compare("Triangulate", &long_game(rules, 1, EVENTS - 1).log(id(1)).1);
    let long = (0..EVENTS).map(|n| {
        let acted = Acted { action: format!("a1-b2x{n:057}"), clock_ms: Some(600_000), fair: false };
        (By::Seat(1), Body::Acted(acted))
    });
    compare("300 bytes", &chain(id(2), long.collect()).1);
}

fn compare(name: &str, lines: &[Vec<u8>]) {
    let head = Hash::of_event(lines.last().expect("there are events"));
    let bare: Vec<[u8; 32]> = lines.iter().map(|line| Sha256::digest(line).into()).collect();
    let mut took: [Vec<Duration>; 3] = Default::default();
    for _ in 0..RUNS {
        took[0].push(timed_on_core(|| {
            let mut all = lines.iter().zip(&bare);
            assert!(all.all(|(line, hash)| <[u8; 32]>::from(Sha256::digest(line)) == *hash));
        }));
        took[1].push(timed_on_core(|| {
            let mut chain = Chain::new(id(if name == "Triangulate" { 1 } else { 2 }));
            for line in lines {
                chain.check(line).expect("the log is whole");
            }
            assert_eq!((chain.len(), chain.head()), (lines.len() as u64, head));
        }));
        took[2].push(timed_on_core(|| {
            for (seq, line) in lines.iter().enumerate() {
                assert_eq!(Event::parse(line).expect("an event").seq, seq as u64);
            }
        }));
    }
    let events = lines.len() as u64;
    let bytes: usize = lines.iter().map(Vec::len).sum();
    let runs = took.map(Runs::from);
    let sha = runs[0].median(events);
    for (what, runs) in ["bare SHA-256", "chain checked", "parsed (no hash)"].into_iter().zip(&runs) {
        let rate = runs.median(events);
        let share = rate / sha;
        let met = if what == "chain checked" { verdict(share >= GOAL) } else { "–" };
        let (each, mb) = (bytes / lines.len(), rate * bytes as f64 / lines.len() as f64 / 1e6);
        println!(
            "| {name} | {each} | {what} | {} | {} | {mb:.0} | {:.0} % | {met} |",
            grouped(rate),
            grouped(runs.best(events)),
            share * 100.0
        );
    }
}
