//! Pictures of terrains and buildings: shapes that tell them apart without colour.
//!
//! Corners and lines are given within a square of 1000 units; the middle is left free for the piece.

use crate::Scene;
use crate::games::thrones::terrain::Terrain;
use crate::scene::Point;

/// A breached wall has a gap in its battlements.
const BREACH: [Point; 5] = [[560, 60], [500, 170], [580, 250], [490, 340], [570, 430]];

/// Draws the terrain of a square, given the square's upper left corner.
pub(super) fn terrain(scene: &mut Scene, corner: Point, terrain: Terrain, breached: bool) {
    match terrain {
        Terrain::Plains => {
            for tuft in [[150, 880], [830, 170]] {
                let [x, y] = tuft;
                let blades = [[x - 80, y - 50], [x - 40, y + 15], [x, y - 50], [x + 40, y + 15], [x + 80, y - 50]];
                scene.line("mark tuft", put(corner, &blades));
            }
        }
        Terrain::Forest => {
            for [x, y] in [[160, 60], [840, 60], [500, 330], [160, 640], [840, 640]] {
                scene.polygon("mark tree", put(corner, &[[x, y], [x + 120, y + 290], [x - 120, y + 290]]));
            }
        }
        Terrain::Water => {
            for y in [150, 390, 630, 870] {
                let wave: Vec<Point> =
                    (0..9).map(|step| [60 + 110 * step, y + 40 * [0, 1, 0, -1][step as usize % 4]]).collect();
                scene.line("mark wave", put(corner, &wave));
            }
        }
        Terrain::Mountain => {
            scene.polygon("mark peak", put(corner, &[[40, 930], [500, 60], [960, 930]]));
            scene.polygon(
                "mark snow",
                put(corner, &[[390, 268], [500, 60], [610, 268], [545, 220], [500, 290], [450, 220]]),
            );
        }
        Terrain::Fortress => {
            let wall = [
                [80, 930],
                [80, 70],
                [250, 70],
                [250, 190],
                [415, 190],
                [415, 70],
                [585, 70],
                [585, 190],
                [750, 190],
                [750, 70],
                [920, 70],
                [920, 930],
            ];
            scene.polygon(if breached { "mark wall breached" } else { "mark wall" }, put(corner, &wall));
            if breached {
                scene.line("mark crack", put(corner, &BREACH));
                scene.line("mark crack", put(corner, &[[60, 700], [170, 640], [120, 560], [240, 480]]));
                scene.line("mark crack", put(corner, &[[940, 800], [830, 730], [880, 640], [760, 560]]));
            }
        }
    }
}

/// Draws an anchor in the lower left corner.
pub(super) fn port(scene: &mut Scene, corner: Point) {
    scene.line("mark port", put(corner, &[[70, 800], [110, 900], [180, 930], [250, 900], [290, 800]]));
    scene.line("mark port", put(corner, &[[180, 930], [180, 690]]));
    scene.line("mark port", put(corner, &[[110, 750], [250, 750]]));
}

/// Draws a seat's farm, a house with one roof, in the lower right corner.
pub(super) fn farm(scene: &mut Scene, corner: Point, seat: usize, destroyed: bool) {
    let house = [[640, 960], [640, 780], [800, 640], [960, 780], [960, 960]];
    scene.polygon(format!("farm seat-{seat}"), put(corner, &house));
    scene.text(format!("glyph seat-{seat}"), shift(corner, [800, 855]), 245, seat.to_string());
    if destroyed {
        scene.line("mark crack", put(corner, &[[620, 620], [980, 980]]));
        scene.line("mark crack", put(corner, &[[980, 620], [620, 980]]));
    }
}

/// Draws a seat's city, houses with three towers, in the lower right corner.
pub(super) fn city(scene: &mut Scene, corner: Point, seat: usize) {
    let towers = [
        [600, 960],
        [600, 740],
        [680, 740],
        [680, 800],
        [740, 800],
        [740, 620],
        [860, 620],
        [860, 800],
        [900, 800],
        [900, 720],
        [970, 720],
        [970, 960],
    ];
    scene.polygon(format!("city seat-{seat}"), put(corner, &towers));
    scene.text(format!("glyph seat-{seat}"), shift(corner, [795, 855]), 245, seat.to_string());
}

fn put(corner: Point, points: &[Point]) -> Vec<Point> {
    points.iter().map(|point| shift(corner, *point)).collect()
}

fn shift(corner: Point, [x, y]: Point) -> Point {
    [corner[0] + x, corner[1] + y]
}
