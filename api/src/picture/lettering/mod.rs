//! Letters as outlines.

use std::sync::LazyLock;

use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, OutlineBuilder};

/// The letters that boards have; see `LICENSE`.
static FACE: LazyLock<Face> =
    LazyLock::new(|| Face::parse(include_bytes!("letters.ttf"), 0).expect("a test reads the letters"));

/// How far below the middle of a text its letters stand, in parts of its size: half the height of a capital letter.
const DROP: f32 = 0.365;

/// The outlines of a text with its middle at `[x, y]`, in letters of `size`. Characters that there are no letters for are
/// left out; none if nothing is left.
pub(super) fn outlines(text: &str, [x, y]: [f32; 2], size: f32) -> Option<Path> {
    let face = &*FACE;
    let scale = size / f32::from(face.units_per_em());
    let glyphs: Vec<_> = text.chars().filter_map(|letter| face.glyph_index(letter)).collect();
    let wide = |glyph| f32::from(face.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
    let width: f32 = glyphs.iter().map(|&glyph| wide(glyph)).sum();
    let mut pen = Pen { path: PathBuilder::new(), at: [x - width / 2.0, y + size * DROP], scale };
    for glyph in glyphs {
        // A space has no outline.
        let _ = face.outline_glyph(glyph, &mut pen);
        pen.at[0] += wide(glyph);
    }
    pen.path.finish()
}

/// Writes outlines at a place, upright: fonts measure upwards.
struct Pen {
    path: PathBuilder,
    at: [f32; 2],
    scale: f32,
}

impl Pen {
    fn x(&self, x: f32) -> f32 {
        self.at[0] + x * self.scale
    }

    fn y(&self, y: f32) -> f32 {
        self.at[1] - y * self.scale
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x(x), self.y(y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x(x), self.y(y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x(x1), self.y(y1), self.x(x), self.y(y));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x(x1), self.y(y1), self.x(x2), self.y(y2), self.x(x), self.y(y));
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_centred() {
        let path = outlines("HOH", [100.0, 50.0], 20.0).expect("there are letters");
        let bounds = path.bounds();
        assert!((f32::midpoint(bounds.left(), bounds.right()) - 100.0).abs() < 0.5, "{bounds:?}");
        assert!((f32::midpoint(bounds.top(), bounds.bottom()) - 50.0).abs() < 0.5, "{bounds:?}");
        assert!(outlines(" \u{5d0}", [0.0, 0.0], 20.0).is_none());
    }
}
