//! The end of a round, once all have submitted: garnets, moves, lines, triforces, and then the next round or
//! the end of the game.

use super::board::{Board, ROUNDS, Seats, Triforce};
use super::lattice::{CELLS_MAX, Cell, Strip};
use super::outcome;

/// The index of the seat that counts on a cell.
type Counting = [Option<u8>; CELLS_MAX];

/// Resolves the round.
pub(super) fn resolve(board: &mut Board) {
    spend(board);
    for index in 0..board.players() {
        let submission = board.submitted[index].take();
        if let (Some(cell), Some(submission)) = (board.cells[index], submission) {
            board.cells[index] = board.end(cell, submission);
        }
    }
    let before = board.powered;
    power(board);
    make_triforces(board, board.powered.without(before));
    if board.triforces_made() == board.setup.triforces() || board.round == ROUNDS {
        board.over = true;
        outcome::give_tokens(board);
    } else {
        board.round += 1;
        let players = board.players();
        shift(&mut board.priority[..players], board.round, board.setup.shift_from);
    }
}

/// Each seat that spends a garnet pays for it and moves to the top, lowest priority first.
fn spend(board: &mut Board) {
    let players = board.players();
    let spends = |index: &usize| board.submitted[*index].is_some_and(|submission| submission.spends);
    let mut spenders: Vec<usize> = (0..players).filter(spends).collect();
    // A seat that moves to the top lowers all seats above it by one, so the others keep their order.
    spenders.sort_unstable_by_key(|index| board.priority[*index]);
    for spender in spenders {
        board.garnets[spender] -= 1;
        let own = board.priority[spender];
        for priority in &mut board.priority[..players] {
            if *priority > own {
                *priority -= 1;
            }
        }
        board.priority[spender] = board.setup.players;
    }
}

/// Powers the seats that count on cells in lines.
pub(super) fn power(board: &mut Board) {
    let side = board.setup.side;
    let counting = counting(board, |_| true);
    let seat_at = |cell: Cell| counting[cell.index()];
    let line = usize::from(board.setup.line);
    let mut powered = board.powered;
    for strip in Strip::ALL {
        for (_, start) in board.on_board() {
            if strip.previous(start, side).is_some_and(|cell| seat_at(cell).is_some()) {
                continue;
            }
            let run = || {
                let cells = std::iter::successors(Some(start), |cell| strip.next(*cell, side));
                cells.map_while(seat_at)
            };
            if run().take(line).count() == line {
                run().for_each(|index| powered.insert(usize::from(index)));
            }
        }
    }
    board.powered = powered;
}

/// Removes triforces, the strongest first, until none can be made.
fn make_triforces(board: &mut Board, fresh: Seats) {
    while board.triforces_made() < board.setup.triforces() {
        let Some((at, mut indices)) = strongest(board) else { return };
        indices.sort_unstable();
        let number = usize::from(board.triforces_made());
        let last = number + 1 == usize::from(board.setup.triforces());
        board.made[number] = Some(Triforce { at, round: board.round, seats: indices.map(|index| index + 1) });
        for index in indices.map(usize::from) {
            board.cells[index] = None;
            board.garnets[index] += if last { 1 } else { 3 };
            board.garnets[index] += if fresh.contains(index) { 7 } else { 0 };
            if !last {
                board.tokens.insert(index);
            }
        }
    }
}

/// The triforce to make first: its middle cell and its seats by index.
pub(super) fn strongest(board: &Board) -> Option<(Cell, [u8; 3])> {
    // With four seats left on the board, power no longer matters.
    let all = board.on_board().count() == 4;
    let counting = counting(board, |index| all || board.powered.contains(index));
    let side = board.setup.side;
    let mut best: Option<([u8; 3], Cell, [u8; 3])> = None;
    for at in Cell::all(side) {
        let Some([a, b, c]) = at.neighbours(side).map(|cells| cells.map(|cell| counting[cell.index()])) else {
            continue;
        };
        let (Some(a), Some(b), Some(c)) = (a, b, c) else { continue };
        let mut priorities = [a, b, c].map(|index| board.priority[usize::from(index)]);
        priorities.sort_unstable();
        // By sum, then by the highest priority, then by the second highest. If all three are equal, they are
        // the same seats, and three cells have at most one middle.
        let rank = [priorities.iter().sum(), priorities[2], priorities[1]];
        if best.is_none_or(|(strength, ..)| rank > strength) {
            best = Some((rank, at, [a, b, c]));
        }
    }
    best.map(|(_, at, indices)| (at, indices))
}

/// For each cell, the eligible seat with the highest priority there.
fn counting(board: &Board, eligible: impl Fn(usize) -> bool) -> Counting {
    let mut counting: Counting = [None; CELLS_MAX];
    for (index, cell) in board.on_board().filter(|(index, _)| eligible(*index)) {
        let here = &mut counting[cell.index()];
        if here.is_none_or(|other| board.priority[usize::from(other)] < board.priority[index]) {
            *here = Some(index as u8);
        }
    }
    counting
}

/// Lowers the priorities of all seats at the start of a round, from the round `from` on.
pub(super) fn shift(priorities: &mut [u8], round: u8, from: u8) {
    if round < from {
        return;
    }
    let players = priorities.len() as i16;
    for priority in priorities {
        *priority = ((i16::from(*priority) - i16::from(round) - 1).rem_euclid(players) + 1) as u8;
    }
}

/// The priority of a seat at the end of the round that was just resolved, before the shift that began the
/// next round.
pub(super) fn unshifted(board: &Board, index: usize) -> u8 {
    if board.over || board.round < board.setup.shift_from {
        return board.priority[index];
    }
    (board.priority[index] + board.round - 1) % board.setup.players + 1
}
