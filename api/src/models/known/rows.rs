//! The games of each kind, numbered, with what most queries ask about them in a few bytes each.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use plybook_events::LogId;
use plybook_rules::log::Status;

use super::summary::Summary;
use crate::models::results::GameResult;

/// A line of analysis, in the origin of a row.
const LINE: u8 = 1;

/// A game of which events were imported, in the origin of a row.
const IMPORTED: u8 = 2;

/// What most queries ask about a game. 64 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The game.
    pub id: LogId,
    /// When it was played, in milliseconds since 1970.
    pub played_ms: i64,
    /// The time from its creation to its end, in milliseconds; `None` while it runs.
    pub duration_ms: Option<i64>,
    /// Actions on the mainline.
    pub ply: u32,
    /// Who won.
    pub result: GameResult,
    /// Its status.
    pub status: Status,
    /// [`LINE`], [`IMPORTED`], both or neither.
    origin: u8,
    /// The mean rating of its players before the game; NaN if it is not rated.
    rating: f32,
    /// The numbers that [`Rows`] gives to its kind, its tournament and the reason of its outcome.
    pub(in crate::models) kind: u16,
    pub(in crate::models) tournament: u32,
    pub(in crate::models) reason: u32,
}

/// The games of each kind. A game's number is its index among those of its kind, in the order in which the journal
/// begins them: it never changes, and is the same after every rebuild.
#[derive(Default)]
pub struct Rows {
    by_kind: Vec<Vec<Row>>,
    kinds: Numbers<String>,
    tournaments: Numbers<LogId>,
    reasons: Numbers<String>,
}

/// The place of a game's row.
#[derive(Clone, Copy)]
pub(super) struct RowIndex {
    kind: u16,
    /// The number of the game.
    pub number: u32,
}

/// Values numbered from 0, in the order in which they were added.
struct Numbers<T>(HashMap<T, u32>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// Stands for a missing tournament or reason.
const NONE: u32 = u32::MAX;

/// A number that no game has.
const UNKNOWN: u32 = u32::MAX - 1;

impl<T: Hash + Eq> Numbers<T> {
    /// The number of a value, which is added if it is new.
    fn number<Q: Hash + Eq + ToOwned<Owned = T> + ?Sized>(&mut self, value: &Q) -> u32
    where
        T: Borrow<Q>,
    {
        if let Some(number) = self.0.get(value) {
            return *number;
        }
        let next = self.0.len() as u32;
        self.0.insert(value.to_owned(), next);
        next
    }

    fn find<Q: Hash + Eq + ?Sized>(&self, value: &Q) -> u32
    where
        T: Borrow<Q>,
    {
        self.0.get(value).copied().unwrap_or(UNKNOWN)
    }
}

impl Rows {
    /// Adds a game.
    pub(super) fn push(&mut self, game: &Summary) -> RowIndex {
        let kind = self.kinds.number(game.kind.as_str()) as u16;
        let row = self.row_of(game, kind);
        self.by_kind.resize_with(self.kinds.0.len(), Vec::new);
        let rows = &mut self.by_kind[usize::from(kind)];
        rows.push(row);
        RowIndex { kind, number: rows.len() as u32 - 1 }
    }

    /// Updates the row of a game.
    pub(super) fn set(&mut self, at: RowIndex, game: &Summary) {
        let row = self.row_of(game, at.kind);
        let old = &mut self.by_kind[usize::from(at.kind)][at.number as usize];
        *old = Row { rating: old.rating, ..row };
    }

    fn row_of(&mut self, game: &Summary, kind: u16) -> Row {
        let standing = &game.standing;
        let begun_ms = game.stated_at.as_millis();
        Row {
            id: game.id,
            played_ms: game.played_at().as_millis(),
            duration_ms: standing.end.as_ref().map(|end| end.at.as_millis() - begun_ms),
            ply: standing.ply,
            result: game.result(),
            status: standing.status(),
            origin: if game.fork.is_some() { LINE } else { 0 } | if game.is_imported { IMPORTED } else { 0 },
            kind,
            tournament: game.tournament.map_or(NONE, |id| self.tournaments.number(&id)),
            rating: f32::NAN,
            reason: standing.outcome().map_or(NONE, |outcome| self.reasons.number(outcome.reason.as_str())),
        }
    }

    /// Notes the mean rating of a game's players, which is known later than everything else.
    pub(super) fn set_rating(&mut self, at: RowIndex, rating: Option<f32>) {
        self.by_kind[usize::from(at.kind)][at.number as usize].rating = rating.unwrap_or(f32::NAN);
    }

    pub(super) fn get(&self, at: RowIndex) -> &Row {
        &self.by_kind[usize::from(at.kind)][at.number as usize]
    }

    /// The games of a kind, by their numbers.
    pub fn of(&self, kind: &str) -> &[Row] {
        self.by_kind.get(self.kinds.find(kind) as usize).map_or(&[], Vec::as_slice)
    }

    /// All games.
    pub(super) fn all(&self) -> impl Iterator<Item = &Row> {
        self.by_kind.iter().flatten()
    }

    /// The number that rows use for a kind; if there are no games of that kind, one that no row has.
    pub(in crate::models) fn kind_number(&self, kind: &str) -> u16 {
        self.kinds.find(kind) as u16
    }

    /// Like [`kind_number`](Self::kind_number), for a tournament.
    pub(in crate::models) fn tournament_number(&self, tournament: LogId) -> u32 {
        self.tournaments.find(&tournament)
    }

    /// Like [`kind_number`](Self::kind_number), for the reason of an outcome.
    pub(in crate::models) fn reason_number(&self, reason: &str) -> u32 {
        self.reasons.find(reason)
    }
}

impl Row {
    /// Whether it is a line of analysis.
    pub fn is_line(&self) -> bool {
        self.origin & LINE != 0
    }

    /// Whether any of its events were imported.
    pub fn is_imported(&self) -> bool {
        self.origin & IMPORTED != 0
    }

    /// The mean rating of its players before the game, of those who had one; `None` if it is not rated.
    pub fn rating(&self) -> Option<f32> {
        Some(self.rating).filter(|rating| !rating.is_nan())
    }
}

const _: () = assert!(size_of::<Row>() == 64, "millions of rows are in memory");

#[cfg(test)]
impl Row {
    /// A row of a recorded game that is over.
    pub(in crate::models) fn sample(played_ms: i64, result: GameResult, ply: u32) -> Self {
        let (id, duration_ms, status) = (LogId::from_bytes([0; 16]), Some(1), Status::Finished);
        let (origin, kind, tournament, reason) = (0, 0, NONE, NONE);
        let rating = if ply.is_multiple_of(3) { f32::NAN } else { 1500.0 + (played_ms % 7) as f32 };
        Self { id, played_ms, duration_ms, ply, result, status, origin, rating, kind, tournament, reason }
    }
}
