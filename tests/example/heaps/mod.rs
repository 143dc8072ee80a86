//! Heaps: seats reach for heaps in secret, and a seat that reaches alone takes what the die allows.

mod facts;
mod json;
mod measures;
mod notation;
mod position;
mod setup;
mod view;

use plybook_rules::{About, Chance, Class, Draw, Fact, Game, Heat, Measure, Opens, Secret, SetupError};
use serde_json::Value;

pub use measures::Counts;
pub use position::Board;
pub use setup::Setup;

/// Heaps, the example of docs/adding-a-game.md.
pub struct Heaps;

impl Game for Heaps {
    type Position = Board;

    const ABOUT: About = About {
        kind: "heaps",
        version: "v1",
        title: "Heaps",
        summary: "Two to four players reach for heaps of stones in secret, and only those who reach alone take some.",
        designer: "Plybook, 2026",
        source: "made up as an example",
        seats_min: 2,
        seats_max: 4,
        simultaneous: true,
        chance: true,
        secrets: true,
        drawn: &[],
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<Counts>] = measures::HEAT;
    const LUCK: &'static [Chance<Counts>] = measures::LUCK;
    const FACTS: &'static [Fact<Board>] = facts::FACTS;
    const PLACES: &'static [&'static str] = &notation::PLACES;
    const LEAD: i32 = 4;
    const CLASSES: &'static [Class] = view::CLASSES;

    const SECRETS: &'static [Secret] = &[
        Secret { name: "deal", prefix: "deal:", opens: Opens::End, shows: Opens::End },
        Secret { name: "pledge", prefix: "pledge:", opens: Opens::End, shows: Opens::End },
        Secret { name: "reach", prefix: "reach:", opens: Opens::Together, shows: Opens::Together },
    ];

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, _draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(Setup::read(setup)?.to_json())
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        Ok(Board::start(Setup::read(setup)?))
    }
}
