//! Tie-breaks that compare ratings: article 10, with the tables of the FIDE rating regulations B.02, 8.1.

use super::figure::{Against, Amount, Figure, How, Term};
use super::record::{Records, RoundKind};
use super::tie_break::{Criterion, TieBreak};
use crate::{Points, Scoring};

/// The rating difference for a share of the points: index 0 is 50 %, index 50 is 100 %.
///
/// # Source
/// FIDE Handbook B.02, 8.1.1.
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
];

/// The largest rating differences at which the stronger player is expected to score 50 %, 51 % and so on;
/// above the last one it is 100 %.
///
/// # Source
/// FIDE Handbook B.02, 8.1.2.
const EXPECTED: [i64; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
];

/// The figures of all entrants in a tie-break that compares ratings. If somebody has no rating and the
/// tie-break does not say which rating to assume, nobody has a figure.
pub fn figures(records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
    let Some(ratings) = ratings(records, tie_break) else {
        return vec![Figure::fact(None); records.entrants()];
    };
    let entrants = 0..records.entrants();
    let own = |how: fn(Vec<Term>, &[i64]) -> Figure| -> Vec<Figure> {
        let scale = &records.rules.scoring;
        entrants
            .clone()
            .map(|entrant| how(games(records, entrant, &ratings), &results(records, entrant, scale)))
            .collect()
    };
    match tie_break.criterion {
        Criterion::AverageRating => {
            entrants.map(|entrant| average(games(records, entrant, &ratings), tie_break)).collect()
        }
        Criterion::Performance => own(performance),
        Criterion::PerfectPerformance => own(perfect),
        Criterion::AveragePerformance => of_opponents(records, &ratings, &own(performance)),
        Criterion::AveragePerfectPerformance => of_opponents(records, &ratings, &own(perfect)),
        _ => ratings.into_iter().map(|rating| Figure::fact(Some(Amount::Whole(rating)))).collect(),
    }
}

/// Everybody's rating, if everybody has one or the tie-break says which rating to assume.
pub fn ratings(records: &Records<'_>, tie_break: &TieBreak) -> Option<Vec<i64>> {
    let entrants = records.history.entrants.iter();
    entrants.map(|entrant| entrant.rating.or(tie_break.unrated).map(i64::from)).collect()
}

/// A term for each opponent played, with the rating.
fn games(records: &Records<'_>, entrant: usize, ratings: &[i64]) -> Vec<Term> {
    let mut terms = Vec::with_capacity(records.rounds);
    for (round, record) in records.of(entrant).iter().enumerate() {
        if record.kind == RoundKind::Played {
            for other in records.opponents(round, record) {
                let (round, against, value) =
                    (round as u16 + 1, Against::Entrant(other), Amount::Whole(ratings[other.index()]));
                terms.push(Term { round, against, points: record.points, worth: None, value, is_cut: false });
            }
        }
    }
    terms
}

/// The results of the games played, in hundredths of a game, regardless of the scoring.
fn results(records: &Records<'_>, entrant: usize, scoring: &Scoring) -> Vec<i64> {
    let played =
        records.of(entrant).iter().filter(|record| record.kind == RoundKind::Played && record.opponent.is_some());
    played.map(|record| result(record.points, scoring)).collect()
}

fn result(points: Points, scoring: &Scoring) -> i64 {
    if points >= scoring.win(2) {
        100
    } else if points >= scoring.draw(2) && points > scoring.loss(2) {
        50
    } else {
        0
    }
}

