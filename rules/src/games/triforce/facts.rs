//! The facts of Triforce.

use super::board::Board;
use super::combat::Combat;
use super::place::Place;
use super::stack::{Owner, Piece, Stack};
use crate::{Fact, Numbered};

pub(super) const FACTS: &[Fact<Board>] = &[
    Fact::seat("territories", "Stacks with a piece of the seat at the bottom.", |board, seat| {
        board.territories(number(seat)) as i64
    }),
    Fact::seat("pinned", "1 if the seat can neither place nor move a piece, else 0.", |board, seat| {
        i64::from(!board.is_free(number(seat), board.open()))
    }),
    Fact::seat("pieces", "Pieces of the seat on the board.", |board, seat| {
        board.stacks.iter().map(|stack| stack.count(Owner::Seat(number(seat))) as i64).sum()
    }),
    Fact::seat("stash", "Pieces in the seat's stash.", |board, seat| {
        board.stash[seat].iter().map(|pieces| i64::from(*pieces)).sum()
    }),
    Fact::seat("swords", "Stacks in which the seat fights with the sword, or would.", |board, seat| {
        combats(board).filter(|(combat, stack)| combat.sword_user(*stack) == Some(number(seat))).count() as i64
    }),
    Fact::seat("shields", "Stacks in which the seat fights with the shield, or would.", |board, seat| {
        combats(board).filter(|(combat, stack)| combat.shield_user(*stack) == Some(number(seat))).count() as i64
    }),
    Fact::game("contested", "Stacks that will be fought over: four pieces or more, of two seats or more.", |board| {
        board.contested().len() as i64
    }),
    Fact::game("spent", "Placements and moves made in the turn.", |board| i64::from(board.spent)),
    Fact::place("owner", "The seat whose piece is at the bottom of the stack; 0 if there is none.", |board, place| {
        board.stacks[place].bottom().and_then(Piece::seat).map_or(0, i64::from)
    }),
    Fact::place("top", "The seat whose piece is on top of the stack; 0 if there is none.", |board, place| {
        board.stacks[place].top().and_then(Piece::seat).map_or(0, i64::from)
    }),
    Fact::place("height", "Pieces in the stack, swords and shields included.", |board, place| {
        board.stacks[place].len() as i64
    }),
    Fact::place("pawns", "Pawns at the territory.", |board, place| {
        let seats = usize::from(board.players);
        board.pawns[..seats].iter().filter(|pawn| pawn.index() == place).count() as i64
    }),
];

/// The number of a seat, from its index.
fn number(seat: usize) -> u8 {
    seat as u8 + 1
}

/// The stacks, each with the combat that is fought over it or, elsewhere, a new one.
fn combats(board: &Board) -> impl Iterator<Item = (Combat, Stack)> {
    let fought = board.combat();
    board.stacks.iter().enumerate().map(move |(place, stack)| {
        let new = board.combat_on(Place::numbered(place as u8));
        (fought.filter(|combat| combat.at == new.at).unwrap_or(new), *stack)
    })
}
