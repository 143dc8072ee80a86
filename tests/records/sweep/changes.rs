//! Every change of one place of a log.

use plybook_events::{Actor, Event, Hash, Place};
use plybook_rules::log::Replay;
use serde_json::{Value, json};

use crate::golden::Golden;
use crate::load::judged;

/// A log with one change.
pub(super) struct Change {
    /// The type of the event that is changed.
    pub(super) kind: String,
    /// The member that is changed, or what is done with the event.
    pub(super) place: String,
    /// Whether hashes computed again undo it.
    pub(super) is_of_chain: bool,
    events: Vec<Value>,
}

/// Optional members, and what an operator might write in them where they are missing.
const OPTIONAL: &[(&str, &str, &str)] = &[
    ("*", "/request", r#""000102030405060708090a0b0c0d0e0f""#),
    ("*", "/who", r#""arbiter:1a2b3c4d""#),
    ("created", "/body/round", "3"),
    ("created", "/body/table", "3"),
    ("created", "/body/tournament", r#""3b40c282-3478-813b-b702-8fcaa0d42d5a""#),
    ("created", "/body/played", r#""2024-02-29""#),
    ("created", "/body/unrated", "true"),
    ("created", "/body/tags", r#"{"place":"Oslo"}"#),
    ("created", "/body/open", "true"),
    ("created", "/body/signed", "true"),
    ("created", "/body/drawn", r#"["first"]"#),
    ("created", "/body/rolls", r#""fair""#),
    ("created", "/body/fairness", r#""3b40c28234783b40c28234783b40c28234783b40c28234783b40c28234783b40""#),
    ("created", "/body/name", r#""A line""#),
    ("created", "/body/owner", r#""3b40c282-3478-813b-b702-8fcaa0d42d5a""#),
    ("created", "/body/seats/0/player", r#""3b40c282-3478-813b-b702-8fcaa0d42d5a""#),
    ("acted", "/body/clock_ms", "1000"),
    ("acted", "/body/fair", "true"),
    ("sealed", "/body/clock_ms", "1000"),
    ("annotated", "/body/comment", r#""Well played""#),
    ("annotated", "/body/glyphs", r#"["!"]"#),
    ("ended", "/body/outcome/ranking", "[[1],[2]]"),
    ("ended", "/body/outcome/forfeit", "true"),
    ("ended", "/body/outcome/more", "1"),
    ("ended", "/body/seed", r#"{"salt":"00","seed":"00"}"#),
    ("corrected", "/body/outcome/ranking", "[[2],[1]]"),
    ("corrected", "/body/outcome/more", "1"),
    ("deadline_set", "/body/reason", r#""because""#),
    ("arranged", "/body/rank", "7"),
    ("player_edited", "/body/country", r#""AT""#),
    ("tournament_created", "/body/place", r#""Oslo""#),
    ("entered", "/body/details/club", r#""Frogs""#),
    ("result_recorded", "/body/at_table", "true"),
];

/// Events that might be inserted anywhere: author, type, body.
const INSERTED: &[(&str, &str, &str)] = &[
    ("arbiter", "annotated", r#"{"comment":"Well played","ply":0}"#),
    ("seat:1", "draw_offered", "{}"),
    ("seat:2", "draw_answered", r#"{"accept":false}"#),
    ("seat:1", "resigned", "{}"),
    ("seat:2", "entropy_added", r#"{"entropy":"3b40c28234783b40c28234783b40c28234783b40c28234783b40c28234783b40"}"#),
    ("arbiter", "taken_back", r#"{"reason":"touched","to_ply":0}"#),
    ("arbiter", "deadline_set", r#"{"due":"2027-01-01T00:00:00.000Z","reason":"because"}"#),
    ("seat:1", "ended", r#"{"decided_by":"resignation","outcome":{"reason":"resignation","winners":[2]}}"#),
    ("arbiter", "ended", r#"{"decided_by":"arbiter","outcome":{"reason":"late","winners":[1]}}"#),
    ("arbiter", "corrected", r#"{"outcome":{"reason":"late","winners":[1]},"reason":"late"}"#),
    ("arbiter", "reopened", r#"{"reason":"not over"}"#),
    ("arbiter", "voided", r#"{"reason":"wrong board"}"#),
    ("arbiter", "unvoided", r#"{"reason":"right board"}"#),
    ("arbiter", "arranged", r#"{"name":"A better line"}"#),
    ("arbiter", "player_edited", r#"{"club":"Frogs"}"#),
    ("arbiter", "entrant_edited", r#"{"details":{"name":"Eva"},"entrant":1}"#),
    ("arbiter", "withdrawn", r#"{"entrant":2,"from_round":9}"#),
];

/// In longer logs, only the first events of a type are changed, and the last.
const WHOLE_MAX: usize = 32;

/// How many of the first.
const FIRST: usize = 2;

/// All changes of a log that are tried: one of each place, and more of the first event of a type.
pub(super) fn changes(golden: &Golden) -> Vec<Change> {
    let parse = |line: &&[u8]| serde_json::from_slice(line).expect("an event is JSON");
    let events: Vec<Value> = golden.lines().iter().map(parse).collect();
    let mut found = Vec::new();
    for seq in 0..events.len() {
        let is_same = |event: &&Value| event["type"] == events[seq]["type"];
        let earlier = events[..seq].iter().filter(is_same).count();
        let is_last = !events[seq + 1..].iter().any(|event| is_same(&event));
        if events.len() > WHOLE_MAX && earlier >= FIRST && !is_last {
            continue;
        }
        let before = (earlier < FIRST || is_last).then(|| judged(golden.id(), &golden.lines()[..seq]).1).flatten();
        of_members(&events, seq, before.as_ref(), earlier == 0, &mut found);
        of_order(&events, seq, before.as_ref(), earlier == 0, &mut found);
    }
    let end = judged(golden.id(), &golden.lines()).1;
    insertions(&events, events.len(), end.as_ref(), true, &mut found);
    found
}

/// Changes of what an event holds: many, or one of each member.
fn of_members(events: &[Value], seq: usize, before: Option<&Replay>, is_rich: bool, found: &mut Vec<Change>) {
    let event = &events[seq];
    let kind = text(event, "type");
    let mut add = |pointer: &str, changed: Value| {
        let mut events = events.to_vec();
        events[seq] = changed;
        let is_of_chain = ["/seq", "/prev"].contains(&pointer);
        found.push(Change { kind: kind.to_owned(), place: member(pointer), is_of_chain, events });
    };
    for pointer in pointers(event, "") {
        let value = event.pointer(&pointer).expect("it is there");
        let mut values = others(value);
        values.extend(
            events
                .iter()
                .filter(|other| text(other, "type") == kind)
                .filter_map(|e| e.pointer(&pointer))
                .find(|other| *other != value)
                .cloned(),
        );
        if pointer == "/by" {
            values = ["seat:1", "seat:2", "chance", "arbiter", "service"].map(Value::from).into();
        }
        if pointer == "/type" {
            values = events.iter().map(|event| event["type"].clone()).collect();
            values.sort_by_key(ToString::to_string);
            values.dedup();
        }
        if pointer == "/body/action" {
            values.extend(before.into_iter().flat_map(actions).map(|(_, action)| json!(action)));
        }
        values.retain(|other| other != value);
        // The last one comes closest to what might stand there.
        let few = values.len().saturating_sub(1);
        for value in values.drain(if is_rich { 0 } else { few }..) {
            let mut changed = event.clone();
            *changed.pointer_mut(&pointer).expect("it is there") = value;
            add(&pointer, changed);
        }
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let mut changed = event.clone();
        match changed.pointer_mut(parent).expect("it is there") {
            Value::Object(members) => drop(members.remove(name)),
            Value::Array(items) => drop(items.remove(name.parse().expect("it is an index"))),
            _ => unreachable!("only these have members"),
        }
        add(&pointer, changed);
    }
    for (_, pointer, value) in OPTIONAL.iter().filter(|(of, ..)| *of == kind && is_rich || *of == "*") {
        let (parent, name) = pointer.rsplit_once('/').expect("a pointer has a slash");
        let mut changed = event.clone();
        if let Some(Value::Object(members)) = changed.pointer_mut(parent)
            && !members.contains_key(name)
        {
            members.insert(name.to_owned(), serde_json::from_str(value).expect("it is JSON"));
            add(pointer, changed);
        }
    }
}

/// Changes of an event's place: it is left out, doubled, or swapped with the next, or others come before it.
fn of_order(events: &[Value], seq: usize, before: Option<&Replay>, is_rich: bool, found: &mut Vec<Change>) {
    let kind = text(&events[seq], "type").to_owned();
    let mut add = |place: &str, events| {
        found.push(Change { kind: kind.clone(), place: place.to_owned(), is_of_chain: false, events });
    };
    let mut fewer = events.to_vec();
    fewer.remove(seq);
    if !fewer.is_empty() {
        add("left out", fewer);
    }
    let mut more = events.to_vec();
    more.insert(seq, events[seq].clone());
    add("doubled", more);
    if seq + 1 < events.len() {
        let mut swapped = events.to_vec();
        swapped.swap(seq, seq + 1);
        // The times stay where they are.
        (swapped[seq]["at"], swapped[seq + 1]["at"]) = (events[seq]["at"].clone(), events[seq + 1]["at"].clone());
        if swapped != events {
            add("swapped", swapped);
        }
    }
    if seq > 0 {
        add("cut", events[..seq].to_vec());
        insertions(events, seq, before, is_rich, found);
    }
}

/// Events that come before the event `seq`: all of the list, or one.
fn insertions(events: &[Value], seq: usize, before: Option<&Replay>, is_rich: bool, found: &mut Vec<Change>) {
    let acted = before.into_iter().flat_map(|before| actions(before).into_iter().take(1));
    let acted = acted.map(|(actor, action)| (actor.to_string(), "acted", json!({ "action": action })));
    let listed = INSERTED.iter().enumerate().filter(|(index, _)| is_rich || seq % INSERTED.len() == *index);
    let listed =
        listed.map(|(_, (by, kind, body))| ((*by).to_owned(), *kind, serde_json::from_str(body).expect("it is JSON")));
    for (by, kind, body) in listed.chain(acted) {
        let mut event = events[seq - 1].clone();
        (event["by"], event["type"], event["body"]) = (json!(by), json!(kind), body);
        for member in ["who", "signature"] {
            event.as_object_mut().expect("it is an object").remove(member);
        }
        let mut events = events.to_vec();
        events.insert(seq, event);
        found.push(Change { kind: kind.to_owned(), place: "inserted".to_owned(), is_of_chain: false, events });
    }
}

/// Some legal actions.
fn actions(before: &Replay) -> Vec<(Actor, String)> {
    let position = before.position();
    let Some(actor) = position.to_act().iter().next() else { return Vec::new() };
    let found = match position.legal(actor) {
        Some(legal) => [0, legal.len() / 2, legal.len() - 1].map(|at| legal[at].clone()),
        None => [0, 1, 2].map(|part| position.sample(actor, &mut |n| (n - 1) / 2 * part)),
    };
    found.into_iter().map(|action| (actor, action)).collect()
}

impl Change {
    /// The log with hashes and numbers as they were.
    pub(super) fn raw(&self) -> Vec<u8> {
        self.events.iter().flat_map(|event| format!("{event}\n").into_bytes()).collect()
    }

    /// The log with all numbers and hashes computed again, and without the signatures that the change breaks.
    pub(super) fn rehashed(&self) -> Vec<u8> {
        let mut whole = Vec::new();
        let fork = self.events[0].pointer("/body/fork/hash").cloned();
        let (mut prev, mut revealing) = (fork.unwrap_or_else(|| json!(Hash::ZERO)), None);
        for (seq, event) in self.events.iter().enumerate() {
            let mut event = event.clone();
            (event["seq"], event["prev"]) = (json!(seq), prev);
            let mut line = event.to_string();
            if let Ok(parsed) = Event::parse(line.as_bytes()) {
                let place = Place::of(&parsed, revealing);
                revealing = place.revealing(&parsed);
                if parsed.check_signature(place).is_err() {
                    event.as_object_mut().expect("it is an object").remove("signature");
                    line = event.to_string();
                }
            }
            prev = json!(Hash::of_event(line.as_bytes()));
            whole.extend_from_slice(line.as_bytes());
            whole.push(b'\n');
        }
        whole
    }
}

/// Other values of the same sort.
pub(crate) fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(1)],
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => {
            let number = number.as_i64().expect("events have integers");
            vec![json!(number + 1), json!(number - 1)]
        }
        Value::String(text) => other_texts(text).into_iter().map(Value::from).collect(),
        Value::Array(items) => {
            let mut reversed = items.clone();
            reversed.reverse();
            let mut more = items.clone();
            more.extend(items.last().cloned());
            vec![json!(reversed), json!(more), json!([])]
        }
        Value::Object(members) => {
            let mut more = members.clone();
            more.insert("more".to_owned(), json!(1));
            vec![json!(more)]
        }
    }
}

fn other_texts(text: &str) -> Vec<String> {
    let last_digit = |at: usize| {
        let digit = text.as_bytes()[at];
        let other = if digit == b'1' { "2" } else { "1" };
        format!("{}{other}{}", &text[..at], &text[at + 1..])
    };
    let is_time = text.len() == 24 && text.ends_with('Z');
    let is_hex = text.len() >= 36 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || b":-".contains(&byte));
    if is_time {
        vec![last_digit(22), last_digit(3)]
    } else if is_hex {
        vec![last_digit(text.len() - 1), last_digit(0)]
    } else {
        vec![format!("{text}x"), text.chars().skip(1).collect()]
    }
}

/// Every place in a value, as a JSON pointer.
pub(crate) fn pointers(value: &Value, at: &str) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Array(items) => items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect(),
        Value::Object(members) => members.iter().map(|(name, item)| (name.clone(), item)).collect(),
        _ => Vec::new(),
    };
    let each = |(name, item): (String, &Value)| {
        let pointer = format!("{at}/{name}");
        let mut found = pointers(item, &pointer);
        found.push(pointer);
        found
    };
    inner.into_iter().flat_map(each).collect()
}

/// The name of a place: `outcome.winners`. What the game or the tournament defines is not told apart.
fn member(pointer: &str) -> String {
    let names: Vec<&str> = pointer.split('/').skip(1).filter(|name| name.parse::<usize>().is_err()).collect();
    match names.as_slice() {
        ["body", name @ ("setup" | "tags" | "position"), ..] => (*name).to_owned(),
        ["body", "outcome", "winners" | "ranking" | "reason" | "forfeit"] => names[1..].join("."),
        ["body", "outcome", ..] => "outcome".to_owned(),
        ["body", name, rest @ ..] => [&[*name], rest].concat().join("."),
        names => names.join("."),
    }
}

fn text<'a>(event: &'a Value, member: &str) -> &'a str {
    event[member].as_str().expect("it is a text")
}
