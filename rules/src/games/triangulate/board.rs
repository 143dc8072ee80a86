//! The board of Triangulate and its rules.

use std::ops::Deref;

use serde::{Deserialize, Serialize, Serializer};

use super::square::{DIRECTIONS, Square, Squares};
use crate::Illegal;

/// The number of a seat's frogs, all of which are on the board.
const FROGS: usize = 8;

/// The pads that each seat owns.
pub(super) const PADS: u8 = 32;

/// The frogs at the start, by seat.
pub(super) const START: [Squares; 2] =
    [Squares::from_bits(0x4801_0080_0100_8012), Squares::from_bits(0x1280_0001_8000_0148)];

/// Where the extra pad may go, away from its seat's own frogs and pads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtraPad {
    /// On a square without a frog or pad.
    Empty,
    /// On any square: it replaces a pad of the other seat, and goes under its frog.
    Anywhere,
}

/// A state of the game. Seats are indices 0 and 1 here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// Frogs that sit on a pad or on the board itself, by owner.
    pub(super) lower: [Squares; 2],
    /// Frogs that sit on another frog, by owner.
    pub(super) upper: [Squares; 2],
    /// The square with three frogs, once there is one.
    pub(super) third: Option<Square>,
    /// Pads on the board, by owner.
    pub(super) pads: [Squares; 2],
    /// Pads in supply, by owner.
    pub(super) supply: [u8; 2],
    /// Whose turn it is, or was when the game ended.
    pub(super) turn: usize,
    /// The index of the seat that began.
    pub(super) first: usize,
    /// Where the extra pad may go.
    pub(super) extra_pad: ExtraPad,
    /// Whether the seat that did not begin has yet to make its first move, which may carry the extra pad.
    pub(super) fresh: bool,
    /// Whether the last action was a pass.
    pub(super) passed: bool,
    /// Whether the game is over.
    pub(super) over: bool,
}

/// The frogs on a square from bottom to top, by seat from 1: three at most.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<u8>")]
pub(super) struct Frogs {
    seats: [u8; 3],
    count: usize,
}

impl Frogs {
    fn push(&mut self, seat: u8) {
        self.seats[self.count] = seat;
        self.count += 1;
    }
}

impl Deref for Frogs {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.seats[..self.count]
    }
}

impl Serialize for Frogs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&**self)
    }
}

impl TryFrom<Vec<u8>> for Frogs {
    type Error = &'static str;

    fn try_from(seats: Vec<u8>) -> Result<Self, Self::Error> {
        let mut frogs = Self::default();
        if seats.len() > frogs.seats.len() {
            return Err("a square holds at most three frogs");
        }
        for seat in seats {
            frogs.push(seat);
        }
        Ok(frogs)
    }
}

impl Board {
    /// The start of a game that this seat begins.
    pub(super) fn start(first: usize, extra_pad: ExtraPad) -> Self {
        Self {
            lower: START,
            upper: [Squares::EMPTY; 2],
            third: None,
            pads: [Squares::EMPTY; 2],
            supply: [PADS; 2],
            turn: first,
            first,
            extra_pad,
            fresh: true,
            passed: false,
            over: false,
        }
    }

    /// Squares with a frog.
    pub(super) fn occupied(&self) -> Squares {
        self.lower[0] | self.lower[1]
    }

    /// The frogs on a square.
    pub(super) fn frogs(&self, square: Square) -> Frogs {
        let mut frogs = Frogs::default();
        for layer in [self.lower, self.upper] {
            (0..2).filter(|seat| layer[*seat].has(square)).for_each(|seat| frogs.push(seat as u8 + 1));
        }
        if self.third == Some(square) {
            frogs.push(self.turn as u8 + 1);
        }
        frogs
    }

    /// The seat whose pad lies on a square.
    pub(super) fn pad(&self, square: Square) -> Option<u8> {
        (0..2).find(|seat| self.pads[*seat].has(square)).map(|seat| seat as u8 + 1)
    }

    /// Squares with at least two frogs.
    fn stacked(&self) -> Squares {
        self.upper[0] | self.upper[1]
    }

    /// Squares whose top frog is this seat's.
    pub(super) fn movable(&self, seat: usize) -> Squares {
        self.upper[seat] | (self.lower[seat] & !self.stacked())
    }

    /// Squares whose frogs another frog of the seat may join.
    fn joinable(&self, seat: usize) -> Squares {
        (self.occupied() & !self.stacked()) | (self.lower[seat] & self.upper[seat])
    }

    /// Squares where a step of the seat may end, wherever it starts.
    fn step_ends(&self, seat: usize) -> Squares {
        let free = if self.supply[seat] > 0 { !self.occupied() } else { self.runway(seat) };
        free | self.joinable(seat)
    }

    /// Squares that a slide of the seat may pass over: its pads without frogs.
    fn runway(&self, seat: usize) -> Squares {
        self.pads[seat] & !self.occupied()
    }

    /// Squares where a slide of the seat may end, wherever it starts.
    fn slide_ends(&self, seat: usize) -> Squares {
        self.runway(seat) | ((self.pads[0] | self.pads[1]) & self.joinable(seat))
    }

