//! Shapes on pixels.

use plybook_rules::scene::{Point, Shape};
use png::{BitDepth, ColorType, Encoder};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use super::colour::Colour;
use super::lettering::outlines;
use super::look::Look;
use super::{HEIGHT, WIDTH};

/// The room around the board, in pixels.
const MARGIN: f32 = 12.0;

/// What is drawn on, with the view of a scene in its middle.
pub(super) struct Canvas {
    pixels: Pixmap,
    transform: Transform,
}

impl Canvas {
    /// An empty canvas for `[x, y, width, height]`.
    pub(super) fn new(view: [i32; 4], paper: Colour) -> Self {
        let [x, y, width, height] = view.map(|length| length as f32);
        let room = [WIDTH, HEIGHT].map(|length| length as f32);
        let scale = ((room[0] - 2.0 * MARGIN) / width.max(1.0)).min((room[1] - 2.0 * MARGIN) / height.max(1.0));
        let left = room[0] / 2.0 - (x + width / 2.0) * scale;
        let top = room[1] / 2.0 - (y + height / 2.0) * scale;
        let mut pixels = Pixmap::new(WIDTH, HEIGHT).expect("the size is not 0");
        pixels.fill(color(paper, 1.0));
        Self { pixels, transform: Transform::from_row(scale, 0.0, 0.0, scale, left, top) }
    }

    /// Draws a shape on top. What has no extent is left out.
    pub(super) fn draw(&mut self, shape: &Shape, look: &Look) {
        let Some(path) = path(shape) else { return };
        let paint = |colour, opacity| {
            let mut paint = Paint::default();
            paint.set_color(color(colour, opacity));
            paint
        };
        if let Some(fill) = look.fill {
            self.pixels.fill_path(&path, &paint(fill, look.fill_opacity), FillRule::Winding, self.transform, None);
        }
        if let Some(colour) = look.stroke {
            self.pixels.stroke_path(&path, &paint(colour, look.stroke_opacity), &stroke(look), self.transform, None);
        }
    }

    /// The picture as PNG.
    pub(super) fn png(self) -> Vec<u8> {
        const MEMORY: &str = "writing to memory succeeds";
        let colours: Vec<u8> =
            self.pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        let mut out = Vec::new();
        let mut encoder = Encoder::new(&mut out, WIDTH, HEIGHT);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let mut writer = encoder.write_header().expect(MEMORY);
        writer.write_image_data(&colours).expect(MEMORY);
        writer.finish().expect(MEMORY);
        out
    }
}

fn path(shape: &Shape) -> Option<Path> {
    let float = |[x, y]: Point| [x as f32, y as f32];
    let joined = |points: &[Point], is_closed: bool| {
        let mut builder = PathBuilder::new();
        for (index, [x, y]) in points.iter().copied().map(float).enumerate() {
            if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
        }
        if is_closed {
            builder.close();
        }
        builder.finish()
    };
    match shape {
        Shape::Polygon { points } => joined(points, true),
        Shape::Line { points } => joined(points, false),
        Shape::Circle { at, r } => {
            let [x, y] = float(*at);
            PathBuilder::from_circle(x, y, *r as f32)
        }
        Shape::Text { at, size, text } => outlines(text, float(*at), *size as f32),
    }
}

fn stroke(look: &Look) -> Stroke {
    // An odd number of lengths is repeated, so that dashes and gaps alternate.
    let lengths = look.dashes.repeat(1 + look.dashes.len() % 2);
    Stroke {
        width: look.stroke_width,
        line_cap: if look.has_round_ends { LineCap::Round } else { LineCap::Butt },
        line_join: if look.has_round_corners { LineJoin::Round } else { LineJoin::Miter },
        dash: StrokeDash::new(lengths, 0.0),
        ..Stroke::default()
    }
}

fn color(Colour([red, green, blue]): Colour, opacity: f32) -> Color {
    Color::from_rgba(red, green, blue, opacity.clamp(0.0, 1.0)).unwrap_or(Color::BLACK)
}
