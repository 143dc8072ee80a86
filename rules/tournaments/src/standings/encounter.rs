//! Direct encounter: article 6.

use super::buchholz::duel;
use super::figure::{Against, Amount, Figure, How, Term};
use super::record::{Records, RoundKind};
use super::tie_break::TieBreak;

/// Divisible by every number of meetings up to 16, so that means can be compared as integers.
const SCALE: i64 = 720_720;

/// The figures of tied entrants: their places among themselves, some of which may still be shared. In the
/// order of `tied`, which is ascending.
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
    let win = if records.rules.seats == 2 { Amount::from(records.rules.scoring.win(2)).number() } else { 100 };
    let is_in_group = vec![false; tied.len()];
    let mut tie = Tie { tied, figures, win, is_round_robin: records.rules.is_round_robin, is_in_group };
    tie.place(&everybody, 1);
    tie.figures
}

/// The games of an entrant against others who are tied.
fn games(records: &Records<'_>, tie_break: &TieBreak, entrant: usize, tied: &[usize]) -> Vec<Term> {
    let counts_forfeits = tie_break.counts_forfeits || records.rules.is_round_robin;
    let mut terms = Vec::new();
    for (round, record) in records.of(entrant).iter().enumerate() {
        if record.kind != RoundKind::Played && !(record.is_forfeit() && counts_forfeits) {
            continue;
        }
        for other in records.opponents(round, record).filter(|other| tied.binary_search(&other.index()).is_ok()) {
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
    /// The same, if every missing game were won.
    most: i64,
}

/// The tied entrants.
struct Tie<'a> {
    /// The entrants, ascending.
    tied: &'a [usize],
    /// Their figures.
    figures: Vec<Figure>,
    /// What a missing game might give.
    win: i64,
    /// Whether no game can be missing.
    is_round_robin: bool,
    /// Which of the tied entrants are in the group being examined.
    is_in_group: Vec<bool>,
}

impl Tie<'_> {
    /// Gives places to a group, beginning with `first`: by their games among themselves, and again for those
    /// who are still tied.
    fn place(&mut self, group: &[usize], first: i64) {
        for index in group {
            self.figures[*index].amount = Some(Amount::Whole(first));
        }
        if group.len() < 2 {
            return;
        }
        let mut scores = self.scores(group);
        scores.sort_by_key(|score| (-score.points, -score.most, score.index));
        if self.is_round_robin || scores.iter().all(|score| score.points == score.most) {
            let is_split = scores[0].points != scores[scores.len() - 1].points;
            let mut next = first;
            for part in scores.chunk_by(|a, b| a.points == b.points).filter(|_| is_split) {
                let part: Vec<usize> = part.iter().map(|score| score.index).collect();
                self.place(&part, next);
                next += part.len() as i64;
            }
            return;
        }
        let safe = safe(&scores);
        for (at, score) in scores[..safe].iter().enumerate() {
            self.figures[score.index].amount = Some(Amount::Whole(first + at as i64));
        }
        if safe > 0 {
            let rest: Vec<usize> = scores[safe..].iter().map(|score| score.index).collect();
            self.place(&rest, first + safe as i64);
        }
    }

    /// The scores of a group against itself.
    fn scores(&mut self, group: &[usize]) -> Vec<Score> {
        for index in group {
            self.is_in_group[*index] = true;
        }
        let scores = group.iter().map(|index| self.score(group.len(), *index)).collect();
        for index in group {
            self.is_in_group[*index] = false;
        }
        scores
    }

    fn score(&self, size: usize, index: usize) -> Score {
        let mut games: Vec<(usize, i64)> = Vec::new();
        for term in &self.figures[index].terms {
            let Against::Entrant(opponent) = term.against else { continue };
            let Ok(other) = self.tied.binary_search(&opponent.index()) else { continue };
            if self.is_in_group[other] {
                games.push((other, term.value.number()));
            }
        }
        games.sort_unstable();
        let (mut points, mut met) = (0, 0);
        for against_one in games.chunk_by(|a, b| a.0 == b.0) {
            let sum: i64 = against_one.iter().map(|(_, value)| value).sum();
            points += SCALE * sum / against_one.len() as i64;
            met += 1;
        }
        Score { index, points, most: points + SCALE * self.win * (size - 1 - met) as i64 }
    }
}

/// How many, from the top, stay ahead of everybody below them, whatever the missing games bring (6.3).
fn safe(scores: &[Score]) -> usize {
    let mut most_below = vec![i64::MIN; scores.len()];
    for at in (0..scores.len() - 1).rev() {
        most_below[at] = most_below[at + 1].max(scores[at + 1].most);
    }
    let is_safe = |at: &usize| at + 1 < scores.len() && scores[*at].points > most_below[*at];
    (0..scores.len()).take_while(is_safe).count()
}
