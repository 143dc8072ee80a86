//! Triangulate as text: moves, positions as JSON and in words.

use std::fmt;
use std::str::FromStr;

use serde_json::{Map, Value, json};

use super::position::{Board, PADS, START, squares};
use crate::{PositionError, Syntax};

/// A move: a frog from one square to another, perhaps with an extra pad; or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// `A-B` or `A-B+C`; squares are numbered `8 * row + column`.
    Frog {
        /// Where the frog sits.
        from: u8,
        /// Where it goes.
        to: u8,
        /// Where seat 2's extra pad goes.
        extra: Option<u8>,
    },
    /// `pass`.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Pass => f.write_str("pass"),
            Self::Frog { from, to, extra: None } => write!(f, "{}-{}", name(from), name(to)),
            Self::Frog { from, to, extra: Some(pad) } => write!(f, "{}-{}+{}", name(from), name(to), name(pad)),
        }
    }
}

impl FromStr for Move {
    type Err = Syntax;

    fn from_str(token: &str) -> Result<Self, Syntax> {
        if token == "pass" {
            return Ok(Move::Pass);
        }
        let wrong = || Syntax::from("a move is written b1-b2, seat 2's first move also b1-b2+f6, and a pass `pass`");
        match token.as_bytes() {
            [a, b, b'-', c, d] => Some((a, b, c, d, None)),
            [a, b, b'-', c, d, b'+', e, f] => Some((a, b, c, d, Some((e, f)))),
            _ => None,
        }
        .and_then(|(a, b, c, d, extra)| {
            let extra = match extra {
                Some((e, f)) => Some(square(*e, *f)?),
                None => None,
            };
            Some(Move::Frog { from: square(*a, *b)?, to: square(*c, *d)?, extra })
        })
        .ok_or_else(wrong)
    }
}

/// The number of the square with this column letter and row digit.
fn square(column: u8, row: u8) -> Option<u8> {
    let inside = matches!(column, b'a'..=b'h') && matches!(row, b'1'..=b'8');
    inside.then(|| 8 * (row - b'1') + column - b'a')
}

/// The name of a square: `a1`.
pub(super) fn name(square: u8) -> String {
    let name = [b'a' + square % 8, b'1' + square / 8];
    name.iter().map(|b| char::from(*b)).collect()
}

/// The frogs on a square from bottom to top, by seat from 1.
pub(super) fn frogs(board: &Board, square: u8) -> Vec<u8> {
    let here = |mask: u64| mask >> square & 1 == 1;
    let mut frogs = Vec::new();
    for layer in [board.lower, board.upper] {
        frogs.extend((0..2).filter(|seat| here(layer[*seat])).map(|seat| seat as u8 + 1));
    }
    if here(board.third) {
        frogs.push(board.turn as u8 + 1);
    }
    frogs
}

/// The seat whose pad lies on a square.
pub(super) fn pad(board: &Board, square: u8) -> Option<u8> {
    (0..2).find(|seat| board.pads[*seat] >> square & 1 == 1).map(|seat| seat as u8 + 1)
}

pub(super) fn to_json(board: &Board) -> Value {
    let mut places = Map::new();
    for square in squares(board.occupied() | board.pads[0] | board.pads[1]) {
        let mut place = Map::new();
        let frogs = frogs(board, square);
        if !frogs.is_empty() {
            place.insert("frogs".into(), frogs.into());
        }
        if let Some(seat) = pad(board, square) {
            place.insert("pad".into(), seat.into());
        }
        places.insert(name(square), place.into());
    }
    json!({
        "board": places,
        "extra": board.fresh && board.turn == 1 && !board.over,
        "game": "triangulate",
        "passed": board.passed,
        "supply": board.supply,
        "toAct": if board.over { 0 } else { board.turn + 1 },
    })
}

