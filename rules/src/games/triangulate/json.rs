//! Positions of Triangulate as JSON.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Triangulate;
use super::board::{Board, PADS, START};
use super::square::{Square, Squares};
use crate::view::Kind;
use crate::{Position, pairs};

/// A position as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct View {
    /// The occupied squares.
    #[serde(with = "pairs")]
    board: Vec<(Square, Place)>,
    /// Whether the action may carry seat 2's extra pad.
    extra: bool,
    /// Where the extra pad may go, if not on an empty square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extra_pad: Option<Value>,
    /// The seat that began, if not seat 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<Value>,
    game: Kind<Triangulate>,
    passed: bool,
    supply: [u8; 2],
    /// The seat to act; 0 when the game is over.
    to_act: u8,
}

/// What is on a square.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    /// By seat, from bottom to top.
    #[serde(default, skip_serializing_if = "<[u8]>::is_empty")]
    frogs: Cow<'static, [u8]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pad: Option<u8>,
}

impl From<&Board> for View {
    fn from(board: &Board) -> Self {
        let settings = board.settings();
        let occupied = board.occupied() | board.pads[0] | board.pads[1];
        let place = |square| (square, Place { frogs: board.frogs(square).into(), pad: board.pad(square) });
        let by_name = (0..8).flat_map(|column| (0..8).map(move |row| Square::at(column, row)));
        Self {
            board: by_name.filter(|square| occupied.has(*square)).map(place).collect(),
            extra: board.extra(),
            extra_pad: settings.get("extraPad").cloned(),
            first: settings.get("first").cloned(),
            game: Kind::default(),
            passed: board.passed,
            supply: board.supply,
            to_act: if board.over { 0 } else { board.turn as u8 + 1 },
        }
    }
}

impl TryFrom<View> for Board {
    type Error = &'static str;

    fn try_from(view: View) -> Result<Self, Self::Error> {
        let index = |seat: u8| (1..=2).contains(&seat).then(|| usize::from(seat) - 1);
        let (passed, over) = (view.passed, view.to_act == 0);
        let first = usize::from(view.first.is_some_and(|seat| seat == 2));
        let mut board = Self { first, anywhere: view.extra_pad.is_some(), passed, over, ..Self::default() };
        for (square, place) in view.board {
            for (height, frog) in place.frogs.iter().enumerate() {
                let seat = index(*frog).ok_or("frogs are seats, 1 or 2")?;
                match height {
                    0 => board.lower[seat] |= square,
                    1 => board.upper[seat] |= square,
                    _ => (board.third, board.turn) = (Some(square), seat),
                }
            }
            if let Some(owner) = place.pad {
                board.pads[index(owner).ok_or("a pad is a seat's, 1 or 2")?] |= square;
            }
        }
        if !over {
            board.turn = index(view.to_act).ok_or("`toAct` is 0, 1 or 2")?;
        }
        board.supply = board.pads.map(|pads| PADS.saturating_sub(pads.len() as u8));
        if board.supply != view.supply {
            return Err("each seat has 32 pads, on the board and in supply");
        }
        let unmoved = board.lower == START && board.pads == [Squares::EMPTY; 2] && board.turn == first;
        board.fresh = view.extra || unmoved;
        board.possible()?;
        Ok(board)
    }
}
