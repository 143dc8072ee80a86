//! Positions as JSON, in words and as pictures.

use serde_json::json;

use super::{actor, board, play};
use crate::games::triforce::Triforce;
use crate::games::triforce::board::Board;
use crate::games::triforce::notation::Action;
use crate::{Game, Position, Viewer};

#[test]
fn positions_that_cannot_be_are_refused() {
    let mut board = Triforce::start(&json!({})).unwrap();
    play(&mut board, "+L +M end +S");
    let good = board.to_json(Viewer::All);
    let refused = |member: &str, value: serde_json::Value| {
        let mut bad = good.clone();
        bad[member] = value;
        assert!(Board::from_json(&bad).is_err(), "{bad}");
    };
    assert!(Board::from_json(&good).is_ok());
    refused("more", json!(1));
    refused("game", json!("tri"));
    refused("players", json!(4));
    refused("players", json!(300));
    refused("bases", json!(null));
    refused("pawns", json!(["a1", "a1", "e1"]));
    refused("turn", json!(0));
    refused("turn", json!(4));
    refused("spent", json!(4));
    refused("spent", json!(0));
    refused("phase", json!("over"));
    refused("phase", json!("order"));
    refused("phase", json!("fight"));
    refused("fight", json!("a1"));
    refused("sword", json!(1));
    refused("swords", json!([5, 5, 4]));
    refused("stash", json!([[5, 5, 5], [5, 5, 5], [5, 5, 5]]));
    refused("stacks", json!({ "a1": [] }));
    refused("stacks", json!({ "f1": ["1L"] }));
    refused("stacks", json!({ "a1": ["4L"] }));
    refused("stacks", json!({ "a1": vec!["1L"; 6] }));
    refused("stacks", json!({ "a1": vec!["1L"; 40] }));
    refused("stacks", json!({ "a1": ["KL", "KM"] }));
    refused("start", json!({}));
    for json in [json!(null), json!([]), json!(7), json!({}), json!("triforce")] {
        assert!(Board::from_json(&json).is_err(), "{json}");
    }
}

#[test]
fn every_phase_is_told_in_words_and_drawn() {
    let mut board = board(&[("c2", "2L 1M 2S 1L"), ("d2", "2S 2M 1L CM 1S 2L 1M 1S")]);
    board.settle();
    for (step, words) in [
        ("", "choose where the next combat is"),
        ("fight:c2", "Combat on c2: seat 1 to take a sword or not."),
        ("nosword", "Combat on c2: seat 2 to take a shield or not."),
        ("shield:1", "to be rolled: seat 1 d12, seat 2 d20."),
        ("roll:1=1,2=2", "Combat on d2: seat 1 to take a sword or not."),
    ] {
        let before = board.clone();
        play(&mut board, step);
        let text = board.text(Viewer::All);
        assert!(text.contains(words), "{text}");
        let action = step.parse::<Action>().ok();
        let last = action.as_ref().map(|action| crate::Last { before: &before, actor: actor(&before), action });
        let scene = board.scene(Viewer::All, last);
        let drawn = scene
            .items
            .iter()
            .filter(|item| item.title.as_ref().is_some_and(|title| title.starts_with("number")))
            .count();
        assert_eq!(drawn, board.stacks.iter().map(|stack| stack.len()).sum::<usize>());
    }
}
