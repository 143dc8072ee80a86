//! Good and bad logs: every case of `tests/data/format/cases.json`, judged by the verifier here and by
//! `tests/python/verify.py`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use plybook_api::service::verify_any;
use plybook_events::{Hash, LogId};
use plybook_rules::log::{LogBytes, Secrets, Verifier};
use plybook_store::EventBytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::golden::{all, data, lines};
use crate::python;

/// The kind of fault and the seq.
type Found = (String, u64);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    authors: BTreeMap<String, Vec<String>>,
    free: Vec<String>,
    bases: Vec<String>,
    cases: BTreeMap<String, Vec<Case>>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Case {
    what: String,
    cut: Option<usize>,
    swap: Option<(usize, usize)>,
    at: Option<usize>,
    set: BTreeMap<String, Value>,
    remove: Vec<String>,
    by: Option<Value>,
    drop: bool,
    add: Vec<(String, String, Value)>,
    raw: Option<(usize, String, String)>,
    error: Option<Found>,
    rules: Option<Found>,
}

/// A changed log, and what is to be found.
struct Copy {
    name: String,
    log: LogId,
    text: Vec<u8>,
    error: Option<Found>,
    /// What a verifier that knows the rules finds.
    rules: Option<Found>,
}

fn cases() -> Cases {
    let text = fs::read_to_string(data().join("format/cases.json")).expect("the cases are there");
    serde_json::from_str(&text).expect("cases are as the README says")
}

fn base(name: &str) -> Vec<Value> {
    let text = fs::read(data().join(format!("{name}.ndjson"))).unwrap_or_else(|why| panic!("{name}: {why}"));
    lines(&text).into_iter().map(|line| serde_json::from_slice(line).expect("an event is JSON")).collect()
}

fn log_of(events: &[Value]) -> LogId {
    events[0]["game"].as_str().and_then(|id| id.parse().ok()).expect("it has an id")
}

impl Case {
    /// The cases that this one stands for.
    fn each(&self) -> Vec<Self> {
        match &self.by {
            Some(Value::Array(authors)) => {
                authors.iter().map(|by| Self { by: Some(by.clone()), ..self.clone() }).collect()
            }
            _ => vec![self.clone()],
        }
    }

    fn apply(&self, base_name: &str) -> Copy {
        let mut events = base(base_name);
        events.truncate(self.cut.unwrap_or(usize::MAX));
        if let Some((one, other)) = self.swap {
            let [first, second] = [one, other].map(|seq| events[seq]["at"].clone());
            events.swap(one, other);
            (events[one]["at"], events[other]["at"]) = (first, second);
        }
        let at = self.at.unwrap_or(events.len() - 1);
        for (pointer, value) in &self.set {
            let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
            events[at].pointer_mut(parent).expect("the parent is there")[name] = value.clone();
        }
        for pointer in &self.remove {
            let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
            let parent = events[at].pointer_mut(parent).and_then(Value::as_object_mut).expect("it is an object");
            parent.remove(name).expect("it is there");
        }
        if let Some(by) = &self.by {
            events[at]["by"] = by.clone();
        }
        if self.drop {
            events.remove(at);
        }
        let place = if self.at.is_some() && !self.add.is_empty() { at } else { events.len() };
        for (index, (by, kind, body)) in self.add.iter().enumerate() {
            let mut event = events[(place + index).saturating_sub(1)].clone();
            (event["by"], event["type"], event["body"]) = (json!(by), json!(kind), body.clone());
            events.insert(place + index, event);
        }
        let text = chained(&events, self.raw.as_ref());
        let log = log_of(&events);
        let by = self.by.as_ref().map_or_else(String::new, |by| format!(" ({by})"));
        let rules = self.rules.clone().or_else(|| self.error.clone());
        Copy { name: format!("{base_name}: {}{by}", self.what), log, text, error: self.error.clone(), rules }
    }
}

/// The lines of a log with numbers and hashes computed again, and a text replaced in one of them afterwards.
fn chained(events: &[Value], raw: Option<&(usize, String, String)>) -> Vec<u8> {
    let mut text = Vec::new();
    let mut prev = events[0]["prev"].clone();
    for (seq, event) in events.iter().enumerate() {
        let mut event = event.clone();
        (event["seq"], event["prev"]) = (json!(seq), prev);
        let line = event.to_string();
        prev = json!(Hash::of_event(line.as_bytes()));
        let line = match raw {
            Some((at, from, to)) if *at == seq => {
                assert!(line.contains(from.as_str()), "{line}: {from}");
                line.replacen(from.as_str(), to, 1)
            }
            _ => line,
        };
        text.extend(line.into_bytes());
        text.push(b'\n');
    }
    text
}

