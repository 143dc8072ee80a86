//! Each entrant's opponents in each round, with the scores.

use crate::standings::Records;
use crate::{EntrantNumber, History, HistoryError, Points, RoundKind, Standings, StandingsRules};

/// The rounds of an entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The entrant.
    pub entrant: EntrantNumber,
    /// The place, from 1; `None` if the results are struck out.
    pub place: Option<u16>,
    /// The points after all these rounds.
    pub points: Points,
    /// The rounds, in order.
    pub rounds: Vec<RoundCell>,
}

/// A round of an entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundCell {
    /// What it was.
    pub kind: RoundKind,
    /// The table, from 1.
    pub table: Option<u16>,
    /// The seat, from 1.
    pub seat: Option<u8>,
    /// The others at the table, in the order of their seats.
    pub others: Vec<EntrantNumber>,
    /// The points for the round; `None` while they are not known.
    pub points: Points,
    /// The points after the round.
    pub score: Points,
}

/// The progress table for the rounds of these standings, in their order.
///
/// # Errors
/// What is wrong with the history.
pub fn progress(
    history: &History,
    rules: &StandingsRules,
    standings: &Standings,
) -> Result<Vec<Progress>, HistoryError> {
    history.check()?;
    let records = Records::new(history, rules, standings.round.min(history.rounds.len()));
    let row = |row: &crate::Standing| {
        let mut score = Points::ZERO;
        let rounds = records.of(row.entrant.index()).iter().enumerate().map(|(round, record)| {
            score += record.points;
            RoundCell {
                kind: record.kind,
                table: record.seat.map(|(table, _)| table + 1),
                seat: record.seat.map(|(_, seat)| seat + 1),
                others: records.others(round, record).collect(),
                points: record.points,
                score,
            }
        });
        Progress { entrant: row.entrant, place: row.place, rounds: rounds.collect(), points: row.points }
    };
    Ok(standings.rows.iter().map(row).collect())
}
