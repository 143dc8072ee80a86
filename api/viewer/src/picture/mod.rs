//! Open Graph images: positions as PNG, 1200 × 630 pixels, in light colours, rendered by resvg from the SVG of [`crate::draw`].
//!
//! The only font is in the program, so a position has the same bytes on every machine.

mod flat;

use std::sync::LazyLock;

use plybook_rules::Scene;
use plybook_rules::scene::Shape;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::draw::board;

/// The width of a picture in pixels. Sites show what is 1.91 times as wide as high without cutting it.
pub const WIDTH: u32 = 1200;

/// The height of a picture in pixels.
pub const HEIGHT: u32 = 630;

static OPTIONS: LazyLock<Options> = LazyLock::new(|| {
    let mut options = Options { style_sheet: Some(flat::style()), ..Options::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(include_bytes!("letters.ttf").to_vec());
    let family = fonts.faces().flat_map(|face| &face.families).map(|(name, _)| name.clone()).next();
    fonts.set_sans_serif_family(family.expect("the font has a name"));
    options
});

/// The width of the column of names beside a board, in pixels.
const NAMES: u32 = 400;

/// The most characters of a name.
const NAME_MAX: usize = 20;

/// Draws a scene as PNG, [`WIDTH`] × [`HEIGHT`] pixels: the names of the seats, if there are any, and the board. What else
/// stands beside the board is left out. The picture is bare paper if the scene has no extent.
pub fn png(scene: &Scene, names: &[&str]) -> Vec<u8> {
    let mut pixels = Pixmap::new(WIDTH, HEIGHT).expect("the size is not 0");
    // resvg draws no background of the root element.
    pixels.fill(Color::from_rgba8(0xfb, 0xfa, 0xf7, 0xff));
    let left = if names.is_empty() { 0 } else { NAMES };
    let mut draw = |scene: &Scene, left: u32, width: u32| {
        if let Ok(tree) = Tree::from_str(&board(scene, [width, HEIGHT]), &OPTIONS) {
            resvg::render(&tree, Transform::from_translate(left as f32, 0.0), &mut pixels.as_mut());
        }
    };
    draw(scene, left, WIDTH - left);
    draw(&column(names), 0, NAMES);
    pixels.encode_png().expect("writing to memory succeeds")
}

/// The seats by name, one below the other, each with its colour.
fn column(names: &[&str]) -> Scene {
    let [width, height] = [NAMES, HEIGHT].map(|length| length as i32);
    let mut column = Scene::new([0, 0, width, height]);
    let step = (height / (names.len() as i32 + 1)).min(90);
    let top = (height - step * (names.len() as i32 - 1)) / 2;
    for (seat, name) in (1..).zip(names) {
        let y = top + step * (seat - 1);
        column.add(&format!("piece seat-{seat}"), Shape::Circle { at: [40, y], r: step / 4 });
        let text = name.chars().take(NAME_MAX).collect();
        column.add("label", Shape::Text { at: [width / 2 + 30, y], size: (step / 2).min(30), text });
    }
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_scene_is_a_picture_of_the_same_size() {
        let mut strange = Scene::new([0, 0, 0, 0]);
        strange.add("space", Shape::Polygon { points: Vec::new() });
        strange.add("piece seat-99", Shape::Circle { at: [i32::MAX, i32::MIN], r: -1 });
        strange.add("nothing known", Shape::Line { points: vec![[0, 0]] });
        strange.add("glyph", Shape::Text { at: [0, 0], size: i32::MAX, text: "\u{5d0}\u{1f600}\0Q".to_owned() });
        let mut wide = Scene::new([-9_000, 0, 90_000, 1]);
        wide.polygon("board", vec![[-9_000, 0], [81_000, 0], [81_000, 1]]);
        wide.line("outline from last", vec![[i32::MIN, 0], [i32::MAX, 0]]);
        for scene in [strange, wide, Scene::new([i32::MIN, i32::MIN, i32::MAX, i32::MAX])] {
            let picture = png(&scene, &[]);
            let pixels = Pixmap::decode_png(&picture).expect("it is PNG");
            assert_eq!([pixels.width(), pixels.height()], [WIDTH, HEIGHT]);
            assert!(png(&scene, &[]) == picture, "it is drawn the same way every time");
        }
    }

    #[test]
    fn items_look_as_the_style_sheet_says() {
        let mut scene = Scene::new([0, 0, 1200, 630]);
        scene.kind = "tri";
        let circle = |x| Shape::Circle { at: [x, 300], r: 80 };
        scene.add("piece seat-2", circle(100));
        scene.add("space tri held seat-1", circle(300));
        scene.add("space last", circle(500));
        scene.add("piece tri white seat-13", circle(700));
        scene.add("tri mark", circle(900));
        scene.add("label", Shape::Text { at: [1100, 300], size: 400, text: "■".to_owned() });
        let pixels = Pixmap::decode_png(&png(&scene, &[])).expect("it is PNG");
        for (x, colour) in [
            (0, "fbfaf7"),
            (100, "c23b22"),
            (300, "e6edf2"),
            (500, "eccd7e"),
            (700, "ffffff"),
            (900, "fbfaf7"),
            (1100, "555a62"),
        ] {
            let found = pixels.pixel(x, 300).expect("it is inside").demultiply();
            assert_eq!(format!("{:02x}{:02x}{:02x}", found.red(), found.green(), found.blue()), colour, "at {x}");
        }
    }

    #[test]
    fn names_stand_beside_the_board_in_the_colours_of_their_seats() {
        let pixels = Pixmap::decode_png(&png(&Scene::new([0, 0, 8, 8]), &["Ada", "Bela"])).expect("it is PNG");
        let pixels = &pixels;
        let column = |x: u32| (0..HEIGHT).filter_map(move |y| pixels.pixel(x, y)).map(|pixel| pixel.demultiply());
        let of = |red, green, blue| column(40).any(|at| (at.red(), at.green(), at.blue()) == (red, green, blue));
        assert!(of(0x24, 0x57, 0xa6) && of(0xc2, 0x3b, 0x22));
        assert!((100..NAMES).any(|x| column(x).any(|at| at.red() < 0x80)), "there is text");
    }
}
