//! How well a seat stands, roughly: territories first, then pieces above those of others, then room
//! to move. Tried out in play against itself: most games end within 300 actions.

use super::board::{Board, Phase};
use super::combat::Hand;
use super::place::Places;
use super::stack::{Owner, Stack};

/// What a territory is worth.
const TERRITORY: i32 = 100;

/// What a piece in a stack that another seat is at the bottom of is worth, and how many count.
const ATTACK: i32 = 20;
const ATTACKERS_MAX: i32 = 3;

/// The most that room to move is worth.
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

/// What the dice that are awaited may cost a seat; little, so that swords are taken but not feared.
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