/// Every event of every base by everybody who cannot be its author.
fn of_others(cases: &Cases) -> Vec<Copy> {
    let mut copies = Vec::new();
    for name in &cases.bases {
        for (seq, event) in base(name).iter().enumerate() {
            let kind = event["type"].as_str().expect("it has a type");
            let more = match kind {
                "ended" => event["body"]["decided_by"].as_str(),
                "acted" | "sealed" => event["body"]["fair"].as_bool().map(|_| "fair"),
                "deadline_set" => event["body"]["reason"].as_str().map(|_| "reason"),
                _ => event["body"]["record"].as_object().map(|_| "record"),
            };
            let key = more.map_or_else(|| kind.to_owned(), |more| format!("{kind} {more}"));
            let authors = cases.authors.get(&key).unwrap_or_else(|| panic!("nobody is the author of {key}"));
            for by in ["service", "arbiter", "chance", "seat:1", "seat:13"] {
                if authors.iter().any(|author| by.starts_with(author.as_str())) {
                    continue;
                }
                let case = Case {
                    what: format!("event {seq}, `{key}`"),
                    at: Some(seq),
                    by: Some(json!(by)),
                    error: Some(("author".to_owned(), seq as u64)),
                    ..Case::default()
                };
                copies.push(case.apply(name));
            }
        }
    }
    copies
}

/// Every member of every body, made `null`.
fn of_nothing(cases: &Cases) -> Vec<Copy> {
    let mut copies = Vec::new();
    for name in &cases.bases {
        for (seq, event) in base(name).iter().enumerate() {
            let kind = event["type"].as_str().expect("it has a type");
            for member in event["body"].as_object().expect("a body is an object").keys() {
                if cases.free.iter().any(|free| *free == format!("{kind} {member}")) {
                    continue;
                }
                let case = Case {
                    what: format!("event {seq}, `{member}`"),
                    at: Some(seq),
                    set: BTreeMap::from([(format!("/body/{member}"), Value::Null)]),
                    error: Some(("form".to_owned(), seq as u64)),
                    ..Case::default()
                };
                copies.push(case.apply(name));
            }
        }
    }
    copies
}

/// What our verifier finds, with all golden logs at hand.
fn judged(copies: &[Copy]) -> Vec<Option<Found>> {
    let goldens = all();
    let logs: BTreeMap<LogId, Vec<EventBytes>> = goldens
        .iter()
        .map(|golden| (golden.id(), golden.lines().into_iter().map(EventBytes::from).collect()))
        .collect();
    let find = |id| Some(LogBytes { lines: logs.get(&id)?.clone(), secrets: Secrets::new() });
    let verifier = Verifier::new(&find);
    let judge = |copy: &Copy| {
        let found = verify_any(&verifier, &find, copy.log, &lines(&copy.text), &Secrets::new());
        found.fault.map(|fault| {
            let kind = serde_json::to_value(fault.kind).expect("it is a word");
            (kind.as_str().expect("it is a word").to_owned(), fault.seq)
        })
    };
    copies.iter().map(judge).collect()
}

/// What `tests/python/verify.py` finds, with all golden logs at hand.
fn judged_by_python(copies: &[Copy]) -> Vec<Option<Found>> {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let goldens = all();
    let known: Vec<_> = goldens.iter().flat_map(|golden| ["--with", golden.path.to_str().expect("UTF-8")]).collect();
    let mut by_log: BTreeMap<LogId, Vec<usize>> = BTreeMap::new();
    for (index, copy) in copies.iter().enumerate() {
        by_log.entry(copy.log).or_default().push(index);
    }
    let mut all_found = vec![None; copies.len()];
    for (log, indices) in by_log {
        let write = |index: &usize| {
            let path = folder.path().join(format!("{index:05}"));
            fs::write(&path, &copies[*index].text).expect("a file can be written");
            path
        };
        let files: Vec<_> = indices.iter().map(write).collect();
        let id = log.to_string();
        let (found, _) = python::run(&[&["--game", &id], known.as_slice()].concat(), &files);
        assert_eq!(found.len(), indices.len());
        for (index, line) in indices.into_iter().zip(&found) {
            all_found[index] = read(line);
        }
    }
    all_found
}

