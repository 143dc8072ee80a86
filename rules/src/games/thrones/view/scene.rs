//! Draws Thrones: row 9 at the top; terrain as pictures, pieces as emblems with their letters, seat 1's on
//! discs and seat 2's on squares.

use plybook_events::Actor;

use super::{emblems, pictures, words};
use crate::games::thrones::board::Board;
use crate::games::thrones::notation::Action;
use crate::games::thrones::options::Variant;
use crate::games::thrones::piece::{BOUND, CHARGED, Cell, Kind, LOST, NAMED};
use crate::games::thrones::position::{Campaign, Phase};
use crate::games::thrones::sheet::MIDDLE_ROW;
use crate::games::thrones::square::{Square, Squares};
use crate::games::thrones::terrain::Terrain;
use crate::scene::{Class, Item, Point, Row, rectangle};
use crate::{Last, Scene, Viewer};

/// The classes that only this game's scenes use.
pub(crate) const CLASSES: &[Class] = &[
    Class::new("terrain-plains", "a space of plains"),
    Class::new("terrain-forest", "a space of forest"),
    Class::new("terrain-water", "a space of water"),
    Class::new("terrain-mountain", "a space of mountain"),
    Class::new("terrain-fortress", "a fortress"),
    Class::new("breached", "a fortress that has been breached"),
    Class::new("tuft", "a tuft of grass"),
    Class::new("tree", "a tree"),
    Class::new("wave", "a wave"),
    Class::new("peak", "the peak of a mountain"),
    Class::new("snow", "the snow on a peak"),
    Class::new("wall", "the wall of a fortress"),
    Class::new("crack", "a crack in something destroyed or breached"),
    Class::new("port", "the anchor of a port"),
    Class::new("farm", "a farm"),
    Class::new("city", "a city"),
    Class::new("protected", "a piece that a favour protects"),
    Class::new("outline", "a frame around a space"),
    Class::new("half", "a half of the board that is not known"),
    Class::new("quiet", "a picture behind a piece"),
    Class::new("emblem", "the picture of a piece"),
    Class::new("attack", "a battle that is to be decided"),
];

/// Draws a position as a viewer may see it.
pub(crate) fn draw(game: &Campaign, viewer: Viewer, last: Option<&Last<'_, Campaign>>) -> Scene {
    let viewer = if matches!(game.phase, Phase::Over(_)) { Viewer::All } else { viewer };
    let mut scene = Scene::new([-600, -300, 10_200, 9_950]);
    scene.polygon("board", rectangle(-100, -100, 9200, 9200));
    for line in 0..9u8 {
        let middle = i32::from(line) * 1000 + 500;
        scene.text("label", [middle, 9350], 380, char::from(b'a' + line).to_string());
        scene.text("label", [-350, 9000 - middle], 380, (line + 1).to_string());
    }
    let board = known(game, viewer);
    for square in Square::all() {
        draw_ground(&mut scene, &board, square);
    }
    // A half of the board that is not known is one picture: the seat's, with a piece of its shape.
    for (seat, rows, top) in [(1, 0..4u8, 5_000), (2, 5..9, 0)] {
        let mut squares = rows.flat_map(|row| (0..9).map(move |column| Square::at(column, row)));
        if squares.all(|square| board.terrain(square).is_none()) {
            scene.polygon(format!("half seat-{seat}"), rectangle(0, top, 9_000, 4_000)).flat();
            let at = [4_500, top + 2_000];
            draw_disc(&mut scene, &format!("piece seat-{seat}"), seat, at, 1_100);
            scene.text(format!("glyph seat-{seat}"), at, 1_300, "?");
        }
    }
    mark(&mut scene, game, last);
    for square in Square::all() {
        if board.cell(square) != Cell::EMPTY {
            draw_piece(&mut scene, board.cell(square), square);
        }
    }
    scene.status = words::status(game);
    let points = game.board.plays(Variant::VictoryPoints);
    let rows = (0..2).map(|seat| side(game, seat, viewer.knows(Actor::Seat(seat as u8 + 1)), points));
    let columns = if points { &["pieces", "lost", "favours", "points"][..] } else { &["pieces", "lost", "favours"] };
    scene.table("", columns, rows);
    let pieces = Kind::ALL.into_iter().map(|kind| {
        let count = |seat: usize| {
            let on_board = board.own(seat).keep(|square| board.cell(square).is(kind)).len();
            [on_board.to_string(), game.board.removed[seat][kind as usize].to_string()]
        };
        Row::named(&format!("{} {}", char::from(kind.letter()), kind.name()), [count(0), count(1)].concat())
    });
    scene.table("Pieces", &["seat 1", "lost", "seat 2", "lost"], pieces);
    scene
}

