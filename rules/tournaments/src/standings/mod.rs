//! Standings: points, tie-breaks and places, after any round.

mod buchholz;
mod counts;
mod encounter;
mod figure;
mod ratings;
mod record;
mod scores;
mod tie_break;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

pub use figure::{Against, Amount, Figure, How, Term};
pub use scores::Dummy;
pub use tie_break::{Criterion, Limit, Suitability, TieBreak, TieBreakError};

use crate::{EntrantNumber, History, HistoryError, Points, Reached, Scoring};
use record::Records;
pub(crate) use record::struck;

/// How a tournament is scored and ranked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingsRules {
    /// What tables and byes give.
    pub scoring: Scoring,
    /// The number of seats at a usual table.
    pub seats: u8,
    /// Whether everybody meets everybody: forfeits are then games like others (C.07, 15), and the results
    /// of those who leave before having played half of their games are struck out.
    pub is_round_robin: bool,
    /// What separates entrants with the same points, in this order.
    pub tie_breaks: Vec<TieBreak>,
    /// The seats that win and lose together, and so are no opponents: teams of two or more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub teams: Vec<Vec<u8>>,
}

impl StandingsRules {
    /// The opponents of a seat at a table, in the order of their seats: all others but partners.
    pub(crate) fn opponents<'a, T: Copy>(&'a self, seat: u8, seats: &'a [T]) -> impl Iterator<Item = T> {
        let are_partners = move |other| self.teams.iter().any(|team| team.contains(&seat) && team.contains(&other));
        let others = (1..).zip(seats).filter(move |(other, _)| *other != seat && !are_partners(*other));
        others.map(|(_, entrant)| *entrant)
    }

    /// Whether some seats of a team are in a group, and others at the same table of so many seats are not.
    pub(crate) fn is_divided(&self, group: &[u8], seats: u8) -> bool {
        let divides = |team: &Vec<u8>| {
            let mut are_in = team.iter().filter(|seat| **seat <= seats).map(|seat| group.contains(seat));
            let first = are_in.next();
            are_in.any(|is_in| Some(is_in) != first)
        };
        self.teams.iter().any(divides)
    }
}

/// The standings after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// The number of rounds that the standings cover.
    pub round: usize,
    /// The tie-breaks, in the order in which they were applied.
    pub columns: Vec<Column>,
    /// The entrants, best first; among those who share a place, the lower number first. Those whose results
    /// are struck out come last.
    pub rows: Vec<Standing>,
}

/// A tie-break of the standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The tie-break.
    pub tie_break: TieBreak,
    /// How many entrants have no rating, if that is why it was dropped (C.07, 10).
    pub dropped: Option<usize>,
}

/// Where an entrant stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The entrant.
    pub entrant: EntrantNumber,
    /// The place, from 1, which others may share; `None` if the results are struck out.
    pub place: Option<u16>,
    /// The points.
    pub points: Points,
    /// How far the entrant has come, in formats where that decides.
    pub reached: Option<Reached>,
    /// The figures, one per column. Direct encounter has none for entrants who are not tied.
    pub figures: Vec<Figure>,
}

impl Standings {
    /// The standings after the first `rounds` rounds of a tournament, or after all if there are fewer.
    /// Entrants who withdrew before the first round or entered later are left out.
    ///
    /// # Errors
    /// The first thing that is wrong with the history.
    pub fn after(history: &History, rules: &StandingsRules, rounds: usize) -> Result<Self, HistoryError> {
        Self::by_reached(history, rules, rounds, None)
    }

    /// The standings by how far everybody has come, if that is given; entrants who are equal in this are
    /// separated by tie-breaks, not by points.
    pub(crate) fn by_reached(
        history: &History,
        rules: &StandingsRules,
        rounds: usize,
        reached: Option<&[Option<Reached>]>,
    ) -> Result<Self, HistoryError> {
        history.check()?;
        let records = Records::new(history, rules, rounds.min(history.rounds.len()));
        Ok(Self::of(&records, reached))
    }

