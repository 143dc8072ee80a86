//! Rounds worked out by hand, and the submissions that they refuse.

use plybook_events::Actor;
use serde_json::json;

use super::{STAY, powered, seven, submit};
use crate::games::triforce_building::TriforceBuilding;
use crate::games::triforce_building::board::{Board, ROUNDS};
use crate::games::triforce_building::lattice::Cell;
use crate::games::triforce_building::notation::Action;
use crate::{Game, Position, Viewer};

#[test]
fn the_published_example_of_spending() {
    let starts = ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7", "5.1", "5.9", "6.1", "6.11", "7.1", "7.13"];
    let mut board = TriforceBuilding::start(&json!({"starts": starts})).expect("a setup");
    for _ in 0..2 {
        submit(&mut board, &["-"; 13]);
    }
    // Round 3: all fall by 3; seat 10 (4 before) has 1, seat 11 has 13, seat 6 has 5, seat 8 has 3.
    assert_eq!(board.priority, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 13, 12, 11]);
    let mut texts = ["-"; 13];
    (texts[5], texts[7]) = ("-!", "-!");
    submit(&mut board, &texts);
    // 6 has 13, 8 has 12, 11 has 11; then round 4 lowers all by 4.
    let before: Vec<u8> = board.priority.iter().map(|priority| (priority + 3) % 13 + 1).collect();
    assert_eq!(before, [8, 7, 6, 5, 4, 13, 3, 12, 2, 1, 11, 10, 9]);
    assert_eq!((board.garnets[5], board.garnets[7], board.garnets[0]), (0, 0, 1));
}

#[test]
fn a_line_powers_the_highest_priority_on_each_cell() {
    let mut board = seven(2, ["3.1", "3.2", "3.3", "3.3", "3.3", "1.1", "4.7"], &[]);
    board.priority[..7].copy_from_slice(&[7, 6, 3, 5, 4, 2, 1]);
    submit(&mut board, &STAY);
    assert_eq!(powered(&board), [1, 2, 4]);
}

#[test]
fn a_line_is_all_of_its_run_and_long_enough() {
    let cells = ["4.1", "4.2", "4.3", "4.4", "2.1", "2.2", "1.1"];
    let mut board = seven(2, cells, &[]);
    submit(&mut board, &STAY);
    // 4.1 to 4.4; and 2.1, 2.2, 1.1, which run down to the left from the top.
    assert_eq!(powered(&board), [1, 2, 3, 4, 5, 6, 7]);
    let mut board = seven(2, cells, &[]);
    board.setup.line = 4;
    submit(&mut board, &STAY);
    assert_eq!(powered(&board), [1, 2, 3, 4]);
    let mut board = seven(2, cells, &[]);
    board.setup.line = 5;
    submit(&mut board, &STAY);
    assert_eq!(powered(&board), [0; 0]);
}

#[test]
fn the_strongest_triforce_goes_first_and_takes_its_seats_with_it() {
    // Around 3.2 (2.1, 3.1, 3.3) and around 3.4 (2.3, 3.3, 3.5): 3.3 is in both.
    let mut board = seven(2, ["2.1", "3.1", "3.3", "2.3", "3.5", "1.1", "4.1"], &[1, 2, 3, 4, 5]);
    board.priority[..7].copy_from_slice(&[1, 2, 7, 6, 5, 4, 3]);
    submit(&mut board, &STAY);
    let made: Vec<_> = board.triforces().collect();
    assert_eq!(made.len(), 1);
    assert_eq!((made[0].at.to_string(), made[0].seats), ("3.4".to_owned(), [3, 4, 5]));
    assert_eq!(board.garnets[..7], [2, 2, 5, 5, 5, 2, 2]);
}

