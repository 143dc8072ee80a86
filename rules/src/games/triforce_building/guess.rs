//! What a viewer has to guess: who stands where, who is powered, what the others hold and have submitted.

use plybook_events::Actor;

use super::board::Board;
use super::lattice::Cell;
use super::notation::Action;
use super::{round, view};
use crate::{Draw, Position, Viewer};

/// A board that looks the same to a viewer. Seats on the board, taken cells and those with a powered seat are known;
/// priorities are guessed as if nobody had spent a garnet but the viewer.
pub(super) fn of(board: &Board, viewer: Viewer, draw: &mut Draw<'_>) -> Board {
    if viewer == Viewer::All || board.over {
        return board.clone();
    }
    let mut guess = board.clone();
    let own = (0..board.players()).find(|index| viewer.knows(Actor::Seat(*index as u8 + 1)));
    place(board, &mut guess, own, draw);
    guess.garnets = board.setup.garnets;
    guess.priority = board.setup.priority;
    let players = board.players();
    for number in 2..=board.round {
        round::shift(&mut guess.priority[..players], number, board.setup.shift_from);
    }
    if let Some(own) = own {
        guess.garnets[own] = board.garnets[own];
        let holder = guess.priority.iter().position(|priority| *priority == board.priority[own]);
        guess.priority.swap(own, holder.expect("priorities are a permutation"));
    }
    if board.round == 1 && !board.is_drawing() {
        label(board, &mut guess);
    }
    for index in (0..players).filter(|index| board.submitted[*index].is_some() && own != Some(*index)) {
        if let Action::Submit(submission) = guess.sample(Actor::Seat(index as u8 + 1), draw) {
            guess.submitted[index] = Some(submission);
        }
    }
    guess
}

/// Puts the other seats on the taken cells, so that each has a seat, and a powered one where that is known.
fn place(board: &Board, guess: &mut Board, own: Option<usize>, draw: &mut Draw<'_>) {
    let taken = view::spaces(board);
    let mut others: Vec<usize> = board.on_board().map(|(index, _)| index).filter(|index| own != Some(*index)).collect();
    for last in (1..others.len()).rev() {
        others.swap(last, draw(last as u32 + 1) as usize);
    }
    let by_own = |cell: Cell, powered: bool| {
        own.is_some_and(|own| board.cells[own] == Some(cell) && board.powered.contains(own) == powered)
    };
    let mut open = taken.iter().copied().filter(|(cell, powered)| !by_own(*cell, *powered));
    let mut powered = own.filter(|own| board.powered.contains(*own)).into_iter().collect::<Vec<_>>();
    for index in others {
        // First one seat for each taken cell, then anywhere.
        let needed = open.next();
        let (cell, is_powered) = needed.unwrap_or_else(|| taken[draw(taken.len() as u32) as usize]);
        guess.cells[index] = Some(cell);
        if is_powered && (needed.is_some() || draw(2) == 0) {
            powered.push(index);
        }
    }
    // Those that have left are known, and no longer matter.
    let left = (0..board.players()).filter(|index| board.cells[*index].is_none() && board.powered.contains(*index));
    let left: Vec<usize> = left.collect();
    guess.powered = powered.into_iter().chain(left).collect();
}

/// Gives the letters of round 1 to the seats that stand on their cells now.
fn label(board: &Board, guess: &mut Board) {
    for letter in 0..board.players() {
        let cell = board.cells[usize::from(board.setup.labels[letter]) - 1];
        let seat = guess.cells.iter().position(|there| *there == cell).expect("each start cell has a seat");
        guess.setup.labels[letter] = seat as u8 + 1;
    }
}
