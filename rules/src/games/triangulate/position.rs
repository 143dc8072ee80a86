//! The board of Triangulate and its rules.

use plybook_events::{Actor, Outcome};
use serde_json::Value;

use super::notation::{self, Move, name};
use super::{measures, scene};
use crate::{Actors, Illegal, Last, Position, PositionError, Scene, Viewer};

/// Frogs that a seat owns, all on the board.
const FROGS: u32 = 8;

/// Pads that a seat owns.
pub(super) const PADS: u8 = 32;

/// The frogs at the start, by seat. Squares are bits: `8 * row + column`, a1 is bit 0.
pub(super) const START: [u64; 2] = [0x4801_0080_0100_8012, 0x1280_0001_8000_0148];

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

/// Steps as (columns, rows), in eight directions.
const DIRECTIONS: [(i8, i8); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// A state of the game. Seats are indices 0 and 1 here; sets of squares are bit masks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// Frogs that sit on a pad or on the board itself, by owner.
    pub(super) lower: [u64; 2],
    /// Frogs that sit on another frog, by owner.
    pub(super) upper: [u64; 2],
    /// The square with three frogs, once there is one.
    pub(super) third: u64,
    /// Pads on the board, by owner.
    pub(super) pads: [u64; 2],
    /// Pads in supply, by owner.
    pub(super) supply: [u8; 2],
    /// Whose turn it is, or was when the game ended.
    pub(super) turn: usize,
    /// Seat 2 has not moved yet: its extra pad is still to come.
    pub(super) fresh: bool,
    /// The last action was a pass.
    pub(super) passed: bool,
    /// The game is over.
    pub(super) over: bool,
}

impl Board {
    /// The start of every game.
    pub(super) fn start() -> Self {
        Self {
            lower: START,
            upper: [0; 2],
            third: 0,
            pads: [0; 2],
            supply: [PADS; 2],
            turn: 0,
            fresh: true,
            passed: false,
            over: false,
        }
    }

    /// Squares with a frog.
    pub(super) fn occupied(&self) -> u64 {
        self.lower[0] | self.lower[1]
    }

    /// Squares with two frogs or more.
    fn stacked(&self) -> u64 {
        self.upper[0] | self.upper[1]
    }

    /// Squares whose top frog is this seat's.
    fn movable(&self, seat: usize) -> u64 {
        self.upper[seat] | (self.lower[seat] & !self.stacked())
    }

    /// Squares whose frogs one more of the seat's may join.
    fn joinable(&self, seat: usize) -> u64 {
        (self.occupied() & !self.stacked()) | (self.lower[seat] & self.upper[seat])
    }

    /// Squares where a step of the seat may end, wherever it comes from.
    fn step_ends(&self, seat: usize) -> u64 {
        let free = if self.supply[seat] > 0 { !self.occupied() } else { self.runway(seat) };
        free | self.joinable(seat)
    }

    /// Squares that a slide of the seat may pass: its pads without frogs.
    fn runway(&self, seat: usize) -> u64 {
        self.pads[seat] & !self.occupied()
    }

    /// Squares where a slide of the seat may end, wherever it comes from.
    fn slide_ends(&self, seat: usize) -> u64 {
        self.runway(seat) | ((self.pads[0] | self.pads[1]) & self.joinable(seat))
    }

    /// Where the frog on top of `from` may go.
    fn targets(&self, seat: usize, from: u8) -> u64 {
        let here = 1 << from;
        let runway = self.runway(seat);
        let mut targets = around(here) & self.step_ends(seat) & !here;
        if runway & around(here) == 0 {
            return targets;
        }
        let ends = self.slide_ends(seat);
        for direction in DIRECTIONS {
            let mut at = shift(here, direction);
            while at & runway != 0 {
                at = shift(at, direction);
                targets |= at & ends;
            }
        }
        targets & !here
    }

    /// Whether the mover may add its extra pad now.
    fn extra(&self) -> bool {
        self.fresh && self.turn == 1 && !self.over
    }

    /// Squares for seat 2's extra pad in the position after its first move.
    fn extra_squares(&self) -> u64 {
        if self.supply[1] == 0 {
            return 0;
        }
        let own = self.lower[1] | self.upper[1] | self.pads[1];
        !(self.occupied() | self.pads[0] | self.pads[1] | around(own))
    }

    /// Calls for each move without its extra pad.
    fn each_move(&self, mut visit: impl FnMut(u8, u8)) {
        for from in squares(self.movable(self.turn)) {
            for to in squares(self.targets(self.turn, from)) {
                visit(from, to);
            }
        }
    }

    fn has_move(&self) -> bool {
        self.can_move(self.turn)
    }

    fn can_move(&self, seat: usize) -> bool {
        squares(self.movable(seat)).any(|from| self.targets(seat, from) != 0)
    }

