//! Applies the events that decide tables.

use std::slice;

use plybook_events::body::{Adjourned, Forfeited, GameHead, GameOpened, ResultRecorded, ResultRemoved, Resumed};
use plybook_events::{Outcome, Timestamp};

use super::misfit::Misfit;
use super::rounds::{Correction, ResultSource, RoundStatus, Table, TableGame, TableResult, is_same};
use super::tournament::Tournament;

impl Tournament {
    /// Applies an event that may change the result of a table, and notes the change if a later round is paired.
    pub(super) fn change_result(
        &mut self,
        round: u32,
        table: u32,
        at: Timestamp,
        apply: impl FnOnce(&mut Self) -> Result<(), Misfit>,
    ) -> Result<(), Misfit> {
        let result =
            |this: &Self| this.round(round).and_then(|round| round.table(table)).and_then(|table| table.result.clone());
        let before = result(self);
        apply(self)?;
        let (after, paired) = (result(self), self.rounds.len() as u32);
        if paired > round && !is_same(before.as_ref(), after.as_ref()) {
            self.round_mut(round)?.note(Correction { table, before, after, paired, at });
        }
        Ok(())
    }

    pub(super) fn open_game(&mut self, opened: &GameOpened) -> Result<(), Misfit> {
        let table = self.begun_table(opened.round, opened.table)?;
        if table.games.iter().any(|game| game.id == opened.game) {
            return Err(Misfit::ItsGame(opened.game));
        }
        table.check_unrecorded(opened.table)?;
        table.games.push(TableGame { id: opened.game, ranking: None });
        Ok(())
    }

    pub(super) fn record(&mut self, result: &ResultRecorded, at: Timestamp) -> Result<(), Misfit> {
        let seats = self.begun_table(result.round, result.table)?.seats.len();
        check_ranking(&result.ranking, seats)?;
        self.check_teams(&result.ranking, seats)?;
        let table = self.begun_table(result.round, result.table)?;
        if result.record.is_none() {
            table.check_unrecorded(result.table)?;
        }
        table.adjourned = None;
        let Some(record) = &result.record else {
            table.entered += u32::from(result.at_table);
            let entered_there =
                table.result.take().filter(|known| result.at_table && known.source == ResultSource::Table);
            table.disputed = entered_there.map(|known| known.ranking).filter(|ranking| *ranking != result.ranking);
            let source = if result.at_table { ResultSource::Table } else { ResultSource::Organiser };
            table.result = Some(TableResult { ranking: result.ranking.clone(), source, at, reason: None });
            return Ok(());
        };
        its_game(table, record)?.ranking = Some(result.ranking.clone());
        table.settle(at);
        Ok(())
    }

    pub(super) fn remove_result(&mut self, removed: &ResultRemoved, at: Timestamp) -> Result<(), Misfit> {
        let nothing = Misfit::NoResult { round: removed.round, table: removed.table };
        let table = self.begun_table(removed.round, removed.table)?;
        if let Some(record) = &removed.record {
            its_game(table, record)?.ranking.take().ok_or(nothing)?;
        } else {
            table.check_unrecorded(removed.table)?;
            table.result.take().ok_or(nothing)?;
            table.disputed = None;
        }
        table.settle(at);
        Ok(())
    }

    pub(super) fn forfeit(&mut self, forfeited: &Forfeited, at: Timestamp) -> Result<(), Misfit> {
        let seats = self.begun_table(forfeited.round, forfeited.table)?.seats.len();
        let losers = &forfeited.seats;
        let is_seat = |seat: &u8| (1..=seats).contains(&usize::from(*seat));
        if losers.is_empty() || !losers.iter().all(is_seat) || !losers.is_sorted_by(|a, b| a < b) {
            return Err(Misfit::ForfeitSeats(seats));
        }
        self.check_teams(slice::from_ref(losers), seats)?;
        let winners: Vec<u8> = (1..=seats as u8).filter(|seat| !losers.contains(seat)).collect();
        let ranking = if winners.is_empty() { Vec::new() } else { vec![winners] };
        let (source, reason) = (ResultSource::Forfeit, forfeited.reason.clone());
        let table = self.begun_table(forfeited.round, forfeited.table)?;
        table.check_unrecorded(forfeited.table)?;
        table.result = Some(TableResult { ranking, source, at, reason });
        (table.adjourned, table.disputed) = (None, None);
        Ok(())
    }

