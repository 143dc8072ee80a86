//! Every member of a record and of a proof file changed in turn, of games of every kind, finished and running, sealed or
//! not: whoever verifies them refuses each. Only `analysis` and the place in an export do not follow from the events.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use plybook_api::service::check_proof;
use plybook_events::LogId;
use plybook_rules::log::{Below, LogBytes, Replay, logs_of_json, record_json, revealed};
use plybook_store::EventBytes;
use plybook_tests::tier::size;
use serde_json::{Value, json};

use crate::golden::{Golden, all};
use crate::load::{judged, replay};
use crate::python;
use crate::sweep::{Proofs, others, pointers};

/// The kinds with the golden log that stands for each, and the numbers of its first events that are running games.
const GAMES: [(&str, &[usize]); 11] = [
    ("triangulate/records/three-on-a-square", &[1, 12]),
    ("tri/records/key-islands", &[1, 12]),
    ("triforce/records/all-pinned", &[1, 12]),
    ("triforce-building/records/rounds", &[1, 5]),
    ("thrones/records/throne-removed", &[1, 6]),
    ("records/sealed", &[1, 11]),
    ("records/sealed-setups", &[2, 3, 6, 20]),
    ("records/dealt", &[2, 3, 6]),
    ("records/drawn-late", &[1, 2, 7]),
    ("records/void", &[]),
    ("records/corrected", &[]),
];

/// A record, and what its lines continue that is not in it.
struct Record {
    name: String,
    json: Value,
    /// The log of the game.
    log: LogId,
}

fn golden<'a>(goldens: &'a [Golden], name: &str) -> &'a Golden {
    goldens.iter().find(|golden| golden.name() == format!("{name}.ndjson")).unwrap_or_else(|| panic!("{name}"))
}

fn bytes(golden: &Golden, len: usize) -> Vec<EventBytes> {
    golden.lines()[..len].iter().map(|line| EventBytes::from(*line)).collect()
}

/// The records of the games above, and one with a line.
fn records() -> Vec<Record> {
    let goldens = all();
    let mut records = Vec::new();
    for (name, running) in GAMES {
        let golden = golden(&goldens, name);
        let events = golden.events();
        // What a running game has sealed is known to the service only.
        let secrets = revealed(&events);
        for len in running.iter().copied().chain([events.len()]) {
            let game = Replay::fold(&events[..len], &secrets).unwrap_or_else(|why| panic!("{name}, {len}: {why}"));
            assert_eq!(judged(golden.id(), &golden.lines()[..len]).0.fault, None, "{name}, {len}");
            let json = record_json(&game, &bytes(golden, len), &[]);
            records.push(Record { name: format!("{name}, {len} events"), json, log: golden.id() });
        }
    }
    let [parent, line] = ["records/line-parent", "records/line-arranged"].map(|name| golden(&goldens, name));
    let fold = |golden| replay(golden).expect("nothing in it is sealed");
    let below = Below { replay: Arc::new(fold(line)), events: bytes(line, line.lines().len()) };
    let json = record_json(&fold(parent), &bytes(parent, parent.lines().len()), &[below]);
    records.push(Record { name: "a game with a line".to_owned(), json, log: parent.id() });
    records
}

