//! The facts of Triangulate.

use super::board::Board;
use super::square::Square;
use crate::{Fact, Numbered};

pub(super) const FACTS: &[Fact<Board>] = &[
    Fact::seat("stacked", "Frogs of the seat that sit on another frog.", |board, seat| {
        board.upper[seat].len() as i64 + i64::from(board.third.is_some() && board.turn == seat)
    }),
    Fact::seat("pairs", "Squares on which two frogs of the seat are stacked.", |board, seat| {
        (board.lower[seat] & board.upper[seat]).len() as i64
    }),
    Fact::seat("blocked", "Frogs of the seat under a frog of the other seat.", |board, seat| {
        (board.lower[seat] & board.upper[1 - seat]).len() as i64
    }),
    Fact::seat("free", "Frogs of the seat that could move if it were its turn.", |board, seat| {
        board.movable(seat).iter().filter(|from| !board.targets(seat, *from).is_empty()).count() as i64
    }),
    Fact::seat("pads", "Pads of the seat on the board.", |board, seat| board.pads[seat].len() as i64),
    Fact::place("owner", "The seat of the topmost frog on the square; 0 if there is none.", |board, place| {
        board.frogs(Square::numbered(place as u8)).last().copied().map_or(0, i64::from)
    }),
    Fact::place("frogs", "Frogs on the square.", |board, place| {
        board.frogs(Square::numbered(place as u8)).len() as i64
    }),
    Fact::place("pad", "The seat whose pad lies on the square; 0 if there is none.", |board, place| {
        board.pad(Square::numbered(place as u8)).map_or(0, i64::from)
    }),
];
