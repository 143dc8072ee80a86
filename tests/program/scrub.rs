//! `scrub`, and a service whose closed segments are damaged.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use plybook_events::Hash;
use serde_json::{Value, json};

use crate::plybook::{Served, http_at, run};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"tri\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// How long something is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A data directory with a closed segment that is compressed, and its settings.
fn closed(dir: &Path) -> (PathBuf, PathBuf, PathBuf) {
    let (data, config) = (dir.join("data"), dir.join("plybook.toml"));
    run(&["bench", "--games", "100", "--only-fill", "--data", data.to_str().unwrap()]).ok();
    fs::write(&config, "segment-mib = 1\n").unwrap();
    let segment = data.join("journal/00000000000000000000.log.zst");
    let served = Served::start(&data, &["--config", config.to_str().unwrap()]);
    served.get(Some(&served.admin()), CREATE, &json!({}));
    let deadline = Instant::now() + PATIENCE;
    while !segment.exists() || data.join("journal/00000000000000000000.log").exists() {
        assert!(Instant::now() < deadline, "the first segment is compressed");
        sleep(Duration::from_millis(20));
    }
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    (data, config, segment)
}

/// Makes what is known of closed segments older than a week.
fn age(data: &Path) {
    let path = data.join("journal/closed");
    let text = fs::read_to_string(&path).unwrap();
    let aged = text.lines().map(|line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        (words[7], words[8]) = ("0", "");
        let line = words.join(" ");
        let check = Hash::of_parts(&[b"plybook/closed/v1\0", line.as_bytes()]).to_string();
        format!("{line}{}\n", &check[..16])
    });
    let aged: String = aged.collect();
    fs::write(path, aged).unwrap();
}

#[test]
fn a_flipped_bit_in_a_closed_segment_is_found_beside_the_service_and_by_it() {
    let dir = tempfile::tempdir().unwrap();
    let (data, config, segment) = closed(dir.path());
    let at = data.to_str().unwrap();
    let scrub = |more: &[&str]| run(&[&["scrub", "--data", at, "--mib-s", "0"], more].concat());
    let told = scrub(&[]).ok();
    assert!(told.starts_with("1 closed segments, ") && told.ends_with("They are as they were.\n"), "{told}");
    let whole = fs::read(&segment).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    fs::write(&segment, &flipped).unwrap();
    age(&data);

    let served = Served::start(&data, &["--config", config.to_str().unwrap()]);
    let deadline = Instant::now() + PATIENCE;
    let ready = loop {
        let (status, ready) = http_at(served.backstage(), "GET", "/readyz", None, "").unwrap();
        assert_eq!(status, 200, "games are recorded, and read from the index");
        if ready.contains("is damaged") {
            break ready;
        }
        assert!(Instant::now() < deadline, "the scrubber finds it");
        sleep(Duration::from_millis(20));
    };
    assert!(ready.starts_with("ready, but ") && ready.contains("00000000000000000000.log.zst is damaged"), "{ready}");
    let metrics = http_at(served.backstage(), "GET", "/metrics", None, "").unwrap().1;
    assert!(metrics.contains("plybook_journal_damages 1"), "{metrics}");
    assert_eq!(served.get(None, "{ games(first: 1) { totalCount } }", &json!({}))["games"]["totalCount"], 101);

    let found = scrub(&[]);
    assert_eq!(found.status, 1);
    assert!(found.out.contains("Wrong: ") && found.out.contains("00000000000000000000.log.zst is damaged at byte "));
    assert!(found.out.contains("; events ") && found.out.contains("Do: stop the service, restore "), "{}", found.out);
    let told: Value = serde_json::from_str(&scrub(&["--json"]).out).unwrap();
    assert_eq!((&told["segments"], told["damages"].as_array().unwrap().len()), (&json!(1), 1), "{told}");
    assert_eq!(told["damages"][0]["file"], segment.to_str().unwrap());
    let verified = run(&["verify", "--data", at]);
    assert!(
        verified.status != 0 && verified.err.contains("00000000000000000000.log.zst is damaged"),
        "{}",
        verified.err
    );
    drop(served);

    fs::remove_file(&segment).unwrap();
    let refused = run(&["serve", "--data", at, "--listen", "127.0.0.1:0"]).fails(2);
    assert!(refused.contains("00000000000000000000.log.zst is missing: it holds the events 0 to "), "{refused}");
    let told: Value = serde_json::from_str(&scrub(&["--json"]).out).unwrap();
    assert_eq!(told["damages"][0]["why"], "it is missing");
    assert!(run(&["doctor", "--data", at]).out.contains("the segment before it is missing or cut"));
    fs::write(&segment, whole).unwrap();
    scrub(&[]).ok();
}
