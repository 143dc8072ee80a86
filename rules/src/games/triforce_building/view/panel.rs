//! The table beside the board, a row for every seat, and the headlines above its other slope.

use super::Sight;
use super::drawing::{Drawing, HEIGHT, powered_piece};
use super::words;
use crate::Scene;
use crate::games::triforce_building::board::{Board, ROUNDS};
use crate::games::triforce_building::outcome;
use crate::scene::{Point, rectangle};

/// The height of a row.
const ROW: i32 = 300;

/// What stands for a submission that the viewer does not know.
const HIDDEN: &str = "✓";

/// The size of its text.
const TEXT: i32 = 190;

/// The first column: a sign of power and the seat.
const SEAT: i32 = 620;

/// The other columns together.
const COLUMNS: i32 = 3_000;

/// Where the table is.
pub(super) struct Place {
    left: i32,
    columns: &'static [&'static str],
    /// How far the headlines reach to the left.
    pub(super) headlines: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

/// Beside the slope of the board, its lower left corner close to it. All viewers have the same
/// room, so that the picture stays in place when the game ends.
pub(super) fn place(board: &Board, seen: Sight) -> Place {
    let bottom = ROW * (board.players() as i32 + 1);
    let left = bottom * 600 / HEIGHT + 400;
    let columns: &[&str] = match seen {
        Sight::All => &["cell", "priority", "garnets", "path", "life"],
        Sight::Public | Sight::Own(_) => &["announced", "submitted", "left in"],
    };
    Place { left, columns, headlines: headlines_at(board) - 1_200, right: left + SEAT + COLUMNS, bottom }
}

pub(super) fn draw(scene: &mut Scene, drawing: &Drawing<'_>, place: &Place) {
    headlines(scene, drawing);
    let column = COLUMNS / place.columns.len() as i32;
    let first = place.left + SEAT + column / 2;
    let middles: Vec<i32> = (0..place.columns.len() as i32).map(|index| first + index * column).collect();
    scene.text("note", [place.left + SEAT / 2 + 90, ROW / 2], 140, "seat");
    for (x, name) in middles.iter().zip(place.columns) {
        scene.text("note", [*x, ROW / 2], 140, *name);
    }
    for index in 0..drawing.board.players() {
        let top = ROW * (index as i32 + 1);
        let last = if drawing.acted_last(index) { " last" } else { "" };
        let own = if drawing.seen == Sight::Own(index) { " own" } else { "" };
        scene
            .polygon(format!("row{own}{last}"), rectangle(place.left, top + 15, place.right - place.left, ROW - 30))
            .title(words::row(drawing.board, index, drawing.knows(index)));
        let y = top + ROW / 2;
        scene.text("note", [place.left + SEAT / 2 + 90, y], TEXT, (index + 1).to_string());
        for (x, text) in middles.iter().zip(cells(drawing, index)) {
            if !text.is_empty() {
                let class = if text == HIDDEN { "note hidden" } else { "note" };
                scene.text(class, [*x, y], TEXT, text);
            }
        }
        if drawing.knows(index) {
            sign(scene, drawing.board.powered.contains(index), [place.left + 150, y]);
        }
    }
}

/// The sign of power before a row: the piece in small.
fn sign(scene: &mut Scene, powered: bool, [x, y]: Point) {
    let outline = [[x, y - 120], [x + 120, y + 90], [x - 120, y + 90]];
    if powered {
        powered_piece(scene, &outline);
    } else {
        scene.polygon("piece unpowered", outline.to_vec());
    }
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
        life.to_owned(),
    ]
}

/// The middle of the headlines: between the edge of the picture and the slope beside them.
fn headlines_at(board: &Board) -> i32 {
    -300 * i32::from(board.setup.side) - 600
}

/// The round, what the viewer knows of itself, and the triforces.
fn headlines(scene: &mut Scene, drawing: &Drawing<'_>) {
    let board = drawing.board;
    let mut lines = Vec::new();
    if board.over {
        lines.push((format!("Over in round {}", board.round), 260));
    } else {
        let submitted = board.submitted.iter().flatten().count();
        lines.push((format!("Round {} of {ROUNDS}", board.round), 260));
        lines.push((format!("{submitted} of {} submitted", board.on_board().count()), 180));
    }
    if let Sight::Own(index) = drawing.seen {
        match board.cells[index] {
            Some(cell) => {
                lines.push((format!("seat {} is on {cell}", index + 1), 200));
                lines.push((format!("priority {}", board.priority[index]), 200));
            }
            None => lines.push((format!("seat {} has left", index + 1), 200)),
        }
        lines.push((words::garnets(board.garnets[index]), 200));
    }
    for (made, number) in board.triforces().zip(1..) {
        let [a, b, c] = made.seats;
        lines.push((format!("△{number}: {a}, {b}, {c}"), 200));
    }
    let mut y = 0;
    for (text, size) in lines {
        scene.text("note", [headlines_at(board), y], size, text);
        y += size * 3 / 2;
    }
}
