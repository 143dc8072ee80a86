//! A Swiss system for three to thirteen seats: pods.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::seating::{Seating, seat};
use super::{FormatError, FormatReason, MOST_ROUNDS, PairingOptions, in_range};
use crate::{ByeKind, EntrantNumber, History, PairedBye, PairedTable, Pairing, PairingError, Points, Reason};

/// A fixed number of rounds at tables of three or more, each for entrants with the same score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pods {
    /// The number of rounds.
    pub rounds: u16,
    /// The preferred number of seats.
    pub size: u8,
    /// The smallest number of seats. If missing, the fewest that the game needs, but at least three.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<u8>,
    /// The largest number of seats. If missing, the preferred number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<u8>,
    /// What the numbers of seats differ by, in a game that is not played with every number. If missing, 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u8>,
}

impl Pods {
    pub(super) fn check(&self, seats: &RangeInclusive<u8>) -> Result<(), FormatError> {
        in_range("rounds", self.rounds, 1, MOST_ROUNDS)?;
        in_range("step", self.step.unwrap_or(1).into(), 1, 13)?;
        if *seats.end() < 3 {
            return Err(FormatError::MoreSeats);
        }
        let (sizes, size) = (self.sizes(seats), self.size);
        let (smallest, largest) = (*sizes.start(), *sizes.end());
        let (least, most) = (3.max(*seats.start()), 13.min(*seats.end()));
        if least <= smallest && smallest <= size && size <= largest && largest <= most {
            return Ok(());
        }
        Err(FormatError::Sizes { size, smallest, largest, least, most })
    }

    /// The allowed sizes of pods, in a game with `seats`.
    pub fn sizes(&self, seats: &RangeInclusive<u8>) -> RangeInclusive<u8> {
        let least = 3.max(*seats.start());
        self.smallest.unwrap_or(least.min(self.size))..=self.largest.unwrap_or(self.size)
    }

    /// How many entrants are allowed.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        3..=2_000
    }

    /// The next round.
    ///
    /// As few entrants as possible have a bye; then pods are as near to the preferred size as possible, with
    /// the smaller ones last. Entrants with the same score sit together as far as no meeting has to be
    /// repeated for it.
    ///
    /// # Errors
    /// [`PairingError::AllPaired`], [`PairingError::TooFew`] and [`PairingError::TooMany`].
    pub fn pair(
        &self,
        history: &History,
        sizes: &RangeInclusive<u8>,
        options: &PairingOptions<'_>,
    ) -> Result<Pairing, PairingError> {
        let available = options.available;
        if history.rounds.len() >= usize::from(self.rounds) {
            return Err(PairingError::AllPaired(usize::from(self.rounds)));
        }
        let limit = *self.entrants().end();
        if available.len() > limit {
            return Err(PairingError::TooMany { entrants: available.len(), limit });
        }
        let pods = divide(available.len(), sizes, self.size, self.step.unwrap_or(1));
        if pods.is_empty() {
            return Err(PairingError::TooFew { entrants: available.len(), least: usize::from(*sizes.start()) });
        }
        let field = Field::new(history, available);
        let mut pairing = Pairing::default();
        let seated: usize = pods.iter().map(|size| usize::from(*size)).sum();
        let (out, players) = field.leave_out(available.len() - seated);
        for entrant in out {
            let reason = FormatReason::Remainder {
                entrants: available.len() as u16,
                smallest: *sizes.start(),
                largest: *sizes.end(),
                points: field.points[entrant.index()],
                byes: field.byes[entrant.index()],
            };
            pairing.byes.push(PairedBye { entrant, reasons: vec![Reason::Format(reason)] });
        }
        let seating = Seating::found(history, &field.points, &players, &pods, options.forbidden);
        for pod in seating.pods() {
            let seats = seat(history, &pod);
            pairing.tables.push(PairedTable { reasons: self.reasons(&seating, &field, history, &seats), seats });
        }
        Ok(pairing)
    }

    fn reasons(&self, seating: &Seating, field: &Field, history: &History, seats: &[EntrantNumber]) -> Vec<Reason> {
        let points = || seats.iter().map(|entrant| field.points[entrant.index()]);
        let (most, least) = (points().max().unwrap_or_default(), points().min().unwrap_or_default());
        let size = (seats.len() != usize::from(self.size)).then_some(seats.len() as u8);
        let mut reasons = vec![FormatReason::Pod { most, least, size }];
        for (at, one) in seats.iter().enumerate() {
            for other in &seats[at + 1..] {
                let times = seating.meetings(*one, *other);
                if times > 0 {
                    reasons.push(FormatReason::MetBefore { one: *one, other: *other, times });
                }
            }
        }
        for entrant in seats {
            let had = history.seats_had(*entrant);
            if !had.is_empty() {
                reasons.push(FormatReason::SeatsHad { entrant: *entrant, seats: had });
            }
        }
        reasons.into_iter().map(Reason::Format).collect()
    }
}

