//! Measures: their names, and random games counted in several ways.

use std::collections::BTreeSet;

use plybook_events::Actor;
use plybook_rules::{AnyCounts, AnyPosition, Figures, Label, Luck, Rules, Spread, Viewer};

use crate::data::{self, Failure};
use crate::facts;
use crate::numbers::{self, Numbers, PLIES};

/// Every list has names that are unique, in lowerCamelCase, and described in a sentence.
pub fn named(rules: &'static dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    let mut failures = Vec::new();
    for (list, labels) in [("measures", rules.measures()), ("heat", rules.heat()), ("luck", rules.luck())] {
        let names: BTreeSet<&str> = labels.iter().map(|label| label.name).collect();
        if names.len() != labels.len() {
            failures.push(format!("{kind}: a name of its {list} comes twice"));
        }
        let wrong = labels.iter().filter_map(|label| Some((label.name, wrong_with(label)?)));
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
    failures.extend(facts::named(rules));
    failures.extend(documented(rules));
    failures
}

/// The rows of the tables on the game's page, which `UPDATE=1` writes: those that are missing.
fn documented(rules: &dyn Rules) -> Vec<Failure> {
    let rows = |labels: Vec<Label>| -> Vec<String> {
        labels.iter().map(|label| format!("| `{}` | {} |", label.name, label.description)).collect()
    };
    let facts = rules.facts().iter().map(|fact| format!("| `{}` | {} |", fact.form(), fact.description())).collect();
    let tables = [
        ("Measures", "| measure | |", rows(rules.measures())),
        ("Measures", "| by place | |", rows(rules.heat())),
        ("Measures", "| luck, by seat | |", rows(rules.luck())),
        ("Facts", "| fact | |", facts),
    ];
    let (kind, mut page) = (rules.about().kind, rules.about().document.to_owned());
    let mut failures = Vec::new();
    for (chapter, head, rows) in tables.into_iter().filter(|(.., rows)| !rows.is_empty()) {
        let table = format!("{head}\n|---|---|\n{}\n", rows.join("\n"));
        if page.contains(&table) {
            continue;
        }
        let Some(place) = page.find(&format!("\n{head}\n")) else {
            failures.push(format!("{kind}: its README has no table `{head}` under `## {chapter}`"));
            continue;
        };
        let is_row = |line: &&str| line.starts_with('|');
        let old: usize = page[place + 1..].split_inclusive('\n').take_while(is_row).map(str::len).sum();
        page.replace_range(place + 1..place + 1 + old, &table);
        if !data::is_update() {
            failures.push(format!("{kind}: its README has other rows below `{head}`; UPDATE=1 writes them"));
        }
    }
    let folder = ["rules/src/games", "tests/example"].map(|of| data::top().join(of).join(kind.replace('-', "_")));
    if data::is_update()
        && page != rules.about().document
        && let Some(folder) = folder.iter().find(|folder| folder.is_dir())
    {
        failures.extend(std::fs::write(folder.join("README.md"), page).err().map(|why| format!("{kind}: {why}")));
    }
    failures
}

pub(crate) fn wrong_with(label: &Label) -> Option<&'static str> {
    let (name, text) = (label.name, label.description);
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
    for ((label, spread), fortune) in rules.luck().iter().zip(rules.spreads()).zip(luck) {
        if let Some(why) = fortune.unlikely(label.name, spread) {
            failures.push(format!("{kind}: {why}"));
        }
    }
    failures
}

