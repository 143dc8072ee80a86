//! Outlines of pieces, on the board and beside it.

use crate::Scene;
use crate::games::triforce::stack::Size;
use crate::scene::Point;

/// A sword that points to the upper right.
pub(super) fn sword(at: Point, height: i32) -> Vec<Point> {
    let blade: [[i32; 2]; 11] = [
        [-40, 30],
        [-22, 12],
        [-34, 0],
        [-26, -8],
        [-12, 2],
        [30, -40],
        [40, -40],
        [40, -30],
        [-2, 12],
        [8, 26],
        [0, 34],
    ];
    let hilt: [[i32; 2]; 2] = [[-12, 22], [-30, 40]];
    blade.iter().chain(&hilt).map(|[x, y]| [at[0] + x * height / 100, at[1] + y * height / 100]).collect()
}

/// A shield with its point down.
pub(super) fn shield(at: Point, height: i32) -> Vec<Point> {
    let outline: [[i32; 2]; 7] = [[-32, -36], [0, -30], [32, -36], [32, 4], [18, 26], [0, 40], [-18, 26]];
    let last = [-32, 4];
    outline.iter().chain([&last]).map(|[x, y]| [at[0] + x * height / 100, at[1] + y * height / 100]).collect()
}

/// A pawn: a head on a cone, with the seat's number, which is the last item added.
pub(super) fn draw_pawn(scene: &mut Scene, seat: u8, [x, y]: Point) {
    let body = vec![[x - 130, y + 200], [x - 55, y - 70], [x + 55, y - 70], [x + 130, y + 200]];
    scene.polygon(format!("piece pawn seat-{seat}"), body);
    scene.circle(format!("piece pawn seat-{seat}"), [x, y - 110], 88);
    scene.text(format!("glyph seat-{seat}"), [x, y + 90], 190, seat.to_string());
}

/// A pyramid from the side: its outline, and the shaded face.
pub(super) fn pyramid([x, y]: Point, width: i32, height: i32) -> [Vec<Point>; 2] {
    let (foot, top) = (width / 2, [x, y - height]);
    [vec![[x - foot, y], top, [x + foot, y]], vec![top, [x + foot, y], [x + foot * 3 / 10, y]]]
}

/// The class of a size.
pub(super) fn size_class(size: Size) -> &'static str {
    match size {
        Size::L => "size-l",
        Size::M => "size-m",
        Size::S => "size-s",
    }
}
