//! Heaps with other defaults, as separate games: one that ends soon, and one that goes on and on.

use plybook_rules::{About, Chance, Class, Draw, Fact, Game, Heat, Measure, Secret, SetupError};
use serde_json::{Value, json};

use crate::heaps::{Board, Counts, Heaps};

/// Ends within 6 actions.
pub struct Short;

/// Still running after 300 actions, unless somebody is very lucky.
pub struct Long;

/// A setup with the toy's preferences where nothing is given.
fn with_defaults(setup: &Value, defaults: &Value) -> Value {
    let mut setup = setup.clone();
    if let (Some(members), Some(defaults)) = (setup.as_object_mut(), defaults.as_object()) {
        for (name, value) in defaults {
            members.entry(name).or_insert_with(|| value.clone());
        }
    }
    setup
}

macro_rules! toy {
    ($name:ident, $kind:literal, $title:literal, $defaults:expr) => {
        impl Game for $name {
            type Position = Board;

            const ABOUT: About = About { kind: $kind, title: $title, ..Heaps::ABOUT };
            const MEASURES: &'static [Measure<Board>] = Heaps::MEASURES;
            const HEAT: &'static [Heat<Counts>] = Heaps::HEAT;
            const LUCK: &'static [Chance<Counts>] = Heaps::LUCK;
            const FACTS: &'static [Fact<Board>] = Heaps::FACTS;
            const PLACES: &'static [&'static str] = Heaps::PLACES;
            const LEAD: i32 = Heaps::LEAD;
            const CLASSES: &'static [Class] = Heaps::CLASSES;
            const SECRETS: &'static [Secret] = Heaps::SECRETS;

            fn setup_schema() -> Value {
                let mut schema = Heaps::setup_schema();
                for (name, value) in $defaults.as_object().expect("defaults are an object") {
                    schema["properties"][name]["default"] = value.clone();
                }
                schema
            }

            fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
                Heaps::complete(&with_defaults(setup, &$defaults), draw)
            }

            fn start(setup: &Value) -> Result<Board, SetupError> {
                Heaps::start(&with_defaults(setup, &$defaults))
            }
        }
    };
}

toy!(Short, "heaps-short", "Short Heaps", json!({"heaps": [1, 1], "players": 2, "pledges": true, "rounds": 1}));
toy!(Long, "heaps-long", "Long Heaps", json!({"heaps": [99, 99], "players": 4, "pledges": true, "rounds": 200}));
