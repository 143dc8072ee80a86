//! `bench`.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::plybook::{command, run};

/// A fill that is killed takes its child with it, and the next one continues where it stopped.
#[test]
fn a_killed_fill_is_continued() {
    let dir = tempfile::tempdir().unwrap();
    let (data, whole) = (dir.path().join("data"), dir.path().join("whole"));
    let fill = |data: &std::path::Path| {
        ["bench", "--games", "1500", "--only-fill", "--data", data.to_str().unwrap()].map(str::to_owned)
    };
    let arguments = fill(&data);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut kills = 0;
    for wait in [300, 900] {
        let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        // The child has the directory open until it ends.
        let until = Instant::now() + Duration::from_secs(20);
        while run(&["import", "none.json", "--data", data.to_str().unwrap()]).err.contains("in use") {
            assert!(Instant::now() < until, "the child goes on filling");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    assert!(kills > 0);
    run(&arguments).ok();
    let other = fill(&whole);
    run(&other.iter().map(String::as_str).collect::<Vec<_>>()).ok();
    let journal = |data: &std::path::Path| run(&["export", "--data", data.to_str().unwrap()]).ok();
    assert!(journal(&data) == journal(&whole), "it is what an uninterrupted filling makes");
    assert!(run(&["verify", "--data", data.to_str().unwrap()]).ok().starts_with("1700 logs with "));
}

#[test]
fn stores_are_made_measured_and_compared() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("stores");
    let data_dir = data.to_str().unwrap();
    let games = ["--games", "60,2000", "--questions", "40", "--memory", "256MiB"];
    let told = run(&[&["bench", "--json", "--data", data_dir], &games[..]].concat()).ok();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert!(told["machine"]["cores"].as_u64().unwrap() > 0);
    let stores = told["stores"].as_array().unwrap();
    assert_eq!(stores.len(), 2);
    for (store, games) in stores.iter().zip([60, 2000]) {
        assert_eq!(store["games"], games);
        let figures = store["figures"].as_array().unwrap();
        let figure =
            |what: &str| figures.iter().find(|figure| figure["what"] == what).unwrap()["value"].as_f64().unwrap();
        assert!(figure("events") > 30.0 * games as f64 && figure("all read models rebuilt") > 0.0);
        for times in store["times"].as_array().unwrap() {
            assert_eq!(times["asked"], 40, "{times}");
            assert!(
                times["bytes"].as_u64().unwrap() > 100 && times["p50"].as_f64() <= times["p99"].as_f64(),
                "{times}"
            );
        }
    }
    let ratios = told["ratios"].as_array().unwrap();
    assert_eq!(ratios.len(), stores[0]["times"].as_array().unwrap().len());
    // A kept directory is a data directory like any other, and is measured in its present state.
    let store = data.join("60");
    let store = store.to_str().unwrap();
    assert!(run(&["verify", "--data", store]).ok().starts_with("260 logs with "));
    let again = run(&["bench", "--games", "60", "--only-fill", "--data", store]).ok();
    assert!(again.contains("| 60 | events, generated before |"), "{again}");
    let why = run(&["bench", "--games", "60", "--seed", "2", "--only-fill", "--data", store]).fails(1);
    assert!(why.contains("holds something else"), "{why}");
}
