//! Arbitrary input: nothing panics, and refused input changes nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use plybook_events::{Actor, SEATS_MAX};
use plybook_rules::{AnyPosition, Rules, Viewer};
use serde_json::{Value, json};

use crate::data::Failure;
use crate::numbers::{self, Numbers, PLIES};
use crate::random::words;

/// The number of actions tried at a position, and of changes tried on a setup or position.
const TRIES: usize = 12;

pub fn check(rules: &dyn Rules) -> Vec<Failure> {
    let mut failures = Vec::new();
    for number in 0..numbers::games() {
        if let Err(why) = game(rules, number) {
            failures.push(format!("{}: hostile game {number}: {why}", rules.about().kind));
        }
    }
    failures
}

fn game(rules: &dyn Rules, number: u64) -> Result<(), Failure> {
    let mut numbers = Numbers::new("hostile", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    for _ in 0..10 * TRIES {
        changed_setup(rules, &setup, &mut numbers)?;
    }
    let mut position = rules.start(&setup).map_err(|why| format!("setup {setup}: {why}"))?;
    let mut done = Vec::new();
    let mut known = Vec::new();
    while let Some(actor) = numbers.actor(position.as_ref()).filter(|_| done.len() < PLIES) {
        let at = |why: String| format!("setup {setup}, after {}: {why}", words(&done));
        let legal = position.legal(actor).unwrap_or_default();
        if !legal.is_empty() {
            known.push(numbers.one(&legal).clone());
        }
        try_actions(position.as_mut(), &known, &mut numbers).map_err(at)?;
        changed_position(rules, position.as_ref(), &mut numbers).map_err(at)?;
        let action = numbers.action(position.as_ref(), actor);
        position.act(actor, &action).map_err(|why| at(format!("{action}: {why}")))?;
        known.push(action.clone());
        done.push((actor, action));
    }
    try_actions(position.as_mut(), &known, &mut numbers).map_err(|why| format!("setup {setup}, at the end: {why}"))
}

/// Tries actions of all sorts for all actors; refused ones must change nothing.
fn try_actions(position: &mut dyn AnyPosition, known: &[String], numbers: &mut Numbers) -> Result<(), Failure> {
    let before = position.to_json(Viewer::All);
    for _ in 0..TRIES {
        let seat = Actor::Seat(u8::try_from(1 + numbers.below(usize::from(SEATS_MAX))).expect("a seat"));
        let to_act = numbers.actor(position);
        let actor = *numbers.one(&[to_act.unwrap_or(seat), to_act.unwrap_or(seat), seat, Actor::Chance]);
        let action = any_action(known, numbers);
        let tried = no_panic(&format!("{action:?} of {actor}"), || {
            let shown = position.shown(Viewer::Public, actor, &action);
            let judged = position.judge(actor, &action);
            if judged.is_err() {
                (judged, position.accept(actor, &action).is_err(), shown)
            } else {
                (judged, true, shown)
            }
        })?;
        let (judged, refused, _) = tried;
        if !refused {
            return Err(format!("{action:?} of {actor} is judged {judged:?}, but done"));
        }
        if let Ok(canonical) = judged
            && position.judge(actor, &canonical).as_deref() != Ok(&canonical)
        {
            return Err(format!("{canonical:?}, the canonical form of {action:?}, is not its own"));
        }
        if position.to_json(Viewer::All) != before {
            return Err(format!("{action:?} of {actor} has changed the position"));
        }
    }
    Ok(())
}

/// An action: a legal one from now or earlier, perhaps with some bytes changed, or anything at all.
fn any_action(known: &[String], numbers: &mut Numbers) -> String {
    let mut letters: Vec<char> =
        if known.is_empty() || numbers.below(4) == 0 { Vec::new() } else { numbers.one(known).chars().collect() };
    for _ in 0..numbers.below(4) {
        let at = numbers.below(letters.len() + 1);
        let letter = match numbers.below(8) {
            0 => *numbers.one(&['é', '漢', '\u{1f438}', '\0', '\u{202e}', '٣']),
            1 => char::from(u8::try_from(numbers.below(128)).expect("ASCII")),
            _ => *numbers.one(&[
                '0', '1', '2', '8', '9', 'a', 'b', 'h', 'i', 'A', 'L', 'R', 'S', '-', '+', ':', '=', ',', '.', '!',
                '(', '>', '?',
            ]),
        };
        match numbers.below(5) {
            0 if at < letters.len() => drop(letters.remove(at)),
            1 if at < letters.len() => letters[at] = letter,
            2 => letters.extend(vec![letter; 1 + numbers.below(40)]),
            3 => letters.truncate(at),
            _ => letters.insert(at, letter),
        }
    }
    letters.into_iter().collect()
}

/// A setup with something changed is refused or played, and never panics.
fn changed_setup(rules: &dyn Rules, setup: &Value, numbers: &mut Numbers) -> Result<(), Failure> {
    let mut changed = setup.clone();
    for _ in 0..=numbers.below(2) {
        change(&mut changed, numbers);
    }
    no_panic(&format!("setup {changed}"), || {
        let complete = rules.complete(&changed, &mut numbers.draw());
        let start = rules.start(&changed);
        for viewer in [Viewer::All, Viewer::Public, Viewer::Seat(SEATS_MAX)] {
            rules.setup_for(&changed, viewer);
        }
        if let Ok(complete) = complete {
            rules.start(&complete).map_err(|why| format!("completed setup {complete} is refused: {why}"))?;
        }
        let Ok(position) = start else { return Ok(()) };
        let json = position.to_json(Viewer::All);
        rules.position(&json).map(drop).map_err(|why| format!("setup {changed}, position {json}: {why}"))
    })?
}

/// A changed position is refused, or is exactly the position that it states.
fn changed_position(rules: &dyn Rules, position: &dyn AnyPosition, numbers: &mut Numbers) -> Result<(), Failure> {
    let mut changed = position.to_json(Viewer::All);
    for _ in 0..=numbers.below(2) {
        change(&mut changed, numbers);
    }
    no_panic(&format!("position {changed}"), || {
        let Ok(mut read) = rules.position(&changed) else { return Ok(()) };
        if read.to_json(Viewer::All) != changed {
            return Err(format!("position {changed} is read as {}", read.to_json(Viewer::All)));
        }
        for viewer in [Viewer::All, Viewer::Public, Viewer::Seat(1), Viewer::Seat(SEATS_MAX)] {
            read.scene(viewer, None);
            read.text(viewer);
            read.to_json(viewer);
        }
        for _ in 0..4 {
            let Some(actor) = numbers.actor(read.as_ref()) else { break };
            read.legal(actor);
            let action = numbers.action(read.as_ref(), actor);
            read.act(actor, &action).map_err(|why| format!("position {changed}: {action} of {actor}: {why}"))?;
        }
        Ok(())
    })?
}

/// Changes something somewhere in a value.
fn change(value: &mut Value, numbers: &mut Numbers) {
    match value {
        Value::Array(items) if !items.is_empty() && numbers.below(6) > 0 => {
            let (at, other) = (numbers.below(items.len()), numbers.below(items.len()));
            match numbers.below(8) {
                0 => drop(items.remove(at)),
                1 => items.push(items[at].clone()),
                2 => items.swap(at, other),
                3 => items[at] = items[other].clone(),
                _ => change(&mut items[at], numbers),
            }
        }
        Value::Object(members) if !members.is_empty() && numbers.below(6) > 0 => {
            let keys: Vec<String> = members.keys().cloned().collect();
            let key = numbers.one(&keys);
            match numbers.below(10) {
                0 => drop(members.remove(key)),
                1 => drop(members.insert(format!("{key}x"), members[key].clone())),
                2 => drop(members.insert(numbers.one(&keys).clone(), members[key].clone())),
                _ => change(&mut members[key], numbers),
            }
        }
        Value::Number(number) if numbers.below(2) == 0 => {
            let near = number.as_i64().unwrap_or(0);
            *value = near.saturating_add(*numbers.one(&[-1, 1, 2, -2, 10])).into();
        }
        Value::String(text) if numbers.below(3) > 0 => {
            let known = [text.clone()];
            *text = any_action(&known, numbers);
        }
        Value::Bool(flag) if numbers.below(3) > 0 => *flag = !*flag,
        _ => {
            let values = [
                json!(null),
                json!(true),
                json!(false),
                json!(0),
                json!(-1),
                json!(1),
                json!(7),
                json!(255),
                json!(256),
                json!(65_536),
                json!(u64::MAX),
                json!(i64::MIN),
                json!(1.5),
                json!(1e300),
                json!(""),
                json!("a1"),
                json!("x".repeat(300)),
                json!([]),
                json!({}),
                json!([[[]]]),
                json!({"a": {"b": null}}),
                json!([1, 1, 1]),
            ];
            *value = numbers.one(&values).clone();
        }
    }
}

/// What something returns, or that it panicked.
pub fn no_panic<T>(what: &str, run: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|_| format!("{what} panics (see above)"))
}
