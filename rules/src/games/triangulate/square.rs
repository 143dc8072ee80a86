//! The 64 squares and their geometry.

use std::str::FromStr;

use crate::set::numbered;
use crate::view::as_name;
use crate::{Set, Syntax};

/// A square: `8 * row + column`, both from 0; a1 is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Square(u8);

/// A set of squares.
pub(super) type Squares = Set<Square>;

/// A step, or the direction of a slide, as (columns, rows).
pub(super) type Direction = (i8, i8);

/// The eight directions.
pub(super) const DIRECTIONS: [Direction; 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

impl Square {
    /// The square with this column letter and row digit.
    pub(super) fn named(column: u8, row: u8) -> Option<Self> {
        let inside = matches!(column, b'a'..=b'h') && matches!(row, b'1'..=b'8');
        inside.then(|| Self(8 * (row - b'1') + column - b'a'))
    }

    /// Its column, from 0.
    pub(super) fn column(self) -> u8 {
        self.0 % 8
    }

    /// Its row, from 0.
    pub(super) fn row(self) -> u8 {
        self.0 / 8
    }

    /// All squares in the order of their names.
    pub(super) fn by_name() -> impl Iterator<Item = Self> {
        (0..8).flat_map(|column| (0..8).map(move |row| Self(8 * row + column)))
    }

    fn name(self) -> [u8; 2] {
        [b'a' + self.column(), b'1' + self.row()]
    }
}

numbered!(Square, u64, u64::MAX);

impl From<Square> for usize {
    fn from(square: Square) -> Self {
        square.0.into()
    }
}

as_name!(Square);

impl FromStr for Square {
    type Err = Syntax;

    fn from_str(name: &str) -> Result<Self, Syntax> {
        match name.as_bytes() {
            [column, row] => Self::named(*column, *row),
            _ => None,
        }
        .ok_or_else(|| "squares are a1 to h8".into())
    }
}

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
    pub(super) const fn shift(self, (columns, rows): Direction) -> Self {
        let bits = match columns {
            1 => (self.bits() & NOT_H) << 1,
            -1 => (self.bits() & NOT_A) >> 1,
            _ => self.bits(),
        };
        Self::from_bits(match rows {
            1 => bits << 8,
            -1 => bits >> 8,
            _ => bits,
        })
    }

    /// All squares from these in a direction, to the edge.
    pub(super) fn ray(self, direction: Direction) -> Self {
        let steps = std::iter::successors(Some(self.shift(direction)), |at| Some(at.shift(direction)));
        steps.take_while(|at| !at.is_empty()).fold(Self::EMPTY, |ray, at| ray | at)
    }
}
