//! Thrones: secret homelands, battles for fortresses, fate's favours.

mod action;
#[cfg(test)]
mod cases;
mod estimate;
mod favor;
mod field;
mod from_json;
mod homefront;
#[cfg(test)]
mod measured;
mod measures;
mod options;
mod pictures;
mod piece;
mod play;
mod position;
mod reach;
mod reasons;
mod scene;
mod sheet;
mod square;
mod terrain;
#[cfg(test)]
mod tests;
mod to_json;
mod turn;
mod words;

use serde_json::{Value, json};

use crate::{About, Draw, Game, Measure, SetupError};

pub(crate) use position::Campaign;

/// Thrones, after the board game by Chad Anthony Randell.
pub(crate) struct Thrones;

impl Game for Thrones {
    type Position = Campaign;

    const ABOUT: About = About {
        kind: "thrones",
        version: "v1",
        title: "Thrones",
        designer: "Chad Anthony Randell",
        source: "Thrones, rules page of the implementation by karwler",
        seats_min: 2,
        seats_max: 2,
        simultaneous: true,
        chance: true,
        secrets: true,
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure] = measures::MEASURES;
    const HEAT: &'static [Measure] = measures::HEAT;
    const LUCK: &'static [Measure] = measures::LUCK;
    const PLACES: &'static [&'static str] = &measures::PLACES;

    fn setup_schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Setup of Thrones",
            "description": "Which variants are played. The homelands are laid by the seats, as their first action.",
            "type": "object",
            "additionalProperties": false,
            "default": { "variants": [] },
            "properties": {
                "variants": {
                    "description": "Any of the five variants, alone and together.",
                    "type": "array",
                    "uniqueItems": true,
                    "default": [],
                    "items": {
                        "oneOf": [
                            { "const": "homefront", "description": "Farms and cities, where removed pieces return." },
                            { "const": "ports", "description": "Water at the edge of the board connects." },
                            { "const": "row-balancing", "description": "Every home row holds each of the four terrains." },
                            { "const": "set-piece-battle", "description": "Ten of the thirteen pieces, the throne among them." },
                            { "const": "victory-points", "description": "21 points for standing in the three middle fortresses win." },
                        ],
                    },
                },
                "fortresses": {
                    "description": "With victory-points only: the three columns of the middle fortresses.",
                    "type": "array",
                    "uniqueItems": true,
                    "minItems": 3,
                    "maxItems": 3,
                    "default": ["b", "e", "h"],
                    "items": { "enum": ["a", "b", "c", "d", "e", "f", "g", "h", "i"] },
                },
            },
        })
    }

    fn complete(setup: &Value, _draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        options::read(setup).map(options::Options::to_setup)
    }

    fn start(setup: &Value) -> Result<Campaign, SetupError> {
        options::read(setup).map(Campaign::start)
    }
}
