//! How the first move was decided at the table: a coin, a die, or numbers shown with the hands.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::SetupError;

/// The sum of two numbers that decides nothing, so that both show new ones.
const AGAIN: u8 = 10;

/// The most numbers that are recorded, the redone ones included.
const THROWS_MAX: usize = 20;

/// A toss for the first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Toss {
    /// A coin; who won it is said by `first`.
    Coin {},
    /// A die.
    Die {
        /// The seat that chose even.
        even: u8,
        /// What it showed.
        number: u8,
    },
    /// Numbers that both seats show at the same time.
    Hands {
        /// The seat that chose even.
        even: u8,
        /// The numbers of seat 1 and seat 2, until their sum is not [`AGAIN`].
        numbers: Vec<[u8; 2]>,
    },
}

impl Toss {
    /// Reads a toss.
    ///
    /// # Errors
    /// It is not one, or its numbers decide nothing.
    pub(crate) fn read(json: &Value) -> Result<Self, SetupError> {
        let toss = Self::deserialize(json).map_err(|_| {
            r#"`toss` is {"by":"coin"}, {"by":"die","even":1,"number":4}, or {"by":"hands","even":1,"numbers":[[5,5],[2,5]]}: `even` is the seat that chose even"#
        })?;
        let wrong = |why: &dyn fmt::Display| Err(format!("`toss`: {why}").into());
        match &toss {
            Self::Die { even, .. } | Self::Hands { even, .. } if !(1..=2).contains(even) => {
                wrong(&format_args!("`even` is the seat that chose even, 1 or 2, not {even}"))
            }
            Self::Die { number, .. } if *number == 0 => wrong(&"`number` is what the die showed, 1 to 255, not 0"),
            Self::Hands { numbers, .. } => match numbers.split_last() {
                _ if numbers.len() > THROWS_MAX => {
                    wrong(&format_args!("`numbers` has at most {THROWS_MAX} pairs, not {}", numbers.len()))
                }
                None => wrong(&"`numbers` has a pair for each time the seats showed theirs, such as [[5,5],[2,5]]"),
                Some(_) if numbers.iter().flatten().any(|number| *number > AGAIN) => {
                    wrong(&format_args!("`numbers` are from 0 to {AGAIN}"))
                }
                Some((last, _)) if last[0] + last[1] == AGAIN => wrong(&format_args!(
                    "{} and {} make {AGAIN}, which is redone: add the next pair to `numbers`",
                    last[0], last[1]
                )),
                Some((_, redone)) => match redone.iter().find(|[one, two]| one + two != AGAIN) {
                    Some([one, two]) => wrong(&format_args!(
                        "{one} and {two} decide who begins: only a sum of {AGAIN} is redone, so this is the last pair"
                    )),
                    None => Ok(toss),
                },
            },
            _ => Ok(toss),
        }
    }

    /// The seat that won, if the numbers say so.
    pub(crate) fn winner(&self) -> Option<u8> {
        let (even, sum) = match self {
            Self::Coin {} => return None,
            Self::Die { even, number } => (*even, *number),
            Self::Hands { even, numbers } => (*even, numbers.last().map_or(0, |[one, two]| one + two)),
        };
        Some(if sum % 2 == 0 { even } else { 3 - even })
    }

    /// The toss as a member of a setup.
    pub(crate) fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("a toss is plain data")
    }

    /// The JSON Schema of a toss.
    pub(crate) fn schema() -> Value {
        let even = json!({ "description": "The seat that chose even.", "enum": [1, 2] });
        let number = json!({ "type": "integer", "minimum": 0, "maximum": AGAIN });
        json!({
            "oneOf": [
                {
                    "type": "object",
                    "properties": { "by": { "const": "coin" } },
                    "required": ["by"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {
                        "by": { "const": "die" },
                        "even": even,
                        "number": { "description": "What the die showed.", "type": "integer", "minimum": 1, "maximum": 255 },
                    },
                    "required": ["by", "even", "number"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {
                        "by": { "const": "hands" },
                        "even": even,
                        "numbers": {
                            "description": "What seat 1 and seat 2 showed, each time they did.",
                            "type": "array",
                            "items": { "type": "array", "prefixItems": [number, number], "items": false, "minItems": 2 },
                            "minItems": 1,
                            "maxItems": THROWS_MAX,
                        },
                    },
                    "required": ["by", "even", "numbers"],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_sum_decides_and_ten_is_redone() {
        let winner = |json: Value| Toss::read(&json).unwrap().winner();
        assert_eq!(winner(json!({"by": "hands", "even": 1, "numbers": [[5, 5], [10, 0], [2, 5]]})), Some(2));
        assert_eq!(winner(json!({"by": "hands", "even": 2, "numbers": [[1, 5]]})), Some(2));
        assert_eq!(winner(json!({"by": "hands", "even": 2, "numbers": [[0, 5]]})), Some(1));
        assert_eq!(winner(json!({"by": "die", "even": 1, "number": 6})), Some(1));
        assert_eq!(winner(json!({"by": "coin"})), None);
    }

    #[test]
    fn tosses_that_decide_nothing_are_refused() {
        for (json, part) in [
            (json!("coin"), "`toss` is {"),
            (json!({"by": "service"}), "`toss` is {"),
            (json!({"by": "coin", "even": 1}), "`toss` is {"),
            (json!({"by": "die", "even": 3, "number": 1}), "1 or 2, not 3"),
            (json!({"by": "die", "even": 1, "number": 0}), "not 0"),
            (json!({"by": "hands", "even": 1, "numbers": []}), "a pair for each time"),
            (json!({"by": "hands", "even": 1, "numbers": [[4, 6]]}), "4 and 6 make 10, which is redone"),
            (json!({"by": "hands", "even": 1, "numbers": [[4, 5], [1, 1]]}), "4 and 5 decide"),
            (json!({"by": "hands", "even": 1, "numbers": [[11, 0]]}), "from 0 to 10"),
            (json!({"by": "hands", "even": 1, "numbers": vec![[5, 5]; 21]}), "at most 20 pairs"),
        ] {
            let why = Toss::read(&json).expect_err("it is refused").to_string();
            assert!(why.contains(part), "{json}: {why}");
        }
    }
}
