//! Views of a position: as JSON, in words, and as a picture.

mod drawing;
pub(super) mod json;
mod panel;
pub(super) mod scene;
pub(super) mod words;

use super::board::Board;
use super::lattice::Cell;
use crate::Viewer;

/// What a viewer may see of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sight {
    /// Everything: the arbiter, or anybody once the game is over.
    All,
    /// Only what everybody knows.
    Public,
    /// What everybody knows, and what only the seat with this index knows.
    Own(usize),
}

impl Sight {
    /// The view of a viewer. A seat that the game does not have sees what everybody sees.
    fn of(board: &Board, viewer: Viewer) -> Self {
        match viewer {
            _ if board.over => Self::All,
            Viewer::All => Self::All,
            Viewer::Seat(seat) if (1..=board.setup.players).contains(&seat) => Self::Own(usize::from(seat) - 1),
            Viewer::Public | Viewer::Seat(_) => Self::Public,
        }
    }

    /// Whether the view includes what only the seat with this index knows.
    fn knows(self, index: usize) -> bool {
        match self {
            Self::All => true,
            Self::Own(own) => own == index,
            Self::Public => false,
        }
    }
}

/// The occupied cells, ascending, each with whether a powered seat is there.
pub(super) fn spaces(board: &Board) -> Vec<(Cell, bool)> {
    let mut spaces: Vec<(Cell, bool)> =
        board.on_board().map(|(index, cell)| (cell, board.powered.contains(index))).collect();
    // Powered entries of a cell come first, and the first entry is kept.
    spaces.sort_unstable_by_key(|(cell, powered)| (*cell, !powered));
    spaces.dedup_by_key(|(cell, _)| *cell);
    spaces
}

/// The letters and their start cells, in round 1.
fn labels(board: &Board) -> Option<Vec<(char, Cell)>> {
    // Nobody moves before round 1 is resolved, so the seats are still on their start cells.
    let labelled = || {
        let seats = board.setup.labels().iter().zip('A'..);
        seats.filter_map(|(seat, letter)| Some((letter, board.cells[usize::from(*seat) - 1]?))).collect()
    };
    (board.round == 1 && !board.over && !board.is_drawing()).then(labelled)
}
