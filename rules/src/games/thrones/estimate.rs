//! How well a seat stands, roughly: material, what is under attack, and the way to the enemy throne.

use super::board::Field;
use super::options::Variant;
use super::piece::Kind;
use super::position::Campaign;
use super::square::{NONE, Square, Squares, distance, has, squares};
use super::terrain::Terrain;

/// What a piece is worth.
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
    let field = &game.field;
    let points = field.plays(Variant::VictoryPoints);
    let danger = engaged(field, 1 - seat);
    let throne = field.throne(seat);
    let goals = goals(field, seat);
    let mut standing = 0;
    let mut at_risk = 0;
    for square in squares(field.own(seat)) {
        let kind = field.cell(square).kind().expect("somebody stands there");
        standing += worth(kind);
        let goes = kind != Kind::Throne || points;
        if goes {
            standing += 7 * nearness(square, goals);
        }
        if has(danger, square) && kind != Kind::Throne {
            let walls = if has(field.whole(), square) { 8 } else { 3 };
            at_risk = at_risk.max(worth(kind) / walls);
        }
    }
    standing -= at_risk;
    standing += 50 * game.hands[seat].held.len() as i32;
    standing += 60 * i32::from(field.farms[seat] != NONE) + 60 * i32::from(field.cities[seat] != NONE);
    let fortresses = field.own(seat) & field.of(Terrain::Fortress);
    if points {
        return standing + 90 * fortresses.count_ones() as i32 + 150 * i32::from(game.points[seat]);
    }
    if has(danger, throne) {
        standing -= if has(field.whole(), throne) { 120 } else { 700 };
    } else if throne != NONE {
        standing += 4 * (8 - i32::from(distance(throne, field.home[1 - seat])));
    }
    if has(field.breached, field.throne(1 - seat)) {
        standing += 150;
    }
    standing
}

/// Where a seat's pieces want to go.
fn goals(field: &Field, seat: usize) -> Squares {
    if field.plays(Variant::VictoryPoints) {
        field.of(Terrain::Fortress) & !field.own(seat)
    } else {
        super::square::bit(field.throne(1 - seat))
    }
}

/// How near the nearest goal is, 0 to 8.
fn nearness(square: Square, goals: Squares) -> i32 {
    squares(goals).map(|goal| 8 - i32::from(distance(square, goal))).max().unwrap_or(0)
}

/// The squares that a seat's pieces could engage.
fn engaged(field: &Field, seat: usize) -> Squares {
    squares(field.own(seat)).fold(0, |set, square| set | field.attacks(square) | field.fires(square))
}