    pub(super) fn adjourn(&mut self, adjourned: &Adjourned) -> Result<(), Misfit> {
        let (round, number) = (adjourned.round, adjourned.table);
        let table = self.begun_table(round, number)?;
        if table.result.is_some() {
            return Err(Misfit::HasResult { round, table: number });
        }
        table.adjourned = Some(adjourned.until.clone());
        Ok(())
    }

    pub(super) fn resume(&mut self, resumed: Resumed) -> Result<(), Misfit> {
        let (round, number) = (resumed.round, resumed.table);
        let is_closed = self.round(round).is_some_and(|round| round.status == RoundStatus::Closed);
        let table = self.begun_table(round, number)?;
        if is_closed {
            return Err(Misfit::NotOpen(round));
        }
        table.adjourned.take().map(|_| ()).ok_or(Misfit::NotAdjourned { round, table: number })
    }

    /// Checks that no team is divided by groups of seats at a table of so many.
    fn check_teams(&self, groups: &[Vec<u8>], seats: usize) -> Result<(), Misfit> {
        let is_divided = groups.iter().any(|group| self.rules.standings.is_divided(group, seats as u8));
        if is_divided { Err(Misfit::Divided(self.settings.teams.clone())) } else { Ok(()) }
    }

    /// A table of a round that was opened.
    fn begun_table(&mut self, round: u32, table: u32) -> Result<&mut Table, Misfit> {
        let found = self.round_mut(round)?;
        if found.status == RoundStatus::Paired {
            return Err(Misfit::NotOpen(round));
        }
        let index = (table as usize).checked_sub(1);
        let found = index.and_then(|index| found.tables.get_mut(index));
        found.ok_or(Misfit::NoTable { round, table })
    }
}

/// The ranking of a game's outcome, at a table with this many seats: groups of equally ranked seats, best
/// first, each ascending. Without a ranking, the winners come before the others; without winners, all are
/// equal.
pub fn ranking_of(outcome: &Outcome, seats: u8) -> Vec<Vec<u8>> {
    let winners = Some(&outcome.winners).filter(|winners| !winners.is_empty()).map(std::slice::from_ref);
    let groups = outcome.ranking.as_deref().or(winners).unwrap_or_default();
    let mut left: Vec<u8> = (1..=seats).collect();
    let mut ranking = Vec::new();
    for group in groups {
        let mut group = group.clone();
        group.sort_unstable();
        group.dedup();
        group.retain(|seat| left.contains(seat));
        left.retain(|seat| !group.contains(seat));
        ranking.push(group);
    }
    ranking.push(left);
    ranking.retain(|group| !group.is_empty());
    ranking
}

/// Checks that a ranking names each seat once, in ascending groups.
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
    /// Checks that a table does not have the result of a game, in whose place something else would come.
    fn check_unrecorded(&self, number: u32) -> Result<(), Misfit> {
        let is_recorded = self.games.iter().any(|game| game.ranking.is_some());
        if is_recorded { Err(Misfit::Recorded(number)) } else { Ok(()) }
    }

    /// Adopts the result of the last game that has one. It replaces what was entered or forfeited before,
    /// which stays if no game has a result.
    fn settle(&mut self, at: Timestamp) {
        let ranking = self.games.iter().rev().find_map(|game| game.ranking.clone());
        let settled = ranking.map(|ranking| TableResult { ranking, source: ResultSource::Game, at, reason: None });
        if settled.is_some() || self.result.as_ref().is_some_and(|result| result.source == ResultSource::Game) {
            (self.result, self.disputed) = (settled, None);
        }
    }
}
