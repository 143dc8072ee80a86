//! Positions as JSON: what is refused, and why.

use serde_json::{Map, Value, json};

use super::{Numbers, seven};
use crate::games::triforce_building::TriforceBuilding;
use crate::games::triforce_building::board::{Board, ROUNDS, Triforce};
use crate::games::triforce_building::lattice::Cell;
use crate::games::triforce_building::round;
use crate::{Game, Position, Viewer};

/// The reason why JSON is refused.
fn refused(json: &Value) -> String {
    Board::from_json(json).err().unwrap_or_else(|| panic!("{json} is refused")).to_string()
}

/// The reason why a position is refused after some of its members were changed.
fn check_refused(good: &Value, cases: &[(Value, &str)]) {
    assert!(Board::from_json(good).is_ok_and(|board| board.to_json(Viewer::All) == *good), "{good}");
    for (changes, why) in cases {
        let mut bad = good.clone();
        for (member, value) in changes.as_object().expect("members and their values") {
            bad[member] = value.clone();
        }
        assert_eq!(refused(&bad), *why, "{changes}");
    }
}

/// Seats 1 to 3 of seven have left the board.
fn four_left() -> Value {
    json!({
        "cells": [null, null, null, "4.1", "4.7", "1.1", "3.3"], "game": "triforce-building",
        "garnets": [4, 4, 4, 1, 1, 1, 1], "made": [{"at": "3.2", "round": 2, "seats": [1, 2, 3]}], "over": false,
        "phase": "submit", "powered": [true, true, true, false, false, false, false],
        "priority": [2, 1, 7, 6, 5, 4, 3], "round": 5,
        "setup": {
            "garnets": 1, "labels": [1, 2, 3, 4, 5, 6, 7], "line": 3, "players": 7,
            "priority": [7, 6, 5, 4, 3, 2, 1], "side": 4,
        },
        "submitted": {"4": "R"}, "tokens": [1, 1, 1, 0, 0, 0, 0],
    })
}

#[test]
fn what_is_no_view_of_a_position_is_refused() {
    check_refused(
        &four_left(),
        &[
            (json!({"game": "tri"}), "`game`: unknown variant `tri`, expected `triforce-building`"),
            (json!({"round": 300}), "`round`: invalid value: integer `300`, expected a whole number from 0 to 255"),
            (json!({"round": 0}), "`round` is a whole number from 1 to 10, not 0"),
            (json!({"cells": ["1.1"]}), "`cells` has an entry for each of 7 seats, not 1"),
            (
                json!({"cells": [null, null, null, "4", null, null, null]}),
                "`cells[3]`: \"4\" is not a cell: row and number, such as 4.3",
            ),
            (json!({"cells": [null, null, null, "5.1", "4.7", "1.1", "3.3"]}), "5.1 is not on a board of side 4"),
            (json!({"phase": "over"}), "`phase` must be \"submit\" in this position, not \"over\""),
            (
                json!({"tokens": [0, 0, 0, 0, 0, 0, 0]}),
                "`tokens` must be [1,1,1,0,0,0,0] in this position, not [0,0,0,0,0,0,0]",
            ),
            (json!({"setup": {"players": 8}}), "`setup`: `players` is 13, 10 or 7, not 8"),
            (
                json!({"setup": {"figure": 8}}),
                "`setup`: \"figure\" is not a member of a setup: it has `players`, `side`, `line`, `garnets`, `lives`, `priority`, `shiftFrom`, `starts`, `labels`, `drawLate`, `deadlines`",
            ),
            (
                json!({"submitted": {"4": "X"}}),
                "`submitted.4`: a submission is up to three of the steps L, R, U and D (such as LUR), or - for staying; \
                 a ! behind it spends a garnet",
            ),
            (json!({"submitted": {"1": "-"}}), "seat 1 has nothing to submit"),
            (json!({"submitted": {"0": "-"}}), "seat 0 has nothing to submit"),
            (
                json!({"submitted": {"4": "U"}}),
                "`submitted`, seat 4: 4.1 points up: from there the steps are L, R and D, not U",
            ),
            (
                json!({"submitted": {"4": "-", "5": "-", "6": "-", "7": "-"}}),
                "all seats have submitted: the round would have been resolved",
            ),
        ],
    );
    let mut more = four_left();
    more["made"][0]["by"] = json!(1);
    assert_eq!(refused(&more), "`made[0].by`: unknown field `by`, expected one of `at`, `round`, `seats`");
    let mut less = four_left();
    less.as_object_mut().expect("an object").remove("powered");
    assert_eq!(refused(&less), "missing field `powered`");
    for json in [json!(null), json!([]), json!(7)] {
        assert_eq!(refused(&json), "a position is a JSON object");
    }
}

