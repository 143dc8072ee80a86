//! How a game ended.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value};

/// How a game ended: who won, why, and the ranking in games that have one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// The seats that won, ascending; empty for a draw, or if all seats lost.
    pub winners: Vec<u8>,
    /// Groups of equally ranked seats, best first, each ascending; only in games with a ranking.
    #[serde(default, deserialize_with = "some_ranking", skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Vec<Vec<u8>>>,
    /// A word from the game's rules (`three-on-a-square`) or from the service (`resignation`).
    pub reason: String,
    /// What else the rules say about the end; empty for most games.
    #[serde(flatten, deserialize_with = "details")]
    pub details: Map<String, Value>,
}

/// Reads a ranking, which is left out if it is empty.
fn some_ranking<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<Vec<u8>>>, D::Error> {
    let ranking = Vec::deserialize(from)?;
    if ranking.is_empty() { Err(de::Error::custom("a ranking has groups of seats")) } else { Ok(Some(ranking)) }
}

/// Reads the other members of an outcome. `forfeit` is left out unless it is true.
fn details<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    let details = Map::deserialize(from)?;
    match details.get("forfeit") {
        None | Some(Value::Bool(true)) => Ok(details),
        Some(_) => Err(de::Error::custom("`forfeit` is true or left out")),
    }
}

/// Why an outcome cannot be that of a game with so many seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutcomeError {
    /// The winners are no seats, or not in order.
    #[error("winners are seats from 1 to {0}, ascending, each once")]
    Winners(u8),
    /// The ranking leaves out a seat, or has one twice.
    #[error("a ranking names each seat from 1 to {0} once, in groups from best to last")]
    Ranking(u8),
    /// The winners are not those who are ranked first.
    #[error(
        "the winners are the first group of a ranking of several groups; if all seats share the first place, nobody wins"
    )]
    Order,
    /// Everybody won.
    #[error("not all seats win: a game that nobody lost is a draw, without winners")]
    All,
    /// All seats lost, and yet somebody won or is ranked.
    #[error("a forfeit by all seats has no winners and no ranking")]
    Forfeit,
}

/// The reason of an outcome that was entered without a record of the game, which has no action.
pub const UNRECORDED: &str = "entered without a record";

impl Outcome {
    /// The outcome of a game of which only the ranking is known: groups of equally ranked seats, best first.
    pub fn unrecorded(ranking: &[Vec<u8>]) -> Self {
        let winners = if ranking.len() > 1 { ranking[0].clone() } else { Vec::new() };
        let has_places = ranking.iter().map(Vec::len).sum::<usize>() > 2;
        Self { ranking: has_places.then(|| ranking.to_vec()), ..Self::win(winners, UNRECORDED) }
    }

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

    /// Checks that a game with so many seats can end like this, whatever its rules are.
    ///
    /// # Errors
    /// The winners or the ranking are not those of such a game, or contradict each other or a forfeit.
    pub fn check(&self, seats: u8) -> Result<(), OutcomeError> {
        let exists = |seat: &u8| (1..=seats).contains(seat);
        let is_group = |group: &[u8]| group.iter().all(exists) && group.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_group(&self.winners) {
            return Err(OutcomeError::Winners(seats));
        }
        if let Some(ranking) = &self.ranking {
            let mut ranked = ranking.concat();
            ranked.sort_unstable();
            let is_group = |group: &Vec<u8>| !group.is_empty() && is_group(group);
            if !ranking.iter().all(is_group) || !ranked.into_iter().eq(1..=seats) {
                return Err(OutcomeError::Ranking(seats));
            }
        }
        if self.details.contains_key("forfeit") {
            return if self.is_forfeit() && self.ranking.is_none() { Ok(()) } else { Err(OutcomeError::Forfeit) };
        }
        // A game of one seat is won or lost, and its ranking has one group either way.
        if seats > 1 && self.winners.len() == usize::from(seats) {
            return Err(OutcomeError::All);
        }
        match self.ranking.as_deref() {
            Some([first, _, ..]) if self.winners != *first => Err(OutcomeError::Order),
            Some([_]) if seats > 1 && !self.winners.is_empty() => Err(OutcomeError::Order),
            _ => Ok(()),
        }
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