    /// Says what cannot be in a position that was read: play keeps all of this by itself.
    pub(super) fn possible(&self) -> Result<(), &'static str> {
        let (won, stuck) = (self.third != 0, |seat| !self.can_move(seat));
        for seat in 0..2 {
            let third = u32::from(won && seat == self.turn);
            if self.lower[seat].count_ones() + self.upper[seat].count_ones() + third != FROGS {
                return Err("each seat has 8 frogs on the board");
            }
            if self.pads[seat].count_ones() > u32::from(PADS) {
                return Err("each seat has 32 pads, on the board and in supply");
            }
        }
        if won && (!self.over || self.passed || self.third & self.lower[self.turn] & self.upper[self.turn] == 0) {
            return Err("three frogs on one square are one seat's, and end the game");
        }
        if self.over && !won && !(self.passed && stuck(0) && stuck(1)) {
            return Err("nothing has ended the game");
        }
        if self.passed && !stuck(1 - self.turn) {
            return Err("only a seat without a move has passed");
        }
        if self.extra() && (self.pads[1] != 0 || self.pads[0].count_ones() > 1) {
            return Err("the extra pad belongs to seat 2's first move");
        }
        Ok(())
    }

    /// Moves a frog and places the pad it needs.
    fn move_frog(&mut self, from: u8, to: u8) {
        let (seat, from, to) = (self.turn, 1u64 << from, 1u64 << to);
        if self.upper[seat] & from != 0 {
            self.upper[seat] &= !from;
        } else {
            self.lower[seat] &= !from;
        }
        if self.stacked() & to != 0 {
            self.third = to;
        } else if self.occupied() & to != 0 {
            self.upper[seat] |= to;
        } else {
            self.lower[seat] |= to;
            if self.pads[seat] & to == 0 {
                self.place_pad(to);
            }
        }
    }

    fn place_pad(&mut self, to: u64) {
        let (seat, other) = (self.turn, 1 - self.turn);
        if self.pads[other] & to != 0 {
            self.pads[other] &= !to;
            self.supply[other] += 1;
        }
        self.pads[seat] |= to;
        self.supply[seat] -= 1;
    }

    /// Why the frog on `from` may not go to `to`.
    fn why_not(&self, from: u8, to: u8) -> Illegal {
        let (seat, a, b) = (self.turn, 1u64 << from, 1u64 << to);
        let (from, to) = (name(from), name(to));
        if from == to {
            return "a frog cannot stay where it is".into();
        }
        if self.occupied() & a == 0 {
            return format!("there is no frog on {from}").into();
        }
        if self.movable(seat) & a == 0 {
            let own = self.lower[seat] & a != 0;
            let why =
                if own { "your frog on {} is blocked by the one on top of it" } else { "the frog on {} is not yours" };
            return why.replace("{}", &from).into();
        }
        if self.stacked() & b != 0 && self.joinable(seat) & b == 0 {
            return format!("{to} already holds two frogs, and not both are yours").into();
        }
        if around(a) & b != 0 {
            return format!("you have no pad left to place on {to}").into();
        }
        if !DIRECTIONS.iter().any(|direction| ray(a, *direction) & b != 0) {
            return format!("{to} is neither next to {from} nor in a straight line with it").into();
        }
        if self.slide_ends(seat) & b == 0 {
            return format!("a slide ends on one of your own pads, or on a pad with a frog to join: not on {to}")
                .into();
        }
        format!("a slide passes only your own pads without frogs: not every square between {from} and {to} is one")
            .into()
    }
}

impl Position for Board {
    type Action = Move;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        2
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
                out.extend(squares(after.extra_squares()).map(|pad| Move::Frog { from, to, extra: Some(pad) }));
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
                count += 1 + after.extra_squares().count_ones();
            });
        } else {
            for from in squares(self.movable(self.turn)) {
                count += self.targets(self.turn, from).count_ones();
            }
        }
        count.max(1) as usize
    }

    fn judge(&self, _actor: Actor, action: &Move) -> Result<(), Illegal> {
        let Move::Frog { from, to, extra } = *action else {
            return if self.has_move() {
                Err("you may pass only when none of your frogs can move".into())
            } else {
                Ok(())
            };
        };
        let may_move = self.movable(self.turn) & (1 << from) != 0 && self.targets(self.turn, from) & (1 << to) != 0;
        if !may_move {
            return Err(self.why_not(from, to));
        }
        let Some(pad) = extra else { return Ok(()) };
        if !self.extra() {
            return Err("only seat 2's first move may carry an extra pad".into());
        }
        let mut after = self.clone();
        after.move_frog(from, to);
        if after.extra_squares() & (1 << pad) == 0 {
            let pad = name(pad);
            return Err(format!(
                "the extra pad goes on an empty square without a frog or pad of yours on or beside it: not on {pad}"
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
                    self.place_pad(1 << pad);
                }
                self.over = self.third != 0;
                self.passed = false;
            }
        }
        self.fresh &= self.turn == 0;
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
            (true, 0) => Some(Outcome::draw("no-moves")),
            (true, _) => Some(Outcome::win(vec![self.turn as u8 + 1], "three-on-a-square")),
        }
    }

    fn to_json(&self, _viewer: Viewer) -> Value {
        notation::to_json(self)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        notation::from_json(json)
    }

    fn scene(&self, _viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        scene::draw(self, last.map(|last| last.action))
    }

    fn text(&self, _viewer: Viewer) -> String {
        notation::to_text(self)
    }

    fn estimate(&self, seat: u8) -> i32 {
        let seat = usize::from(seat) - 1;
        // By square: how many of the seat's frogs are there or could be there next.
        let (mut one, mut two, mut three) = (0u64, 0u64, 0u64);
        let mut gather = |squares: u64| {
            three |= two & squares;
            two |= one & squares;
            one |= squares;
        };
        gather(self.lower[seat]);
        gather(self.upper[seat]);
        squares(self.movable(seat)).for_each(|from| gather(self.targets(seat, from)));
        let pairs = self.lower[seat] & self.upper[seat];
        let blocked = self.lower[seat] & self.upper[1 - seat];
        let count = |mask: u64| mask.count_ones() as i32;
        count(three & !self.stacked()) * 12 + count(pairs & three) * 60 + count(pairs) * 15 + count(two) * 3
            - count(blocked) * 25
    }
}

