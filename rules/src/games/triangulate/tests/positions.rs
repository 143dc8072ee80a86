//! Positions read from JSON.

use plybook_events::Actor;
use serde_json::{Value, json};

use crate::games::triangulate::board::Board;
use crate::games::triangulate::notation::Move;
use crate::games::triangulate::square::Squares;
use crate::{Position, Viewer};

fn after(actions: &str) -> Value {
    let mut board = Board::start();
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
