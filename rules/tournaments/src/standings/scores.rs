//! What an opponent counts for: adjusted scores and dummies, articles 15 and 16 of C.07.

use super::record::{Records, RoundKind, RoundRecord};
use crate::Points;

/// The scores that Buchholz and Sonneborn-Berger add up, in tenths.
pub struct Scores<'a> {
    records: &'a Records<'a>,
    /// For each entrant, its own score, which its dummy has.
    own: Vec<i64>,
    /// For each entrant, the score that it contributes to its opponents (16.3).
    adjusted: Vec<i64>,
    /// The final round, if its games count as drawn (8.3).
    final_round: Option<usize>,
    /// Whether forfeits are games against the scheduled opponent.
    counts_forfeits: bool,
}

/// Whose score counts for an unplayed round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dummy {
    /// The entrant's own score (16.4).
    Own,
    /// The adjusted score of the scheduled opponent, which is lower (16.4.1).
    Opponent,
    /// The score of a draw in every round, which is lower (16.4.2).
    Draws,
}

/// What an opponent, the others at a table, or a dummy contribute in a round.
#[derive(Clone, Copy, Debug)]
pub struct Worth {
    /// In hundredths of a point.
    pub hundredths: i64,
    /// The dummy, if nothing was played.
    pub dummy: Option<Dummy>,
}

impl<'a> Scores<'a> {
    /// The scores of all entrants. With `is_fore`, games of the final round count as drawn.
    pub fn new(records: &'a Records<'a>, is_fore: bool, counts_forfeits: bool) -> Self {
        let planned = records.history.rounds_planned.map_or(records.history.rounds.len(), usize::from);
        let final_round = (is_fore && records.rounds == planned).then(|| planned.wrapping_sub(1));
        let counts_forfeits = counts_forfeits || records.rules.is_round_robin;
        let (own, adjusted) = (Vec::new(), Vec::new());
        let mut scores = Self { records, own, adjusted, final_round, counts_forfeits };
        scores.own = (0..records.entrants()).map(|entrant| scores.sum(entrant, false)).collect();
        scores.adjusted = (0..records.entrants()).map(|entrant| scores.sum(entrant, true)).collect();
        scores
    }

    /// The score of an entrant; if it is adjusted, requested byes that are not followed by any played round
    /// count as draws (16.3.2).
    fn sum(&self, entrant: usize, is_adjusted: bool) -> i64 {
        let rules = self.records.rules;
        let is_adjusted = is_adjusted && !rules.is_round_robin;
        let mut is_over = true;
        let mut sum = 0;
        for (round, record) in self.records.of(entrant).iter().enumerate().rev() {
            let is_drawn = self.is_fore_game(round, record);
            is_over &= record.kind.is_voluntary() && !is_drawn;
            let is_bye = record.kind == RoundKind::Requested;
            let counts_as_draw = is_drawn || (is_adjusted && is_over && is_bye);
            let points =
                if counts_as_draw { rules.scoring.draw(self.records.seats(round, record)) } else { record.points };
            sum += i64::from(points.0);
        }
        sum
    }

    /// Whether it is a game of the final round, which Fore Buchholz counts as drawn.
    fn is_fore_game(&self, round: usize, record: &RoundRecord) -> bool {
        self.final_round == Some(round) && record.has_table()
    }

    /// Whether a round counts as a game against those who sat, or should have sat, at the table.
    pub fn is_game(&self, round: usize, record: &RoundRecord) -> bool {
        record.kind == RoundKind::Played
            || (record.is_forfeit() && self.counts_forfeits)
            || self.is_fore_game(round, record)
    }

    /// What a round contributes; `None` if it contributes nothing.
    pub fn worth(&self, entrant: usize, round: usize) -> Option<Worth> {
        let record = &self.records.of(entrant)[round];
        if self.is_game(round, record) {
            return self.of_others(round, record).map(|hundredths| Worth { hundredths, dummy: None });
        }
        if !record.kind.is_unplayed() || self.records.rules.is_round_robin {
            return None;
        }
        let own = 10 * self.own[entrant];
        let (cap, dummy) = if record.is_forfeit() {
            (self.of_others(round, record).unwrap_or(own), Dummy::Opponent)
        } else {
            (10 * self.all_draws(), Dummy::Draws)
        };
        let dummy = if cap < own { dummy } else { Dummy::Own };
        Some(Worth { hundredths: own.min(cap), dummy: Some(dummy) })
    }

    /// The mean adjusted score of the others at a table, in hundredths, rounded down.
    fn of_others(&self, round: usize, record: &RoundRecord) -> Option<i64> {
        let (sum, count) = self
            .records
            .opponents(round, record)
            .fold((0, 0), |(sum, count), other| (sum + self.adjusted[other.index()], count + 1));
        (count > 0).then(|| 10 * sum / count)
    }

    /// A draw in every round, in tenths.
    fn all_draws(&self) -> i64 {
        let Points(draw) = self.records.rules.scoring.draw(self.records.rules.seats);
        i64::from(draw) * self.records.rounds as i64
    }
}
