//! Positions as JSON: complete, and as a viewer may see them.

use plybook_rules::{Actor, Position, PositionError, Viewer};
use serde_json::{Value, json};

use super::notation::PLACES;
use super::position::{Board, Phase};
use super::setup::{Pledges, Setup};

/// The position as a viewer may see it.
pub fn write(board: &Board, viewer: Viewer) -> Value {
    let phase = board.phase();
    let pledges = known(board, viewer, &board.pledges, phase == Phase::Over);
    let reached = known(board, viewer, &board.reached, phase == Phase::Roll);
    json!({
        "game": "heaps",
        "heaps": (0..board.setup.heaps.len()).map(|heap| board.left(heap)).collect::<Vec<_>>(),
        "phase": name(phase),
        "pledges": pledges,
        "reached": reached,
        "round": board.round,
        "setup": board.setup.to_json(),
        "taken": board.taken,
    })
}

/// Each seat's choice: the heap if the viewer may know it, otherwise whether there is one.
pub fn known(board: &Board, viewer: Viewer, said: &[Option<usize>], is_open: bool) -> Vec<Option<&'static str>> {
    let seats = (1..=board.setup.players).map(Actor::Seat);
    let is_known = |seat| is_open || board.phase() == Phase::Over || viewer.knows(seat);
    seats.zip(said).map(|(seat, heap)| heap.map(|heap| if is_known(seat) { PLACES[heap] } else { "?" })).collect()
}

/// The name of what is awaited.
pub fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Deal => "deal",
        Phase::Pledge => "pledge",
        Phase::Reach => "reach",
        Phase::Roll => "roll",
        Phase::Over => "over",
    }
}

/// Reads the complete JSON of a position.
pub fn read(json: &Value) -> Result<Board, PositionError> {
    let setup = Setup::read(&json["setup"]).map_err(|why| format!("`setup`: {why}"))?;
    let round = json["round"].as_u64().and_then(|round| u8::try_from(round).ok());
    let round = round.filter(|round| (1..=setup.rounds + 1).contains(round)).ok_or("`round` is none of the rounds")?;
    let mut board = Board::start(setup);
    board.round = round;
    board.pledges = said(json, "pledges", &board)?;
    board.reached = said(json, "reached", &board)?;
    board.taken = taken(json, &board)?;
    check(&board)?;
    // Nothing is missing, and nothing is contradictory.
    if board.to_json(Viewer::All) == *json { Ok(board) } else { Err("the members contradict each other".into()) }
}

fn said(json: &Value, member: &str, board: &Board) -> Result<Vec<Option<usize>>, PositionError> {
    let heap = |item: &Value| match item {
        Value::Null => Some(None),
        item => PLACES[..board.setup.heaps.len()].iter().position(|place| item == place).map(Some),
    };
    let items = json[member].as_array().filter(|items| items.len() == usize::from(board.setup.players));
    let said = items.and_then(|items| items.iter().map(heap).collect());
    said.ok_or_else(|| format!("`{member}` has a heap or null for each seat").into())
}

fn taken(json: &Value, board: &Board) -> Result<Vec<Vec<u8>>, PositionError> {
    let rows = serde_json::from_value::<Vec<Vec<u8>>>(json["taken"].clone()).ok();
    let heaps = &board.setup.heaps;
    let rows = rows.filter(|rows| {
        let is_whole = rows.len() == board.reached.len() && rows.iter().all(|row| row.len() == heaps.len());
        let sum = |heap: usize| rows.iter().map(|row| u32::from(row[heap])).sum::<u32>();
        is_whole && (0..heaps.len()).all(|heap| sum(heap) <= u32::from(heaps[heap]))
    });
    rows.ok_or_else(|| "`taken` has a row for each seat: stones of each heap, no more than it had".into())
}

/// Checks that a game can reach this position.
fn check(board: &Board) -> Result<(), PositionError> {
    let (phase, is_first) = (board.phase(), board.round == 1);
    let has_taken = board.taken.iter().flatten().any(|stones| *stones > 0);
    let has_reached = board.reached.iter().any(Option::is_some);
    let lacks_pledge = board.setup.pledges != Pledges::None && board.pledges.contains(&None);
    if lacks_pledge && board.setup.pledges == Pledges::Dealt && board.pledges.iter().any(Option::is_some) {
        return Err("`pledges`: all are dealt at once".into());
    }
    if board.setup.pledges == Pledges::None && board.pledges.iter().any(Option::is_some) {
        return Err("`pledges`: none are made in this game".into());
    }
    if lacks_pledge && (has_taken || has_reached || !is_first) {
        return Err("`pledges`: all are made before anything else".into());
    }
    if is_first && has_taken {
        return Err("`taken`: nothing is taken before the end of round 1".into());
    }
    if phase == Phase::Over && has_reached {
        return Err("`reached`: the game is over".into());
    }
    if board.reached.iter().flatten().any(|heap| board.left(*heap) == 0) {
        return Err("`reached`: nobody reaches for an empty heap".into());
    }
    if phase == Phase::Roll && board.alone().next().is_none() {
        return Err("`reached`: nobody reaches alone, so the round is over".into());
    }
    Ok(())
}
