//! A position in words.

use plybook_events::Actor;

use crate::Viewer;
use crate::games::thrones::board::Field;
use crate::games::thrones::favor::Favor;
use crate::games::thrones::options::Variant;
use crate::games::thrones::piece::{ASSAULT, BOUND, CHARGED, Kind, LOST, MOVED, NAMED, SWITCHED};
use crate::games::thrones::position::{Campaign, End, Phase};
use crate::games::thrones::square::{NONE, Square, Squares, at, bit, name, names, squares};
use crate::games::thrones::terrain::Terrain;

/// What is noted about pieces.
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
    let variants = game.field.options.names();
    if !variants.is_empty() {
        lines.push(format!("Variants: {}.", variants.join(", ")));
    }
    if game.phase == Phase::SetUp {
        lines.extend((0..2).map(|seat| set_up(game, seat, viewer.knows(Actor::Seat(seat as u8 + 1)))));
        return lines.join("\n");
    }
    lines.extend(acted(game));
    lines.push("Tiles by rows, columns a to i; p plains, f forest, w water, m mountain, F fortress:".to_owned());
    lines.extend((0..9).rev().map(|row| format!("row {}: {}", row + 1, tiles(&game.field, row))));
    lines.push(format!("Fortresses: {}.", fortresses(&game.field)));
    lines.extend((0..2).map(|seat| side(game, seat, viewer.knows(Actor::Seat(seat as u8 + 1)))));
    lines.join("\n")
}

fn status(game: &Campaign) -> String {
    let (turn, seat) = (game.turn, game.seat() + 1);
    match game.phase {
        Phase::SetUp => "The homelands are laid in secret.".to_owned(),
        Phase::Favor { choosing, .. } => {
            let who: Vec<&str> = (0..2).filter(|seat| choosing[*seat]).map(|seat| ["seat 1", "seat 2"][seat]).collect();
            format!("Turn {turn}, seat {seat}'s: {} to choose a favour.", who.join(" and "))
        }
        Phase::Turn => format!("Turn {turn}: seat {seat} to act."),
        Phase::Battle { by, target, fires } => {
            let does = if fires { "fires on" } else { "attacks" };
            let (by, target) = (name(by), name(target));
            format!("Turn {turn}: {by} of seat {seat} {does} the fortress on {target}; the battle is to be decided.")
        }
        Phase::Displace { by } => {
            let other = 2 - game.seat();
            format!("Turn {turn}: {} of seat {seat} lost its battle; seat {other} may displace it.", name(by))
        }
        Phase::Over(end) => ending(end),
    }
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
    let field = &game.field;
    let parts: Vec<String> = NOTES
        .into_iter()
        .map(|(note, what)| (field.noted(note), what))
        .filter(|(set, _)| *set != 0)
        .map(|(set, what)| format!("{what}: {}", names(set).join(" ")))
        .collect();
    (!parts.is_empty()).then(|| format!("In this turn, {}.", parts.join("; ")))
}

fn tiles(field: &Field, row: u8) -> String {
    let letter = |column| field.terrain(at(column, row)).map_or('.', |terrain| char::from(terrain.letter()));
    (0..9).map(letter).collect()
}

fn fortresses(field: &Field) -> String {
    let describe = |square: Square| {
        let owner = (0..2).find(|seat| field.home[*seat] == square);
        let owner = owner.map_or(String::new(), |seat| format!(" home of seat {}", seat + 1));
        let breached = if field.breached & bit(square) == 0 { "" } else { " breached" };
        format!("{}{owner}{breached}", name(square))
    };
    squares(field.of(Terrain::Fortress)).map(describe).collect::<Vec<_>>().join(", ")
}

/// A seat's pieces and possessions.
fn side(game: &Campaign, seat: usize, known: bool) -> String {
    let field = &game.field;
    let of = |kind: Kind| -> Squares {
        squares(field.own(seat)).filter(|square| field.cell(*square).is(kind)).map(bit).sum()
    };
    let kinds = Kind::ALL.into_iter().map(|kind| (kind, of(kind))).filter(|(_, set)| *set != 0);
    let pieces: Vec<String> = kinds.map(|(kind, set)| format!("{} {}", kind.name(), names(set).join(" "))).collect();
    let mut parts = vec![if pieces.is_empty() { "no pieces".to_owned() } else { pieces.join(", ") }];
    let removed = removed(field, seat);
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
    for (what, place) in [("farm", field.farms[seat]), ("city", field.cities[seat])] {
        if place != NONE {
            let state = if field.destroyed & bit(place) == 0 { "" } else { ", destroyed" };
            parts.push(format!("{what} {}{state}", name(place)));
        }
    }
    if field.plays(Variant::VictoryPoints) {
        parts.push(format!("{} points", game.points[seat]));
    }
    format!("Seat {}: {}.", seat + 1, parts.join("; "))
}

/// The removed pieces of a seat, by kind.
fn removed(field: &Field, seat: usize) -> Vec<String> {
    let counts = Kind::ALL.into_iter().zip(field.removed[seat]).filter(|(_, count)| *count > 0);
    counts
        .map(|(kind, count)| if count == 1 { kind.name().to_owned() } else { format!("{count} {}", kind.name()) })
        .collect()
}