/// The board as far as a viewer knows it: until everything is open, the set-ups that the viewer may see.
fn known(game: &Campaign, viewer: Viewer) -> Board {
    let mut board = game.board.clone();
    let seen = |seat: usize| game.sheets[seat].as_ref().filter(|_| viewer.knows(Actor::Seat(seat as u8 + 1)));
    let chosen = |seat: usize| {
        seen(seat).map_or(0, |sheet| sheet.middle().iter().fold(0u16, |set, (column, _)| set | 1 << column))
    };
    let contested = chosen(0) & chosen(1);
    for seat in 0..2 {
        let Some(sheet) = seen(seat) else { continue };
        for (square, terrain) in sheet.tiles(seat) {
            board.lay(square, terrain);
            if terrain == Terrain::Fortress {
                board.home[seat] = Some(square);
            }
        }
        for (square, kind) in sheet.pieces() {
            board.put(*square, Cell::new(seat, *kind));
        }
        for (column, terrain) in sheet.middle().iter().filter(|(column, _)| contested >> column & 1 == 0) {
            board.lay(Square::at(*column, MIDDLE_ROW), *terrain);
        }
    }
    board
}

/// The upper left corner of a square.
pub(super) fn corner(square: Square) -> Point {
    [i32::from(square.column()) * 1000, i32::from(8 - square.row()) * 1000]
}

fn draw_ground(scene: &mut Scene, board: &Board, square: Square) {
    let [x, y] = corner(square);
    let breached = board.breached.has(square);
    let space = rectangle(x, y, 1000, 1000);
    let Some(terrain) = board.terrain(square) else {
        scene.polygon("space hidden", space).place(square.to_string()).title(title(board, square));
        return;
    };
    let class = format!("space terrain-{}{}", terrain.name(), if breached { " breached" } else { "" });
    scene.polygon(class, space).place(square.to_string()).title(title(board, square));
    let start = scene.items.len();
    pictures::terrain(scene, [x, y], terrain, breached);
    if board.cell(square) != Cell::EMPTY && terrain != Terrain::Fortress {
        for item in &mut scene.items[start..] {
            item.class += " quiet";
        }
    }
    if board.ports().has(square) {
        pictures::port(scene, [x, y]);
    }
    for seat in 0..2 {
        if board.home[seat] == Some(square) {
            scene.text("note", [x + 165, y + 840], 250, (seat + 1).to_string());
        }
        if board.farms[seat] == Some(square) {
            pictures::farm(scene, [x, y], seat + 1, board.destroyed.has(square));
        }
        if board.cities[seat] == Some(square) {
            pictures::city(scene, [x, y], seat + 1);
        }
    }
}

pub(super) fn draw_piece(scene: &mut Scene, piece: Cell, square: Square) {
    let [x, y] = corner(square);
    let at = [x + 500, y + 510];
    let seat = piece.seat() + 1;
    let place = square.to_string();
    let protected = piece.any(BOUND | CHARGED);
    if protected {
        scene.circle("ring protected", at, 465).place(&place);
    }
    let class = format!("piece seat-{seat}{}", if protected { " protected" } else { "" });
    draw_disc(scene, &class, seat as u8, at, 400).place(&place);
    match piece.kind() {
        None => scene.text(format!("glyph seat-{seat}"), at, 420, "?").place(&place),
        Some(kind) => {
            emblems::draw(scene, kind, [at[0] - 70, at[1] - 65], &place);
            let letter = char::from(kind.letter());
            scene.text(format!("glyph seat-{seat}"), [at[0] + 190, at[1] + 205], 250, letter).place(&place)
        }
    };
    let badges = [(BOUND, "c"), (CHARGED, "a"), (NAMED, "n"), (LOST, "l")];
    if let Some((_, badge)) = badges.into_iter().find(|(note, _)| piece.any(*note)) {
        let at = [x + 815, y + 195];
        scene.circle("badge", at, 165).place(&place);
        scene.text("note", at, 250, badge).place(&place);
    }
}

