//! Positions as JSON: complete, and as a viewer may see them.

use plybook_events::Actor;
use serde_json::{Map, Value, json};

use crate::games::triforce_building::board::{Board, ROUNDS, SPENDING_FROM, Seats, TRIFORCES_MAX, Triforce};
use crate::games::triforce_building::lattice::Cell;
use crate::games::triforce_building::notation::Submission;
use crate::games::triforce_building::setup::{Given, SEATS};
use crate::games::triforce_building::{outcome, round};
use crate::{Position, PositionError, Viewer};

const GAME: &str = "triforce-building";

/// The position as a viewer may see it.
pub(crate) fn write(board: &Board, viewer: Viewer) -> Value {
    match own(board, viewer) {
        Seen::All => complete(board),
        Seen::Public => public(board),
        Seen::Own(index) => {
            let mut json = public(board);
            let cell = board.cells[index];
            json["viewer"] = (index + 1).into();
            json["own"] = json!({
                "cell": cell.map(|cell| cell.to_string()),
                "garnets": board.garnets[index],
                "powered": board.powered.contains(index),
                "priority": cell.map(|_| board.priority[index]),
                "token": u8::from(board.tokens.contains(index)),
            });
            if let Some(submission) = board.submitted[index] {
                json["submitted"][(index + 1).to_string()] = submission.to_string().into();
            }
            json
        }
    }
}

/// What a viewer sees of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Everything: the arbiter, or anybody once the game is over.
    All,
    /// What is announced to all.
    Public,
    /// That, and what concerns the seat with this index.
    Own(usize),
}

/// What a viewer sees. A seat that the game does not have sees what everybody sees.
pub(super) fn own(board: &Board, viewer: Viewer) -> Seen {
    match viewer {
        _ if board.over => Seen::All,
        Viewer::All => Seen::All,
        Viewer::Seat(seat) if (1..=board.setup.players).contains(&seat) => Seen::Own(usize::from(seat) - 1),
        Viewer::Public | Viewer::Seat(_) => Seen::Public,
    }
}

/// The spaces with somebody on them, ascending, and whether a powered seat is there.
pub(super) fn spaces(board: &Board) -> Vec<(Cell, bool)> {
    let mut spaces: Vec<(Cell, bool)> =
        board.on_board().map(|(index, cell)| (cell, board.powered.contains(index))).collect();
    // Powered ones come first on a cell and are kept.
    spaces.sort_unstable_by_key(|(cell, powered)| (*cell, !powered));
    spaces.dedup_by_key(|(cell, _)| *cell);
    spaces
}

fn complete(board: &Board) -> Value {
    let players = board.players();
    let flags = |seats: Seats| (0..players).map(|index| seats.contains(index)).collect::<Vec<_>>();
    let names: Vec<Option<String>> =
        board.cells[..players].iter().map(|cell| cell.map(|cell| cell.to_string())).collect();
    let made: Vec<Value> = board
        .triforces()
        .map(|made| json!({"at": made.at.to_string(), "round": made.round, "seats": made.seats}))
        .collect();
    let mut submitted = Map::new();
    for (index, submission) in board.submitted.iter().enumerate() {
        if let Some(submission) = submission {
            submitted.insert((index + 1).to_string(), submission.to_string().into());
        }
    }
    json!({
        "cells": names,
        "game": GAME,
        "garnets": &board.garnets[..players],
        "made": made,
        "over": board.over,
        "phase": if board.over { "over" } else { "submit" },
        "powered": flags(board.powered),
        "priority": &board.priority[..players],
        "round": board.round,
        "setup": board.setup.to_json(),
        "submitted": submitted,
        "tokens": flags(board.tokens).into_iter().map(u8::from).collect::<Vec<_>>(),
    })
}

/// What is announced to all while the game runs.
fn public(board: &Board) -> Value {
    let setup = &board.setup;
    let spaces: Map<String, Value> = spaces(board)
        .into_iter()
        .map(|(cell, powered)| (cell.to_string(), if powered { "powered" } else { "unpowered" }.into()))
        .collect();
    let labels = labels(board).map(|labels| {
        let members = labels.into_iter().map(|(letter, cell)| (letter.to_string(), cell.to_string().into()));
        members.collect::<Map<String, Value>>()
    });
    let submitted: Map<String, Value> = (0..board.players())
        .filter(|index| board.submitted[*index].is_some())
        .map(|index| ((index + 1).to_string(), Value::Null))
        .collect();
    let triforces: Vec<Value> = board
        .triforces()
        .map(|made| {
            let cells = made.at.neighbours(setup.side).expect("the middle of a triforce has three neighbours");
            json!({"cells": cells.map(|cell| cell.to_string()), "round": made.round, "seats": made.seats})
        })
        .collect();
    json!({
        "board": spaces,
        "game": GAME,
        "garnets": setup.garnets,
        "labels": labels,
        "over": false,
        "phase": "submit",
        "priority": setup.priority(),
        "round": board.round,
        "setup": {"line": setup.line, "players": setup.players, "side": setup.side},
        "submitted": submitted,
        "triforces": triforces,
        "viewer": "public",
    })
}

