//! x
use super::position::Campaign;
pub(super) fn standing(_game: &Campaign, _seat: usize) -> i32 {
    0
}
