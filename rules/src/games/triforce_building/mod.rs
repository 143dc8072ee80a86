//! Triforce Building: thirteen seats move in secret, power each other in lines and leave in threes.

mod estimate;
mod json;
mod lattice;
mod measures;
mod notation;
mod outcome;
mod panel;
mod position;
mod round;
mod scene;
mod setup;
#[cfg(test)]
mod tests;
mod words;

use serde_json::Value;

use crate::{About, Draw, Game, Measure, Opens, Secret, SetupError, Viewer};

use position::Board;
use setup::Given;

/// Triforce Building, `RedsToad`, 2023.
pub(crate) struct TriforceBuilding;

impl Game for TriforceBuilding {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triforce-building",
        version: "v1",
        title: "Triforce Building",
        designer: "RedsToad, 2023",
        source: "Triforce Building, main match of The Genius: Code Red",
        seats_min: 7,
        seats_max: 13,
        simultaneous: true,
        chance: false,
        secrets: true,
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure] = measures::MEASURES;
    const HEAT: &'static [Measure] = measures::HEAT;
    const LUCK: &'static [Measure] = &[];
    const PLACES: &'static [&'static str] = &measures::CELLS;

    const SECRETS: &'static [Secret] =
        &[Secret { name: "submission", prefix: "", opens: Opens::End, shows: Opens::Together }];

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(Given::read(setup)?.complete(draw))
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let given = Given::read(setup)?;
        let starts = given.starts.ok_or_else(|| {
            format!("`starts` is missing: the start cells of {} seats, different border cells", given.setup.players)
        })?;
        Ok(Board::start(given.setup, &starts))
    }

    fn setup_for(setup: &Value, viewer: Viewer) -> Value {
        let mut shown = setup.clone();
        if let (Some(members), true) = (shown.as_object_mut(), viewer != Viewer::All) {
            members.remove("starts");
            members.remove("labels");
        }
        shown
    }
}
