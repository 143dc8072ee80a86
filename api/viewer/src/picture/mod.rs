//! Open Graph images: positions as PNG, 1200 × 630 pixels, in light colours, rendered by resvg from the SVG of [`crate::draw`].
//!
//! The only font is in the program, so a position has the same bytes on every machine.

mod flat;

use std::sync::LazyLock;

use plybook_rules::Scene;
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

/// Draws a scene as PNG, [`WIDTH`] × [`HEIGHT`] pixels, with the board in the middle. What stands beside the board is left
/// out. The picture is bare paper if the scene has no extent.
pub fn png(scene: &Scene) -> Vec<u8> {
    let mut pixels = Pixmap::new(WIDTH, HEIGHT).expect("the size is not 0");
    // resvg draws no background of the root element.
    pixels.fill(Color::from_rgba8(0xfb, 0xfa, 0xf7, 0xff));
    if let Ok(tree) = Tree::from_str(&board(scene, [WIDTH, HEIGHT]), &OPTIONS) {
        resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    }
    pixels.encode_png().expect("writing to memory succeeds")
}

#[cfg(test)]
mod tests {
    use plybook_rules::scene::Shape;

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
            let picture = png(&scene);
            let pixels = Pixmap::decode_png(&picture).expect("it is PNG");
            assert_eq!([pixels.width(), pixels.height()], [WIDTH, HEIGHT]);
            assert!(png(&scene) == picture, "it is drawn the same way every time");
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
        let pixels = Pixmap::decode_png(&png(&scene)).expect("it is PNG");
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
}
