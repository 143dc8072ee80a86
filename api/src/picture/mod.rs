//! A scene as a picture for the preview of a link: PNG, 1200 × 630 pixels, in light colours.
//!
//! It looks as the viewer draws it, because it has the same style sheet. Of CSS, [`sheet`] and [`selector`] know what that
//! sheet needs; a test reads all of it.

mod canvas;
mod colour;
mod lettering;
mod look;
mod selector;
mod sheet;

use plybook_rules::Scene;

use self::canvas::Canvas;
use self::look::Looks;

/// The width of a picture in pixels. Sites show what is 1.91 times as wide as high without cutting it.
pub const WIDTH: u32 = 1200;

/// The height of a picture in pixels.
pub const HEIGHT: u32 = 630;

/// Draws a scene as PNG, [`WIDTH`] × [`HEIGHT`] pixels, with the board in the middle. What stands beside the board is left out.
pub fn png(scene: &Scene) -> Vec<u8> {
    let mut looks = Looks::of(scene.kind);
    let mut canvas = Canvas::new(scene.view, looks.paper());
    for item in &scene.items {
        canvas.draw(&item.shape, &looks.of_item(item));
    }
    canvas.png()
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
        for scene in [strange, wide, Scene::new([i32::MIN, i32::MIN, i32::MAX, i32::MAX])] {
            let picture = png(&scene);
            assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n");
            assert_eq!(picture[16..20], WIDTH.to_be_bytes());
            assert_eq!(picture[20..24], HEIGHT.to_be_bytes());
        }
    }
}