/// Copies of a record with one member changed, removed, added or doubled, as text.
fn changed(record: &Record) -> Vec<(String, String)> {
    let mut copies = Vec::new();
    let mut add = |what: String, text: String| copies.push((format!("{}: {what}", record.name), text));
    for pointer in pointers(&record.json, "") {
        let names: Vec<&str> = pointer.split('/').collect();
        // Of long lists, the first item stands for all; of setups, the members.
        let is_later = names.iter().any(|name| name.parse::<usize>().is_ok_and(|index| index > 0));
        if is_later || names.len() > 5 {
            continue;
        }
        let value = record.json.pointer(&pointer).expect("it is there");
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let mut values = others(value);
        values.push(json!(null));
        values.push(json!({ "seen": true }));
        for other in values.into_iter().filter(|other| other != value) {
            let mut json = record.json.clone();
            *json.pointer_mut(&pointer).expect("it is there") = other.clone();
            add(format!("{pointer}: {other}"), json.to_string());
        }
        let mut json = record.json.clone();
        match json.pointer_mut(parent).expect("it is there") {
            Value::Object(members) => drop(members.remove(name)),
            Value::Array(items) => drop(items.remove(0)),
            _ => unreachable!("only these have members"),
        }
        // Which lines there are, the log of the game does not say.
        if pointer != "/lines" {
            add(format!("{pointer} is removed"), json.to_string());
        }
    }
    let optional = [
        ("position", json!({})),
        ("played", json!("2024-02-29")),
        ("recordedBy", json!(["arbiter:1a2b3c4d"])),
        ("lines", json!([])),
        ("fork", json!({})),
        ("name", json!("A line")),
        ("cursor", json!("17.0192f0c1-2a3b-7c4d-8e5f-60718293a4b5")),
        ("analysis", json!({ "head": "0".repeat(64) })),
        ("comment", json!("Well played")),
    ];
    let text = record.json.to_string();
    for (name, value) in optional.iter().filter(|(name, _)| record.json.get(name).is_none()) {
        let mut json = record.json.clone();
        json[name] = value.clone();
        add(format!("{name} is added"), json.to_string());
    }
    for (name, value) in record.json.as_object().expect("it is an object") {
        // The first of two says something else, or the same.
        add(format!("{name} is doubled"), text.replacen('{', &format!("{{\"{name}\":null,"), 1));
        add(format!("{name} is doubled with its value"), text.replacen('{', &format!("{{\"{name}\":{value},"), 1));
    }
    copies
}

/// Whether our verifier accepts a record.
fn accepted(text: &str) -> bool {
    logs_of_json(text, &|_| None::<LogBytes>).is_ok()
}

/// Which of these records `tests/python/verify.py` accepts.
fn accepted_by_python(texts: &[&str]) -> Vec<bool> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let write = |(index, text): (usize, &&str)| -> PathBuf {
        let path = folder.path().join(format!("{index:05}"));
        std::fs::write(&path, text).expect("a file can be written");
        path
    };
    // Each is judged by itself: the logs of one would be at hand for the others.
    texts.iter().enumerate().map(write).map(|path| python::run(&[], &[path]).1).collect()
}

#[test]
fn no_member_of_a_record_can_be_changed() {
    let mut tried = 0;
    for record in records() {
        let text = record.json.to_string();
        assert!(accepted(&text), "{}: {:?}", record.name, logs_of_json(&text, &|_| None).err());
        assert_eq!(accepted_by_python(&[&text]), [true], "{}: verify.py", record.name);
        let copies = changed(&record);
        for (what, copy) in &copies {
            assert!(!accepted(copy), "plybook accepts it: {what}");
        }
        // A process for each is slow: `tests/run` asks for a few.
        let few: Vec<&(String, String)> = copies.iter().step_by(size(13, 3, 1)).collect();
        let texts: Vec<&str> = few.iter().map(|(_, copy)| copy.as_str()).collect();
        for ((what, _), accepted) in few.iter().zip(accepted_by_python(&texts)) {
            assert!(!accepted, "verify.py accepts it: {what}");
        }
        tried += copies.len();
    }
    assert!(tried > 2_000, "{tried} changes");
}

