//! What games measure of themselves: names, and random play counted in several ways.

use std::collections::BTreeSet;

use plybook_events::Actor;
use plybook_rules::{AnyPosition, Measure, Rules, Tally, Viewer};

use crate::data::Failure;
use crate::numbers::{self, Numbers, PLIES};

/// Every list has names that are unique, in lowerCamelCase, and described in a sentence.
pub fn named(rules: &'static dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    let mut failures = Vec::new();
    for (list, measures) in [("measures", rules.measures()), ("heat", rules.heat()), ("luck", rules.luck())] {
        let names: BTreeSet<&str> = measures.iter().map(|measure| measure.name).collect();
        if names.len() != measures.len() {
            failures.push(format!("{kind}: a name of its {list} comes twice"));
        }
        let wrong = measures.iter().filter_map(|measure| Some((measure.name, wrong_with(measure)?)));
        failures.extend(wrong.map(|(name, why)| format!("{kind}: {name} of its {list}: {why}")));
    }
    if !(8..=50).contains(&rules.measures().len()) {
        failures.push(format!("{kind}: it has {} measures", rules.measures().len()));
    }
    if !rules.heat().iter().any(|what| what.name == "visits") {
        failures.push(format!("{kind}: no visits are counted"));
    }
    if rules.luck().is_empty() == rules.about().chance {
        failures.push(format!("{kind}: luck belongs to chance"));
    }
    let places: BTreeSet<&str> = rules.places().iter().copied().collect();
    if places.len() != rules.places().len() || places.contains("") {
        failures.push(format!("{kind}: places have names of their own"));
    }
    failures.extend(undocumented(rules).into_iter().map(|row| format!("{kind}: its README lacks {row}")));
    failures
}

fn wrong_with(measure: &Measure) -> Option<&'static str> {
    let (name, text) = (measure.name, measure.description);
    let is_camel = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_camel {
        return Some("the name is not in lowerCamelCase");
    }
    let is_sentence = text.starts_with(|first: char| first.is_ascii_uppercase() || first.is_ascii_digit());
    if !is_sentence || text.find('.') != Some(text.len() - 1) || !(15..=130).contains(&text.len()) {
        return Some("the description is not one short sentence");
    }
    None
}

/// The rows that are missing in the game's page.
fn undocumented(rules: &dyn Rules) -> Vec<String> {
    let (_, section) = rules.about().document.split_once("\n## Measures\n").unwrap_or_default();
    let all = [rules.measures(), rules.heat(), rules.luck()].into_iter().flatten();
    let rows = all.map(|measure| format!("| `{}` | {} |", measure.name, measure.description));
    rows.filter(|row| !section.contains(row)).collect()
}

/// Plays at random, counts in several ways, and compares.
pub fn counted(rules: &'static dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    // Twice as many as elsewhere: what was drawn is compared with what was to be expected.
    let mut luck = vec![Fortune::default(); rules.luck().len()];
    let mut failures = Vec::new();
    for number in 0..2 * numbers::games() {
        if let Err(why) = game(rules, number, &mut luck) {
            failures.push(format!("{kind}: random game {number}: {why}"));
        }
    }
    for (what, fortune) in rules.luck().iter().zip(luck) {
        if let Some(why) = fortune.unlikely(what.name) {
            failures.push(format!("{kind}: {why}"));
        }
    }
    failures
}

