//! A position in words: the turn first, then island by island.

use crate::games::tri::board::{Board, Phase};
use crate::games::tri::lattice::Placement;
use crate::games::tri::notation::{letter, names};
use crate::games::tri::shape::{EVERY_ISLAND, islands, spaces, whole};

pub(in crate::games::tri) fn write(board: &Board) -> String {
    let mut summary = vec![
        turn(board),
        format!("In supply: seat 1 has {}, seat 2 has {}.", board.supply(0), board.supply(1)),
        format!("Key islands: {}.", spread(board.keys)),
    ];
    for seat in 0..2 {
        let own = board.controlled(seat);
        let own = if own == 0 { "none".to_owned() } else { spread(own) };
        summary.push(format!("Seat {} controls: {own}.", seat + 1));
    }
    let mut lines = vec![summary.join(" ")];
    lines.extend(islands(EVERY_ISLAND).map(|island| describe(board, island)));
    lines.join("\n")
}

/// Who is to act and how, or how the game ended.
pub(in crate::games::tri) fn turn(board: &Board) -> String {
    let seat = board.turn + 1;
    match board.phase {
        Phase::Expand if board.expand.is_power_of_two() => {
            format!("Seat {seat} expands: a new piece on {}.", names(board.expand))
        }
        Phase::Expand => format!("Seat {seat} expands: a new piece on each of {}.", spread(board.expand)),
        Phase::Act if board.actions == 1 => format!("Seat {seat} to act: 1 action left."),
        Phase::Act => format!("Seat {seat} to act: {} actions left.", board.actions),
        Phase::Over if board.holds_keys(board.turn) => {
            let keys = spread(board.controlled(board.turn) & board.keys);
            format!("Seat {seat} wins with the key islands {keys}.")
        }
        Phase::Over => "Draw: neither seat has two pieces left.".to_owned(),
    }
}

/// `C key at (2, 0) turned 60°: seat 1 on 2 7 (in control), seat 2 on 4; edges B F; corners E.`
fn describe(board: &Board, island: u8) -> String {
    let Placement { anchor, turn } = board.shape.island(island);
    let key = if board.keys >> island & 1 == 1 { " key" } else { "" };
    let mut held = Vec::new();
    for seat in 0..2 {
        let own = board.pieces[seat] & whole(island);
        if own == 0 {
            continue;
        }
        let numbers: Vec<String> = spaces(own).map(|space| (space % 8 + 1).to_string()).collect();
        let control = if board.controlled(seat) >> island & 1 == 1 { " (in control)" } else { "" };
        held.push(format!("seat {} on {}{control}", seat + 1, numbers.join(" ")));
    }
    let held = if held.is_empty() { "empty".to_owned() } else { held.join(", ") };
    let edges = board.shape.bordering[usize::from(island)];
    let corners = board.shape.touching[usize::from(island)] & !edges;
    let beside = |what: &str, others: u16| match others {
        0 => String::new(),
        _ => format!("; {what} {}", spread(others)),
    };
    format!(
        "{}{key} at ({}, {}) turned {}°: {held}{}{}.",
        letter(island),
        anchor.q,
        anchor.r,
        60 * u16::from(turn),
        beside("edges", edges),
        beside("corners", corners)
    )
}

/// The letters of a set of islands, separated by spaces: `A D`.
fn spread(set: u16) -> String {
    names(set).chars().map(String::from).collect::<Vec<_>>().join(" ")
}
