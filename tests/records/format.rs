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

/// A row of the tables of types: the type or the member, what it is, and what it holds.
type Row = [String; 3];

/// What a member is, by its type in Rust; other types are structs, or enums, which are texts.
const KINDS: [(&str, &str); 14] = [
    ("String", "text"),
    ("LogId", "id"),
    ("Hash", "hash"),
    ("PublicKey", "hash"),
    ("u64", "int"),
    ("u32", "int32"),
    ("u16", "int16"),
    ("u8", "int8"),
    ("i64", "integer"),
    ("Value", "any"),
    ("Box<Value>", "object"),
    ("Map<String, Value>", "object"),
    ("Timestamp", "time"),
    ("Played", "text"),
];

/// The sources of the bodies of events.
struct Sources(String);

impl Sources {
    fn read() -> Self {
        let read = |name: &str| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../events/src").join(name);
            fs::read_to_string(path).unwrap_or_else(|why| panic!("{name}: {why}"))
        };
        let files = ["body.rs", "body/game.rs", "body/player.rs", "body/tournament.rs", "body/operator.rs"];
        Self(files.iter().chain(&["body/import.rs", "outcome.rs"]).map(|name| read(name)).collect())
    }

    /// Each type of event with the struct that is its body, in the order of `Body`.
    fn types(&self) -> Vec<(&str, &str)> {
        let (_, table) = self.0.split_once("\nbodies! {\n").expect("there are bodies");
        let (table, _) = table.split_once("\n}\n").expect("it ends");
        let rows = table.lines().filter_map(|line| {
            let (name, rest) = line.trim().strip_prefix('"')?.split_once("\": ")?;
            Some((name, rest.split_once('(')?.1.split_once(')')?.0))
        });
        rows.collect()
    }

    /// Adds the members of a struct, and of the structs in them where they stand first.
    fn members(&self, of: &str, before: &str, known: &mut BTreeSet<String>, rows: &mut Vec<Row>) {
        let (_, fields) = self.0.split_once(&format!("pub struct {of} {{")).unwrap_or_else(|| panic!("no struct {of}"));
        let (fields, _) = fields.split_once('}').expect("it ends");
        let mut attributes = String::new();
        for line in fields.lines().map(str::trim) {
            if line.starts_with("#[") {
                attributes += line;
            }
            let Some((name, rust)) = line.strip_prefix("pub ").and_then(|line| line.split_once(": ")) else { continue };
            let attributes = std::mem::take(&mut attributes);
            if attributes.contains("flatten") {
                continue;
            }
            let (kind, inner) = self.kind(rust.trim_end_matches(','), &attributes);
            let optional = if attributes.contains("default") { ", opt" } else { "" };
            rows.push([format!("`{before}{name}`"), format!("{kind}{optional}"), String::new()]);
            if let Some(inner) = inner.filter(|inner| known.insert(inner.clone())) {
                self.members(&inner, &format!("{before}{name}."), known, rows);
            }
        }
    }

    /// What a member is, and the struct that it holds, if any.
    fn kind(&self, rust: &str, attributes: &str) -> (String, Option<String>) {
        let within = |outer: &str| rust.strip_prefix(outer)?.strip_prefix('<')?.strip_suffix('>');
        if let Some(inner) = within("Option") {
            return self.kind(inner, attributes);
        }
        if let Some(inner) = within("Vec") {
            let (kind, inner) = self.kind(inner, "");
            let kind = match kind.as_str() {
                "text" | "object" | "time" => format!("{kind}s"),
                "any" => "any values".to_owned(),
                kind => kind.replacen("list", "lists", 1),
            };
            return (format!("list of {kind}"), inner);
        }
        let known = KINDS.iter().find(|(name, _)| *name == rust).map(|(_, kind)| (*kind).to_owned());
        match known {
            Some(kind) => (kind, None),
            None if rust == "bool" && attributes.contains("only_true") => ("true".to_owned(), None),
            None if rust == "bool" => ("true or false".to_owned(), None),
            None if self.0.contains(&format!("pub struct {rust} {{")) => ("object".to_owned(), Some(rust.to_owned())),
            None => ("text".to_owned(), None),
        }
    }
}

/// The tables of types have a row for each type and each member, and say what it is.
#[test]
fn the_tables_are_those_of_the_types() {
    let (sources, mut wanted, mut known) = (Sources::read(), Vec::<Row>::new(), BTreeSet::new());
    for (name, of) in sources.types() {
        wanted.push([format!("**`{name}`**"), String::new(), String::new()]);
        // Its members are said to be those of `tournament_created`.
        if name != "tournament_edited" {
            sources.members(of, "", &mut known, &mut wanted);
        }
    }
    let text = document();
    let (_, section) = text.split_once("## Types and bodies").expect("it has the tables");
    let (section, _) = section.split_once("\n## ").expect("they end");
    let rows = section.lines().filter(|line| line.starts_with("| **`") || line.starts_with("| `"));
    let rows =
        rows.map(|row| row.trim_matches('|').splitn(3, '|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
    let rows: Vec<Row> = rows.map(|cells| cells.try_into().expect("a row has three cells")).collect();
    for (row, wanted) in rows.iter().zip(&wanted) {
        assert_eq!(row[..2], wanted[..2], "FORMAT.md says otherwise than events/: {row:?}");
        assert!(!row[2].is_empty(), "FORMAT.md does not say what {row:?} holds");
    }
    assert_eq!(rows.len(), wanted.len(), "{:?}", wanted.get(rows.len()));
    assert!(rows.len() > 200);
}

#[test]
fn every_member_of_a_record_is_described() {
    let text = document();
    let mut names = BTreeSet::new();
    for golden in all() {
        if let Some(replay) = replay(&golden) {
            let record: Value = serde_json::from_str(&record(&golden, &replay)).expect("a record is JSON");
            names.extend(members(&record).map(str::to_owned));
        }
    }
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(text.contains(&format!("\n| `{name}` |")), "`{name}` has no row in a table");
    }
    assert!(text.lines().count() <= 650, "{} lines", text.lines().count());
}

fn members(value: &Value) -> impl Iterator<Item = &str> {
    value.as_object().into_iter().flat_map(|members| members.keys().map(String::as_str))
}
