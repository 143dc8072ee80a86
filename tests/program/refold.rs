//! `refold`.

use std::fs;
use std::path::Path;

use plybook_tests::logs::triangulate;
use serde_json::Value;

use crate::plybook::{Served, fill, run, run_with};

fn on(data: &Path, arguments: &[&str]) -> crate::plybook::Ran {
    run(&[arguments, &["--data", data.to_str().unwrap()]].concat())
}

#[test]
fn nothing_differs_in_the_demo() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let served = Served::start(&data, &["--demo"]);
    served.signal("-TERM");
    served.wait(std::time::Duration::from_secs(60));
    // Games, and lines of them: each log begins with `created`.
    let parse = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let exported = on(&data, &["export", "--format", "ndjson"]).ok();
    let created: Vec<Value> = exported.lines().map(parse).filter(|event| event["type"] == "created").collect();
    let said = on(&data, &["refold"]).ok();
    assert!(said.starts_with(&format!("{} games judged, 0 differ, ", created.len())), "{said}");
    assert!(said.contains("as far as they are revealed") && said.lines().count() == 1, "{said}");
    let said = on(&data, &["refold", "--json", "--kind", "triforce"]).ok();
    let verdicts: Vec<_> =
        said.lines().map(parse).map(|judged| (judged["kind"].clone(), judged["verdict"].clone())).collect();
    let count = created.iter().filter(|event| event["body"]["kind"] == "triforce").count();
    assert_eq!(verdicts, vec![("triforce".into(), "same".into()); count]);
}

#[test]
fn a_version_is_not_a_difference_but_an_illegal_action_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("game.ndjson");
    let said = |log: &[String]| {
        fs::write(&path, log.concat()).unwrap();
        run(&["refold", path.to_str().unwrap()])
    };
    // Under another version, it cannot be verified, but it can be judged.
    let log_of = |actions: &[&str]| triangulate("11111111-1111-4111-8111-111111111111".parse().unwrap(), "v0", actions);
    let log = log_of(&["b1-b2", "d1-d2+f6"]);
    assert_eq!(said(&log).ok(), "1 games judged, 0 differ\n");
    let verified = run(&["verify", path.to_str().unwrap()]).fails(1);
    assert!(verified.contains("has no rules \"v0\""), "{verified}");
    let differs = said(&log_of(&["b1-b2", "d1-d2+f6", "b2-b8"]));
    assert_eq!(differs.status, 1, "{}", differs.err);
    let line = "11111111-1111-4111-8111-111111111111 triangulate v0, judged by v1: event 3 (ply 3): seat:1 b2-b8: ";
    assert!(differs.out.starts_with(line), "{}", differs.out);
    assert!(differs.out.ends_with("\n1 games judged, 1 differ\n"), "{}", differs.out);
}

#[test]
fn files_are_logs_or_records_and_damage_is_trouble() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    for format in ["ndjson", "json"] {
        let exported = on(&data, &["export", "--format", format]).ok();
        assert_eq!(run_with(&["refold", "-"], &exported).ok(), "6 games judged, 0 differ\n");
        let said = run_with(&["refold", "--json", "--kind", "tri", "-"], &exported);
        assert_eq!((said.status, said.out.lines().count()), (0, 3));
        assert_eq!(said.err, "3 games judged, 0 differ\n");
        let damaged = exported.replacen("seat:1", "seat:2", 1);
        let why = run_with(&["refold", "-"], &damaged).fails(2);
        assert!(why.contains("event 2 does not carry the hash"), "{why}");
    }
    assert!(run(&["refold", "--kind", "chess", "x.json"]).fails(2).contains("there are: triangulate"));
    run(&["refold", "/nowhere/at/all.json"]).fails(2);
}
