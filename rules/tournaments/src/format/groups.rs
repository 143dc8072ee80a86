//! Groups, then a knock-out.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, KnockOut, in_range, knock_out, round_robin};

/// Round robins in groups, then a knock-out of the best of each group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// How many groups: 2 to 64. Numbers are dealt to them to and fro: 1 2 3 3 2 1 1 2 3.
    pub groups: u8,
    /// How many of each group go through: 1 to 8.
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

    /// How many entrants it takes: every group has at least two, and more than go through.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        let (groups, advance) = (usize::from(self.groups), usize::from(self.advance));
        let most = (groups * round_robin::ENTRANTS.end()).min(*knock_out::ENTRANTS.end() * 4);
        groups * (advance + 1)..=most
    }
}
