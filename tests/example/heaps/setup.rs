//! The setup: heaps, seats, rounds, and whether pledges are made.

use std::ops::RangeInclusive;

use plybook_rules::SetupError;
use serde_json::{Value, json};

/// How many seats may play.
pub const PLAYERS: RangeInclusive<u64> = 2..=4;

/// How many heaps there may be.
pub const HEAPS: RangeInclusive<usize> = 2..=5;

/// How many stones a heap may have.
pub const STONES: RangeInclusive<u64> = 1..=99;

/// How many rounds may be played at most.
pub const ROUNDS: RangeInclusive<u64> = 1..=200;

/// A setup with nothing left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Stones of each heap.
    pub heaps: Vec<u8>,
    /// How many seats play.
    pub players: u8,
    /// Whether each seat pledges a heap in secret.
    pub pledges: bool,
    /// The round after which the game ends.
    pub rounds: u8,
}

impl Default for Setup {
    fn default() -> Self {
        Self { heaps: vec![4, 5, 6], players: 3, pledges: true, rounds: 12 }
    }
}

impl Setup {
    /// Reads a setup and fills in what it leaves open.
    pub fn read(json: &Value) -> Result<Self, SetupError> {
        let members = json.as_object().ok_or("a setup is a JSON object, for example {\"heaps\":[3,5]}")?;
        let mut setup = Self::default();
        for (name, value) in members {
            match name.as_str() {
                "heaps" => setup.heaps = heaps(value)?,
                "players" => setup.players = whole(value, "`players`", &PLAYERS)?,
                "pledges" => setup.pledges = value.as_bool().ok_or("`pledges` is true or false")?,
                "rounds" => setup.rounds = whole(value, "`rounds`", &ROUNDS)?,
                _ => {
                    let known = "there are `heaps`, `players`, `pledges` and `rounds`";
                    return Err(format!("{name:?} is no part of a setup: {known}").into());
                }
            }
        }
        Ok(setup)
    }

    /// The setup as JSON, complete.
    pub fn to_json(&self) -> Value {
        json!({"heaps": self.heaps, "players": self.players, "pledges": self.pledges, "rounds": self.rounds})
    }
}

/// A whole number within bounds.
pub fn whole(value: &Value, name: &str, bounds: &RangeInclusive<u64>) -> Result<u8, SetupError> {
    let number = value.as_u64().filter(|number| bounds.contains(number));
    let number = number.and_then(|number| u8::try_from(number).ok());
    number.ok_or_else(|| format!("{name} is a whole number from {} to {}", bounds.start(), bounds.end()).into())
}

fn heaps(value: &Value) -> Result<Vec<u8>, SetupError> {
    let items = value.as_array().filter(|items| HEAPS.contains(&items.len()));
    let items = items.ok_or_else(|| format!("`heaps` is a list of {} to {} heaps", HEAPS.start(), HEAPS.end()))?;
    items.iter().map(|stones| whole(stones, "a heap", &STONES)).collect()
}

/// The JSON Schema of the setup.
pub fn schema() -> Value {
    let Setup { heaps, players, pledges, rounds } = Setup::default();
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "heaps": {
                "description": "stones of each heap",
                "type": "array",
                "items": {"type": "integer", "minimum": STONES.start(), "maximum": STONES.end()},
                "minItems": HEAPS.start(),
                "maxItems": HEAPS.end(),
                "default": heaps,
            },
            "players": {
                "description": "how many seats play",
                "type": "integer",
                "minimum": PLAYERS.start(),
                "maximum": PLAYERS.end(),
                "default": players,
            },
            "pledges": {
                "description": "whether each seat pledges a heap, whose stones count double for it",
                "type": "boolean",
                "default": pledges,
            },
            "rounds": {
                "description": "the round after which the game ends",
                "type": "integer",
                "minimum": ROUNDS.start(),
                "maximum": ROUNDS.end(),
                "default": rounds,
            },
        },
    })
}
