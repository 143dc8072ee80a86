//! A position of Triangulate in words.

use crate::games::triangulate::board::Board;
use crate::games::triangulate::square::Square;

pub(in crate::games::triangulate) fn write(board: &Board) -> String {
    let mut text = status(board);
    for seat in 0..2u8 {
        let own = |frogs: &[u8]| frogs.contains(&(seat + 1));
        let places: Vec<String> = board
            .occupied()
            .iter()
            .map(|square| (square, board.frogs(square)))
            .filter(|(_, frogs)| own(frogs))
            .map(|(square, frogs)| describe(seat + 1, square, &frogs))
            .collect();
        let pads: Vec<String> = board.pads[usize::from(seat)].iter().map(|square| square.to_string()).collect();
        let pads = if pads.is_empty() { "none".to_owned() } else { pads.join(" ") };
        let supply = board.supply[usize::from(seat)];
        text += &format!("\nSeat {}: frogs {}; pads {pads}; {supply} pads in supply.", seat + 1, places.join(", "));
    }
    text
}

/// Who is to move, or how the game ended.
pub(super) fn status(board: &Board) -> String {
    match (board.over, board.third) {
        (false, _) => format!("Seat {} to move.", board.turn + 1),
        (true, None) => "Draw: neither seat can move.".to_owned(),
        (true, _) => format!("Seat {} wins with three frogs on a square.", board.turn + 1),
    }
}

/// A square with a seat's frogs: `b2`, `c3 (2 frogs)`, `d4 (under seat 2)`.
fn describe(seat: u8, square: Square, frogs: &[u8]) -> String {
    let own = frogs.iter().filter(|frog| **frog == seat).count();
    let place = square.to_string();
    match (own, frogs.len(), frogs.last()) {
        (1, 1, _) => place,
        (1, _, Some(top)) if *top == seat => format!("{place} (on seat {})", 3 - seat),
        (1, _, _) => format!("{place} (under seat {})", 3 - seat),
        _ => format!("{place} ({own} frogs)"),
    }
}
