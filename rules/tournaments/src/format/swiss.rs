//! Swiss systems for two seats.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, MOST_ROUNDS, PairingOptions, in_range};
use crate::{Entrant, History, Pairing, PairingError, StandingsRules, baku, dutch};

/// A fixed number of rounds, in which those with the same score meet, nobody twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swiss {
    /// How many rounds.
    pub rounds: u16,
    /// By which rules.
    #[serde(default)]
    pub system: System,
    /// Whether the first rounds are accelerated by the Baku method.
    #[serde(default)]
    pub is_accelerated: bool,
}

/// The rules of a Swiss system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum System {
    /// The FIDE Dutch system, C.04.3.
    #[default]
    Dutch,
    /// A quick one for thousands of entrants.
    Fast,
}

impl Swiss {
    pub(super) fn check(&self) -> Result<(), FormatError> {
        in_range("rounds", self.rounds, 1, MOST_ROUNDS)
    }

    /// How many entrants it takes.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        2..=usize::from(u16::MAX) - 1
    }

    /// The next round.
    ///
    /// # Errors
    /// [`PairingError::AllPaired`], and what the system cannot pair.
    pub fn pair(
        &self,
        history: &History,
        rules: &StandingsRules,
        options: &PairingOptions<'_>,
    ) -> Result<Pairing, PairingError> {
        if history.rounds.len() >= usize::from(self.rounds) {
            return Err(PairingError::AllPaired(usize::from(self.rounds)));
        }
        let options = dutch::Options {
            available: options.available.iter().copied().collect(),
            initial_seat: options.initial_seat,
            forbidden: options.forbidden.to_vec(),
            win: rules.scoring.win(2),
            draw: rules.scoring.draw(2),
            loss: rules.scoring.loss(2),
            progress: options.progress,
        };
        let history = if self.is_accelerated { &accelerated(history, &options) } else { history };
        match self.system {
            System::Dutch | System::Fast => dutch::pair(history, &options),
        }
    }
}

/// The history with the virtual points of Baku acceleration: the upper half of those who were there at the
/// start has them.
fn accelerated(history: &History, options: &dutch::Options<'_>) -> History {
    let starters: Vec<_> = history.starters().collect();
    let mut at_start = History {
        rounds_planned: history.rounds_planned,
        entrants: vec![Entrant::default(); starters.len()],
        rounds: Vec::new(),
    };
    baku::accelerate(&mut at_start, options.win, options.draw);
    let mut accelerated = history.clone();
    for (number, facts) in starters.iter().zip(at_start.entrants) {
        accelerated.entrants[number.index()].acceleration = facts.acceleration;
    }
    accelerated
}
