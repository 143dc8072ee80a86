//! The games, one folder each. A game's folder and its line here are all that is needed to add it.

use crate::Rules;

mod thrones;
mod tri;
mod triangulate;
mod triforce;
mod triforce_building;

/// The rules of all games, in the order they are shown.
pub(crate) static ALL: &[&dyn Rules] = &[
    &triangulate::Triangulate,
    &tri::Tri,
    &triforce::Triforce,
    &triforce_building::TriforceBuilding,
    &thrones::Thrones,
];
