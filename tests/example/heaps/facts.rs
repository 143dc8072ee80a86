//! The facts of Heaps.

use plybook_rules::Fact;

use super::position::Board;

pub const FACTS: &[Fact<Board>] = &[
    Fact::game("round", "The current round; one more after the last.", |board| i64::from(board.round)),
    Fact::seat("stones", "Stones that the seat has taken.", |board, seat| i64::from(board.stones(seat))),
    Fact::seat("score", "Stones of the seat, with those of its pledge counted twice.", |board, seat| {
        i64::from(board.score(seat))
    }),
    Fact::place("left", "Stones left on the heap; 0 if there is no such heap.", |board, heap| {
        if heap < board.setup.heaps.len() { i64::from(board.left(heap)) } else { 0 }
    }),
];
