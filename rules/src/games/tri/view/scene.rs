//! Draws TRI: the islands in their places, centres with a small triangle, keys with the lined border of the
//! published game; white pieces with a ring for seat 1, black ones for seat 2, which fill their spaces; the edge of an island
//! says who controls it.

use super::words;
use crate::games::tri::board::Board;
use crate::games::tri::lattice::{Axial, Placement};
use crate::games::tri::notation::{Action, CORNERS, Space, letter};
use crate::games::tri::shape::{CENTRES, EVERY_ISLAND, islands};
use crate::scene::{Class, Item, Motion, Point, Row};
use crate::{Last, Scene};

/// The classes that only this game's scenes use.
pub(in crate::games::tri) const CLASSES: &[Class] = &[
    Class::new("tri", "anything of TRI but the border of an island"),
    Class::new("island", "the border of an island"),
    Class::new("key", "a key island: its border or its spaces"),
    Class::new("lining", "the second line inside the border of a key"),
    Class::new("waiting", "an island that a new piece has to be placed on"),
    Class::new("held", "the inner edge of an island that a seat controls"),
    Class::new("letter", "the name of an island"),
    Class::new("number", "the number of a space"),
    Class::new("white", "seat 1's pieces, and the names of the islands it controls"),
    Class::new("black", "seat 2's pieces, and the names of the islands it controls"),
    Class::new("trace", "the space that a piece left or came to"),
    Class::new("taken", "where a piece was taken off the board"),
    Class::new("joint", "the point about which islands were turned"),
];

/// The margin around the board.
const MARGIN: i32 = 700;

/// The view grows in steps of a coarse column and row, so that most rotations do not change it.
const STEPS: [i32; 2] = [2_000, 1_732];

pub(in crate::games::tri) fn draw(board: &Board, last: Option<&Last<'_, Board>>) -> Scene {
    let mut scene = Scene::new(view(board, last.map(|last| last.before)));
    scene.status = words::turn(board);
    let touched = Changes::by(board, last);
    for island in islands(EVERY_ISLAND) {
        draw_island(&mut scene, board, island, &touched);
    }
    // Borders lie above all islands, marked ones above the rest.
    let marked = board.expand | touched.turned;
    for island in islands(EVERY_ISLAND & !marked).chain(islands(marked)) {
        draw_outline(&mut scene, board, island, &touched);
    }
    if let Some((about, motion)) = motion(board, last) {
        scene.circle("tri joint last", about, 170).title("The joint of the rotation");
        scene.motion = Some(motion);
    }
    let rows = (0..2).map(|seat| {
        let pieces = board.pieces[seat].count_ones();
        let own = board.controlled(seat);
        let counts = [pieces, board.supply(seat).into(), own.count_ones(), (own & board.keys).count_ones()];
        Row::of(seat as u8 + 1, counts.map(|count| count.to_string()))
    });
    scene.table("", &["on the board", "in supply", "islands", "keys"], rows);
    scene
}

/// What the last action changed.
#[derive(Default)]
struct Changes {
    /// The space that a piece left.
    from: u128,
    /// The space that a piece came to.
    to: u128,
    /// The spaces of pieces that were captured, or lost with the centres of a full island.
    taken: u128,
    /// The islands that turned.
    turned: u16,
}

impl Changes {
    fn by(board: &Board, last: Option<&Last<'_, Board>>) -> Self {
        let Some(last) = last else { return Self::default() };
        let mut touched = match *last.action {
            Action::Place(space) => Self { to: 1 << space, ..Self::default() },
            Action::Move { from, to } => Self { from: 1 << from, to: 1 << to, ..Self::default() },
            Action::Rotate(rotation) => Self { turned: rotation.group, ..Self::default() },
        };
        let before = last.before.pieces[0] | last.before.pieces[1] | touched.to;
        touched.taken = before & board.empty() & !touched.from;
        touched
    }
}

