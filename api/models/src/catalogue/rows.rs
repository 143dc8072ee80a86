//! Rows of the catalogue: what most queries ask about a game, in a few bytes.

use plybook_events::{LogId, Timestamp};
use plybook_rules::log::Status;

use super::summary::Summary;
use crate::results::GameResult;

/// What games are ordered by: a number, and the id as another.
pub(super) type Key = (i64, u128);

/// What most queries ask about a game. All of them together are in [`RowColumns`](super::row_columns::RowColumns).
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The game.
    pub id: LogId,
    /// When it was played, in milliseconds since 1970.
    pub played_ms: i64,
    /// When it was recorded here.
    pub(super) created_ms: i64,
    /// When its end was recorded here; [`RUNNING`] if it has none.
    pub(super) finished_ms: i64,
    /// The time from its creation to its end; [`RUNNING`] if it has none.
    pub(super) duration_ms: i64,
    /// Actions on the mainline.
    pub ply: u32,
    /// The mean rating of its players before the game; NaN if it is not rated.
    pub(super) rating: f32,
    /// Who won.
    pub result: GameResult,
    /// Its status.
    pub status: Status,
}

/// Stands for the end of a game that has none. Its negative is a number too.
pub(super) const RUNNING: i64 = -i64::MAX;

/// What games are ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// When they were recorded here.
    Created,
    /// When they were played.
    Played,
    /// When their end was recorded here.
    Finished,
    /// The actions on the mainline.
    Ply,
    /// The mean rating of the players.
    Rating,
}

impl By {
    /// All of them.
    pub(super) const ALL: [Self; 5] = [Self::Created, Self::Played, Self::Finished, Self::Ply, Self::Rating];
}

impl Row {
    pub(super) fn of(game: &Summary) -> Self {
        let standing = &game.standing;
        let begun_ms = game.stated_at.as_millis();
        Self {
            id: game.id,
            played_ms: game.played_at().as_millis(),
            created_ms: game.created_at.as_millis(),
            finished_ms: game.finished_at().map_or(RUNNING, Timestamp::as_millis),
            duration_ms: standing.end.as_ref().map_or(RUNNING, |end| end.at.as_millis() - begun_ms),
            ply: standing.ply,
            rating: f32::NAN,
            result: game.result(),
            status: standing.status(),
        }
    }

    /// When it was recorded here, in milliseconds since 1970.
    pub fn created_ms(&self) -> i64 {
        self.created_ms
    }

    /// The time from its creation to its end, in milliseconds; `None` while it runs.
    pub fn duration_ms(&self) -> Option<i64> {
        Some(self.duration_ms).filter(|millis| *millis != RUNNING)
    }

    /// The mean rating of its players before the game, of those who had one; `None` if it is not rated.
    pub fn rating(&self) -> Option<f32> {
        Some(self.rating).filter(|rating| !rating.is_nan())
    }

    pub(super) fn set_rating(&mut self, rating: Option<f32>) {
        self.rating = rating.unwrap_or(f32::NAN);
    }

    /// Its place in an order.
    pub(super) fn key(&self, by: By) -> Key {
        let value = match by {
            By::Created => self.created_ms,
            By::Played => self.played_ms,
            By::Finished => self.finished_ms,
            By::Ply => self.ply.into(),
            By::Rating => rating_value(self.rating),
        };
        (value, u128::from_be_bytes(self.id.to_bytes()))
    }
}

/// What games are ordered by, if it is their rating; those that are not rated come first.
pub(super) fn rating_value(rating: f32) -> i64 {
    if rating.is_nan() { i64::MIN } else { ordinal(rating.into()) }
}

/// A number that is not NaN, as a whole number with the same order. None is [`i64::MIN`].
pub(crate) fn ordinal(number: f64) -> i64 {
    // Adding zero makes a negative zero positive.
    let bits = (number + 0.0).to_bits() as i64;
    if bits < 0 { -(bits & i64::MAX) } else { bits }
}

#[cfg(test)]
impl Row {
    /// A row of a recorded game that is over.
    pub(crate) fn sample(played_ms: i64, result: GameResult, ply: u32) -> Self {
        let (id, duration_ms, status) = (LogId::from_bytes([0; 16]), 1, Status::Finished);
        let (created_ms, finished_ms) = (played_ms, played_ms + 1);
        let rating = if ply.is_multiple_of(3) { f32::NAN } else { 1500.0 + (played_ms % 7) as f32 };
        Self { id, played_ms, created_ms, finished_ms, duration_ms, ply, rating, result, status }
    }
}
