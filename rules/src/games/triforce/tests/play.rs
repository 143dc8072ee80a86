//! Invariants at every ply of random play.

use serde_json::json;

use super::{actor, numbers};
use crate::games::triforce::Triforce;
use crate::games::triforce::board::{Board, EACH};
use crate::games::triforce::notation::Action;
use crate::games::triforce::stack::{Owner, Piece, SIZES};
use crate::{Game, Position, Viewer};

#[test]
fn random_play_keeps_what_must_hold() {
    let mut draw = numbers(1);
    for game in 0..24 {
        let setup = json!({ "players": 3 + game % 4 });
        let mut board = Triforce::start(&setup).unwrap();
        let mut elsewhere: Vec<Action> = Vec::new();
        let mut plies = 0;
        while plies < 400 && !board.to_act().is_empty() {
            check(&board, &elsewhere);
            let actor = actor(&board);
            elsewhere.clear();
            if board.prompt(actor).is_none() {
                board.legal(actor, &mut elsewhere);
            }
            let action = board.sample(actor, &mut draw);
            assert_eq!(board.judge(actor, &action), Ok(()));
            elsewhere.push(action);
            board.apply(actor, &action);
            plies += 1;
        }
        check(&board, &elsewhere);
    }
}

/// Invariants of every position. `others` are actions from another position.
fn check(board: &Board, others: &[Action]) {
    let json = board.to_json(Viewer::All);
    assert_eq!(Board::from_json(&json).as_ref(), Ok(board), "{json}");
    for size in SIZES {
        let on_board = |owner| {
            let pieces = board.stacks.iter().flat_map(|stack| stack.pieces());
            pieces.filter(|piece| *piece == Piece::new(owner, size)).count() as u8
        };
        for seat in 1..=board.players {
            assert_eq!(board.stash_of(seat)[size as usize] + on_board(Owner::Seat(seat)), EACH);
        }
        assert_eq!(board.swords[size as usize] + on_board(Owner::Sword), EACH);
        assert_eq!(board.shields[size as usize] + on_board(Owner::Shield), EACH);
    }
    assert_eq!(board.outcome().is_some(), board.to_act().is_empty());
    let Some(actor) = board.to_act().only() else { return };
    let mut listed = Vec::new();
    if board.prompt(actor).is_none() {
        board.legal(actor, &mut listed);
        assert!(!listed.is_empty());
        assert_eq!(listed.len(), board.count_legal(actor));
    }
    for (index, action) in listed.iter().enumerate() {
        assert!(!listed[..index].contains(action), "{action} is listed twice");
        assert_eq!(action.to_string().parse::<Action>().as_ref(), Ok(action));
        assert_eq!(board.judge(actor, action), Ok(()), "{action} is listed");
    }
    for action in others {
        let is_roll = matches!(action, Action::Roll(_)) && board.prompt(actor).is_some();
        let allowed = board.judge(actor, action).is_ok();
        assert!(
            allowed == listed.contains(action) || is_roll,
            "{action} is judged {allowed} on {}",
            board.text(Viewer::All)
        );
    }
}
