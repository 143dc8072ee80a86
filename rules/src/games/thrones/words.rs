//! x
use super::position::Campaign;
use crate::Viewer;
pub(super) fn write(_game: &Campaign, _viewer: Viewer) -> String {
    String::new()
}
