//! Moves of Triangulate as text.

use super::square::Square;
use crate::notation;

/// A move: a frog goes from one square to another, and seat 2 may add its extra pad; or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// `A-B` or `A-B+C`.
    Frog { from: Square, to: Square, extra: Option<Square> },
    /// `pass`.
    Pass,
}

notation!(Move, "a move is written b1-b2, seat 2's first move also b1-b2+f6, and a pass `pass`",
    Frog { from, to, extra } = (from "-" to ["+" extra]),
    Pass {} = ("pass"),
);
