//! Tests of Triforce Building, with their shared helpers.

mod forms;
mod play;
mod positions;
mod rounds;
mod secrets;

use plybook_events::Actor;
use serde_json::{Value, json};

use super::TriforceBuilding;
use super::board::Board;
use super::lattice::Cell;
use crate::games::triforce_building::notation::{Action, Submission};
use crate::{Game, Position};

/// Numbers that look random but are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// A game with 7 seats on a board of side 4, in a given round, with seats on cells, some of them powered.
pub(super) fn seven(round: u8, cells: [&str; 7], powered: &[u8]) -> Board {
    let starts = ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7"];
    let setup = json!({"players": 7, "side": 4, "starts": starts, "garnets": 2});
    let mut board = TriforceBuilding::start(&setup).expect("a setup");
    board.round = round;
    for (cell, name) in board.cells.iter_mut().zip(cells) {
        *cell = Cell::parse(name, 4);
    }
    for seat in powered {
        board.powered.insert(usize::from(*seat) - 1);
    }
    board
}

/// Submits for the seats that are still on the board, in order.
fn submit(board: &mut Board, texts: &[&str]) {
    let actors: Vec<Actor> = board.to_act().iter().collect();
    assert_eq!(actors.len(), texts.len());
    for (actor, text) in actors.into_iter().zip(texts) {
        let submission: Action = text.parse().expect("a submission");
        board.judge(actor, &submission).expect("a legal submission");
        board.apply(actor, &submission);
    }
}

fn powered(board: &Board) -> Vec<usize> {
    (1..=board.players()).filter(|seat| board.powered.contains(seat - 1)).collect()
}

const STAY: [&str; 7] = ["-"; 7];

/// Plays a random game and visits every position.
fn play(seed: u64, setup: &Value, mut visit: impl FnMut(&Board, &mut Numbers)) -> Board {
    let mut numbers = Numbers(seed);
    let complete = TriforceBuilding::complete(setup, &mut |n| numbers.below(n)).expect("a setup");
    let mut board = TriforceBuilding::start(&complete).expect("complete setups are setups");
    loop {
        visit(&board, &mut numbers);
        let actors: Vec<Actor> = board.to_act().iter().collect();
        if actors.is_empty() {
            return board;
        }
        let actor = actors[numbers.below(actors.len() as u32) as usize];
        let submission = if numbers.below(3) == 0 {
            board.sample(actor, &mut |n| numbers.below(n))
        } else {
            crate::search::choose(&board, actor, &mut |n| numbers.below(n))
        };
        board.apply(actor, &submission);
    }
}

fn setups() -> [Value; 7] {
    [
        json!({}),
        json!({"players": 10, "side": 5, "garnets": 3}),
        json!({"players": 7, "side": 4, "garnets": 99}),
        json!({"players": 7, "side": 12, "garnets": 0}),
        json!({"line": 4, "side": 6}),
        json!({"line": 5, "side": 8, "players": 10}),
        json!({"players": 7, "side": 4, "garnets": [0, 1, 2, 3, 4, 5, 99], "lives": [1, 0, 0, 2, 0, 0, 0], "shiftFrom": 4}),
    ]
}
