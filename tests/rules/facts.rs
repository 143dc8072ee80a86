//! Facts: their names, and what they say of the positions of random games.

use std::collections::BTreeSet;

use plybook_rules::fact::common_facts;
use plybook_rules::log::word;
use plybook_rules::predicate::Predicate;
use plybook_rules::{Argument, FactLabel, Rules};

use crate::data::Failure;
use crate::measures::wrong_with;
use crate::numbers::{self, Numbers, PLIES};

/// The words of the language that cannot be names.
const KEYWORDS: [&str; 9] = ["and", "or", "not", "then", "within", "plies", "for", "first", "change"];

/// The names are unique, in lowerCamelCase and no words of the language; each is described in a sentence.
pub(crate) fn named(rules: &'static dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    let (common, own) = (common_facts(), rules.facts());
    let mut failures = Vec::new();
    let mut names = BTreeSet::from(KEYWORDS);
    for fact in common.iter().chain(&own) {
        let name = fact.label.name;
        if !names.insert(name) {
            failures.push(format!("{kind}: the fact {name} has the name of another, or a word of the language"));
        }
        failures.extend(wrong_with(&fact.label).map(|why| format!("{kind}: the fact {name}: {why}")));
        let words: BTreeSet<&str> = fact.words.iter().copied().collect();
        let is_told = fact.words.first().is_none_or(|first| *first == "none");
        if words.len() != fact.words.len() || !is_told {
            failures.push(format!("{kind}: the words of {name} are different, and the first is `none`"));
        }
    }
    failures
}

/// Searches random games for every fact: it has a value where it should, and one value at a time.
pub fn searched(rules: &'static dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    let games = 0..numbers::games().min(8);
    let failed =
        games.filter_map(|number| Some(format!("{kind}: random game {number}: {}", game(rules, number).err()?)));
    failed.collect()
}

fn game(rules: &'static dyn Rules, number: u64) -> Result<(), Failure> {
    let mut numbers = Numbers::new("facts", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    let start = rules.start(&setup).map_err(|why| why.to_string())?;
    let (mut position, mut words, mut mobility) = (start.boxed(), Vec::new(), vec![start.branching()]);
    while let Some(actor) = numbers.actor(position.as_ref()).filter(|_| words.len() < PLIES) {
        let action = numbers.action(position.as_ref(), actor);
        position.act(actor, &action).map_err(|why| format!("{action}: {why}"))?;
        words.push(word(rules.about(), actor, &action));
        mobility.push(position.branching());
    }
    let plies = |text: &str| {
        let predicate = Predicate::read(rules, text).map_err(|why| why.pointing_into(text))?;
        let found = start.plies_with(&predicate, &|_, _| None, &mut words.iter().map(String::as_str));
        found.map_err(|why| format!("{text}: {why}"))
    };
    let all: Vec<u32> = (0..=words.len() as u32).collect();
    for fact in [common_facts(), rules.facts()].concat() {
        let forms = match fact.argument {
            Argument::Nothing => vec![fact.label.name.to_owned()],
            Argument::Seat => {
                (1..=rules.about().seats_max).map(|seat| format!("{}({seat})", fact.label.name)).collect()
            }
            Argument::Place => {
                rules.places().iter().step_by(7).map(|place| format!("{}({place})", fact.label.name)).collect()
            }
        };
        for (form, seat) in forms.iter().zip(1..) {
            let exists = fact.argument != Argument::Seat || seat <= usize::from(position.seats());
            let is_always = fact.words.is_empty() && !fact.label.description.contains("none");
            let valued = plies(&format!("{form} = {form}"))?;
            if !exists && !valued.is_empty() || exists && is_always && valued != all {
                return Err(format!(
                    "{form} has a value at {valued:?} of 0 to {}: if it is to have none elsewhere, its description says \
                     when, with the word \"none\"",
                    words.len()
                ));
            }
            check_words(&fact, form, &all, plies)?;
        }
    }
    for (ply, mobility) in (0..).zip(mobility) {
        if plies(&format!("ply = {ply} and mobility = {mobility}"))? != [ply] {
            return Err(format!("the mobility at ply {ply} is {mobility}"));
        }
    }
    Ok(())
}

/// A fact with words has one of them in every position.
fn check_words(
    fact: &FactLabel,
    form: &str,
    all: &[u32],
    plies: impl Fn(&str) -> Result<Vec<u32>, Failure>,
) -> Result<(), Failure> {
    let mut found = Vec::new();
    for word in fact.words {
        found.extend(plies(&format!("{form} = \"{word}\""))?);
    }
    found.sort_unstable();
    if !fact.words.is_empty() && found != all {
        return Err(format!("{form} has not one word in each position, but at {found:?}"));
    }
    Ok(())
}
