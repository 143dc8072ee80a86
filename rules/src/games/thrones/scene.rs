//! x
use super::position::Campaign;
use crate::{Last, Scene, Viewer};
pub(super) fn draw(_game: &Campaign, _viewer: Viewer, _last: Option<&Last<'_, Campaign>>) -> Scene {
    Scene::new([0, 0, 1, 1])
}
