//! The 81 squares, sets of them, and their geometry.

use crate::{Numbered, Set, grid};

/// The number of squares.
pub(super) const SQUARES: usize = 81;

/// A square: `9 * column + row`, both from 0, so that squares sort like their names (a1, a2 … i9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Square(u8);

grid!(Square: u128, column "abcdefghi" 9, row "123456789" 1);

/// A set of squares.
pub(super) type Squares = Set<Square>;

/// Row 1 of every column.
const FIRST_ROW: u128 = {
    let mut mask = 0;
    let mut column = 0;
    while column < 9 {
        mask |= 1 << (9 * column);
        column += 1;
    }
    mask
};

/// Steps as (columns, rows), in eight directions.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The next square in each direction; `None` beyond the edge.
const NEXT: [[Option<Square>; 8]; SQUARES] = {
    let mut next = [[None; 8]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let column = (from / 9) as i8 + DIRECTIONS[direction].0;
            let row = (from % 9) as i8 + DIRECTIONS[direction].1;
            if 0 <= column && column < 9 && 0 <= row && row < 9 {
                next[from][direction] = Some(Square::at(column as u8, row as u8));
            }
            direction += 1;
        }
        from += 1;
    }
    next
};

/// The neighbours of each square.
const NEIGHBORS: [Squares; SQUARES] = {
    let mut neighbors = [Squares::EMPTY; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            if let Some(next) = NEXT[from][direction] {
                neighbors[from] = Squares::from_bits(neighbors[from].bits() | 1 << next.0);
            }
            direction += 1;
        }
        from += 1;
    }
    neighbors
};

/// The longest lines that are listed.
const LINE_MAX: usize = 4;

/// The squares on the eight lines from each square, up to each distance from 0.
const WITHIN: [[Squares; SQUARES]; LINE_MAX + 1] = {
    let mut within = [[Squares::EMPTY; SQUARES]; LINE_MAX + 1];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let mut at = NEXT[from][direction];
            let mut nearest = 1;
            while let Some(square) = at
                && nearest <= LINE_MAX
            {
                let mut length = nearest;
                while length <= LINE_MAX {
                    within[length][from] = Squares::from_bits(within[length][from].bits() | 1 << square.0);
                    length += 1;
                }
                at = NEXT[square.index()][direction];
                nearest += 1;
            }
            direction += 1;
        }
        from += 1;
    }
    within
};

impl Square {
    /// All squares, ascending.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES as u8).map(Self)
    }

    /// Its number, from 0.
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The squares that share a side or a corner with it.
    pub(super) const fn neighbors(self) -> Squares {
        NEIGHBORS[self.index()]
    }

    /// The number of steps between two squares.
    pub(super) fn distance(self, other: Self) -> u8 {
        self.column().abs_diff(other.column()).max(self.row().abs_diff(other.row()))
    }

    /// The squares in each of the eight directions, nearest first, up to a distance.
    pub(super) fn lines(self, length: usize) -> impl Iterator<Item = impl Iterator<Item = Self>> {
        (0..8).map(move |direction| {
            let next = move |square: &Self| NEXT[square.index()][direction];
            std::iter::successors(next(&self), next).take(length)
        })
    }

    /// The squares of all these lines. No line is longer than 4.
    pub(super) const fn within(self, length: usize) -> Squares {
        WITHIN[length][self.index()]
    }

    /// The last square before `to` on the straight line from this one; `None` if they are not in line.
    pub(super) fn before(self, to: Self) -> Option<Self> {
        let columns = to.column() as i8 - self.column() as i8;
        let rows = to.row() as i8 - self.row() as i8;
        let in_line = self != to && (columns == 0 || rows == 0 || columns.abs() == rows.abs());
        in_line.then(|| Self::at((to.column() as i8 - columns.signum()) as u8, (to.row() as i8 - rows.signum()) as u8))
    }
}

impl Squares {
    /// The middle row.
    pub(super) const MIDDLE: Self = Self::row(4);

    /// The squares at the edge of the board.
    pub(super) const BORDER: Self = Self::from_bits(FIRST_ROW | FIRST_ROW << 8 | 0x1ff | 0x1ff << 72);

    /// A row, from 0.
    pub(super) const fn row(row: u8) -> Self {
        Self::from_bits(FIRST_ROW << row)
    }

    /// Those above a square, in the order of squares.
    pub(super) const fn above(self, square: Square) -> Self {
        Self::from_bits(self.bits() & (!1 << square.0))
    }

    /// These squares and all their neighbours.
    pub(super) const fn spread(self) -> Self {
        let up = (self.bits() & !(FIRST_ROW << 8)) << 1;
        let down = (self.bits() & !FIRST_ROW) >> 1;
        let column = self.bits() | up | down;
        Self::from_bits((column | column << 9 | column >> 9) & Square::ALL)
    }

    /// The squares of `area` that can be reached from these by steps within `area`.
    pub(super) fn flood(self, area: Self) -> Self {
        let mut reached = self & area;
        loop {
            let wider = reached.spread() & area;
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }

    /// The names of its squares, ascending.
    pub(super) fn names(self) -> Vec<String> {
        self.iter().map(|square| square.to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn neighbours_do_not_wrap() {
        assert_eq!(square("a1").neighbors().names(), ["a2", "b1", "b2"]);
        assert_eq!(square("a9").neighbors().names(), ["a8", "b8", "b9"]);
        assert_eq!(square("i5").neighbors().names(), ["h4", "h5", "h6", "i4", "i6"]);
        for from in Square::all() {
            assert_eq!(Squares::from(from).spread(), from.neighbors() | from, "{from}");
        }
        assert_eq!(Squares::BORDER.len(), 32);
        assert_eq!(Squares::MIDDLE.names().first().map(String::as_str), Some("a5"));
    }

    #[test]
    fn lines_end_at_the_edge() {
        let reached: Squares = square("b2").lines(4).flatten().collect();
        assert_eq!(
            reached.names(),
            "a1 a2 a3 b1 b3 b4 b5 b6 c1 c2 c3 d2 d4 e2 e5 f2 f6".split(' ').collect::<Vec<_>>()
        );
        for from in Square::all() {
            for length in 0..=LINE_MAX {
                assert_eq!(from.within(length), from.lines(length).flatten().collect(), "{from}, {length}");
            }
        }
        assert_eq!(square("b2").before(square("e5")), Some(square("d4")));
        assert_eq!(square("b2").before(square("b3")), Some(square("b2")));
        assert_eq!(square("b2").before(square("c4")), None);
        assert_eq!(square("b2").distance(square("c4")), 2);
    }
}