#[test]
fn what_does_not_follow_from_the_events_may_be_anything_that_is_json() {
    let record = records().remove(0);
    let with = |name: &str, value: &str| record.json.to_string().replacen('{', &format!("{{\"{name}\":{value},"), 1);
    let analysis = |more: &str| with("analysis", &format!("{{\"head\":{},\"more\":{more}}}", record.json["head"]));
    let cursor = |at: &str| with("cursor", &format!("\"{at}.{}\"", record.log));
    let put = |name: &str, value: &str| {
        let text = record.json.to_string();
        let member = format!("\"{name}\":{}", record.json[name]);
        assert!(text.contains(&member), "{text}");
        text.replacen(&member, &format!("\"{name}\":{value}"), 1)
    };
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let good = [
        analysis("[0.5,-0,1e300]"),
        analysis(&deep(125)),
        cursor("17"),
        cursor("0"),
        cursor("-62167219200000"),
        serde_json::to_string_pretty(&record.json).expect("it is data").replace('\n', "\r\n"),
    ];
    let lone = "\"\\ud800\"";
    let bad = [
        analysis(lone),
        analysis("NaN"),
        analysis("-Infinity"),
        analysis("1e999"),
        analysis(&"9".repeat(400)),
        analysis("01"),
        analysis(&deep(126)),
        analysis(&deep(5_000)),
        analysis("{\"a\":1,\"a\":1}"),
        put("format", lone),
        put("game", lone),
        put("kind", lone),
        put("events", &format!("[{lone}]")),
        put("setup", &format!("{{\"a\":{lone}}}")),
        cursor("+17"),
        cursor("-0"),
        cursor("017"),
        cursor("٣"),
        cursor("99999999999999999999"),
        cursor("17").replacen("\"rules\":", "\"rules\":\"v1\",\"rules\":", 1),
        "\u{feff}".to_owned() + &record.json.to_string(),
        record.json.to_string() + "\0",
        record.json.to_string() + "x",
    ];
    for (texts, is_good) in [(&good[..], true), (&bad[..], false)] {
        let theirs = accepted_by_python(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        for (text, theirs) in texts.iter().zip(theirs) {
            assert_eq!((accepted(text), theirs), (is_good, is_good), "{text}");
        }
    }
}

/// A line in a record stands below its game, after the log that it continues, once.
#[test]
fn lines_in_a_record_are_in_order() {
    let goldens = all();
    let names = ["records/set-up", "records/set-up-line", "records/set-up-line-below"];
    let [game, line, below] = names.map(|name| golden(&goldens, name));
    let lines = |golden: &Golden| bytes(golden, golden.lines().len());
    let of = |golden: &Golden| Below { replay: Arc::new(replay(golden).expect("it is open")), events: lines(golden) };
    let record = |of: &Golden, below: &[Below]| record_json(&replay(of).expect("it is open"), &lines(of), below);
    let good = record(game, &[of(line), of(below)]);
    let [parent, stranger] = ["records/line-parent", "records/line-arranged"].map(|name| golden(&goldens, name));
    let bad = [
        record(game, &[of(below), of(line)]),
        record(game, &[of(below)]),
        record(game, &[of(line), of(line)]),
        record(game, &[of(line), of(stranger)]),
        record(game, &[of(line), of(game)]),
    ];
    let others = record(parent, &[]).to_string();
    let found = |record: &Value| {
        // The game of the stranger is at hand.
        let known = |id: LogId| (id == parent.id()).then(|| LogBytes { lines: lines(parent), ..LogBytes::default() });
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("records");
        std::fs::write(&path, format!("{record}\n{others}\n")).expect("a file can be written");
        (logs_of_json(&record.to_string(), &known).is_ok(), python::run(&[], &[path]).1)
    };
    assert_eq!(found(&good), (true, true));
    for record in bad {
        assert_eq!(found(&record), (false, false), "{record}");
    }
}

#[test]
fn no_member_of_a_proof_file_can_be_changed() {
    let proofs = Proofs::new();
    let records = records();
    // The second is running, and seals what two seats have submitted.
    let names = ["triangulate/records/three-on-a-square", "records/sealed, 11", "records/sealed, 23", "records/void"];
    for record in names.map(|name| records.iter().rfind(|record| record.name.starts_with(name)).expect(name)) {
        let file = proofs.file(&record.json);
        let refused = |file: &str| check_proof(file, &proofs.trusted).err();
        assert!(refused(&file.to_string()).is_none(), "{}: {:?}", record.name, refused(&file.to_string()));
        let mut copies = vec![("a member is added".to_owned(), file.to_string().replacen('{', "{\"more\":1,", 1))];
        for pointer in pointers(&file, "") {
            let names: Vec<&str> = pointer.split('/').collect();
            let is_of_record = names[1] == "record" && names.len() > 2;
            // What stands in the record is changed above: here, a few of its members.
            if is_of_record && !["outcome", "status", "seats", "setup", "head", "actions"].contains(&names[2]) {
                continue;
            }
            if names.len() > 4 || names.last().is_some_and(|name| name.parse::<usize>().is_ok_and(|index| index > 1)) {
                continue;
            }
            let value = file.pointer(&pointer).expect("it is there");
            for other in others(value).into_iter().chain([json!(null)]).filter(|other| other != value) {
                let mut file = file.clone();
                *file.pointer_mut(&pointer).expect("it is there") = other.clone();
                copies.push((format!("{pointer}: {other}"), file.to_string()));
            }
        }
        copies.extend(notes(&file));
        assert!(copies.len() > 30, "{}: {} copies", record.name, copies.len());
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("proof.json");
        let check = |text: &str| checked_by_python(&path, text, &proofs);
        assert!(check(&file.to_string()), "{}: check.py", record.name);
        for (index, (what, copy)) in copies.iter().enumerate() {
            assert!(refused(copy).is_some(), "{}: plybook accepts it: {what}", record.name);
            let is_asked = index % size(7, 2, 1) == 0 || what.starts_with("the note");
            assert!(!is_asked || !check(copy), "{}: check.py accepts it: {what}", record.name);
        }
    }
}

/// Copies of a proof file whose checkpoint has the same text and signature, written otherwise.
fn notes(file: &Value) -> Vec<(String, String)> {
    let note = file["checkpoint"].as_str().expect("it is text");
    let (text, signature) = note.split_once("\n\n").expect("it is a signed note");
    let signature = signature.trim_end();
    let other = [
        String::new(),
        text.to_owned(),
        format!("{text}\n{signature}\n"),
        format!("{text}\n\n{signature}"),
        format!("{text}\n\n{signature}\n\n"),
        format!("{text}\n\n{signature}\ngarbage\n"),
        format!("{text}\n\n{signature} x\n"),
        format!("{text}\n\n{signature}=\n"),
        format!("{text}\n\n{}\n", &signature[..signature.len() - 20]),
        format!("{text}\n\n{}*{}\n", &signature[..signature.len() - 20], &signature[signature.len() - 20..]),
        format!("{text}\n\n{}\n", signature.replacen('\u{2014}', "-", 1)),
        format!("{text}\n\n{}\n", signature.replacen(' ', "  ", 1)),
        format!("{text}\n\n{signature}\n\u{2014} other.example !!!!\n"),
        note.replace('\n', "\r\n"),
    ];
    let copy = |note: &String| {
        let mut file = file.clone();
        file["checkpoint"] = json!(note);
        (format!("the note: {note:?}"), file.to_string())
    };
    let mut copies: Vec<_> = other.iter().map(copy).collect();
    let lone = file.to_string().replacen("\"checkpoint\":\"", "\"checkpoint\":\"\\ud800", 1);
    copies.push(("the note: half a pair".to_owned(), lone));
    copies
}

/// Whether `tests/python/check.py` accepts a proof file.
fn checked_by_python(path: &Path, text: &str, proofs: &Proofs) -> bool {
    std::fs::write(path, text).expect("it can be written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/check.py");
    let key = proofs.trusted.keys[0].to_string();
    let ran = Command::new("python3").arg(script).arg(path).arg(key).output().expect("python3 can be run");
    let why = String::from_utf8_lossy(&ran.stderr);
    assert!(!why.contains("Traceback"), "{why}");
    ran.status.success()
}
