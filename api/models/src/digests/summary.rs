//! What was played from a position, as the explorer tells it.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::catalogue::{RowColumns, ordinal};
use crate::results::Results;

/// The named games are chosen from this many of the newest.
pub(super) const NEWEST: usize = 256;

/// The number of games that are named.
const NAMED: usize = 10;

/// What was played from a position.
#[derive(Clone, Debug, Default)]
pub struct PositionSummary {
    /// The number of games that reached it.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// The actions they played there, the most frequent first.
    pub actions: Vec<ActionSummary>,
    /// The newest of them, by number; at most ten.
    pub recent: Vec<u32>,
    /// The highest rated finished games among the newest, by number, followed by the longest unrated ones; at
    /// most ten.
    pub top: Vec<u32>,
}

/// An action that was played from a position.
#[derive(Clone, Debug)]
pub struct ActionSummary {
    /// As records write it.
    pub word: Arc<str>,
    /// The number of games in which it was played.
    pub games: u64,
    /// Their results.
    pub results: Results,
    /// When the last of them was played, in milliseconds since 1970.
    pub last_ms: i64,
    /// The mean of their ratings, if it was requested and some are rated.
    pub average_rating: Option<f64>,
}

impl PositionSummary {
    /// Sorts the actions, and names the newest and the highest rated of these games.
    pub(super) fn new(
        games: u64,
        results: Results,
        mut actions: Vec<ActionSummary>,
        mut numbers: Vec<u32>,
        rows: &RowColumns,
    ) -> Self {
        actions.sort_by(|one, other| other.games.cmp(&one.games).then_with(|| one.word.cmp(&other.word)));
        numbers.sort_by_cached_key(|number| (-rows.played_ms(*number), *number));
        let recent = numbers.iter().copied().take(NAMED).collect();
        numbers.retain(|number| rows.duration_ms(*number).is_some());
        numbers.sort_by_cached_key(|number| {
            let rating = rows.rating(*number).map(|rating| ordinal(rating.into()));
            Reverse((rating, rows.ply(*number), rows.played_ms(*number)))
        });
        numbers.truncate(NAMED);
        Self { games, results, actions, recent, top: numbers }
    }
}