    /// The squares that the frog on top of `from` may go to.
    pub(super) fn targets(&self, seat: usize, from: Square) -> Squares {
        let here = Squares::from(from);
        let runway = self.runway(seat);
        let mut targets = here.around() & self.step_ends(seat) & !here;
        if !runway.has(here.around()) {
            return targets;
        }
        let ends = self.slide_ends(seat);
        for direction in DIRECTIONS {
            let mut at = here.shift(direction);
            while runway.has(at) {
                at = at.shift(direction);
                targets |= at & ends;
            }
        }
        targets & !here
    }

    /// Whether the mover may add its extra pad now.
    pub(super) fn extra(&self) -> bool {
        self.fresh && self.turn != self.first && !self.over
    }

    /// Squares for the extra pad of the seat on turn, in the position after its first move.
    pub(super) fn extra_squares(&self) -> Squares {
        let (seat, other) = (self.turn, 1 - self.turn);
        if self.supply[seat] == 0 {
            return Squares::EMPTY;
        }
        let own = self.lower[seat] | self.upper[seat] | self.pads[seat];
        let barred = match self.extra_pad {
            ExtraPad::Empty => self.occupied() | self.pads[other],
            ExtraPad::Anywhere => Squares::EMPTY,
        };
        !(barred | own | own.around())
    }

    /// Calls `visit` for each move, without extra pads.
    pub(super) fn each_move(&self, mut visit: impl FnMut(Square, Square)) {
        for from in self.movable(self.turn) {
            for to in self.targets(self.turn, from) {
                visit(from, to);
            }
        }
    }

    pub(super) fn has_move(&self) -> bool {
        self.can_move(self.turn)
    }

    fn can_move(&self, seat: usize) -> bool {
        self.movable(seat).iter().any(|from| !self.targets(seat, from).is_empty())
    }

    /// Checks a position that was read from JSON. Play preserves everything checked here.
    pub(super) fn possible(&self) -> Result<(), &'static str> {
        let (won, stuck) = (self.third.is_some(), |seat| !self.can_move(seat));
        for seat in 0..2 {
            let third = usize::from(won && seat == self.turn);
            if self.lower[seat].len() + self.upper[seat].len() + third != FROGS {
                return Err("each seat has 8 frogs on the board");
            }
            if self.pads[seat].len() > usize::from(PADS) {
                return Err("each seat has 32 pads, on the board and in supply");
            }
        }
        if won && (!self.over || self.passed || !(self.lower[self.turn] & self.upper[self.turn]).has(self.third)) {
            return Err("three frogs on one square are one seat's, and end the game");
        }
        if self.over && !won && !(self.passed && stuck(0) && stuck(1)) {
            return Err("nothing has ended the game");
        }
        if self.passed && !stuck(1 - self.turn) {
            return Err("only a seat without a move has passed");
        }
        if self.extra() && (!self.pads[self.turn].is_empty() || self.pads[self.first].len() > 1) {
            return Err("the extra pad belongs to the first move of the seat that did not begin");
        }
        Ok(())
    }

    /// Moves a frog, and places a pad where it needs one.
    pub(super) fn move_frog(&mut self, from: Square, to: Square) {
        let seat = self.turn;
        if self.upper[seat].has(from) {
            self.upper[seat] &= !Squares::from(from);
        } else {
            self.lower[seat] &= !Squares::from(from);
        }
        if self.stacked().has(to) {
            self.third = Some(to);
        } else if self.occupied().has(to) {
            self.upper[seat] |= to;
        } else {
            self.lower[seat] |= to;
            if !self.pads[seat].has(to) {
                self.place_pad(to);
            }
        }
    }

    pub(super) fn place_pad(&mut self, to: Square) {
        let (seat, other) = (self.turn, 1 - self.turn);
        if self.pads[other].has(to) {
            self.pads[other] &= !Squares::from(to);
            self.supply[other] += 1;
        }
        self.pads[seat] |= to;
        self.supply[seat] -= 1;
    }

    /// Why the frog on `from` may not go to `to`.
    pub(super) fn why_not(&self, from: Square, to: Square) -> Illegal {
        let seat = self.turn;
        if from == to {
            return "a frog cannot stay where it is".into();
        }
        if !self.occupied().has(from) {
            return format!("there is no frog on {from}").into();
        }
        if !self.movable(seat).has(from) {
            let own = self.lower[seat].has(from);
            let why =
                if own { "your frog on {} is blocked by the one on top of it" } else { "the frog on {} is not yours" };
            return why.replace("{}", &from.to_string()).into();
        }
        if self.stacked().has(to) && !self.joinable(seat).has(to) {
            return format!("{to} already holds two frogs, and not both are yours").into();
        }
        let here = Squares::from(from);
        if here.around().has(to) {
            return format!("you have no pad left to place on {to}").into();
        }
        if !DIRECTIONS.iter().any(|direction| here.ray(*direction).has(to)) {
            return format!("{to} is neither next to {from} nor in a straight line with it").into();
        }
        if !self.slide_ends(seat).has(to) {
            return format!("a slide ends on one of your own pads, or on a pad with a frog to join: not on {to}")
                .into();
        }
        format!("a slide passes only your own pads without frogs: not every square between {from} and {to} is one")
            .into()
    }

    /// How well a seat stands, roughly; see [`crate::Position::estimate`].
    pub(super) fn estimate(&self, seat: usize) -> i32 {
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