/// The letters and their start cells, in round 1.
pub(super) fn labels(board: &Board) -> Option<Vec<(char, Cell)>> {
    // Nobody moves before round 1 is resolved, so the seats are still where they started.
    let labelled = || {
        let seats = board.setup.labels().iter().zip('A'..);
        seats.filter_map(|(seat, letter)| Some((letter, board.cells[usize::from(*seat) - 1]?))).collect()
    };
    (board.round == 1 && !board.over).then(labelled)
}

/// Reads the complete JSON of a position.
pub(crate) fn read(json: &Value) -> Result<Board, PositionError> {
    let wrong = |what: &str| PositionError(format!("not a position of {GAME}: {what}"));
    let given = Given::read(&json["setup"]).map_err(|why| wrong(&why.0))?;
    let setup = given.setup;
    let players = usize::from(setup.players);
    let list = |key: &str| {
        let items = json[key].as_array().filter(|items| items.len() == players);
        items.ok_or_else(|| wrong(&format!("`{key}` is a list with an entry for each of {players} seats")))
    };
    let mut board = Board::start(setup, &[]);
    board.over = json["over"].as_bool().ok_or_else(|| wrong("`over` is true or false"))?;
    board.round = small(&json["round"], 1, ROUNDS).ok_or_else(|| wrong("`round` is from 1 to 10"))?;
    for (index, name) in list("cells")?.iter().enumerate() {
        if !name.is_null() {
            let cell = name.as_str().and_then(|name| Cell::parse(name, setup.side));
            board.cells[index] =
                Some(cell.ok_or_else(|| wrong("`cells` are cells of the board such as 4.3, or null"))?);
        }
    }
    for (index, item) in list("garnets")?.iter().enumerate() {
        board.garnets[index] = small(item, 0, u8::MAX).ok_or_else(|| wrong("`garnets` are small whole numbers"))?;
    }
    for (index, item) in list("priority")?.iter().enumerate() {
        let priority = small(item, 1, setup.players).filter(|priority| !board.priority[..index].contains(priority));
        board.priority[index] = priority.ok_or_else(|| wrong("`priority` has each number once, 1 to the seats"))?;
    }
    for (index, item) in list("powered")?.iter().enumerate() {
        if item.as_bool().ok_or_else(|| wrong("`powered` are true or false"))? {
            board.powered.insert(index);
        }
    }
    board.made = read_made(&json["made"], &board).ok_or_else(|| {
        wrong("`made` lists triforces as {\"at\":cell,\"round\":number,\"seats\":[three, ascending]}")
    })?;
    check_triforces(&board).map_err(wrong)?;
    give_tokens(&mut board);
    check_seats(&board).map_err(wrong)?;
    read_submitted(&json["submitted"], &mut board).map_err(|what| wrong(&what))?;
    if complete(&board) == *json { Ok(board) } else { Err(wrong("its members contradict each other")) }
}

fn small(value: &Value, min: u8, max: u8) -> Option<u8> {
    let number = u8::try_from(value.as_u64()?).ok()?;
    (min..=max).contains(&number).then_some(number)
}

fn read_made(json: &Value, board: &Board) -> Option<[Option<Triforce>; TRIFORCES_MAX]> {
    let setup = &board.setup;
    let items = json.as_array().filter(|items| items.len() <= usize::from(setup.triforces()))?;
    let mut made = [None; TRIFORCES_MAX];
    for (slot, item) in made.iter_mut().zip(items) {
        let at = Cell::parse(item["at"].as_str()?, setup.side)?;
        at.neighbours(setup.side)?;
        let [a, b, c] = item["seats"].as_array()?.as_slice() else { return None };
        let seat = |item: &Value| small(item, 1, setup.players);
        let seats = [seat(a)?, seat(b)?, seat(c)?];
        let ascending = seats[0] < seats[1] && seats[1] < seats[2];
        *slot = Some(Triforce { at, round: small(&item["round"], 1, board.round)?, seats }).filter(|_| ascending);
        slot.as_ref()?;
    }
    Some(made)
}

