//! A position of TRI, and the effect of an action on it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::notation::Action;
use super::rotation::Rotation;
use super::setup::Start;
use super::shape::{CENTRES, Captures, ISLANDS, SPACES, Shape, centres, islands, spaces, whole};

/// The pieces of a seat, on the board and in supply.
pub(super) const PIECES: u8 = 30;

/// What the seat to act is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Phase {
    /// Placing new pieces on the islands it controls.
    Expand,
    /// Moving pieces and turning islands.
    Act,
    /// Nothing: the game is over.
    Over,
}

/// A state of the game. Seats are indices 0 and 1 here; sets of spaces and of islands are bit masks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Board {
    /// The places of the islands; shared until a rotation changes them.
    pub(super) shape: Arc<Shape>,
    /// The spaces with pieces, by owner.
    pub(super) pieces: [u128; 2],
    /// The key islands.
    pub(super) keys: u16,
    /// What is captured.
    pub(super) captures: Captures,
    /// The islands that still take a new piece this turn.
    pub(super) expand: u16,
    /// Actions left in this turn; 0 while the seat expands.
    pub(super) actions: u8,
    /// The seat on turn; when the game is over, the winner, or 0 after a draw.
    pub(super) turn: usize,
    pub(super) phase: Phase,
}

/// The pieces that leave the board during an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Losses {
    /// The spaces where each seat captured pieces of the other, in its turn.
    pub(super) captured: [u128; 2],
    /// The spaces where seats lost pieces to captures in their own turn.
    pub(super) own: u128,
    /// The islands that were full and lost their centres.
    pub(super) outgrown: u16,
}

impl Board {
    /// The position in which this seat begins.
    pub(super) fn start(start: Start, first: u8) -> Self {
        let Start { shape, keys, pieces, captures, .. } = start;
        let (shape, turn) = (Arc::new(shape), usize::from(first) - 1);
        let mut board = Self { shape, pieces, keys, captures, expand: 0, actions: 0, turn, phase: Phase::Expand };
        board.begin_turn(&mut Losses::default());
        board
    }

    /// Spaces without a piece.
    pub(super) fn empty(&self) -> u128 {
        !(self.pieces[0] | self.pieces[1]) & ((1 << SPACES) - 1)
    }

    /// Pieces of a seat that are not on the board.
    pub(super) fn supply(&self, seat: usize) -> u8 {
        PIECES - self.pieces[seat].count_ones() as u8
    }

    /// The islands whose two centres a seat holds.
    pub(super) fn controlled(&self, seat: usize) -> u16 {
        let held = self.pieces[seat] & CENTRES;
        // A byte holds an island: both of its centre bits, shifted down together, leave the lowest bit.
        let both = ((held >> 1) & (held >> 6)).to_le_bytes();
        (0..ISLANDS).fold(0, |set, island| set | u16::from(both[island] & 1) << island)
    }

    /// Whether an island has an empty space.
    pub(super) fn has_room(&self, island: u8) -> bool {
        self.empty() & whole(island) != 0
    }

    /// Whether a seat holds two key islands.
    pub(super) fn holds_keys(&self, seat: usize) -> bool {
        (self.controlled(seat) & self.keys).count_ones() >= 2
    }

    /// Whether neither seat has two pieces on the board.
    pub(super) fn is_bare(&self) -> bool {
        self.pieces.iter().all(|own| own.count_ones() < 2)
    }

    /// The islands that take a new piece at the start of the turn.
    pub(super) fn expanding(&self) -> u16 {
        if self.supply(self.turn) == 0 {
            return 0;
        }
        let own = self.controlled(self.turn) & !self.keys;
        islands(own).filter(|island| self.has_room(*island)).fold(0, |set, island| set | 1 << island)
    }

    /// The spaces that a piece may move to.
    pub(super) fn moves(&self, from: u8) -> u128 {
        self.shape.points[usize::from(from)] & self.empty()
    }

    /// Whether the seat on turn can do anything with its remaining actions.
    pub(super) fn can_act(&self) -> bool {
        let can_turn = || {
            let barred = self.controlled(1 - self.turn);
            Shape::sizes(self.actions).any(|size| self.shape.can_turn(size, barred))
        };
        spaces(self.pieces[self.turn]).any(|from| self.moves(from) != 0) || can_turn()
    }

