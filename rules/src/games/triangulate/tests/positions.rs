//! Positions read from JSON.

use plybook_events::Actor;
use serde_json::{Value, json};

use crate::games::triangulate::Triangulate;
use crate::games::triangulate::board::Board;
use crate::games::triangulate::notation::Move;
use crate::games::triangulate::square::Squares;
use crate::{Game, Position, Viewer};

fn after(actions: &str) -> Value {
    let mut board = Board::start(0, false);
    for action in actions.split_ascii_whitespace() {
        let (actor, action) = (Actor::Seat(board.turn as u8 + 1), action.parse::<Move>().unwrap());
        board.judge(actor, &action).unwrap();
        board.apply(actor, &action);
    }
    board.to_json(Viewer::All)
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let good = after("b1-b2 d1-d2 e1-e2 e8-e7");
    assert!(Board::from_json(&good).is_ok());
    let refused = |json: &Value, reason: &str| {
        let why = Board::from_json(json).unwrap_err().to_string();
        assert!(why.contains(reason), "{json}: {why}");
    };
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut json = good.clone();
        change(&mut json);
        json
    };
    refused(&changed(&|json| json["board"]["b2"]["frogs"] = json!([1, 1])), "8 frogs");
    refused(&changed(&|json| drop(json["board"].as_object_mut().unwrap().remove("a2"))), "8 frogs");
    refused(&changed(&|json| json["toAct"] = json!(0)), "nothing has ended");
    refused(&changed(&|json| json["passed"] = json!(true)), "without a move");
    refused(
        &changed(&|json| {
            json["toAct"] = json!(2);
            json["extra"] = json!(true);
        }),
        "first move",
    );
    // The frogs of g8 and h2 are on b2 as well, but the game goes on.
    let gathered = |frogs: Value, to_act: u8| {
        changed(&move |json| {
            let squares = json["board"].as_object_mut().unwrap();
            squares.remove("g8");
            squares.remove("h2");
            squares["b2"]["frogs"] = frogs.clone();
            json["toAct"] = json!(to_act);
        })
    };
    refused(&gathered(json!([1, 1, 1]), 1), "end the game");
    assert!(Board::from_json(&gathered(json!([1, 1, 1]), 0)).is_ok());
    let padded = changed(&|json| {
        let squares = json["board"].as_object_mut().unwrap();
        for square in Squares::ALL {
            let square = squares.entry(square.to_string()).or_insert(json!({}));
            square.as_object_mut().unwrap().entry("pad").or_insert(json!(1));
        }
        json["supply"] = json!([0, 30]);
    });
    refused(&padded, "32 pads");
}

/// A game of this setup after some actions.
fn played(setup: &Value, actions: &str) -> Board {
    let mut board = Triangulate::start(setup).unwrap();
    for action in actions.split_ascii_whitespace() {
        let (actor, action) = (board.to_act().only().unwrap(), action.parse::<Move>().unwrap());
        assert_eq!(board.judge(actor, &action), Ok(()), "{action}");
        board.apply(actor, &action);
        assert_eq!(Board::from_json(&board.to_json(Viewer::All)).as_ref(), Ok(&board));
    }
    board
}

fn refusal(board: &Board, action: &str) -> String {
    board.judge(board.to_act().only().unwrap(), &action.parse().unwrap()).expect_err(action).to_string()
}

#[test]
fn o_may_begin_and_x_has_the_extra_pad_then() {
    let board = played(&json!({ "first": 2 }), "d1-d2");
    assert!(refusal(&played(&json!({ "first": 2 }), ""), "d1-d2+f6").contains("seat 1's first move"));
    let after = played(&json!({ "first": 2 }), "d1-d2 b1-b2+f6 g1-g2");
    assert_eq!((after.pad("f6".parse().unwrap()), after.extra()), (Some(1), false));
    assert_eq!(board.to_json(Viewer::All)["first"], 2);
    assert_eq!(Triangulate::start(&json!({ "first": 1 })), Triangulate::start(&json!({})));
    assert!(Triangulate::start(&json!({ "first": "drawn" })).is_err(), "it is still to be drawn");
}

#[test]
fn the_extra_pad_can_go_anywhere() {
    let usual = played(&json!({}), "e1-e2");
    assert!(refusal(&usual, "d1-c1+e2").contains("an empty square"));
    let anywhere = json!({ "extraPad": "anywhere" });
    // The pad of seat 1 under its frog on e2 is replaced and goes back.
    let board = played(&anywhere, "e1-e2 d1-c1+e2");
    let e2 = "e2".parse().unwrap();
    assert_eq!((board.pad(e2), board.frogs(e2).to_vec(), board.supply), (Some(2), vec![1], [32, 30]));
    // The frog of seat 1 on e1 has not moved, and gets a pad.
    let board = played(&anywhere, "b1-b2 d1-c2+e1");
    let e1 = "e1".parse().unwrap();
    assert_eq!((board.pad(e1), board.frogs(e1).to_vec(), board.supply), (Some(2), vec![1], [31, 30]));
    let near = played(&anywhere, "e1-f2");
    assert!(refusal(&near, "a2-a3+b2").contains("a square without a frog or pad of yours on or beside it"));
    assert_eq!(near.to_json(Viewer::All)["extraPad"], "anywhere");
}
