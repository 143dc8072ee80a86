//! Draws the board as a viewer may see it: spaces, triforces, paths and letters.

use plybook_events::Actor;

use super::{Sight, labels, spaces};
use crate::games::triforce_building::board::{Board, Triforce};
use crate::games::triforce_building::lattice::Cell;
use crate::games::triforce_building::notation::{Action, Submission};
use crate::scene::Point;
use crate::{Last, Scene};

/// Half the edge of a cell.
pub(super) const HALF: i32 = 600;

/// The height of a cell.
pub(super) const HEIGHT: i32 = 1040;

/// A position, the action that led to it, and the viewer.
pub(super) struct Drawing<'a> {
    pub(super) board: &'a Board,
    pub(super) seen: Sight,
    pub(super) last: Option<&'a Last<'a, Board>>,
    /// The paths that the viewer may know: those of the round that the last action resolved, otherwise those
    /// submitted for the current round.
    pub(super) paths: Vec<Path>,
}

/// The path of a seat.
pub(super) struct Path {
    pub(super) index: usize,
    from: Cell,
    pub(super) submission: Submission,
    /// Whether it is submitted but not yet walked.
    waits: bool,
}

/// Whether the last action resolved a round.
fn resolved(board: &Board, last: &Last<'_, Board>) -> bool {
    board.over || last.before.round < board.round
}

fn paths(board: &Board, seen: Sight, last: Option<&Last<'_, Board>>) -> Vec<Path> {
    let (before, done, waits) = match last {
        Some(last) if resolved(board, last) => (last.before, Some((last.actor, last.action)), false),
        _ => (board, None, true),
    };
    let known = before.on_board().filter(|(index, _)| seen.knows(*index));
    known
        .filter_map(|(index, from)| {
            let done = done.and_then(|(actor, action)| match action {
                Action::Submit(submission) if actor == Actor::Seat(index as u8 + 1) => Some(*submission),
                _ => None,
            });
            let submission = done.or(before.submitted[index])?;
            Some(Path { index, from, submission, waits })
        })
        .collect()
}

impl<'a> Drawing<'a> {
    /// A position as a viewer sees it.
    pub(super) fn new(board: &'a Board, seen: Sight, last: Option<&'a Last<'a, Board>>) -> Self {
        Self { board, seen, last, paths: paths(board, seen, last) }
    }

    /// Whether the viewer knows where a seat is.
    pub(super) fn knows(&self, index: usize) -> bool {
        self.seen.knows(index)
    }

    /// Whether the last action was this seat's. Everybody knows who acted.
    pub(super) fn acted_last(&self, index: usize) -> bool {
        self.last.is_some_and(|last| last.actor == Actor::Seat(index as u8 + 1))
    }

    /// The triforces that the last action made.
    fn is_new(&self, made: Triforce) -> bool {
        self.last.is_some_and(|last| resolved(self.board, last) && made.round == last.before.round)
    }

    pub(super) fn ground(&self, scene: &mut Scene) {
        let side = self.board.setup.side;
        let (half, height) = (HALF * i32::from(side), HEIGHT * i32::from(side));
        scene.polygon("board", vec![[0, -180], [half + 155, height + 90], [-half - 155, height + 90]]);
        let marked = self.marked();
        let (under, over): (Vec<Cell>, Vec<Cell>) = Cell::all(side).partition(|cell| !marked.contains(cell));
        for cell in under.into_iter().chain(over) {
            let shade = if cell.is_up() { "space" } else { "space dark" };
            let last = if marked.contains(&cell) { " last" } else { "" };
            let name = cell.to_string();
            scene.polygon(format!("{shade}{last}"), corners(cell).to_vec()).title(self.title(cell)).place(name);
        }
    }

    /// The cells touched by the last action, as far as the viewer may know.
    fn marked(&self) -> Vec<Cell> {
        let side = self.board.setup.side;
        let new = self.board.triforces().filter(|made| self.is_new(*made));
        let mut marked: Vec<Cell> = new.filter_map(|made| made.at.neighbours(side)).flatten().collect();
        for path in self.paths.iter().filter(|path| self.acted_last(path.index)) {
            marked.extend(self.cells(path));
        }
        marked
    }

    /// The content of a cell, in words.
    fn title(&self, cell: Cell) -> String {
        let space = spaces(self.board).into_iter().find(|(space, _)| *space == cell);
        let state = match space {
            None => "empty",
            Some((_, true)) => "powered",
            Some((_, false)) => "unpowered",
        };
        let labels = labels(self.board).unwrap_or_default();
        let label = labels.into_iter().find(|(_, start)| *start == cell);
        let label = label.map_or(String::new(), |(letter, _)| format!(", label {letter}"));
        let seats = match (self.seats_on(cell).as_slice(), self.seen) {
            ([], _) => String::new(),
            (_, Sight::Own(_)) => ", you are here".to_owned(),
            ([seat], _) => format!(", seat {seat}"),
            (seats, _) => format!(", seats {}", joined(seats)),
        };
        format!("{cell}, {state}{label}{seats}")
    }

