//! Events that say how tables went.

use plybook_events::body::{Adjourned, Forfeited, GameHead, GameOpened, ResultRecorded, ResultRemoved, Resumed};
use plybook_events::{LogId, Timestamp};

use super::misfit::Misfit;
use super::rounds::{ResultSource, Round, RoundStatus, Table, TableGame, TableResult};
use super::settings::Rules;
use super::tournament::Tournament;

impl Tournament {
    pub(super) fn open_game(&mut self, opened: &GameOpened) -> Result<(), Misfit> {
        let (_, table) = self.begun_table(opened.round, opened.table)?;
        if table.games.iter().any(|game| game.id == opened.game) {
            return Err(Misfit::ItsGame(opened.game));
        }
        table.games.push(TableGame { id: opened.game, ranking: None });
        Ok(())
    }

    pub(super) fn record(&mut self, result: &ResultRecorded, at: Timestamp) -> Result<(), Misfit> {
        let (rules, table) = self.begun_table(result.round, result.table)?;
        check_ranking(&result.ranking, table.seats.len())?;
        table.adjourned = None;
        let Some(record) = &result.record else {
            let source = if result.at_table { ResultSource::Table } else { ResultSource::Organiser };
            table.result = Some(TableResult { ranking: result.ranking.clone(), source, at, reason: None });
            return Ok(());
        };
        its_game(table, record)?.ranking = Some(result.ranking.clone());
        table.settle(&rules, at);
        Ok(())
    }

    pub(super) fn remove_result(&mut self, removed: &ResultRemoved, at: Timestamp) -> Result<(), Misfit> {
        let nothing = Misfit::NoResult { round: removed.round, table: removed.table };
        let (rules, table) = self.begun_table(removed.round, removed.table)?;
        match &removed.record {
            Some(record) => {
                its_game(table, record)?.ranking.take().ok_or(nothing)?;
                table.settle(&rules, at);
            }
            None => {
                table.result.take().filter(|result| result.source != ResultSource::Game).ok_or(nothing)?;
                table.settle(&rules, at);
            }
        }
        Ok(())
    }

    pub(super) fn forfeit(&mut self, forfeited: &Forfeited, at: Timestamp) -> Result<(), Misfit> {
        let (_, table) = self.begun_table(forfeited.round, forfeited.table)?;
        let seats = table.seats.len();
        let losers = &forfeited.seats;
        let is_seat = |seat: &u8| (1..=seats).contains(&usize::from(*seat));
        if losers.is_empty() || !losers.iter().all(is_seat) || !losers.is_sorted_by(|a, b| a < b) {
            return Err(Misfit::ForfeitSeats(seats));
        }
        let winners: Vec<u8> = (1..=seats as u8).filter(|seat| !losers.contains(seat)).collect();
        let ranking = if winners.is_empty() { Vec::new() } else { vec![winners] };
        let (source, reason) = (ResultSource::Forfeit, forfeited.reason.clone());
        table.result = Some(TableResult { ranking, source, at, reason });
        table.adjourned = None;
        Ok(())
    }

    pub(super) fn adjourn(&mut self, adjourned: &Adjourned) -> Result<(), Misfit> {
        let (round, number) = (adjourned.round, adjourned.table);
        let (_, table) = self.begun_table(round, number)?;
        if table.result.is_some() {
            return Err(Misfit::HasResult { round, table: number });
        }
        table.adjourned = Some(adjourned.until.clone());
        Ok(())
    }

    pub(super) fn resume(&mut self, resumed: &Resumed) -> Result<(), Misfit> {
        let (round, number) = (resumed.round, resumed.table);
        let is_closed = self.round(round).is_some_and(|round| round.status == RoundStatus::Closed);
        let (_, table) = self.begun_table(round, number)?;
        if is_closed {
            return Err(Misfit::NotOpen(round));
        }
        table.adjourned.take().map(|_| ()).ok_or(Misfit::NotAdjourned { round, table: number })
    }

    /// A table of a round that was opened, with the rules that its results follow.
    fn begun_table(&mut self, round: u32, table: u32) -> Result<(Rules, &mut Table), Misfit> {
        let rules = self.rules.clone();
        let found = self.round_mut(round)?;
        if found.status == RoundStatus::Paired {
            return Err(Misfit::NotOpen(round));
        }
        let index = (table as usize).checked_sub(1);
        let found = index.and_then(|index| found.tables.get_mut(index));
        found.map(|table| (rules, table)).ok_or(Misfit::NoTable { round, table })
    }
}

/// Checks that a ranking names each seat once, in groups that are ascending.
fn check_ranking(ranking: &[Vec<u8>], seats: usize) -> Result<(), Misfit> {
    let mut named = vec![false; seats];
    for seat in ranking.iter().flatten() {
        match named.get_mut(usize::from(*seat).wrapping_sub(1)) {
            Some(named) if !*named => *named = true,
            _ => return Err(Misfit::Ranking(seats)),
        }
    }
    let is_ordered = ranking.iter().all(|group| !group.is_empty() && group.is_sorted());
    if is_ordered && named.into_iter().all(|named| named) { Ok(()) } else { Err(Misfit::Ranking(seats)) }
}

fn its_game<'a>(table: &'a mut Table, record: &GameHead) -> Result<&'a mut TableGame, Misfit> {
    let game = table.games.iter_mut().find(|game| game.id == record.game);
    game.ok_or(Misfit::NotItsGame(record.game))
}

impl Table {
    /// Takes over what the games give; what was entered or forfeited before gives way to it.
    fn settle(&mut self, rules: &Rules, at: Timestamp) {
        let games: Vec<&[Vec<u8>]> = self.games.iter().filter_map(|game| game.ranking.as_deref()).collect();
        let ranking = rules.decided(&games, self.seats.len());
        let source = ResultSource::Game;
        let settled = ranking.map(|ranking| TableResult { ranking, source, at, reason: None });
        if settled.is_some() || self.result.as_ref().is_none_or(|result| result.source == source) {
            self.result = settled;
        }
    }

    /// Whether the table needs another game: the round is open, nothing is decided, and no game is being played.
    pub fn needs_game(&self, is_void: impl Fn(LogId) -> bool) -> bool {
        let is_played = |game: &TableGame| game.ranking.is_none() && !is_void(game.id);
        self.result.is_none() && !self.games.iter().any(is_played)
    }
}

impl Round {
    /// Whether a game was ever opened at any of its tables.
    pub fn has_games(&self) -> bool {
        self.tables.iter().any(|table| !table.games.is_empty())
    }
}
