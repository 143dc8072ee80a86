//! How well a seat stands, roughly, for the play of the demo.

use super::position::Board;
use super::shape::{centres, islands, spaces};

pub(super) fn estimate(board: &Board, seat: usize) -> i32 {
    let own = board.pieces[seat];
    let held = board.controlled(seat);
    let keys = (held & board.keys).count_ones() as i32;
    let plain = (held & !board.keys).count_ones() as i32;
    let to_act = i32::from(board.turn == seat);
    let mut sum = own.count_ones() as i32 * 20 + plain * 90 + keys * (260 + 200 * to_act);
    for key in islands(board.keys) {
        sum += (own & centres(key)).count_ones() as i32 * 70 + nearness(board, seat, centres(key));
    }
    sum + weakness(board, seat)
}

/// More for pieces close to these spaces, counted in moves over spaces that the other seat leaves.
fn nearness(board: &Board, seat: usize, goal: u128) -> i32 {
    let own = board.pieces[seat];
    let mut reached = goal;
    let mut fresh = goal;
    let mut sum = 0;
    for weight in [9, 6, 4, 2, 1] {
        let around = spaces(fresh).fold(0, |around, space| around | board.shape.points[usize::from(space)]);
        fresh = around & !reached & !board.pieces[1 - seat];
        reached |= fresh;
        sum += (fresh & own).count_ones() as i32 * weight;
    }
    sum
}

/// Less for pieces that have few empty neighbours and no friends beside them.
fn weakness(board: &Board, seat: usize) -> i32 {
    let (own, empty) = (board.pieces[seat], board.empty());
    let exposed = |space: u8| {
        let edges = board.shape.edges[usize::from(space)];
        match ((edges & empty).count_ones(), edges & own) {
            (0, 0) => -20,
            (1, 0) => -8,
            (0, _) => -2,
            _ => 0,
        }
    };
    spaces(own).map(exposed).sum()
}
