//! Placeholder.
use super::notation::Action;
use super::position::Board;
use crate::Scene;
pub(super) fn draw(_board: &Board, _last: Option<(&Board, &Action)>) -> Scene {
    Scene::new([0, 0, 10, 10])
}
