//! Triangulate: three frogs on one pad.

mod measures;
mod notation;
mod position;
mod scene;

use serde_json::{Map, Value, json};

use crate::{About, Chance, Draw, Game, Heat, Measure, SetupError};

pub(crate) use position::Board;

/// Triangulate, Allan Bedford, 2001.
pub(crate) struct Triangulate;

impl Game for Triangulate {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triangulate",
        version: "v1",
        title: "Triangulate",
        designer: "Allan Bedford, 2001",
        source: "Triangulate, entry of the 2001 8x8 Game Design Competition",
        seats_min: 2,
        seats_max: 2,
        simultaneous: false,
        chance: false,
        secrets: false,
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const LUCK: &'static [Chance<measures::Counts>] = &[];
    const PLACES: &'static [&'static str] = &measures::PLACES;

    fn setup_schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Setup of Triangulate",
            "description": "There is one start, and nothing to choose.",
            "type": "object",
            "additionalProperties": false,
            "default": {},
        })
    }

    fn complete(setup: &Value, _draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        match setup.as_object().map(Map::keys).map(|mut keys| keys.next()) {
            Some(None) => Ok(json!({})),
            Some(Some(key)) => Err(format!("{key:?} is no part of a setup: Triangulate's is {{}}").into()),
            None => Err("a setup is a JSON object: Triangulate's is {}".into()),
        }
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        Self::complete(setup, &mut |_| 0)?;
        Ok(Board::start())
    }
}