/// What a piece stands on: a disc for seat 1, a square without corners for seat 2.
fn draw_disc<'a>(scene: &'a mut Scene, class: &str, seat: u8, at: Point, r: i32) -> &'a mut Item {
    if seat == 1 {
        return scene.circle(class, at, r);
    }
    let (a, b) = (r * 94 / 100, r * 70 / 100);
    let corners = [[-a, -b], [-b, -a], [b, -a], [a, -b], [a, b], [b, a], [-b, a], [-a, b]];
    scene.polygon(class, corners.map(|[dx, dy]| [at[0] + dx, at[1] + dy]).to_vec())
}

/// Marks the squares of the last action, and those of a battle.
fn mark(scene: &mut Scene, game: &Campaign, last: Option<&Last<'_, Campaign>>) {
    let mut from = None;
    let mut to = Squares::EMPTY;
    match last.map(|last| last.action) {
        Some(Action::Step(step)) => {
            from = Some(step.from);
            to = step.to.into();
        }
        Some(Action::Conspire(square) | Action::Spawn(_, square)) => to = (*square).into(),
        Some(Action::Displace(square)) => {
            if let Some(Phase::Displace { by }) = last.map(|last| last.before.phase) {
                from = Some(by);
            }
            to = (*square).into();
        }
        Some(Action::Establish(_) | Action::Rebuild) => {
            to = last.and_then(|last| last.before.board.throne(last.before.seat())).into();
        }
        Some(Action::Battle { .. }) => {
            if let Some(Phase::Battle { by, target, .. }) = last.map(|last| last.before.phase) {
                from = Some(by);
                to = target.into();
            }
        }
        _ => {}
    }
    for (set, class) in [(Squares::from(from), "outline last from"), (to, "outline last to")] {
        for square in set {
            let [x, y] = corner(square);
            scene.polygon(class, rectangle(x + 30, y + 30, 940, 940)).place(square.to_string()).flat();
        }
    }
    if let Phase::Battle { by, target, .. } = game.phase {
        let middle = |square| {
            let [x, y] = corner(square);
            [x + 500, y + 500]
        };
        let [from, tip] = [middle(by), middle(target)];
        scene.line("path attack", vec![from, tip]);
        for [x, y] in [from, tip] {
            scene.circle("path attack", [x, y], 470);
        }
    }
}

/// A seat's possessions beside the board.
fn side(game: &Campaign, seat: usize, known: bool, points: bool) -> Row {
    let board = &game.board;
    let hand = game.hands[seat];
    let hides = !known && (game.phase == Phase::SetUp && game.sheets[seat].is_some() || !hand.held.is_empty());
    let held: Vec<&str> = hand.held.iter().map(|favor| if known { favor.name() } else { "?" }).collect();
    let lost = words::removed(board, seat).join(", ");
    let pieces = match (game.phase, &game.sheets[seat]) {
        (Phase::SetUp, None) => "setting up".to_owned(),
        (Phase::SetUp, Some(_)) => "set up".to_owned(),
        _ => board.own(seat).len().to_string(),
    };
    let points = points.then(|| game.points[seat].to_string());
    let cells = [pieces, lost, held.join(", ")].into_iter().chain(points);
    Row { class: if hides { "hidden" } else { "" }.to_owned(), ..Row::of(seat as u8 + 1, cells) }
}

/// A square in words.
fn title(board: &Board, square: Square) -> String {
    let mut parts = vec![square.to_string()];
    match board.terrain(square) {
        None => parts.push("not known yet".to_owned()),
        Some(Terrain::Fortress) => {
            let home = (0..2).find(|seat| board.home[*seat] == Some(square));
            parts.push(home.map_or("fortress".to_owned(), |seat| format!("home fortress of seat {}", seat + 1)));
        }
        Some(terrain) => parts.push(terrain.name().to_owned()),
    }
    if board.ports().has(square) {
        parts.push("port".to_owned());
    }
    if board.breached.has(square) {
        parts.push("breached".to_owned());
    }
    for seat in 0..2 {
        if board.farms[seat] == Some(square) {
            let state = if board.destroyed.has(square) { "destroyed farm" } else { "farm" };
            parts.push(format!("{state} of seat {}", seat + 1));
        }
        if board.cities[seat] == Some(square) {
            parts.push(format!("city of seat {}", seat + 1));
        }
    }
    let piece = board.cell(square);
    if let Some(kind) = piece.kind() {
        parts.push(format!("{} of seat {}", kind.name(), piece.seat() + 1));
    }
    let notes = words::NOTES.into_iter().filter(|(note, _)| piece.any(*note));
    parts.extend(notes.map(|(_, what)| what.to_owned()));
    parts.join(", ")
}