    /// The seats on a cell that the viewer knows of.
    fn seats_on(&self, cell: Cell) -> Vec<u8> {
        let here = self.board.on_board().filter(|(index, there)| *there == cell && self.knows(*index));
        here.map(|(index, _)| index as u8 + 1).collect()
    }

    /// The outline of a triforce that has left the board, with its number.
    pub(super) fn triforce(&self, scene: &mut Scene, made: Triforce, number: u8) {
        let last = if self.is_new(made) { " last" } else { "" };
        let seats = joined(&made.seats);
        let title = format!("triforce {number}, round {}: seats {seats}", made.round);
        let [a, b, c] = corners(made.at);
        let beyond = |p: Point, q: Point, r: Point| [p[0] + q[0] - r[0], p[1] + q[1] - r[1]];
        let outline = vec![beyond(a, b, c), beyond(b, c, a), beyond(c, a, b), beyond(a, b, c)];
        scene.line(format!("made{last}"), outline).title(title.clone()).flat();
        let centre = centre(made.at);
        // Towards the tip that points into the row, which no piece reaches.
        let rise = if made.at.is_up() { -410 } else { 410 };
        scene.text("note", [centre[0], centre[1] + rise], 258, number.to_string()).title(title);
    }

    pub(super) fn pieces(&self, scene: &mut Scene) {
        for (cell, powered) in spaces(self.board) {
            let name = cell.to_string();
            if powered {
                powered_piece(scene, &shrunk(cell, 80), &name);
            } else {
                scene.polygon("piece unpowered", shrunk(cell, 72).to_vec()).place(name).flat();
            }
        }
        if let Sight::Own(index) = self.seen
            && let Some(cell) = self.board.cells[index]
        {
            scene.polygon("own", shrunk(cell, 92).to_vec()).place(cell.to_string()).flat();
        }
    }

    /// The cells of a path, including the first.
    fn cells(&self, path: &Path) -> Vec<Cell> {
        let side = self.board.setup.side;
        let mut cells = vec![path.from];
        for step in path.submission.steps() {
            let here = cells[cells.len() - 1];
            cells.extend(here.step(step, side));
        }
        cells
    }

    pub(super) fn paths(&self, scene: &mut Scene) {
        for path in &self.paths {
            let mut points: Vec<Point> =
                self.cells(path).into_iter().map(|cell| shifted(centre(cell), path.index)).collect();
            if points.len() < 2 {
                continue;
            }
            let end = if path.waits { points.len() - 1 } else { 0 };
            points[end] = self.path_end(path);
            scene.line("path casing", points.clone());
            scene.line(path_class(self, path), points).title(path_title(path));
        }
    }

    /// The seat's piece stands at one end of its path, and a disc with its number at the other. An arrow
    /// shows the direction.
    pub(super) fn path_ends(&self, scene: &mut Scene) {
        for path in self.paths.iter().filter(|path| path.submission.steps().next().is_some()) {
            let mut points: Vec<Point> =
                self.cells(path).into_iter().map(|cell| shifted(centre(cell), path.index)).collect();
            let end = if path.waits { points.len() - 1 } else { 0 };
            points[end] = self.path_end(path);
            if let [.., before, tip] = points[..] {
                let (tip, back) = if path.waits { (short_of(tip, before, 180), 210) } else { (tip, 190) };
                scene.polygon(format!("{} head", path_class(self, path)), arrowhead(before, tip, back));
            }
            let end = if path.waits { "to" } else { "from" };
            let at = self.path_end(path);
            scene.circle(format!("{} {end}", path_class(self, path)), at, 185).title(path_title(path));
            scene.text("glyph path", at, 258, (path.index + 1).to_string());
        }
    }

    /// The place of a path's disc: beside the piece, if there is one in the cell.
    fn path_end(&self, path: &Path) -> Point {
        let cells = self.cells(path);
        let cell = if path.waits { cells[cells.len() - 1] } else { cells[0] };
        let [x, y] = shifted(centre(cell), path.index);
        if self.board.on_board().all(|(_, there)| there != cell) {
            return [x, y];
        }
        let [a, b] = corners(cell)[path.index % 3];
        [x + (a - x) * 55 / 100, y + (b - y) * 55 / 100]
    }

