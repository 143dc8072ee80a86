//! A round to be paired: who may meet whom, the score groups, and who may get the bye.

use std::ops::Range;

use integer_blossom::max_weight_matching;

use super::Options;
use super::player::{Player, check_known};
use crate::{History, PairingError, Points};

/// A round to be paired.
pub(super) struct Round {
    /// The players, by score and number.
    pub(super) players: Vec<Player>,
    /// The number of rounds paired before.
    pub(super) rounds: usize,
    /// The score of the player who gets the bye, if the number of players is odd: C5.
    pub(super) bye_score: Option<Points>,
    /// Whether two players may meet, a row for each player.
    may_meet: Vec<bool>,
}

impl Round {
    /// Reads the history and determines who may meet whom.
    ///
    /// # Errors
    /// The history is invalid, or no pairing satisfies the absolute criteria.
    pub(super) fn new(history: &History, options: &Options<'_>, players: Vec<Player>) -> Result<Self, PairingError> {
        let size = players.len();
        let mut index_of = vec![None; history.entrants.len()];
        for (index, player) in players.iter().enumerate() {
            index_of[player.number.index()] = Some(index);
        }
        let is_topscorer = topscorers(history, options, &players);
        let mut may_meet = vec![true; size * size];
        for one in 0..size {
            for other in 0..size {
                let (player, opponent) = (&players[one], &players[other]);
                let is_clash =
                    player.is_absolute() && opponent.is_absolute() && player.preferred() == opponent.preferred();
                let is_forbidden = one == other || (is_clash && !is_topscorer[one] && !is_topscorer[other]);
                may_meet[one * size + other] = !is_forbidden;
            }
        }
        let mut forbid = |one: Option<usize>, other: Option<usize>| {
            if let (Some(one), Some(other)) = (one, other) {
                may_meet[one * size + other] = false;
                may_meet[other * size + one] = false;
            }
        };
        for (index, player) in players.iter().enumerate() {
            player.met.iter().for_each(|opponent| forbid(Some(index), index_of[*opponent]));
        }
        for group in &options.forbidden {
            for one in group {
                check_known(history, *one)?;
                for other in group {
                    check_known(history, *other)?;
                    forbid(index_of[one.index()], index_of[other.index()]);
                }
            }
        }
        let mut round = Self { players, rounds: history.rounds.len(), bye_score: None, may_meet };
        round.find_bye_score()?;
        Ok(round)
    }

    /// Whether two players may meet.
    pub(super) fn may_meet(&self, one: usize, other: usize) -> bool {
        self.may_meet[one * self.players.len() + other]
    }

    /// Whether a player may get the bye of this round.
    pub(super) fn may_have_bye(&self, player: usize) -> bool {
        self.players[player].may_have_bye && self.bye_score.is_some_and(|score| self.players[player].score <= score)
    }

    /// The score groups, highest first.
    pub(super) fn groups(&self) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        let mut start = 0;
        for group in self.players.chunk_by(|one, other| one.score == other.score) {
            groups.push(start..start + group.len());
            start += group.len();
        }
        groups
    }

    fn find_bye_score(&mut self) -> Result<(), PairingError> {
        let all: Vec<usize> = (0..self.players.len()).collect();
        let impossible = |reason| PairingError::Impossible { entrants: all.len(), reason };
        if all.len().is_multiple_of(2) {
            let is_possible = self.can_complete(&all, false);
            return if is_possible {
                Ok(())
            } else {
                Err(impossible("too many of them have met, or need the same seat"))
            };
        }
        let mut scores: Vec<Points> =
            self.players.iter().filter(|player| player.may_have_bye).map(|p| p.score).collect();
        scores.sort_unstable();
        scores.dedup();
        if scores.is_empty() {
            return Err(impossible("each of them has had a bye, or as many points as for a win without play"));
        }
        for score in scores {
            self.bye_score = Some(score);
            if self.can_complete(&all, true) {
                return Ok(());
            }
        }
        Err(impossible("no matter who gets the bye, too many of the others have met or need the same seat"))
    }

    /// Whether all these players can be paired with each other, one of them with the bye if `has_bye`.
    pub(super) fn can_complete(&self, players: &[usize], has_bye: bool) -> bool {
        if players.len() % 2 != usize::from(has_bye) {
            return false;
        }
        if has_bye {
            let candidate = players.iter().rposition(|player| self.may_have_bye(*player));
            let Some(candidate) = candidate else { return false };
            let mut others = players.to_vec();
            others.remove(candidate);
            if self.is_dense(&others) {
                return true;
            }
        } else if self.is_dense(players) {
            return true;
        }
        let size = players.len() + usize::from(has_bye);
        let mates = self.mates(players, has_bye.then_some(&|player| self.may_have_bye(player)));
        debug_assert_eq!(mates.len(), size);
        mates.iter().all(Option::is_some)
    }

    /// The mates in a maximum matching of these players. If `may_be_left` is given, there is one more vertex
    /// at the end, which stands for being left over.
    pub(super) fn mates(&self, players: &[usize], may_be_left: Option<&dyn Fn(usize) -> bool>) -> Vec<Option<usize>> {
        let size = players.len() + usize::from(may_be_left.is_some());
        let mut weights = vec![0; size * size];
        for (row, &one) in players.iter().enumerate() {
            for (column, &other) in players.iter().enumerate().skip(row + 1) {
                weights[row * size + column] = i32::from(self.may_meet(one, other));
            }
            if let Some(may_be_left) = may_be_left {
                weights[row * size + size - 1] = i32::from(may_be_left(one));
            }
        }
        max_weight_matching(&weights, size)
    }

    /// Whether each of these players may meet at least half of them. If their number is even, they can then
    /// be paired: there is even a cycle through all of them (Dirac's theorem).
    fn is_dense(&self, players: &[usize]) -> bool {
        players
            .iter()
            .all(|&one| 2 * players.iter().filter(|&&other| self.may_meet(one, other)).count() >= players.len())
    }
}

/// The players with more than half of the possible points, before the last round.
fn topscorers(history: &History, options: &Options<'_>, players: &[Player]) -> Vec<bool> {
    let rounds = history.rounds.len();
    let is_last = history.rounds_planned.is_some_and(|planned| rounds + 1 >= usize::from(planned));
    let most = options.win.max(options.draw).0 as usize * rounds;
    players.iter().map(|player| is_last && player.score.0 as usize > most / 2).collect()
}
