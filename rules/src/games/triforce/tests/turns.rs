//! Turns: what they forbid, how they end, and how the game ends.

use serde_json::json;

use super::{board, legal, place, play, refused, stack};
use crate::games::triforce::Triforce;
use crate::games::triforce::board::Phase;
use crate::{Game, Position};

#[test]
fn what_a_turn_forbids_is_said() {
    let mut board = Triforce::start(&json!({})).unwrap();
    assert!(refused(&board, "+M").contains("the white pyramid of a1 is large"));
    assert!(refused(&board, "end").contains("one action at least"));
    assert!(refused(&board, "pass").contains("not pinned"));
    assert!(refused(&board, "a1-b1").contains("no piece on a1"));
    assert!(refused(&board, "roll:1=1").contains("for combat"));
    play(&mut board, "+L +M");
    assert!(refused(&board, "+M").contains("seat 1's medium piece on top of a1 has the same size"));
    assert!(refused(&board, "a1-a1").contains("another territory"));
    assert!(refused(&board, "a1-b2").contains("the white pyramid of b2 is small"));
    assert!(refused(&board, "a1-e1").contains("no way from a1 to e1"));
    play(&mut board, "end +S");
    assert!(refused(&board, "a1-b1").contains("on a1 it is seat 1's medium piece"));
    play(&mut board, "end +M end a1-b1 b1-a1");
    assert!(refused(&board, "end").contains("stand as at the start"));
    assert_eq!(legal(&board), "+L +S a1-b1");
}

#[test]
fn the_third_action_may_not_restore_the_stacks_with_a_like_piece_either() {
    let mut board = board(&[("a1", "1L 1M"), ("b1", "1M 1L 1M"), ("b2", "4S"), ("c2", "3L")]);
    play(&mut board, "b1-d2 a1-b1");
    assert_eq!(board.undoing(), Some((place("d2"), place("a1"))), "another medium piece in its place is no change");
    assert!(!legal(&board).contains("d2-a1"));
    assert!(legal(&board).contains("d2-c3"));
    assert!(refused(&board, "d2-a1").contains("third action"));
}

#[test]
fn swords_and_shields_never_move() {
    let board = board(&[("c2", "1L KM"), ("d2", "CM")]);
    assert_eq!(refused(&board, "c2-c3"), "the medium sword on c2 never moves, and nothing below it does");
    assert_eq!(refused(&board, "d2-c3"), "the medium shield on d2 never moves, and nothing below it does");
}

#[test]
fn a_turn_ends_by_itself_where_only_its_end_is_left() {
    // Seat 1's stash is empty, and small pieces can only go to e3.
    let mut board = board(&[
        ("a1", "1L 1M 1S 1L 1M 1S 1L 1M 1S 1L 1M 1L 1M 1S"),
        ("b1", "3S"),
        ("b2", "4S"),
        ("d1", "3S"),
        ("d2", "3S"),
        ("d3", "4S"),
        ("e1", "2S"),
        ("e2", "2S 1S"),
        ("e3", "3L"),
        ("e4", "3S"),
    ]);
    let mut stuck = board.clone();
    stuck.stacks[place("e3").index()] = stack("3S");
    assert_eq!(legal(&stuck), "pass");
    assert_eq!(refused(&stuck, "+S"), "you have no small piece left in your stash");
    assert!(refused(&stuck, "end").contains("you are pinned"));
    assert_eq!(legal(&board), "e2-e3");
    play(&mut board, "e2-e3");
    assert_eq!((board.turn, board.spent), (2, 0));
}

#[test]
fn territories_count_at_the_start_of_ones_turn() {
    let held: Vec<(&str, &str)> =
        ["a1", "b1", "b2", "c1", "c2", "c3"].into_iter().zip(["2L", "2M", "2S", "2S", "2L", "2M"]).collect();
    let mut almost = board(&held);
    almost.stacks[place("d1").index()] = stack("CL 2S");
    almost.settle();
    assert_eq!(almost.phase, Phase::Act, "a shield at the bottom is nobody's");
    let mut won = board(&held);
    won.stacks[place("d1").index()] = stack("2L");
    won.stash[1][0] -= 1;
    won.settle();
    let outcome = won.outcome().expect("seven of seven");
    assert_eq!((outcome.winners, outcome.reason.as_str()), (vec![2], "territories"));
    assert_eq!((won.turn, won.spent, won.start), (2, 0, won.stacks));
}
