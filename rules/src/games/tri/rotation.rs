//! A rotation: which islands turn about which joint.

/// A group of islands turned about a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rotation {
    /// The islands, as bits.
    pub(super) group: u16,
    /// The first island of the group that has the joint as a corner.
    pub(super) island: u8,
    /// Which of the island's corners is the joint: `n`, `r`, `f` or `l`.
    pub(super) corner: u8,
    /// Whether it turns counter-clockwise.
    pub(super) ccw: bool,
}

impl Rotation {
    /// How many actions it costs.
    pub(super) fn cost(self) -> u8 {
        self.group.count_ones() as u8
    }
}