/// A fine point of the lattice in board units: x to the right, y downwards.
fn fine(point: Axial) -> Point {
    [1000 * point.q + 500 * point.r, -866 * point.r]
}

/// A coarse point of the lattice in board units.
fn coarse(point: Axial) -> Point {
    let [x, y] = fine(point);
    [2 * x, 2 * y]
}

/// The point between `a` and `b` at a share of the distance, in hundredths.
fn between(a: Point, b: Point, share: i32) -> Point {
    let along = |a: i32, b: i32| a + (b - a) * share / 100;
    [along(a[0], b[0]), along(a[1], b[1])]
}

fn middle(points: &[Point]) -> Point {
    let count = points.len() as i32;
    // Each term is divided first: far from the origin the sum would overflow.
    points.iter().fold([0, 0], |sum, point| [sum[0] + point[0] / count, sum[1] + point[1] / count])
}

fn corners(place: Placement) -> [Point; 4] {
    place.corners().map(coarse)
}

/// The view: it covers both boards, if there is one before.
fn view(board: &Board, before: Option<&Board>) -> [i32; 4] {
    let boards = [Some(board), before].into_iter().flatten();
    let points = || boards.clone().flat_map(|board| board.shape.islands).flat_map(corners);
    let range = |axis: usize| {
        let least = points().map(|point| point[axis]).min().expect("a board has islands");
        let most = points().map(|point| point[axis]).max().expect("a board has islands");
        let start = least.div_euclid(STEPS[axis]) * STEPS[axis];
        let end = -(-most).div_euclid(STEPS[axis]) * STEPS[axis];
        (start, end - start)
    };
    let ((x, width), (y, height)) = (range(0), range(1));
    [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN]
}

fn draw_island(scene: &mut Scene, board: &Board, island: u8, touched: &Changes) {
    let start = scene.items.len();
    let place = board.shape.island(island);
    let key = if board.keys >> island & 1 == 1 { " key" } else { "" };
    for number in 0..8 {
        draw_space(scene, board, 8 * island + number, key);
    }
    let centre = middle(&corners(place));
    if let Some(seat) = (0..2).find(|seat| board.controlled(*seat) >> island & 1 == 1) {
        let edge = corners(place).map(|corner| between(corner, centre, 7)).to_vec();
        scene.polygon(format!("border island held seat-{}", seat + 1), edge);
    }
    for number in 0..8 {
        draw_content(scene, board, 8 * island + number, touched);
    }
    for (corner, name) in corners(place).into_iter().zip(CORNERS) {
        // The sharp corners are narrow, so their letters are placed further in.
        let share = if matches!(name, b'n' | b'f') { 13 } else { 16 };
        scene.text("tri note", between(corner, centre, share), 270, char::from(*name).to_string());
    }
    let holder = (0..2).find(|seat| board.controlled(*seat) >> island & 1 == 1);
    let badge = match holder {
        Some(seat) => format!("badge {}", owner(seat)),
        None => "badge tri".to_owned(),
    };
    let letter = letter(island);
    let key = if key.is_empty() { "" } else { ", a key" };
    let holder = holder.map_or(String::new(), |seat| format!(", controlled by seat {}", seat + 1));
    let title = format!("Island {letter}{key}{holder}");
    scene.circle(badge.clone(), centre, 210).place(letter).title(title);
    scene.text(badge.replace("badge", "letter"), centre, 310, letter).place(letter);
    for item in &mut scene.items[start..] {
        item.group(format!("island:{letter}")).flat();
    }
}

fn draw_space(scene: &mut Scene, board: &Board, space: u8, key: &str) {
    let here = |set: u128| set >> space & 1 == 1;
    let points = board.shape.island(space / 8).vertices(space % 8).map(fine);
    let (at, name) = (middle(&points), Space(space).to_string());
    let centre = if here(CENTRES) { " centre" } else { "" };
    let owner = (0..2).find(|seat| here(board.pieces[*seat]));
    let mut title = vec![name.clone()];
    if here(CENTRES) {
        title.push(if key.is_empty() { "a centre" } else { "a centre of a key island" }.to_owned());
    }
    title.extend(owner.map(|seat| format!("piece of seat {}", seat + 1)));
    scene.polygon(format!("space tri{key}{centre}"), points.to_vec()).place(&name).title(title.join(", "));
    if here(CENTRES) {
        scene.polygon("tri mark", inset(points, at, 30).to_vec()).place(&name);
    }
}

