//! The state of a game and what a seat may submit.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::lattice::{CELLS_MAX, Cell, SIDE_MAX, SIDE_MIN, Step};
use super::notation::Submission;
use super::setup::{SEATS, Setup};
use crate::Illegal;

/// The rounds of a game.
pub(super) const ROUNDS: u8 = 10;

/// The first round in which a garnet can be spent.
pub(super) const SPENDING_FROM: u8 = 3;

/// The most triforces of a game.
pub(super) const TRIFORCES_MAX: usize = 4;

/// A state of the game. Arrays are indexed by seat, with index 0 for seat 1; entries of seats that the game
/// does not have keep their initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(super) setup: Setup,
    /// The round being played, or the one that ended the game; from 1.
    pub(super) round: u8,
    /// Whether the game is over.
    pub(super) over: bool,
    /// Where each seat is; `None` once it has left the board.
    pub(super) cells: [Option<Cell>; SEATS],
    /// Priorities, a permutation of 1 to the number of seats.
    pub(super) priority: [u8; SEATS],
    /// Garnets.
    pub(super) garnets: [u8; SEATS],
    /// The powered seats.
    pub(super) powered: Seats,
    /// The seats with a token of life.
    pub(super) tokens: Seats,
    /// The triforces made, in order.
    pub(super) made: [Option<Triforce>; TRIFORCES_MAX],
    /// The submissions for the current round.
    pub(super) submitted: [Option<Submission>; SEATS],
}

/// Three seats that left the board together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Triforce {
    /// The cell in the middle of them.
    pub(super) at: Cell,
    /// The round.
    pub(super) round: u8,
    /// Its seats, ascending.
    pub(super) seats: [u8; 3],
}

/// A set of seats, by index from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seats(u16);

impl Seats {
    pub(super) fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    pub(super) fn insert(&mut self, index: usize) {
        self.0 |= 1 << index;
    }

    pub(super) fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The members of this set that are not in the other one.
    pub(super) fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }
}

impl FromIterator<usize> for Seats {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        let mut seats = Self::default();
        indices.into_iter().for_each(|index| seats.insert(index));
        seats
    }
}

impl Board {
    /// The start of a game.
    pub(super) fn start(setup: Setup, starts: &[Cell]) -> Self {
        let mut cells = [None; SEATS];
        for (cell, start) in cells.iter_mut().zip(starts) {
            *cell = Some(*start);
        }
        Self {
            setup,
            round: 1,
            over: false,
            cells,
            priority: setup.priority,
            garnets: setup.garnets,
            powered: Seats::default(),
            tokens: Seats::default(),
            made: [None; TRIFORCES_MAX],
            submitted: [None; SEATS],
        }
    }

    /// Whether start cells and labels are still to be drawn.
    pub(super) fn is_drawing(&self) -> bool {
        self.setup.draws_late && self.round == 1 && self.cells.iter().all(Option::is_none)
    }

    /// The number of seats.
    pub(super) fn players(&self) -> usize {
        usize::from(self.setup.players)
    }

    /// The seats on the board with their cells, by index from 0.
    pub(super) fn on_board(&self) -> impl Iterator<Item = (usize, Cell)> {
        self.cells.iter().enumerate().filter_map(|(index, cell)| Some((index, (*cell)?)))
    }

    /// The triforces made, in order.
    pub(super) fn triforces(&self) -> impl Iterator<Item = Triforce> {
        self.made.iter().flatten().copied()
    }

    /// The number of triforces made.
    pub(super) fn triforces_made(&self) -> u8 {
        self.triforces().count() as u8
    }

    /// The cell that a path from a cell leads to; `None` if a step is not possible.
    pub(super) fn end(&self, from: Cell, submission: Submission) -> Option<Cell> {
        submission.steps().try_fold(from, |cell, step| cell.step(step, self.setup.side))
    }

    /// Whether a seat may spend a garnet now.
    pub(super) fn may_spend(&self, index: usize) -> bool {
        self.round >= SPENDING_FROM && self.garnets[index] > 0
    }

    /// Calls `visit` with the shortest path to each cell within reach; among paths of equal length, with the
    /// first in byte order.
    pub(super) fn each_path(&self, from: Cell, visit: impl FnMut(Submission)) {
        each_path(from, self.setup.side, visit);
    }

    /// The number of cells within reach.
    pub(super) fn count_paths(&self, from: Cell) -> usize {
        REACHED[usize::from(self.setup.side)][from.index()].into()
    }
}

/// The number of cells within reach of each cell, by side of the board.
static REACHED: LazyLock<[[u8; CELLS_MAX]; SIDE_MAX as usize + 1]> = LazyLock::new(|| {
    let mut reached = [[0; CELLS_MAX]; SIDE_MAX as usize + 1];
    for side in SIDE_MIN..=SIDE_MAX {
        for from in Cell::all(side) {
            each_path(from, side, |_| reached[usize::from(side)][from.index()] += 1);
        }
    }
    reached
});

/// Calls `visit` as [`Board::each_path`] does, on a board of this side.
fn each_path(from: Cell, side: u8, mut visit: impl FnMut(Submission)) {
    // Paths of each length are extended in byte order, so the first one to reach a cell is the one to
    // list. Without steps back, there are at most 1 + 3 + 6 + 12 of them.
    let mut seen = [false; CELLS_MAX];
    let mut queue = [(Submission::STAY, from); 22];
    let mut length = 1;
    let mut next = 0;
    seen[from.index()] = true;
    while next < length {
        let (path, cell) = queue[next];
        next += 1;
        visit(path);
        for step in Step::ALL {
            let Some(longer) = path.then(step) else { break };
            let Some(reached) = cell.step(step, side) else { continue };
            if !seen[reached.index()] {
                seen[reached.index()] = true;
                queue[length] = (longer, reached);
                length += 1;
            }
        }
    }
}

impl Board {
    /// Calls `visit` with every path from a cell, detours included, and the cells that it leads over.
    pub(super) fn each_walk(&self, from: Cell, mut visit: impl FnMut(Submission, &[Cell])) {
        self.walk_on(Submission::STAY, &mut vec![from], &mut visit);
    }

    fn walk_on(&self, path: Submission, cells: &mut Vec<Cell>, visit: &mut impl FnMut(Submission, &[Cell])) {
        visit(path, cells);
        let at = *cells.last().expect("a path has a start");
        for step in Step::ALL {
            let Some(longer) = path.then(step) else { return };
            let Some(next) = at.step(step, self.setup.side) else { continue };
            cells.push(next);
            self.walk_on(longer, cells, visit);
            cells.pop();
        }
    }
}

/// Why a step is not possible.
pub(super) fn why_not(cell: Cell, step: Step) -> Illegal {
    let letter = step.letter();
    match (step, cell.is_up()) {
        (Step::U, true) => format!("{cell} points up: from there the steps are L, R and D, not U").into(),
        (Step::D, false) => format!("{cell} points down: from there the steps are L, R and U, not D").into(),
        _ => format!("the step {letter} from {cell} leaves the board").into(),
    }
}
