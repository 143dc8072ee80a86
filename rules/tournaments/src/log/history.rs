//! The tournament as pairing systems and standings see it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use plybook_events::body::Bye as BodyBye;

use super::rounds::{ResultSource, Round, RoundStatus, Table, TableResult};
use super::tournament::Tournament;
use crate::{self as tournaments, Bracket, Bye, ByeKind, EntrantNumber, History, HistoryError, Points, Standings};

/// The entrants by starting rank, which identifies them in a [`History`].
///
/// The order is that of the seed ratings, highest first, and of entry where these are equal or missing, or of entry alone
/// if the settings say so. It is kept from
/// the draw on in formats that draw all opponents at the start, and elsewhere once round [`KEPT_FROM`] is paired
/// (C.04.2, 2.3): an entrant who comes later is placed after it, and ratings that are corrected change nothing. Before that, late
/// entrants get the rank that their rating gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// The entrant of each rank; index 0 is rank 1.
    entrants: Vec<u16>,
    /// The rank of each entrant, by its number; 0 for removed ones.
    ranks: Vec<u16>,
}

impl Ranks {
    fn new(entrants: Vec<u16>, len: usize) -> Self {
        let mut ranks = vec![0; len];
        for (rank, entrant) in (1..).zip(&entrants) {
            ranks[usize::from(*entrant) - 1] = rank;
        }
        Self { entrants, ranks }
    }

    /// The number of entrants.
    pub fn len(&self) -> usize {
        self.entrants.len()
    }

    /// Whether there are no entrants.
    pub fn is_empty(&self) -> bool {
        self.entrants.is_empty()
    }

    /// The rank of an entrant who was not removed.
    pub fn rank(&self, entrant: u16) -> EntrantNumber {
        EntrantNumber(self.ranks[usize::from(entrant) - 1])
    }

    /// The entrant with this rank.
    pub fn entrant(&self, rank: EntrantNumber) -> u16 {
        self.entrants[rank.index()]
    }

    /// The entrants in the order of their ranks.
    pub fn entrants(&self) -> &[u16] {
        &self.entrants
    }
}

/// The round whose pairing fixes the starting ranks, in formats without a draw.
///
/// # Source
/// FIDE Handbook C.04.2, 2.3 (2026): no pairing number changes after the fourth round has been paired.
pub(super) const KEPT_FROM: u32 = 4;

/// What an adjourned game counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adjourned {
    /// Nothing yet.
    Open,
    /// A draw, as for pairing the next round.
    Draw,
}

impl Tournament {
    /// The entrants by starting rank.
    pub fn ranks(&self) -> Ranks {
        let mut order = self.drawn.clone();
        let drawn: BTreeSet<u16> = self.drawn.iter().copied().collect();
        let late = self.by_seed().into_iter().filter(|entrant| !drawn.contains(entrant));
        order.extend(late);
        order.retain(|entrant| self.entrant(*entrant).is_some());
        Ranks::new(order, self.entrants.len())
    }

    pub(super) fn by_seed(&self) -> Vec<u16> {
        let mut order: Vec<_> = self.entrants().collect();
        let is_late = |from_round: u32| self.rules.is_drawn() && from_round > 1;
        let rating = |rating: Option<u16>| rating.filter(|_| !self.settings.ranked_by_entry);
        order.sort_by_key(|entrant| {
            (is_late(entrant.from_round), Reverse(rating(entrant.details.rating)), entrant.number)
        });
        order.into_iter().map(|entrant| entrant.number).collect()
    }

    /// The history that standings are computed from: everything so far.
    pub fn history(&self, ranks: &Ranks) -> History {
        self.history_of(ranks, self.rounds.len(), Adjourned::Open)
    }

    /// The history that the next round is paired from: all paired rounds, with adjourned games counted as
    /// drawn.
    pub(crate) fn history_to_pair(&self, ranks: &Ranks) -> History {
        self.history_of(ranks, self.rounds.len(), Adjourned::Draw)
    }

    fn history_of(&self, ranks: &Ranks, rounds: usize, adjourned: Adjourned) -> History {
        let entrants = ranks.entrants().iter().map(|number| {
            let entrant = &self.entrants[usize::from(*number) - 1];
            tournaments::Entrant {
                name: entrant.details.name.clone(),
                rating: entrant.details.rating,
                acceleration: Vec::new(),
                entered_after: (entrant.first_round() - 1) as u16,
                withdrew_after: entrant.withdrawn_from().map(|from| (from - 1) as u16),
            }
        });
        let rounds = self.rounds.iter().take(rounds).map(|round| self.round_of(round, ranks, adjourned));
        History {
            rounds_planned: self.rounds_planned().map(|rounds| rounds as u16),
            entrants: entrants.collect(),
            rounds: rounds.collect(),
        }
    }

