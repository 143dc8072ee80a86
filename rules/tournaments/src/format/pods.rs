//! A Swiss system for three to thirteen seats: pods.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, MOST_ROUNDS, in_range};

/// A fixed number of rounds, in which those with the same score sit at a table of three or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pods {
    /// How many rounds.
    pub rounds: u16,
    /// How many seats a pod should have.
    pub size: u8,
    /// How many it may have at least; as many as the game needs, but three, if that is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<u8>,
    /// How many it may have at most; as many as should if that is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub largest: Option<u8>,
}

impl Pods {
    pub(super) fn check(&self, seats: &RangeInclusive<u8>) -> Result<(), FormatError> {
        in_range("rounds", self.rounds, 1, MOST_ROUNDS)?;
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

    /// The sizes that pods may have, in a game of so many seats.
    pub fn sizes(&self, seats: &RangeInclusive<u8>) -> RangeInclusive<u8> {
        let least = 3.max(*seats.start());
        self.smallest.unwrap_or(least.min(self.size))..=self.largest.unwrap_or(self.size)
    }

    /// How many entrants it takes.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        3..=2_000
    }
}