#[test]
fn equal_sums_are_decided_by_the_highest_priority() {
    let starts = ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7", "5.1", "5.9", "6.1", "6.11", "7.1", "7.13"];
    let mut board = TriforceBuilding::start(&json!({"starts": starts})).expect("a setup");
    board.round = 2;
    for (index, name) in ["4.1", "5.1", "5.3", "6.7", "7.7", "7.9"].into_iter().enumerate() {
        board.cells[index] = Cell::parse(name, 7);
        board.powered.insert(index);
    }
    // 11 + 8 + 2 = 12 + 6 + 3.
    board.priority = [11, 8, 2, 12, 6, 3, 13, 10, 9, 7, 5, 4, 1];
    submit(&mut board, &["-"; 13]);
    let made: Vec<_> = board.triforces().map(|made| made.seats).collect();
    assert_eq!(made, [[4, 5, 6], [1, 2, 3]]);
}

#[test]
fn triforces_with_one_strongest_seat_are_decided_by_the_second() {
    // Around 3.2 (2.1, 3.1, 3.3) 4 + 3 + 7, around 3.4 (2.3, 3.3, 3.5) 7 + 2 + 5.
    let mut board = seven(2, ["2.1", "3.1", "3.3", "2.3", "3.5", "1.1", "4.1"], &[1, 2, 3, 4, 5]);
    board.priority[..7].copy_from_slice(&[4, 3, 7, 2, 5, 6, 1]);
    submit(&mut board, &STAY);
    assert_eq!(board.triforces().next().map(|made| made.seats), Some([3, 4, 5]));
}

#[test]
fn with_four_left_power_does_not_matter_and_the_last_triforce_pays_less() {
    let mut board = seven(2, ["2.1", "3.1", "3.3", "4.5", "3.5", "4.7", "1.1"], &[1, 2, 3]);
    submit(&mut board, &STAY);
    // Seats 4 to 7 are left; 4.5, 3.5 and 4.7 lie around 4.6, which is on the lower border.
    let made: Vec<_> = board.triforces().map(|made| (made.at.to_string(), made.seats)).collect();
    assert_eq!(made, [("3.2".to_owned(), [1, 2, 3]), ("4.6".to_owned(), [4, 5, 6])]);
    assert!(board.over);
    assert_eq!(board.garnets[..7], [5, 5, 5, 3, 3, 3, 2]);
    let outcome = serde_json::to_value(board.outcome()).expect("plain data");
    let expected = json!({
        "eliminated": 7, "garnets": [5, 5, 5, 3, 3, 3, 2], "ranking": [[1, 2, 3], [4, 5, 6], [7]],
        "reason": "triforces", "winners": [1, 2, 3],
    });
    assert_eq!(outcome, expected);
}

#[test]
fn powered_and_removed_in_one_round_earns_seven_more() {
    // A line 4.1 to 4.5 powers five seats; 4.1, 4.3 and 3.1 around 4.2 need 3.1 to be powered.
    let mut board = seven(2, ["4.1", "4.2", "4.3", "3.1", "1.1", "3.5", "4.7"], &[4]);
    submit(&mut board, &STAY);
    assert_eq!(board.triforces().next().map(|made| made.seats), Some([1, 3, 4]));
    assert_eq!(board.garnets[..7], [12, 2, 12, 5, 2, 2, 2]);
    assert_eq!(powered(&board), [1, 2, 3, 4]);
}

#[test]
fn after_ten_rounds_tokens_go_by_power_and_priority() {
    let mut board = seven(ROUNDS, ["4.1", "4.7", "1.1", "4.4", "2.2", "3.3", "4.3"], &[2]);
    board.priority[..7].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7]);
    board.setup.line = 5;
    submit(&mut board, &STAY);
    let outcome = serde_json::to_value(board.outcome()).expect("plain data");
    assert_eq!(outcome["reason"], "rounds");
    assert_eq!(outcome["ranking"], json!([[2, 6, 7], [3, 4, 5], [1]]));
    assert_eq!(outcome["winners"], json!([2, 6, 7]));
    assert_eq!(board.garnets[..7], [2; 7]);
}

