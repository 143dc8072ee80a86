//! Triangulate: three frogs on one pad.

mod board;
mod facts;
mod json;
mod measures;
mod notation;
mod scene;
mod setup;
mod square;
#[cfg(test)]
mod tests;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::{Value, json};

use crate::setup::{Beginner, Member};
use crate::{
    About, Actors, Class, Fact, Game, Heat, Illegal, Last, Measure, Position, PositionError, Scene, SetupError,
    SetupReader, Viewer,
};

use board::Board;
use notation::Move;
use setup::EXTRA_PAD;
use square::{Square, Squares};

/// Triangulate, Allan Bedford, 2001.
pub(crate) struct Triangulate;

impl Game for Triangulate {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triangulate",
        title: "Triangulate",
        summary: "Two players and sixteen frogs on eight by eight squares. Frogs leave lily pads where they step and slide along their own: \
                  whoever brings three of them together on one square wins.",
        designer: "Allan Bedford, 2001",
        source: "Triangulate, entry of the 2001 8x8 Game Design Competition; © 2001 Allan Bedford",
        drawn: &["first"],
        document: include_str!("README.md"),
        ..About::PLAIN
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const FACTS: &'static [Fact<Board>] = facts::FACTS;
    const LEAD: i32 = 30;
    const CALIBRATION: &'static str = include_str!("calibration.json");
    const PLACES: &'static [&'static str] = &Square::NAMES;
    const CLASSES: &'static [Class] = scene::CLASSES;
    const SETUP: &'static [Member] = setup::MEMBERS;

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let members = SetupReader::of(setup, Self::SETUP)?;
        let first = Beginner::read(&members, 2)?.seat()?;
        Ok(Board::start(usize::from(first) - 1, EXTRA_PAD.chosen(&members)?))
    }
}

impl Position for Board {
    type Action = Move;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        2
    }

    fn settings(&self) -> Value {
        let mut settings = if self.first == 1 { json!({ "first": 2 }) } else { json!({}) };
        EXTRA_PAD.write_chosen(&mut settings, self.anywhere);
        settings
    }

    fn to_act(&self) -> Actors {
        if self.over { Actors::NONE } else { Actors::seat(self.turn as u8 + 1) }
    }

    fn legal(&self, _actor: Actor, out: &mut Vec<Move>) {
        let extra = self.extra();
        for (from, to) in self.moves() {
            out.push(Move::Frog { from, to, extra: None });
            if extra {
                out.extend(self.extra_pads(from, to).iter().map(|pad| Move::Frog { from, to, extra: Some(pad) }));
            }
        }
        if out.is_empty() {
            out.push(Move::Pass);
        }
    }

    fn count_legal(&self, _actor: Actor) -> usize {
        let extra = |(from, to)| if self.extra() { self.extra_pads(from, to).len() } else { 0 };
        self.moves().map(|step| 1 + extra(step)).sum::<usize>().max(1)
    }

    fn judge(&self, _actor: Actor, action: &Move) -> Result<(), Illegal> {
        let (from, to, extra) = match *action {
            Move::Pass if self.can_move(self.turn) => {
                return Err("you may pass only when none of your frogs can move".into());
            }
            Move::Pass => return Ok(()),
            Move::Frog { from, to, extra } => (from, to, extra),
        };
        if !self.movable(self.turn).has(from) || !self.targets(self.turn, from).has(to) {
            return Err(self.why_not(from, to));
        }
        let square = if self.anywhere { "a square" } else { "an empty square" };
        match extra {
            Some(_) if !self.extra() => {
                Err(format!("only seat {}'s first move may carry an extra pad", 2 - self.first).into())
            }
            Some(pad) if !self.extra_pads(from, to).has(pad) => Err(format!(
                "the extra pad goes on {square} without a frog or pad of yours on or beside it: not on {pad}"
            )
            .into()),
            _ => Ok(()),
        }
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
        json::View::from(self)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        crate::view::read::<json::View, _>(json)
    }

    fn scene(&self, _viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        scene::draw(self, last.map(|last| last.action))
    }

    fn estimate(&self, seat: u8) -> i32 {
        let seat = usize::from(seat) - 1;
        // For each square, the seat's frogs that are there or could be there next.
        let (mut one, mut two, mut three) = (Squares::EMPTY, Squares::EMPTY, Squares::EMPTY);
        let mut gather = |squares: Squares| {
            three |= two & squares;
            two |= one & squares;
            one |= squares;
        };
        gather(self.lower[seat]);
        gather(self.upper[seat]);
        self.movable(seat).iter().for_each(|from| gather(self.targets(seat, from)));
        let pairs = self.lower[seat] & self.upper[seat];
        let blocked = self.lower[seat] & self.upper[1 - seat];
        let count = |squares: Squares| squares.len() as i32;
        count(three & !self.stacked()) * 12 + count(pairs & three) * 60 + count(pairs) * 15 + count(two) * 3
            - count(blocked) * 25
    }
}