fn game(rules: &'static dyn Rules, number: u64, luck: &mut [Fortune]) -> Result<(), Failure> {
    let mut numbers = Numbers::new("measures", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    let start = rules.start(&setup).map_err(|why| why.to_string())?;
    let (mut position, mut counts) = (start.boxed(), rules.counts());
    let mut done: Vec<(Actor, String)> = Vec::new();
    // Chance needs many rolls to show itself.
    let plies = if rules.luck().is_empty() { PLIES } else { 5 * PLIES };
    while let Some(actor) = numbers.actor(position.as_ref()).filter(|_| done.len() < plies) {
        let action = numbers.action(position.as_ref(), actor);
        position.act_counted(actor, &action, &mut counts).map_err(|why| format!("{action}: {why}"))?;
        done.push((actor, action));
        if done.len().is_multiple_of(8) {
            at_places(rules, position.as_ref(), &counts)?;
        }
    }
    at_places(rules, position.as_ref(), &counts)?;
    let parts = in_parts(rules, start.as_ref(), &done, &mut numbers)?;
    for (fortune, seats) in luck.iter_mut().zip(position.figures(&counts, &[]).luck) {
        fortune.add(&seats)?;
    }
    for winners in [vec![], vec![1], vec![2], vec![1, 2], (1..=position.seats()).collect()] {
        let (figures, parts) = (position.figures(&counts, &winners), position.figures(&parts, &winners));
        if figures != parts {
            return Err(format!("counted in parts, with winners {winners:?}: {}", differing(rules, &figures, &parts)));
        }
        applies(rules, &figures)?;
    }
    Ok(())
}

/// The measures in which figures differ.
fn differing(rules: &dyn Rules, one: &Figures, other: &Figures) -> String {
    let values = rules.measures().into_iter().zip(one.values.iter().zip(&other.values));
    let differing = values.filter(|(_, (one, other))| one != other);
    let told: Vec<String> = differing.map(|(label, pair)| format!("{} {pair:?}", label.name)).collect();
    if told.is_empty() { "heat or luck differ".to_owned() } else { told.join(", ") }
}

/// The same game, counted with positions that are read from JSON on the way, are queried at every ply, and
/// refuse nonsense; some actions are counted as they are done, and others from the positions before and after them.
fn in_parts(
    rules: &dyn Rules,
    start: &dyn AnyPosition,
    done: &[(Actor, String)],
    numbers: &mut Numbers,
) -> Result<AnyCounts, Failure> {
    let (mut position, mut plain, mut counts) = (start.boxed(), start.boxed(), rules.counts());
    for (actor, action) in done {
        if numbers.below(20) == 0 {
            position = rules.position(&plain.to_json(Viewer::All)).map_err(|why| why.to_string())?;
        }
        let winners: Vec<u8> = (1..=position.seats()).filter(|_| numbers.below(2) == 0).collect();
        let before = position.figures(&counts, &winners);
        if position.act_counted(*actor, "nonsense", &mut counts).is_ok()
            || position.figures(&counts, &winners) != before
        {
            return Err("nonsense is counted".to_owned());
        }
        plain.act(*actor, action).map_err(|why| format!("{action}: {why}"))?;
        if numbers.below(2) == 0 {
            position.count_action(*actor, action, plain.as_ref(), &mut counts);
            position.act(*actor, action).map_err(|why| format!("{action}: {why}"))?;
        } else {
            position.act_counted(*actor, action, &mut counts).map_err(|why| format!("{action}: {why}"))?;
        }
    }
    if position.key(Viewer::All) == plain.key(Viewer::All) {
        Ok(counts)
    } else {
        Err("counting changes a game".to_owned())
    }
}

/// Where something is counted, the scene has items, and it has no other places.
fn at_places(rules: &dyn Rules, position: &dyn AnyPosition, counts: &AnyCounts) -> Result<(), Failure> {
    let scene = position.scene(Viewer::All, None);
    let drawn: BTreeSet<&str> = scene.items.iter().filter_map(|item| item.place.as_deref()).collect();
    if let Some(place) = drawn.iter().find(|place| !rules.places().contains(place)) {
        return Err(format!(
            "the scene has the place {place}, which `PLACES` does not name: it lists all places of scenes"
        ));
    }
    for (label, counts) in rules.heat().iter().zip(position.figures(counts, &[]).heat) {
        let counts = rules.places().iter().zip(&counts);
        if let Some((place, _)) = counts.into_iter().find(|(place, count)| **count > 0 && !drawn.contains(*place)) {
            return Err(format!(
                "{} are counted on {place}, which the scene does not show: what is counted on a place of `PLACES` needs an item \
                 of `scene` with that place in every later position",
                label.name
            ));
        }
    }
    Ok(())
}

/// A measure that may have no value says so in its description.
fn applies(rules: &dyn Rules, figures: &Figures) -> Result<(), Failure> {
    let silent = |(label, value): &(Label, &Option<i64>)| value.is_none() && !label.description.contains("none");
    match rules.measures().into_iter().zip(&figures.values).find(silent) {
        Some((label, _)) => Err(format!("{} has no value, and its description does not say where", label.name)),
        None => Ok(()),
    }
}

/// The luck of all seats in all games.
#[derive(Clone, Default)]
struct Fortune {
    count: u64,
    expected: i64,
    actual: i64,
}

impl Fortune {
    fn add(&mut self, seats: &[Luck]) -> Result<(), Failure> {
        for (luck, seat) in seats.iter().zip(1..) {
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

    /// Whether the result is far from what was to be expected: by more than four standard deviations.
    fn unlikely(&self, name: &str, Spread { most, variance }: Spread) -> Option<Failure> {
        let off = (1_000_000 * self.actual - self.expected).unsigned_abs() / 1_000;
        let bounds = self.expected <= most * 1_000_000 * self.count as i64 && self.actual <= most * self.count as i64;
        if self.count > 0 && bounds && off * off <= 16 * variance * self.count {
            return None;
        }
        let Self { count, expected, actual } = self;
        Some(format!("{name}: {actual} in {count}, where {expected} millionths were to be expected"))
    }
}
