//! A rough estimate of how well a seat stands, for the play of the demo.

use super::board::Board;
use super::shape::{CENTRES, EVERY_ISLAND, centres, islands, spaces, whole};

/// Longer distances count as this long, so that a rotation changes little and islands are not turned back and
/// forth for the sake of distances.
const FAR: i32 = 4;

pub(super) fn estimate(board: &Board, seat: usize) -> i32 {
    let pieces = board.pieces[seat].count_ones() as i32;
    let held = islands(EVERY_ISLAND).map(|island| foothold(board, seat, island));
    pieces * 16 + held.sum::<i32>() - weakness(board, seat)
}

/// How much of an island a seat has: its centres, or pieces on their way there.
fn foothold(board: &Board, seat: usize, island: u8) -> i32 {
    let (goals, own) = (centres(island), board.pieces[seat]);
    let weight = if board.keys >> island & 1 == 1 { 2 } else { 1 };
    let centres = (goals & own).count_ones() as i32;
    // A piece on a centre of its own is not on its way to another.
    let coming = own & !CENTRES;
    let ways: i32 = spaces(goals & !own).map(|goal| distance(board, seat, goal, coming)).sum();
    let crowd = if centres == 2 && weight == 1 { crowding(board, island) } else { 0 };
    weight * (centres * 14 + centres / 2 * 40 - ways) - crowd
}

/// The cost of pieces that wait on an island about to grow: a full island loses its centres.
fn crowding(board: &Board, island: u8) -> i32 {
    let above = 5 - (board.empty() & whole(island)).count_ones() as i32;
    above.max(0).pow(2) * 3
}

/// The number of moves from the nearest of these pieces to a space, around the other seat's pieces.
fn distance(board: &Board, seat: usize, goal: u8, coming: u128) -> i32 {
    let mut reached = 1 << goal;
    let mut fresh = reached;
    for moves in 1..FAR {
        let around = spaces(fresh).fold(0, |around, space| around | board.shape.points[usize::from(space)]);
        fresh = around & !reached & !board.pieces[1 - seat];
        reached |= fresh;
        if fresh & coming != 0 {
            return moves;
        }
    }
    FAR
}

/// The value of groups with few liberties to the other seat: the fewer, the higher.
fn weakness(board: &Board, seat: usize) -> i32 {
    let empty = board.empty();
    let mut rest = board.pieces[seat];
    let mut sum = 0;
    while rest != 0 {
        let mut group = rest & rest.wrapping_neg();
        let mut fresh = group;
        let mut around = 0;
        while fresh != 0 {
            let edges = spaces(fresh).fold(0, |edges, space| edges | board.shape.edges[usize::from(space)]);
            fresh = edges & board.pieces[seat] & !group;
            group |= fresh;
            around |= edges;
        }
        rest &= !group;
        let danger = match (around & empty).count_ones() {
            0 | 1 => 8,
            2 => 3,
            3 => 1,
            _ => 0,
        };
        sum += danger * (1 + group.count_ones() as i32);
    }
    sum
}
