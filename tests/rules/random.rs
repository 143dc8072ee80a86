//! Random games: the invariants of every game, checked at every ply.

use std::collections::BTreeSet;

use plybook_events::{Actor, Hash, canonical};
use plybook_rules::{ActionError, AnyPosition, Rules, Viewer, playthrough};
use regex_lite::Regex;
use serde_json::Value;

use crate::contract;
use crate::data::{self, Failure};
use crate::hostile::no_panic;
use crate::numbers::{self, Numbers, PLIES};

pub fn check(rules: &dyn Rules) -> Vec<Failure> {
    let mut failures = Vec::new();
    let mut reasons = BTreeSet::new();
    for number in 0..numbers::games() {
        match game(rules, number) {
            Ok(reason) => reasons.extend(reason),
            Err(why) => failures.push(format!("{}: random game {number}: {why}", rules.about().kind)),
        }
    }
    // Every way of ending has a record: those found by random play are checked here.
    let endings = data::files(rules.about().kind, "endings").unwrap_or_default();
    for reason in reasons {
        if !endings.iter().any(|file| file.is_named_for(&reason)) {
            failures.push(format!("{}: there is no endings/{reason}.txt", rules.about().kind));
        }
    }
    failures
}

/// Plays a game; returns how it ended, if it did.
fn game(rules: &dyn Rules, number: u64) -> Result<Option<String>, Failure> {
    let mut numbers = Numbers::new("random play", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    let start = rules.start(&setup).map_err(|why| format!("complete setup {setup}: {why}"))?;
    if rules.complete(&setup, &mut |_| 0).as_ref() != Ok(&setup) {
        return Err(format!("completing {setup} again changes it"));
    }
    let mut position = start.boxed();
    let mut before: Option<Box<dyn AnyPosition>> = None;
    let mut done: Vec<(Actor, String)> = Vec::new();
    let mut lines = vec![full_line(&done, position.as_ref())];
    loop {
        let at = |why: String| format!("setup {setup}, ply {}, after {}: {why}", done.len(), words(&done));
        every_position(rules, position.as_ref()).map_err(at)?;
        let last =
            before.as_deref().zip(done.last()).map(|(before, (actor, action))| (before, *actor, action.as_str()));
        drawn(rules, position.as_ref(), last).map_err(at)?;
        let Some(actor) = numbers.actor(position.as_ref()).filter(|_| done.len() < PLIES) else { break };
        let action = numbers.action(position.as_ref(), actor);
        contract::action(&action).map_err(at)?;
        awaited(position.as_ref(), actor, &action).map_err(at)?;
        before = Some(position.boxed());
        let accepted = no_panic(&format!("{action} of {actor}"), || position.accept(actor, &action)).map_err(at)?;
        if accepted.as_ref() != Ok(&action) {
            return Err(at(format!("the sample {action} of {actor} is accepted as {accepted:?}")));
        }
        done.push((actor, action));
        lines.push(full_line(&done, position.as_ref()));
    }
    prefixes(rules, &setup, start.as_ref(), &done, &lines, &mut numbers)
        .map_err(|why| format!("setup {setup}, actions {}: {why}", words(&done)))?;
    let reason = position.outcome().map(|outcome| outcome.reason);
    reason.as_deref().map_or(Ok(()), |reason| contract::reason(&setup, reason))?;
    Ok(reason)
}

/// An action that a prompt asks for fits the prompt's pattern.
fn awaited(position: &dyn AnyPosition, actor: Actor, action: &str) -> Result<(), Failure> {
    let Some(prompt) = position.prompt(actor) else { return Ok(()) };
    let pattern =
        prompt["pattern"].as_str().ok_or_else(|| format!("the prompt of {actor} has no `pattern`: {prompt}"))?;
    let form = Regex::new(pattern).map_err(|why| format!("the pattern of the prompt of {actor}: {why}"))?;
    if form.is_match(action) {
        Ok(())
    } else {
        Err(format!("{action} of {actor} does not fit the pattern of its prompt: {pattern}"))
    }
}

/// Invariants of every position.
fn every_position(rules: &dyn Rules, position: &dyn AnyPosition) -> Result<(), Failure> {
    let to_act = position.to_act();
    if to_act.is_empty() != position.outcome().is_some() {
        return Err("nobody is to act exactly when the game is over".to_owned());
    }
    let mut listed = 0;
    let mut prompted = false;
    for actor in (1..=position.seats()).map(Actor::Seat).chain([Actor::Chance]) {
        match position.legal(actor) {
            None if to_act.contains(actor) && position.prompt(actor).is_some() => prompted = true,
            None => return Err(format!("{actor} is not prompted and has no list of legal actions")),
            Some(_) if position.prompt(actor).is_some() => return Err(format!("{actor} is prompted and has a list")),
            Some(actions) => {
                legal(position, actor, &actions)?;
                listed += actions.len();
            }
        }
    }
    if position.branching() != listed {
        return Err(format!("branching is {}, but {listed} actions are listed", position.branching()));
    }
    let leaves = if prompted || to_act.is_empty() { 1 } else { listed as u64 };
    if position.perft(1) != leaves {
        return Err(format!("perft(1) is {}, not {leaves}", position.perft(1)));
    }
    for actor in to_act.iter() {
        if let Actor::Seat(seat) = actor
            && let Some(absent) = position.absent(seat)
            && let Err(why) = position.judge(actor, &absent)
        {
            return Err(format!("{absent} is submitted for {actor} when absent, but refused: {why}"));
        }
    }
    if let Some(outcome) = position.outcome() {
        contract::outcome(&outcome, position.teams())?;
    }
    contract::exact(rules, position)?;
    round_trip(rules, position)
}

/// A list of legal actions is sorted and without duplicates, empty exactly when there is nothing to do, and
/// everything in it is accepted.
fn legal(position: &dyn AnyPosition, actor: Actor, actions: &[String]) -> Result<(), Failure> {
    if actions.is_empty() == position.to_act().contains(actor) {
        return Err(format!("{actor} has {} legal actions", actions.len()));
    }
    if let Some([one, _]) = actions.array_windows().find(|[one, other]| one == other) {
        return Err(format!("{one} is listed twice for {actor}"));
    }
    if let Some([one, other]) = actions.array_windows().find(|[one, other]| one >= other) {
        return Err(format!("the legal actions of {actor} are not sorted: {one} before {other}"));
    }
    for action in actions {
        if position.judge(actor, action).as_deref() != Ok(action) {
            return Err(format!("{action} is listed for {actor}, but judged {:?}", position.judge(actor, action)));
        }
    }
    for place in [0, actions.len() / 2, actions.len().saturating_sub(1)] {
        let found = position.legal_at(actor, &mut |_| place);
        if found.as_ref() != actions.get(place) {
            return Err(format!("{found:?} is at {place} of the legal actions of {actor}"));
        }
    }
    Ok(())
}

/// The position's JSON is canonical, gives the same position again, and is what its key is computed from.
fn round_trip(rules: &dyn Rules, position: &dyn AnyPosition) -> Result<(), Failure> {
    let json = position.to_json(Viewer::All);
    let bytes = canonical::to_bytes(&json).map_err(|why| format!("{json}: {why}"))?;
    if canonical::check(&bytes).is_err() || serde_json::from_slice(&bytes).ok().as_ref() != Some(&json) {
        return Err(format!("{json} is not canonical"));
    }
    if position.key(Viewer::All) != Hash::of_parts(&[rules.about().kind.as_bytes(), b"\0", &bytes]) {
        return Err(format!("the key is not that of {json}"));
    }
    let again = rules.position(&json).map_err(|why| format!("{json} is refused: {why}"))?;
    let (one, two) = (
        playthrough::line(0, None, None, position, Viewer::All),
        playthrough::line(0, None, None, again.as_ref(), Viewer::All),
    );
    if one != two {
        return Err(format!("read again from JSON, {one} is {two}"));
    }
    if position.key(Viewer::All) != again.key(Viewer::All) || position.text(Viewer::All) != again.text(Viewer::All) {
        return Err(format!("read again from JSON, {json} has another key or text"));
    }
    Ok(())
}

/// There is a scene and a text for everybody; in games without secrets, the same ones.
fn drawn(
    rules: &dyn Rules,
    position: &dyn AnyPosition,
    last: Option<(&dyn AnyPosition, Actor, &str)>,
) -> Result<(), Failure> {
    for viewer in [Viewer::All, Viewer::Public, Viewer::Seat(1)] {
        let scene = position.scene(viewer, last);
        let [_, _, width, height] = scene.view;
        if scene.items.is_empty() || width <= 0 || height <= 0 || position.text(viewer).is_empty() {
            return Err(format!("there is nothing to see for {viewer}"));
        }
        contract::classes(rules, &scene).map_err(|why| format!("for {viewer}, {why}"))?;
        contract::texts(&scene).map_err(|why| format!("for {viewer}, {why}"))?;
        canonical::to_bytes(&scene.to_json()).map_err(|why| format!("the scene of {viewer}: {why}"))?;
        if !rules.about().secrets && position.key(viewer) != position.key(Viewer::All) {
            return Err(format!("the game has no secrets, but {viewer} sees something else"));
        }
    }
    Ok(())
}

/// The fold of a prefix is a prefix of the fold, from the start and from a position's JSON.
fn prefixes(
    rules: &dyn Rules,
    setup: &Value,
    start: &dyn AnyPosition,
    done: &[(Actor, String)],
    lines: &[String],
    numbers: &mut Numbers,
) -> Result<(), Failure> {
    for _ in 0..3 {
        let length = numbers.below(lines.len());
        let mut position = start.boxed();
        fold(position.as_mut(), &done[..length])?;
        if full_line(&done[..length], position.as_ref()) != lines[length] {
            return Err(format!("the fold of the first {length} actions differs from the fold on the way"));
        }
        let json = position.to_json(Viewer::All);
        let mut rest = rules.set_up(setup, &json).map_err(|why| format!("{json}: {why}"))?;
        fold(rest.as_mut(), &done[length..])?;
        if full_line(done, rest.as_ref()) != lines[lines.len() - 1] {
            return Err(format!("continued from its JSON at ply {length}, the game ends differently"));
        }
    }
    let mut position = start.boxed();
    fold(position.as_mut(), done)?;
    let over = position.outcome().is_some();
    for actor in (1..=position.seats()).map(Actor::Seat).chain([Actor::Chance]) {
        let action = done.last().map_or("", |(_, action)| action);
        if over && position.judge(actor, action) != Err(ActionError::Over) {
            return Err(format!("after the end, {action} of {actor} is not refused as over"));
        }
    }
    Ok(())
}

fn fold(position: &mut dyn AnyPosition, done: &[(Actor, String)]) -> Result<(), Failure> {
    for (actor, action) in done {
        position.act(*actor, action).map_err(|why| format!("folded again, {action} of {actor} is refused: {why}"))?;
    }
    Ok(())
}

fn full_line(done: &[(Actor, String)], position: &dyn AnyPosition) -> String {
    let last = done.last().map(|(actor, action)| (*actor, action.as_str()));
    let shown = last.map(|(_, action)| action.to_owned());
    playthrough::line(done.len(), last, shown, position, Viewer::All)
}

/// The actions, as `plybook rules --actions` reads them.
pub fn words(done: &[(Actor, String)]) -> String {
    let words = done.iter().map(|(actor, action)| match actor {
        Actor::Seat(seat) => format!("{seat}:{action}"),
        Actor::Chance => format!("chance:{action}"),
    });
    format!("\"{}\"", words.collect::<Vec<_>>().join(" "))
}
