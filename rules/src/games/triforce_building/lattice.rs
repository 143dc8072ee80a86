//! The board: a triangle of small triangles, and the steps between them.

use std::str::FromStr;

use crate::Syntax;
use crate::as_name;

/// The smallest side of a board, in cells.
pub(super) const SIDE_MIN: u8 = 4;

/// The largest side of a board, in cells.
pub(super) const SIDE_MAX: u8 = 12;

/// The number of cells of the largest board.
pub(super) const CELLS_MAX: usize = SIDE_MAX as usize * SIDE_MAX as usize;

/// The row of every cell, from 1.
const ROWS: [u8; CELLS_MAX] = {
    let mut rows = [0; CELLS_MAX];
    let mut cell = 0;
    let mut row = 1;
    while cell < CELLS_MAX {
        if cell == row * row {
            row += 1;
        }
        rows[cell] = row as u8;
        cell += 1;
    }
    rows
};

/// The name of every cell, and its length.
const NAMES: [([u8; 5], u8); CELLS_MAX] = {
    let mut names = [([0; 5], 0); CELLS_MAX];
    let mut cell = 0;
    while cell < CELLS_MAX {
        let row = ROWS[cell];
        let number = cell as u8 - (row - 1) * (row - 1) + 1;
        let padded = [b'0' + row / 10, b'0' + row % 10, b'.', b'0' + number / 10, b'0' + number % 10];
        let (name, length) = &mut names[cell];
        let mut at = 0;
        while at < padded.len() {
            if padded[at] != b'0' || at % 3 != 0 {
                name[*length as usize] = padded[at];
                *length += 1;
            }
            at += 1;
        }
        cell += 1;
    }
    names
};

/// A small triangle, written `4.3`: row 4, third from the left. Row r has 2r - 1 of them; the odd ones point
/// up. Cells are numbered row by row from 0, so a cell has the same number on every board that is large
/// enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell(u8);

as_name!(Cell);

/// A step across an edge, in the order of the letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Down, from a cell that points up.
    D,
    /// Left.
    L,
    /// Right.
    R,
    /// Up, from a cell that points down.
    U,
}

impl Step {
    /// All steps, in the order of their letters.
    pub(super) const ALL: [Self; 4] = [Self::D, Self::L, Self::R, Self::U];

    /// The letter of the step.
    pub(super) fn letter(self) -> char {
        match self {
            Self::D => 'D',
            Self::L => 'L',
            Self::R => 'R',
            Self::U => 'U',
        }
    }
}

impl Cell {
    /// The cell at a row and a number within it, both from 1, if it is on the board.
    pub(super) fn at(row: u8, number: u8, side: u8) -> Option<Self> {
        let inside = (1..=side.min(SIDE_MAX)).contains(&row) && (1..2 * row).contains(&number);
        inside.then(|| Self((row - 1) * (row - 1) + number - 1))
    }

    /// All cells of a board, row by row.
    pub(super) fn all(side: u8) -> impl Iterator<Item = Self> {
        (0..side * side).map(Self)
    }

    /// Its number among all cells, from 0.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Its row, from 1 at the top.
    pub(super) fn row(self) -> u8 {
        ROWS[self.index()]
    }

    /// Its number in the row, from 1 at the left.
    pub(super) fn number(self) -> u8 {
        let above = self.row() - 1;
        self.0 - above * above + 1
    }

    fn name(self) -> &'static [u8] {
        let (name, length) = &NAMES[self.index()];
        &name[..usize::from(*length)]
    }

    /// Whether it points up.
    pub(super) fn is_up(self) -> bool {
        self.number() % 2 == 1
    }

    /// Whether one of its edges lies on the border of the board.
    pub(super) fn is_border(self, side: u8) -> bool {
        let (row, number) = (self.row(), self.number());
        number == 1 || number == 2 * row - 1 || (row == side && self.is_up())
    }

    /// The neighbouring cell in a direction; `None` if the cell has no such edge or the board ends there.
    pub(super) fn step(self, step: Step, side: u8) -> Option<Self> {
        let (row, number) = (self.row(), self.number());
        match step {
            Step::L => (number > 1).then(|| Self(self.0 - 1)),
            Step::R => (number < 2 * row - 1).then(|| Self(self.0 + 1)),
            Step::D => (self.is_up() && row < side).then(|| Self(row * row + number)),
            Step::U => (!self.is_up()).then(|| Self((row - 2) * (row - 2) + number - 2)),
        }
    }

    /// The cells across its three edges, ascending, if all of them are on the board.
    pub(super) fn neighbours(self, side: u8) -> Option<[Self; 3]> {
        let (left, right) = (self.step(Step::L, side)?, self.step(Step::R, side)?);
        match self.step(Step::U, side) {
            Some(above) => Some([above, left, right]),
            None => Some([left, right, self.step(Step::D, side)?]),
        }
    }

    /// Reads `4.3`.
    pub(super) fn parse(text: &str, side: u8) -> Option<Self> {
        let (row, number) = text.split_once('.')?;
        let number_of = |text: &str| match text.as_bytes() {
            [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9'] => text.parse().ok(),
            _ => None,
        };
        Self::at(number_of(row)?, number_of(number)?, side)
    }
}

