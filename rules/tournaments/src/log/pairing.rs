//! Applies the events that pair, open and close rounds.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use plybook_events::body::{Bye, EntrantBye, Paired, PairingChanged, RoundOpened, TableOpened, TableReseated};
use plybook_events::{LogId, Timestamp};

use super::history::KEPT_FROM;
use super::misfit::Misfit;
use super::rounds::{Round, RoundStatus, Table, TableGame};
use super::tournament::Tournament;

impl Tournament {
    pub(super) fn pair(&mut self, paired: &Paired, seq: u64, at: Timestamp) -> Result<(), Misfit> {
        let next = self.next_round();
        if paired.round != next {
            return Err(Misfit::NextRound(next));
        }
        self.check_planned(next)?;
        self.check_tables(&paired.tables, &paired.byes)?;
        if self.drawn.is_empty() && (self.rules.is_drawn() || next >= KEPT_FROM) {
            self.drawn = self.by_seed();
        }
        self.rounds.push(Round {
            engine: paired.engine.clone(),
            tables: paired.tables.iter().map(|seats| Table::new(seats)).collect(),
            byes: paired.byes.clone(),
            ..Round::new(next, seq, at)
        });
        Ok(())
    }

    pub(super) fn change_pairing(&mut self, changed: &PairingChanged, seq: u64, at: Timestamp) -> Result<(), Misfit> {
        if changed.round == self.next_round() {
            let PairingChanged { round, tables, byes, .. } = changed.clone();
            self.pair(&Paired { round, engine: None, tables, byes }, seq, at)?;
        }
        self.check_tables(&changed.tables, &changed.byes)?;
        let round = self.round_mut(changed.round)?;
        if round.status != RoundStatus::Paired {
            return Err(Misfit::AlreadyOpen(changed.round));
        }
        round.tables = changed.tables.iter().map(|seats| Table::new(seats)).collect();
        round.byes.clone_from(&changed.byes);
        round.breaks.clone_from(&changed.breaks);
        round.is_changed = true;
        Ok(())
    }

    /// Checks that each entrant is named once, and that tables have the right numbers of seats.
    pub(super) fn check_tables(&self, tables: &[Vec<u16>], byes: &[EntrantBye]) -> Result<(), Misfit> {
        self.check_named(tables.iter().flatten().copied().chain(byes.iter().map(|bye| bye.entrant)))?;
        let allowed = self.rules.table_seats();
        (1..).zip(tables).try_for_each(|(table, seats)| check_seats(table, seats.len(), &allowed))
    }

    /// Checks that those named are entrants, each named once.
    fn check_named(&self, numbers: impl Iterator<Item = u16>) -> Result<(), Misfit> {
        let mut named = BTreeSet::new();
        for number in numbers {
            self.entrant(number).ok_or(Misfit::NoEntrant(number))?;
            if !named.insert(number) {
                return Err(Misfit::NamedTwice(number));
            }
        }
        Ok(())
    }

    pub(super) fn unpair(&mut self, number: u32) -> Result<(), Misfit> {
        let last = self.rounds.len() as u32;
        let round = self.round_mut(number)?;
        if round.status != RoundStatus::Paired {
            return Err(Misfit::AlreadyOpen(number));
        }
        if number != last {
            return Err(Misfit::AlreadyPaired(number + 1));
        }
        self.rounds.pop();
        if self.rounds.is_empty() || (!self.rules.is_drawn() && number <= KEPT_FROM) {
            self.drawn.clear();
        }
        Ok(())
    }

    pub(super) fn open(&mut self, opened: RoundOpened, at: Timestamp) -> Result<(), Misfit> {
        let id = self.id;
        let before = self.rounds.iter().take((opened.round as usize).saturating_sub(1));
        if let Some(before) = before.into_iter().find(|round| round.status != RoundStatus::Closed) {
            return Err(Misfit::NotClosed(before.number));
        }
        let round = self.round_mut(opened.round)?;
        if round.status != RoundStatus::Paired {
            return Err(Misfit::AlreadyOpen(opened.round));
        }
        round.status = RoundStatus::Open;
        round.opened = Some(opened);
        round.opened_at = Some(at);
        for (number, table) in (1..).zip(&mut round.tables) {
            table.games = vec![TableGame { id: opened.game(id, number), ranking: None }];
        }
        Ok(())
    }

    pub(super) fn unopen(&mut self, number: u32) -> Result<(), Misfit> {
        let round = self.round_mut(number)?;
        if round.status != RoundStatus::Open {
            return Err(Misfit::NotOpen(number));
        }
        if let Some((table, _)) = (1..).zip(&round.tables).find(|(_, table)| table.has_result()) {
            return Err(Misfit::HasResult { round: number, table });
        }
        round.status = RoundStatus::Paired;
        (round.opened, round.opened_at) = (None, None);
        for table in &mut round.tables {
            table.games.clear();
            table.adjourned = None;
        }
        Ok(())
    }

