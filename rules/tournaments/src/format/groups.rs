//! Groups, then a knock-out.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{Bracket, FormatError, KnockOut, Reached, RoundRobin, bracket, in_range, knock_out, round_robin};
use crate::{EntrantNumber, History, HistoryError, Pairing, PairingError, Standings, StandingsRules, standings};

/// Round robins in groups, then a knock-out between the best of each group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// The number of groups: 2 to 64. Entrants are dealt to them back and forth: 1 2 3 3 2 1 1 2 3.
    pub groups: u8,
    /// How many of each group advance: 1 to 8.
    pub advance: u8,
    /// How often everybody meets everybody in a group: 1 or 2.
    #[serde(default = "once")]
    pub cycles: u8,
    /// The knock-out.
    #[serde(default)]
    pub knock_out: KnockOut,
}

fn once() -> u8 {
    1
}

impl Groups {
    pub(super) fn check(&self) -> Result<(), FormatError> {
        in_range("groups", self.groups.into(), 2, 64)?;
        in_range("advance", self.advance.into(), 1, 8)?;
        in_range("cycles", self.cycles.into(), 1, 2)?;
        self.knock_out.check()
    }

    /// How many entrants are allowed: each group needs at least two, and more than advance from it.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        let (groups, advance) = (usize::from(self.groups), usize::from(self.advance));
        let most = (groups * round_robin::ENTRANTS.end()).min(*knock_out::ENTRANTS.end() * 4);
        groups * (advance + 1)..=most
    }

    /// The groups of those who were entered at the start, dealt back and forth.
    pub fn dealt(&self, history: &History) -> Vec<Vec<EntrantNumber>> {
        let count = usize::from(self.groups);
        let mut groups = vec![Vec::new(); count];
        for (index, entrant) in history.starters().enumerate() {
            let (turn, at) = (index / count, index % count);
            groups[if turn % 2 == 0 { at } else { count - 1 - at }].push(entrant);
        }
        groups
    }

    /// How many rounds the group stage has.
    pub fn group_rounds(&self, history: &History) -> usize {
        let largest = history.starters().count().div_ceil(usize::from(self.groups));
        usize::from(self.round_robin().rounds(largest))
    }

    fn round_robin(&self) -> RoundRobin {
        RoundRobin { cycles: self.cycles }
    }

    /// The next round: of the groups or, once they are finished, of the knock-out.
    ///
    /// # Errors
    /// [`PairingError::Decided`], and [`PairingError::Missing`] if the groups are played and a result of
    /// theirs is not known, or one of the knock-out.
    pub fn pair(
        &self,
        history: &History,
        rules: &StandingsRules,
        available: &[EntrantNumber],
    ) -> Result<Pairing, PairingError> {
        let (round, group_rounds) = (history.rounds.len(), self.group_rounds(history));
        if round >= group_rounds {
            if let Some((round, table)) = first_missing(history, group_rounds) {
                return Err(PairingError::Missing { round, table });
            }
            let seeds = self.seeds(history, rules)?;
            return self.knock_out.pair_seeds(seeds, history, group_rounds, available);
        }
        let mut pairing = Pairing::default();
        for (index, group) in self.dealt(history).into_iter().enumerate() {
            if round < usize::from(self.round_robin().rounds(group.len())) {
                let games = round_robin::games(self.cycles, group.len());
                let is_struck = |entrant| round_robin::is_struck(history, entrant, games);
                let number = Some(index as u8 + 1);
                self.round_robin().add(&group, round as u16, number, available, &is_struck, &mut pairing);
            }
        }
        Ok(pairing)
    }

    /// The standings of each group after the first so many rounds; group games only.
    ///
    /// # Errors
    /// What is wrong with the history.
    pub fn group_standings(
        &self,
        history: &History,
        rules: &StandingsRules,
        rounds: usize,
    ) -> Result<Vec<Standings>, HistoryError> {
        let group_rounds = self.group_rounds(history);
        let rules = StandingsRules { is_round_robin: true, ..rules.clone() };
        let of_group = |group: Vec<EntrantNumber>| {
            Standings::after(&self.alone(history, &group), &rules, rounds.min(group_rounds))
        };
        self.dealt(history).into_iter().map(of_group).collect()
    }

    /// Whose results are struck out of their group after the first so many rounds.
    pub(super) fn struck(&self, history: &History, rounds: usize) -> Vec<bool> {
        let rounds = rounds.min(self.group_rounds(history));
        let mut struck = vec![false; history.entrants.len()];
        for group in self.dealt(history) {
            let of_group = standings::struck(&self.alone(history, &group), rounds);
            for entrant in group {
                struck[entrant.index()] = of_group[entrant.index()];
            }
        }
        struck
    }

    /// The history of one group, as if it were a tournament of its own: without the games of all others.
    fn alone(&self, history: &History, group: &[EntrantNumber]) -> History {
        let mut alone = history.clone();
        alone.rounds_planned = Some(self.round_robin().rounds(group.len()));
        for (index, entrant) in alone.entrants.iter_mut().enumerate() {
            if !group.contains(&EntrantNumber::from_index(index)) {
                entrant.withdrew_after = Some(0);
            }
        }
        for round in &mut alone.rounds {
            round.tables.retain(|table| table.seats.iter().all(|seat| group.contains(seat)));
            round.byes.retain(|bye| group.contains(&bye.entrant));
        }
        alone
    }

    /// The entrants who advance, best seed first: the winners of all groups, then the runners-up, and so on,
    /// arranged so that entrants from the same group meet as late as possible. The lower number goes first
    /// where tie-breaks do not separate two entrants. Withdrawn entrants do not advance.
    fn seeds(&self, history: &History, rules: &StandingsRules) -> Result<Vec<EntrantNumber>, HistoryError> {
        let standings = self.group_standings(history, rules, self.group_rounds(history))?;
        let through: Vec<Vec<EntrantNumber>> = standings
            .iter()
            .map(|group| {
                let rows = group.rows.iter().filter(|row| row.place.is_some()).map(|row| row.entrant);
                let here = rows.filter(|entrant| !has_left_by(history, *entrant, self.group_rounds(history)));
                here.take(usize::from(self.advance)).collect()
            })
            .collect();
        let mut rows: Vec<Vec<(usize, EntrantNumber)>> = Vec::new();
        for place in 0..usize::from(self.advance) {
            let row = through.iter().enumerate();
            rows.push(row.filter_map(|(group, of)| Some((group, *of.get(place)?))).collect());
        }
        arrange(&mut rows);
        Ok(rows.into_iter().flatten().map(|(_, entrant)| entrant).collect())
    }

    /// The bracket after the first `rounds` rounds; `None` during the group stage.
    pub(super) fn bracket(
        &self,
        history: &History,
        rules: &StandingsRules,
        rounds: usize,
    ) -> Result<Option<Bracket<'_>>, HistoryError> {
        let group_rounds = self.group_rounds(history);
        if rounds < group_rounds || first_missing(history, group_rounds).is_some() {
            return Ok(None);
        }
        let seeds = self.seeds(history, rules)?;
        Ok(Some(Bracket::new(&self.knock_out, seeds, &history.rounds[..rounds], group_rounds)))
    }

    /// How far each entrant has come after the first `rounds` rounds.
    pub(super) fn reached(
        &self,
        history: &History,
        rules: &StandingsRules,
        rounds: usize,
    ) -> Result<Vec<Option<Reached>>, HistoryError> {
        let entrants = history.entrants.len();
        let mut reached = vec![None; entrants];
        for row in self.group_standings(history, rules, rounds)?.iter().flat_map(|group| &group.rows) {
            reached[row.entrant.index()] = row.place.map(|place| Reached::Group { place });
        }
        if let Some(bracket) = self.bracket(history, rules, rounds)? {
            for (of, in_bracket) in reached.iter_mut().zip(KnockOut::reached(&bracket, entrants)) {
                *of = in_bracket.or(*of);
            }
        }
        Ok(reached)
    }
}

