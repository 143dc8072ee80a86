//! An hour at 200 actions a second with readers: memory and file descriptors have to stay flat.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::plybook::{Served, run};
use crate::rounds;

/// Actions per second, by all writers together.
const ACTS: u64 = 200;
const WRITERS: u64 = 8;
/// A game is taken back to its start after this many plies, and abandoned for a new one after this many
/// events, so that the games in memory stay small and any growth is a leak.
const PLIES: u64 = 50;
const EVENTS: u64 = 1_000;

const CREATE: &str =
    "mutation { createGame(input: { kind: \"triangulate\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";
const ACT: &str =
    "mutation($g: ID!, $a: String!) { act(game: $g, action: $a) { ply head { seq } position { legalActions } } }";
const BACK: &str = "mutation($g: ID!) { takeBack(game: $g, toPly: 0, reason: \"again\") { id } }";
const READS: [&str; 4] = [
    "{ games(first: 25) { totalCount nodes { id ply status seats { name } } } }",
    "{ explore(kind: \"triangulate\", actions: [\"b1-b2\"]) { games actions { action games } } }",
    "{ games(first: 1) { nodes { moves(first: 100) { nodes { text } } verification { valid } position { scene } } } }",
    "{ statistics(kind: \"triangulate\") { games plies { median } } }",
];

/// The state of the process at a moment: resident KiB and open file descriptors.
fn measured(pid: u32) -> (f64, f64) {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let rss = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let rss = rss.trim().trim_end_matches(" kB").trim().parse().unwrap();
    (rss, fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count() as f64)
}

/// The slope of a line through values measured at equal intervals.
fn slope(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let (x, y) = ((n - 1.0) / 2.0, values.iter().sum::<f64>() / n);
    let products = values.iter().enumerate().map(|(i, value)| (i as f64 - x) * (value - y)).sum::<f64>();
    products / (0..values.len()).map(|i| (i as f64 - x).powi(2)).sum::<f64>().max(1.0)
}

/// Acts until told to stop, at its share of the rate; counts what was acknowledged.
fn write(served: &Served, token: &str, acted: &AtomicU64, is_over: &AtomicBool) {
    let every = Duration::from_micros(1_000_000 * WRITERS / ACTS);
    let mut next = Instant::now();
    let mut game: Option<(String, String)> = None;
    while !is_over.load(Ordering::Relaxed) {
        next += every;
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
        let Some((id, action)) = game.take() else {
            let made = served.ask(Some(token), CREATE, &json!({}));
            let id = made.and_then(|made| Some(made["data"]["createGame"]["id"].as_str()?.to_owned()));
            game = id.map(|id| (id, "b1-b2".to_owned()));
            continue;
        };
        let Some(answer) = served.ask(Some(token), ACT, &json!({ "g": id, "a": action })) else { continue };
        let done = &answer["data"]["act"];
        let (Some(ply), Some(seq)) = (done["ply"].as_u64(), done["head"]["seq"].as_u64()) else { continue };
        acted.fetch_add(1, Ordering::Relaxed);
        if seq > EVENTS {
            continue;
        }
        let legal = done["position"]["legalActions"].as_array().filter(|legal| !legal.is_empty() && ply < PLIES);
        game = match legal {
            Some(legal) => Some((id, legal[seq as usize * 7 % legal.len()].as_str().unwrap().to_owned())),
            None => {
                served.ask(Some(token), BACK, &json!({ "g": id }));
                Some((id, "b1-b2".to_owned()))
            }
        };
    }
}

#[test]
fn memory_and_descriptors_stay_flat() {
    let (minutes, minute) = (rounds(3, 60), Duration::from_secs(rounds(2, 60) as u64));
    let dir = tempfile::tempdir().unwrap();
    let (data, settings) = (dir.path().join("data"), dir.path().join("settings.toml"));
    // sled's memory grows up to its limit, which would hide a leak.
    fs::write(&settings, "memory = \"128MiB\"\n").unwrap();
    let served = Served::start(&data, &["--config", settings.to_str().unwrap()]);
    let token = || run(&["token", "create", "--role", "recorder", "--data", data.to_str().unwrap()]).ok();
    let tokens: Vec<String> = (0..WRITERS).map(|_| token().trim().to_owned()).collect();
    let (acted, asked, is_over) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let mut measures = Vec::new();
    std::thread::scope(|scope| {
        for token in &tokens {
            scope.spawn(|| write(&served, token, &acted, &is_over));
        }
        scope.spawn(|| {
            for n in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                asked.fetch_add(
                    u64::from(served.ask(None, READS[n % READS.len()], &json!({})).is_some()),
                    Ordering::Relaxed,
                );
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        println!("minute  acts  reads  resident KiB  descriptors");
        for n in 0..minutes {
            std::thread::sleep(minute);
            let (rss, fds) = measured(served.pid());
            println!("{n}  {}  {}  {rss}  {fds}", acted.load(Ordering::Relaxed), asked.load(Ordering::Relaxed));
            measures.push((rss, fds));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(acted.load(Ordering::Relaxed) > 0 && asked.load(Ordering::Relaxed) > 0);
    // The first half is for warming up.
    let (rss, fds): (Vec<f64>, Vec<f64>) = measures[minutes / 2..].iter().copied().unzip();
    println!("second half: {:.1} KiB and {:.3} descriptors a minute", slope(&rss), slope(&fds));
    if minutes >= 60 {
        assert!(slope(&rss) < 512.0, "memory grows by {:.0} KiB a minute", slope(&rss));
        assert!(slope(&fds).abs() < 0.5, "descriptors grow by {:.2} a minute", slope(&fds));
    }
}
