//! Direct encounter: article 6.

use super::buchholz::duel;
use super::figure::{Against, Amount, Figure, How, Term};
use super::record::{Records, RoundKind};
use super::tie_break::TieBreak;

/// Divides by every number of meetings up to 16 without a rest, so that means can be compared as integers.
const SCALE: i64 = 720_720;

/// The figures of those who are tied: their places among themselves, which some may still share. In the
/// order of `tied`.
pub fn figures(records: &Records<'_>, tie_break: &TieBreak, tied: &[usize]) -> Vec<Figure> {
    let mut figures: Vec<Figure> = tied
        .iter()
        .map(|entrant| {
            let terms = games(records, tie_break, *entrant, tied);
            Figure { amount: Some(Amount::Whole(1)), how: How::Place { tied: tied.len(), all_met: true }, terms }
        })
        .collect();
    let all_met = is_everybody_met(&figures, tied.len());
    for figure in &mut figures {
        figure.how = How::Place { tied: tied.len(), all_met };
    }
    let everybody: Vec<usize> = (0..tied.len()).collect();
    place(records, tied, &mut figures, &everybody, 1);
    figures
}

/// The games of an entrant against others who are tied.
fn games(records: &Records<'_>, tie_break: &TieBreak, entrant: usize, tied: &[usize]) -> Vec<Term> {
    let counts_forfeits = tie_break.counts_forfeits || records.rules.is_round_robin;
    let mut terms = Vec::new();
    for (round, record) in records.of(entrant).iter().enumerate() {
        if record.kind != RoundKind::Played && !(record.is_forfeit() && counts_forfeits) {
            continue;
        }
        for other in records.others(round, record).filter(|other| tied.contains(&other.index())) {
            // At a table of more than two, each other seat is a duel.
            let value = if record.opponent.is_some() {
                record.points.into()
            } else {
                Amount::Points(50 * duel(record.points, records.points_in(other, round)))
            };
            let (round, against) = (round as u16 + 1, Against::Entrant(other));
            terms.push(Term { round, against, points: record.points, worth: None, value, is_cut: false });
        }
    }
    terms
}

fn is_everybody_met(figures: &[Figure], tied: usize) -> bool {
    figures.iter().all(|figure| {
        let mut met: Vec<_> = figure.terms.iter().map(|term| term.against).collect();
        met.sort_by_key(|against| if let Against::Entrant(opponent) = against { opponent.0 } else { 0 });
        met.dedup();
        met.len() + 1 == tied
    })
}

/// The score of one entrant against a group.
struct Score {
    /// The index among the tied.
    index: usize,
    /// The points against the group; several games against the same opponent count as their mean (6.1.2).
    points: i64,
    /// The same, if every game that is missing were won.
    most: i64,
}

/// Gives places to a group, the first one being `first`: by their games among themselves, and again for
/// those whom these leave tied.
fn place(records: &Records<'_>, tied: &[usize], figures: &mut [Figure], group: &[usize], first: i64) {
    for index in group {
        figures[*index].amount = Some(Amount::Whole(first));
    }
    if group.len() < 2 {
        return;
    }
    let mut scores: Vec<Score> = group.iter().map(|index| score(records, tied, figures, group, *index)).collect();
    scores.sort_by_key(|score| (-score.points, -score.most, score.index));
    let all_met = records.rules.is_round_robin || scores.iter().all(|score| score.points == score.most);
    if all_met {
        let mut next = first;
        let is_split = scores[0].points != scores[scores.len() - 1].points;
        for part in scores.chunk_by(|a, b| a.points == b.points).filter(|_| is_split) {
            let part: Vec<usize> = part.iter().map(|score| score.index).collect();
            place(records, tied, figures, &part, next);
            next += part.len() as i64;
        }
        return;
    }
    // Whoever stays ahead of all below, whatever the missing games would bring, has a place (6.3).
    let is_safe = |at: &usize| {
        let below = scores[at + 1..].iter().map(|score| score.most).max();
        below.is_some_and(|most| scores[*at].points > most)
    };
    let safe = (0..scores.len()).take_while(is_safe).count();
    for (at, score) in scores[..safe].iter().enumerate() {
        figures[score.index].amount = Some(Amount::Whole(first + at as i64));
    }
    if safe > 0 {
        let rest: Vec<usize> = scores[safe..].iter().map(|score| score.index).collect();
        place(records, tied, figures, &rest, first + safe as i64);
    }
}

fn score(records: &Records<'_>, tied: &[usize], figures: &[Figure], group: &[usize], index: usize) -> Score {
    let (mut points, mut missing) = (0, 0);
    for other in group.iter().filter(|other| **other != index) {
        let against = |term: &&Term| matches!(term.against, Against::Entrant(with) if with.index() == tied[*other]);
        let games = figures[index].terms.iter().filter(against).map(|term| term.value.number());
        let (sum, count) = games.fold((0, 0), |(sum, count), value| (sum + value, count + 1));
        if count == 0 {
            missing += 1;
        } else {
            points += SCALE * sum / count;
        }
    }
    let seats = records.rules.seats;
    let win = if seats == 2 { Amount::from(records.rules.scoring.win(2)).number() } else { 100 };
    Score { index, points, most: points + SCALE * win * missing }
}
