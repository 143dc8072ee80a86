//! What everybody scored against everybody else.

use crate::{EntrantNumber, History, Points, Standings, StandingsRules, TableResult};

/// The most entrants for which a crosstable should be made: its size grows with the square of their number.
pub const CROSSTABLE_MAX: usize = 500;

/// What everybody scored against everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crosstable {
    /// The entrants, in the order of the standings, as rows and as columns.
    pub entrants: Vec<EntrantNumber>,
    /// For each row, the games against each column, in order; none against oneself.
    pub cells: Vec<Vec<Vec<Meeting>>>,
}

/// A game, from the point of view of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The round, from 1.
    pub round: u16,
    /// The entrant's seat, from 1.
    pub seat: u8,
    /// The entrant's points; `None` while they are not known.
    pub points: Option<Points>,
    /// Whether it was decided without play.
    pub is_forfeit: bool,
    /// Whether it does not count: the results of one of them are struck out.
    pub is_struck: bool,
}

impl Crosstable {
    /// The crosstable for the rounds of these standings, in their order.
    pub fn new(history: &History, rules: &StandingsRules, standings: &Standings) -> Self {
        let entrants: Vec<EntrantNumber> = standings.rows.iter().map(|row| row.entrant).collect();
        let mut at = vec![None; history.entrants.len()];
        for (row, entrant) in entrants.iter().enumerate() {
            at[entrant.index()] = Some(row);
        }
        let mut struck = vec![false; history.entrants.len()];
        for row in standings.rows.iter().filter(|row| row.place.is_none()) {
            struck[row.entrant.index()] = true;
        }
        let mut cells = vec![vec![Vec::new(); entrants.len()]; entrants.len()];
        for (round, of) in (1..).zip(history.rounds.iter().take(standings.round)) {
            for table in &of.tables {
                let is_struck = table.seats.iter().any(|seat| struck[seat.index()]);
                for (seat, one) in (1..).zip(&table.seats) {
                    let meeting = Meeting {
                        round,
                        seat,
                        points: table.result.as_ref().map(|result| result.points()[usize::from(seat) - 1]),
                        is_forfeit: matches!(table.result, Some(TableResult::Forfeit(_))),
                        is_struck,
                    };
                    for other in rules.opponents(seat, &table.seats) {
                        if let (Some(row), Some(column)) = (at[one.index()], at[other.index()]) {
                            cells[row][column].push(meeting);
                        }
                    }
                }
            }
        }
        Self { entrants, cells }
    }
}
