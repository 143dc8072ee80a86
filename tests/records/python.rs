//! The independent verifier, `tests/python/verify.py`, and its findings in files.

use std::path::{Path, PathBuf};
use std::process::Command;

use plybook_events::LogId;

use crate::golden::{all, data, lines};
use crate::load::{record, replay};

/// Its findings for each log, and whether it says that everything is right.
pub(crate) fn run(args: &[&str], files: &[PathBuf]) -> (Vec<String>, bool) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/verify.py");
    let output = Command::new("python3").arg(script).args(args).args(files).output().expect("python3 can be run");
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(problem.is_empty(), "{problem}");
    let found = String::from_utf8(output.stdout).expect("it writes UTF-8");
    (found.lines().map(str::to_owned).collect(), output.status.success())
}

/// Its findings for copies of one log.
pub(crate) fn run_on_copies(id: LogId, copies: &[Vec<u8>]) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |(index, copy): (usize, &Vec<u8>)| {
        let path = folder.path().join(format!("{index:04}"));
        std::fs::write(&path, copy).expect("a file can be written");
        path
    };
    let files: Vec<_> = copies.iter().enumerate().map(write).collect();
    let (found, is_right) = run(&["--game", &id.to_string()], &files);
    assert_eq!(found.len(), copies.len());
    assert_eq!(is_right, found.iter().all(|line| line.starts_with("ok ")));
    found
}

#[test]
fn it_verifies_every_golden_log() {
    let goldens = all();
    let files: Vec<_> = goldens.iter().map(|golden| golden.path.clone()).collect();
    let (found, is_right) = run(&[], &files);
    let expected: Vec<_> = goldens
        .iter()
        .map(|golden| {
            let last = golden.lines().last().copied().expect("a log is not empty");
            let head = plybook_events::Hash::of_event(last);
            format!("ok {} {} {head}", golden.id(), golden.lines().len())
        })
        .collect();
    assert_eq!(found, expected);
    assert!(is_right);
}

/// `draw.py` on logs whose setup was drawn, and on one whose setup was changed.
#[test]
fn a_setup_is_drawn_again() {
    let program = data().join("../python/draw.py");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let draws = |log: &Path| {
        let run = Command::new("python3").arg(&program).arg(log).output().expect("python3 can be run");
        (run.status.success(), String::from_utf8_lossy(&run.stdout).into_owned())
    };
    for name in ["drawn", "drawn-sealed"] {
        let (is_right, told) = draws(&data().join(format!("records/{name}.ndjson")));
        assert!(is_right && told == "drawn from the seed: labels starts\n", "{name}: {told}");
    }
    let log = std::fs::read_to_string(data().join("records/drawn.ndjson")).expect("it is there");
    let at = log.find("\"starts\":[\"").expect("its setup is open") + 11;
    let changed = folder.path().join("changed.ndjson");
    std::fs::write(&changed, format!("{}9{}", &log[..at], &log[at + 1..])).expect("a file can be written");
    assert!(!draws(&changed).0);
}

#[test]
fn it_separates_mixed_logs() {
    let goldens: Vec<_> = all().into_iter().filter(|golden| golden.path.starts_with(data().join("records"))).collect();
    let longest = goldens.iter().map(|golden| golden.lines().len()).max().expect("there are some");
    let mut mixed = Vec::new();
    for seq in 0..longest {
        for golden in &goldens {
            if let Some(line) = lines(golden.text.as_bytes()).get(seq)
                && !golden.name().contains("sealed-running")
            {
                mixed.extend_from_slice(line);
                mixed.push(b'\n');
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("all.ndjson");
    std::fs::write(&path, mixed).expect("a file can be written");
    let (found, is_right) = run(&[], &[path]);
    assert!(is_right, "{found:?}");
    assert_eq!(found.len(), goldens.len() - 1);
}

#[test]
fn it_reads_records_and_finds_changes() {
    let (mut whole, mut changed) = (Vec::new(), Vec::new());
    for golden in all().iter().filter(|golden| golden.path.starts_with(data().join("records"))) {
        let Some(replay) = replay(golden) else { continue };
        let record = record(golden, &replay);
        for (from, to) in [("\"createdAt\":\"2026", "\"createdAt\":\"2025"), ("\"head\":\"", "\"heat\":\"")] {
            let other = record.replacen(from, to, 1);
            assert_ne!(other, record);
            changed.push((format!("{}: {to}", golden.name()), other));
        }
        let mut short: serde_json::Value = serde_json::from_str(&record).expect("a record is JSON");
        let events = short["events"].as_array_mut().expect("it has events");
        if events.len() > 1 {
            events.pop();
            changed.push((format!("{}: the last event is missing", golden.name()), short.to_string()));
        }
        whole.push((golden.name(), record));
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    let judged = |records: &[(String, String)]| {
        let write = |(index, (_, text)): (usize, &(String, String))| {
            let path = folder.path().join(format!("{index:04}"));
            std::fs::write(&path, text).expect("a file can be written");
            path
        };
        let files: Vec<_> = records.iter().enumerate().map(write).collect();
        let (found, is_right) = run(&[], &files);
        assert_eq!(found.len(), records.len(), "{found:?}");
        (found, is_right)
    };
    let (found, is_right) = judged(&whole);
    assert!(is_right, "{found:?}");
    let (found, _) = judged(&changed);
    for ((name, _), found) in changed.iter().zip(&found) {
        assert!(found.starts_with("bad "), "{name}: {found}");
    }
}