    fn of(records: &Records<'_>, reached: Option<&[Option<Reached>]>) -> Self {
        let history = records.history;
        let is_there = |entrant: &usize| {
            let facts = &history.entrants[*entrant];
            facts.withdrew_after != Some(0) && usize::from(facts.entered_after) <= records.rounds
        };
        let (struck, ranked): (Vec<usize>, Vec<usize>) =
            (0..records.entrants()).filter(is_there).partition(|entrant| records.struck[*entrant]);
        let mut ranking = match reached {
            None => Ranking::new(ranked, records.entrants(), |entrant| Reverse(records.points[entrant])),
            // Entrants who are not in the bracket come last.
            Some(reached) => {
                Ranking::new(ranked, records.entrants(), |entrant| (reached[entrant].is_none(), reached[entrant]))
            }
        };

        let mut columns = Vec::with_capacity(records.rules.tie_breaks.len());
        let mut figures: Vec<Vec<Figure>> = vec![Vec::with_capacity(columns.capacity()); records.entrants()];
        for tie_break in &records.rules.tie_breaks {
            for (entrant, figure) in ranking.apply(records, tie_break).into_iter().enumerate() {
                figures[entrant].push(figure);
            }
            columns.push(Column { tie_break: *tie_break, dropped: dropped(records, tie_break) });
        }
        let places = ranking.order.iter().map(|entrant| Some(ranking.places[*entrant]));
        let rows = ranking.order.iter().zip(places).chain(struck.iter().map(|entrant| (entrant, None)));
        let rows = rows.map(|(entrant, place)| Standing {
            entrant: EntrantNumber::from_index(*entrant),
            place,
            points: records.points[*entrant],
            reached: reached.and_then(|reached| reached[*entrant]),
            figures: std::mem::take(&mut figures[*entrant]),
        });
        Self { round: records.rounds, columns, rows: rows.collect() }
    }
}

/// The number of entrants without a rating, if a tie-break needs all ratings.
fn dropped(records: &Records<'_>, tie_break: &TieBreak) -> Option<usize> {
    let is_dropped = tie_break.criterion.needs_ratings() && ratings::ratings(records, tie_break).is_none();
    let unrated = records.history.entrants.iter().filter(|entrant| entrant.rating.is_none()).count();
    is_dropped.then_some(unrated)
}

/// Entrants in order, with ties that are still open.
struct Ranking {
    /// The indices of the entrants, best first; among the tied, the lower number first.
    order: Vec<usize>,
    /// For each entrant, the place, which all tied entrants share.
    places: Vec<u16>,
}

impl Ranking {
    /// Everybody, ordered by what comes first.
    fn new<K: Ord>(mut order: Vec<usize>, entrants: usize, key: impl Fn(usize) -> K) -> Self {
        order.sort_by_key(|entrant| (key(*entrant), *entrant));
        let mut ranking = Self { order, places: vec![1; entrants] };
        ranking.split(0..ranking.order.len(), key);
        ranking
    }

    /// Ranks the tied by a tie-break; returns the figures of all entrants.
    fn apply(&mut self, records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
        let mut figures = figures(records, tie_break);
        let groups: Vec<Vec<usize>> =
            self.order.chunk_by(|a, b| self.places[*a] == self.places[*b]).map(<[usize]>::to_vec).collect();
        let mut start = 0;
        for group in groups {
            let range = start..start + group.len();
            start = range.end;
            if group.len() > 1 {
                if tie_break.criterion == Criterion::DirectEncounter {
                    for (entrant, figure) in group.iter().zip(encounter::figures(records, tie_break, &group)) {
                        figures[*entrant] = figure;
                    }
                }
                let key = |entrant: usize| figures[entrant].amount.map(|amount| rank_key(amount, tie_break));
                self.order[range.clone()].sort_by_key(|entrant| (key(*entrant).is_none(), key(*entrant), *entrant));
                self.split(range, key);
            }
        }
        figures
    }

    /// Gives places to a range of the order that was tied and is sorted by this key.
    fn split<K: PartialEq>(&mut self, range: std::ops::Range<usize>, key: impl Fn(usize) -> K) {
        let mut place = range.start as u16 + 1;
        for at in range.clone() {
            if at > range.start && key(self.order[at]) != key(self.order[at - 1]) {
                place = at as u16 + 1;
            }
            self.places[self.order[at]] = place;
        }
    }
}

/// Amounts in the order of the places that they give.
fn rank_key(amount: Amount, tie_break: &TieBreak) -> i64 {
    if tie_break.is_higher_better() { -amount.number() } else { amount.number() }
}

/// The figures of all entrants; those of direct encounter depend on who is tied, and are left undefined here.
fn figures(records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
    match tie_break.criterion {
        Criterion::DirectEncounter => vec![Figure::fact(None); records.entrants()],
        Criterion::Wins
        | Criterion::GamesWon
        | Criterion::SecondSeatGames
        | Criterion::SecondSeatWins
        | Criterion::RoundsElected
        | Criterion::StandardPoints => counts::figures(records, tie_break.criterion),
        Criterion::Progressive => counts::progressive(records, tie_break),
        Criterion::Koya => counts::koya(records, tie_break),
        Criterion::Number => counts::numbers(records),
        Criterion::Buchholz | Criterion::ForeBuchholz | Criterion::SonnebornBerger => {
            buchholz::figures(records, tie_break)
        }
        Criterion::AverageBuchholz => buchholz::averages(records, tie_break),
        Criterion::AverageRating
        | Criterion::Performance
        | Criterion::PerfectPerformance
        | Criterion::AveragePerformance
        | Criterion::AveragePerfectPerformance
        | Criterion::Rating => ratings::figures(records, tie_break),
    }
}
