//! Searching for positions: the command, and answers compared with an independent search, `tests/python/search.py`.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use async_graphql::{Request, Variables};
use plybook_api::schema::{self, Schema};
use plybook_api::service::Service;
use plybook_example::kinds;
use plybook_generator::Plan;
use plybook_store::{Options, Store};
use serde_json::{Value, json};

use crate::plybook::{program, run};

/// The number of generated games of each kind.
const GAMES: u64 = 12;

/// Predicates that every kind has.
const OF_ALL: [&str; 8] = [
    "ply = 3 or ply >= 9 and ply < 11",
    "not toAct(1) and not over",
    "mobility > 8 and mobility <= 20",
    "first: mobility > 10",
    "for 3 plies: mobility >= 2",
    "toAct(1) then within 3: toAct(2) then within 2: toAct(1)",
    "change(mobility) < -2",
    "(first: ply > 4) or for 2 plies: not toAct(2)",
];

/// Predicates of single kinds.
const OF_KINDS: [(&str, &str); 28] = [
    ("triangulate", "pads(1) > pads(2)"),
    ("triangulate", "first: stacked(1) >= 1 or stacked(2) >= 1"),
    ("triangulate", "blocked(2) then within 4: not blocked(2)"),
    ("triangulate", "change(pads(1)) >= 1 and pairs(2) = 0"),
    ("triangulate", "owner(b2) = 1 and pad(b2) = 1 or frogs(e1) = 2"),
    ("tri", "islands(1) >= 2 then within 6: islands(1) < 2"),
    ("tri", "change(islands(2)) != 0"),
    ("tri", "for 5 plies: freeKeys >= 3 and not keys(1)"),
    ("tri", "owner(A) = 1 and owner(A2) = 1 and actions > 0"),
    ("tri", "pieces(1) > pieces(2) and pieces(1) >= 3"),
    ("triforce", "territories(1) > territories(2)"),
    ("triforce", "stash(3) < 10 then within 8: stash(3) > 10"),
    ("triforce", "first: contested"),
    ("triforce", "change(pieces(2)) < 0"),
    ("triforce", "height(c2) >= 2 and top(c2) != owner(c2)"),
    ("triforce", "pawns(a1) and spent = 2 and pieces(1) > 3"),
    ("triforce-building", "poweredSeats > 0"),
    ("triforce-building", "garnets(1) > garnets(2) or present(3) = 0"),
    ("triforce-building", "first: round = 3"),
    ("triforce-building", "priority(1) = 1 and seats(3.3) >= 1"),
    ("triforce-building", "change(garnets(7)) > 0 or powered(2) or triforces"),
    ("thrones", "pieces(1) < pieces(2)"),
    ("thrones", "piece(d4) != \"none\" and terrain(d4) = 'plains'"),
    ("thrones", "lost(2) > 0 then within 10: lost(1) > 0"),
    ("thrones", "throneDistance(1) <= 6 and owner(e5)"),
    ("thrones", "for 4 plies: favors(1) > 0 and points(1) = 0"),
    ("thrones", "piece(e5) = piece(e4) and breached = 0"),
    ("heaps", "round >= 2"),
];

/// All hits of a search.
fn hits(schema: &Schema, runtime: &tokio::runtime::Runtime, kind: &str, predicate: &str) -> Vec<Value> {
    let query = "query($k: String!, $w: String!, $a: String) { search(kind: $k, where: $w, first: 500, after: $a) { \
        hits { ply game { id } } pageInfo { hasNextPage endCursor } } }";
    let (mut hits, mut after) = (Vec::new(), Value::Null);
    loop {
        let asked = json!({ "k": kind, "w": predicate, "a": after });
        let response = runtime.block_on(schema.execute(Request::new(query).variables(Variables::from_json(asked))));
        assert!(response.errors.is_empty(), "{predicate}: {:?}", response.errors);
        let found = response.data.into_json().unwrap()["search"].take();
        hits.extend(found["hits"].as_array().unwrap().iter().map(|hit| json!([hit["game"]["id"], hit["ply"]])));
        after = found["pageInfo"]["endCursor"].clone();
        if found["pageInfo"]["hasNextPage"] != true {
            return hits;
        }
    }
}

