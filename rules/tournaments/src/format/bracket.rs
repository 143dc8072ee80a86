//! The bracket of a knock-out, replayed from the rounds that were played.

use super::reason::stage_name;
use super::{KnockOut, Level};
use crate::{EntrantNumber, History, Points, Round, Table, TableResult};

/// The current state of a knock-out.
#[derive(Clone, Debug)]
pub struct Bracket<'a> {
    rules: &'a KnockOut,
    /// The players, best seed first.
    seeds: Vec<EntrantNumber>,
    /// The stages so far, in order. The last one is open unless the knock-out is decided.
    pub stages: Vec<Stage>,
}

/// The matches that are played at the same time.
#[derive(Clone, Debug)]
pub struct Stage {
    /// In the order of the bracket; the match for third place comes after the final.
    pub matches: Vec<Match>,
    /// The number of matches without the one for third place.
    pub size: usize,
}

/// A match between two sides.
#[derive(Clone, Debug)]
pub struct Match {
    /// The players, the better seed first; `None` for an empty slot.
    pub sides: [Option<EntrantNumber>; 2],
    /// Half points from the games so far, per side.
    pub score: [u8; 2],
    /// The number of games played.
    pub games: u8,
    /// The round and the table of each paired game, both from 1.
    pub tables: Vec<(u32, u32)>,
    /// Who had the first seat in the last game.
    pub first_seat: Option<EntrantNumber>,
    /// Whether a game is paired and its result is missing.
    pub is_pending: bool,
    /// The side that goes through.
    pub winner: Option<usize>,
    /// Whether both sides are out, so that nobody goes through.
    pub is_void: bool,
}

impl<'a> Bracket<'a> {
    /// The bracket of `seeds` after these rounds. The first `after` rounds belong to no match.
    pub(super) fn new(rules: &'a KnockOut, seeds: Vec<EntrantNumber>, rounds: &[Round], after: usize) -> Self {
        let order = order(seeds.len().next_power_of_two());
        let sides: Vec<_> = order.into_iter().map(|seed| seeds.get(seed).copied()).collect();
        let mut bracket = Self { rules, seeds, stages: Vec::new() };
        bracket.open(&sides, None);
        for (number, round) in (1..).zip(rounds).skip(after) {
            bracket.apply(number, round);
        }
        bracket
    }

    /// The stage that is being played, or the last one.
    pub fn stage(&self) -> &Stage {
        self.stages.last().expect("the first stage is opened at once")
    }

    /// Whether the final is decided, and the match for third place if there is one.
    pub fn is_decided(&self) -> bool {
        let stage = self.stage();
        stage.size <= 1 && stage.matches.iter().all(Match::is_decided)
    }

    /// The seed of somebody who plays, 0 being the best.
    pub fn seed(&self, entrant: EntrantNumber) -> usize {
        self.seeds.iter().position(|seed| *seed == entrant).unwrap_or(usize::MAX)
    }

    fn open(&mut self, sides: &[Option<EntrantNumber>], third_place: Option<[Option<EntrantNumber>; 2]>) {
        let pairs = sides.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        let matches = pairs.chain(third_place).map(|sides| self.between(sides)).collect();
        self.stages.push(Stage { matches, size: sides.len() / 2 });
    }

    fn between(&self, mut sides: [Option<EntrantNumber>; 2]) -> Match {
        sides.sort_by_key(|side| side.map_or(usize::MAX, |entrant| self.seed(entrant)));
        // A player without an opponent advances.
        let winner = if sides[1].is_none() { Some(0) } else { None };
        let (score, games, tables, first_seat) = ([0; 2], 0, Vec::new(), None);
        Match { sides, score, games, tables, first_seat, is_pending: false, winner, is_void: false }
    }

    /// Counts the games of a round, and the byes of players whose opponents have withdrawn.
    fn apply(&mut self, number: u32, round: &Round) {
        let rules = self.rules;
        let stage = self.stages.last_mut().expect("the first stage is opened at once");
        for entry in stage.matches.iter_mut().filter(|entry| !entry.is_decided()) {
            if let Some(index) = round.tables.iter().position(|table| entry.is_at(table)) {
                entry.tables.push((number, index as u32 + 1));
                entry.play(&round.tables[index], rules);
                continue;
            }
            let has_bye = entry.sides.map(|side| round.byes.iter().any(|bye| Some(bye.entrant) == side));
            match has_bye {
                // Both have withdrawn.
                [true, true] => entry.is_void = true,
                [false, false] => {}
                [first, _] => entry.winner = Some(usize::from(!first)),
            }
        }
        while !self.is_decided() && self.stage().matches.iter().all(Match::is_decided) {
            self.open_next();
        }
    }

