//! A rotation: which islands turn about which joint.

/// A group of islands turned about a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rotation {
    /// The islands, as bits.
    pub(super) group: u16,
    /// The first island of the group that has the joint as a corner.
    pub(super) island: u8,
    /// Which of its corners the joint is: `n`, `r`, `f`, `l`.
    pub(super) corner: u8,
    /// Counter-clockwise, else clockwise.
    pub(super) ccw: bool,
}

impl Rotation {
    /// How many actions it costs.
    pub(super) fn cost(self) -> u8 {
        self.group.count_ones() as u8
    }
}
