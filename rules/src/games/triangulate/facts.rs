//! The facts of Triangulate.

use super::board::Board;
use super::square::{Square, Squares};
use crate::{Fact, Numbered};

pub(super) const FACTS: &[Fact<Board>] = &[
    Fact::seat("stacked", "Frogs of the seat that sit on another frog.", |board, seat| {
        count(board.upper[seat]) + i64::from(board.third.is_some() && board.turn == seat)
    }),
    Fact::seat("pairs", "Squares on which two frogs of the seat are stacked.", |board, seat| {
        count(board.lower[seat] & board.upper[seat])
    }),
    Fact::seat("blocked", "Frogs of the seat under a frog of the other seat.", |board, seat| {
        count(board.lower[seat] & board.upper[1 - seat])
    }),
    Fact::seat("free", "Frogs of the seat that could move if it were its turn.", |board, seat| {
        board.movable(seat).iter().filter(|from| !board.targets(seat, *from).is_empty()).count() as i64
    }),
    Fact::seat("pads", "Pads of the seat on the board.", |board, seat| count(board.pads[seat])),
    Fact::place("owner", "The seat of the topmost frog on the square; 0 if there is none.", |board, place| {
        let square = square(place);
        let third = (board.third == Some(square)).then_some(board.turn);
        let layers = [board.upper, board.lower];
        let top = || layers.iter().find_map(|layer| (0..2).find(|seat| layer[*seat].has(square)));
        third.or_else(top).map_or(0, |seat| seat as i64 + 1)
    }),
    Fact::place("frogs", "Frogs on the square.", |board, place| {
        let square = square(place);
        let layers = [board.lower[0] | board.lower[1], board.upper[0] | board.upper[1]];
        layers.iter().map(|layer| i64::from(layer.has(square))).sum::<i64>() + i64::from(board.third == Some(square))
    }),
    Fact::place("pad", "The seat whose pad lies on the square; 0 if there is none.", |board, place| {
        board.pad(square(place)).map_or(0, i64::from)
    }),
];

fn count(squares: Squares) -> i64 {
    squares.len() as i64
}

/// The square at an index of the places.
fn square(place: usize) -> Square {
    Square::numbered(place as u8)
}
