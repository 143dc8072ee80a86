//! Closed segments that are damaged or gone.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::plybook::{Served, http_at, run};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"tri\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// How long something is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

/// A data directory with a closed segment, which is not compressed, and its settings.
fn closed(dir: &Path) -> (PathBuf, PathBuf, PathBuf) {
    let (data, config) = (dir.join("data"), dir.join("plybook.toml"));
    run(&["bench", "--games", "100", "--only-fill", "--data", data.to_str().unwrap()]).ok();
    fs::write(&config, "segment-mib = 1\ncompress-journal = false\n").unwrap();
    let served = Served::start(&data, &["--config", config.to_str().unwrap()]);
    served.get(Some(&served.admin()), CREATE, &json!({}));
    assert_eq!(fs::read_dir(data.join("journal")).unwrap().count(), 2, "the first segment is closed");
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    let segment = data.join("journal/00000000000000000000.log");
    (data, config, segment)
}

#[test]
fn a_flipped_bit_in_a_closed_segment_is_found_beside_the_service_and_by_it() {
    let dir = tempfile::tempdir().unwrap();
    let (data, config, segment) = closed(dir.path());
    let at = data.to_str().unwrap();
    let whole = fs::read(&segment).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    fs::write(&segment, &flipped).unwrap();

    fs::write(&config, "segment-mib = 1\n").unwrap();
    let served = Served::start(&data, &["--config", config.to_str().unwrap()]);
    let deadline = Instant::now() + PATIENCE;
    let ready = loop {
        let (status, ready) = http_at(served.backstage(), "GET", "/readyz", None, "").unwrap();
        assert_eq!(status, 200, "games are recorded, and read from the index");
        if ready.contains("is damaged") {
            break ready;
        }
        assert!(Instant::now() < deadline, "it is found when the segment is compressed");
        sleep(Duration::from_millis(20));
    };
    assert!(ready.starts_with("ready, but ") && ready.contains("00000000000000000000.log is damaged"), "{ready}");
    let metrics = http_at(served.backstage(), "GET", "/metrics", None, "").unwrap().1;
    assert!(metrics.contains("plybook_journal_damages 1"), "{metrics}");
    assert_eq!(served.get(None, "{ games(first: 1) { totalCount } }", &json!({}))["games"]["totalCount"], 101);

    let found = run(&["doctor", "--data", at]);
    assert_eq!(found.status, 1);
    assert!(found.out.contains("00000000000000000000.log is damaged at byte "), "{}", found.out);
    assert!(found.out.contains("; events ") && found.out.contains("Do: stop the service, restore "), "{}", found.out);
    let verified = run(&["verify", "--data", at]);
    assert!(verified.status != 0 && verified.err.contains("00000000000000000000.log is damaged"), "{}", verified.err);
    drop(served);

    fs::remove_file(&segment).unwrap();
    let refused = run(&["serve", "--data", at, "--listen", "127.0.0.1:0"]).fails(2);
    assert!(refused.contains("the segment before it is missing or cut"), "{refused}");
    let told = run(&["doctor", "--data", at]).out;
    assert!(
        told.contains("Do: stop the service, restore the segment before ") && told.contains("restore that one"),
        "{told}"
    );
    fs::write(&segment, whole).unwrap();
    run(&["verify", "--data", at]).ok();
}
