//! Numbers that look random but are the same in every run.

use plybook_events::fair::Dice;
use plybook_events::{Actor, Hash, LogId};
use plybook_rules::{AnyPosition, Rules};
use serde_json::Value;

use crate::data;

/// The number of random games of a kind, unless `PLYBOOK_RANDOM_GAMES` says otherwise.
const GAMES: u64 = 5;

/// The number of actions played in a random game.
pub const PLIES: usize = 160;

/// A source of numbers.
pub struct Numbers(Dice);

impl Numbers {
    /// The numbers of one game of a test.
    pub fn new(test: &str, kind: &str, game: u64) -> Self {
        let seed = Hash::of_parts(&[test.as_bytes(), b"\0", kind.as_bytes()]);
        Self(Dice::new(&seed, LogId::from_bytes([0; 16]), game))
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0.below(u32::try_from(n).expect("numbers are small")) as usize
    }

    /// One of several.
    pub fn one<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Items in some order.
    pub fn shuffled<T>(&mut self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }

    /// The source that a game draws from.
    pub fn draw(&mut self) -> impl FnMut(u32) -> u32 {
        |n| self.0.below(n)
    }

    /// Who acts next: one of those that may, if any.
    pub fn actor(&mut self, position: &dyn AnyPosition) -> Option<Actor> {
        let actors: Vec<Actor> = position.to_act().iter().collect();
        if actors.is_empty() { None } else { Some(*self.one(&actors)) }
    }

    /// A legal action.
    pub fn action(&mut self, position: &dyn AnyPosition, actor: Actor) -> String {
        position.sample(actor, &mut self.draw())
    }
}

/// The number of random games to play of each kind.
pub fn games() -> u64 {
    match std::env::var("PLYBOOK_RANDOM_GAMES") {
        Err(_) => GAMES,
        Ok(text) => text.parse().unwrap_or_else(|why| panic!("PLYBOOK_RANDOM_GAMES={text:?}: {why}")),
    }
}

/// A complete setup in which each choice that the schema offers is drawn: flags, words, the items of lists of
/// constants, and numbers for each seat; `None` if the setup is refused.
pub fn drawn_setup(rules: &dyn Rules, numbers: &mut Numbers) -> Option<Value> {
    let schema = rules.setup_schema();
    let ways = schema["oneOf"].as_array().into_iter().flatten();
    let members = [&schema].into_iter().chain(ways).filter_map(|way| way["properties"].as_object()).flatten();
    let mut setup = serde_json::Map::new();
    for (name, member) in members {
        let constants = member["items"]["oneOf"].as_array().into_iter().flatten().filter_map(|item| item.get("const"));
        let constants: Vec<Value> = constants.cloned().collect();
        if member["type"] == "boolean" {
            setup.insert(name.clone(), (numbers.below(2) == 0).into());
        } else if let (false, Some(values)) = (numbers.below(2) == 0, member["enum"].as_array()) {
            setup.insert(name.clone(), numbers.one(values).clone());
        } else if !constants.is_empty() {
            setup.insert(name.clone(), constants.into_iter().filter(|_| numbers.below(2) == 0).collect());
        } else if let (false, Some(ways)) = (numbers.below(2) == 0, member["anyOf"].as_array()) {
            let seats = setup.get("players").or(schema["properties"]["players"].get("default"));
            let seats = seats.and_then(Value::as_u64).unwrap_or_default();
            let choices = ways.iter().filter_map(|way| match (way["enum"].as_array(), way["items"]["type"].as_str()) {
                (Some(words), _) => Some(numbers.one(words).clone()),
                (None, Some("integer")) => Some((0..seats).map(|_| numbers.below(4)).collect()),
                _ => None,
            });
            let choices: Vec<Value> = choices.collect();
            if !choices.is_empty() {
                setup.insert(name.clone(), numbers.one(&choices).clone());
            }
        }
    }
    rules.complete(&Value::Object(setup), &mut numbers.draw()).ok()
}

/// A complete setup for a random game: the default and those of the test data in turn.
pub fn setup(rules: &dyn Rules, game: u64, numbers: &mut Numbers) -> Result<Value, data::Failure> {
    let kind = rules.about().kind;
    let mut setups = vec![Value::Object(serde_json::Map::new())];
    for folder in ["perft", "endings", "playthroughs"] {
        // A kind without a directory fails where the files are checked.
        for file in data::files(kind, folder).unwrap_or_default() {
            let (_, setup) = file.json("setup")?;
            if !setups.contains(&setup) {
                setups.push(setup);
            }
        }
    }
    let given = &setups[usize::try_from(game).expect("few games") % setups.len()];
    let complete = rules.complete(given, &mut numbers.draw());
    complete.map_err(|why| format!("{kind}: setup {given}: {why}"))
}
