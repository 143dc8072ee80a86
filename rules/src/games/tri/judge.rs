//! Judges actions, and says why they are refused in words that a player understands.

use super::board::{Board, Phase};
use super::lattice::{Axial, Placement};
use super::notation::{Action, CORNERS, Space, letter, names};
use super::rotation::Rotation;
use super::shape::{EVERY_ISLAND, islands, reached};
use super::turning::Obstacle;
use crate::Illegal;

pub(super) fn judge(board: &Board, action: Action) -> Result<(), Illegal> {
    match (board.phase, action) {
        (Phase::Expand, Action::Place(space)) => place(board, space),
        (Phase::Expand, _) => {
            let awaited = listed(board.expand);
            Err(format!("expansion comes first: {awaited} must take a new piece before you act").into())
        }
        (Phase::Act, Action::Place(_)) => {
            Err("new pieces are placed at the beginning of the turn only: now move a piece or rotate islands".into())
        }
        (Phase::Act, Action::Move { from, to }) => step(board, from, to),
        (Phase::Act, Action::Rotate(rotation)) => rotate(board, rotation),
        (Phase::Over, _) => Err("the game is over".into()),
    }
}

fn place(board: &Board, space: u8) -> Result<(), Illegal> {
    let bit = 1u16 << (space / 8);
    let (island, seat) = (letter(space / 8), board.turn + 1);
    let why = if board.expand & bit != 0 {
        if board.empty() >> space & 1 == 1 {
            return Ok(());
        }
        format!("there is a piece on {} already", Space(space))
    } else if board.controlled(board.turn) & bit == 0 {
        format!("seat {seat} does not control {island}: it needs pieces on both centres, {island}2 and {island}7")
    } else if board.keys & bit != 0 {
        format!("{island} is a key island, and those take no new pieces")
    } else if board.has_room(space / 8) {
        format!("{island} has taken its new piece of this turn already")
    } else {
        format!("{island} is full: it is passed over, or has taken its new piece already")
    };
    Err(why.into())
}

fn step(board: &Board, from: u8, to: u8) -> Result<(), Illegal> {
    let own = board.pieces[board.turn] >> from & 1 == 1;
    if own && board.moves(from) >> to & 1 == 1 {
        return Ok(());
    }
    let (start, end) = (Space(from), Space(to));
    let why = if board.empty() >> from & 1 == 1 {
        format!("there is no piece on {start}")
    } else if !own {
        format!("the piece on {start} is not yours")
    } else if from == to {
        "a piece cannot stay where it is".to_owned()
    } else if board.empty() >> to & 1 == 0 {
        format!("{end} is not empty")
    } else {
        format!("a piece moves across an edge or a point: {start} and {end} share neither")
    };
    Err(why.into())
}

fn rotate(board: &Board, rotation: Rotation) -> Result<(), Illegal> {
    let Rotation { group, island, .. } = rotation;
    let shape = board.shape.as_ref();
    let barred = group & board.controlled(1 - board.turn);
    if barred != 0 {
        let (other, barred) = (2 - board.turn, listed(barred));
        return Err(format!("seat {other} controls {barred}: you may not rotate an island of the opponent's").into());
    }
    if rotation.cost() > board.actions {
        let (cost, left) = (rotation.cost(), board.actions);
        return Err(format!("each island costs an action: {cost} islands are too many with {left} left").into());
    }
    let linked = reached(group, &shape.bordering);
    if linked != group {
        let (linked, others) = (listed(linked), listed(group & !linked));
        return Err(
            format!("islands turn together only if they share edges: {others} is not connected to {linked}").into()
        );
    }
    let joint = shape.joint(rotation);
    if shape.having(EVERY_ISLAND & !group, joint) == 0 {
        let corner = corner(rotation.corner);
        let island = letter(island);
        return Err(
            format!("corner {corner} of {island} is not a joint: no island that stays has it as a corner").into()
        );
    }
    let first = shape.having(group, joint).trailing_zeros() as u8;
    if first != island {
        let named = Rotation { island: first, corner: corner_at(shape.island(first), joint), ..rotation };
        let named = Action::Rotate(named);
        return Err(format!("a joint is named after the first island that turns and has it: write {named}").into());
    }
    match shape.turn(rotation) {
        Ok(_) => Ok(()),
        Err(Obstacle::Overlap(a, b)) => {
            Err(format!("{} would run into {} before it lies edge to edge", letter(a), letter(b)).into())
        }
        Err(Obstacle::Apart(_)) => Err("the board would fall apart: all islands must stay connected".into()),
    }
}

/// The corner of an island that lies on a point.
fn corner_at(island: Placement, joint: Axial) -> u8 {
    island.corners().iter().position(|corner| *corner == joint).expect("the island has the joint") as u8
}

fn corner(corner: u8) -> char {
    char::from(CORNERS[usize::from(corner)])
}

/// `A`, `A and B`, `A, B and C`.
fn listed(set: u16) -> String {
    let last = islands(set).last().map_or(0, |island| 1 << island);
    let before: Vec<String> = islands(set & !last).map(|island| letter(island).to_string()).collect();
    if before.is_empty() { names(last) } else { format!("{} and {}", before.join(", "), names(last)) }
}