    pub(super) fn open_table(&mut self, opened: &TableOpened, seq: u64, at: Timestamp) -> Result<(), Misfit> {
        if !self.rules.is_list() {
            return Err(Misfit::NotAList);
        }
        check_seats(opened.table, opened.seats.len(), &self.rules.table_seats())?;
        self.check_tables(std::slice::from_ref(&opened.seats), &[])?;
        let next = self.next_round();
        if opened.round == next {
            self.check_planned(next)?;
            if opened.table != 1 {
                return Err(Misfit::NoTable { round: next, table: opened.table.saturating_sub(1) });
            }
            let (status, opened_at) = (RoundStatus::Open, Some(at));
            self.rounds.push(Round { status, opened_at, ..Round::new(next, seq, at) });
        }
        let round = self.round_mut(opened.round)?;
        if round.status != RoundStatus::Open {
            return Err(Misfit::NotOpen(opened.round));
        }
        let free = round.tables.len() as u32 + 1;
        if opened.table < free {
            return Err(Misfit::Taken { round: opened.round, table: opened.table });
        }
        if opened.table > free {
            return Err(Misfit::NoTable { round: opened.round, table: free });
        }
        if let Some(twice) = opened.seats.iter().find(|entrant| round.everybody().any(|other| other == **entrant)) {
            return Err(Misfit::SitsAlready { entrant: *twice, round: opened.round });
        }
        let games = vec![TableGame { id: opened.game, ranking: None }];
        round.tables.push(Table { games, ..Table::new(&opened.seats) });
        Ok(())
    }

    pub(super) fn reseat(&mut self, reseated: &TableReseated) -> Result<(), Misfit> {
        let TableReseated { round: number, table, seats } = reseated;
        self.check_named(seats.iter().copied())?;
        check_seats(*table, seats.len(), &(2..=*self.rules.table_seats().end()))?;
        let round = self.round_mut(*number)?;
        if round.status != RoundStatus::Open {
            return Err(Misfit::NotOpen(*number));
        }
        let found = round.table(*table).ok_or(Misfit::NoTable { round: *number, table: *table })?;
        if found.has_result() {
            return Err(Misfit::HasResult { round: *number, table: *table });
        }
        let before = found.seats.clone();
        let sits_elsewhere = |entrant: &&u16| {
            !before.contains(entrant) && round.tables.iter().any(|other| other.seats.contains(entrant))
        };
        if let Some(entrant) = seats.iter().find(sits_elsewhere) {
            return Err(Misfit::SitsAlready { entrant: *entrant, round: *number });
        }
        round.byes.retain(|bye| !seats.contains(&bye.entrant));
        let left = before.iter().filter(|entrant| !seats.contains(entrant));
        round.byes.extend(left.map(|entrant| EntrantBye { bye: Bye::Zero, entrant: *entrant }));
        let found = &mut round.tables[*table as usize - 1];
        (found.seats, found.adjourned) = (seats.clone(), None);
        Ok(())
    }

    pub(super) fn close(&mut self, number: u32, at: Timestamp) -> Result<(), Misfit> {
        let round = self.round_mut(number)?;
        if round.status != RoundStatus::Open {
            return Err(Misfit::NotOpen(number));
        }
        let missing = round.missing();
        if !missing.is_empty() {
            return Err(Misfit::Missing { round: number, tables: missing });
        }
        let disputed = round.disputed();
        if !disputed.is_empty() {
            return Err(Misfit::Disputed { round: number, tables: disputed });
        }
        (round.status, round.closed_at) = (RoundStatus::Closed, Some(at));
        Ok(())
    }

    pub(super) fn reopen(&mut self, number: u32) -> Result<(), Misfit> {
        if self.round(number + 1).is_some_and(|next| next.status != RoundStatus::Paired) {
            return Err(Misfit::GoneOn(number + 1));
        }
        let round = self.round_mut(number)?;
        if round.status != RoundStatus::Closed {
            return Err(Misfit::NotClosed(number));
        }
        (round.status, round.closed_at) = (RoundStatus::Open, None);
        Ok(())
    }

    /// The table that a game belongs to, with its round.
    pub fn table_of(&self, game: LogId) -> Option<(u32, u32)> {
        self.rounds.iter().rev().find_map(|round| {
            let is_its = |(_, table): &(u32, &Table)| table.games.iter().any(|known| known.id == game);
            (1..).zip(&round.tables).find(is_its).map(|(table, _)| (round.number, table))
        })
    }
}

fn check_seats(table: u32, seats: usize, allowed: &RangeInclusive<u8>) -> Result<(), Misfit> {
    let (least, most) = (*allowed.start(), *allowed.end());
    if (usize::from(least)..=usize::from(most)).contains(&seats) {
        return Ok(());
    }
    let allowed = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    Err(Misfit::Seats { table, seats, allowed })
}

impl Round {
    fn new(number: u32, paired_seq: u64, paired_at: Timestamp) -> Self {
        Self {
            number,
            status: RoundStatus::Paired,
            engine: None,
            is_changed: false,
            breaks: Vec::new(),
            paired_seq,
            paired_at,
            tables: Vec::new(),
            byes: Vec::new(),
            corrections: Vec::new(),
            opened: None,
            opened_at: None,
            closed_at: None,
        }
    }
}
