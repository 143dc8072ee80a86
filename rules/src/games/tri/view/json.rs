//! Positions of TRI as JSON.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::games::tri::Tri;
use crate::games::tri::board::{Board, PIECES, Phase};
use crate::games::tri::lattice::{Placement, axial};
use crate::games::tri::notation::{Letter, Space, letter, names, set};
use crate::games::tri::shape::{Captures, EVERY_ISLAND, ISLANDS, Shape, islands, reached, spaces};
use crate::pairs;
use crate::view::Kind;

/// How far from the origin an island of a position may lie, in coarse steps: as far as a scene's board
/// coordinates reach. No game gets that far.
const FAR: i64 = 500_000;

/// The most actions a turn can have: one, and one for each of the six plain islands and a key.
const ACTIONS_MAX: u8 = 8;

/// A position as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(in crate::games::tri) struct View {
    /// Actions left in this turn.
    actions: u8,
    /// What is captured, if not groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    captures: Option<Captures>,
    /// The islands that still take a new piece.
    expand: Vec<Letter>,
    game: Kind<Tri>,
    /// `[q, r, turn]` of each island.
    #[serde(with = "pairs")]
    islands: Vec<(Letter, [i64; 3])>,
    keys: Vec<Letter>,
    phase: Phase,
    /// The owner of each piece.
    #[serde(with = "pairs")]
    pieces: Vec<(Space, u8)>,
    supply: [u8; 2],
    /// The seat to act; 0 when the game is over.
    to_act: u8,
}

impl From<&Board> for View {
    fn from(board: &Board) -> Self {
        let places = board.shape.islands.iter().zip(0..);
        let owner = |space| (Space(space), 1 + u8::from(board.pieces[1] >> space & 1 == 1));
        Self {
            actions: board.actions,
            captures: board.captures.unusual(),
            expand: islands(board.expand).map(Letter).collect(),
            game: Kind::default(),
            islands: places
                .map(|(Placement { anchor, turn }, island)| {
                    (Letter(island), [anchor.q.into(), anchor.r.into(), (*turn).into()])
                })
                .collect(),
            keys: islands(board.keys).map(Letter).collect(),
            phase: board.phase,
            pieces: spaces(board.pieces[0] | board.pieces[1]).map(owner).collect(),
            supply: [board.supply(0), board.supply(1)],
            to_act: if board.phase == Phase::Over { 0 } else { board.turn as u8 + 1 },
        }
    }
}

impl TryFrom<View> for Board {
    type Error = String;

    fn try_from(view: View) -> Result<Self, String> {
        let mut pieces = [0; 2];
        for (Space(space), seat) in view.pieces {
            let own = usize::from(seat).checked_sub(1).and_then(|seat| pieces.get_mut(seat));
            *own.ok_or("pieces are seats', 1 or 2")? |= 1u128 << space;
        }
        if pieces.iter().any(|own| own.count_ones() > u32::from(PIECES)) {
            return Err("a seat has 30 pieces at most".to_owned());
        }
        let turn = match (view.phase, view.to_act) {
            (Phase::Expand | Phase::Act, seat @ 1..=2) => usize::from(seat) - 1,
            (Phase::Over, 0) => 0,
            _ => return Err("`toAct` is 0 where `phase` is \"over\", and 1 or 2 elsewhere".to_owned()),
        };
        if view.actions > ACTIONS_MAX {
            return Err(format!("`actions` is a number, 0 to {ACTIONS_MAX}"));
        }
        let mut board = Self {
            shape: Arc::new(shape(&view.islands)?),
            pieces,
            keys: set(&view.keys).ok_or("`keys` names an island twice")?,
            captures: view.captures.unwrap_or_default(),
            expand: set(&view.expand).ok_or("`expand` names an island twice")?,
            actions: view.actions,
            turn,
            phase: view.phase,
        };
        if board.keys.count_ones() != 3 {
            return Err("there are three key islands".to_owned());
        }
        if [board.supply(0), board.supply(1)] != view.supply {
            return Err("each seat has 30 pieces, on the board and in `supply`".to_owned());
        }
        if board.phase == Phase::Over {
            board.turn = usize::from(board.holds_keys(1));
        }
        check_phase(&board)?;
        Ok(board)
    }
}

/// Refuses what cannot occur in any turn.
fn check_phase(board: &Board) -> Result<(), String> {
    if board.phase == Phase::Expand {
        let may = board.expanding();
        return if board.expand == 0 || board.expand & !may != 0 || board.actions != 0 {
            let may = names(may);
            Err(format!("islands that can take a piece here: {may:?}; there are no actions before they have"))
        } else {
            Ok(())
        };
    }
    if board.expand != 0 {
        return Err("`expand` is empty when expansion is over".to_owned());
    }
    let empty = board.empty();
    if board.pieces.iter().any(|own| board.shape.without_liberty(*own, empty, board.captures) != 0) {
        return Err("pieces without a liberty stand on the board after they were captured".to_owned());
    }
    let ended = board.holds_keys(board.turn) || board.is_bare();
    let why = match (board.phase, ended) {
        (Phase::Over, false) => "it is over, but nobody holds two key islands, and a seat has two pieces",
        (Phase::Over, true) if board.actions != 0 => "`actions` is 0 when the game is over",
        (Phase::Act, true) => "the game has ended here, but its phase is not \"over\"",
        (Phase::Act, false) if board.actions == 0 || !board.can_act() => "the seat to act has nothing it could do",
        _ => return Ok(()),
    };
    Err(why.to_owned())
}

/// The board of nine islands.
fn shape(placed: &[(Letter, [i64; 3])]) -> Result<Shape, String> {
    // They are sorted by letter and each occurs at most once, so nine are all.
    if placed.len() != ISLANDS {
        return Err("`islands` has all islands from A to I".to_owned());
    }
    let mut places = [Placement { anchor: axial(0, 0), turn: 0 }; ISLANDS];
    for (place, (_, numbers)) in places.iter_mut().zip(placed) {
        *place = placement(*numbers, FAR).ok_or("`islands` are [q, r, turn], with a turn of 0 to 5")?;
    }
    let shape = Shape::new(places);
    if let Some((a, b)) = shape.overlap() {
        return Err(format!("islands {} and {} overlap", letter(a), letter(b)));
    }
    if reached(EVERY_ISLAND, &shape.touching) != EVERY_ISLAND {
        return Err("the islands are not connected".to_owned());
    }
    Ok(shape)
}

/// The place written as `[q, r, turn]`, with coordinates up to `far` from the origin.
pub(in crate::games::tri) fn placement([q, r, turn]: [i64; 3], far: i64) -> Option<Placement> {
    let is_near = q.unsigned_abs().max(r.unsigned_abs()) <= far.unsigned_abs();
    (is_near && (0..=5).contains(&turn)).then(|| Placement { anchor: axial(q as i32, r as i32), turn: turn as u8 })
}
