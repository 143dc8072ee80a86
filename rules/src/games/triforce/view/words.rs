//! Positions of Triforce in words.

use crate::games::triforce::board::{ACTIONS, Board, End, Phase};
use crate::games::triforce::place::Place;
use crate::games::triforce::stack::{Owner, Piece, SIZES};

pub(crate) fn to_text(board: &Board) -> String {
    let mut lines = vec![status(board)];
    lines.extend(Place::all().map(|place| format!("{}.", describe(board, place))));
    lines.extend((1..=board.players).map(|seat| format!("{}.", describe_seat(board, seat))));
    lines.push(format!("At the side: swords {}; shields {}.", counts(board.swords), counts(board.shields)));
    lines.join("\n")
}

/// Who is to act and how, or how the game ended.
pub(super) fn status(board: &Board) -> String {
    let (turn, spent) = (board.turn, board.spent);
    let chooser = board.offer().map_or(turn, |offer| offer.seat);
    match board.phase {
        Phase::Act if spent == 0 && !board.has_action() => format!("Seat {turn} is pinned and must pass."),
        Phase::Act => format!("Seat {turn} to act, {spent} of {ACTIONS} actions used."),
        Phase::Order => format!("Seat {turn} to choose where the next combat is."),
        Phase::Sword(combat) => format!("Combat on {}: seat {chooser} to take a sword or not.", combat.at),
        Phase::Shield(combat) => format!("Combat on {}: seat {chooser} to take a shield or not.", combat.at),
        Phase::Roll(combat) => {
            let hands = combat.hands(board.stack(combat.at));
            let dice: Vec<_> = hands.map(|(seat, hand)| format!("seat {seat} {}", hand.names().join("+"))).collect();
            format!("Combat on {}: to be rolled: {}.", combat.at, dice.join(", "))
        }
        Phase::Over(End::OthersPinned(seat)) => format!("Seat {seat} wins: all others are pinned."),
        Phase::Over(End::AllPinned) => "Draw: every seat is pinned.".into(),
        Phase::Over(End::Territories) => format!("Seat {turn} wins with {} territories.", board.territories(turn)),
    }
}

/// A territory: `c2, base large, from the bottom: 1M, sword L, 2S, contested`.
pub(super) fn describe(board: &Board, place: Place) -> String {
    let stack = board.stack(place);
    let mut parts = vec![place.to_string(), format!("base {}", board.bases[place.index()].word())];
    if !stack.is_empty() {
        let pieces: Vec<String> = stack.pieces().map(name).collect();
        parts.push(format!("from the bottom: {}", pieces.join(", ")));
    }
    if board.is_contested(place) {
        parts.push("contested".to_owned());
    }
    let owner = board.owners[place.index()];
    if owner != 0 {
        parts.push(format!("the shield is seat {owner}'s"));
    }
    let pawn = (1..=board.players).find(|seat| board.pawn(*seat) == place);
    parts.extend(pawn.map(|seat| format!("pawn of seat {seat}")));
    parts.join(", ")
}

/// A seat's possessions and progress: `Seat 1: holds 3 of 8 territories, stash 4 L, 5 M, 5 S`.
pub(super) fn describe_seat(board: &Board, seat: u8) -> String {
    let pinned = if board.is_free(seat, board.open()) { "" } else { ", pinned" };
    let (held, goal, stash) = (board.territories(seat), board.goal(), counts(board.stash_of(seat)));
    format!("Seat {seat}: holds {held} of the {goal} territories to win, stash {stash}{pinned}")
}

/// A piece: `1L`, `sword M`, `shield S`.
fn name(piece: Piece) -> String {
    let size = piece.size().letter();
    match piece.owner() {
        Owner::Seat(seat) => format!("{seat}{size}"),
        Owner::Sword => format!("sword {size}"),
        Owner::Shield => format!("shield {size}"),
    }
}

/// Numbers by size: `4 L, 5 M, 5 S`.
pub(super) fn counts(counts: [u8; 3]) -> String {
    let each = SIZES.map(|size| format!("{} {}", counts[size as usize], size.letter()));
    each.join(", ")
}
