//! The board of Triangulate and its rules.

use super::notation::Name;
use crate::Illegal;

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

    /// The frogs on a square from bottom to top, by seat from 1.
    pub(super) fn frogs(&self, square: u8) -> Vec<u8> {
        let here = |mask: u64| mask >> square & 1 == 1;
        let mut frogs = Vec::new();
        for layer in [self.lower, self.upper] {
            frogs.extend((0..2).filter(|seat| here(layer[*seat])).map(|seat| seat as u8 + 1));
        }
        if here(self.third) {
            frogs.push(self.turn as u8 + 1);
        }
        frogs
    }

    /// The seat whose pad lies on a square.
    pub(super) fn pad(&self, square: u8) -> Option<u8> {
        (0..2).find(|seat| self.pads[*seat] >> square & 1 == 1).map(|seat| seat as u8 + 1)
    }

    /// Squares with two frogs or more.
    fn stacked(&self) -> u64 {
        self.upper[0] | self.upper[1]
    }

    /// Squares whose top frog is this seat's.
    pub(super) fn movable(&self, seat: usize) -> u64 {
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
    pub(super) fn targets(&self, seat: usize, from: u8) -> u64 {
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
    pub(super) fn extra(&self) -> bool {
        self.fresh && self.turn == 1 && !self.over
    }

    /// Squares for seat 2's extra pad in the position after its first move.
    pub(super) fn extra_squares(&self) -> u64 {
        if self.supply[1] == 0 {
            return 0;
        }
        let own = self.lower[1] | self.upper[1] | self.pads[1];
        !(self.occupied() | self.pads[0] | self.pads[1] | around(own))
    }

    /// Calls for each move without its extra pad.
    pub(super) fn each_move(&self, mut visit: impl FnMut(u8, u8)) {
        for from in squares(self.movable(self.turn)) {
            for to in squares(self.targets(self.turn, from)) {
                visit(from, to);
            }
        }
    }

    pub(super) fn has_move(&self) -> bool {
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
    pub(super) fn move_frog(&mut self, from: u8, to: u8) {
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

    pub(super) fn place_pad(&mut self, to: u64) {
        let (seat, other) = (self.turn, 1 - self.turn);
        if self.pads[other] & to != 0 {
            self.pads[other] &= !to;
            self.supply[other] += 1;
        }
        self.pads[seat] |= to;
        self.supply[seat] -= 1;
    }

    /// Why the frog on `from` may not go to `to`.
    pub(super) fn why_not(&self, from: u8, to: u8) -> Illegal {
        let (seat, a, b) = (self.turn, 1u64 << from, 1u64 << to);
        let (from, to) = (Name(from).to_string(), Name(to).to_string());
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

    /// How well a seat stands, roughly; see [`crate::Position::estimate`].
    pub(super) fn estimate(&self, seat: usize) -> i32 {
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
