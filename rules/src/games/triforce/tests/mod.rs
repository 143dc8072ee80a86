//! Tests of Triforce, with their shared helpers.

mod combat;
mod play;
mod positions;
mod turns;

use plybook_events::Actor;
use serde_json::json;

use super::board::Board;
use super::notation::Action;
use super::place::{PLACES, Place};
use super::setup::Setup;
use super::stack::{Piece, Stack};
use crate::Position;

fn place(name: &str) -> Place {
    Place::named(name.as_bytes()).unwrap()
}

fn stack(names: &str) -> Stack {
    names.split_ascii_whitespace().map(|name| Piece::named(name.as_bytes()).unwrap()).fold(Stack::EMPTY, Stack::with)
}

fn names(stack: Stack) -> String {
    stack.pieces().map(|piece| piece.to_string()).collect::<Vec<_>>().join(" ")
}

/// Four seats, seat 1 to act, with these stacks.
pub(super) fn board(stacks: &[(&str, &str)]) -> Board {
    let board = Board::start(&Setup::read(&json!({ "players": 4 })).unwrap());
    let mut out = [Stack::EMPTY; PLACES];
    for (name, pieces) in stacks {
        out[place(name).index()] = stack(pieces);
    }
    board.set_out(out).expect("there are as many pieces")
}

/// A board with this stack on c2, at the start of combat on it.
pub(super) fn combat(pieces: &str) -> Board {
    let mut board = board(&[("c2", pieces)]);
    board.settle();
    board
}

fn actor(board: &Board) -> Actor {
    board.to_act().only().expect("one is to act")
}

fn legal(board: &Board) -> String {
    let mut actions = Vec::new();
    board.legal(actor(board), &mut actions);
    let mut actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
    actions.sort_unstable();
    actions.join(" ")
}

fn refused(board: &Board, action: &str) -> String {
    board.judge(actor(board), &action.parse().unwrap()).expect_err(action).to_string()
}

fn play(board: &mut Board, actions: &str) {
    for action in actions.split_ascii_whitespace() {
        let action: Action = action.parse().unwrap();
        if let Err(why) = board.judge(actor(board), &action) {
            panic!("{action}: {why}");
        }
        board.apply(actor(board), &action);
    }
}

fn dice(board: &Board) -> String {
    board.prompt(Actor::Chance).expect("a roll is awaited")["dice"].to_string()
}

fn c2(board: &Board) -> String {
    names(board.stack(place("c2")))
}

/// Numbers that look random but are the same in every run.
fn numbers(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move |n| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((state >> 24) % u64::from(n)) as u32
    }
}