/// The mean of the terms that are not cut, rounded half up; `None` if there are none.
pub fn mean(terms: &[Term]) -> Option<i64> {
    let kept = terms.iter().filter(|term| !term.is_cut).map(|term| term.value.number());
    let (sum, count) = kept.fold((0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| rounded(sum, count))
}

/// A quotient, rounded half up.
fn rounded(dividend: i64, divisor: i64) -> i64 {
    (2 * dividend + divisor).div_euclid(2 * divisor)
}

/// `ARO`: the mean of the ratings, without the lowest and highest ones that are cut.
fn average(mut terms: Vec<Term>, tie_break: &TieBreak) -> Figure {
    for _ in 0..tie_break.cut_low {
        if let Some(lowest) = terms.iter_mut().filter(|term| !term.is_cut).min_by_key(|term| term.value) {
            lowest.is_cut = true;
        }
    }
    for _ in 0..tie_break.cut_high {
        if let Some(highest) = terms.iter_mut().filter(|term| !term.is_cut).max_by_key(|term| term.value) {
            highest.is_cut = true;
        }
    }
    Figure { amount: mean(&terms).map(Amount::Whole), how: How::Mean, terms }
}

/// `TPR`: the mean of the ratings plus the difference for the share of the points.
fn performance(terms: Vec<Term>, results: &[i64]) -> Figure {
    let Some(mean) = mean(&terms) else { return Figure { amount: None, how: How::Mean, terms } };
    let share = rounded(results.iter().sum(), results.len() as i64);
    let difference = (share - 50).signum() * DIFFERENCES[(share - 50).unsigned_abs() as usize];
    Figure { amount: Some(Amount::Whole(mean + difference)), how: How::Performance { share, difference }, terms }
}

/// `PTP`: the lowest rating at which at least the points scored are to be expected. An entrant without points
/// gets 800 less than the weakest opponent.
fn perfect(terms: Vec<Term>, results: &[i64]) -> Figure {
    let score: i64 = results.iter().sum();
    let ratings: Vec<i64> = terms.iter().map(|term| term.value.number()).collect();
    let how = How::Expected { score };
    let (Some(weakest), Some(strongest)) = (ratings.iter().min(), ratings.iter().max()) else {
        return Figure { amount: None, how, terms };
    };
    if score == 0 {
        return Figure { amount: Some(Amount::Whole(weakest - 800)), how, terms };
    }
    // At the first rating nothing is expected, at the second one everything.
    let (mut too_low, mut enough) = (weakest - 736, strongest + 736);
    while enough - too_low > 1 {
        let middle = i64::midpoint(too_low, enough);
        let is_enough = ratings.iter().map(|rating| expected(middle - rating)).sum::<i64>() >= score;
        if is_enough { enough = middle } else { too_low = middle }
    }
    Figure { amount: Some(Amount::Whole(enough)), how, terms }
}

/// The expected score of a game at this rating difference, in hundredths of a game.
fn expected(difference: i64) -> i64 {
    let above = 50 + EXPECTED.iter().take_while(|most| **most < difference.abs()).count() as i64;
    if difference < 0 { 100 - above } else { above }
}

/// `APRO` and `APPO`: the mean of the opponents' own figures.
fn of_opponents(records: &Records<'_>, ratings: &[i64], own: &[Figure]) -> Vec<Figure> {
    let figure = |entrant: usize| {
        let mut terms = games(records, entrant, ratings);
        terms.retain_mut(|term| {
            let Against::Entrant(opponent) = term.against else { return false };
            own[opponent.index()].amount.map(|amount| term.value = amount).is_some()
        });
        Figure { amount: mean(&terms).map(Amount::Whole), how: How::Mean, terms }
    };
    (0..records.entrants()).map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_mirror_each_other() {
        // A difference that stands for a share of the points is expected to give that share, up to the last
        // rows, where the steps are wide.
        for (index, difference) in DIFFERENCES.iter().enumerate() {
            let share = 50 + index as i64;
            assert!((expected(*difference) - share).abs() <= 1, "{share} % at {difference}");
        }
        assert_eq!([expected(0), expected(4), expected(-4), expected(735), expected(736)], [50, 51, 49, 99, 100]);
        assert_eq!(expected(-800), 0);
    }

    #[test]
    fn halves_are_rounded_up() {
        assert_eq!([rounded(7550, 4), rounded(7549, 4), rounded(-5, 2)], [1888, 1887, -2]);
    }
}