/// The squares of a mask, ascending.
pub(super) fn squares(mut mask: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = mask.trailing_zeros() as u8;
        (mask != 0).then(|| {
            mask &= mask - 1;
            square
        })
    })
}

/// The squares of a mask and their neighbours.
fn around(mask: u64) -> u64 {
    let row = mask | ((mask & NOT_H) << 1) | ((mask & NOT_A) >> 1);
    row | (row << 8) | (row >> 8)
}

/// The squares of a mask, one step on; what leaves the board is gone.
fn shift(mask: u64, (columns, rows): (i8, i8)) -> u64 {
    let mask = match columns {
        1 => (mask & NOT_H) << 1,
        -1 => (mask & NOT_A) >> 1,
        _ => mask,
    };
    match rows {
        1 => mask << 8,
        -1 => mask >> 8,
        _ => mask,
    }
}

/// All squares from one in a direction, to the edge.
fn ray(mut at: u64, direction: (i8, i8)) -> u64 {
    let mut ray = 0;
    while at != 0 {
        at = shift(at, direction);
        ray |= at;
    }
    ray
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn after(tokens: &str) -> Value {
        let mut board = Board::start();
        for token in tokens.split_ascii_whitespace() {
            let (actor, action) = (Actor::Seat(board.turn as u8 + 1), token.parse::<Move>().unwrap());
            board.judge(actor, &action).unwrap();
            board.apply(actor, &action);
        }
        board.to_json(Viewer::All)
    }

    #[test]
    fn positions_that_cannot_be_are_refused() {
        let good = after("b1-b2 d1-d2 e1-e2 e8-e7");
        assert!(Board::from_json(&good).is_ok());
        let refused = |json: &Value, reason: &str| {
            let why = Board::from_json(json).unwrap_err().to_string();
            assert!(why.contains(reason), "{json}: {why}");
        };
        let changed = |change: &dyn Fn(&mut Value)| {
            let mut json = good.clone();
            change(&mut json);
            json
        };
        refused(&changed(&|json| json["board"]["b2"]["frogs"] = json!([1, 1])), "8 frogs");
        refused(&changed(&|json| drop(json["board"].as_object_mut().unwrap().remove("a2"))), "8 frogs");
        refused(&changed(&|json| json["toAct"] = json!(0)), "nothing has ended");
        refused(&changed(&|json| json["passed"] = json!(true)), "without a move");
        refused(
            &changed(&|json| {
                json["toAct"] = json!(2);
                json["extra"] = json!(true);
            }),
            "first move",
        );
        // Frogs of g8 and h2 join the one on b2, and nobody notices.
        let gathered = |frogs: Value, to_act: u8| {
            changed(&move |json| {
                let squares = json["board"].as_object_mut().unwrap();
                squares.remove("g8");
                squares.remove("h2");
                squares["b2"]["frogs"] = frogs.clone();
                json["toAct"] = json!(to_act);
            })
        };
        refused(&gathered(json!([1, 1, 1]), 1), "end the game");
        assert!(Board::from_json(&gathered(json!([1, 1, 1]), 0)).is_ok());
        let padded = changed(&|json| {
            let squares = json["board"].as_object_mut().unwrap();
            for square in 0..64 {
                let square = squares.entry(notation::name(square)).or_insert(json!({}));
                square.as_object_mut().unwrap().entry("pad").or_insert(json!(1));
            }
            json["supply"] = json!([0, 30]);
        });
        refused(&padded, "32 pads");
    }
}
