//! Setups.

use serde_json::{Value, json};

use crate::games::triangulate::Triangulate;
use crate::{Game, Rules};

fn complete(setup: &Value) -> Result<Value, String> {
    <Triangulate as Game>::complete(setup, &mut |n| n - 1).map_err(|why| why.to_string())
}

#[test]
fn who_begins_is_given_or_drawn() {
    let toss = json!({ "by": "die", "even": 2, "number": 4 });
    for (setup, expected) in [
        (json!({}), json!({})),
        (json!({ "first": "drawn" }), json!({ "first": 2 })),
        (json!({ "first": 1, "extraPad": "empty" }), json!({ "first": 1 })),
        (json!({ "extraPad": "anywhere" }), json!({ "extraPad": "anywhere" })),
        (json!({ "toss": toss }), json!({ "first": 2, "toss": toss })),
    ] {
        assert_eq!(complete(&setup), Ok(expected), "{setup}");
    }
    Rules::complete(&Triangulate, &json!({}), &mut |_| panic!("nothing is to be drawn")).unwrap();
}

#[test]
fn wrong_setups_are_refused_with_a_reason() {
    for (json, part) in [
        (json!({ "frogs": 8 }), "not a member"),
        (json!({ "first": 0 }), "`first` is a whole number from 1 to 2, not 0"),
        (json!({ "first": "O" }), "from 1 to 2"),
        (json!({ "extraPad": "all" }), "`extraPad` is \"empty\" or \"anywhere\", not \"all\""),
        (json!({ "toss": { "by": "coin" } }), "give the seat as `first`"),
        (json!({ "first": 1, "toss": { "by": "die", "even": 2, "number": 4 } }), "won by seat 2"),
    ] {
        let why = complete(&json).unwrap_err();
        assert!(why.contains(part), "{json}: {why}");
    }
}
