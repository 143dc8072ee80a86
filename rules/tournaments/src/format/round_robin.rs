//! Round robins by the Berger tables.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, in_range};

/// How many entrants a round robin takes.
pub const ENTRANTS: RangeInclusive<usize> = 2..=100;

/// Everybody meets everybody, once or several times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {
    /// How often everybody meets everybody: 1 to 4. Seats change from one time to the next.
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

    /// How many rounds so many entrants need: with an odd number, everybody has a bye in each cycle.
    pub fn rounds(&self, entrants: usize) -> u16 {
        u16::from(self.cycles) * (entrants.next_multiple_of(2).saturating_sub(1)) as u16
    }
}