impl FromStr for Cell {
    type Err = Syntax;

    /// Reads a cell of the largest board.
    fn from_str(text: &str) -> Result<Self, Syntax> {
        Self::parse(text, SIDE_MAX).ok_or_else(|| format!("{text:?} is not a cell: row and number, such as 4.3").into())
    }
}

/// The direction of a line.
#[derive(Clone, Copy, Debug)]
pub(super) enum Strip {
    /// Along a row, to the right.
    Row,
    /// `D` then `L` alternating.
    DownLeft,
    /// `D` then `R` alternating.
    DownRight,
}

impl Strip {
    /// All directions.
    pub(super) const ALL: [Self; 3] = [Self::Row, Self::DownLeft, Self::DownRight];

    /// The next cell in this direction.
    pub(super) fn next(self, cell: Cell, side: u8) -> Option<Cell> {
        let step = match (self, cell.is_up()) {
            (Self::Row, _) | (Self::DownRight, false) => Step::R,
            (Self::DownLeft, false) => Step::L,
            (_, true) => Step::D,
        };
        cell.step(step, side)
    }

    /// The previous cell in this direction.
    pub(super) fn previous(self, cell: Cell, side: u8) -> Option<Cell> {
        let step = match (self, cell.is_up()) {
            (Self::Row, _) | (Self::DownRight, true) => Step::L,
            (Self::DownLeft, true) => Step::R,
            (_, false) => Step::U,
        };
        cell.step(step, side)
    }
}

/// The border cells of a board, ascending.
pub(super) fn border(side: u8) -> impl Iterator<Item = Cell> {
    Cell::all(side).filter(move |cell| cell.is_border(side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_numbered_row_by_row() {
        for side in SIDE_MIN..=SIDE_MAX {
            let mut cells = Cell::all(side);
            for row in 1..=side {
                for number in 1..2 * row {
                    let cell = Cell::at(row, number, side).expect("on the board");
                    assert_eq!((cell.row(), cell.number()), (row, number));
                    assert_eq!(cells.next(), Some(cell));
                    assert_eq!(Cell::parse(&cell.to_string(), side), Some(cell));
                }
                assert_eq!(Cell::at(row, 2 * row, side), None);
            }
            assert_eq!(cells.next(), None);
            assert_eq!(border(side).count(), 3 * usize::from(side) - 3);
        }
    }

    #[test]
    fn every_step_can_be_taken_back() {
        for side in SIDE_MIN..=SIDE_MAX {
            for cell in Cell::all(side) {
                for (there, back) in [(Step::L, Step::R), (Step::R, Step::L), (Step::D, Step::U), (Step::U, Step::D)] {
                    if let Some(next) = cell.step(there, side) {
                        assert_eq!(next.step(back, side), Some(cell), "{cell} {there:?}");
                        assert_ne!(next.is_up(), cell.is_up());
                    }
                }
            }
        }
    }

    #[test]
    fn inner_cells_have_three_neighbours_and_border_cells_fewer() {
        for side in SIDE_MIN..=SIDE_MAX {
            for cell in Cell::all(side) {
                let steps = Step::ALL.iter().filter(|step| cell.step(**step, side).is_some()).count();
                assert_eq!(cell.neighbours(side).is_some(), steps == 3, "{cell}");
                assert_eq!(cell.is_border(side), steps < 3, "{cell}");
                let sorted = cell.neighbours(side).is_none_or(|cells| cells.is_sorted());
                assert!(sorted, "the neighbours of {cell} are ascending");
            }
        }
    }

    #[test]
    fn strips_run_both_ways() {
        let walk = |strip: Strip, from: &str| {
            let start = Cell::parse(from, 4).expect("a cell");
            let cells: Vec<Cell> = std::iter::successors(Some(start), |cell| strip.next(*cell, 4)).collect();
            assert!(cells.windows(2).all(|pair| strip.previous(pair[1], 4) == Some(pair[0])));
            assert_eq!(strip.previous(start, 4), None);
            cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(walk(Strip::Row, "3.1"), "3.1 3.2 3.3 3.4 3.5");
        assert_eq!(walk(Strip::DownRight, "1.1"), "1.1 2.2 2.3 3.4 3.5 4.6 4.7");
        assert_eq!(walk(Strip::DownLeft, "1.1"), "1.1 2.2 2.1 3.2 3.1 4.2 4.1");
        assert_eq!(walk(Strip::DownLeft, "2.3"), "2.3 3.4 3.3 4.4 4.3");
    }

    #[test]
    fn names_are_strict() {
        for name in ["0.1", "1.0", "01.1", "1.01", "+1.1", "1.1 ", "5.1", "4.8", "4", "4.", ".3", "4.3.1", "1.٣", ""] {
            assert_eq!(Cell::parse(name, 4), None, "{name:?}");
        }
    }
}
