//! A position in words.

use super::{Sight, labels, spaces};
use crate::Viewer;
use crate::games::triforce_building::board::{Board, ROUNDS};
use crate::games::triforce_building::lattice::Cell;
use crate::games::triforce_building::outcome;

/// The position as a viewer may see it, in words.
pub(crate) fn describe(board: &Board, viewer: Viewer) -> String {
    let seen = Sight::of(board, viewer);
    let mut lines = vec![headline(board)];
    if board.is_drawing() {
        lines.push("The places and letters are drawn as round 1 opens.".to_owned());
    } else if !board.over {
        lines.push(submitted(board));
    }
    lines.extend(board.triforces().zip(1..).map(|(made, number)| {
        let seats = list(made.seats);
        format!("Triforce {number}, round {}, around {}: seats {seats}.", made.round, made.at)
    }));
    match seen {
        Sight::All => lines.extend((0..board.players()).map(|index| full(board, index))),
        Sight::Public => lines.extend(public(board)),
        Sight::Own(index) => {
            lines.push(own(board, index));
            lines.extend(public(board));
        }
    }
    lines.join("\n")
}

fn headline(board: &Board) -> String {
    let setup = &board.setup;
    let Some(candidate) = outcome::candidate(board) else {
        return format!(
            "Round {} of {ROUNDS}. {} seats on a triangle of side {}; lines of {}; {} of {} triforces made.",
            board.round,
            setup.players,
            setup.side,
            setup.line,
            board.triforces_made(),
            setup.triforces(),
        );
    };
    let why = if board.triforces_made() == setup.triforces() {
        format!("all {} triforces are made", setup.triforces())
    } else {
        "the rounds are over".to_owned()
    };
    let alive = list((0..board.players()).filter(|index| board.tokens.contains(*index)).map(|index| index + 1));
    format!(
        "Game over in round {}: {why}. Tokens of life: seats {alive}. Elimination candidate: seat {}.",
        board.round,
        candidate + 1
    )
}

/// Everybody knows who has submitted.
fn submitted(board: &Board) -> String {
    let waited_for = list(
        board
            .on_board()
            .map(|(index, _)| index)
            .filter(|index| board.submitted[*index].is_none())
            .map(|index| index + 1),
    );
    format!("To submit: seats {waited_for}.")
}

fn full(board: &Board, index: usize) -> String {
    let place = match board.cells[index] {
        Some(cell) => format!("on {cell}"),
        None if board.is_drawing() => "not placed yet".to_owned(),
        None => "off the board".to_owned(),
    };
    let token = if board.tokens.contains(index) { ", token of life" } else { "" };
    let submitted = board.submitted[index].map_or(String::new(), |submission| format!(", submitted {submission}"));
    format!(
        "Seat {} (label {}): {place}, {}, priority {}, {}{token}{submitted}.",
        index + 1,
        board.setup.letter(index as u8 + 1),
        power(board, index),
        board.priority[index],
        garnets(board.garnets[index]),
    )
}

fn own(board: &Board, index: usize) -> String {
    let (power, garnets) = (power(board, index), garnets(board.garnets[index]));
    let token = if board.tokens.contains(index) { ", with a token of life" } else { "" };
    let Some(cell) = board.cells[index] else {
        if board.is_drawing() {
            return format!("You are not placed yet: {garnets}.");
        }
        return format!("You have left the board{token}: {garnets}.");
    };
    let submitted = match board.submitted[index] {
        Some(submission) => format!("you have submitted {submission}"),
        None => "you have not submitted yet".to_owned(),
    };
    format!("You are on {cell}, {power}, priority {}, {garnets}; {submitted}.", board.priority[index])
}

fn public(board: &Board) -> Vec<String> {
    let spaces = spaces(board);
    let with = |wanted: bool| {
        let cells = spaces.iter().filter(|(_, powered)| *powered == wanted).map(|(cell, _)| *cell);
        let cells: Vec<Cell> = cells.collect();
        if cells.is_empty() { "none".to_owned() } else { list(cells) }
    };
    let mut lines = vec![format!("Powered spaces: {}.", with(true)), format!("Unpowered spaces: {}.", with(false))];
    if let Some(labels) = labels(board) {
        let labels = labels.into_iter().map(|(letter, cell)| format!("{letter} {cell}"));
        lines.push(format!("Labels: {}.", list(labels)));
    }
    let priority = board.setup.priority().iter().zip(1..).map(|(priority, seat)| format!("seat {seat}: {priority}"));
    let counts = &board.setup.garnets[..board.players()];
    let held = if counts.iter().all(|count| *count == counts[0]) {
        format!("{} each", garnets(counts[0]))
    } else {
        format!("garnets {}", list(by_seat(counts)))
    };
    lines.push(format!("Announced before the game: {held}; priorities {}.", list(priority)));
    if board.setup.announced_lives().is_some() {
        let lives = by_seat(&board.setup.lives[..board.players()]);
        lines.push(format!("Tokens of life brought along: {}.", list(lives)));
    }
    lines
}

/// Counts with their seats.
fn by_seat(counts: &[u8]) -> impl Iterator<Item = String> {
    counts.iter().zip(1..).map(|(count, seat)| format!("seat {seat}: {count}"))
}

fn power(board: &Board, index: usize) -> &'static str {
    if board.powered.contains(index) { "powered" } else { "unpowered" }
}

pub(super) fn garnets(count: u8) -> String {
    if count == 1 { "1 garnet".to_owned() } else { format!("{count} garnets") }
}

fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
