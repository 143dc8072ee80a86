//! A rough estimate of how well a seat stands, for the play of the demo.

use super::board::Board;
use super::lattice::{CELLS_MAX, Cell, Strip};

/// How well the seat with this index stands. Submissions so far count as if they had been carried out, as in
/// a game whose players talk to each other.
pub(super) fn of(board: &Board, index: usize) -> i32 {
    let garnets = i32::from(board.garnets[index]) * 12;
    let spent = if board.submitted[index].is_some_and(|submission| submission.spends) { 12 } else { 0 };
    let token = if board.tokens.contains(index) { 3_000 } else { 0 };
    let Some(cell) = destination(board, index) else { return 1_000 + token + garnets };
    let powered = board.powered.contains(index);
    let towards = if powered { pattern(board, index, cell) } else { line(board, index, cell) };
    let counts = if is_top(board, index, cell) { towards } else { towards / 3 };
    let power = if powered { 600 } else { 0 };
    token + garnets - spent + power + counts + i32::from(rank(board, index)) - distance(board, index, cell)
}

/// The cell that a seat's submission leads to, as far as it is known.
fn destination(board: &Board, index: usize) -> Option<Cell> {
    let cell = board.cells[index]?;
    board.submitted[index].map_or(Some(cell), |submission| board.end(cell, submission))
}

/// The priority a seat will have, roughly.
fn rank(board: &Board, index: usize) -> u8 {
    let spends = board.submitted[index].is_some_and(|submission| submission.spends);
    if spends { board.setup.players } else { board.priority[index] }
}

/// The other seats on the board, with the cells that they will be on.
fn others(board: &Board, index: usize) -> impl Iterator<Item = (usize, Cell)> {
    let seats = (0..board.players()).filter(move |other| *other != index);
    seats.filter_map(|other| Some((other, destination(board, other)?)))
}

fn is_top(board: &Board, index: usize, cell: Cell) -> bool {
    others(board, index).all(|(other, there)| there != cell || rank(board, other) < rank(board, index))
}

/// How close an unpowered seat is to a line.
fn line(board: &Board, index: usize, cell: Cell) -> i32 {
    let mut taken = [false; CELLS_MAX];
    others(board, index).for_each(|(_, cell)| taken[cell.index()] = true);
    let side = board.setup.side;
    let full = i32::from(board.setup.line);
    let longest = Strip::ALL.into_iter().map(|strip| {
        let ahead = std::iter::successors(strip.next(cell, side), |cell| strip.next(*cell, side));
        let behind = std::iter::successors(strip.previous(cell, side), |cell| strip.previous(*cell, side));
        let ahead = ahead.take_while(|cell| taken[cell.index()]).count();
        let behind = behind.take_while(|cell| taken[cell.index()]).count();
        (1 + ahead + behind) as i32
    });
    let longest = longest.max().unwrap_or(1).min(full);
    if longest == full { 500 } else { longest * 60 }
}

/// How close a powered seat is to a triforce.
fn pattern(board: &Board, index: usize, cell: Cell) -> i32 {
    let all = board.on_board().count() == 4;
    let mut ready = [false; CELLS_MAX];
    others(board, index)
        .filter(|(other, _)| all || board.powered.contains(*other))
        .for_each(|(_, cell)| ready[cell.index()] = true);
    let side = board.setup.side;
    let middles = Cell::all(side).filter_map(|middle| middle.neighbours(side)).filter(|cells| cells.contains(&cell));
    let found = middles.map(|cells| cells.iter().filter(|other| **other != cell && ready[other.index()]).count());
    match found.max() {
        Some(2) => 900,
        Some(1) => 150,
        _ => 0,
    }
}

/// The distance of the two nearest seats that could help.
fn distance(board: &Board, index: usize, cell: Cell) -> i32 {
    let powered = board.powered.contains(index);
    let useful = others(board, index).filter(|(other, _)| !powered || board.powered.contains(*other));
    let mut steps: Vec<i32> = useful.map(|(_, there)| apart(cell, there)).collect();
    steps.sort_unstable();
    steps.iter().take(2).sum::<i32>() * 4
}

/// Roughly the number of steps between two cells.
fn apart(a: Cell, b: Cell) -> i32 {
    let rows = i32::from(a.row()) - i32::from(b.row());
    let middle = |cell: Cell| i32::from(cell.number()) - i32::from(cell.row());
    let columns = middle(a) - middle(b);
    2 * rows.abs() + (columns.abs() - rows.abs()).max(0)
}
