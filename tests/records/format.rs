//! FORMAT.md: its example is recomputed from its own text, and it documents everything.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plybook_events::body::Seed;
use plybook_events::fair::{self, Dice};
use plybook_events::{By, Event, Hash, LogId, PrivateKey, Statement, seal};
use plybook_rules::log::Secrets;
use plybook_rules::log::verify;
use serde_json::Value;

use crate::golden::all;
use crate::load::{record, replay};
use crate::python::run_on_copies;

fn document() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../FORMAT.md");
    fs::read_to_string(path).expect("FORMAT.md is there")
}

/// The lines of the code blocks in a language.
fn blocks(language: &str) -> Vec<String> {
    let text = document();
    let mut found = Vec::new();
    for block in text.split("\n```").skip(1).step_by(2) {
        let (name, lines) = block.split_once('\n').expect("a block has lines");
        if name == language {
            found.extend(lines.lines().map(str::to_owned));
        }
    }
    found
}

#[test]
fn the_example_is_a_log_with_the_stated_hashes() {
    let lines = blocks("ndjson");
    let hashes = blocks("hashes");
    assert_eq!(lines.len(), 4, "created, acted, acted, ended");
    let types: Vec<_> = lines.iter().map(|line| Event::parse(line.as_bytes()).unwrap().body.type_name()).collect();
    assert_eq!(types, ["created", "acted", "acted", "ended"]);
    let computed: Vec<_> = lines
        .iter()
        .enumerate()
        .map(|(seq, line)| format!("{seq}  {} bytes  {}", line.len(), Hash::of_event(line.as_bytes())))
        .collect();
    assert_eq!(hashes, computed);
    let id = Event::parse(lines[0].as_bytes()).unwrap().log;
    let (found, replay) = verify(id, &lines, &Secrets::new());
    assert_eq!((found.fault, found.events), (None, 4));
    assert!(replay.expect("it is a game").end().is_some());
    let theirs = run_on_copies(id, &[lines.join("\n").into_bytes()]);
    assert_eq!(theirs, [format!("ok {id} 4 {}", Hash::of_event(lines[3].as_bytes()))]);
}

#[test]
fn the_stated_commitments_and_rolls_are_right() {
    let known: Vec<(String, String)> = blocks("known")
        .iter()
        .map(|line| {
            line.split_once(": ").map(|(name, value)| (name.to_owned(), value.to_owned())).expect("name: value")
        })
        .collect();
    let get = |name: &str| known.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).expect(name);
    let log: LogId = get("game").parse().unwrap();
    let (salt, content): (Hash, String) = (get("salt").parse().unwrap(), get("content"));
    let by: By = get("by").parse().unwrap();
    assert_eq!(seal::commitment(log, by, &salt, &content).to_string(), get("seal"));
    let seed = Seed { seed: get("seed").parse().unwrap(), salt };
    assert_eq!(fair::commitment(log, &seed).to_string(), get("fairness"));
    let mut dice = Dice::of_setup(&seed.seed, log);
    let drawn: Vec<_> = (0..10).map(|_| dice.below(20).to_string()).collect();
    assert_eq!(drawn.join(" "), get("numbers below 20 that a setup is drawn from"));
    let entropy = [(4, get("entropy of seat 4").parse().unwrap())];
    let mut dice = Dice::of_roll(&seed.seed, log, &entropy, get("ordinal").parse().unwrap());
    let rolled: Vec<_> = (0..10).map(|_| (dice.below(20) + 1).to_string()).collect();
    assert_eq!(rolled.join(" "), get("rolls of a die with 20 sides"));
}

#[test]
fn the_stated_signature_is_right() {
    let lines = blocks("signed");
    let get = |name: &str| {
        let line = lines.iter().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.unwrap_or_else(|| panic!("{name}")).to_owned()
    };
    let statement = Statement {
        body: serde_json::from_str(&get("body")).unwrap(),
        by: get("by").parse().unwrap(),
        log: get("game").parse().unwrap(),
        prev: get("prev").parse().unwrap(),
        seq: get("seq").parse().unwrap(),
        type_name: get("type"),
    };
    let signature = statement.sign(&PrivateKey::from_seed(&[7; 32])).unwrap();
    assert_eq!(signature.to_string(), get("signature"));
}

#[test]
fn every_type_and_member_is_described() {
    let text = document();
    let mut names = BTreeSet::new();
    for golden in all() {
        for event in golden.events() {
            assert!(text.contains(&format!("\n### `{}`\n", event.body.type_name())), "{}", event.body.type_name());
            let body = event.body_json();
            names.extend(members(&body).map(str::to_owned));
            names.extend(["fork", "seed"].iter().flat_map(|name| members(&body[name])).map(str::to_owned));
            // The other members of an outcome are documented by its game.
            let of_all = |name: &&str| ["winners", "ranking", "reason"].contains(name);
            names.extend(members(&body["outcome"]).filter(of_all).map(str::to_owned));
        }
        if let Some(replay) = replay(&golden) {
            let record: Value = serde_json::from_str(&record(&golden, &replay)).expect("a record is JSON");
            names.extend(members(&record).map(str::to_owned));
        }
    }
    assert!(names.len() > 40, "{names:?}");
    for name in names {
        assert!(text.contains(&format!("| `{name}` |")), "`{name}` has no row in a table");
    }
}

fn members(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flat_map(|members| members.keys().map(String::as_str))
}
