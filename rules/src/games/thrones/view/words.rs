//! A position in words.

use plybook_events::Actor;

use crate::Viewer;
use crate::games::thrones::board::Board;
use crate::games::thrones::favor::Favor;
use crate::games::thrones::options::Variant;
use crate::games::thrones::piece::{ASSAULT, BOUND, CHARGED, Kind, LOST, MOVED, NAMED, SWITCHED};
use crate::games::thrones::position::{Campaign, End, Phase};
use crate::games::thrones::square::{Square, Squares};
use crate::games::thrones::terrain::Terrain;

/// The notes on pieces, in words.
pub(super) const NOTES: [(u16, &str); 7] = [
    (MOVED, "moved"),
    (SWITCHED, "switched"),
    (ASSAULT, "in the assault"),
    (LOST, "lost its battle"),
    (NAMED, "out of engagements in the next turn"),
    (BOUND, "out of engagements in this turn"),
    (CHARGED, "protected after its attack"),
];

/// Writes a position as a viewer may see it.
pub(crate) fn write(game: &Campaign, viewer: Viewer) -> String {
    let over = matches!(game.phase, Phase::Over(_));
    let viewer = if over { Viewer::All } else { viewer };
    let mut lines = vec![status(game)];
    let variants = game.board.options.names();
    if !variants.is_empty() {
        lines.push(format!("Variants: {}.", variants.join(", ")));
    }
    if game.phase == Phase::SetUp {
        lines.extend((0..2).map(|seat| set_up(game, seat, viewer.knows(Actor::Seat(seat as u8 + 1)))));
        return lines.join("\n");
    }
    lines.extend(acted(game));
    lines.push("Tiles by rows, columns a to i; p plains, f forest, w water, m mountain, F fortress:".to_owned());
    lines.extend((0..9).rev().map(|row| format!("row {}: {}", row + 1, tiles(&game.board, row))));
    lines.push(format!("Fortresses: {}.", fortresses(&game.board)));
    lines.extend((0..2).map(|seat| side(game, seat, viewer.knows(Actor::Seat(seat as u8 + 1)))));
    lines.join("\n")
}

/// Who is to act and how, or how the game ended.
pub(super) fn status(game: &Campaign) -> String {
    let (turn, seat) = (game.turn, game.seat() + 1);
    match game.phase {
        Phase::SetUp => "The homelands are laid in secret.".to_owned(),
        Phase::Fortresses => "The homelands are laid; chance places the fortresses of the middle row.".to_owned(),
        Phase::Favor { choosing, .. } => {
            let who: Vec<&str> = (0..2).filter(|seat| choosing[*seat]).map(|seat| ["seat 1", "seat 2"][seat]).collect();
            format!("Turn {turn}, seat {seat}'s: {} to choose a favour.", who.join(" and "))
        }
        Phase::Turn => format!("Turn {turn}: seat {seat} to act{}.", spent(game)),
        Phase::Battle { by, target, fires } => {
            let does = if fires { "fires on" } else { "attacks" };
            let (by, target) = (by.to_string(), target.to_string());
            format!("Turn {turn}: {by} of seat {seat} {does} the fortress on {target}; the battle is to be decided.")
        }
        Phase::Displace { by } => {
            let other = 2 - game.seat();
            format!("Turn {turn}: {by} of seat {seat} lost its battle; seat {other} may displace it.")
        }
        Phase::Over(end) => ending(end),
    }
}

/// What the turn has used up, listed before what is still open: `, 1 move made`.
fn spent(game: &Campaign) -> String {
    let moves = match game.acted.moved {
        0 => "",
        1 => ", 1 move made",
        _ => ", 2 moves made",
    };
    format!("{moves}{}", if game.acted.switched { ", switched" } else { "" })
}