    /// Opens the next stage with the winners of the last one.
    fn open_next(&mut self) {
        let stage = self.stage();
        let winners: Vec<_> = stage.matches[..stage.size].iter().map(Match::through).collect();
        let has_third_place = self.rules.has_third_place && stage.size == 2;
        let third_place = has_third_place.then(|| [stage.matches[0].out(), stage.matches[1].out()]);
        self.open(&winners, third_place);
    }
}

impl Stage {
    /// The name of the stage, such as `Semi-finals`.
    pub fn name(&self) -> String {
        stage_name(self.size as u16)
    }
}

impl Match {
    /// Whether a side advances, or nobody does: both are out, or both slots are empty.
    pub fn is_decided(&self) -> bool {
        self.winner.is_some() || self.is_void
    }

    /// The player who advances.
    pub fn through(&self) -> Option<EntrantNumber> {
        self.winner.and_then(|side| self.sides[side])
    }

    /// The player who is eliminated.
    pub fn out(&self) -> Option<EntrantNumber> {
        self.winner.and_then(|side| self.sides[1 - side])
    }

    /// Whether this match is played at a table.
    fn is_at(&self, table: &Table) -> bool {
        table.seats.len() == 2 && table.seats.iter().all(|seat| self.sides.contains(&Some(*seat)))
    }

    /// Counts a game.
    fn play(&mut self, table: &Table, rules: &KnockOut) {
        self.first_seat = Some(table.seats[0]);
        let Some(result) = &table.result else {
            self.is_pending = true;
            return;
        };
        let points = result.points();
        let turned = usize::from(self.sides[0] != self.first_seat);
        let of_side: [Points; 2] = [points[turned], points[1 - turned]];
        self.games += 1;
        for (side, other) in [(0, 1), (1, 0)] {
            self.score[side] += match of_side[side].cmp(&of_side[other]) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
        }
        let is_level = self.score[0] == self.score[1];
        self.winner = self.decided(rules);
        // Nobody goes through on a higher seed who did not come.
        let nobody_came = matches!(table.result, Some(TableResult::Forfeit(_))) && points[0] == points[1];
        if is_level && nobody_came && self.winner.take().is_some() {
            self.is_void = true;
        }
    }

    /// The side that has won under the rules, if any.
    fn decided(&self, rules: &KnockOut) -> Option<usize> {
        let better = usize::from(self.score[0] < self.score[1]);
        // With more than half of the points, the match is decided.
        let is_over = self.games >= rules.best_of || self.score[better] > rules.best_of;
        match &rules.level {
            _ if !is_over => None,
            _ if self.score[0] != self.score[1] => Some(better),
            Level::HigherSeed { after_replays } if self.games >= rules.best_of + after_replays => Some(0),
            Level::HigherSeed { .. } | Level::Replay => None,
        }
    }
}

/// The seeds, from 0, in the order of a bracket of this size, a power of two: the best two can only meet in
/// the final, the best four in the semi-finals, and so on.
pub fn order(size: usize) -> Vec<usize> {
    let mut order = vec![0];
    while order.len() < size {
        let next = 2 * order.len();
        order = order.into_iter().flat_map(|seed| [seed, next - 1 - seed]).collect();
    }
    order
}

/// The side with the first seat in the first game of a match: the one that had it less often; then the one
/// that did not have it last; then the better seed, which comes first.
pub fn first_seat(history: &History, sides: [EntrantNumber; 2]) -> usize {
    let tables = || history.rounds.iter().flat_map(|round| &round.tables);
    let had = |entrant: EntrantNumber| tables().filter(|table| table.seats[0] == entrant).count();
    let last = |entrant: EntrantNumber| {
        tables().rfind(|table| table.seats.contains(&entrant)).is_some_and(|table| table.seats[0] == entrant)
    };
    let key = |entrant: EntrantNumber| (had(entrant), last(entrant));
    usize::from(key(sides[1]) < key(sides[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_seeds_are_kept_apart() {
        assert_eq!(order(1), [0]);
        assert_eq!(order(2), [0, 1]);
        assert_eq!(order(8), [0, 7, 3, 4, 1, 6, 2, 5]);
    }
}
