//! The picture: a powered space carries three small triangles around a pale middle, an unpowered one a single
//! solid triangle. Letters are shown on them in round 1; seats only to those who may know them.

use super::drawing::{Drawing, HALF, HEIGHT};
use super::{Sight, panel};
use crate::games::triforce_building::board::Board;
use crate::scene::Class;
use crate::{Last, Scene, Viewer};

/// The classes that only this game's scenes use.
pub(crate) const CLASSES: &[Class] = &[
    Class::new("powered", "a powered piece"),
    Class::new("unpowered", "an unpowered piece"),
    Class::new("made", "the outline of a triforce that has left the board"),
    Class::new("own", "the frame around the viewer's own piece, and its row of the table"),
    Class::new("head", "the point of an arrow"),
    Class::new("casing", "what keeps a path apart from those that it crosses"),
];

/// The margin around the board.
const MARGIN: i32 = 350;

pub(crate) fn draw(board: &Board, viewer: Viewer, last: Option<&Last<'_, Board>>) -> Scene {
    let seen = Sight::of(board, viewer);
    let drawing = Drawing::new(board, seen, last);
    let (half, height) = (HALF * i32::from(board.setup.side), HEIGHT * i32::from(board.setup.side));
    let mut scene = Scene::new([-half - MARGIN, -MARGIN, 2 * (half + MARGIN), height + 2 * MARGIN]);
    drawing.ground(&mut scene);
    board.triforces().zip(1..).for_each(|(made, number)| drawing.triforce(&mut scene, made, number));
    drawing.paths(&mut scene);
    drawing.pieces(&mut scene);
    drawing.path_ends(&mut scene);
    drawing.names(&mut scene);
    panel::write(&mut scene, &drawing);
    scene
}
