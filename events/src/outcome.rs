//! How a game ended.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How a game ended: who won, why, and the ranking in games that have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The seats that won, ascending; empty for a draw, or if all seats lost.
    pub winners: Vec<u8>,
    /// Groups of equally ranked seats, best first, each ascending; only in games with a ranking.
    #[serde(default, deserialize_with = "crate::body::present", skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Vec<Vec<u8>>>,
    /// A word from the game's rules (`three-on-a-square`) or from the service (`resignation`).
    pub reason: String,
    /// What else the rules say about the end; empty for most games.
    #[serde(flatten)]
    pub details: Map<String, Value>,
}

impl Outcome {
    /// A win of these seats.
    pub fn win(winners: Vec<u8>, reason: &str) -> Self {
        Self { winners, ranking: None, reason: reason.to_owned(), details: Map::new() }
    }

    /// A draw.
    pub fn draw(reason: &str) -> Self {
        Self::win(Vec::new(), reason)
    }

    /// All seats lost, as when both players forfeit.
    pub fn forfeit(reason: &str) -> Self {
        let details = Map::from_iter([("forfeit".to_owned(), Value::Bool(true))]);
        Self { details, ..Self::draw(reason) }
    }

    /// Whether all seats lost: nobody won, and the member `forfeit` of `details` is true.
    pub fn is_forfeit(&self) -> bool {
        self.winners.is_empty() && self.details.get("forfeit") == Some(&Value::Bool(true))
    }

    /// The seat that was eliminated, in games that eliminate one: the member `eliminated` of `details`.
    pub fn eliminated(&self) -> Option<u8> {
        self.details.get("eliminated")?.as_u64()?.try_into().ok()
    }
}

/// Who or what decided a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// The rules of the game.
    Rules,
    /// A seat resigned.
    Resignation,
    /// The seats agreed to a draw.
    Agreement,
    /// A clock ran out.
    Time,
    /// The arbiter.
    Arbiter,
    /// A seat left and did not return.
    Abandonment,
}
