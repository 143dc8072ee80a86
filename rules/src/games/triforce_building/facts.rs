//! The facts of Triforce Building. They look at where the seats are, not at what is submitted for the round.

use super::board::Board;
use super::lattice::{Cell, Step};
use crate::Fact;

pub(super) const FACTS: &[Fact<Board>] = &[
    Fact::game("round", "The round that is played, or that ended the game.", |board| i64::from(board.round)),
    Fact::game("triforces", "Triforces made.", |board| i64::from(board.triforces_made())),
    Fact::seat("powered", "1 if the seat is powered, else 0.", |board, seat| i64::from(board.powered.contains(seat))),
    Fact::seat("present", "1 if the seat is on the board, 0 once it has left.", |board, seat| {
        i64::from(board.cells[seat].is_some())
    }),
    Fact::seat("garnets", "Garnets of the seat.", |board, seat| i64::from(board.garnets[seat])),
    Fact::seat("priority", "The priority of the seat; the highest is the number of seats.", |board, seat| {
        i64::from(board.priority[seat])
    }),
    Fact::game("poweredSeats", "Powered seats on the board.", |board| {
        board.on_board().filter(|(seat, _)| board.powered.contains(*seat)).count() as i64
    }),
    Fact::place("seats", "Seats on the cell.", |board, place| {
        board.on_board().filter(|(_, cell)| cell.index() == place).count() as i64
    }),
    Fact::place("poweredNear", "Powered seats on the cell and on those across its edges.", |board, place| {
        let powered = board.on_board().filter(|(seat, _)| board.powered.contains(*seat));
        powered.filter(|(_, cell)| is_near(*cell, place, board.setup.side)).count() as i64
    }),
];

/// Whether a cell is at a place, or across an edge from it.
fn is_near(cell: Cell, place: usize, side: u8) -> bool {
    let around = Step::ALL.into_iter().filter_map(|step| cell.step(step, side));
    around.chain([cell]).any(|near| near.index() == place)
}
