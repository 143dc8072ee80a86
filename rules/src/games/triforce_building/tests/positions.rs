//! Positions as JSON.

use serde_json::{Value, json};

use super::play;
use crate::games::triforce_building::board::Board;
use crate::{Position, Viewer};

#[test]
fn contradictions_are_no_positions() {
    let setup = json!({"players": 7, "side": 4, "garnets": 2});
    let mut seen = None;
    play(5, &setup, |board, _| {
        if board.triforces_made() == 1 && board.on_board().any(|(index, _)| board.submitted[index].is_some()) {
            seen.get_or_insert_with(|| board.clone());
        }
    });
    let board = seen.expect("a game with a triforce before its end");
    let json = board.to_json(Viewer::All);
    assert!(Board::from_json(&json).is_ok());
    let gone = board.triforces().next().expect("there is one").seats[0];
    let here = board.on_board().next().expect("somebody is left").0;
    let mut changes: Vec<(String, Value)> = vec![
        ("/over".into(), json!(true)),
        ("/phase".into(), json!("over")),
        ("/round".into(), json!(0)),
        ("/round".into(), json!(11)),
        ("/round".into(), json!(1)),
        ("/game".into(), json!("tri")),
        ("/made".into(), json!([])),
        ("/made/0/at".into(), json!("1.1")),
        ("/made/0/seats/0".into(), json!(9)),
        ("/made/0/round".into(), json!(10)),
        ("/submitted".into(), json!({"9": "-"})),
        ("/submitted".into(), json!({gone.to_string(): "-"})),
        ("/submitted".into(), json!({(here + 1).to_string(): "UUU"})),
        ("/setup/side".into(), json!(3)),
        ("/setup/starts".into(), json!([])),
        ("/tokens".into(), json!([0, 0, 0, 0, 0, 0, 0])),
        ("/priority/0".into(), board.priority[1].into()),
        ("/garnets/0".into(), json!(90)),
        ("/garnets/0".into(), json!(-1)),
        ("/cells".into(), json!([])),
        (format!("/cells/{}", gone - 1), json!("1.1")),
        (format!("/cells/{here}"), json!(null)),
        (format!("/cells/{here}"), json!("4.8")),
        (format!("/powered/{}", gone - 1), json!(false)),
    ];
    changes.extend(json.as_object().expect("an object").keys().map(|key| (format!("/{key}"), json!({"a": [1.5]}))));
    for (path, value) in changes {
        let mut changed = json.clone();
        let Some(slot) = changed.pointer_mut(&path) else {
            // A key that is not there yet.
            let (parent, key) = path.rsplit_once('/').expect("a path");
            changed.pointer_mut(parent).expect("an object")[key] = value;
            assert!(Board::from_json(&changed).is_err(), "{path}");
            continue;
        };
        *slot = value;
        assert!(Board::from_json(&changed).is_err(), "{path}: {changed}");
    }
}
