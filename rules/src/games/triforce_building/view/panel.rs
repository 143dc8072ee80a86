//! The table beside the board: a row for every seat, and the round above it.

use super::Sight;
use super::drawing::Drawing;
use super::words;
use crate::Scene;
use crate::games::triforce_building::board::ROUNDS;
use crate::games::triforce_building::outcome;
use crate::scene::Row;

/// Stands for a submission that the viewer does not know.
const HIDDEN: &str = "✓";

pub(super) fn write(scene: &mut Scene, drawing: &Drawing<'_>) {
    scene.status = status(drawing);
    let columns: &[&str] = match drawing.seen {
        Sight::All => &["cell", "priority", "garnets", "path", "power", "life"],
        Sight::Public | Sight::Own(_) => &["announced", "submitted", "left in"],
    };
    let rows = (0..drawing.board.players()).map(|index| {
        let own = drawing.seen == Sight::Own(index);
        let words = [(own, "own"), (drawing.acted_last(index), "last")];
        let class: Vec<_> = words.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
        Row { class: class.join(" "), ..Row::of(index as u8 + 1, cells(drawing, index)) }
    });
    scene.table("", columns, rows);
    let made = drawing.board.triforces().zip(1..).map(|(made, number): (_, u8)| {
        let seats = made.seats.map(|seat| seat.to_string()).join(", ");
        Row::named(&format!("△{number}"), [made.round.to_string(), seats])
    });
    let made: Vec<_> = made.collect();
    if !made.is_empty() {
        scene.table("Triforces", &["round", "seats"], made);
    }
}

/// The round, and what the viewer knows about its own seat.
fn status(drawing: &Drawing<'_>) -> String {
    let board = drawing.board;
    if board.over {
        return format!("Over in round {}.", board.round);
    }
    if board.is_drawing() {
        return "The places and letters are drawn as round 1 opens.".to_owned();
    }
    let submitted = board.submitted.iter().flatten().count();
    let mut status =
        format!("Round {} of {ROUNDS}: {submitted} of {} have submitted.", board.round, board.on_board().count());
    if let Sight::Own(index) = drawing.seen {
        let garnets = words::garnets(board.garnets[index]);
        status += &match board.cells[index] {
            Some(cell) => format!(" Seat {} is on {cell}, priority {}, {garnets}.", index + 1, board.priority[index]),
            None => format!(" Seat {} has left, {garnets}.", index + 1),
        };
    }
    status
}

/// The texts of a row, one for each column after the first.
fn cells(drawing: &Drawing<'_>, index: usize) -> Vec<String> {
    let board = drawing.board;
    let seat = index as u8 + 1;
    let made = board.triforces().zip(1..).find(|(made, _)| made.seats.contains(&seat));
    let made = made.map(|(_, number)| format!("△{number}"));
    if drawing.seen != Sight::All {
        let submitted = match board.submitted[index] {
            Some(submission) if drawing.knows(index) => submission.to_string(),
            Some(_) => HIDDEN.to_owned(),
            None => String::new(),
        };
        return vec![board.setup.priority[index].to_string(), submitted, made.unwrap_or_default()];
    }
    let path = drawing.paths.iter().find(|path| path.index == index).map(|path| path.submission.to_string());
    let cell = board.cells[index].map(|cell| cell.to_string());
    let power = if board.powered.contains(index) { "yes" } else { "no" };
    let life = if board.tokens.contains(index) {
        "♥"
    } else if outcome::candidate(board) == Some(index) {
        "✗"
    } else {
        ""
    };
    vec![
        cell.or(made).unwrap_or_default(),
        board.priority[index].to_string(),
        board.garnets[index].to_string(),
        path.unwrap_or_default(),
        power.to_owned(),
        life.to_owned(),
    ]
}
