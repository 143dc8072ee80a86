//! Rounds, their tables, and the status of both.

use plybook_events::body::{EntrantBye, PairingEngine, RoundOpened};
use plybook_events::{LogId, Timestamp};

/// A round that was paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The number, from 1.
    pub number: u32,
    /// The status.
    pub status: RoundStatus,
    /// What paired it; `None` if it was paired by hand.
    pub engine: Option<PairingEngine>,
    /// Whether the pairing was changed by hand.
    pub is_changed: bool,
    /// The rules that a change by hand breaks, in words.
    pub breaks: Vec<String>,
    /// The seq of the event that paired it; the input was the tournament before that event.
    pub paired_seq: u64,
    /// When it was paired.
    pub paired_at: Timestamp,
    /// The tables; index 0 is table 1.
    pub tables: Vec<Table>,
    /// Who does not play.
    pub byes: Vec<EntrantBye>,
    /// The results that changed after a later round was paired, in the order of the first change: at most one for each
    /// table and later round.
    pub corrections: Vec<Correction>,
    /// Its opening, which determines the ids of its games.
    pub opened: Option<RoundOpened>,
    /// When it was opened.
    pub opened_at: Option<Timestamp>,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
}

/// The status of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoundStatus {
    /// The pairing may still be changed.
    Paired,
    /// It is being played.
    Open,
    /// It is over.
    Closed,
}

/// A table of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The entrants by seat; index 0 is seat 1.
    pub seats: Vec<u16>,
    /// Its games in order, void ones included.
    pub games: Vec<TableGame>,
    /// Its result, if there is one.
    pub result: Option<TableResult>,
    /// The ranking that was entered at the table before, if the last one that was entered there is another. Whoever
    /// runs the tournament decides, or the table enters the same ranking twice.
    pub disputed: Option<Vec<Vec<u8>>>,
    /// How many times a result was entered at the table.
    pub entered: u32,
    /// Whether the game is adjourned, and until when, in words.
    pub adjourned: Option<Option<String>>,
}

/// A result that changed after a later round was paired. That pairing stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The table, from 1.
    pub table: u32,
    /// The result that the later round was paired from.
    pub before: Option<TableResult>,
    /// The result from then on.
    pub after: Option<TableResult>,
    /// The last round that was paired.
    pub paired: u32,
    /// When it changed last.
    pub at: Timestamp,
}

/// A game at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableGame {
    /// The game's id.
    pub id: LogId,
    /// Its result, as the tournament's log has it.
    pub ranking: Option<Vec<Vec<u8>>>,
}

/// The result of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// Groups of equally ranked seats, best first. For a forfeit, those who do not forfeit, if any.
    pub ranking: Vec<Vec<u8>>,
    /// Where it comes from.
    pub source: ResultSource,
    /// When it was recorded.
    pub at: Timestamp,
    /// For a forfeit, why there was no play.
    pub reason: Option<String>,
}

/// Where a result comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultSource {
    /// The record of a game.
    Game,
    /// It was entered at the table.
    Table,
    /// It was entered by the organiser.
    Organiser,
    /// Seats lost without play.
    Forfeit,
}

/// The status of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableStatus {
    /// Its round is not open yet.
    Paired,
    /// It is being played.
    Playing,
    /// The game is adjourned.
    Adjourned,
    /// It has a result.
    Finished,
}

impl Round {
    /// The table with a number, from 1.
    pub fn table(&self, number: u32) -> Option<&Table> {
        self.tables.get((number as usize).checked_sub(1)?)
    }

    /// The tables without a result, except adjourned ones.
    pub fn missing(&self) -> Vec<u32> {
        let lacks = |table: &Table| table.result.is_none() && table.adjourned.is_none();
        (1..).zip(&self.tables).filter(|(_, table)| lacks(table)).map(|(number, _)| number).collect()
    }

    /// The tables at which two different results were entered.
    pub fn disputed(&self) -> Vec<u32> {
        let tables = (1..).zip(&self.tables).filter(|(_, table)| table.disputed.is_some());
        tables.map(|(number, _)| number).collect()
    }

    /// The tables whose game is adjourned and has no result yet.
    pub fn adjourned(&self) -> Vec<u32> {
        let tables = (1..).zip(&self.tables).filter(|(_, table)| self.status_of(table) == TableStatus::Adjourned);
        tables.map(|(number, _)| number).collect()
    }

    /// Notes that the result of a table changed after round `paired` was paired.
    pub(super) fn note(&mut self, correction: Correction) {
        let same = |known: &Correction| (known.table, known.paired) == (correction.table, correction.paired);
        match self.corrections.iter().position(same) {
            Some(index) if is_same(self.corrections[index].before.as_ref(), correction.after.as_ref()) => {
                self.corrections.remove(index);
            }
            Some(index) => {
                let before = self.corrections[index].before.take();
                self.corrections[index] = Correction { before, ..correction };
            }
            None => self.corrections.push(correction),
        }
    }

    /// Everybody who is at a table or has a bye.
    pub fn everybody(&self) -> impl Iterator<Item = u16> {
        let at_tables = self.tables.iter().flat_map(|table| &table.seats).copied();
        at_tables.chain(self.byes.iter().map(|bye| bye.entrant))
    }

    /// The status of a table of this round.
    pub fn status_of(&self, table: &Table) -> TableStatus {
        match (&table.result, &table.adjourned) {
            (Some(_), _) => TableStatus::Finished,
            (None, Some(_)) => TableStatus::Adjourned,
            (None, None) if self.status == RoundStatus::Paired => TableStatus::Paired,
            (None, None) => TableStatus::Playing,
        }
    }
}

impl Table {
    pub(super) fn new(seats: &[u16]) -> Self {
        Self { seats: seats.to_vec(), ..Self::default() }
    }

    /// The game that is being played, or was played last.
    pub fn game(&self) -> Option<LogId> {
        self.games.last().map(|game| game.id)
    }

    /// Whether those at the table meet: they played, are playing or will play.
    pub(super) fn is_played_or_open(&self) -> bool {
        self.result.as_ref().is_none_or(|result| result.source != ResultSource::Forfeit)
    }

    /// Whether anything was recorded or entered.
    pub(super) fn has_result(&self) -> bool {
        self.result.is_some() || self.games.iter().any(|game| game.ranking.is_some())
    }
}

impl TableResult {
    /// Whether a seat lost without play.
    pub fn is_forfeited_by(&self, seat: u8) -> bool {
        self.source == ResultSource::Forfeit && !self.ranking.iter().flatten().any(|winner| *winner == seat)
    }
}

/// Whether two results say the same, wherever they come from.
pub(super) fn is_same(one: Option<&TableResult>, other: Option<&TableResult>) -> bool {
    let said = |result: Option<&TableResult>| {
        result.map(|result| (result.source == ResultSource::Forfeit, result.ranking.clone()))
    };
    said(one) == said(other)
}