/// Whether an entrant withdrew before the round after these was paired.
fn has_left_by(history: &History, entrant: EntrantNumber, rounds: usize) -> bool {
    history.entrants[entrant.index()].withdrew_after.is_some_and(|after| usize::from(after) <= rounds)
}

/// The first table of these rounds without a result: round and table, from 1.
fn first_missing(history: &History, rounds: usize) -> Option<(usize, usize)> {
    history.rounds.iter().take(rounds).enumerate().find_map(|(round, of)| {
        let table = of.tables.iter().position(|table| table.result.is_none())?;
        Some((round + 1, table + 1))
    })
}

/// Rearranges entrants with the same place so that those of the same group meet as late as possible:
/// exchanges pairs as long as that helps.
fn arrange(rows: &mut [Vec<(usize, EntrantNumber)>]) {
    let seeds: usize = rows.iter().map(Vec::len).sum();
    let order = bracket::order(seeds.max(1).next_power_of_two());
    let mut slot = vec![0; order.len()];
    for (at, seed) in order.iter().enumerate() {
        slot[*seed] = at;
    }
    // Two slots that meet sooner cost more if they hold entrants of the same group.
    let stages = order.len().ilog2();
    let cost = |one: usize, other: usize| 4_u64.pow(stages - (slot[one] ^ slot[other]).checked_ilog2().unwrap_or(0));
    let mut groups: Vec<usize> = rows.iter().flatten().map(|(group, _)| *group).collect();
    let of = |groups: &[usize], seed: usize| -> u64 {
        let same = (0..groups.len()).filter(|other| *other != seed && groups[*other] == groups[seed]);
        same.map(|other| cost(seed, other)).sum()
    };
    let mut start = rows.first().map_or(0, Vec::len);
    for row in rows.iter_mut().skip(1) {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for one in 0..row.len() {
                for other in one + 1..row.len() {
                    let (a, b) = (start + one, start + other);
                    let before = of(&groups, a) + of(&groups, b);
                    groups.swap(a, b);
                    if of(&groups, a) + of(&groups, b) < before {
                        row.swap(one, other);
                        is_better = true;
                    } else {
                        groups.swap(a, b);
                    }
                }
            }
        }
        start += row.len();
    }
}
