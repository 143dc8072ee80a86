//! Positions as JSON.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::lattice::{Placement, axial};
use super::notation::{Space, island, letter, names, space};
use super::position::{Board, PIECES, Phase};
use super::shape::{EVERY_ISLAND, ISLANDS, Shape, islands, reached, spaces};
use crate::PositionError;

/// How far from the origin an island of a position may lie, in coarse steps: as far as the board
/// coordinates of a scene reach. No game gets there.
const FAR: i64 = 500_000;

/// The most actions a turn can have: one, and one for each of the six plain islands and a key.
const ACTIONS_MAX: u64 = 8;

pub(super) fn to_json(board: &Board) -> Value {
    let mut places = Map::new();
    for (island, place) in board.shape.islands.iter().enumerate() {
        let Placement { anchor, turn } = place;
        places.insert(letter(island as u8).to_string(), json!([anchor.q, anchor.r, turn]));
    }
    let mut pieces = Map::new();
    for seat in 0..2 {
        pieces.extend(spaces(board.pieces[seat]).map(|space| (Space(space).to_string(), json!(seat + 1))));
    }
    let (phase, to_act) = match board.phase {
        Phase::Expand => ("expand", board.turn + 1),
        Phase::Act => ("act", board.turn + 1),
        Phase::Over => ("over", 0),
    };
    json!({
        "actions": board.actions,
        "expand": letters(board.expand),
        "game": "tri",
        "islands": places,
        "keys": letters(board.keys),
        "phase": phase,
        "pieces": pieces,
        "supply": [board.supply(0), board.supply(1)],
        "toAct": to_act,
    })
}

/// The letters of a set of islands, as a list.
pub(super) fn letters(set: u16) -> Vec<String> {
    islands(set).map(|island| letter(island).to_string()).collect()
}

pub(super) fn from_json(json: &Value) -> Result<Board, PositionError> {
    let pieces = read_pieces(&json["pieces"])?;
    if pieces.iter().any(|own| own.count_ones() > u32::from(PIECES)) {
        return Err(wrong("a seat has 30 pieces at most"));
    }
    let (phase, turn) = match (json["phase"].as_str(), json["toAct"].as_u64()) {
        (Some("expand"), Some(seat @ 1..=2)) => (Phase::Expand, seat as usize - 1),
        (Some("act"), Some(seat @ 1..=2)) => (Phase::Act, seat as usize - 1),
        (Some("over"), Some(0)) => (Phase::Over, 0),
        _ => return Err(wrong("`phase` is \"expand\" or \"act\" with `toAct` 1 or 2, or \"over\" with `toAct` 0")),
    };
    let actions = json["actions"].as_u64().filter(|actions| *actions <= ACTIONS_MAX);
    let mut board = Board {
        shape: Arc::new(read_islands(&json["islands"])?),
        pieces,
        keys: read_letters(&json["keys"]).ok_or_else(|| wrong("`keys` is a list of islands"))?,
        expand: read_letters(&json["expand"]).ok_or_else(|| wrong("`expand` is a list of islands"))?,
        actions: actions.ok_or_else(|| wrong("`actions` is a number, 0 to 8"))? as u8,
        turn,
        phase,
    };
    if board.keys.count_ones() != 3 {
        return Err(wrong("there are three key islands"));
    }
    if phase == Phase::Over {
        board.turn = usize::from(board.holds_keys(1));
    }
    check_phase(&board)?;
    if to_json(&board) == *json { Ok(board) } else { Err(wrong("its members contradict each other")) }
}

/// Refuses what no turn can look like.
fn check_phase(board: &Board) -> Result<(), PositionError> {
    if board.phase == Phase::Expand {
        let may = board.expanding();
        return if board.expand == 0 || board.expand & !may != 0 || board.actions != 0 {
            let may = names(may);
            Err(wrong(&format!("islands that can take a piece here: {may:?}; there are no actions before they have")))
        } else {
            Ok(())
        };
    }
    if board.expand != 0 {
        return Err(wrong("`expand` is empty when expansion is over"));
    }
    let empty = board.empty();
    if board.pieces.iter().any(|own| board.shape.without_liberty(*own, empty) != 0) {
        return Err(wrong("pieces without a liberty stand on the board after they were captured"));
    }
    let ended = board.holds_keys(board.turn) || board.is_bare();
    match (board.phase, ended) {
        (Phase::Over, false) => Err(wrong("it is over, but nobody holds two key islands, and a seat has two pieces")),
        (Phase::Over, true) if board.actions != 0 => Err(wrong("`actions` is 0 when the game is over")),
        (Phase::Act, true) => Err(wrong("the game has ended here, but its phase is not \"over\"")),
        (Phase::Act, false) if board.actions == 0 || !board.can_act() => {
            Err(wrong("the seat to act has nothing it could do"))
        }
        _ => Ok(()),
    }
}

fn read_islands(json: &Value) -> Result<Shape, PositionError> {
    let must = || wrong("`islands` is an object from A to I, each [q, r, turn]");
    let object = json.as_object().filter(|object| object.len() == ISLANDS).ok_or_else(must)?;
    let mut places = [Placement { anchor: axial(0, 0), turn: 0 }; ISLANDS];
    for (place, island) in places.iter_mut().zip(0..) {
        let triple = object.get(&letter(island).to_string()).ok_or_else(must)?;
        *place = read_placement(triple, FAR).ok_or_else(must)?;
    }
    let shape = Shape::new(places);
    if let Some((a, b)) = shape.overlap() {
        return Err(wrong(&format!("islands {} and {} overlap", letter(a), letter(b))));
    }
    if reached(EVERY_ISLAND, &shape.touching) != EVERY_ISLAND {
        return Err(wrong("the islands do not hang together"));
    }
    Ok(shape)
}

/// Reads `[q, r, turn]` with coordinates up to `far` from the origin.
pub(super) fn read_placement(json: &Value, far: i64) -> Option<Placement> {
    let numbers: Vec<i64> = json.as_array()?.iter().map(Value::as_i64).collect::<Option<_>>()?;
    match numbers[..] {
        [q, r, turn @ 0..=5] if q.unsigned_abs().max(r.unsigned_abs()) <= far.unsigned_abs() => {
            Some(Placement { anchor: axial(q as i32, r as i32), turn: turn as u8 })
        }
        _ => None,
    }
}

fn read_pieces(json: &Value) -> Result<[u128; 2], PositionError> {
    let must = || wrong("`pieces` is an object from spaces, A1 to I8, to seats, 1 or 2");
    let mut pieces = [0; 2];
    for (name, seat) in json.as_object().ok_or_else(must)? {
        let here = 1u128 << space(name.as_bytes()).ok_or_else(must)?;
        match seat.as_u64() {
            Some(seat @ 1..=2) => pieces[seat as usize - 1] |= here,
            _ => return Err(must()),
        }
    }
    Ok(pieces)
}

/// Reads a list of islands' letters, each once, in any order.
pub(super) fn read_letters(json: &Value) -> Option<u16> {
    let mut set = 0;
    for name in json.as_array()? {
        let bit = match name.as_str()?.as_bytes() {
            [letter] => 1 << island(*letter)?,
            _ => return None,
        };
        if set & bit != 0 {
            return None;
        }
        set |= bit;
    }
    Some(set)
}

fn wrong(what: &str) -> PositionError {
    PositionError(format!("not a position of tri: {what}"))
}