#[test]
fn rounds_that_cannot_be_are_refused() {
    let made = |at: &str, seats: [u8; 3]| json!([{"at": at, "round": 2, "seats": seats}]);
    let end = "`over` contradicts `round` and `made`: a game ends in the round in which triforce 2 is made, else after round 10";
    check_refused(
        &four_left(),
        &[
            (json!({"over": true}), end),
            (json!({"round": 2}), "the rounds in `made` ascend, and 1 rounds are over"),
            (json!({"made": []}), "seat 1 is in no triforce: it is still on a cell"),
            (
                json!({"made": made("1.1", [1, 2, 3])}),
                "no triforce is made around 1.1, which does not have three neighbours",
            ),
            (json!({"made": made("9.2", [1, 2, 3])}), "9.2 is not on a board of side 4"),
            (json!({"made": made("3.2", [1, 3, 2])}), "the `seats` of a triforce are three from 1 to 7, ascending"),
            (json!({"made": made("3.2", [0, 1, 2])}), "the `seats` of a triforce are three from 1 to 7, ascending"),
            (
                json!({"made": made("3.2", [1, 2, 4])}),
                "seat 4 is part of a triforce: it is in no other, and its cell is null",
            ),
            (
                json!({"powered": [true, false, true, false, false, false, false]}),
                "seat 2 is not powered: only the last triforce can be of such seats",
            ),
            (
                json!({"garnets": [4, 4, 4, 2, 1, 1, 1]}),
                "seat 4 cannot have 2 garnets: it began with 1, gets some as it leaves, and spends one a round at most, \
                 from round 3 on",
            ),
            (json!({"priority": [1, 1, 7, 6, 5, 4, 3]}), "`priority` has each of the numbers 1 to 7 once"),
            (
                json!({"priority": [1, 2, 7, 6, 5, 4, 3]}),
                "nobody has spent a garnet: `priority` would be [2, 1, 7, 6, 5, 4, 3]",
            ),
            (
                json!({"cells": [null, null, null, "4.1", "4.2", "4.3", "1.1"]}),
                "seat 4 counts in a line on 4.1: it would be powered",
            ),
            (
                json!({"cells": [null, null, null, "4.1", "3.1", "4.3", "1.1"]}),
                "there is a triforce around 4.2 that would have been made",
            ),
        ],
    );
    let start = seven(1, ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7"], &[]).to_json(Viewer::All);
    let cells = |first: &str| json!([first, "2.1", "2.3", "3.1", "3.5", "4.1", "4.7"]);
    check_refused(
        &start,
        &[
            (json!({"cells": cells("3.2")}), "3.2 is not a border cell: seats stand on these in round 1"),
            (json!({"cells": cells("2.1")}), "two seats stand on 2.1: in round 1 all cells are different"),
            (
                json!({"powered": [false, false, true, false, false, false, false]}),
                "seat 3 is powered, but no line counts before round 1 is resolved",
            ),
        ],
    );
}

/// A position that somebody might set up: seats on any cells, each triforce paid for, garnets spent or not.
fn any_board(numbers: &mut Numbers) -> Board {
    let below = |numbers: &mut Numbers, n: usize| numbers.below(n as u32) as usize;
    let mut board = seven(1 + below(numbers, ROUNDS.into()) as u8, ["1.1"; 7], &[]);
    let cells: Vec<Cell> = Cell::all(board.setup.side).collect();
    let left = if board.round > 1 { 3 * below(numbers, 3) } else { 0 };
    for index in 0..7 {
        board.cells[index] = (index >= left).then(|| cells[below(numbers, cells.len())]);
        if index < left || below(numbers, 2) == 0 {
            board.powered.insert(index);
        }
        board.garnets[index] += if index < left.min(3) { 3 } else { u8::from(index < left) };
        board.garnets[index] -= u8::from(below(numbers, 4) == 0);
    }
    for number in 0..left / 3 {
        let seats = [1, 2, 3].map(|seat| seat + 3 * number as u8);
        let round = 1 + below(numbers, board.round.into()) as u8;
        board.made[number] = Some(Triforce { at: cells[below(numbers, cells.len())], round, seats });
    }
    board.over = left == 6;
    for round in 1..=board.round {
        round::shift(&mut board.priority[..7], round, 3);
    }
    board.give_tokens();
    board
}

#[test]
fn whatever_is_set_up_is_refused_or_played() {
    let mut numbers = Numbers(11);
    let mut accepted = Map::new();
    for _ in 0..12_000 {
        let board = any_board(&mut numbers);
        let json = board.to_json(Viewer::All);
        let Ok(mut read) = Board::from_json(&json) else { continue };
        assert!(read == board, "{json}");
        accepted.insert(format!("round {}, {} made", read.round, read.triforces_made()), json);
        for _ in 0..30 {
            let Some(actor) = read.to_act().iter().next() else { break };
            let submission = read.sample(actor, &mut |n| numbers.below(n));
            read.apply(actor, &submission);
            let json = read.to_json(Viewer::All);
            assert!(Board::from_json(&json).as_ref() == Ok(&read), "{json}");
        }
    }
    assert!(accepted.len() > 15, "positions of all sorts can be set up: {:?}", accepted.keys());
}

#[test]
fn positions_of_games_with_another_setup_are_refused() {
    let position = four_left();
    let mut setup = position["setup"].clone();
    setup["starts"] = json!(["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7"]);
    assert!(TriforceBuilding::set_up(&setup, &position).is_ok());
    for (member, other) in [
        ("garnets", json!(2)),
        ("labels", json!([2, 1, 3, 4, 5, 6, 7])),
        ("line", json!(4)),
        ("priority", json!([1, 2, 3, 4, 5, 6, 7])),
        ("side", json!(5)),
    ] {
        let mut bad = setup.clone();
        bad[member] = other.clone();
        let found = &setup[member];
        let why = format!(
            r#"the setup says {{"{member}":{other}}}, and the position is one of a game with {{"{member}":{found}}}"#
        );
        assert_eq!(TriforceBuilding::set_up(&bad, &position), Err(why.into()));
    }
}