/// A line of `tests/python/verify.py`; `None` if the log is good.
fn read(line: &str) -> Option<Found> {
    if line.starts_with("ok ") {
        return None;
    }
    let (_, rest) = line.strip_prefix("bad ").and_then(|rest| rest.split_once(" seq ")).expect("it says where");
    let mut parts = rest.splitn(3, ": ");
    let seq = parts.next().and_then(|seq| seq.parse().ok()).expect("it says which event");
    Some((parts.next().expect("it says what kind").to_owned(), seq))
}

/// Compares what both verifiers find with what they have to find.
fn check(copies: &[Copy]) {
    let ours = judged(copies);
    let theirs = judged_by_python(copies);
    let mut wrong = Vec::new();
    for ((copy, ours), theirs) in copies.iter().zip(&ours).zip(&theirs) {
        if *ours != copy.rules {
            wrong.push(format!("{}: plybook finds {ours:?}, not {:?}", copy.name, copy.rules));
        }
        if *theirs != copy.error {
            wrong.push(format!("{}: verify.py finds {theirs:?}, not {:?}", copy.name, copy.error));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), copies.len(), wrong.join("\n"));
}

#[test]
fn every_case_is_judged_as_it_must_be() {
    let cases = cases();
    let copies: Vec<Copy> = cases
        .cases
        .iter()
        .flat_map(|(base, cases)| cases.iter().flat_map(Case::each).map(|case| case.apply(base)).collect::<Vec<_>>())
        .collect();
    assert!(copies.len() > 200, "{} cases", copies.len());
    check(&copies);
}

#[test]
fn nobody_else_is_the_author_of_an_event() {
    let copies = of_others(&cases());
    assert!(copies.len() > 500, "{} copies", copies.len());
    check(&copies);
}

#[test]
fn no_member_of_a_body_is_null() {
    let copies = of_nothing(&cases());
    assert!(copies.len() > 300, "{} copies", copies.len());
    check(&copies);
}

#[test]
fn a_beginning_of_a_good_log_is_good_unless_it_stops_in_the_end_of_the_game() {
    let mut copies = Vec::new();
    for name in cases().bases {
        let events = base(&name);
        let last = events.iter().rposition(|event| event["type"] == "ended" || event["type"] == "voided");
        for cut in 1..=events.len() {
            // What comes before the end is written in one piece with it.
            let is_ending = last.is_some_and(|last| {
                let kind = |seq: usize| events[seq]["type"].as_str();
                cut <= last
                    && (cut..last).all(|seq| kind(seq) == Some("revealed"))
                    && matches!(kind(cut - 1), Some("revealed" | "draw_answered"))
            });
            let is_by_rules = events.get(cut).is_some_and(|next| next["body"]["decided_by"] == "rules");
            let rules = is_by_rules.then(|| ("order".to_owned(), cut as u64));
            if !is_ending {
                let what = format!("{cut} events");
                copies.push(Case { what, cut: Some(cut), rules, ..Case::default() }.apply(&name));
            }
        }
    }
    assert!(copies.len() > 200);
    check(&copies);
}

/// Every place in a value, as a JSON pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        Value::Object(members) => members.iter().map(|(name, item)| (name.clone(), item)).collect(),
        _ => Vec::new(),
    };
    for (name, item) in inner {
        let pointer = format!("{at}/{name}");
        places(item, &pointer, found);
        found.push(pointer);
    }
}

