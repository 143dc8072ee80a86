//! Triforce: pyramids, swords and shields on a triangle of fifteen territories.

mod chances;
mod combat;
mod json;
mod measures;
mod notation;
mod panel;
mod place;
mod position;
mod refusal;
mod scene;
mod setup;
mod stack;
mod standing;
#[cfg(test)]
mod tests;
mod words;

use serde_json::{Value, json};

use crate::{About, Draw, Game, Measure, SetupError};

pub(crate) use position::Board;
use setup::Setup;

/// Triforce, Jeremiah Wittevrongel, 2005.
pub(crate) struct Triforce;

impl Game for Triforce {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triforce",
        version: "v1",
        title: "Triforce",
        designer: "Jeremiah Wittevrongel, 2005",
        source: "Triforce, initial design v1.0, a game for Icehouse pyramids",
        seats_min: setup::PLAYERS_MIN,
        seats_max: setup::PLAYERS_MAX,
        simultaneous: false,
        chance: true,
        secrets: false,
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure] = measures::MEASURES;
    const HEAT: &'static [Measure] = measures::HEAT;
    const LUCK: &'static [Measure] = measures::LUCK;
    const PLACES: &'static [&'static str] = &measures::TERRITORIES;

    fn setup_schema() -> Value {
        let spots: Vec<String> = setup::spots().map(|place| place.to_string()).collect();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Setup of Triforce",
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "players": {
                    "description": "How many seats play.",
                    "type": "integer",
                    "minimum": setup::PLAYERS_MIN,
                    "maximum": setup::PLAYERS_MAX,
                    "default": setup::PLAYERS_DEFAULT,
                },
                "bases": {
                    "description": "The sizes of the white pyramids, five L, five M and five S, in the order \
                                    a1, b1, b2, c1 to e5.",
                    "type": "string",
                    "pattern": "^[LMS]{15}$",
                    "default": setup::BASES_DEFAULT,
                },
                "pawns": {
                    "description": "The territory beside which each seat's pawn stands, by seat: all different, the \
                                    corners a1, e5 and e1 all taken, the others at c3, e3 and c1. By default \
                                    clockwise from a1: the corners for 3 seats; c3 joins for 4, e3 for 5, c1 for 6.",
                    "type": "array",
                    "items": { "enum": spots },
                    "minItems": setup::PLAYERS_MIN,
                    "maxItems": setup::PLAYERS_MAX,
                    "uniqueItems": true,
                },
            },
            "default": {},
        })
    }

    fn complete(setup: &Value, _draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(Setup::read(setup)?.to_json())
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        Ok(Board::start(&Setup::read(setup)?))
    }
}
