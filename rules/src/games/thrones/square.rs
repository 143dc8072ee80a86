//! The 81 squares, sets of them, and how they lie to each other.

use std::fmt;

/// A square: `9 * column + row`, both from 0, so that numbers order as names do (a1, a2 … i9).
pub(super) type Square = u8;

/// A set of squares: bit N is square N.
pub(super) type Squares = u128;

/// How many squares the board has.
pub(super) const SQUARES: usize = 81;

/// No square.
pub(super) const NONE: Square = 255;

/// The whole board.
pub(super) const BOARD: Squares = (1 << SQUARES) - 1;

/// Row 1 of every column.
const FIRST_ROW: Squares = {
    let mut mask = 0;
    let mut column = 0;
    while column < 9 {
        mask |= 1 << (9 * column);
        column += 1;
    }
    mask
};

/// The middle row.
pub(super) const MIDDLE: Squares = FIRST_ROW << 4;

/// The squares at the edge of the board.
pub(super) const BORDER: Squares = FIRST_ROW | FIRST_ROW << 8 | 0x1ff | 0x1ff << 72;

/// Steps as (columns, rows), in eight directions.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// The next square in each direction; [`NONE`] beyond the edge.
const NEXT: [[Square; 8]; SQUARES] = {
    let mut next = [[NONE; 8]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            let column = (from / 9) as i8 + DIRECTIONS[direction].0;
            let row = (from % 9) as i8 + DIRECTIONS[direction].1;
            if 0 <= column && column < 9 && 0 <= row && row < 9 {
                next[from][direction] = (9 * column + row) as Square;
            }
            direction += 1;
        }
        from += 1;
    }
    next
};

/// The neighbours of each square.
const NEAR: [Squares; SQUARES] = {
    let mut near = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut direction = 0;
        while direction < 8 {
            if NEXT[from][direction] != NONE {
                near[from] |= 1 << NEXT[from][direction];
            }
            direction += 1;
        }
        from += 1;
    }
    near
};

/// The square of a column and a row, both from 0.
pub(super) const fn at(column: u8, row: u8) -> Square {
    9 * column + row
}

/// The column of a square, from 0.
pub(super) const fn column(square: Square) -> u8 {
    square / 9
}

/// The row of a square, from 0.
pub(super) const fn row(square: Square) -> u8 {
    square % 9
}

/// A set of one square; the empty set for [`NONE`].
pub(super) const fn bit(square: Square) -> Squares {
    if square == NONE { 0 } else { 1 << square }
}

/// Whether a set holds a square.
pub(super) const fn has(set: Squares, square: Square) -> bool {
    set & bit(square) != 0
}

/// The neighbours of a square.
pub(super) const fn near(square: Square) -> Squares {
    NEAR[square as usize]
}

/// How many steps lie between two squares.
pub(super) const fn distance(a: Square, b: Square) -> u8 {
    let columns = column(a).abs_diff(column(b));
    let rows = row(a).abs_diff(row(b));
    if columns > rows { columns } else { rows }
}

/// The squares from one in each of the eight directions, nearest first, up to a distance.
pub(super) fn lines(from: Square, length: usize) -> impl Iterator<Item = impl Iterator<Item = Square>> {
    (0..8).map(move |direction| {
        let next = move |at: &Square| Some(NEXT[usize::from(*at)][direction]).filter(|next| *next != NONE);
        std::iter::successors(next(&from), next).take(length)
    })
}

/// The square before `to` on the straight line from `from`; `None` where they are not in line.
pub(super) fn before(from: Square, to: Square) -> Option<Square> {
    let columns = column(to) as i8 - column(from) as i8;
    let rows = row(to) as i8 - row(from) as i8;
    let in_line = from != to && (columns == 0 || rows == 0 || columns.abs() == rows.abs());
    in_line.then(|| at((column(to) as i8 - columns.signum()) as u8, (row(to) as i8 - rows.signum()) as u8))
}

/// A set of squares and all their neighbours.
pub(super) const fn spread(set: Squares) -> Squares {
    let up = (set & !(FIRST_ROW << 8)) << 1;
    let down = (set & !FIRST_ROW) >> 1;
    let column = set | up | down;
    (column | column << 9 | column >> 9) & BOARD
}

/// The squares of `area` that can be reached from a set by steps within `area`.
pub(super) fn flood(from: Squares, area: Squares) -> Squares {
    let mut reached = from & area;
    loop {
        let wider = spread(reached) & area;
        if wider == reached {
            return reached;
        }
        reached = wider;
    }
}

/// The squares of a set, ascending.
pub(super) fn squares(mut set: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as Square;
        (set != 0).then(|| {
            set &= set - 1;
            square
        })
    })
}

/// Reads a name: `a1`.
pub(super) fn read(column: u8, row: u8) -> Option<Square> {
    let inside = matches!(column, b'a'..=b'i') && matches!(row, b'1'..=b'9');
    inside.then(|| at(column - b'a', row - b'1'))
}

/// Reads a name as text.
pub(super) fn read_name(name: &str) -> Option<Square> {
    match name.as_bytes() {
        [column, row] => read(*column, *row),
        _ => None,
    }
}

/// Prints as the square's name: `a1`.
#[derive(Clone, Copy)]
pub(super) struct Name(pub(super) Square);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = [b'a' + column(self.0), b'1' + row(self.0)];
        f.write_str(std::str::from_utf8(&name).expect("a square's name is ASCII"))
    }
}

/// The name of a square: `a1`.
pub(super) fn name(square: Square) -> String {
    Name(square).to_string()
}

/// The names of a set, ascending.
pub(super) fn names(set: Squares) -> Vec<String> {
    squares(set).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_wrap() {
        let square = |name| read_name(name).unwrap();
        assert_eq!(names(near(square("a1"))), ["a2", "b1", "b2"]);
        assert_eq!(names(near(square("a9"))), ["a8", "b8", "b9"]);
        assert_eq!(names(near(square("i5"))), ["h4", "h5", "h6", "i4", "i6"]);
        for from in 0..81 {
            assert_eq!(spread(bit(from)), near(from) | bit(from), "{}", name(from));
        }
        assert_eq!(BORDER.count_ones(), 32);
        assert_eq!(names(MIDDLE).first().map(String::as_str), Some("a5"));
    }

    #[test]
    fn lines_end_at_the_edge() {
        let square = |name| read_name(name).unwrap();
        let reached: Squares = lines(square("b2"), 4).flatten().map(bit).sum();
        assert_eq!(names(reached), "a1 a2 a3 b1 b3 b4 b5 b6 c1 c2 c3 d2 d4 e2 e5 f2 f6".split(' ').collect::<Vec<_>>());
        assert_eq!(before(square("b2"), square("e5")), Some(square("d4")));
        assert_eq!(before(square("b2"), square("b3")), Some(square("b2")));
        assert_eq!(before(square("b2"), square("c4")), None);
        assert_eq!(distance(square("b2"), square("c4")), 2);
    }
}
