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
use serde_json::{Value, json};

use crate::form::Route;
use crate::{
    About, Actors, Chance, Class, Draw, Fact, Form, Game, Heat, Illegal, Last, Measure, Opens, Position, PositionError,
    Scene, Secret, SetupError, Timetable, Viewer, listed, shuffle,
};

use board::{Board, SPENDING_FROM};
use lattice::Cell;
use notation::{Action, Places, Submission};
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

    const SECRETS: &'static [Secret] = &[
        Secret { name: "places", prefix: Places::PREFIX, opens: Opens::End, shows: Opens::Together },
        Secret { name: "submission", prefix: "", opens: Opens::End, shows: Opens::Together },
    ];

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(PartialSetup::read_given(setup)?.complete(draw))
    }

    fn timetable(setup: &Value) -> Option<Timetable> {
        setup::timetable(setup)
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let given = PartialSetup::read_given(setup)?;
        if given.setup.draws_late {
            return Ok(Board::start(given.setup, &[]));
        }
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
        Actor::Chance => unreachable!("chance only draws places"),
    }
}

/// Checks places that are drawn.
fn judge_places(board: &Board, places: &Places) -> Result<(), Illegal> {
    let (side, players) = (board.setup.side, board.setup.players);
    let (mut cells, mut seats): (Vec<_>, Vec<_>) = places.each().unzip();
    cells.sort_unstable();
    seats.sort_unstable();
    let is_whole = cells.len() == board.players() && cells.is_sorted_by(|one, other| one < other);
    if !is_whole
        || !seats.into_iter().eq(1..=players)
        || !cells.iter().all(|cell| cell.row() <= side && cell.is_border(side))
    {
        return Err(
            format!("places are {players} different border cells, each with one of the seats 1 to {players}").into()
        );
    }
    Ok(())
}

impl Position for Board {
    type Action = Action;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        self.setup.players
    }

    fn settings(&self) -> Value {
        self.setup.announced()
    }

    fn to_act(&self) -> Actors {
        if self.over {
            return Actors::NONE;
        }
        if self.is_drawing() {
            return Actors::CHANCE;
        }
        let waited_for = self.on_board().filter(|(index, _)| self.submitted[*index].is_none());
        waited_for.map(|(index, _)| Actor::Seat(index as u8 + 1)).collect()
    }

    fn prompt(&self, actor: Actor) -> Option<Value> {
        let place = r"[1-9][0-9]?\.[1-9][0-9]?=([1-9]|1[0-3])";
        (actor == Actor::Chance).then(|| {
            json!({
                "description": "The start cell of each letter, A first, and the seat that is called so.",
                "kind": "places",
                "pattern": format!("^{}{place}(,{place}){{{}}}$", Places::PREFIX, self.players() - 1),
            })
        })
    }

    fn legal(&self, actor: Actor, out: &mut Vec<Action>) {
        if actor == Actor::Chance {
            return;
        }
        let index = index(actor);
        let Some(cell) = self.cells[index] else { return };
        let may_spend = self.may_spend(index);
        self.each_path(cell, |path| {
            out.push(Action::Submit(path));
            if may_spend {
                out.push(Action::Submit(path.spending()));
            }
        });
    }

    fn count_legal(&self, actor: Actor) -> usize {
        if actor == Actor::Chance {
            return 0;
        }
        let index = index(actor);
        let Some(cell) = self.cells[index] else { return 0 };
        let count = self.count_paths(cell);
        if self.may_spend(index) { 2 * count } else { count }
    }

    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form> {
        if actor == Actor::Chance {
            return None;
        }
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

    fn judge(&self, actor: Actor, action: &Action) -> Result<(), Illegal> {
        let submission = match (action, actor) {
            (Action::Place(places), Actor::Chance) => return judge_places(self, places),
            (Action::Submit(submission), Actor::Seat(_)) => submission,
            (_, Actor::Chance) => return Err("the places are drawn first".into()),
            (_, Actor::Seat(_)) => return Err("the places are drawn already: up to three steps are awaited".into()),
        };
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

    fn apply(&mut self, actor: Actor, action: &Action) {
        let submission = match action {
            Action::Submit(submission) => submission,
            Action::Place(places) => {
                for ((cell, seat), label) in places.each().zip(&mut self.setup.labels) {
                    self.cells[usize::from(seat) - 1] = Some(cell);
                    *label = seat;
                }
                return;
            }
        };
        self.submitted[index(actor)] = Some(*submission);
        if self.on_board().all(|(index, _)| self.submitted[index].is_some()) {
            round::resolve(self);
        }
    }

    fn count(&self, actor: Actor, action: &Action, after: &Self, counts: &mut measures::Counts) {
        if let (Action::Submit(submission), true) = (action, after.over || after.round != self.round) {
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

    fn shown(&self, viewer: Viewer, actor: Actor, action: &Action) -> Option<String> {
        match action {
            Action::Submit(submission) => viewer.knows(actor).then(|| submission.to_string()),
            Action::Place(places) => Some(places.shown(|seat| viewer.knows(Actor::Seat(seat)))),
        }
    }

    fn absent(&self, _seat: u8) -> Option<Action> {
        Some(Action::Submit(Submission::STAY))
    }

    fn round(&self) -> Option<u32> {
        Some(if self.is_drawing() { 0 } else { self.round.into() })
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> Action {
        if self.is_drawing() {
            let players = self.players();
            let mut cells: Vec<Cell> = lattice::border(self.setup.side).collect();
            shuffle(&mut cells, players, draw);
            let mut seats: Vec<u8> = (1..=self.setup.players).collect();
            shuffle(&mut seats, players, draw);
            return Action::Place(cells.into_iter().zip(seats).collect());
        }
        listed(self, actor, draw)
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
