//! Buchholz, Fore Buchholz, their average, and Sonneborn-Berger: articles 8 and 9.1, with the cuts of 14
//! and 16.5.

use super::figure::{Against, Amount, Figure, How, Term};
use super::ratings::mean;
use super::record::{Records, RoundKind, RoundRecord};
use super::scores::{Scores, Worth};
use super::tie_break::{Criterion, TieBreak};
use crate::Points;

/// The figures of all entrants in `BH`, `FB` or `SB`.
pub fn figures(records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
    let is_fore = tie_break.criterion == Criterion::ForeBuchholz;
    let is_weighted = tie_break.criterion == Criterion::SonnebornBerger;
    let scores = Scores::new(records, is_fore, tie_break.counts_forfeits);
    let figure = |entrant: usize| {
        let mut terms = Vec::with_capacity(records.rounds);
        let mut is_voluntary = Vec::with_capacity(records.rounds);
        for (round, record) in records.of(entrant).iter().enumerate() {
            let Some(worth) = scores.worth(entrant, round) else { continue };
            terms.push(term(records, round, record, worth, is_weighted));
            is_voluntary.push(worth.dummy.is_some() && record.kind.is_voluntary());
        }
        cut(&mut terms, &mut is_voluntary, tie_break);
        Figure::sum(terms, Amount::Points(0))
    };
    (0..records.entrants()).map(figure).collect()
}

fn term(records: &Records<'_>, round: usize, record: &RoundRecord, worth: Worth, is_weighted: bool) -> Term {
    let against = match (worth.dummy, record.opponent, record.seat) {
        (Some(dummy), _, _) => Against::Dummy(dummy),
        (None, Some(opponent), _) => Against::Entrant(opponent),
        (None, None, Some((table, _))) => Against::Table(table + 1),
        (None, None, None) => Against::Nobody,
    };
    let value = if is_weighted { weighted(records, round, record, worth) } else { worth.hundredths };
    let (worth, value) = (Some(Amount::Points(worth.hundredths)), Amount::Points(value));
    Term { round: round as u16 + 1, against, points: record.points, worth, value, is_cut: false }
}

/// The product of the opponent's score and the result, in hundredths. At a table of more than two, every
/// other seat counts for 1 if it was beaten and for ½ if the place was shared, and the mean is taken.
fn weighted(records: &Records<'_>, round: usize, record: &RoundRecord, worth: Worth) -> i64 {
    let Points(points) = record.points;
    let seats = records.seats(round, record);
    if seats == 2 {
        return worth.hundredths * i64::from(points) / 10;
    }
    if worth.dummy.is_some() {
        let Points(win) = records.rules.scoring.win(seats);
        return worth.hundredths * i64::from(points.min(win)) / i64::from(win.max(1));
    }
    // The score is a mean over the table, so each seat's share of it is weighted by the duel with it.
    let duels = records.opponents(round, record).map(|other| duel(record.points, records.points_in(other, round)));
    let (won, count) = duels.fold((0, 0), |(won, count), half_points| (won + half_points, count + 1));
    worth.hundredths * won / (2 * count.max(1))
}

/// The result of a duel within a table, in half points: 2 for winning, 1 for sharing the place.
pub fn duel(own: Points, other: Points) -> i64 {
    match own.cmp(&other) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}

/// Marks what is cut: the least significant values first, then the most significant ones.
///
/// The least significant value is the term of the opponent with the lowest score or, among several such
/// opponents, the smallest term (14.1). If the smallest term of a voluntary unplayed round is not smaller, it
/// is cut instead (16.5).
fn cut(terms: &mut [Term], is_voluntary: &mut [bool], tie_break: &TieBreak) {
    for _ in 0..tie_break.cut_low {
        let kept = || (0..terms.len()).filter(|index| !terms[*index].is_cut);
        let Some(least) = kept().min_by_key(|index| (terms[*index].worth, terms[*index].value)) else { return };
        let voluntary = kept().filter(|index| is_voluntary[*index]);
        let voluntary = voluntary.min_by_key(|index| (terms[*index].value, terms[*index].worth));
        let cut = voluntary.filter(|index| terms[*index].value >= terms[least].value).unwrap_or(least);
        terms[cut].is_cut = true;
    }
    for _ in 0..tie_break.cut_high {
        let kept = (0..terms.len()).filter(|index| !terms[*index].is_cut);
        let Some(most) = kept.max_by_key(|index| (terms[*index].worth, terms[*index].value)) else { return };
        terms[most].is_cut = true;
    }
}

/// The figures of all entrants in `AOB`: the mean Buchholz, or Fore Buchholz, of the opponents played.
pub fn averages(records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
    let criterion = if tie_break.is_fore { Criterion::ForeBuchholz } else { Criterion::Buchholz };
    let of_all = figures(records, &TieBreak::from(criterion));
    let figure = |entrant: usize| {
        let mut terms = Vec::new();
        for (round, record) in records.of(entrant).iter().enumerate() {
            if record.kind != RoundKind::Played {
                continue;
            }
            for other in records.opponents(round, record) {
                let Some(value) = of_all[other.index()].amount else { continue };
                let (round, against) = (round as u16 + 1, Against::Entrant(other));
                terms.push(Term { round, against, points: record.points, worth: None, value, is_cut: false });
            }
        }
        Figure { amount: mean(&terms).map(Amount::Points), how: How::Mean, terms }
    };
    (0..records.entrants()).map(figure).collect()
}
