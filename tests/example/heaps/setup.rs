//! The setup: heaps, seats, rounds, and whether pledges are made.

use std::ops::RangeInclusive;

use plybook_rules::setup::whole;
use plybook_rules::{SetupError, SetupReader};
use serde_json::{Value, json};

/// The possible numbers of seats.
pub const PLAYERS: RangeInclusive<u8> = 2..=4;

/// The possible numbers of heaps.
pub const HEAPS: RangeInclusive<usize> = 2..=5;

/// The possible sizes of a heap, in stones.
pub const STONES: RangeInclusive<u8> = 1..=99;

/// The most rounds.
pub const ROUNDS: RangeInclusive<u8> = 1..=200;

/// A complete setup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The stones of each heap.
    pub heaps: Vec<u8>,
    /// The number of seats.
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
    /// Reads a setup, and fills in what is missing.
    pub fn read(json: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::new(json, &["heaps", "players", "pledges", "rounds"])?;
        let all = Self::default();
        let what = format!("{} to {} heaps with their stones", HEAPS.start(), HEAPS.end());
        let stones = |stones| whole(stones, STONES).map_err(|why| format!("a heap is {why}"));
        Ok(Self {
            heaps: members.list("heaps", &what, HEAPS, stones)?.unwrap_or(all.heaps),
            players: members.whole("players", all.players, PLAYERS)?,
            pledges: members.flag("pledges", all.pledges)?,
            rounds: members.whole("rounds", all.rounds, ROUNDS)?,
        })
    }

    /// The complete setup as JSON.
    pub fn to_json(&self) -> Value {
        json!({"heaps": self.heaps, "players": self.players, "pledges": self.pledges, "rounds": self.rounds})
    }
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
