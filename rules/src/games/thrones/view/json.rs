//! Positions as JSON, as a viewer may see them.

use plybook_events::Actor;
use serde_json::{Map, Value, json};

use crate::games::thrones::board::Field;
use crate::games::thrones::favor::Hand;
use crate::games::thrones::piece::{ASSAULT, BOUND, CHARGED, HORSE, Kind, LOST, MOVED, NAMED, SWITCHED};
use crate::games::thrones::position::{Campaign, Phase};
use crate::games::thrones::square::{NONE, Square, at, name, names, squares};
use crate::{Position, Viewer};

/// What stands for something that the viewer may not know.
const HIDDEN: &str = "?";

/// Writes a position.
pub(crate) fn write(game: &Campaign, viewer: Viewer) -> Value {
    let viewer = if matches!(game.phase, Phase::Over(_)) { Viewer::All } else { viewer };
    let field = &game.field;
    let pieces: Map<String, Value> =
        squares(field.occupied()).map(|square| (name(square), piece(field, square).into())).collect();
    json!({
        "acted": acted(game),
        "attacked": names(field.noted(CHARGED)),
        "breached": names(field.breached),
        "cities": by_seat(field.cities),
        "conspired": names(field.noted(BOUND)),
        "destroyed": names(field.destroyed),
        "farms": by_seat(field.farms),
        "favors": {
            "1": hand(game.hands[0], viewer.knows(Actor::Seat(1))),
            "2": hand(game.hands[1], viewer.knows(Actor::Seat(2))),
        },
        "firstTurn": game.first,
        "game": "thrones",
        "home": field.home.map(place),
        "lastFortress": game.last_fortress.map(place),
        "pending": pending(game.phase),
        "phase": phase(game.phase),
        "pieces": pieces,
        "points": game.points,
        "removed": removed(field),
        "submitted": submitted(game, viewer),
        "tiles": tiles(field),
        "toAct": game.to_act().iter().map(actor).collect::<Vec<_>>(),
        "turn": game.turn,
        "variants": field.options.names(),
    })
}

fn acted(game: &Campaign) -> Value {
    let noted = |notes| names(game.field.noted(notes));
    let (moved, switched) = game.acted.assault;
    json!({
        "assault": { "by": noted(ASSAULT), "move": moved, "switch": switched },
        "conspired": noted(NAMED),
        "favor": game.acted.favor,
        "lost": noted(LOST),
        "moved": noted(MOVED),
        "switched": noted(SWITCHED),
        "warhorse": noted(HORSE).pop(),
    })
}

/// The word for a phase.
pub(crate) const fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::SetUp => "setup",
        Phase::Favor { .. } => "favor",
        Phase::Turn => "turn",
        Phase::Battle { .. } => "battle",
        Phase::Displace { .. } => "displace",
        Phase::Over(_) => "over",
    }
}

fn pending(phase: Phase) -> Value {
    match phase {
        Phase::SetUp | Phase::Turn | Phase::Over(_) => Value::Null,
        Phase::Favor { ends, .. } => json!({ "ends": ends }),
        Phase::Battle { by, target, fires } => {
            let kind = if fires { "fire" } else { "attack" };
            json!({ "by": name(by), "kind": kind, "target": name(target) })
        }
        Phase::Displace { by } => json!({ "by": name(by) }),
    }
}

/// The favours of a seat; to those who may not know, those it holds are nameless.
fn hand(hand: Hand, known: bool) -> Value {
    let list = |favor: crate::games::thrones::favor::Favor| {
        if known || !hand.held.has(favor) { favor.name() } else { HIDDEN }
    };
    let mut had: Vec<&str> = hand.had.iter().map(list).collect();
    had.sort_unstable();
    let held: Vec<&str> = hand.held.iter().map(list).collect();
    json!({ "had": had, "held": held })
}

fn submitted(game: &Campaign, viewer: Viewer) -> Map<String, Value> {
    let sheets = game.sheets.iter().zip(1u8..).filter_map(|(sheet, seat)| Some((sheet.as_ref()?, seat)));
    let shown = |seat| viewer.knows(Actor::Seat(seat));
    sheets
        .map(|(sheet, seat)| {
            let token = if shown(seat) { sheet.to_string() } else { HIDDEN.to_owned() };
            (seat.to_string(), token.into())
        })
        .collect()
}

fn by_seat(places: [Square; 2]) -> Map<String, Value> {
    let places = places.into_iter().zip(1u8..).filter(|(square, _)| *square != NONE);
    places.map(|(square, seat)| (seat.to_string(), name(square).into())).collect()
}

fn place(square: Square) -> Option<String> {
    (square != NONE).then(|| name(square))
}

fn actor(actor: Actor) -> Value {
    match actor {
        Actor::Seat(seat) => seat.into(),
        Actor::Chance => "chance".into(),
    }
}

fn piece(field: &Field, square: Square) -> String {
    let piece = field.cell(square);
    let kind = piece.kind().expect("somebody stands there");
    format!("{}{}", piece.seat() + 1, char::from(kind.letter()))
}

fn removed(field: &Field) -> Vec<String> {
    let mut removed = Vec::new();
    for (counts, seat) in field.removed.iter().zip(1u8..) {
        for (kind, count) in Kind::ALL.into_iter().zip(counts) {
            removed.extend((0..*count).map(|_| format!("{seat}{}", char::from(kind.letter()))));
        }
    }
    removed
}

/// The tiles by rows from row 1, each from column a.
fn tiles(field: &Field) -> String {
    let squares = (0..9).flat_map(|row| (0..9).map(move |column| at(column, row)));
    squares.map(|square| field.terrain(square).map_or('.', |terrain| char::from(terrain.letter()))).collect()
}
