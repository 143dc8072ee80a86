//! Swiss systems for two seats.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, MOST_ROUNDS, in_range};

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
}