/// Whatever stands anywhere in an event, both verifiers answer, and the same unless the rules find more.
#[test]
fn whatever_stands_in_an_event_there_is_an_answer() {
    let anything = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(13),
        json!(256),
        json!(1_u64 << 32),
        json!(1_u64 << 53),
        json!(1.5),
        json!(""),
        json!("seat:2"),
        json!("0".repeat(64)),
        json!([]),
        json!([[]]),
        json!({}),
        json!({ "toString": 1 }),
    ];
    let (mut copies, mut seen) = (Vec::new(), BTreeSet::new());
    for name in cases().bases {
        let events = base(&name);
        let log = log_of(&events);
        for (seq, event) in events.iter().enumerate() {
            let mut found = Vec::new();
            places(event, "", &mut found);
            for pointer in found {
                if !seen.insert((event["type"].to_string(), pointer.clone())) {
                    continue;
                }
                for value in &anything {
                    let mut events = events[..events.len().min(seq + 2)].to_vec();
                    *events[seq].pointer_mut(&pointer).expect("it is there") = value.clone();
                    let name = format!("{name}: event {seq}, {pointer}: {value}");
                    copies.push(Copy { name, log, text: chained(&events, None), error: None, rules: None });
                }
            }
        }
    }
    assert!(copies.len() > 4_000, "{} copies", copies.len());
    let (ours, theirs) = (judged(&copies), judged_by_python(&copies));
    let mut wrong = Vec::new();
    for ((copy, ours), theirs) in copies.iter().zip(&ours).zip(&theirs) {
        let finds_more = theirs.is_none() && ours.as_ref().is_some_and(|(kind, _)| kind == "rules" || kind == "order");
        if ours != theirs && !finds_more {
            wrong.push(format!("{}: plybook finds {ours:?}, verify.py {theirs:?}", copy.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), copies.len(), wrong.join("\n"));
}

/// A tournament takes over the result of the game at its table, as it is after the event that it names.
#[test]
fn a_result_is_that_of_the_game_at_its_table() {
    type Change = fn(&mut Vec<Value>, &mut Value);
    let changes: [(&str, Change); 9] = [
        ("nothing", |_, _| {}),
        ("another tournament", |game, _| game[0]["body"]["tournament"] = game[0]["game"].clone()),
        ("another round", |game, _| game[0]["body"]["round"] = json!(9)),
        ("another table", |game, _| game[0]["body"]["table"] = json!(9)),
        ("players in other seats", |game, _| game[0]["body"]["seats"].as_array_mut().expect("a list").reverse()),
        ("a player whom nobody knows", |game, _| game[0]["body"]["seats"][1]["player"] = game[0]["game"].clone()),
        ("the other one wins", |game, _| {
            let end = game.iter_mut().rfind(|event| event["type"] == "ended").expect("it is over");
            let winner = end["body"]["outcome"]["winners"][0].as_u64().expect("somebody wins");
            (end["body"]["outcome"]["winners"], end["by"]) = (json!([3 - winner]), json!(format!("seat:{winner}")));
        }),
        ("all seats lost, which is no draw", |game, result| {
            let end = game.iter_mut().rfind(|event| event["type"] == "ended").expect("it is over");
            let outcome = json!({ "winners": [], "forfeit": true, "reason": "r" });
            (end["body"], end["by"]) = (json!({ "decided_by": "arbiter", "outcome": outcome }), json!("arbiter"));
            result["ranking"] = json!([[1, 2]]);
        }),
        ("the game was running", |_, result| result["record"]["seq"] = json!(2)),
    ];
    let (folder, tournament) = (tempfile::tempdir().expect("a folder can be made"), base("records/tournament"));
    let id = &tournament[19]["body"]["record"]["game"];
    let golden = all().into_iter().find(|golden| json!(golden.id()) == *id).expect("its game is golden");
    let game: Vec<Value> = golden.lines().iter().map(|line| serde_json::from_slice(line).expect("JSON")).collect();
    for (what, change) in changes {
        let (mut game, mut tournament) = (game.clone(), tournament[..20].to_vec());
        change(&mut game, &mut tournament[19]["body"]);
        let game = chained(&game, None);
        let record = &mut tournament[19]["body"]["record"];
        record["hash"] = json!(Hash::of_event(lines(&game)[record["seq"].as_u64().expect("a number") as usize]));
        let tournament = chained(&tournament, None);
        let logs = [("tournament", &tournament), ("game", &game)];
        let paths = logs.map(|(name, _)| folder.path().join(name));
        logs.iter().zip(&paths).for_each(|((_, text), path)| fs::write(path, text).expect("it can be written"));
        let find = |log: LogId| {
            let lines = lines(&game).into_iter().map(EventBytes::from).collect();
            (json!(log) == *id).then_some(LogBytes { lines, secrets: Secrets::new() })
        };
        let log = log_of(&base("records/tournament"));
        let found = verify_any(&Verifier::new(&find), &find, log, &lines(&tournament), &Secrets::new()).fault;
        let found = found.map(|fault| (json!(fault.kind), fault.seq));
        let theirs = read(&python::run(&[], &paths).0[0]).map(|(kind, seq)| (json!(kind), seq));
        let wanted = (what != "nothing").then(|| (json!("line"), 19));
        assert_eq!((&found, &theirs), (&wanted, &wanted), "{what}");
    }
}
