//! Draws Triangulate: pads as large discs, frogs as small ones with the letters of the published diagram, X
//! for seat 1 and O for seat 2.

use super::words;
use crate::Scene;
use crate::games::triangulate::board::Board;
use crate::games::triangulate::notation::Move;
use crate::games::triangulate::square::{Square, Squares};
use crate::scene::{Class, Point, Row, rectangle};

/// The classes that only this game's scenes use.
pub(in crate::games::triangulate) const CLASSES: &[Class] =
    &[Class::new("pad", "a pad"), Class::new("rib", "a line on a pad that tells whose it is")];

pub(in crate::games::triangulate) fn draw(board: &Board, last: Option<&Move>) -> Scene {
    let mut scene = Scene::new([-600, -600, 9200, 9200]);
    scene.polygon("board", rectangle(-100, -100, 8200, 8200));
    for line in 0..8 {
        let at = line * 1000 + 500;
        let column = char::from(b'a' + line as u8).to_string();
        scene.text("label", [at, -350], 380, column);
        scene.text("label", [-350, at], 380, (line + 1).to_string());
    }
    for square in Squares::ALL {
        draw_square(&mut scene, board, square, last);
    }
    scene.status = words::status(board);
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
    let centre = [column * 1000 + 500, row * 1000 + 500];
    let frogs = board.frogs(square);
    let pad = board.pad(square);
    let shade = if (column + row) % 2 == 1 { "space dark" } else { "space" };
    let mark = mark(square, last);
    scene
        .polygon(format!("{shade}{mark}"), rectangle(column * 1000, row * 1000, 1000, 1000))
        .place(square.to_string())
        .title(title(square, pad, &frogs));
    if let Some(seat) = pad {
        scene.polygon(format!("pad seat-{seat}"), pad_outline(centre)).place(square.to_string());
        draw_ribs(scene, seat, centre, square);
    }
    for (height, seat) in frogs.iter().enumerate() {
        let at = lifted(centre, height as i32, frogs.len() as i32);
        let letter = if *seat == 1 { "X" } else { "O" };
        let covered = height + 1 < frogs.len();
        // The letter of a covered frog is moved to where it can be seen.
        let beside = if covered { [at[0] - 120, at[1] + 60] } else { at };
        scene.circle(format!("piece seat-{seat}"), at, 270).place(square.to_string());
        scene
            .text(format!("glyph seat-{seat}"), beside, if covered { 240 } else { 330 }, letter)
            .place(square.to_string());
    }
    if frogs.len() > 1 {
        let at = [centre[0] + 340, centre[1] + 340];
        scene.circle("badge", at, 150).place(square.to_string());
        scene.text("note", at, 250, frogs.len().to_string()).place(square.to_string());
    }
}

/// A lily pad: a disc with a notch.
fn pad_outline([x, y]: Point) -> Vec<Point> {
    /// Points on a circle of radius 440, clockwise from the right end of the notch at the top.
    const RIM: [Point; 17] = [
        [105, -427],
        [241, -368],
        [348, -269],
        [416, -142],
        [440, 0],
        [414, 150],
        [340, 280],
        [220, 381],
        [77, 433],
        [-77, 433],
        [-220, 381],
        [-340, 280],
        [-414, 150],
        [-440, 0],
        [-416, -142],
        [-348, -269],
        [-241, -368],
    ];
    RIM.iter().chain(&[[-105, -427], [0, -150]]).map(|[dx, dy]| [x + dx, y + dy]).collect()
}

/// The ribs of a pad, which tell the seats apart without colour: a cross for X, a ring for O.
fn draw_ribs(scene: &mut Scene, seat: u8, [x, y]: Point, square: Square) {
    if seat == 1 {
        for side in [-1, 1] {
            let points = vec![[x - 300, y - 300 * side], [x + 300, y + 300 * side]];
            scene.line(format!("rib seat-{seat}"), points).place(square.to_string());
        }
    } else {
        scene.circle(format!("rib seat-{seat}"), [x, y], 330).place(square.to_string());
    }
}

/// The frogs on a square are offset so that each letter can be read; only the top one is fully visible.
fn lifted(centre: Point, height: i32, count: i32) -> Point {
    let shift = 2 * height - (count - 1);
    let by = if count == 2 { 150 } else { 110 };
    [centre[0] + shift * by, centre[1] - shift * by * 2 / 3]
}

fn mark(square: Square, last: Option<&Move>) -> &'static str {
    match last {
        Some(Move::Frog { from, .. }) if *from == square => " last from",
        Some(Move::Frog { to, .. }) if *to == square => " last to",
        Some(Move::Frog { extra: Some(pad), .. }) if *pad == square => " last to",
        _ => "",
    }
}

fn title(square: Square, pad: Option<u8>, frogs: &[u8]) -> String {
    let mut title = square.to_string();
    if let Some(seat) = pad {
        title += &format!(", pad of seat {seat}");
    }
    for (height, seat) in frogs.iter().enumerate() {
        let at = match (frogs.len(), height + 1 == frogs.len()) {
            (1, _) => "",
            (_, true) => " on top",
            (_, false) => " below",
        };
        title += &format!(", frog of seat {seat}{at}");
    }
    title
}