fn ending(end: End) -> String {
    match end {
        End::ThroneRemoved(seat) => format!("Seat {} wins: the enemy throne is removed.", seat + 1),
        End::FortressOccupied(seat) => {
            format!("Seat {} wins: its throne stands in the enemy's home fortress.", seat + 1)
        }
        End::VictoryPoints(Some(seat)) => format!("Seat {} wins by victory points.", seat + 1),
        End::VictoryPoints(None) => "Draw: both seats have as many victory points.".to_owned(),
        End::NoPieces(seat) => format!("Seat {} wins: the enemy has no pieces left.", seat + 1),
    }
}

fn set_up(game: &Campaign, seat: usize, known: bool) -> String {
    let number = seat + 1;
    match &game.sheets[seat] {
        None => format!("Seat {number} has not set up yet."),
        Some(sheet) if known => format!("Seat {number} has set up: {sheet}"),
        Some(_) => format!("Seat {number} has set up."),
    }
}

/// What was done in the turn and still matters.
fn acted(game: &Campaign) -> Option<String> {
    let board = &game.board;
    let parts: Vec<String> = NOTES
        .into_iter()
        .map(|(note, what)| (board.noted(note), what))
        .filter(|(set, _)| !set.is_empty())
        .map(|(set, what)| format!("{what}: {}", set.names().join(" ")))
        .collect();
    (!parts.is_empty()).then(|| format!("In this turn, {}.", parts.join("; ")))
}

fn tiles(board: &Board, row: u8) -> String {
    let letter = |column| board.terrain(Square::at(column, row)).map_or('.', |terrain| char::from(terrain.letter()));
    (0..9).map(letter).collect()
}

fn fortresses(board: &Board) -> String {
    let describe = |square: Square| {
        let owner = (0..2).find(|seat| board.home[*seat] == Some(square));
        let owner = owner.map_or(String::new(), |seat| format!(" home of seat {}", seat + 1));
        let breached = if board.breached.has(square) { " breached" } else { "" };
        format!("{square}{owner}{breached}")
    };
    board.of(Terrain::Fortress).into_iter().map(describe).collect::<Vec<_>>().join(", ")
}

/// A seat's pieces and possessions.
fn side(game: &Campaign, seat: usize, known: bool) -> String {
    let board = &game.board;
    let of = |kind: Kind| -> Squares { board.own(seat).keep(|square| board.cell(square).is(kind)) };
    let kinds = Kind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, set)| !set.is_empty());
    let pieces: Vec<String> = kinds.map(|(kind, set)| format!("{} {}", kind.name(), set.names().join(" "))).collect();
    let mut parts = vec![if pieces.is_empty() { "no pieces".to_owned() } else { pieces.join(", ") }];
    let removed = removed(board, seat);
    if !removed.is_empty() {
        parts.push(format!("removed: {}", removed.join(", ")));
    }
    let hand = game.hands[seat];
    let held: Vec<&str> = hand.held.iter().map(Favor::name).collect();
    parts.push(match held.len() {
        0 => "holds no favour".to_owned(),
        _ if known => format!("holds {}", held.join(", ")),
        1 => "holds a hidden favour".to_owned(),
        count => format!("holds {count} hidden favours"),
    });
    let used: Vec<&str> = hand.had.iter().filter(|favor| !hand.held.has(*favor)).map(Favor::name).collect();
    if !used.is_empty() {
        parts.push(format!("has used {}", used.join(", ")));
    }
    for (what, place) in [("farm", board.farms[seat]), ("city", board.cities[seat])] {
        if let Some(place) = place {
            let state = if board.destroyed.has(place) { ", destroyed" } else { "" };
            parts.push(format!("{what} {place}{state}"));
        }
    }
    if board.plays(Variant::VictoryPoints) {
        parts.push(format!("{} points", game.points[seat]));
    }
    format!("Seat {}: {}.", seat + 1, parts.join("; "))
}

/// The removed pieces of a seat, by kind.
pub(super) fn removed(board: &Board, seat: usize) -> Vec<String> {
    let counts = Kind::ALL.into_iter().zip(board.removed[seat]).filter(|(_, count)| *count > 0);
    counts
        .map(|(kind, count)| if count == 1 { kind.name().to_owned() } else { format!("{count} {}", kind.name()) })
        .collect()
}
