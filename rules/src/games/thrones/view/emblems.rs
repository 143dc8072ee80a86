//! The emblems of the pieces, in white on the colour of the seat.
//!
//! Points lie within a square from -50 to 50 around the middle of the emblem.

use crate::Scene;
use crate::games::thrones::piece::Kind;
use crate::scene::Point;

/// Board units per unit of an emblem.
const SCALE: i32 = 5;

/// The parts of an emblem: faces, strokes, and discs with their radius.
struct Emblem {
    faces: &'static [&'static [Point]],
    strokes: &'static [&'static [Point]],
    discs: &'static [(Point, i32)],
}

/// A long arm on a frame, its weight on the short end.
const TREBUCHET: Emblem = Emblem {
    faces: &[&[[18, -22], [44, -12], [36, 14], [12, 4]]],
    strokes: &[&[[-44, -42], [30, -6]], &[[-26, 42], [2, -18], [26, 42]], &[[-38, 42], [38, 42]]],
    discs: &[([-44, -42], 8)],
};

/// A short arm with a bowl on a cart.
const CATAPULT: Emblem = Emblem {
    faces: &[&[[-44, 14], [40, 14], [40, 26], [-44, 26]]],
    strokes: &[&[[-34, 16], [22, -30]], &[[2, 14], [2, -12]]],
    discs: &[([28, -34], 13), ([-26, 34], 13), ([24, 34], 13)],
};

/// Spread wings, head and tail.
const DRAGON: Emblem = Emblem {
    faces: &[&[
        [0, -46],
        [10, -34],
        [8, -22],
        [22, -36],
        [48, -34],
        [38, -18],
        [46, 0],
        [30, -4],
        [26, 14],
        [14, 4],
        [10, 20],
        [22, 44],
        [4, 32],
        [-8, 20],
        [-14, 4],
        [-26, 14],
        [-30, -4],
        [-46, 0],
        [-38, -18],
        [-48, -34],
        [-22, -36],
        [-8, -22],
        [-10, -34],
    ]],
    strokes: &[],
    discs: &[],
};

/// A body on four legs, with the trunk to the right.
const ELEPHANT: Emblem = Emblem {
    faces: &[&[
        [-46, 36],
        [-46, -4],
        [-36, -24],
        [-8, -30],
        [8, -26],
        [16, -36],
        [34, -34],
        [44, -18],
        [46, 22],
        [38, 30],
        [34, 20],
        [34, 0],
        [24, 4],
        [20, 10],
        [20, 36],
        [6, 36],
        [4, 16],
        [-18, 16],
        [-20, 36],
        [-30, 36],
        [-32, 16],
        [-34, 36],
    ]],
    strokes: &[],
    discs: &[],
};

/// A lance across, with a broad pennant.
const LANCER: Emblem = Emblem {
    faces: &[
        &[[52, -52], [44, -20], [20, -44]],
        &[[28, -36], [36, -28], [-38, 48], [-48, 38]],
        &[[4, -14], [-52, -44], [-34, -12], [-50, 12], [-20, 12]],
    ],
    strokes: &[],
    discs: &[],
};

/// A drawn bow, as a crescent, and its arrow.
const RANGERS: Emblem = Emblem {
    faces: &[
        &[
            [-22, -50],
            [6, -40],
            [26, -20],
            [32, 0],
            [26, 20],
            [6, 40],
            [-22, 50],
            [0, 28],
            [10, 12],
            [12, 0],
            [10, -12],
            [0, -28],
        ],
        &[[50, 0], [26, -16], [26, 16]],
        &[[-50, -5], [28, -5], [28, 5], [-50, 5]],
    ],
    strokes: &[],
    discs: &[],
};

/// A large shield in front of an upright spear.
const SPEARMEN: Emblem = Emblem {
    faces: &[
        &[[-42, -24], [-6, -32], [30, -24], [30, 10], [18, 34], [-6, 50], [-30, 34], [-42, 10]],
        &[[40, -52], [52, -24], [45, -18], [45, 50], [35, 50], [35, -18], [28, -24]],
    ],
    strokes: &[],
    discs: &[],
};

/// A crown.
const THRONE: Emblem = Emblem {
    faces: &[
        &[[-38, 20], [-46, -28], [-20, -4], [0, -42], [20, -4], [46, -28], [38, 20]],
        &[[-38, 28], [38, 28], [38, 40], [-38, 40]],
    ],
    strokes: &[],
    discs: &[],
};

/// The head of a horse.
const WARHORSE: Emblem = Emblem {
    faces: &[&[
        [-30, 44],
        [-32, 8],
        [-22, -22],
        [0, -38],
        [4, -50],
        [14, -36],
        [32, -14],
        [46, 8],
        [38, 20],
        [26, 18],
        [8, 8],
        [16, 24],
        [26, 44],
    ]],
    strokes: &[],
    discs: &[],
};

/// A bow across its stock.
const CROSSBOWMEN: Emblem = Emblem {
    faces: &[&[[-6, -48], [6, -48], [9, 46], [-9, 46]]],
    strokes: &[&[[-46, -4], [-30, -24], [0, -34], [30, -24], [46, -4], [0, 6], [-46, -4]]],
    discs: &[],
};

/// Draws the emblem of a piece around a point.
pub(super) fn draw(scene: &mut Scene, kind: Kind, at: Point, place: &str) {
    let put = |[x, y]: &Point| [at[0] + x * SCALE, at[1] + y * SCALE];
    let Emblem { faces, strokes, discs } = emblem(kind);
    for face in faces {
        scene.polygon("emblem", face.iter().map(put).collect()).place(place);
    }
    for stroke in strokes {
        scene.line("emblem", stroke.iter().map(put).collect()).place(place);
    }
    for (middle, radius) in discs {
        scene.circle("emblem", put(middle), radius * SCALE).place(place);
    }
}

fn emblem(kind: Kind) -> Emblem {
    match kind {
        Kind::Trebuchet => TREBUCHET,
        Kind::Catapult => CATAPULT,
        Kind::Dragon => DRAGON,
        Kind::Elephant => ELEPHANT,
        Kind::Lancer => LANCER,
        Kind::Rangers => RANGERS,
        Kind::Spearmen => SPEARMEN,
        Kind::Throne => THRONE,
        Kind::Warhorse => WARHORSE,
        Kind::Crossbowmen => CROSSBOWMEN,
    }
}
