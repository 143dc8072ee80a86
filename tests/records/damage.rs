//! Damaged copies of every golden log and record: both verifiers find the damage at the same event.

use plybook_api::service::Importing;
use plybook_events::chain::Chain;
use plybook_events::fair::Dice;
use plybook_events::{Event, Hash, LogId};
use serde_json::Value;

use crate::golden::{Golden, all, lines};
use crate::load::{judged, record, replay, service};
use crate::python::run_on_copies;

/// The number of changed bytes in each log, and in each record.
const CHANGES: u32 = 18;

fn dice(golden: &Golden, what: u64) -> Dice {
    Dice::new(&Hash::of_parts(&[golden.name().as_bytes()]), golden.id(), what)
}

/// The first event that is not as it was written, as far as can be told without the rules.
fn first_bad(id: LogId, copy: &[u8]) -> Option<u64> {
    let mut chain = Chain::new(id);
    let bad = |line: &&[u8]| chain.check(line).is_err() || Event::parse(line).is_err();
    lines(copy).iter().position(bad).map(|seq| seq as u64)
}

fn seq_of(found: &str) -> Option<u64> {
    let (_, rest) = found.strip_prefix("bad ")?.split_once(" seq ")?;
    rest.split_once(':')?.0.parse().ok()
}

/// Asserts that both verifiers report the same about a damaged copy, and that the damage is found; if only
/// the end is changed, at least the head differs.
fn check(golden: &Golden, copy: &[u8], found: &str, what: &str) {
    let bad = first_bad(golden.id(), copy);
    let judged = judged(golden.id(), &lines(copy)).0.fault.map(|fault| fault.seq);
    match (bad, seq_of(found)) {
        // What a changed event violates is found before the next one, which no longer follows it.
        (Some(bad), theirs) => {
            assert_eq!(theirs, judged, "{what}: {found}");
            assert!(theirs.is_some_and(|theirs| theirs <= bad), "{what}: {found}");
        }
        // A commitment that is not met; the rules can find more.
        (None, Some(theirs)) => assert_eq!(judged, Some(theirs), "{what}: {found}"),
        (None, None) => {
            assert!(found.starts_with("ok "), "{what}: {found}");
            let head = golden.lines().last().map(|line| Hash::of_event(line)).expect("a log is not empty");
            assert!(!found.ends_with(&head.to_string()), "{what}: nobody finds it: {found}");
        }
    }
}

#[test]
fn both_verifiers_find_every_changed_byte_at_the_same_event() {
    for golden in all() {
        let mut dice = dice(&golden, 1);
        let mut copies = Vec::new();
        let mut names = Vec::new();
        while copies.len() < CHANGES as usize {
            let mut copy = golden.text.clone().into_bytes();
            // The very last byte ends the last line; without it nothing is lost.
            let at = dice.below(copy.len() as u32 - 1) as usize;
            let bit = 1 << dice.below(8);
            copy[at] ^= bit;
            names.push(format!("{}: byte {at} bit {bit:#x}", golden.name()));
            copies.push(copy);
        }
        let found = run_on_copies(golden.id(), &copies);
        for ((copy, found), name) in copies.iter().zip(&found).zip(&names) {
            check(&golden, copy, found, name);
        }
    }
}

#[test]
fn both_verifiers_find_missing_duplicated_swapped_and_cut_lines() {
    for golden in all() {
        let lines = golden.lines();
        let mut dice = dice(&golden, 2);
        let mut copies = Vec::new();
        let join = |lines: &[&[u8]]| lines.iter().flat_map(|line| [line, &b"\n"[..]]).collect::<Vec<_>>().concat();
        for seq in 0..lines.len().min(6) {
            let mut doubled = lines.clone();
            doubled.insert(seq, lines[seq]);
            copies.push(join(&doubled));
            if seq + 1 < lines.len() {
                let mut missing = lines.clone();
                missing.remove(seq);
                copies.push(join(&missing));
                let mut swapped = lines.clone();
                swapped.swap(seq, seq + 1);
                copies.push(join(&swapped));
            }
            let mut cut = join(&lines[..=seq]);
            let length = lines[seq].len() as u32;
            cut.truncate(cut.len() - 2 - dice.below(length - 1) as usize);
            copies.push(cut);
        }
        let found = run_on_copies(golden.id(), &copies);
        for (copy, found) in copies.iter().zip(&found) {
            assert!(first_bad(golden.id(), copy).is_some(), "{}: {found}", golden.name());
            check(&golden, copy, found, &golden.name());
        }
    }
}

