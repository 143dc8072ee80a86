//! The games, one folder each. A game's folder, its lines here and its feature are all that is needed to add it.

use crate::Rules;

#[cfg(feature = "thrones")]
mod thrones;
#[cfg(feature = "tri")]
mod tri;
#[cfg(feature = "triangulate")]
mod triangulate;
#[cfg(feature = "triforce")]
mod triforce;
#[cfg(feature = "triforce-building")]
mod triforce_building;

/// The rules of all games, in the order they are shown.
pub(crate) static ALL: &[&dyn Rules] = &[
    #[cfg(feature = "triangulate")]
    &triangulate::Triangulate,
    #[cfg(feature = "tri")]
    &tri::Tri,
    #[cfg(feature = "triforce")]
    &triforce::Triforce,
    #[cfg(feature = "triforce-building")]
    &triforce_building::TriforceBuilding,
    #[cfg(feature = "thrones")]
    &thrones::Thrones,
];
