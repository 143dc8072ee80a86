//! What each entrant did in each round.

use plybook_events::body::Bye;

use super::history::kind_of;
use super::rounds::{ResultSource, Round, Table};
use super::tournament::Tournament;
use crate::Points;

/// What an entrant did in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The round, from 1.
    pub round: u32,
    /// The table and the seat there, from 1; `None` for an entrant who was not paired.
    pub place: Option<(u32, u8)>,
    /// The others at the table, by seat, without partners.
    pub opponents: Vec<u16>,
    /// The result; `None` while there is none, and for an entrant who was not paired.
    pub end: Option<End>,
    /// Whether it was decided without play.
    pub is_forfeit: bool,
    /// Whether it does not count, because one of those at the table left a round robin early.
    pub is_struck: bool,
    /// The bye of an entrant who was not paired; `None` for one who was absent or had not entered yet.
    pub bye: Option<Bye>,
    /// The points; `None` while there is no result.
    pub points: Option<Points>,
    /// The points up to this round.
    pub score: Points,
}

/// The result of a game for an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Ranked before others, and behind nobody.
    Win,
    /// Ranked like everybody else.
    Draw,
    /// Ranked behind others.
    Loss,
}

impl Tournament {
    /// What each entrant did in the rounds up to this one; index 0 is number 1, and the entries of removed
    /// entrants are empty.
    pub fn cards(&self, up_to_round: u32) -> Vec<Vec<Cell>> {
        let ranks = self.ranks();
        let history = self.history(&ranks);
        let struck = self.rules.format.struck(&history, up_to_round as usize);
        let mut cards: Vec<Vec<Cell>> = vec![Vec::new(); self.entrants.len()];
        for (round, played) in self.rounds.iter().zip(&history.rounds).take(up_to_round as usize) {
            for card in &mut cards {
                let score = card.last().map_or(Points::ZERO, |cell: &Cell| cell.score);
                card.push(Cell::nothing(round.number, score));
            }
            for (number, table) in (1..).zip(&round.tables) {
                let points = self.table_points(table);
                let is_struck = self.rules.format.is_round_robin(&history, round.number as usize)
                    && table.seats.iter().any(|entrant| struck[ranks.rank(*entrant).index()]);
                for (seat, entrant) in (1_u8..).zip(&table.seats) {
                    let cell = cards[usize::from(*entrant) - 1].last_mut().expect("a cell was pushed");
                    cell.fill(number, seat, table, points.as_deref());
                    cell.opponents = self.rules.standings.opponents(seat, &table.seats).collect();
                    if is_struck {
                        cell.strike();
                    }
                }
            }
            for bye in &played.byes {
                let entrant = ranks.entrant(bye.entrant);
                let cell = cards[usize::from(entrant) - 1].last_mut().expect("a cell was pushed");
                cell.points = Some(bye.points);
                cell.score += bye.points;
                cell.bye = bye_of(round, entrant);
            }
        }
        for entrant in self.entrants.iter().filter(|entrant| entrant.is_removed) {
            cards[usize::from(entrant.number) - 1].clear();
        }
        cards
    }

    /// What a bye of this kind gives.
    pub fn points_of_bye(&self, bye: Bye) -> Points {
        self.bye_points(kind_of(bye))
    }
}

fn bye_of(round: &Round, entrant: u16) -> Option<Bye> {
    round.byes.iter().find(|bye| bye.entrant == entrant).map(|bye| bye.bye)
}

impl Cell {
    fn nothing(round: u32, score: Points) -> Self {
        let (place, opponents, end, bye) = (None, Vec::new(), None, None);
        let (is_forfeit, is_struck) = (false, false);
        Self { round, place, opponents, end, is_forfeit, is_struck, bye, points: Some(Points::ZERO), score }
    }

    /// Takes away what the table gave. The result stays, to be shown as one that does not count.
    fn strike(&mut self) {
        let given = self.points.replace(Points::ZERO).unwrap_or_default();
        self.score = Points(self.score.0 - given.0);
        self.is_struck = true;
    }

    fn fill(&mut self, number: u32, seat: u8, table: &Table, points: Option<&[Points]>) {
        self.place = Some((number, seat));
        self.points = points.map(|points| points[usize::from(seat) - 1]);
        self.score += self.points.unwrap_or_default();
        let Some(result) = &table.result else { return };
        self.is_forfeit = result.source == ResultSource::Forfeit;
        let is_first = result.ranking.first().is_some_and(|first| first.contains(&seat));
        let is_shared_by_all = result.ranking.first().is_some_and(|first| first.len() == table.seats.len());
        self.end = Some(match (is_first, is_shared_by_all) {
            (true, true) => End::Draw,
            (true, false) => End::Win,
            (false, _) => End::Loss,
        });
    }
}
