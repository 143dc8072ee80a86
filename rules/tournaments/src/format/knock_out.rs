//! Knock-outs.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, in_range};

/// How many entrants a knock-out takes.
pub const ENTRANTS: RangeInclusive<usize> = 2..=1_024;

/// Whoever loses a match is out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnockOut {
    /// How many games a match has: 1 to 15. It ends as soon as one side has more than half of the points.
    #[serde(default = "one")]
    pub best_of: u8,
    /// Whether those who lose the semi-finals play for the third place.
    #[serde(default)]
    pub has_third_place: bool,
    /// What happens when a match is level after its games.
    #[serde(default)]
    pub level: Level,
}

/// What happens when a match is level after its games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "then", rename_all = "snake_case", deny_unknown_fields)]
pub enum Level {
    /// Games are added, with seats changed each time, until one is won. The arbiter may decide one of them
    /// as a forfeit.
    #[default]
    Replay,
    /// So many games are added; if they are level too, the lower number goes through.
    HigherSeed {
        /// How many: 0 to 10.
        after_replays: u8,
    },
}

impl Default for KnockOut {
    fn default() -> Self {
        Self { best_of: one(), has_third_place: false, level: Level::default() }
    }
}

fn one() -> u8 {
    1
}

impl KnockOut {
    pub(super) fn check(&self) -> Result<(), FormatError> {
        in_range("best_of", self.best_of.into(), 1, 15)?;
        match self.level {
            Level::HigherSeed { after_replays } => in_range("after_replays", after_replays.into(), 0, 10),
            Level::Replay => Ok(()),
        }
    }
}
