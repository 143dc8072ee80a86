//! The 64 squares and their geometry.

use crate::{Set, grid};

/// A square: `8 * row + column`, both from 0; a1 is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Square(u8);

/// A set of squares.
pub(super) type Squares = Set<Square>;

/// The eight directions: which squares have a neighbour there, and how far on it is.
pub(super) const DIRECTIONS: [(u64, i8); 8] =
    [(!0, -8), (NOT_H, -7), (NOT_H, 1), (NOT_H, 9), (!0, 8), (NOT_A, 7), (NOT_A, -1), (NOT_A, -9)];

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

grid!(Square: u64, column "abcdefgh" 1, row "12345678" 8);

impl Squares {
    /// These squares and their neighbours.
    #[inline]
    pub(super) const fn around(self) -> Self {
        let here = self.bits();
        let row = here | ((here & NOT_H) << 1) | ((here & NOT_A) >> 1);
        Self::from_bits(row | (row << 8) | (row >> 8))
    }

    /// These squares moved one step; those that leave the board are dropped.
    #[inline]
    pub(super) const fn shift(self, (within, by): (u64, i8)) -> Self {
        let bits = self.bits() & within;
        Self::from_bits(if by > 0 { bits << by } else { bits >> -by })
    }
}
