//! A rough estimate of how well a seat stands: material, threats, and the way to the enemy throne.

use super::board::Board;
use super::options::Variant;
use super::piece::Kind;
use super::position::Campaign;
use super::square::{Square, Squares};
use super::terrain::Terrain;

/// The value of a piece.
const fn worth(kind: Kind) -> i32 {
    match kind {
        Kind::Trebuchet => 380,
        Kind::Catapult => 420,
        Kind::Dragon => 900,
        Kind::Elephant => 520,
        Kind::Lancer | Kind::Rangers | Kind::Crossbowmen => 340,
        Kind::Spearmen => 320,
        Kind::Throne => 1500,
        Kind::Warhorse => 540,
    }
}

/// The standing of a seat.
pub(super) fn standing(game: &Campaign, seat: usize) -> i32 {
    let board = &game.board;
    let points = board.plays(Variant::VictoryPoints);
    let danger = engaged(board, 1 - seat);
    let throne = board.throne(seat);
    let goals = goals(board, seat);
    let mut standing = 0;
    let mut at_risk = 0;
    for square in board.own(seat) {
        let kind = board.cell(square).kind().expect("somebody stands there");
        standing += worth(kind);
        let goes = kind != Kind::Throne || points;
        if goes {
            standing += 7 * nearness(square, goals);
        }
        if danger.has(square) && kind != Kind::Throne {
            let walls = if board.whole().has(square) { 8 } else { 3 };
            at_risk = at_risk.max(worth(kind) / walls);
        }
    }
    standing -= at_risk;
    standing += 50 * game.hands[seat].held.len() as i32;
    standing += 60 * i32::from(board.farms[seat].is_some()) + 60 * i32::from(board.cities[seat].is_some());
    let fortresses = board.own(seat) & board.of(Terrain::Fortress);
    if points {
        return standing + 90 * fortresses.len() as i32 + 150 * i32::from(game.points[seat]);
    }
    if danger.has(throne) {
        standing -= if board.whole().has(throne) { 120 } else { 700 };
    } else if let (Some(throne), Some(goal)) = (throne, board.home[1 - seat]) {
        standing += 4 * (8 - i32::from(throne.distance(goal)));
    }
    if board.breached.has(board.throne(1 - seat)) {
        standing += 150;
    }
    standing
}

/// The squares that a seat's pieces want to reach.
fn goals(board: &Board, seat: usize) -> Squares {
    if board.plays(Variant::VictoryPoints) {
        board.of(Terrain::Fortress) & !board.own(seat)
    } else {
        board.throne(1 - seat).into()
    }
}

/// How close the nearest goal is, 0 to 8.
fn nearness(square: Square, goals: Squares) -> i32 {
    goals.into_iter().map(|goal| 8 - i32::from(square.distance(goal))).max().unwrap_or(0)
}

/// The squares that a seat's pieces could engage.
fn engaged(board: &Board, seat: usize) -> Squares {
    let able = board.prey(seat).spread() | board.far() | board.ports();
    (board.own(seat) & able).into_iter().fold(Squares::EMPTY, |set, square| set | board.engages(square))
}