pub(super) fn from_json(json: &Value) -> Result<Board, PositionError> {
    let wrong = |what: &str| PositionError(format!("not a position of triangulate: {what}"));
    let seat = |value: &Value| value.as_u64().filter(|seat| (1..=2).contains(seat)).map(|seat| seat as usize - 1);
    let places = json["board"].as_object().ok_or_else(|| wrong("`board` is an object of squares"))?;
    let to_act = json["toAct"].as_u64().filter(|seat| *seat <= 2).ok_or_else(|| wrong("`toAct` is 0, 1 or 2"))?;
    let passed = json["passed"].as_bool().ok_or_else(|| wrong("`passed` is true or false"))?;
    let extra = json["extra"].as_bool().ok_or_else(|| wrong("`extra` is true or false"))?;
    let mut board = Board { lower: [0; 2], pads: [0; 2], passed, over: to_act == 0, ..Board::start() };
    let mut winner = None;
    for (name, place) in places {
        let square = match name.as_bytes() {
            [column, row] => square(*column, *row),
            _ => None,
        };
        let here = 1u64 << square.ok_or_else(|| wrong("squares are a1 to h8"))?;
        let frogs = place.get("frogs").map_or(&[][..], |frogs| frogs.as_array().map_or(&[][..], Vec::as_slice));
        for (height, frog) in frogs.iter().enumerate() {
            let seat = seat(frog).ok_or_else(|| wrong("frogs are seats, 1 or 2"))?;
            match height {
                0 => board.lower[seat] |= here,
                1 => board.upper[seat] |= here,
                2 => {
                    board.third |= here;
                    winner = Some(seat);
                }
                _ => return Err(wrong("a square holds at most three frogs")),
            }
        }
        if let Some(owner) = place.get("pad") {
            board.pads[seat(owner).ok_or_else(|| wrong("a pad is a seat's, 1 or 2"))?] |= here;
        }
    }
    board.supply = board.pads.map(|pads| PADS.saturating_sub(pads.count_ones() as u8));
    board.turn = if to_act == 0 { winner.unwrap_or(0) } else { to_act as usize - 1 };
    let unmoved = board.lower == START && board.pads == [0; 2] && board.turn == 0;
    board.fresh = extra || unmoved;
    board.possible().map_err(wrong)?;
    if to_json(&board) == *json { Ok(board) } else { Err(wrong("its members contradict each other")) }
}

pub(super) fn to_text(board: &Board) -> String {
    let mut text = match (board.over, board.third) {
        (false, _) => format!("Seat {} to move.", board.turn + 1),
        (true, 0) => "Draw: neither seat can move.".to_owned(),
        (true, _) => format!("Seat {} wins with three frogs on a square.", board.turn + 1),
    };
    for seat in 0..2u8 {
        let own = |frogs: &[u8]| frogs.contains(&(seat + 1));
        let places: Vec<String> = squares(board.occupied())
            .map(|square| (square, frogs(board, square)))
            .filter(|(_, frogs)| own(frogs))
            .map(|(square, frogs)| describe(seat + 1, square, &frogs))
            .collect();
        let pads: Vec<String> = squares(board.pads[usize::from(seat)]).map(name).collect();
        let pads = if pads.is_empty() { "none".to_owned() } else { pads.join(" ") };
        let supply = board.supply[usize::from(seat)];
        text += &format!("\nSeat {}: frogs {}; pads {pads}; {supply} pads in supply.", seat + 1, places.join(", "));
    }
    text
}

/// A square with a seat's frogs: `b2`, `c3 (2 frogs)`, `d4 (under seat 2)`.
fn describe(seat: u8, square: u8, frogs: &[u8]) -> String {
    let own = frogs.iter().filter(|frog| **frog == seat).count();
    let place = name(square);
    match (own, frogs.len(), frogs.last()) {
        (1, 1, _) => place,
        (1, _, Some(top)) if *top == seat => format!("{place} (on seat {})", 3 - seat),
        (1, _, _) => format!("{place} (under seat {})", 3 - seat),
        _ => format!("{place} ({own} frogs)"),
    }
}
