//! Round robins by the Berger tables.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, FormatReason, berger, in_range};
use crate::{EntrantNumber, History, PairedBye, PairedTable, Pairing, PairingError, Reason};

/// How many entrants a round robin allows.
pub const ENTRANTS: RangeInclusive<usize> = 2..=100;

/// Everybody meets everybody, one or more times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {
    /// How often everybody meets everybody: 1 to 4. Seats are reversed from one cycle to the next.
    #[serde(default = "once")]
    pub cycles: u8,
}

fn once() -> u8 {
    1
}

impl Default for RoundRobin {
    fn default() -> Self {
        Self { cycles: once() }
    }
}

impl RoundRobin {
    pub(super) fn check(&self) -> Result<(), FormatError> {
        in_range("cycles", self.cycles.into(), 1, 4)
    }

    /// How many rounds this many entrants need. With an odd number, everybody sits out once in each cycle.
    pub fn rounds(&self, entrants: usize) -> u16 {
        u16::from(self.cycles) * (entrants.next_multiple_of(2).saturating_sub(1)) as u16
    }

    /// The next round between those who were entered at the start.
    ///
    /// An entrant who has withdrawn with less than half of the games played is not paired. Other tables with
    /// an entrant who is not available are paired anyway, to be decided as forfeits.
    ///
    /// # Errors
    /// [`PairingError::AllPaired`].
    pub fn pair(&self, history: &History, available: &[EntrantNumber]) -> Result<Pairing, PairingError> {
        let starters: Vec<EntrantNumber> = history.starters().collect();
        let (round, rounds) = (history.rounds.len(), self.rounds(starters.len()));
        if round >= usize::from(rounds) {
            return Err(PairingError::AllPaired(usize::from(rounds)));
        }
        let mut pairing = Pairing::default();
        let struck = |entrant: EntrantNumber| is_struck(history, entrant, games(self.cycles, starters.len()));
        self.add(&starters, round as u16, None, available, &struck, &mut pairing);
        Ok(pairing)
    }

    /// Adds the tables of one round robin, or of one group, to a round.
    pub(super) fn add(
        &self,
        entrants: &[EntrantNumber],
        round: u16,
        group: Option<u8>,
        available: &[EntrantNumber],
        is_struck: &dyn Fn(EntrantNumber) -> bool,
        pairing: &mut Pairing,
    ) {
        let size = entrants.len().next_multiple_of(2) as u16;
        let (round, cycle) = berger::scheduled(size, self.cycles, round);
        let at = |position: u16| entrants.get(usize::from(position) - 1).copied();
        let turned = |pair: (u16, u16)| if cycle % 2 == 1 { (pair.1, pair.0) } else { pair };
        let berger = Reason::Format(FormatReason::Berger { size, round, cycle: cycle + 1, group });
        for pair in berger::pairs(size, round) {
            let (first, second) = turned(pair);
            match (at(first).filter(|entrant| !is_struck(*entrant)), at(second).filter(|entrant| !is_struck(*entrant)))
            {
                (Some(first), Some(second)) => {
                    let absent = [first, second].into_iter().filter(|entrant| !available.contains(entrant));
                    let absent = absent.map(|entrant| Reason::Format(FormatReason::Absent { entrant }));
                    let reasons = std::iter::once(berger.clone()).chain(absent).collect();
                    pairing.tables.push(PairedTable { seats: vec![first, second], reasons });
                }
                (Some(entrant), None) | (None, Some(entrant)) if available.contains(&entrant) => {
                    let opponent = [first, second].into_iter().filter_map(at).find(|other| *other != entrant);
                    let why = opponent.map_or(FormatReason::SitsOut, |opponent| FormatReason::Struck { opponent });
                    pairing.byes.push(PairedBye { entrant, reasons: vec![berger.clone(), Reason::Format(why)] });
                }
                _ => {}
            }
        }
    }
}

/// How many games each entrant has in a round robin.
pub fn games(cycles: u8, entrants: usize) -> usize {
    usize::from(cycles) * entrants.saturating_sub(1)
}

/// Whether an entrant has withdrawn with less than half of its games played, so that the results do not
/// count.
///
/// # Source
/// FIDE General Regulations for Competitions, 6.6.
pub fn is_struck(history: &History, entrant: EntrantNumber, games: usize) -> bool {
    let has_left = history.entrants[entrant.index()].withdrew_after.is_some();
    has_left && 2 * history.played(entrant, history.rounds.len()) < games
}
