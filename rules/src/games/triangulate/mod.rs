//! Triangulate: three frogs on one pad.

mod board;
mod facts;
mod measures;
mod notation;
mod setup;
mod square;
#[cfg(test)]
mod tests;
mod view;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::Value;

use crate::{
    About, Actors, Chance, Class, Draw, Fact, Game, Heat, Illegal, Last, Measure, Position, PositionError, Scene,
    SetupError, Viewer,
};

use board::{Board, ExtraPad};
use notation::Move;
use setup::Setup;

/// Triangulate, Allan Bedford, 2001.
pub(crate) struct Triangulate;

impl Game for Triangulate {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triangulate",
        version: "v1",
        title: "Triangulate",
        summary: "Two players and sixteen frogs on eight by eight squares. Frogs leave lily pads where they step and slide along their own: \
                  whoever brings three of them together on one square wins.",
        designer: "Allan Bedford, 2001",
        source: "Triangulate, entry of the 2001 8x8 Game Design Competition; © 2001 Allan Bedford",
        seats_min: 2,
        seats_max: 2,
        simultaneous: false,
        chance: false,
        secrets: false,
        drawn: &["first"],
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const LUCK: &'static [Chance<measures::Counts>] = &[];
    const FACTS: &'static [Fact<Board>] = facts::FACTS;
    const LEAD: i32 = 30;
    const CALIBRATION: &'static str = include_str!("calibration.json");
    const PLACES: &'static [&'static str] = &measures::PLACES;
    const CLASSES: &'static [Class] = view::scene::CLASSES;

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(Setup::read(setup)?.complete(draw))
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let setup = Setup::read(setup)?;
        Ok(Board::start(usize::from(setup.first.seat()?) - 1, setup.extra_pad))
    }
}

impl Position for Board {
    type Action = Move;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        2
    }

    fn settings(&self) -> Value {
        setup::settings(self.first, self.extra_pad)
    }

    fn to_act(&self) -> Actors {
        if self.over { Actors::NONE } else { Actors::seat(self.turn as u8 + 1) }
    }

    fn legal(&self, _actor: Actor, out: &mut Vec<Move>) {
        let extra = self.extra();
        self.each_move(|from, to| {
            out.push(Move::Frog { from, to, extra: None });
            if extra {
                let mut after = self.clone();
                after.move_frog(from, to);
                out.extend(after.extra_squares().iter().map(|pad| Move::Frog { from, to, extra: Some(pad) }));
            }
        });
        if out.is_empty() {
            out.push(Move::Pass);
        }
    }

    fn count_legal(&self, _actor: Actor) -> usize {
        let mut count = 0;
        if self.extra() {
            self.each_move(|from, to| {
                let mut after = self.clone();
                after.move_frog(from, to);
                count += 1 + after.extra_squares().len();
            });
        } else {
            for from in self.movable(self.turn) {
                count += self.targets(self.turn, from).len();
            }
        }
        count.max(1)
    }

    fn judge(&self, _actor: Actor, action: &Move) -> Result<(), Illegal> {
        let Move::Frog { from, to, extra } = *action else {
            return if self.has_move() {
                Err("you may pass only when none of your frogs can move".into())
            } else {
                Ok(())
            };
        };
        let may_move = self.movable(self.turn).has(from) && self.targets(self.turn, from).has(to);
        if !may_move {
            return Err(self.why_not(from, to));
        }
        let Some(pad) = extra else { return Ok(()) };
        if !self.extra() {
            return Err(format!("only seat {}'s first move may carry an extra pad", 2 - self.first).into());
        }
        let mut after = self.clone();
        after.move_frog(from, to);
        if !after.extra_squares().has(pad) {
            let square = if self.extra_pad == ExtraPad::Anywhere { "a square" } else { "an empty square" };
            return Err(format!(
                "the extra pad goes on {square} without a frog or pad of yours on or beside it: not on {pad}"
            )
            .into());
        }
        Ok(())
    }

    fn apply(&mut self, _actor: Actor, action: &Move) {
        match *action {
            Move::Pass => {
                self.over = self.passed;
                self.passed = true;
            }
            Move::Frog { from, to, extra } => {
                self.move_frog(from, to);
                if let Some(pad) = extra {
                    self.place_pad(pad);
                }
                self.over = self.third.is_some();
                self.passed = false;
            }
        }
        self.fresh &= self.turn == self.first;
        if !self.over {
            self.turn = 1 - self.turn;
        }
    }

    fn count(&self, _actor: Actor, action: &Move, after: &Self, counts: &mut measures::Counts) {
        measures::count(self, *action, after, counts);
    }

    fn outcome(&self) -> Option<Outcome> {
        match (self.over, self.third) {
            (false, _) => None,
            (true, None) => Some(Outcome::draw("no-moves")),
            (true, _) => Some(Outcome::win(vec![self.turn as u8 + 1], "three-on-a-square")),
        }
    }

    fn view(&self, _viewer: Viewer) -> impl Serialize {
        view::json::View::from(self)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        crate::view::read::<view::json::View, _>(json)
    }

    fn scene(&self, _viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        view::scene::draw(self, last.map(|last| last.action))
    }

    fn text(&self, _viewer: Viewer) -> String {
        view::words::write(self)
    }

    fn estimate(&self, seat: u8) -> i32 {
        Board::estimate(self, usize::from(seat) - 1)
    }
}