/// The other search's verdict: its status and its output.
fn judged(data: &Path, answers: &[Value]) -> (bool, String) {
    let asked = data.with_extension("answers");
    std::fs::write(&asked, Value::from(answers).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/search.py");
    let mut command = Command::new("python3");
    let output = command.arg(script).arg(program()).arg(data.with_extension("json")).arg(asked).output().unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(problem.is_empty(), "{problem}");
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_hit_agrees_with_another_search() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let at = data.to_str().unwrap();
    let store = Store::open(&data, &Options::default(), &mut |_, _| ()).unwrap();
    Plan::new(GAMES * kinds().len() as u64, 5, None).fill(&store, 0, &mut |_| ()).unwrap();
    let service = Service::start(store).unwrap();
    std::fs::write(data.with_extension("json"), run(&["export", "--format", "json", "--data", at]).ok()).unwrap();
    let (schema, runtime) = (schema::build(Arc::clone(&service)), tokio::runtime::Runtime::new().unwrap());
    let own = ["triangulate", "tri", "triforce", "triforce-building", "thrones"];
    let of_all = own.iter().flat_map(|kind| OF_ALL.iter().map(|predicate| (*kind, *predicate)));
    let mut answers: Vec<Value> = of_all
        .chain(OF_KINDS)
        .map(|(kind, predicate)| json!({ "kind": kind, "where": predicate, "hits": hits(&schema, &runtime, kind, predicate) }))
        .collect();
    let found = answers.iter().filter(|told| told["hits"] != json!([])).count();
    assert!(answers.len() > 60 && found * 10 > answers.len() * 8, "{found} of {} find something", answers.len());
    let (is_right, said) = judged(&data, &answers);
    assert!(is_right && said.ends_with(" 0 differ\n"), "{said}");
    // A wrong hit would be found.
    answers[0]["hits"].as_array_mut().unwrap().pop();
    let (is_right, said) = judged(&data, &answers);
    assert!(!is_right && said.contains(": missing [["), "{said}");
    // The command reads the logs, and finds the same.
    for told in answers.iter().skip(1).step_by(9) {
        let [kind, predicate] = ["kind", "where"].map(|of| told[of].as_str().unwrap());
        let ran = run(&["search", kind, predicate, "--data", at, "--json"]);
        assert!(ran.err.contains(&format!("{} of ", told["hits"].as_array().unwrap().len())), "{}", ran.err);
        let line = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        let lines: Vec<Value> = ran.ok().lines().map(line).map(|hit| json!([hit["game"], hit["ply"]])).collect();
        assert_eq!(Value::from(lines), told["hits"], "{predicate}");
    }
    let two = run(&["search", "tri", "ply < 3", "--data", at, "--limit", "2"]);
    assert!(two.err.contains("the first 2 positions; there are more"), "{}", two.err);
    assert_eq!(two.ok().lines().count(), 2);
}

#[test]
fn facts_are_listed_and_errors_point_into_the_text() {
    let facts = run(&["search", "thrones", "--facts"]).ok();
    assert!(facts.lines().any(|line| line.starts_with("toAct(seat) ")), "{facts}");
    assert!(facts.contains("piece(place)") && facts.contains("One of none, trebuchet,"), "{facts}");
    let wrong = run(&["search", "tri", "iland(1) > 3"]);
    assert_eq!(wrong.status, 2);
    assert_eq!(wrong.err, "column 1: tri has no fact `iland`; there is islands\n  iland(1) > 3\n  ^\n");
    let unknown = run(&["search", "chess", "ply"]);
    assert!(unknown.status == 2 && unknown.err.contains("no game is called \"chess\""), "{}", unknown.err);
    assert_eq!(run(&["search", "tri"]).status, 2);
}