    /// The text on the pieces.
    pub(super) fn names(&self, scene: &mut Scene) {
        let labels = labels(self.board).unwrap_or_default();
        for (cell, powered) in spaces(self.board) {
            let seats = self.seats_on(cell);
            let letter = labels.iter().find(|(_, start)| *start == cell).map(|(letter, _)| letter.to_string());
            let lines: Vec<(String, i32)> = match (seats.as_slice(), letter) {
                // A seat unknown to the viewer.
                ([], None) => {
                    let power = if powered { "powered" } else { "unpowered" };
                    scene.text(format!("glyph {power} hidden"), centre(cell), 290, "?").place(cell.to_string());
                    continue;
                }
                ([], Some(letter)) => vec![(letter, 330)],
                (&[seat], Some(letter)) => vec![(letter, 260), (seat.to_string(), 258)],
                (&[seat], None) => vec![(seat.to_string(), 300)],
                (seats @ [_, _], _) => vec![(joined(seats), 258)],
                (seats @ ([_, _, _, _] | [_, _, _]), _) => seats.chunks(2).map(|seats| (joined(seats), 258)).collect(),
                (seats, _) => vec![(format!("×{}", seats.len()), 260)],
            };
            let [x, y] = centre(cell);
            let height: i32 = lines.iter().map(|(_, size)| size).sum();
            let mut top = y - height / 2;
            let class = if powered { "glyph powered" } else { "glyph unpowered" };
            if powered && seats.len() > 1 {
                scene.circle("powered centre", [x, y], 290).place(cell.to_string());
            }
            for (text, size) in lines {
                scene.text(class, [x, top + size / 2], size, text).place(cell.to_string());
                top += size;
            }
        }
    }
}

/// The three small triangles of a powered piece, and their pale middle.
fn powered_piece(scene: &mut Scene, outline: &[Point; 3], place: &str) {
    let middle = |p: Point, q: Point| [i32::midpoint(p[0], q[0]), i32::midpoint(p[1], q[1])];
    let [a, b, c] = *outline;
    let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
    for corner in [vec![a, ab, ca], vec![b, bc, ab], vec![c, ca, bc]] {
        scene.polygon("piece powered", corner).place(place).flat();
    }
    scene.polygon("powered centre", vec![ab, bc, ca]).place(place).flat();
}

/// The point at this distance before `tip`, on the way from `before`.
fn short_of(tip: Point, before: Point, by: i32) -> Point {
    let length = distance(before, tip).max(1);
    [0, 1].map(|axis| tip[axis] + (before[axis] - tip[axis]) * by / length)
}

/// An arrow head of this length, pointing from `before` to `tip`.
fn arrowhead(before: Point, tip: Point, length: i32) -> Vec<Point> {
    let foot = short_of(tip, before, length);
    let [dx, dy] = [0, 1].map(|axis| (foot[axis] - tip[axis]) * 45 / 100);
    vec![tip, [foot[0] - dy, foot[1] + dx], [foot[0] + dy, foot[1] - dx]]
}

/// The distance between two points of the board, in whole units.
fn distance(a: Point, b: Point) -> i32 {
    let [dx, dy] = [0, 1].map(|axis| i64::from(b[axis] - a[axis]));
    (dx * dx + dy * dy).isqrt() as i32
}

fn path_class(drawing: &Drawing<'_>, path: &Path) -> String {
    let waits = if path.waits { " hidden" } else { "" };
    let last = if drawing.acted_last(path.index) { " last" } else { "" };
    format!("path seat-{}{waits}{last}", path.index + 1)
}

fn path_title(path: &Path) -> String {
    let done = if path.waits { "has submitted" } else { "went" };
    format!("seat {} {done} {} from {}", path.index + 1, path.submission, path.from)
}

/// The corners of a cell, clockwise from the top or the upper left.
fn corners(cell: Cell) -> [Point; 3] {
    let x = (i32::from(cell.number()) - i32::from(cell.row())) * HALF;
    let (top, bottom) = ((i32::from(cell.row()) - 1) * HEIGHT, i32::from(cell.row()) * HEIGHT);
    if cell.is_up() {
        [[x, top], [x + HALF, bottom], [x - HALF, bottom]]
    } else {
        [[x - HALF, top], [x + HALF, top], [x, bottom]]
    }
}

fn centre(cell: Cell) -> Point {
    let corners = corners(cell);
    [corners.iter().map(|[x, _]| x).sum::<i32>() / 3, corners.iter().map(|[_, y]| y).sum::<i32>() / 3]
}

/// The corners moved towards the middle, scaled to a percentage of the size.
fn shrunk(cell: Cell, percent: i32) -> [Point; 3] {
    let [x, y] = centre(cell);
    corners(cell).map(|[a, b]| [x + (a - x) * percent / 100, y + (b - y) * percent / 100])
}

/// Draws the paths of different seats side by side.
fn shifted([x, y]: Point, index: usize) -> Point {
    let (column, row) = (index as i32 % 5 - 2, index as i32 / 5 - 1);
    [x + column * 60, y + row * 70]
}

fn joined(seats: &[u8]) -> String {
    seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
