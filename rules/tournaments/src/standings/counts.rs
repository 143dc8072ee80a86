//! Tie-breaks that count an entrant's own rounds and points: article 7, and Koya (9.2).

use super::figure::{Against, Amount, Figure, Term};
use super::record::{Records, RoundKind, RoundRecord};
use super::tie_break::{Criterion, TieBreak};
use crate::{EntrantNumber, Points};

/// The figures of all entrants in a tie-break that counts rounds.
pub fn figures(records: &Records<'_>, criterion: Criterion) -> Vec<Figure> {
    let figure = |entrant: usize| {
        let terms = records.of(entrant).iter().enumerate().filter_map(|(round, record)| {
            let value = count(records, round, record, criterion)?;
            let (round, against) = (round as u16 + 1, against(record));
            Some(Term { round, against, points: record.points, worth: None, value, is_cut: false })
        });
        let is_points = criterion == Criterion::StandardPoints;
        Figure::sum(terms.collect(), if is_points { Amount::Points(0) } else { Amount::Whole(0) })
    };
    (0..records.entrants()).map(figure).collect()
}

fn against(record: &RoundRecord) -> Against {
    match (record.opponent, record.seat) {
        (Some(opponent), _) => Against::Entrant(opponent),
        (None, Some((table, _))) => Against::Table(table + 1),
        (None, None) => Against::Nobody,
    }
}

/// What a round counts; `None` if it counts for nothing.
fn count(records: &Records<'_>, round: usize, record: &RoundRecord, criterion: Criterion) -> Option<Amount> {
    if matches!(record.kind, RoundKind::Pending | RoundKind::Struck) {
        return None;
    }
    // In a round robin, a win by forfeit is a game like any other; a loss by forfeit is not (15.2).
    let is_forfeit_win = record.kind == RoundKind::ForfeitWin;
    let is_played = record.kind == RoundKind::Played || (records.rules.is_round_robin && is_forfeit_win);
    let is_won = record.points >= records.rules.scoring.win(records.seats(round, record));
    let is_second = record.seat.is_some_and(|(_, seat)| seat == 1);
    let counts = match criterion {
        Criterion::Wins => is_won,
        Criterion::GamesWon => is_won && is_played,
        Criterion::SecondSeatGames => is_second && is_played,
        Criterion::SecondSeatWins => is_second && is_played && is_won,
        Criterion::RoundsElected => !record.kind.is_voluntary(),
        Criterion::StandardPoints => return standard_points(records, round, record),
        _ => false,
    };
    counts.then_some(Amount::Whole(1))
}

/// 1 for more points than the opponent or, without play, than for a draw; ½ for as many (7.7).
fn standard_points(records: &Records<'_>, round: usize, record: &RoundRecord) -> Option<Amount> {
    let is_game = record.kind == RoundKind::Played;
    let other = match record.opponent {
        Some(opponent) if is_game => records.points_in(opponent, round),
        _ => records.rules.scoring.draw(records.seats(round, record)),
    };
    match record.points.cmp(&other) {
        std::cmp::Ordering::Less => None,
        std::cmp::Ordering::Equal => Some(Amount::Points(50)),
        std::cmp::Ordering::Greater => Some(Amount::Points(100)),
    }
}

/// The figures of all entrants in `PS`: the sum of the scores after each round, without the first ones that
/// are cut.
pub fn progressive(records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
    let figure = |entrant: usize| {
        let mut score = Points::ZERO;
        let terms = records.of(entrant).iter().enumerate().map(|(round, record)| {
            score += record.points;
            let is_cut = round < usize::from(tie_break.cut_low);
            let (round, value) = (round as u16 + 1, Amount::from(score));
            Term { round, against: Against::Nobody, points: record.points, worth: None, value, is_cut }
        });
        Figure::sum(terms.collect(), Amount::Points(0))
    };
    (0..records.entrants()).map(figure).collect()
}

/// The figures of all entrants in `KS`: the points against opponents with at least half of the possible
/// points.
pub fn koya(records: &Records<'_>, tie_break: &TieBreak) -> Vec<Figure> {
    let least = tie_break.limit.least(most_points(records));
    let figure = |entrant: usize| {
        let terms = records.of(entrant).iter().enumerate().filter_map(|(round, record)| {
            let opponent = record.opponent.filter(|_| record.has_table() && record.kind != RoundKind::Pending)?;
            let score = records.points[opponent.index()];
            Some(Term {
                round: round as u16 + 1,
                against: Against::Entrant(opponent),
                points: record.points,
                worth: Some(score.into()),
                value: record.points.into(),
                is_cut: score < least,
            })
        });
        Figure::sum(terms.collect(), Amount::Points(0))
    };
    (0..records.entrants()).map(figure).collect()
}

/// The most points that an entrant can have: in a round robin, a win in each game that somebody had;
/// otherwise, a win in each round.
fn most_points(records: &Records<'_>) -> Points {
    let games = |entrant: usize| records.of(entrant).iter().filter(|record| record.has_table()).count();
    let rounds = if records.rules.is_round_robin {
        (0..records.entrants()).map(games).max().unwrap_or(0)
    } else {
        records.rounds
    };
    Points(records.rules.scoring.win(records.rules.seats).0 * rounds as u32)
}

/// The figures of all entrants in `TPN`.
pub fn numbers(records: &Records<'_>) -> Vec<Figure> {
    let number = |entrant: usize| Amount::Whole(i64::from(EntrantNumber::from_index(entrant).0));
    (0..records.entrants()).map(|entrant| Figure::fact(Some(number(entrant)))).collect()
}