    fn round_of(&self, round: &Round, ranks: &Ranks, adjourned: Adjourned) -> tournaments::Round {
        let table = |table: &Table| {
            let draw = adjourned == Adjourned::Draw && table.adjourned.is_some();
            let seats = table.seats.len();
            let drawn = || tournaments::TableResult::Played(self.rules.points(&[(1..=seats as u8).collect()], seats));
            let result = table.result.as_ref().map(|result| self.result_of(result, seats));
            tournaments::Table {
                seats: table.seats.iter().map(|entrant| ranks.rank(*entrant)).collect(),
                result: result.or_else(|| draw.then(drawn)),
            }
        };
        let bye = |entrant: u16, kind: BodyBye| {
            let kind = kind_of(kind);
            Bye { entrant: ranks.rank(entrant), kind, points: self.bye_points(kind) }
        };
        let byes = round.byes.iter().map(|given| bye(given.entrant, given.bye));
        let late = self.entrants().filter(|entrant| entrant.from_round > round.number);
        let late = late.filter_map(|entrant| {
            let (kind, points) = self.missed(entrant.points, entrant.from_round - 1, round.number)?;
            Some(Bye { entrant: ranks.rank(entrant.number), kind, points })
        });
        tournaments::Round { tables: round.tables.iter().map(table).collect(), byes: byes.chain(late).collect() }
    }

    fn result_of(&self, result: &TableResult, seats: usize) -> tournaments::TableResult {
        match result.source {
            ResultSource::Forfeit => {
                tournaments::TableResult::Forfeit(self.rules.forfeit_points(&result.ranking, seats))
            }
            _ => tournaments::TableResult::Played(self.rules.points(&result.ranking, seats)),
        }
    }

    /// The points of each seat of a table; `None` while there is no result.
    pub fn table_points(&self, table: &Table) -> Option<Vec<Points>> {
        let result = table.result.as_ref()?;
        Some(self.result_of(result, table.seats.len()).points().to_vec())
    }

    /// The points for a bye.
    pub fn bye_points(&self, kind: ByeKind) -> Points {
        self.rules.standings.scoring.bye(kind, self.rules.standings.seats)
    }

    /// What a late entrant got for one of the missed rounds, the first of which is round 1: wins as far as the points
    /// reach, then draws. `None` if there is nothing for this round.
    fn missed(&self, points: u32, missed: u32, round: u32) -> Option<(ByeKind, Points)> {
        let (win, draw) = (self.rules.most_points(), self.bye_points(ByeKind::Half));
        let (wins, rest) = (points / win.0, points % win.0);
        let index = round - 1;
        if index < wins {
            let kind = if self.bye_points(ByeKind::Full) == win { ByeKind::Full } else { ByeKind::Zero };
            return Some((kind, win));
        }
        let left = missed.saturating_sub(wins);
        match draws_in(rest, draw) {
            Some(draws) if draws <= left => (index - wins < draws).then_some((ByeKind::Half, draw)),
            _ => (index == wins).then_some((ByeKind::Zero, Points(rest))),
        }
    }

    /// Whether byes give exactly these points for so many missed rounds, so that a report file can hold them.
    pub(super) fn are_byes(&self, points: u32, missed: u32) -> bool {
        let win = self.rules.most_points();
        let draws = draws_in(points % win.0, self.bye_points(ByeKind::Half));
        draws.is_some_and(|draws| points / win.0 + draws <= missed)
    }

    /// The standings after a round; after 0 by starting rank.
    ///
    /// # Errors
    /// What is wrong with the history; this does not happen in a tournament that was folded.
    pub fn standings(&self, after_round: u32) -> Result<Standings, HistoryError> {
        let history = self.history(&self.ranks());
        self.rules.format.standings(&history, &self.rules.standings, after_round as usize)
    }

    /// The bracket of a knock-out as it stands; `None` in other formats and before there is one.
    ///
    /// # Errors
    /// What is wrong with the history; nothing is, in a tournament that was folded.
    pub fn bracket(&self) -> Result<Option<Bracket<'_>>, HistoryError> {
        let history = self.history(&self.ranks());
        self.rules.format.bracket(&history, &self.rules.standings)
    }

    /// The standings of each group after a round; empty in formats without groups.
    ///
    /// # Errors
    /// What is wrong with the history; nothing is, in a tournament that was folded.
    pub fn group_standings(&self, after_round: u32) -> Result<Vec<Standings>, HistoryError> {
        let history = self.history(&self.ranks());
        self.rules.format.group_standings(&history, &self.rules.standings, after_round as usize)
    }

    /// The last round that is closed or has a result, which standings are shown after by default; 0 if there is none.
    /// A round of byes and walkovers only is over once it is closed.
    pub fn last_played(&self) -> u32 {
        let has_result = |round: &Round| round.tables.iter().any(|table| table.result.is_some());
        let is_played = |round: &&Round| round.status == RoundStatus::Closed || has_result(round);
        self.rounds.iter().rev().find(is_played).map_or(0, |round| round.number)
    }
}

/// How many draws give these points; `None` if no number does.
fn draws_in(points: u32, draw: Points) -> Option<u32> {
    match points {
        0 => Some(0),
        points if draw > Points::ZERO && points % draw.0 == 0 => Some(points / draw.0),
        _ => None,
    }
}

/// The kind of a bye in the log, as histories have it.
pub fn kind_of(bye: BodyBye) -> ByeKind {
    match bye {
        BodyBye::Pairing => ByeKind::Pairing,
        BodyBye::Half => ByeKind::Half,
        BodyBye::Full => ByeKind::Full,
        BodyBye::Zero => ByeKind::Zero,
    }
}