/// Whether the triforces agree with the round, the cells and the end.
fn check_triforces(board: &Board) -> Result<(), &'static str> {
    let made: Vec<Triforce> = board.triforces().collect();
    let all_made = board.triforces_made() == board.setup.triforces();
    let last = made.last().map_or(0, |last| last.round);
    let in_order = made.is_sorted_by_key(|made| made.round);
    let in_time = if board.over { last <= board.round } else { last < board.round };
    if !in_order || !in_time {
        return Err("`made` is in order of rounds, before the running one");
    }
    let ended = if all_made { last == board.round } else { board.round == ROUNDS };
    if board.over && !ended || !board.over && all_made {
        return Err("a game is over when all its triforces are made, or after round 10, and no earlier");
    }
    let mut left = Seats::default();
    for (number, made) in made.iter().enumerate() {
        for index in made.seats.map(|seat| usize::from(seat) - 1) {
            if left.contains(index) || board.cells[index].is_some() {
                return Err("a seat of a triforce has left the board, and makes one only");
            }
            left.insert(index);
            if number + 1 < usize::from(board.setup.triforces()) && !board.powered.contains(index) {
                return Err("only the last triforce can be of seats without power");
            }
        }
    }
    if left.len() as usize + board.on_board().count() != board.players() {
        return Err("a seat leaves the board with a triforce only");
    }
    Ok(())
}

/// Tokens of life follow from the triforces and the end.
fn give_tokens(board: &mut Board) {
    let before_last = usize::from(board.setup.triforces()) - 1;
    for made in board.made.into_iter().take(before_last).flatten() {
        made.seats.into_iter().for_each(|seat| board.tokens.insert(usize::from(seat) - 1));
    }
    if board.over {
        outcome::give_tokens(board);
    }
}

/// Whether priorities, garnets, power and cells are possible in the round.
fn check_seats(board: &Board) -> Result<(), &'static str> {
    let players = board.players();
    if board.round < SPENDING_FROM && board.priority != board.setup.priority {
        return Err("priorities do not change in rounds 1 and 2");
    }
    if round::strongest(board).is_some() {
        return Err("there is a triforce on the board that would have been made");
    }
    if board.round == 1 && !board.over {
        let starts: Vec<Cell> = board.on_board().map(|(_, cell)| cell).collect();
        let border = starts.iter().all(|cell| cell.is_border(board.setup.side));
        if !border || spaces(board).len() != players || board.powered != Seats::default() {
            return Err("in round 1 all seats stand on different border cells, without power");
        }
    }
    if (0..players).any(|index| !garnets_possible(board, index)) {
        return Err("a seat has garnets that it cannot have");
    }
    Ok(())
}

/// Whether a seat can have its garnets: what it started with and got, without one at most for each
/// round in which it could spend.
fn garnets_possible(board: &Board, index: usize) -> bool {
    let seat = index as u8 + 1;
    let resolved = if board.over { board.round } else { board.round - 1 };
    let left = board.triforces().zip(1..).find(|(made, _)| made.seats.contains(&seat));
    let (reward, rounds, bonus) = match left {
        None => (0, resolved, 0),
        Some((made, number)) => (if number == board.setup.triforces() { 1 } else { 3 }, made.round, 7),
    };
    let spent_most = board.setup.garnets.min((rounds + 1).saturating_sub(SPENDING_FROM));
    [0, bonus].into_iter().any(|bonus| {
        let most = board.setup.garnets + reward + bonus;
        (most - spent_most..=most).contains(&board.garnets[index])
    })
}

fn read_submitted(json: &Value, board: &mut Board) -> Result<(), String> {
    let members = json.as_object().ok_or("`submitted` is an object from seat to submission")?;
    let mut submitted = [None; SEATS];
    for (name, token) in members {
        let seat = (1..=board.setup.players).find(|seat| seat.to_string() == *name);
        let seat = seat.ok_or_else(|| format!("{name:?} in `submitted` is no seat"))?;
        let actor = Actor::Seat(seat);
        if !board.to_act().contains(actor) {
            return Err(format!("seat {seat} has nothing to submit"));
        }
        let token = token.as_str().ok_or_else(|| format!("seat {seat} has submitted no text"))?;
        let submission = token.parse::<Submission>().map_err(|why| why.0)?;
        board.judge(actor, &submission).map_err(|why| format!("seat {seat}: {why}"))?;
        submitted[usize::from(seat) - 1] = Some(submission);
    }
    board.submitted = submitted;
    if !board.over && board.to_act().is_empty() {
        return Err("all have submitted, so the round would have been resolved".to_owned());
    }
    Ok(())
}
