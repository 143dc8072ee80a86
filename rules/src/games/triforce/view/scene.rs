//! Draws Triforce: territories as hexagons that touch their neighbours, each with its white pyramid at the
//! foot and its stack above, pyramid over pyramid: the width is the size, and the number the owner. Pawns stand outside
//! the board, beside their territories.

use super::pieces::{draw_pawn, pyramid, shield, size_class, sword};
use super::{panel, words};
use crate::Scene;
use crate::games::triforce::board::{Board, Phase};
use crate::games::triforce::notation::Action;
use crate::games::triforce::place::Place;
use crate::games::triforce::stack::{Owner, Piece, Size, Stack};
use crate::scene::{Class, Item, Point};

/// The classes that only this game's scenes use.
pub(crate) const CLASSES: &[Class] = &[
    Class::new("sword", "a sword, or a die thrown for it"),
    Class::new("shield", "a shield, or a die thrown for it"),
    Class::new("size-l", "a large pyramid"),
    Class::new("size-m", "a medium pyramid"),
    Class::new("size-s", "a small pyramid"),
    Class::new("base", "the white pyramid of a territory"),
    Class::new("inset", "a ring inside a territory"),
    Class::new("contested", "a territory whose stack is contested"),
    Class::new("fought", "the territory that is being fought over"),
    Class::new("alarm", "the name of a territory whose stack is contested"),
    Class::new("clash", "the crossed swords of the territory that is being fought over"),
    Class::new("emblem", "a drawn sword or shield"),
    Class::new("shade", "the face of a pyramid that lies in the shade"),
    Class::new("ghost", "a piece that the last roll took"),
    Class::new("pawn", "a pawn"),
    Class::new("die", "a die"),
    Class::new("struck", "the line through dice that lost"),
    Class::new("status", "the sum of dice"),
];

/// From the centre of a hexagon to the middle of its right side, and to its upper corner.
const HALF: i32 = 600;
const CORNER: i32 = 693;

/// From one row to the next.
const ROW: i32 = 1039;

/// The foot of a stack and the foot of the white pyramid below it, from the centre.
const FOOT: i32 = 290;
const BASE_FOOT: i32 = 470;

/// A stack of more pieces is drawn as two columns, the upper half to the right.
const COLUMN_MAX: usize = 4;

/// The height available to a stack's pieces, and what its top piece takes of it.
const HEIGHT: i32 = 860;
const TOP: i32 = 330;

/// The most that is visible of a piece below another.
const STEP: i32 = 230;

pub(crate) fn draw(board: &Board, last: Option<(&Board, &Action)>) -> Scene {
    let mut scene = Scene::new([-3300, -1300, 6600, 6580]);
    scene.polygon("board", vec![[0, -1130], [3290, 4960], [-3290, 4960]]);
    let marks = last.map(|(before, action)| marks(before, action)).unwrap_or_default();
    for place in Place::all() {
        draw_place(&mut scene, board, place, &marks);
    }
    if let Some((before, Action::Roll(_))) = last {
        draw_lost(&mut scene, before, board);
    }
    for seat in 1..=board.players {
        let place = board.pawn(seat);
        let start = scene.items.len();
        draw_pawn(&mut scene, seat, beside(place));
        for item in &mut scene.items[start..] {
            item.group(format!("pawn:{seat}")).title(format!("pawn of seat {seat}, beside {place}"));
        }
    }
    panel::draw(&mut scene, board, last);
    scene
}

/// The territories that an action touched, and how.
fn marks(before: &Board, action: &Action) -> Vec<(Place, &'static str)> {
    match *action {
        Action::Place(_) => vec![(before.pawn(before.turn), "to")],
        Action::Move { from, to } => vec![(from, "from"), (to, "to")],
        Action::Fight(at) => vec![(at, "to")],
        Action::Sword(_) | Action::Shield(_) | Action::Roll(_) => {
            before.combat().map(|combat| (combat.at, "to")).into_iter().collect()
        }
        Action::End | Action::Pass => Vec::new(),
    }
}

