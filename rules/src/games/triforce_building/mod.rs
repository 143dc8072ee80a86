//! Triforce Building: thirteen seats move in secret, power each other in lines and leave in threes.

mod board;
mod check;
mod estimate;
mod facts;
mod guess;
mod lattice;
mod measures;
mod notation;
mod outcome;
mod round;
mod setup;
#[cfg(test)]
mod tests;
mod view;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::Value;

use crate::form::Route;
use crate::{
    About, Actors, Chance, Class, Draw, Fact, Form, Game, Heat, Illegal, Last, Measure, Opens, Position, PositionError,
    Scene, Secret, SetupError, Timetable, Viewer,
};

use board::{Board, SPENDING_FROM};
use notation::Submission;
use setup::PartialSetup;

/// Triforce Building, `RedsToad`, 2023.
pub(crate) struct TriforceBuilding;

impl Game for TriforceBuilding {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triforce-building",
        version: "v1",
        title: "Triforce Building",
        summary: "Up to thirteen players move at the same time, in secret, and stand in lines to gain power. Three powered players \
                  around a cell leave with a prize: nobody wants to be the last one left.",
        designer: "RedsToad, 2023",
        source: "Triforce Building, main match of The Genius: Code Red",
        seats_min: 7,
        seats_max: 13,
        simultaneous: true,
        chance: false,
        secrets: true,
        drawn: &["labels", "starts"],
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const LUCK: &'static [Chance<measures::Counts>] = &[];
    const FACTS: &'static [Fact<Board>] = facts::FACTS;
    const LEAD: i32 = 200;
    const CALIBRATION: &'static str = include_str!("calibration.json");
    const PLACES: &'static [&'static str] = &measures::CELLS;
    const CLASSES: &'static [Class] = view::scene::CLASSES;

    const SECRETS: &'static [Secret] =
        &[Secret { name: "submission", prefix: "", opens: Opens::End, shows: Opens::Together }];

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(PartialSetup::read(setup)?.complete(draw))
    }

    fn timetable(setup: &Value) -> Option<Timetable> {
        setup::timetable(setup)
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let given = PartialSetup::read(setup)?;
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

/// The index of a seat that is to act.
fn index(actor: Actor) -> usize {
    match actor {
        Actor::Seat(seat) => usize::from(seat) - 1,
        Actor::Chance => unreachable!("chance never acts in this game"),
    }
}

impl Position for Board {
    type Action = Submission;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        self.setup.players
    }

    fn settings(&self) -> Value {
        self.setup.into()
    }

    fn to_act(&self) -> Actors {
        if self.over {
            return Actors::NONE;
        }
        let waited_for = self.on_board().filter(|(index, _)| self.submitted[*index].is_none());
        waited_for.map(|(index, _)| Actor::Seat(index as u8 + 1)).collect()
    }

    fn legal(&self, actor: Actor, out: &mut Vec<Submission>) {
        let index = index(actor);
        let Some(cell) = self.cells[index] else { return };
        let may_spend = self.may_spend(index);
        self.each_path(cell, |path| {
            out.push(path);
            if may_spend {
                out.push(path.spending());
            }
        });
    }

    fn count_legal(&self, actor: Actor) -> usize {
        let index = index(actor);
        let Some(cell) = self.cells[index] else { return 0 };
        let count = self.count_paths(cell);
        if self.may_spend(index) { 2 * count } else { count }
    }

    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form> {
        let index = index(actor);
        let (starts, garnets) = if viewer.knows(actor) {
            (vec![self.cells[index]?], self.garnets[index])
        } else {
            // Everybody knows which cells are taken, and what each seat began with.
            (view::spaces(self).into_iter().map(|(cell, _)| cell).collect(), self.setup.garnets[index])
        };
        let may_spend = self.round >= SPENDING_FROM && garnets > 0;
        let mut routes = Vec::new();
        for start in starts {
            self.each_walk(start, |path, cells| {
                let places: Vec<String> = cells.iter().map(ToString::to_string).collect();
                if may_spend {
                    routes.push(Route { action: path.spending().to_string(), places: places.clone() });
                }
                routes.push(Route { action: path.to_string(), places });
            });
        }
        Some(Form::Routes(routes))
    }

    fn judge(&self, actor: Actor, submission: &Submission) -> Result<(), Illegal> {
        let index = index(actor);
        let Some(start) = self.cells[index] else { return Err("your seat has left the board".into()) };
        if self.submitted[index].is_some() {
            return Err("you have submitted already, and a submission is final".into());
        }
        let mut cell = start;
        for step in submission.steps() {
            cell = cell.step(step, self.setup.side).ok_or_else(|| board::why_not(cell, step))?;
        }
        if !submission.spends || self.may_spend(index) {
            Ok(())
        } else if self.round < SPENDING_FROM {
            Err(format!("garnets cannot be spent before round {SPENDING_FROM}").into())
        } else {
            Err("you have no garnet left to spend".into())
        }
    }

    fn apply(&mut self, actor: Actor, submission: &Submission) {
        self.submitted[index(actor)] = Some(*submission);
        if self.on_board().all(|(index, _)| self.submitted[index].is_some()) {
            round::resolve(self);
        }
    }

    fn count(&self, actor: Actor, submission: &Submission, after: &Self, counts: &mut measures::Counts) {
        if after.over || after.round != self.round {
            let mut submitted = self.submitted;
            submitted[index(actor)] = Some(*submission);
            measures::count(self, &submitted, after, counts);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome::of(self)
    }

    fn view(&self, viewer: Viewer) -> impl Serialize {
        view::json::View::of(self, viewer)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        crate::view::read::<view::json::Complete, _>(json)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, submission: &Submission) -> Option<String> {
        viewer.knows(actor).then(|| submission.to_string())
    }

    fn absent(&self, _seat: u8) -> Option<Submission> {
        Some(Submission::STAY)
    }

    fn round(&self) -> Option<u32> {
        Some(self.round.into())
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Self {
        guess::of(self, viewer, draw)
    }

    fn scene(&self, viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        view::scene::draw(self, viewer, last.as_ref())
    }

    fn text(&self, viewer: Viewer) -> String {
        view::words::describe(self, viewer)
    }

    fn estimate(&self, seat: u8) -> i32 {
        estimate::of(self, usize::from(seat) - 1)
    }
}
