//! Swiss systems for two seats.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, MOST_ROUNDS, PairingOptions, in_range};
use crate::{History, Pairing, PairingError, StandingsRules, baku, dutch, fast};

/// A fixed number of rounds between opponents with the same score, who never meet twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swiss {
    /// The number of rounds.
    pub rounds: u16,
    /// The pairing rules.
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
    /// A faster system for thousands of entrants.
    Fast,
}

impl Swiss {
    pub(super) fn check(&self) -> Result<(), FormatError> {
        in_range("rounds", self.rounds, 1, MOST_ROUNDS)
    }

    /// How many entrants are allowed.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        match self.system {
            System::Dutch => 2..=dutch::ENTRANTS_MAX,
            System::Fast => 2..=fast::ENTRANTS_MAX,
        }
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
        let mut history = history.clone();
        history.rounds_planned = Some(self.rounds);
        if self.is_accelerated {
            baku::accelerate(&mut history, options.win, options.draw);
        }
        match self.system {
            System::Dutch => dutch::pair(&history, &options),
            System::Fast => fast::pair(&history, &options),
        }
    }

    /// The name and version of the system. Under the same name, the same history and options always give the
    /// same pairing.
    pub fn engine(&self) -> &'static str {
        match self.system {
            System::Dutch => dutch::ENGINE,
            System::Fast => fast::ENGINE,
        }
    }
}
