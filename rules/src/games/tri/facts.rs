//! The facts of TRI.

use super::board::Board;
use super::measures::Counts;
use super::shape::{SPACES, islands, spaces};
use crate::{Fact, Position};

pub(super) const FACTS: &[Fact<Board>] = &[
    Fact::seat("islands", "Islands that the seat controls, keys included.", |board, seat| {
        i64::from(board.controlled(seat).count_ones())
    }),
    Fact::seat("keys", "Key islands that the seat controls.", |board, seat| {
        i64::from((board.controlled(seat) & board.keys).count_ones())
    }),
    Fact::game("freeKeys", "Key islands that no seat controls.", |board| {
        i64::from((board.keys & !board.controlled(0) & !board.controlled(1)).count_ones())
    }),
    Fact::seat("pieces", "Pieces of the seat on the board.", |board, seat| i64::from(board.pieces[seat].count_ones())),
    Fact::seat("groups", "Groups of the seat's pieces, linked by edges.", groups),
    Fact::counted("captured", "Pieces that the seat has captured so far, in its own turns.", Counts::captured),
    Fact::game("actions", "Actions that are left in the turn; 0 while the seat expands.", |board| {
        i64::from(board.actions)
    }),
    Fact::place("owner", "The seat whose piece is on the space, or who controls the island; 0 if none.", owner),
];

/// The number of groups.
fn groups(board: &Board, seat: usize) -> i64 {
    let (mut rest, mut groups) = (board.pieces[seat], 0);
    while rest != 0 {
        let mut group = rest & rest.wrapping_neg();
        loop {
            let linked = spaces(group).fold(group, |all, space| all | board.shape.edges[usize::from(space)]) & rest;
            if linked == group {
                break;
            }
            group = linked;
        }
        rest &= !group;
        groups += 1;
    }
    groups
}

/// The owner of a space, or of an island.
fn owner(board: &Board, place: usize) -> i64 {
    let holds = |seat: &usize| match place.checked_sub(SPACES) {
        None => board.pieces[*seat] >> place & 1 == 1,
        Some(island) => islands(board.controlled(*seat)).any(|held| usize::from(held) == island),
    };
    (0..usize::from(board.seats())).find(holds).map_or(0, |seat| seat as i64 + 1)
}