    /// The legal rotations of groups of this size.
    pub(super) fn rotations(&self, size: usize) -> impl Iterator<Item = &Rotation> {
        let barred = self.controlled(1 - self.turn);
        self.shape.rotations(size).iter().filter(move |rotation| rotation.group & barred == 0)
    }

    /// Advances to the first decision of the seat whose turn begins; turns without a decision are skipped.
    ///
    /// This terminates: the spaces of a connected board are linked through points, so some piece can move as
    /// long as there is a piece and an empty space. 60 pieces do not fill 72 spaces.
    fn begin_turn(&mut self, losses: &mut Losses) {
        loop {
            self.expand = self.expanding();
            if self.expand != 0 {
                self.phase = Phase::Expand;
                return;
            }
            self.end_expansion(losses);
            if self.phase == Phase::Over || self.actions > 0 {
                return;
            }
            self.turn = 1 - self.turn;
        }
    }

    /// Empties the centres of full islands and counts the actions; 0 if no action is legal.
    fn end_expansion(&mut self, losses: &mut Losses) {
        let own = self.controlled(self.turn) & !self.keys;
        for island in islands(own) {
            if !self.has_room(island) {
                self.pieces[self.turn] &= !centres(island);
                losses.outgrown |= 1 << island;
            }
        }
        self.phase = Phase::Act;
        if self.assess(losses) {
            return;
        }
        self.actions = 1 + self.controlled(self.turn).count_ones() as u8;
        if !self.can_act() {
            self.actions = 0;
        }
    }

    /// Removes captured pieces; returns whether that ends the game.
    fn assess(&mut self, losses: &mut Losses) -> bool {
        for seat in [1 - self.turn, self.turn] {
            let captured = self.shape.without_liberty(self.pieces[seat], self.empty(), self.captures);
            self.pieces[seat] &= !captured;
            if seat == self.turn {
                losses.own |= captured;
            } else {
                losses.captured[self.turn] |= captured;
            }
        }
        if self.holds_keys(self.turn) {
            self.finish(self.turn);
        } else if self.is_bare() {
            self.finish(0);
        }
        self.phase == Phase::Over
    }

    fn finish(&mut self, turn: usize) {
        (self.phase, self.turn, self.expand, self.actions) = (Phase::Over, turn, 0, 0);
    }

    fn place(&mut self, space: u8, losses: &mut Losses) {
        self.pieces[self.turn] |= 1 << space;
        self.expand &= !(1 << (space / 8));
        if self.supply(self.turn) == 0 {
            self.expand = 0;
        }
        if self.expand == 0 {
            self.end_expansion(losses);
            self.pass_on(losses);
        }
    }

    /// Deducts the cost of an action that was carried out, and resolves its consequences.
    fn settle(&mut self, cost: u8, losses: &mut Losses) {
        self.actions -= cost;
        if self.assess(losses) {
            return;
        }
        if !self.can_act() {
            self.actions = 0;
        }
        self.pass_on(losses);
    }

    /// Passes the turn to the other seat if no actions are left.
    fn pass_on(&mut self, losses: &mut Losses) {
        if self.phase != Phase::Over && self.actions == 0 {
            self.turn = 1 - self.turn;
            self.begin_turn(losses);
        }
    }

    /// Carries out an action on a board whose islands are already in their new places.
    pub(super) fn perform(&mut self, action: Action, losses: &mut Losses) {
        match action {
            Action::Place(space) => self.place(space, losses),
            Action::Move { from, to } => {
                self.pieces[self.turn] ^= 1 << from | 1 << to;
                self.settle(1, losses);
            }
            Action::Rotate(rotation) => self.settle(rotation.cost(), losses),
        }
    }

    /// The pieces that are lost by an action that leads to the position `after`; `None` if there are none.
    pub(super) fn losses(&self, action: Action, after: &Self) -> Option<Losses> {
        let placed = u32::from(matches!(action, Action::Place(_)));
        let number = |board: &Self| (board.pieces[0] | board.pieces[1]).count_ones();
        if number(after) == number(self) + placed {
            return None;
        }
        let mut losses = Losses::default();
        let mut again = Self { shape: Arc::clone(&after.shape), ..self.clone() };
        again.perform(action, &mut losses);
        Some(losses)
    }
}