/// What is on a space, or its number.
fn draw_content(scene: &mut Scene, board: &Board, space: u8, touched: &Changes) {
    let here = |set: u128| set >> space & 1 == 1;
    let points = board.shape.island(space / 8).vertices(space % 8).map(fine);
    let (at, name) = (middle(&points), Space(space).to_string());
    for (set, class) in [(touched.from, "tri trace last from"), (touched.to, "tri trace last to")] {
        if here(set) {
            scene.polygon(class, inset(points, at, 14).to_vec()).place(&name);
        }
    }
    if here(touched.taken) {
        scene.circle("tri taken last", at, 200).place(&name).title(format!("{name}, a piece was taken off here"));
    }
    match (0..2).find(|seat| here(board.pieces[*seat])) {
        Some(seat) => {
            let items = piece(seat, points, at);
            scene.items.extend(items.into_iter().map(|item| Item { place: Some(name.clone()), ..item }));
        }
        None => {
            scene.text("tri number", at, 310, (space % 8 + 1).to_string()).place(&name);
        }
    }
}

/// The border of an island, above its neighbours' spaces.
fn draw_outline(scene: &mut Scene, board: &Board, island: u8, touched: &Changes) {
    let here = |set: u16| set >> island & 1 == 1;
    let points = corners(board.shape.island(island));
    let mut class = "border island".to_owned();
    for (set, word) in [(board.keys, " key"), (board.expand, " waiting"), (touched.turned, " last")] {
        if here(set) {
            class += word;
        }
    }
    let group = format!("island:{}", letter(island));
    if here(board.keys) {
        let centre = middle(&points);
        scene.polygon("border island key lining", points.map(|point| between(point, centre, 6)).to_vec()).group(&group);
    }
    scene.polygon(class, points.to_vec()).group(group);
}

/// A triangle without its tips, almost as large as the space; seat 1's has a ring.
fn piece(seat: usize, points: [Point; 3], at: Point) -> Vec<Item> {
    let owner = owner(seat);
    let mut scene = Scene::new([0; 4]);
    scene.polygon(format!("piece {owner}"), blunt(inset(points, at, 22)));
    if seat == 0 {
        scene.polygon("tri ring seat-1", blunt(inset(points, at, 46)));
    }
    scene.items
}

/// A triangle whose tips are cut off.
fn blunt([a, b, c]: [Point; 3]) -> Vec<Point> {
    [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)].map(|(tip, other)| between(tip, other, 24)).to_vec()
}

/// The colour classes of a seat: the published game has white and black pieces.
fn owner(seat: usize) -> &'static str {
    if seat == 0 { "tri white seat-1" } else { "tri black seat-2" }
}

/// A triangle with its corners moved towards a point inside it, by a share in hundredths.
fn inset(points: [Point; 3], inside: Point, share: i32) -> [Point; 3] {
    points.map(|point| between(point, inside, share))
}

/// How the last action turned islands, and about which point.
fn motion(board: &Board, last: Option<&Last<'_, Board>>) -> Option<(Point, Motion)> {
    let last = last?;
    let Action::Rotate(rotation) = *last.action else { return None };
    let shape = &last.before.shape;
    let turned = shape.turn(rotation).ok().filter(|turned| turned.islands == board.shape.islands)?;
    let about = coarse(shape.joint(rotation));
    let degrees = 60 * i32::from(turned.sixths);
    let groups = islands(rotation.group).map(|island| format!("island:{}", letter(island))).collect();
    Some((about, Motion { groups, about, degrees: if rotation.ccw { -degrees } else { degrees } }))
}
