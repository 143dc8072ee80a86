//! Setups: who begins, and where the extra pad may go.

use serde_json::{Map, Value, json};

use super::board::ExtraPad;
use crate::setup::{DRAWN, First};
use crate::{Draw, SetupError, SetupReader};

/// The value of `extraPad` that allows any square away from its seat's own frogs and pads.
const ANYWHERE: &str = "anywhere";

/// A setup; who begins may still be open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    /// Who begins, if the setup says so; otherwise seat 1.
    pub(super) first: Option<First>,
    /// Where the extra pad may go.
    pub(super) extra_pad: ExtraPad,
}

impl Setup {
    /// Reads a setup.
    pub(super) fn read(json: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::new(json, &["first", "extraPad"])?;
        let first = First::read(&members, 2)?;
        let extra_pad = match members.word("extraPad", &["empty", ANYWHERE])? {
            Some(ANYWHERE) => ExtraPad::Anywhere,
            _ => ExtraPad::Empty,
        };
        Ok(Self { first, extra_pad })
    }

    /// The same with the seat that begins, if that is to be drawn.
    pub(super) fn drawn(mut self, draw: &mut Draw<'_>) -> Self {
        self.first = self.first.map(|first| first.drawn(2, draw));
        self
    }

    /// The complete setup.
    pub(super) fn to_json(self) -> Value {
        let mut json = settings(0, self.extra_pad);
        json.extend(self.first.map(|first| ("first".to_owned(), first.to_json())));
        json.into()
    }
}

/// What differs from the usual rules, as members of a setup.
pub(super) fn settings(first: usize, extra_pad: ExtraPad) -> Map<String, Value> {
    let first = (first == 1).then(|| ("first".to_owned(), 2.into()));
    let pads = (extra_pad == ExtraPad::Anywhere).then(|| ("extraPad".to_owned(), ANYWHERE.into()));
    first.into_iter().chain(pads).collect()
}

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup of Triangulate",
        "description": "Who begins, and where the extra pad may go.",
        "type": "object",
        "additionalProperties": false,
        "default": {},
        "properties": {
            "first": {
                "description": "The seat that begins, X (1) or O (2), or \"drawn\": the service draws it. (R1)",
                "enum": [1, 2, DRAWN],
                "default": 1,
            },
            "extraPad": {
                "description": "Where the extra pad may go, away from its seat's own frogs and pads: on an \"empty\" square, or \"anywhere\", in the place of a pad or under a frog of the other seat too. (R8)",
                "enum": ["empty", ANYWHERE],
                "default": "empty",
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_begins_is_given_or_drawn() {
        let complete = |json: Value| Setup::read(&json).unwrap().drawn(&mut |n| n - 1).to_json();
        assert_eq!(complete(json!({})), json!({}));
        assert_eq!(complete(json!({ "first": "drawn" })), json!({ "first": 2 }));
        assert_eq!(complete(json!({ "first": 1, "extraPad": "empty" })), json!({ "first": 1 }));
        assert_eq!(complete(json!({ "extraPad": "anywhere" })), json!({ "extraPad": "anywhere" }));
        let unasked = Setup::read(&json!({})).unwrap().drawn(&mut |_| panic!("nothing is to be drawn"));
        assert_eq!(First::seat(unasked.first), Ok(1));
    }

    #[test]
    fn wrong_setups_are_refused_with_a_reason() {
        for (json, part) in [
            (json!({ "frogs": 8 }), "not a member"),
            (json!({ "first": 0 }), "`first` is a whole number from 1 to 2, not 0"),
            (json!({ "first": "O" }), "from 1 to 2"),
            (json!({ "extraPad": "all" }), "`extraPad` is \"empty\" or \"anywhere\", not \"all\""),
        ] {
            let why = Setup::read(&json).unwrap_err().to_string();
            assert!(why.contains(part), "{json}: {why}");
        }
    }
}
