//! Setups: who begins, and where the extra pad may go.

use serde_json::{Value, json};

use super::board::ExtraPad;
use crate::setup::{self, Beginner, Member};
use crate::{Draw, SetupError, SetupReader};

const EXTRA_PAD: Member = Member::choice(
    "extraPad",
    ["empty", "anywhere"],
    "Where the extra pad may go, away from its seat's own frogs and pads: on an \"empty\" square, or \"anywhere\", in the place of a pad or under a frog of the other seat too. (R8)",
);

const MEMBERS: &[Member] = &[
    Member::first(2, "The seat that begins, X (1) or O (2), or \"drawn\": the service draws it. (R1)"),
    Member::toss(
        "How the first move was decided at the table, such as {\"by\":\"coin\"} with `first`, or {\"by\":\"die\",\"even\":1,\"number\":4}. (R1)",
    ),
    EXTRA_PAD,
];

/// A setup; who begins may still be open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub(super) first: Beginner,
    pub(super) extra_pad: ExtraPad,
}

impl Setup {
    /// Reads a setup.
    pub(super) fn read(json: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::of(json, MEMBERS)?;
        let extra_pad = if EXTRA_PAD.chosen(&members)? { ExtraPad::Anywhere } else { ExtraPad::Empty };
        Ok(Self { first: Beginner::read(&members, 2)?, extra_pad })
    }

    /// The complete setup, with the seat that begins drawn if it is to be.
    pub(super) fn complete(self, draw: &mut Draw<'_>) -> Value {
        let mut json = settings(0, self.extra_pad);
        self.first.drawn(2, draw).write(&mut json);
        json
    }
}

/// What differs from the usual rules, as members of a setup.
pub(super) fn settings(first: usize, extra_pad: ExtraPad) -> Value {
    let mut json = if first == 1 { json!({ "first": 2 }) } else { json!({}) };
    EXTRA_PAD.write_chosen(&mut json, extra_pad == ExtraPad::Anywhere);
    json
}

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    setup::schema("Setup of Triangulate", "Who begins, and where the extra pad may go.", MEMBERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_begins_is_given_or_drawn() {
        let complete = |json: Value| Setup::read(&json).unwrap().complete(&mut |n| n - 1);
        assert_eq!(complete(json!({})), json!({}));
        assert_eq!(complete(json!({ "first": "drawn" })), json!({ "first": 2 }));
        assert_eq!(complete(json!({ "first": 1, "extraPad": "empty" })), json!({ "first": 1 }));
        assert_eq!(complete(json!({ "extraPad": "anywhere" })), json!({ "extraPad": "anywhere" }));
        let toss = json!({ "by": "die", "even": 2, "number": 4 });
        assert_eq!(complete(json!({ "toss": toss })), json!({ "first": 2, "toss": toss }));
        let unasked = Setup::read(&json!({})).unwrap();
        assert_eq!(unasked.first.seat(), Ok(1));
        unasked.complete(&mut |_| panic!("nothing is to be drawn"));
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
            let why = Setup::read(&json).unwrap_err().to_string();
            assert!(why.contains(part), "{json}: {why}");
        }
    }
}
