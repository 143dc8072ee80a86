//! What every entrant did in every round, in the form that tie-breaks need.

use crate::standings::StandingsRules;
use crate::{ByeKind, EntrantNumber, History, Points, TableResult};

/// What a round was for an entrant, according to articles 16.1 and 16.2 of C.07.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundKind {
    /// A game was played.
    Played,
    /// A game is paired but its result is not known: it does not count yet.
    Pending,
    /// A game was won, or not lost, without play (16.2.2).
    ForfeitWin,
    /// A game was lost without play (16.2.4).
    ForfeitLoss,
    /// A bye allocated by the pairing, or a full-point bye given by the organiser (16.2.1).
    Bye,
    /// A half-point or zero-point bye, or simply absence (16.2.3, 16.2.5).
    Requested,
    /// The table does not count: an opponent's results are struck out of a round robin.
    Struck,
}

impl RoundKind {
    /// Whether it is a voluntary unplayed round (16.1.2).
    pub fn is_voluntary(self) -> bool {
        matches!(self, Self::ForfeitLoss | Self::Requested)
    }

    /// Whether it can no longer be played.
    pub fn is_unplayed(self) -> bool {
        !matches!(self, Self::Played | Self::Pending | Self::Struck)
    }
}

/// A round of an entrant.
#[derive(Clone, Copy, Debug)]
pub struct RoundRecord {
    /// What it was.
    pub kind: RoundKind,
    /// The points it gave.
    pub points: Points,
    /// The index of the table in the round and of the seat at the table, if there was one.
    pub seat: Option<(u16, u8)>,
    /// The only opponent, at a table of two.
    pub opponent: Option<EntrantNumber>,
}

impl RoundRecord {
    const ABSENT: Self = Self { kind: RoundKind::Requested, points: Points::ZERO, seat: None, opponent: None };

    /// Whether the entrant sat at a table with others, whatever the result.
    pub fn has_table(&self) -> bool {
        self.seat.is_some() && self.kind != RoundKind::Struck
    }

    /// Whether a game was lost or won without play.
    pub fn is_forfeit(&self) -> bool {
        matches!(self.kind, RoundKind::ForfeitWin | RoundKind::ForfeitLoss)
    }
}

/// All rounds of all entrants, up to the round that the standings are made for.
pub struct Records<'a> {
    /// The history.
    pub history: &'a History,
    /// How the tournament is scored and ranked.
    pub rules: &'a StandingsRules,
    /// The number of rounds that count.
    pub rounds: usize,
    /// For each entrant, `rounds` records.
    all: Vec<RoundRecord>,
    /// For each entrant, whether the results are struck out.
    pub struck: Vec<bool>,
    /// For each entrant, the points.
    pub points: Vec<Points>,
}

impl<'a> Records<'a> {
    /// The records of the first `rounds` rounds.
    pub fn new(history: &'a History, rules: &'a StandingsRules, rounds: usize) -> Self {
        let entrants = history.entrants.len();
        let struck = if rules.is_round_robin { struck(history, rounds) } else { vec![false; entrants] };
        let mut records = vec![RoundRecord::ABSENT; entrants * rounds];
        for (round_index, round) in history.rounds[..rounds].iter().enumerate() {
            for (table_index, table) in round.tables.iter().enumerate() {
                let counts = table.seats.iter().filter(|entrant| struck[entrant.index()]).count() == 0;
                for (seat, entrant) in table.seats.iter().enumerate() {
                    let (kind, points) = outcome(table.result.as_ref(), seat, rules);
                    let opponent =
                        rules.opponents(seat as u8 + 1, &table.seats).next().filter(|_| table.seats.len() == 2);
                    let (kind, points) = if counts { (kind, points) } else { (RoundKind::Struck, Points::ZERO) };
                    let seat = Some((table_index as u16, seat as u8));
                    records[entrant.index() * rounds + round_index] = RoundRecord { kind, points, seat, opponent };
                }
            }
            for bye in &round.byes {
                let kind = match bye.kind {
                    ByeKind::Pairing | ByeKind::Full => RoundKind::Bye,
                    ByeKind::Half | ByeKind::Zero => RoundKind::Requested,
                };
                let record = RoundRecord { kind, points: bye.points, seat: None, opponent: None };
                records[bye.entrant.index() * rounds + round_index] = record;
            }
        }
        let sum = |entrant: usize| records[entrant * rounds..][..rounds].iter().map(|record| record.points).sum();
        let points = (0..entrants).map(sum).collect();
        Self { history, rules, rounds, all: records, struck, points }
    }

    /// How many entrants there are.
    pub fn entrants(&self) -> usize {
        self.history.entrants.len()
    }

    /// The rounds of an entrant, the first one first.
    pub fn of(&self, entrant: usize) -> &[RoundRecord] {
        &self.all[entrant * self.rounds..][..self.rounds]
    }

    /// The opponents at the table of a record, in the order of their seats.
    pub fn opponents(&self, round: usize, record: &RoundRecord) -> impl Iterator<Item = EntrantNumber> + use<'_> {
        let table = record.seat.map(|(table, seat)| (&self.history.rounds[round].tables[usize::from(table)], seat + 1));
        table.into_iter().flat_map(move |(table, seat)| self.rules.opponents(seat, &table.seats))
    }

    /// The points that another entrant got in a round.
    pub fn points_in(&self, entrant: EntrantNumber, round: usize) -> Points {
        self.of(entrant.index())[round].points
    }

    /// The number of seats at the table of a record, or of a usual table if there is none.
    pub fn seats(&self, round: usize, record: &RoundRecord) -> u8 {
        record.seat.map_or(self.rules.seats, |(table, _)| {
            self.history.rounds[round].tables[usize::from(table)].seats.len() as u8
        })
    }
}

/// What a table's result means for one seat.
fn outcome(result: Option<&TableResult>, seat: usize, rules: &StandingsRules) -> (RoundKind, Points) {
    match result {
        None => (RoundKind::Pending, Points::ZERO),
        Some(TableResult::Played(points)) => (RoundKind::Played, points[seat]),
        Some(TableResult::Forfeit(points)) => {
            let is_loss = points[seat] <= rules.scoring.loss(points.len() as u8);
            (if is_loss { RoundKind::ForfeitLoss } else { RoundKind::ForfeitWin }, points[seat])
        }
    }
}

/// The entrants whose results do not count in a round robin.
pub fn struck(history: &History, rounds: usize) -> Vec<bool> {
    let starters = history.starters().count();
    let planned = history.rounds_planned.map_or(rounds, usize::from);
    // With an odd number of entrants, everybody sits out once in as many rounds as there are entrants.
    let sat_out = if starters % 2 == 1 { planned / starters } else { 0 };
    let left_by = |after: u16| usize::from(after) <= rounds;
    let is_struck = |entrant: usize| {
        let has_left = history.entrants[entrant].withdrew_after.is_some_and(left_by);
        has_left && 2 * history.played(EntrantNumber::from_index(entrant), rounds) < planned - sat_out
    };
    (0..history.entrants.len()).map(is_struck).collect()
}