#[test]
fn both_verifiers_find_a_broken_commitment() {
    let mut tried = 0;
    for golden in all() {
        let mut copies = Vec::new();
        for (seq, event) in golden.events().iter().enumerate() {
            for pointer in ["/content", "/salt", "/of", "/seed/seed", "/seed/salt"] {
                let mut body = event.body_json();
                let Some(value) = body.pointer_mut(pointer) else { continue };
                *value = match &*value {
                    Value::String(text) if text.starts_with('0') => format!("1{}", &text[1..]).into(),
                    Value::String(text) => format!("0{}", text.chars().skip(1).collect::<String>()).into(),
                    other => (other.as_u64().expect("it is a seq") + 1).into(),
                };
                let copy = rechained(&golden, seq, &body);
                assert_eq!(first_bad(golden.id(), &copy), None, "the chain is whole");
                let judged = judged(golden.id(), &lines(&copy)).0.fault;
                assert_eq!(judged.map(|fault| fault.seq), Some(seq as u64), "{} {pointer}", golden.name());
                copies.push((seq as u64, copy));
            }
        }
        if copies.is_empty() {
            continue;
        }
        let (seqs, copies): (Vec<_>, Vec<_>) = copies.into_iter().unzip();
        for (seq, found) in seqs.iter().zip(run_on_copies(golden.id(), &copies)) {
            assert_eq!(seq_of(&found), Some(*seq), "{}: {found}", golden.name());
        }
        tried += copies.len();
        if tried > 40 {
            break;
        }
    }
    assert!(tried > 20, "only {tried} commitments were tried");
}

#[test]
fn both_verifiers_find_a_secret_that_the_end_leaves_sealed() {
    let mut tried = 0;
    for golden in all() {
        let events = golden.events();
        // What is signed shows by itself that something before it is missing.
        if events.iter().any(|event| event.signature.is_some()) {
            continue;
        }
        let Some(last) = events.iter().rposition(|event| event.body.type_name() == "revealed") else { continue };
        let Some(end) = events.iter().position(|event| event.body.type_name() == "ended") else { continue };
        let copy = rechained(&golden, last, &Value::Null);
        let found = run_on_copies(golden.id(), std::slice::from_ref(&copy)).remove(0);
        assert_eq!(seq_of(&found), Some(end as u64 - 1), "{}: {found}", golden.name());
        let judged = judged(golden.id(), &lines(&copy)).0.fault;
        assert_eq!(judged.map(|fault| fault.seq), Some(end as u64 - 1), "{}", golden.name());
        tried += 1;
    }
    assert!(tried > 0, "nothing is revealed anywhere");
}

/// A log with another body in one event, or without that event if the body is null, with every later number
/// and hash recomputed.
fn rechained(golden: &Golden, seq: usize, body: &Value) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut prev: Option<Hash> = None;
    let mut written = 0;
    for (index, line) in golden.lines().into_iter().enumerate() {
        let mut event: Value = serde_json::from_slice(line).expect("an event is JSON");
        if index == seq && body.is_null() {
            continue;
        }
        if index == seq {
            event["body"] = body.clone();
        }
        if let Some(prev) = prev {
            event["prev"] = prev.to_string().into();
        }
        event["seq"] = written.into();
        written += 1;
        let bytes = event.to_string().into_bytes();
        prev = Some(Hash::of_event(&bytes));
        out.extend_from_slice(&bytes);
        out.push(b'\n');
    }
    out
}

#[test]
fn a_record_with_one_byte_changed_is_refused_and_nothing_is_written() {
    let service = service();
    for golden in all() {
        let Some(replay) = replay(&golden) else { continue };
        let record = record(&golden, &replay);
        let mut dice = dice(&golden, 3);
        // The members before and after the events are short, so they are tried separately too.
        let events = record.find("\"events\"").expect("it has events");
        let ranges = [(0, record.len()), (0, events), (record.rfind(']').expect("a list ends"), record.len())];
        for number in 0..CHANGES {
            let (from, to) = ranges[number as usize % ranges.len()];
            let mut copy = record.clone().into_bytes();
            let at = from + dice.below((to - from) as u32) as usize;
            let new = b' ' + dice.below(95) as u8;
            if copy[at] == new || !copy[at].is_ascii() {
                continue;
            }
            copy[at] = new;
            let copy = String::from_utf8(copy).expect("ASCII was put for ASCII");
            let taken = service.import_json(&copy, &Importing::of(&copy)).is_ok();
            assert!(!taken, "{}: byte {at} was made {:?}", golden.name(), char::from(new));
            assert_eq!(service.log().len(), 0, "{}: something was written", golden.name());
        }
    }
}

#[test]
fn a_record_with_a_missing_or_extra_member_is_refused() {
    let service = service();
    let golden = all().into_iter().find(|golden| golden.name().contains("draw-offered")).expect("it is there");
    let record: Value = serde_json::from_str(&record(&golden, &replay(&golden).expect("a game"))).expect("it is JSON");
    let names: Vec<_> = record.as_object().expect("it is an object").keys().cloned().collect();
    for name in &names {
        let mut less = record.clone();
        less.as_object_mut().expect("it is an object").remove(name);
        assert!(service.import_json(&less.to_string(), &Importing::of(&less.to_string())).is_err(), "without {name}");
    }
    for (name, value) in [("extra", Value::Null), ("cursor", "0.x".into())] {
        let mut more = record.clone();
        more[name] = value;
        assert!(service.import_json(&more.to_string(), &Importing::of(&more.to_string())).is_err(), "with {name}");
    }
    assert_eq!(service.log().len(), 0);
    let mut exported = record.clone();
    let at = replay(&golden).expect("a game").created_at().as_millis();
    exported["cursor"] = format!("{at}.{}", golden.id()).into();
    assert!(
        service.import_json(&exported.to_string(), &Importing::of(&exported.to_string())).is_ok(),
        "as the export stream writes it"
    );
}