#[test]
fn reasons_name_what_is_wrong() {
    let board = seven(2, ["4.1", "4.2", "1.1", "3.1", "2.1", "3.5", "4.7"], &[]);
    let reason = |board: &Board, seat: u8, text: &str| {
        let actor = Actor::Seat(seat);
        let submission: Action = text.parse().expect("a submission");
        board.judge(actor, &submission).map_err(|why| why.0)
    };
    assert_eq!(reason(&board, 1, "U"), Err("4.1 points up: from there the steps are L, R and D, not U".to_owned()));
    assert_eq!(reason(&board, 2, "D"), Err("4.2 points down: from there the steps are L, R and U, not D".to_owned()));
    assert_eq!(reason(&board, 1, "D"), Err("the step D from 4.1 leaves the board".to_owned()));
    assert_eq!(reason(&board, 3, "DLD"), Ok(()));
    assert_eq!(reason(&board, 3, "DLR"), Ok(()));
    assert_eq!(reason(&board, 4, "RLL"), Err("the step L from 3.1 leaves the board".to_owned()));
    assert_eq!(reason(&board, 3, "-!"), Err("garnets cannot be spent before round 3".to_owned()));
    let mut board = Board { round: 3, ..board };
    assert_eq!(reason(&board, 3, "-!"), Ok(()));
    board.garnets[2] = 0;
    assert_eq!(reason(&board, 3, "-!"), Err("you have no garnet left to spend".to_owned()));
}

#[test]
fn priorities_can_shift_from_round_4_on() {
    let stay = |shift_from: u8| {
        let mut board = seven(2, ["4.1", "4.7", "1.1", "4.4", "2.2", "3.3", "4.3"], &[]);
        (board.setup.shift_from, board.setup.line) = (shift_from, 5);
        submit(&mut board, &STAY);
        let third = board.priority[..7].to_vec();
        submit(&mut board, &STAY);
        (third, board.priority[..7].to_vec())
    };
    assert_eq!(stay(3), (vec![4, 3, 2, 1, 7, 6, 5], vec![7, 6, 5, 4, 3, 2, 1]));
    assert_eq!(stay(4), (vec![7, 6, 5, 4, 3, 2, 1], vec![3, 2, 1, 7, 6, 5, 4]));
}

#[test]
fn what_seats_bring_along_is_announced_and_kept() {
    let setup = json!({
        "players": 7, "side": 4, "starts": ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7"],
        "garnets": [0, 1, 2, 3, 4, 5, 6], "lives": [2, 0, 0, 0, 0, 0, 1],
    });
    let mut board = TriforceBuilding::start(&setup).expect("a setup");
    assert_eq!(board.garnets[..7], [0, 1, 2, 3, 4, 5, 6]);
    let public = board.to_json(Viewer::Public);
    assert_eq!((&public["garnets"], &public["setup"]["lives"]), (&setup["garnets"], &setup["lives"]));
    assert!(board.text(Viewer::Public).contains("Tokens of life brought along: seat 1: 2, seat 2: 0"));
    (board.round, board.setup.line) = (ROUNDS, 5);
    submit(&mut board, &STAY);
    let outcome = serde_json::to_value(board.outcome()).expect("plain data");
    // Three tokens are given, as in any game of seven; those brought along are added.
    assert_eq!((&outcome["winners"], &outcome["lives"]), (&json!([1, 2, 3]), &json!([3, 1, 1, 0, 0, 0, 1])));
    assert_eq!(outcome["garnets"], setup["garnets"]);
}

#[test]
fn a_seat_without_garnets_spends_none() {
    let mut board = seven(3, ["4.1", "4.7", "1.1", "4.4", "2.2", "3.3", "4.3"], &[]);
    board.garnets[..7].copy_from_slice(&[0, 1, 0, 0, 0, 0, 0]);
    assert!((0..7).all(|index| board.may_spend(index) == (index == 1)));
}
