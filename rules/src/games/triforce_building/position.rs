//! The state of a game and what a seat may submit.

use plybook_events::{Actor, Outcome};
use serde_json::Value;

use super::lattice::{CELLS_MAX, Cell, Step};
use super::notation::Submission;
use super::setup::{SEATS, Setup};
use super::{estimate, json, measures, outcome, round, scene, words};
use crate::{Actors, Illegal, Last, Position, PositionError, Scene, Tally, Viewer};

/// Rounds of a game.
pub(super) const ROUNDS: u8 = 10;

/// The first round in which a garnet can be spent.
pub(super) const SPENDING_FROM: u8 = 3;

/// The most triforces of a game.
pub(super) const TRIFORCES_MAX: usize = 4;

/// A state of the game. Arrays are by seat, from index 0 for seat 1; entries of seats that the
/// game does not have keep their first value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    pub(super) setup: Setup,
    /// The running round, or the one that ended the game; from 1.
    pub(super) round: u8,
    /// The game is over.
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
    /// The submissions of the running round.
    pub(super) submitted: [Option<Submission>; SEATS],
}

/// Three seats that left the board together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Triforce {
    /// The cell in the middle.
    pub(super) at: Cell,
    /// The round.
    pub(super) round: u8,
    /// The seats from 1, ascending.
    pub(super) seats: [u8; 3],
}

/// A set of seats by index from 0.
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

    /// These without the others.
    pub(super) fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
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
            garnets: [setup.garnets; SEATS],
            powered: Seats::default(),
            tokens: Seats::default(),
            made: [None; TRIFORCES_MAX],
            submitted: [None; SEATS],
        }
    }

    /// How many seats there are.
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

    /// How many triforces have been made.
    pub(super) fn triforces_made(&self) -> u8 {
        self.triforces().count() as u8
    }

    /// Where a path leads from a cell; `None` where a step is not possible.
    pub(super) fn end(&self, from: Cell, submission: Submission) -> Option<Cell> {
        submission.steps().try_fold(from, |cell, step| cell.step(step, self.setup.side))
    }

    /// Whether a seat may spend a garnet now.
    pub(super) fn may_spend(&self, index: usize) -> bool {
        self.round >= SPENDING_FROM && self.garnets[index] > 0
    }

    /// Calls with the shortest path to each cell in reach, of equally short ones with the first in
    /// byte order.
    fn each_path(&self, from: Cell, mut visit: impl FnMut(Submission)) {
        // Paths of one length are extended in byte order, so whichever reaches a cell first is the
        // one to list. There are at most 1 + 3 + 6 + 12 of them without a step back.
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
                let Some(reached) = cell.step(step, self.setup.side) else { continue };
                if !seen[reached.index()] {
                    seen[reached.index()] = true;
                    queue[length] = (longer, reached);
                    length += 1;
                }
            }
        }
    }
}

/// The index of a seat that is to act.
fn index(actor: Actor) -> usize {
    match actor {
        Actor::Seat(seat) => usize::from(seat) - 1,
        Actor::Chance => unreachable!("chance never acts in this game"),
    }
}

impl Position for Board {
    type Action = Submission;

    fn seats(&self) -> u8 {
        self.setup.players
    }

    fn to_act(&self) -> Actors {
        if self.over {
            return Actors::NONE;
        }
        let waited_for = self.on_board().filter(|(index, _)| self.submitted[*index].is_none());
        waited_for.map(|(index, _)| Actor::Seat(index as u8 + 1)).collect()
    }

    fn legal(&self, actor: Actor, out: &mut Vec<Submission>) {
        let index = index(actor);
        let Some(cell) = self.cells[index] else { return };
        let may_spend = self.may_spend(index);
        self.each_path(cell, |path| {
            out.push(path);
            if may_spend {
                out.push(path.spending());
            }
        });
    }

    fn count_legal(&self, actor: Actor) -> usize {
        let index = index(actor);
        let Some(cell) = self.cells[index] else { return 0 };
        let mut count = 0;
        self.each_path(cell, |_| count += 1);
        if self.may_spend(index) { 2 * count } else { count }
    }

    fn judge(&self, actor: Actor, submission: &Submission) -> Result<(), Illegal> {
        let index = index(actor);
        let Some(start) = self.cells[index] else { return Err("your seat has left the board".into()) };
        if self.submitted[index].is_some() {
            return Err("you have submitted already, and a submission is final".into());
        }
        let mut cell = start;
        for step in submission.steps() {
            cell = cell.step(step, self.setup.side).ok_or_else(|| why_not(cell, step))?;
        }
        if !submission.spends || self.may_spend(index) {
            Ok(())
        } else if self.round < SPENDING_FROM {
            Err(format!("garnets cannot be spent before round {SPENDING_FROM}").into())
        } else {
            Err("you have no garnet left to spend".into())
        }
    }

    fn apply(&mut self, actor: Actor, submission: &Submission) {
        self.submitted[index(actor)] = Some(*submission);
        if self.on_board().all(|(index, _)| self.submitted[index].is_some()) {
            round::resolve(self);
        }
    }

    fn count(&self, actor: Actor, submission: &Submission, after: &Self, tally: &mut Tally) {
        if after.over || after.round != self.round {
            let mut submitted = self.submitted;
            submitted[index(actor)] = Some(*submission);
            measures::count(self, &submitted, after, tally);
        }
    }

    fn standing(&self, winners: &[u8], tally: &mut Tally) {
        measures::standing(self, winners, tally);
    }

    fn outcome(&self) -> Option<Outcome> {
        outcome::of(self)
    }

    fn to_json(&self, viewer: Viewer) -> Value {
        json::write(self, viewer)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        json::read(json)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, submission: &Submission) -> Option<String> {
        viewer.knows(actor).then(|| submission.to_string())
    }

    fn absent(&self, _seat: u8) -> Option<Submission> {
        Some(Submission::STAY)
    }

    fn scene(&self, viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        scene::draw(self, viewer, last.as_ref())
    }

    fn text(&self, viewer: Viewer) -> String {
        words::describe(self, viewer)
    }

    fn estimate(&self, seat: u8) -> i32 {
        estimate::of(self, usize::from(seat) - 1)
    }
}

/// Why a step cannot be taken.
fn why_not(cell: Cell, step: Step) -> Illegal {
    let letter = step.letter();
    match (step, cell.is_up()) {
        (Step::U, true) => format!("{cell} points up: from there the steps are L, R and D, not U").into(),
        (Step::D, false) => format!("{cell} points down: from there the steps are L, R and U, not D").into(),
        _ => format!("the step {letter} from {cell} leaves the board").into(),
    }
}