fn game(rules: &'static dyn Rules, number: u64, luck: &mut [Fortune]) -> Result<(), Failure> {
    let mut numbers = Numbers::new("measures", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    let start = rules.start(&setup).map_err(|why| why.to_string())?;
    let (mut table, mut tally) = (start.boxed(), Tally::new(rules, start.seats()));
    let mut done: Vec<(Actor, String)> = Vec::new();
    // Chance needs many rolls to show itself.
    let plies = if rules.luck().is_empty() { PLIES } else { 5 * PLIES };
    while let Some(actor) = numbers.actor(table.as_ref()).filter(|_| done.len() < plies) {
        let token = numbers.token(table.as_ref(), actor);
        table.act_counted(actor, &token, &mut tally).map_err(|why| format!("{token}: {why}"))?;
        done.push((actor, token));
        if done.len().is_multiple_of(8) {
            at_places(rules, table.as_ref(), &tally)?;
        }
    }
    at_places(rules, table.as_ref(), &tally)?;
    let mut parts = in_parts(rules, start.as_ref(), &done, &mut numbers)?;
    for fortune in luck.iter_mut().zip(0..) {
        fortune.0.add(&tally, fortune.1)?;
    }
    for winners in [vec![], vec![1], vec![2], vec![1, 2], (1..=table.seats()).collect()] {
        table.standing(&winners, &mut tally);
        table.standing(&winners, &mut parts);
        if tally != parts {
            return Err(format!("counted in parts, with winners {winners:?}: {}", differing(rules, &tally, &parts)));
        }
        applies(rules, &tally, &winners)?;
    }
    Ok(())
}

/// The measures in which two tallies differ.
fn differing(rules: &dyn Rules, one: &Tally, other: &Tally) -> String {
    let values = rules.measures().iter().zip(one.values().iter().zip(other.values()));
    let differing = values.filter(|(_, (one, other))| one != other);
    let told: Vec<String> = differing.map(|(measure, pair)| format!("{} {pair:?}", measure.name)).collect();
    if told.is_empty() { "heat or luck differ".to_owned() } else { told.join(", ") }
}

/// The same game counted by tables that are read from JSON on the way, are asked how the game stands
/// at any ply, and refuse nonsense.
fn in_parts(
    rules: &dyn Rules,
    start: &dyn AnyPosition,
    done: &[(Actor, String)],
    numbers: &mut Numbers,
) -> Result<Tally, Failure> {
    let (mut table, mut plain, mut tally) = (start.boxed(), start.boxed(), Tally::new(rules, start.seats()));
    for (actor, token) in done {
        if numbers.below(20) == 0 {
            table = rules.position(&plain.to_json(Viewer::All)).map_err(|why| why.to_string())?;
        }
        let winners: Vec<u8> = (1..=table.seats()).filter(|_| numbers.below(2) == 0).collect();
        table.standing(&winners, &mut tally);
        let before = tally.clone();
        if table.act_counted(*actor, "nonsense", &mut tally).is_ok() || tally != before {
            return Err("nonsense is counted".to_owned());
        }
        table.act_counted(*actor, token, &mut tally).map_err(|why| format!("{token}: {why}"))?;
        plain.act(*actor, token).map_err(|why| format!("{token}: {why}"))?;
    }
    if table.key(Viewer::All) == plain.key(Viewer::All) { Ok(tally) } else { Err("counting changes a game".to_owned()) }
}

/// Where something is counted, the scene has items; and it has no place where nothing could be.
fn at_places(rules: &dyn Rules, table: &dyn AnyPosition, tally: &Tally) -> Result<(), Failure> {
    let scene = table.scene(Viewer::All, None);
    let drawn: BTreeSet<&str> = scene.items.iter().filter_map(|item| item.place.as_deref()).collect();
    if let Some(place) = drawn.iter().find(|place| !rules.places().contains(place)) {
        return Err(format!("the scene has the place {place}, which the kind does not name"));
    }
    for (what, measure) in rules.heat().iter().enumerate() {
        let counts = rules.places().iter().zip(tally.heat(what));
        if let Some((place, _)) = counts.into_iter().find(|(place, count)| **count > 0 && !drawn.contains(*place)) {
            return Err(format!("{} are counted on {place}, which the scene does not show", measure.name));
        }
    }
    Ok(())
}

/// A measure has no value only where its description says so; without a winner, those of the winner.
fn applies(rules: &dyn Rules, tally: &Tally, winners: &[u8]) -> Result<(), Failure> {
    for (measure, value) in rules.measures().iter().zip(tally.values()) {
        let (name, text) = (measure.name, measure.description);
        if value.is_none() && !text.contains("none") {
            return Err(format!("{name} has no value, and it does not say where"));
        }
        if text.ends_with("; none without a winner.") && value.is_some() != (winners.len() == 1) {
            return Err(format!("{name} is {value:?} with winners {winners:?}"));
        }
        if text.contains("none without winners") && value.is_some() == winners.is_empty() {
            return Err(format!("{name} is {value:?} with winners {winners:?}"));
        }
    }
    Ok(())
}

/// What chance did to all seats in all games.
#[derive(Clone, Default)]
struct Fortune {
    count: u64,
    expected: i64,
    actual: i64,
}

impl Fortune {
    fn add(&mut self, tally: &Tally, what: usize) -> Result<(), Failure> {
        for (luck, seat) in tally.luck(what).iter().zip(1..) {
            let is_empty = luck.expected == 0 && luck.actual == 0;
            if luck.expected < 0 || luck.actual < 0 || (luck.count == 0 && !is_empty) {
                return Err(format!("seat {seat} has the luck {luck:?}"));
            }
            self.count += luck.count;
            self.expected += luck.expected;
            self.actual += luck.actual;
        }
        Ok(())
    }

    /// Whether what came is far from what was to be expected: more than four times the deviation of the
    /// widest dice, a d20 with less than 6, or else of what happens or does not, with half of one.
    fn unlikely(&self, name: &str) -> Option<Failure> {
        let (most, variance) = if name == "rolls" { (24, 36_000_000) } else { (1, 250_000) };
        let off = (1_000_000 * self.actual - self.expected).unsigned_abs() / 1_000;
        let bounds = self.expected <= most * 1_000_000 * self.count as i64 && self.actual <= most * self.count as i64;
        if self.count > 0 && bounds && off * off <= 16 * variance * self.count {
            return None;
        }
        let Self { count, expected, actual } = self;
        Some(format!("{name}: {actual} in {count}, where {expected} millionths were to be expected"))
    }
}
