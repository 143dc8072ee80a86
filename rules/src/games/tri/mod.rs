//! TRI: nine islands that turn, and two of three keys to hold.

mod estimate;
mod json;
mod judge;
mod lattice;
mod measures;
mod notation;
mod position;
mod rotation;
mod scene;
mod setup;
mod shape;
#[cfg(test)]
mod tests;
mod text;

use serde_json::Value;

use crate::{About, Chance, Draw, Game, Heat, Measure, SetupError};

pub(crate) use position::Board;

/// TRI, Ben Sironko, Burgess Voshell, Chris Chung, Denver Coulson and Sam Von Ehren, 2015.
pub(crate) struct Tri;

impl Game for Tri {
    type Position = Board;

    const ABOUT: About = About {
        kind: "tri",
        version: "v1",
        title: "TRI",
        designer: "Ben Sironko, Burgess Voshell, Chris Chung, Denver Coulson and Sam Von Ehren, 2015",
        source: "TRI, rules and design statement, Game Design One, fall 2015",
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
        setup::schema()
    }

    fn complete(setup: &Value, _draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(setup::read(setup)?.0)
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let start = setup::read(setup)?.1;
        Ok(Board::start(start.shape, start.keys, start.pieces))
    }
}
