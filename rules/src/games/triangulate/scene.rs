//! Draws Triangulate: pads as large discs, frogs as small ones with the letters of the published diagram, X
//! for seat 1 and O for seat 2.

use super::board::Board;
use super::notation::Move;
use super::square::{Square, Squares};
use crate::Scene;
use crate::scene::{Class, Point, Row, rectangle};

/// The classes that only this game's scenes use.
pub(super) const CLASSES: &[Class] =
    &[Class::new("pad", "a pad"), Class::new("rib", "a line on a pad that tells whose it is")];

pub(super) fn draw(board: &Board, last: Option<&Move>) -> Scene {
    let mut scene = Scene::new([-600, -600, 9200, 9200]);
    scene.polygon("board", rectangle(-100, -100, 8200, 8200));
    for (at, (column, row)) in (500..).step_by(1000).zip("abcdefgh".chars().zip("12345678".chars())) {
        scene.text("label", [at, -350], 380, column);
        scene.text("label", [-350, at], 380, row);
    }
    for square in Squares::ALL {
        draw_square(&mut scene, board, square, last);
    }
    scene.status = match (board.over, board.third) {
        (false, _) => format!("Seat {} to move.", board.turn + 1),
        (true, None) => "Draw: neither seat can move.".to_owned(),
        (true, _) => format!("Seat {} wins with three frogs on a square.", board.turn + 1),
    };
    let rows = (1..=2).map(|seat: u8| {
        let own = |square: &Square| board.frogs(*square).last() == Some(&seat);
        let on_top = board.occupied().iter().filter(own).count();
        let seat_at = usize::from(seat) - 1;
        Row::of(seat, [on_top, board.pads[seat_at].len(), board.supply[seat_at].into()].map(|count| count.to_string()))
    });
    scene.table("", &["frogs on top", "pads on the board", "pads left"], rows);
    scene
}

fn draw_square(scene: &mut Scene, board: &Board, square: Square, last: Option<&Move>) {
    let (column, row) = (i32::from(square.column()), i32::from(square.row()));
    let (x, y) = (column * 1000 + 500, row * 1000 + 500);
    let centre = [x, y];
    let frogs = board.frogs(square);
    let pad = board.pad(square);
    let shade = if (column + row) % 2 == 1 { "space dark" } else { "space" };
    let mark = match last {
        Some(Move::Frog { from, .. }) if *from == square => " last from",
        Some(Move::Frog { to, extra, .. }) if *to == square || *extra == Some(square) => " last to",
        _ => "",
    };
    let title = describe(square, pad, frogs);
    scene.at(square.to_string());
    scene.polygon(format!("{shade}{mark}"), rectangle(column * 1000, row * 1000, 1000, 1000)).title(title);
    if let Some(seat) = pad {
        scene.polygon(format!("pad seat-{seat}"), pad_outline(centre));
        // The ribs tell the seats apart without colour: a cross for X, a ring for O.
        if seat == 1 {
            for side in [-300, 300] {
                scene.line("rib seat-1", vec![[x - 300, y - side], [x + 300, y + side]]);
            }
        } else {
            scene.circle("rib seat-2", centre, 330);
        }
    }
    for (height, seat) in frogs.iter().enumerate() {
        // Each letter can be read; only the top frog is fully visible.
        let shift = (2 * height as i32 + 1 - frogs.len() as i32) * if frogs.len() == 2 { 150 } else { 110 };
        let at = [x + shift, y - shift * 2 / 3];
        let letter = if *seat == 1 { "X" } else { "O" };
        let covered = height + 1 < frogs.len();
        // The letter of a covered frog is moved to where it can be seen.
        let beside = if covered { [at[0] - 120, at[1] + 60] } else { at };
        scene.circle(format!("piece seat-{seat}"), at, 270);
        scene.text(format!("glyph seat-{seat}"), beside, if covered { 240 } else { 330 }, letter);
    }
    if frogs.len() > 1 {
        let at = [x + 340, y + 340];
        scene.circle("badge", at, 150);
        scene.text("note", at, 250, frogs.len().to_string());
    }
}

/// A lily pad: a disc of radius 440 with a notch at the top.
fn pad_outline([x, y]: Point) -> Vec<Point> {
    /// Points on the right half of the rim, from the notch to the bottom.
    const RIM: [Point; 9] =
        [[105, -427], [241, -368], [348, -269], [416, -142], [440, 0], [414, 150], [340, 280], [220, 381], [77, 433]];
    let left = RIM.iter().rev().map(|[dx, dy]| [x - dx, y + dy]);
    RIM.iter().map(|[dx, dy]| [x + dx, y + dy]).chain(left).chain([[x, y - 150]]).collect()
}

/// `b2, pad of seat 1, frog of seat 2 below, frog of seat 1 on top`
fn describe(square: Square, pad: Option<u8>, frogs: &[u8]) -> String {
    let pad = pad.map(|seat| format!(", pad of seat {seat}")).unwrap_or_default();
    let frogs = frogs.iter().enumerate().map(|(height, seat)| match frogs.len() - height {
        1 if frogs.len() == 1 => format!(", frog of seat {seat}"),
        1 => format!(", frog of seat {seat} on top"),
        _ => format!(", frog of seat {seat} below"),
    });
    format!("{square}{pad}{}", frogs.collect::<String>())
}
