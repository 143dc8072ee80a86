//! An event has exactly one spelling: whatever is read as an event is written as the same bytes.

use plybook_events::{Body, Event, Hash};
use serde_json::Value;

/// A body of every type, with all members and with as few as possible.
const BODIES: [(&str, &str); 81] = [
    ("created", r#"{"kind":"k","rules":"v1","seats":[{"name":""}],"setup":null}"#),
    (
        "created",
        r#"{"fairness":"HASH","fork":{"game":"ID","hash":"HASH","ply":4,"seq":5},"kind":"k","name":"a line","open":true,"owner":"ID","played":"2026-11-20","rules":"v1","seats":[{"name":"A"},{"name":"B","player":"ID"}],"setup":{"a":[1,{"b":true}]}}"#,
    ),
    (
        "created",
        r#"{"drawn":["first","labels"],"fairness":"HASH","kind":"k","rolls":"fair","round":1,"rules":"v1","sealed_setup":"HASH","seats":[{"name":"A"},{"name":"B"}],"setup":{},"signed":true,"table":2,"tags":{"t":"x"},"tournament":"ID","unrated":true}"#,
    ),
    (
        "created",
        r#"{"kind":"k","played":"2026-11-20T14:03:11.123Z","rolls":"typed","rules":"v1","seats":[{"name":"A"}],"setup":1}"#,
    ),
    (
        "created",
        r#"{"drawn":["labels"],"fairness":"HASH","kind":"k","rules":"v1","seats":[{"name":"A"}],"setup":null}"#,
    ),
    ("history_accepted", r#"{"position":7}"#),
    (
        "history_accepted",
        r#"{"found":{"hash":"HASH","log":"ID","seq":0},"position":7,"recorded":{"hash":"HASH","log":"ID","seq":3}}"#,
    ),
    ("key_rotated", r#"{"key":"games.example.org+2+B","old":"games.example.org+1+A"}"#),
    ("key_rotated", r#"{"dropped":true,"key":"games.example.org+2+B","old":"games.example.org+1+A"}"#),
    ("acted", r#"{"action":"b1-b2"}"#),
    ("acted", r#"{"action":"roll:1=7","clock_ms":0,"fair":true}"#),
    ("sealed", r#"{"commitment":"HASH"}"#),
    ("sealed", r#"{"clock_ms":60000,"commitment":"HASH"}"#),
    ("revealed", r#"{"content":"LUR","of":3,"salt":"HASH"}"#),
    ("taken_back", r#"{"reason":"a slip","to_ply":0}"#),
    ("annotated", r#"{"ply":1}"#),
    ("annotated", r#"{"comment":"\u001f \\ \" \n é","glyphs":["!","?!"],"ply":1}"#),
    ("draw_offered", "{}"),
    ("draw_answered", r#"{"accept":false}"#),
    ("resigned", "{}"),
    ("ended", r#"{"decided_by":"rules","outcome":{"reason":"r","winners":[]}}"#),
    (
        "ended",
        r#"{"decided_by":"abandonment","outcome":{"eliminated":3,"ranking":[[1,2],[3]],"reason":"r","winners":[1,2]},"seed":{"salt":"HASH","seed":"HASH"}}"#,
    ),
    ("ended", r#"{"decided_by":"resignation","outcome":{"reason":"r","winners":[1]}}"#),
    ("ended", r#"{"decided_by":"agreement","outcome":{"reason":"r","winners":[]}}"#),
    ("ended", r#"{"decided_by":"time","outcome":{"reason":"r","winners":[2]}}"#),
    ("ended", r#"{"decided_by":"arbiter","outcome":{"reason":"r","winners":[13]}}"#),
    ("corrected", r#"{"outcome":{"reason":"r","winners":[1]},"reason":"r"}"#),
    ("voided", r#"{"reason":"r"}"#),
    ("voided", r#"{"reason":"r","seed":{"salt":"HASH","seed":"HASH"}}"#),
    ("reopened", r#"{"reason":"r"}"#),
    ("unvoided", r#"{"reason":"r"}"#),
    ("deadline_set", "{}"),
    ("deadline_set", r#"{"due":"2026-12-01T18:00:00.000Z","opens":"2026-11-30T18:00:00.000Z"}"#),
    ("deadline_set", r#"{"due":"2026-12-01T18:00:00.000Z","reason":"r"}"#),
    ("arranged", r#"{"hidden":false}"#),
    ("arranged", r#"{"name":""}"#),
    ("arranged", r#"{"hidden":true,"name":"the better try","rank":-3}"#),
    ("player_created", r#"{"name":"Ann"}"#),
    ("player_edited", r#"{"name":"Ann"}"#),
    ("player_edited", r#"{"club":"","country":"","links":[]}"#),
    (
        "player_edited",
        r#"{"club":"C","country":"SE","links":["https://example.org/a","https://example.org/b"],"name":"Ann"}"#,
    ),
    ("player_merged", r#"{"into":"ID"}"#),
    ("player_unmerged", "{}"),
    ("player_key_added", r#"{"key":"HASH"}"#),
    ("player_key_removed", r#"{"key":"HASH"}"#),
    (
        "tournament_created",
        r#"{"format":{"format":"free"},"kind":"k","name":"Cup","scoring":{"by":"beaten"},"seats":{"least":2,"most":2},"tie_breaks":[]}"#,
    ),
    (
        "tournament_edited",
        r#"{"announcement":"n","archived":true,"description":"d","ends_at":"2026-11-22T14:03:11.123Z","forbidden":[[1,4],[2,3,5]],"format":{},"half_byes":1,"half_byes_until":3,"kind":"k","name":"Cup","place":"Hall B","ranked_by_entry":true,"records":["102 Ann"],"rounds_at":["2026-11-20T14:03:11.123Z"],"scoring":{},"seats":{"least":3,"most":6},"setups":[{},{"a":1}],"starts_at":"2026-11-20T14:03:11.123Z","tags":{"t":"x"},"tie_breaks":["BH/C1","SB"],"time_control":"90+30","time_zone":"Europe/Vienna","unrated":true}"#,
    ),
    ("entered", r#"{"details":{"name":"Ann"},"entrant":1,"player":"ID"}"#),
    (
        "entered",
        r#"{"details":{"club":"c","country":"AT","federation":"AUT","federation_id":"7","name":"Ann","rating":2000,"sex":"w","title":"WGM"},"entrant":12,"from_round":3,"player":"ID","points":10}"#,
    ),
    ("entrant_edited", r#"{"details":{"name":"Ann","rating":1},"entrant":2}"#),
    ("entry_removed", r#"{"entrant":1}"#),
    ("withdrawn", r#"{"entrant":1,"from_round":3}"#),
    ("withdrawn", r#"{"entrant":1,"from_round":3,"reason":"r"}"#),
    ("returned", r#"{"entrant":1,"from_round":4}"#),
    ("absence_announced", r#"{"bye":"half","entrant":1,"round":2}"#),
    ("absence_cancelled", r#"{"entrant":1,"round":2}"#),
    ("paired", r#"{"byes":[],"round":1,"tables":[]}"#),
    (
        "paired",
        r#"{"byes":[{"bye":"pairing","entrant":5},{"bye":"zero","entrant":6},{"bye":"full","entrant":7}],"engine":{"input":"HASH","name":"dutch","version":"1"},"round":1,"tables":[[1,2],[4,3]]}"#,
    ),
    ("pairing_changed", r#"{"byes":[],"round":1,"tables":[[1,2]]}"#),
    ("pairing_changed", r#"{"breaks":["b"],"byes":[{"bye":"half","entrant":3}],"round":1,"tables":[[2,1]]}"#),
    ("unpaired", r#"{"round":1}"#),
    ("round_opened", r#"{"round":1,"salt":"HASH"}"#),
    ("round_unopened", r#"{"round":1}"#),
    ("game_opened", r#"{"game":"ID","round":1,"table":2}"#),
    ("table_opened", r#"{"game":"ID","round":1,"seats":[1,2],"table":2}"#),
    ("table_reseated", r#"{"round":1,"seats":[4,2,7],"table":2}"#),
    ("result_recorded", r#"{"ranking":[[1],[2]],"round":1,"table":2}"#),
    (
        "result_recorded",
        r#"{"at_table":true,"ranking":[[1,2]],"record":{"game":"ID","hash":"HASH","seq":9},"round":1,"table":2}"#,
    ),
    ("result_removed", r#"{"round":1,"table":2}"#),
    ("result_removed", r#"{"reason":"r","record":{"game":"ID","hash":"HASH","seq":9},"round":1,"table":2}"#),
    ("forfeited", r#"{"round":1,"seats":[1,2],"table":2}"#),
    ("forfeited", r#"{"reason":"r","round":1,"seats":[2],"table":2}"#),
    ("adjourned", r#"{"round":1,"table":2}"#),
    ("adjourned", r#"{"round":1,"table":2,"until":"tomorrow"}"#),
    ("resumed", r#"{"round":1,"table":2}"#),
    ("round_closed", r#"{"round":1}"#),
    ("round_reopened", r#"{"round":1}"#),
    ("imported", r#"{"file":"HASH","first":0,"head":"HASH","last":9,"log":"ID"}"#),
    ("imported", r#"{"file":"HASH","first":1,"head":"HASH","last":1,"log":"ID","source":"old.json"}"#),
    ("tournament_finished", "{}"),
    ("tournament_reopened", "{}"),
];

const ID: &str = "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5";

fn event(type_name: &str, body: &str) -> String {
    let hash = Hash::of_event(b"").to_string();
    let body = body.replace("HASH", &hash).replace("ID", ID);
    format!(
        r#"{{"at":"2026-11-20T14:03:11.123Z","body":{body},"by":"arbiter","game":"{ID}","prev":"{hash}","seq":10,"type":"{type_name}","v":1}}"#
    )
}

fn check_spelling(text: &[u8]) -> bool {
    let Ok(event) = Event::parse(text) else { return false };
    let written = event.to_bytes().expect("what was read can be written");
    assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(text));
    true
}

#[test]
fn every_type_is_read_and_written_back() {
    for (type_name, body) in BODIES {
        let text = event(type_name, body);
        assert!(check_spelling(text.as_bytes()), "{text}: {:?}", Event::parse(text.as_bytes()).err());
        assert_eq!(Event::parse(text.as_bytes()).unwrap().body.type_name(), type_name);
    }
}

#[test]
fn any_changed_byte_gives_another_event_in_its_one_spelling_or_none() {
    for (type_name, body) in BODIES {
        let text = event(type_name, body).into_bytes();
        for at in 0..text.len() {
            for new in *b" \"'+,-./0159:;AZ[\\]aefnu{}\x7f\x00\n\xc3" {
                let mut changed = text.clone();
                changed[at] = new;
                check_spelling(&changed);
            }
        }
    }
}

#[test]
fn a_member_more_or_less_or_of_another_shape_is_another_spelling_or_none() {
    let shapes: Vec<Value> = [
        "null",
        "false",
        "true",
        "0",
        "-1",
        "256",
        "4294967296",
        "\"\"",
        "[]",
        "{}",
        "[[]]",
        "[{}]",
        "[null]",
        "[\"a\"]",
        "[[\"a\"]]",
    ]
    .iter()
    .map(|text| serde_json::from_str(text).unwrap())
    .collect();
    let mut read = 0;
    for (type_name, body) in BODIES {
        let body: Value = serde_json::from_str(body).unwrap();
        for changed in variants(&body, &shapes) {
            read += usize::from(check_spelling(event(type_name, &changed.to_string()).as_bytes()));
        }
    }
    assert!(read > 100, "only {read} of the variants were events");
}

#[test]
fn structs_as_lists_are_refused() {
    let whole = |body: &str| Event::parse(event("created", body).as_bytes()).is_ok();
    assert!(whole(r#"{"kind":"k","rules":"v1","seats":[{"name":"A"}],"setup":null}"#));
    assert!(!whole(r#"{"kind":"k","rules":"v1","seats":[["A"]],"setup":null}"#));
    assert!(!whole(r#"{"fork":["ID",4,5,"HASH"],"kind":"k","rules":"v1","seats":[{"name":"A"}],"setup":null}"#));
    assert!(Event::parse(event("arranged", "{}").as_bytes()).is_err(), "it arranges nothing");
    assert!(Event::parse(event("player_edited", "{}").as_bytes()).is_err(), "it edits nothing");
    let voided = event("voided", r#"{"reason":"r","seed":["HASH","HASH"]}"#);
    assert!(Event::parse(voided.as_bytes()).is_err());
}

/// What the members of one body say about one another is its form.
#[test]
fn bodies_that_contradict_themselves_are_refused() {
    let seat = r#"{"name":"A"}"#;
    let created = |more: &str, seats: &str| format!(r#"{{{more}"seats":[{seats}],"setup":null}}"#);
    let fork = r#""fork":{"game":"ID","hash":"HASH","ply":4,"seq":5},"kind":"k","rules":"v1","#;
    for (type_name, body) in [
        ("created", created(r#""kind":"k","rules":"v1","#, "")),
        ("created", created(r#""kind":"k","rules":"v1","#, &[seat; 14].join(","))),
        ("created", created(r#""kind":"k","name":"n","rules":"v1","#, seat)),
        ("created", created(r#""kind":"k","owner":"ID","rules":"v1","#, seat)),
        ("created", created(r#""kind":"k","open":true,"rules":"v1","sealed_setup":"HASH","#, seat)),
        ("created", created(&format!(r#""drawn":["a"],"fairness":"HASH",{fork}"#), seat)),
        ("created", created(&format!(r#"{fork}"sealed_setup":"HASH","#), seat)),
        ("created", created(&fork.replace(r#""rules""#, r#""rolls":"typed","rules""#), seat)),
        ("created", created(r#""drawn":["b","a"],"fairness":"HASH","kind":"k","rules":"v1","#, seat)),
        ("created", created(r#""drawn":["a","a"],"fairness":"HASH","kind":"k","rules":"v1","#, seat)),
        ("created", created(r#""drawn":["a"],"kind":"k","rules":"v1","#, seat)),
        ("created", created(r#""kind":"k","rolls":"fair","rules":"v1","#, seat)),
        ("deadline_set", r#"{"opens":"2026-11-30T18:00:00.000Z"}"#.to_owned()),
        ("deadline_set", r#"{"due":"2026-11-30T18:00:00.000Z","opens":"2026-11-30T18:00:00.000Z"}"#.to_owned()),
        ("imported", r#"{"file":"HASH","first":2,"head":"HASH","last":1,"log":"ID"}"#.to_owned()),
        ("corrected", r#"{"outcome":{"forfeit":false,"reason":"r","winners":[]},"reason":"r"}"#.to_owned()),
        ("corrected", r#"{"outcome":{"ranking":[],"reason":"r","winners":[]},"reason":"r"}"#.to_owned()),
    ] {
        assert!(Event::parse(event(type_name, &body).as_bytes()).is_err(), "{body}");
    }
}

/// The value with one part removed, replaced by each shape, or, for structs, turned into a list.
fn variants(value: &Value, shapes: &[Value]) -> Vec<Value> {
    let mut out = shapes.to_vec();
    match value {
        Value::Object(members) => {
            out.push(members.values().cloned().collect());
            for (key, inner) in members {
                let mut less = members.clone();
                less.remove(key);
                out.push(less.into());
                for variant in variants(inner, shapes) {
                    let mut changed = members.clone();
                    changed.insert(key.clone(), variant);
                    out.push(changed.into());
                }
            }
            for name in [
                "at_table", "breaks", "clock_ms", "comment", "drawn", "engine", "fair", "fairness", "fork", "glyphs",
                "hidden", "name", "open", "owner", "played", "rank", "ranking", "record", "seed", "setups", "tags",
                "unrated", "until", "x",
            ] {
                for shape in shapes {
                    let mut more = members.clone();
                    more.insert(name.to_owned(), shape.clone());
                    out.push(more.into());
                }
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                for variant in variants(inner, shapes) {
                    let mut changed = items.clone();
                    changed[index] = variant;
                    out.push(changed.into());
                }
            }
        }
        _ => {}
    }
    out
}

#[test]
fn all_types_are_there() {
    let mut names: Vec<_> = BODIES.iter().map(|(name, _)| *name).collect();
    names.dedup();
    assert_eq!(names.len(), 51);
    let of_hash = event("danced", "{}");
    assert!(Event::parse(of_hash.as_bytes()).is_err());
    assert_eq!(Body::DrawOffered(plybook_events::body::DrawOffered {}).type_name(), "draw_offered");
}