/// The entrants to be paired, with what decides their tables.
struct Field {
    /// The best score first, then the lowest number.
    players: Vec<EntrantNumber>,
    /// Per entrant.
    points: Vec<Points>,
    /// The number of pairing-allocated byes so far, per entrant.
    byes: Vec<u16>,
}

impl Field {
    fn new(history: &History, available: &[EntrantNumber]) -> Self {
        let mut points = vec![Points::ZERO; history.entrants.len()];
        let mut byes = vec![0; history.entrants.len()];
        for round in &history.rounds {
            for (entrant, got) in round.everybody() {
                points[entrant.index()] += got;
            }
            for bye in round.byes.iter().filter(|bye| bye.kind == ByeKind::Pairing) {
                byes[bye.entrant.index()] += 1;
            }
        }
        let mut players = available.to_vec();
        players.sort_by_key(|entrant| (Reverse(points[entrant.index()]), *entrant));
        players.dedup();
        Self { players, points, byes }
    }

    /// Splits off the entrants who get a bye: first those with the fewest byes, then the lowest score, then
    /// the highest number. The others stay in their order.
    fn leave_out(&self, count: usize) -> (Vec<EntrantNumber>, Vec<EntrantNumber>) {
        let mut by_need = self.players.clone();
        let key =
            |entrant: &EntrantNumber| (self.byes[entrant.index()], self.points[entrant.index()], Reverse(*entrant));
        by_need.sort_by_key(key);
        by_need.truncate(count);
        let stay = self.players.iter().copied().filter(|entrant| !by_need.contains(entrant));
        let stay = stay.collect();
        (by_need, stay)
    }
}

/// The sizes of the pods, the largest first, all of which differ from the preferred one by multiples of `step`. They leave
/// out as few entrants as possible, then are as near to the preferred size as possible, by the sum of squared differences,
/// then are as few as possible. Empty if there are too few entrants for one pod.
pub fn divide(entrants: usize, sizes: &RangeInclusive<u8>, preferred: u8, step: u8) -> Vec<u8> {
    let allowed: Vec<u8> = sizes.clone().filter(|size| size.abs_diff(preferred).is_multiple_of(step)).collect();
    // The best pods for each number of entrants: their distance, how many they are, and the size of the last.
    let mut best: Vec<Option<(usize, usize, u8)>> = vec![Some((0, 0, 0))];
    for seated in 1..=entrants {
        let with = |size: &u8| {
            let (distance, pods, _) = best[seated.checked_sub(usize::from(*size))?]?;
            Some((distance + usize::from(size.abs_diff(preferred)).pow(2), pods + 1, *size))
        };
        let found = allowed.iter().filter_map(with).min();
        best.push(found);
    }
    let mut left = best.iter().rposition(Option::is_some).unwrap_or_default();
    let mut pods = Vec::new();
    while let Some((_, _, size)) = best[left].filter(|_| left > 0) {
        pods.push(size);
        left -= usize::from(size);
    }
    pods.sort_unstable_by_key(|size| Reverse(*size));
    pods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_leave_out_as_few_as_possible() {
        assert_eq!(divide(16, &(3..=4), 4, 1), [4, 4, 4, 4]);
        assert_eq!(divide(15, &(3..=4), 4, 1), [4, 4, 4, 3]);
        assert_eq!(divide(13, &(3..=4), 4, 1), [4, 3, 3, 3]);
        assert_eq!(divide(9, &(3..=5), 4, 1), [5, 4]);
        assert_eq!(divide(5, &(3..=4), 4, 1), [4]);
        assert_eq!(divide(7, &(4..=4), 4, 1), [4]);
        assert_eq!(divide(26, &(13..=13), 13, 1), [13, 13]);
        assert_eq!(divide(2, &(3..=4), 4, 1), Vec::<u8>::new());
        // A game for 7, 10 or 13.
        assert_eq!(divide(16, &(7..=13), 13, 3), [7, 7]);
        assert_eq!(divide(12, &(7..=13), 13, 3), [10]);
        assert_eq!(divide(23, &(7..=13), 13, 3), [13, 10]);
        for entrants in 6..200 {
            assert_eq!(divide(entrants, &(3..=4), 4, 1).iter().map(|size| usize::from(*size)).sum::<usize>(), entrants);
        }
    }
}
