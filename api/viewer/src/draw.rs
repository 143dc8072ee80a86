//! Draws a scene as a self-contained SVG file.

use std::fmt::Write;

use plybook_rules::Scene;
use plybook_rules::scene::{Item, Point, Shape, Table};

/// The style sheet of scenes, shared with the viewer.
pub const STYLE: &str = include_str!("../../../web-viewer/base/scene.css");

/// Renders a scene as SVG, `width` pixels wide. What stands beside the board is written below it.
pub fn svg(scene: &Scene, width: u32, caption: &str) -> String {
    let [x, y, w, board] = scene.view;
    let beside = beside(scene);
    let h = board + beside.lines * beside.line;
    let height = u64::from(width) * h.unsigned_abs() as u64 / u64::from(w.unsigned_abs().max(1));
    let head = format!("<title>{}</title>\n<style>\n{STYLE}</style>\n", escape(caption));
    let items = scene.items.iter().chain(&beside.items);
    document(scene.kind, [x, y, w, h].map(i64::from), [width.into(), height], &head, items)
}

/// Renders the board of a scene as SVG of this size, with some room around it, and without a style sheet.
pub fn board(scene: &Scene, [width, height]: [u32; 2]) -> String {
    let [x, y, w, h] = scene.view.map(i64::from);
    let room = (w / 98).max(h / 50);
    let view = [x - room, y - room, w + 2 * room, h + 2 * room];
    document(scene.kind, view, [width.into(), height.into()], "", &scene.items)
}

fn document<'a>(
    kind: &str,
    [x, y, w, h]: [i64; 4],
    [width, height]: [u64; 2],
    head: &str,
    items: impl IntoIterator<Item = &'a Item>,
) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene {kind}\" role=\"img\" viewBox=\"{x} {y} {w} {h}\" \
         width=\"{width}\" height=\"{height}\">\n{head}"
    );
    for item in items {
        write_item(&mut out, item);
    }
    out.push_str("</svg>\n");
    out
}

/// What is written below the board.
struct Beside {
    items: Vec<Item>,
    /// The number of lines, and an empty one if there are any.
    lines: i32,
    /// The height of a line.
    line: i32,
}

/// The status and the tables of a scene as texts below its board.
fn beside(scene: &Scene) -> Beside {
    let [x, y, w, h] = scene.view;
    let mut below = Beside { items: Vec::new(), lines: 0, line: w / 26 };
    let mut write = |cells: &[&str]| {
        let column = w / cells.len().max(1) as i32;
        let middle = y + h + below.lines * below.line + below.line / 2;
        for (index, cell) in (0..).zip(cells).filter(|(_, cell)| !cell.is_empty()) {
            let at = [x + index * column + column / 2, middle];
            let shape = Shape::Text { at, size: below.line * 6 / 10, text: (*cell).to_owned() };
            below.items.push(Item {
                shape,
                class: "note".to_owned(),
                place: None,
                title: None,
                group: None,
                flat: false,
            });
        }
        below.lines += 1;
    };
    if !scene.status.is_empty() {
        write(&[&scene.status]);
    }
    for Table { title, columns, rows } in &scene.tables {
        let columns = columns.iter().map(String::as_str);
        write(&[title.as_str()].into_iter().chain(columns).collect::<Vec<_>>());
        for row in rows {
            let name = if row.seat == 0 { row.name.clone() } else { format!("Seat {}", row.seat) };
            write(&[name.as_str()].into_iter().chain(row.cells.iter().map(String::as_str)).collect::<Vec<_>>());
        }
    }
    below.lines += i32::from(below.lines > 0);
    below
}

fn write_item(out: &mut String, item: &Item) {
    let class = escape(&item.class);
    let (name, shape, text) = match &item.shape {
        Shape::Polygon { points } => ("polygon", format!("points=\"{}\"", list(points)), None),
        Shape::Line { points } => ("polyline", format!("points=\"{}\"", list(points)), None),
        Shape::Circle { at: [x, y], r } => ("circle", format!("cx=\"{x}\" cy=\"{y}\" r=\"{r}\""), None),
        Shape::Text { at: [x, y], size, text } => {
            ("text", format!("x=\"{x}\" y=\"{y}\" font-size=\"{size}\""), Some(escape(text)))
        }
    };
    let title = item.title.as_ref().map(|title| format!("<title>{}</title>", escape(title)));
    let inside = text.unwrap_or_default() + &title.unwrap_or_default();
    writeln!(out, "<{name} class=\"{class}\" {shape}>{inside}</{name}>").expect("a string can be written to");
}

fn list(points: &[Point]) -> String {
    points.iter().map(|[x, y]| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

/// Text inside an element or an attribute, without the characters that XML cannot hold.
pub fn escape(text: &str) -> String {
    let text = text.replace(|c: char| c < ' ' && !"\t\n\r".contains(c) || "\u{fffe}\u{ffff}".contains(c), "");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
