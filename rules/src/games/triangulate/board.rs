//! The board of Triangulate and its rules.

use super::square::{DIRECTIONS, Square, Squares};
use crate::Illegal;

/// The pads that each seat owns.
pub(super) const PADS: u8 = 32;

/// The frogs at the start, by seat.
pub(super) const START: [Squares; 2] =
    [Squares::from_bits(0x4801_0080_0100_8012), Squares::from_bits(0x1280_0001_8000_0148)];

/// A state of the game. Seats are indices 0 and 1 here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
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
    /// Whether the extra pad may replace a pad of the other seat, and go under its frog.
    pub(super) anywhere: bool,
    /// Whether the seat that did not begin has yet to make its first move, which may carry the extra pad.
    pub(super) fresh: bool,
    /// Whether the last action was a pass.
    pub(super) passed: bool,
    /// Whether the game is over.
    pub(super) over: bool,
}

/// What can be on a square, from bottom to top, by seat from 1.
const STACKS: [&[u8]; 9] = [&[], &[1], &[2], &[1, 2], &[1, 1], &[1, 1, 1], &[2, 1], &[2, 2], &[2, 2, 2]];

impl Board {
    /// The start of a game that this seat begins.
    pub(super) fn start(first: usize, anywhere: bool) -> Self {
        Self { lower: START, supply: [PADS; 2], turn: first, first, anywhere, fresh: true, ..Self::default() }
    }

    /// Squares with a frog.
    pub(super) fn occupied(&self) -> Squares {
        self.lower[0] | self.lower[1]
    }

    /// The frogs on a square, from bottom to top, by seat from 1.
    pub(super) fn frogs(&self, square: Square) -> &'static [u8] {
        let owner = |layer: [Squares; 2]| usize::from(layer[0].has(square)) + 2 * usize::from(layer[1].has(square));
        match (owner(self.lower), owner(self.upper)) {
            (lower, 0) => STACKS[lower],
            (lower, upper) => STACKS[3 * lower + usize::from(lower == upper) + usize::from(self.third == Some(square))],
        }
    }

    /// The seat whose pad lies on a square.
    pub(super) fn pad(&self, square: Square) -> Option<u8> {
        (0..2).find(|seat| self.pads[*seat].has(square)).map(|seat| seat as u8 + 1)
    }

    /// Squares with at least two frogs.
    pub(super) fn stacked(&self) -> Squares {
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

    /// Squares for the extra pad of the seat on turn, if this is its first move.
    pub(super) fn extra_pads(&self, from: Square, to: Square) -> Squares {
        let (mut after, seat) = (self.clone(), self.turn);
        after.move_frog(from, to);
        if after.supply[seat] == 0 {
            return Squares::EMPTY;
        }
        let own = after.lower[seat] | after.upper[seat] | after.pads[seat];
        let barred = if self.anywhere { Squares::EMPTY } else { after.occupied() | after.pads[1 - seat] };
        !(barred | own | own.around())
    }

    /// The moves, without extra pads.
    pub(super) fn moves(&self) -> impl Iterator<Item = (Square, Square)> {
        let to = |from| self.targets(self.turn, from).iter().map(move |to| (from, to));
        self.movable(self.turn).iter().flat_map(to)
    }

    pub(super) fn can_move(&self, seat: usize) -> bool {
        self.movable(seat).iter().any(|from| !self.targets(seat, from).is_empty())
    }

    /// Checks a position that was read from JSON. Play preserves everything checked here.
    pub(super) fn possible(&self) -> Result<(), &'static str> {
        let must = |is: bool, why: &'static str| if is { Ok(()) } else { Err(why) };
        let (won, stuck) = (self.third.is_some(), |seat| !self.can_move(seat));
        let third = |seat| usize::from(won && seat == self.turn);
        let frogs = |seat: usize| self.lower[seat].len() + self.upper[seat].len() + third(seat);
        must((0..2).all(|seat| frogs(seat) == 8), "each seat has 8 frogs on the board")?;
        must(
            self.pads.iter().all(|pads| pads.len() <= PADS.into()),
            "each seat has 32 pads, on the board and in supply",
        )?;
        let ended = self.over && !self.passed && (self.lower[self.turn] & self.upper[self.turn]).has(self.third);
        must(!won || ended, "three frogs on one square are one seat's, and end the game")?;
        must(won || !self.over || self.passed && stuck(0) && stuck(1), "nothing has ended the game")?;
        must(!self.passed || stuck(1 - self.turn), "only a seat without a move has passed")?;
        let early = self.pads[self.turn].is_empty() && self.pads[self.first].len() <= 1;
        must(!self.extra() || early, "the extra pad belongs to the first move of the seat that did not begin")
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
        let (seat, here) = (self.turn, Squares::from(from));
        let (columns, rows) = (from.column().abs_diff(to.column()), from.row().abs_diff(to.row()));
        let why = match () {
            () if from == to => "a frog cannot stay where it is".to_owned(),
            () if !self.occupied().has(from) => format!("there is no frog on {from}"),
            () if !self.movable(seat).has(from) && self.lower[seat].has(from) => {
                format!("your frog on {from} is blocked by the one on top of it")
            }
            () if !self.movable(seat).has(from) => format!("the frog on {from} is not yours"),
            () if self.stacked().has(to) && !self.joinable(seat).has(to) => {
                format!("{to} already holds two frogs, and not both are yours")
            }
            () if here.around().has(to) => format!("you have no pad left to place on {to}"),
            () if columns != 0 && rows != 0 && columns != rows => {
                format!("{to} is neither next to {from} nor in a straight line with it")
            }
            () if !self.slide_ends(seat).has(to) => {
                format!("a slide ends on one of your own pads, or on a pad with a frog to join: not on {to}")
            }
            () => format!(
                "a slide passes only your own pads without frogs: not every square between {from} and {to} is one"
            ),
        };
        why.into()
    }
}
