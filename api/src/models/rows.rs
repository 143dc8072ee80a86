//! The games of each kind, numbered, with what is asked of them most in a few bytes each.

use std::collections::{BTreeMap, HashMap};

use plybook_events::LogId;
use plybook_rules::fold::Status;
use roaring::RoaringBitmap;

use super::{Filter, Summary};

/// What is asked of a game most.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The game.
    pub id: LogId,
    /// When it was created, in milliseconds since 1970.
    pub created_ms: i64,
    /// From its creation to its end, in milliseconds; `None` while it runs.
    pub duration_ms: Option<i64>,
    /// Actions on the mainline.
    pub ply: u32,
    /// Who won.
    pub result: Result,
    /// Where it stands.
    pub status: Status,
    is_line: bool,
}

/// Who won a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Result {
    /// It has no outcome that counts.
    #[default]
    Open,
    /// Nobody.
    Drawn,
    /// These seats: bit 0 is seat 1.
    Won(u16),
}

/// The games of each kind. A game's number is its index among those of its kind, in the order in
/// which this process came to know them; it is good for as long as the process runs.
#[derive(Default)]
pub struct Rows {
    by_kind: BTreeMap<String, Vec<Row>>,
    numbers: HashMap<LogId, u32>,
}

impl Row {
    fn new(game: &Summary) -> Self {
        let counts = game.outcome.as_ref().filter(|_| !game.is_void);
        let result = counts.map_or(Result::Open, |outcome| {
            let seats = outcome.winners.iter().fold(0_u16, |seats, seat| seats | 1 << seat.saturating_sub(1).min(15));
            if seats == 0 { Result::Drawn } else { Result::Won(seats) }
        });
        let created_ms = game.created_at.as_millis();
        Self {
            id: game.id,
            created_ms,
            duration_ms: game.finished_at.map(|at| at.as_millis() - created_ms),
            ply: game.ply,
            result,
            status: game.status(),
            is_line: game.fork.is_some(),
        }
    }
}

#[cfg(test)]
impl Row {
    /// A row of a recorded game that is over.
    pub(super) fn sample(created_ms: i64, result: Result, ply: u32) -> Self {
        let (id, duration_ms, status) = (LogId::from_bytes([0; 16]), Some(1), Status::Finished);
        Self { id, created_ms, duration_ms, ply, result, status, is_line: false }
    }
}

impl Rows {
    /// Notes how a game stands now.
    pub(super) fn set(&mut self, game: &Summary) {
        let row = Row::new(game);
        match self.numbers.get(&game.id) {
            Some(number) => {
                if let Some(rows) = self.by_kind.get_mut(&game.kind) {
                    rows[*number as usize] = row;
                }
            }
            None => {
                let rows = match self.by_kind.get_mut(&game.kind) {
                    Some(rows) => rows,
                    None => self.by_kind.entry(game.kind.clone()).or_default(),
                };
                self.numbers.insert(game.id, rows.len() as u32);
                rows.push(row);
            }
        }
    }

    /// The number of a game among those of its kind.
    pub fn number(&self, game: LogId) -> Option<u32> {
        self.numbers.get(&game).copied()
    }

    /// The games of a kind, by their numbers.
    pub fn of(&self, kind: &str) -> &[Row] {
        self.by_kind.get(kind).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the games of a kind that a filter accepts; `accepts` is asked where a row
    /// does not say enough, and `among` narrows the games down, if there is a list of them.
    pub(super) fn matching(
        &self,
        kind: &str,
        filter: &Filter,
        among: Option<&mut dyn Iterator<Item = LogId>>,
        accepts: impl Fn(LogId) -> bool,
    ) -> RoaringBitmap {
        let rows = self.of(kind);
        let is_asked_more = filter.asks_beyond_rows();
        let fits = |row: &Row| filter.accepts_row(row) && (!is_asked_more || accepts(row.id));
        match among {
            None => (0..rows.len() as u32).filter(|number| fits(&rows[*number as usize])).collect(),
            Some(among) => among
                .filter_map(|id| self.number(id).map(|number| (id, number)))
                .filter(|(id, number)| rows.get(*number as usize).is_some_and(|row| row.id == *id && fits(row)))
                .map(|(_, number)| number)
                .collect(),
        }
    }
}

impl Filter {
    /// Whether a game's row says that it is not asked for.
    fn accepts_row(&self, row: &Row) -> bool {
        self.is_analysis.is_none_or(|analysis| analysis == row.is_line)
            && self.status.is_none_or(|status| status == row.status)
            && self.since.is_none_or(|since| row.created_ms >= since.as_millis())
            && self.until.is_none_or(|until| row.created_ms < until.as_millis())
            && self.ply_min.is_none_or(|least| row.ply >= least)
            && self.ply_max.is_none_or(|most| row.ply <= most)
    }

    /// Whether more is asked than a row says.
    fn asks_beyond_rows(&self) -> bool {
        self.tournament.is_some()
            || !self.players.is_empty()
            || self.seat.is_some()
            || self.winner.is_some()
            || self.reason.is_some()
            || self.setup.is_some()
            || self.tag.is_some()
    }
}
