//! The games of each kind, numbered, with what is asked of them most in a few bytes each.

use std::collections::{BTreeMap, HashMap};

use super::{Filter, Summary};
use plybook_events::LogId;
use plybook_rules::log::Status;

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
    /// The tournament and the reason of its outcome, by their numbers; 0 where it has none.
    tournament: u32,
    reason: u32,
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
    /// From 1.
    tournaments: HashMap<LogId, u32>,
    /// From 1.
    reasons: HashMap<String, u32>,
}

/// What a filter asks of rows.
pub(super) struct Asked<'a> {
    filter: &'a Filter,
    /// The numbers of the tournament and the reason; `Some(0)` where there is none like it.
    tournament: Option<u32>,
    reason: Option<u32>,
    /// Whether more is asked than rows say.
    pub is_more: bool,
}

impl Row {
    fn new(game: &Summary, tournament: u32, reason: u32) -> Self {
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
            tournament,
            reason,
        }
    }
}

#[cfg(test)]
impl Row {
    /// A row of a recorded game that is over.
    pub(super) fn sample(created_ms: i64, result: Result, ply: u32) -> Self {
        let (id, duration_ms, status) = (LogId::from_bytes([0; 16]), Some(1), Status::Finished);
        Self { id, created_ms, duration_ms, ply, result, status, is_line: false, tournament: 0, reason: 0 }
    }
}

impl Rows {
    /// Notes how a game stands now.
    pub(super) fn set(&mut self, game: &Summary) {
        let next = self.tournaments.len() as u32 + 1;
        let tournament = game.tournament.map_or(0, |id| *self.tournaments.entry(id).or_insert(next));
        let reason = game.outcome.as_ref().map_or(0, |outcome| self.reason(&outcome.reason));
        let row = Row::new(game, tournament, reason);
        let rows = match self.by_kind.get_mut(&game.kind) {
            Some(rows) => rows,
            None => self.by_kind.entry(game.kind.clone()).or_default(),
        };
        if let Some(number) = self.numbers.get(&game.id) {
            rows[*number as usize] = row;
        } else {
            self.numbers.insert(game.id, rows.len() as u32);
            rows.push(row);
        }
    }

    /// The number of a reason, which may be new.
    fn reason(&mut self, reason: &str) -> u32 {
        if let Some(number) = self.reasons.get(reason) {
            return *number;
        }
        let next = self.reasons.len() as u32 + 1;
        self.reasons.insert(reason.to_owned(), next);
        next
    }

    /// The number of a game among those of its kind.
    pub fn number(&self, game: LogId) -> Option<u32> {
        self.numbers.get(&game).copied()
    }

    /// The games of a kind, by their numbers.
    pub fn of(&self, kind: &str) -> &[Row] {
        self.by_kind.get(kind).map_or(&[], Vec::as_slice)
    }

    /// The games of a kind, or of each kind.
    pub(super) fn kinds<'a>(&'a self, kind: Option<&'a str>) -> impl Iterator<Item = &'a [Row]> {
        let is_asked = move |name: &String| kind.is_none_or(|kind| kind == name);
        self.by_kind.iter().filter(move |(name, _)| is_asked(name)).map(|(_, rows)| rows.as_slice())
    }

    /// What a filter asks of rows.
    pub(super) fn asked<'a>(&self, filter: &'a Filter) -> Asked<'a> {
        Asked {
            filter,
            tournament: filter.tournament.map(|id| self.tournaments.get(&id).copied().unwrap_or(0)),
            reason: filter.reason.as_ref().map(|reason| self.reasons.get(reason).copied().unwrap_or(0)),
            is_more: !filter.players.is_empty()
                || filter.seat.is_some()
                || filter.winner.is_some()
                || filter.setup.is_some()
                || filter.tag.is_some(),
        }
    }
}

impl Asked<'_> {
    /// Whether a row has what is asked of rows.
    pub fn fits(&self, row: &Row) -> bool {
        let filter = self.filter;
        filter.is_analysis.is_none_or(|analysis| analysis == row.is_line)
            && filter.status.is_none_or(|status| status == row.status)
            && filter.since.is_none_or(|since| row.created_ms >= since.as_millis())
            && filter.until.is_none_or(|until| row.created_ms < until.as_millis())
            && filter.ply_min.is_none_or(|least| row.ply >= least)
            && filter.ply_max.is_none_or(|most| row.ply <= most)
            && self.tournament.is_none_or(|tournament| tournament > 0 && tournament == row.tournament)
            && self.reason.is_none_or(|reason| reason > 0 && reason == row.reason)
    }
}