fn draw_place(scene: &mut Scene, board: &Board, place: Place, marks: &[(Place, &'static str)]) {
    let [x, y] = centre(place);
    let stack = board.stack(place);
    let fought = board.combat().is_some_and(|combat| combat.at == place);
    let state = match (fought, board.is_contested(place)) {
        (true, _) => "contested fought",
        (false, true) => "contested",
        (false, false) => "",
    };
    let hexagon =
        [[0, -CORNER], [HALF, -CORNER / 2], [HALF, CORNER / 2], [0, CORNER], [-HALF, CORNER / 2], [-HALF, -CORNER / 2]];
    // Marked sides lie inside the hexagon, so that neighbours do not cover them.
    let points = |by: i32| hexagon.iter().map(|[dx, dy]| [x + dx * by / 100, y + dy * by / 100]).collect::<Vec<_>>();
    scene.polygon("space", points(100)).place(place.to_string()).title(words::describe(board, place));
    if !state.is_empty() {
        scene.polygon(format!("inset {state}"), points(96)).place(place.to_string()).flat();
    }
    if let Some((_, mark)) = marks.iter().find(|(marked, _)| *marked == place) {
        scene
            .polygon(format!("inset last {mark}"), points(if state.is_empty() { 93 } else { 89 }))
            .place(place.to_string())
            .flat();
    }
    let (class, name) =
        if board.is_contested(place) { ("label alarm", format!("{place}!")) } else { ("label", place.to_string()) };
    scene.text(class, [x - 290, y - 430], 190, name);
    draw_base(scene, board.bases[place.index()], [x, y + BASE_FOOT]);
    draw_stack(scene, stack, place, numbered(board, place));
    if fought {
        for side in [-1, 1] {
            scene.line("clash", vec![[x - 75 * side, y + 485], [x + 75 * side, y + 615]]);
            scene.line("clash", vec![[x - 75 * side, y + 570], [x - 25 * side, y + 620]]);
        }
    }
}

/// Whether actions refer to the pieces here by number.
fn numbered(board: &Board, place: Place) -> bool {
    match board.phase {
        Phase::Sword(combat) | Phase::Shield(combat) => combat.at == place,
        _ => false,
    }
}

fn draw_base(scene: &mut Scene, size: Size, foot: Point) {
    let [outline, shade] = pyramid(foot, width(size, 1), height(size));
    scene.polygon(format!("base {}", size_class(size)), outline);
    scene.polygon("shade", shade);
    scene.text("glyph base", [foot[0], foot[1] - (BASE_FOOT - FOOT) / 2], 190, size.letter().to_string());
}

fn draw_stack(scene: &mut Scene, stack: Stack, place: Place, numbered: bool) {
    let [x, y] = centre(place);
    let columns = if stack.len() > COLUMN_MAX { 2 } else { 1 };
    let rows = stack.len().div_ceil(columns);
    let step = STEP.min((HEIGHT - TOP) / (rows as i32 - 1).max(1));
    let columns = columns as i32;
    for (index, piece) in stack.pieces().enumerate() {
        let (column, row) = ((index / rows) as i32, (index % rows) as i32);
        let side = if columns == 1 { 0 } else { column * 2 - 1 };
        let foot = [x + side * 280, y + FOOT - row * step];
        let title = format!("number {} on {place}: {}", index + 1, piece.words());
        let shape = [width(piece.size(), columns), height(piece.size()).min(HEIGHT - row * step)];
        draw_piece(scene, piece, foot, shape, step).place(place.to_string()).title(title);
        if numbered {
            let margin = if columns == 1 || side < 0 { -1 } else { 1 };
            let at = foot[0] + margin * (width(Size::L, columns) / 2 + 40);
            scene.text("note", [at, foot[1] - step / 2], 160.min(step), (index + 1).to_string());
        }
    }
}

/// The pieces removed by a roll, beside the stack that they were in.
fn draw_lost(scene: &mut Scene, before: &Board, board: &Board) {
    let Some(combat) = before.combat() else { return };
    let [x, y] = centre(combat.at);
    let mut left = board.stack(combat.at).pieces().peekable();
    let lost = before.stack(combat.at).pieces().filter(|piece| left.next_if_eq(piece).is_none());
    for (row, piece) in lost.enumerate() {
        let foot = [x + 440, y + 250 - row as i32 * 260];
        let [outline, _] = pyramid(foot, 330, 260);
        let title = format!("{} was lost", piece.words());
        scene.polygon(format!("piece ghost {}", owner_class(piece)), outline).place(combat.at.to_string()).title(title);
        scene.text("note ghost", [foot[0], foot[1] - 90], 160, piece.to_string()).place(combat.at.to_string());
    }
}

/// The class for the owner of a piece.
fn owner_class(piece: Piece) -> String {
    match piece.owner() {
        Owner::Seat(seat) => format!("seat-{seat}"),
        Owner::Sword => "sword".to_owned(),
        Owner::Shield => "shield".to_owned(),
    }
}

/// Draws a piece of which this much is visible below the next one, and returns its outline.
fn draw_piece(scene: &mut Scene, piece: Piece, foot: Point, [width, height]: [i32; 2], step: i32) -> &mut Item {
    let size = piece.size();
    let [x, y] = [foot[0], foot[1] - step * 46 / 100];
    let letters = (step * 92 / 100).min(195);
    let start = scene.items.len();
    let kind = owner_class(piece);
    let [outline, shade] = pyramid(foot, width, height);
    scene.polygon(format!("piece {kind} {}", size_class(size)), outline);
    scene.polygon("shade", shade);
    match piece.owner() {
        Owner::Seat(seat) => scene.text(format!("glyph {kind}"), [x, y], letters, seat.to_string()),
        Owner::Sword => scene.polygon(format!("emblem {kind}"), sword([x, y], letters * 135 / 100)),
        Owner::Shield => scene.polygon(format!("emblem {kind}"), shield([x, y], letters * 125 / 100)),
    };
    &mut scene.items[start]
}

/// The height of a pyramid.
fn height(size: Size) -> i32 {
    match size {
        Size::L => 530,
        Size::M => 440,
        Size::S => 350,
    }
}

/// The width of a piece, given the number of columns in the territory.
fn width(size: Size, columns: i32) -> i32 {
    match (size, columns) {
        (Size::L, 1) => 820,
        (Size::M, 1) => 590,
        (Size::S, 1) => 370,
        (Size::L, _) => 530,
        (Size::M, _) => 400,
        (Size::S, _) => 280,
    }
}

fn centre(place: Place) -> Point {
    let (row, column) = place.row_column();
    let (row, column) = (i32::from(row), i32::from(column));
    [(2 * column - row) * HALF, row * ROW]
}

/// The point of a pawn, straight out from the middle of the board.
fn beside(place: Place) -> Point {
    let [x, y] = centre(place);
    let (dx, dy) = match place.row_column() {
        (0, _) => (0, -990),
        (4, 2) => (0, 880),
        (4, 0) => (-760, 520),
        (4, _) => (760, 520),
        (_, 0) => (-820, -470),
        _ => (820, -470),
    };
    [x + dx, y + dy]
}
