//! TRI: nine islands that turn, and two of three keys to hold.

mod board;
mod estimate;
mod facts;
mod judge;
mod lattice;
mod measures;
mod notation;
mod rotation;
mod setup;
mod shape;
#[cfg(test)]
mod tests;
mod turning;
mod view;

use std::sync::Arc;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    About, Actors, Class, Draw, Fact, Game, Heat, Illegal, Last, Measure, Position, PositionError, Scene, SetupError,
    Viewer,
};

use board::{Board, Losses, Phase};
use notation::{Action, Letter};
use shape::{Shape, islands, spaces, whole};

/// TRI, Ben Sironko, Burgess Voshell, Chris Chung, Denver Coulson and Sam Von Ehren, 2015.
pub(crate) struct Tri;

impl Game for Tri {
    type Position = Board;

    const ABOUT: About = About {
        kind: "tri",
        title: "TRI",
        summary: "Two players on nine islands that turn about their corners. Pieces grow on the islands a player controls and are taken \
                  like stones in Go: whoever holds two of the three key islands wins.",
        designer: "Ben Sironko, Burgess Voshell, Chris Chung, Denver Coulson and Sam Von Ehren, 2015",
        source: "TRI, rules and design statement, Game Design One, fall 2015",
        drawn: &["first"],
        document: include_str!("README.md"),
        ..About::PLAIN
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const FACTS: &'static [Fact<Board>] = facts::FACTS;
    const LEAD: i32 = 40;
    const CALIBRATION: &'static str = include_str!("calibration.json");
    const PLACES: &'static [&'static str] = &measures::PLACES;
    const CLASSES: &'static [Class] = view::scene::CLASSES;

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(setup::read(setup, Some(draw))?.0)
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let (_, start) = setup::read(setup, None)?;
        let first = start.first.seat()?;
        Ok(Board::start(start, first))
    }
}

impl Position for Board {
    type Action = Action;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        2
    }

    fn settings(&self) -> Value {
        let keys: Vec<Letter> = islands(self.keys).map(Letter).collect();
        json!({ "captures": self.captures, "keys": keys })
    }

    fn to_act(&self) -> Actors {
        if self.phase == Phase::Over { Actors::NONE } else { Actors::seat(self.turn as u8 + 1) }
    }

    fn legal(&self, _actor: Actor, out: &mut Vec<Action>) {
        if self.phase == Phase::Expand {
            let room = islands(self.expand).fold(0, |room, island| room | whole(island)) & self.empty();
            out.extend(spaces(room).map(Action::Place));
            return;
        }
        for from in spaces(self.pieces[self.turn]) {
            out.extend(spaces(self.moves(from)).map(|to| Action::Move { from, to }));
        }
        for size in Shape::sizes(self.actions) {
            out.extend(self.rotations(size).copied().map(Action::Rotate));
        }
    }

    fn count_legal(&self, _actor: Actor) -> usize {
        if self.phase == Phase::Expand {
            let room = islands(self.expand).map(|island| (self.empty() & whole(island)).count_ones());
            return room.sum::<u32>() as usize;
        }
        let moves: u32 = spaces(self.pieces[self.turn]).map(|from| self.moves(from).count_ones()).sum();
        let rotations: usize = Shape::sizes(self.actions).map(|size| self.rotations(size).count()).sum();
        moves as usize + rotations
    }

    fn judge(&self, _actor: Actor, action: &Action) -> Result<(), Illegal> {
        judge::judge(self, *action)
    }

    fn apply(&mut self, _actor: Actor, action: &Action) {
        if let Action::Rotate(rotation) = *action {
            let turned = self.shape.turn(rotation).expect("a rotation was judged before it is done");
            self.shape = Arc::new(self.shape.turned(rotation.group, turned.islands));
        }
        self.perform(*action, &mut Losses::default());
    }

    fn count(&self, _actor: Actor, action: &Action, after: &Self, counts: &mut measures::Counts) {
        measures::count(self, *action, after, counts);
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.phase != Phase::Over {
            None
        } else if self.holds_keys(self.turn) {
            Some(Outcome::win(vec![self.turn as u8 + 1], "key-islands"))
        } else {
            Some(Outcome::draw("no-pieces"))
        }
    }

    fn view(&self, _viewer: Viewer) -> impl Serialize {
        view::json::View::from(self)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        crate::view::read::<view::json::View, _>(json)
    }

    fn scene(&self, _viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        view::scene::draw(self, last.as_ref())
    }

    fn text(&self, _viewer: Viewer) -> String {
        view::words::write(self)
    }

    fn estimate(&self, seat: u8) -> i32 {
        estimate::estimate(self, usize::from(seat) - 1)
    }
}
