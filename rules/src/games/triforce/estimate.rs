//! A rough estimate of how well a seat stands: territories first, then pieces above those of others, then
//! room to move. Tuned by playing against itself: most games end within 300 actions.

use super::board::{Board, Phase};
use super::combat::Hand;
use super::place::Places;
use super::stack::{Owner, Stack};

/// The value of a territory.
const TERRITORY: i32 = 100;

/// The value of a piece in a stack whose bottom piece is another seat's, and how many such pieces count.
const ATTACK: i32 = 20;
const ATTACKERS_MAX: i32 = 3;

/// The most that room to move counts.
const ROOM_MAX: i32 = 60;

pub(super) fn of(board: &Board, seat: u8) -> i32 {
    let stacks: i32 = board.stacks.iter().map(|stack| stack_value(*stack, seat)).sum();
    let open = board.open();
    let reach = board.movable(seat).map(|(from, top)| from.reach(open[top.size() as usize]));
    let room: usize = reach.map(Places::len).sum();
    stacks + (room as i32).min(ROOM_MAX) - risk(board, seat)
}

fn stack_value(stack: Stack, seat: u8) -> i32 {
    match stack.bottom().map(|piece| piece.seat() == Some(seat)) {
        Some(true) => TERRITORY,
        Some(false) if stack.seats() & !(1 << seat) != 0 => {
            ATTACK * (stack.count(Owner::Seat(seat)) as i32).min(ATTACKERS_MAX)
        }
        _ => 0,
    }
}

/// What the awaited dice may cost a seat. It is small, so that swords are taken but not feared.
fn risk(board: &Board, seat: u8) -> i32 {
    let Phase::Roll(combat) = board.phase else { return 0 };
    let stack = board.stack(combat.at);
    let holds = stack.bottom().is_some_and(|piece| piece.seat() == Some(seat));
    match combat.hands(stack).find(|(rolling, _)| *rolling == seat) {
        Some((_, Hand::Plain)) if holds => 10,
        Some((_, Hand::Plain)) => 3,
        Some((_, Hand::Shield)) => 2,
        Some((_, Hand::Sword)) => 1,
        None => 0,
    }
}
