//! Draws a scene as a self-contained SVG file.

use std::fmt::Write;

use plybook_rules::Scene;
use plybook_rules::scene::{Item, Point, Shape};

/// The style sheet of scenes, shared with the viewer.
const STYLE: &str = include_str!("../../web-viewer/base/scene.css");

/// Renders a scene as SVG, `width` pixels wide.
pub fn svg(scene: &Scene, width: u32, caption: &str) -> String {
    let [x, y, w, h] = scene.view;
    let height = u64::from(width) * h.unsigned_abs() as u64 / u64::from(w.unsigned_abs().max(1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" role=\"img\" viewBox=\"{x} {y} {w} {h}\" \
         width=\"{width}\" height=\"{height}\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n",
        escape(caption)
    );
    for item in &scene.items {
        write_item(&mut out, item);
    }
    out.push_str("</svg>\n");
    out
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
