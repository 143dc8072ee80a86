//! How far an entrant has come, in formats whose places do not follow from points.

use std::fmt;

use super::reason::stage_name;

/// How far an entrant has come, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reached {
    /// Won the final.
    Winner,
    /// Lost the final, or is still playing in it.
    Final {
        /// Whether the final is lost.
        is_out: bool,
    },
    /// In the match for third place, or past it.
    ThirdPlace {
        /// Whether the match was lost; `None` while it is undecided. Undecided comes first.
        has_lost: Option<bool>,
    },
    /// A stage before the final.
    Stage {
        /// The number of matches in the stage.
        matches: u16,
        /// Whether the match was lost. Winners move on to the next stage as soon as it begins.
        is_out: bool,
    },
    /// Did not get past the groups.
    Group {
        /// The place in the group, from 1.
        place: u16,
    },
}

impl Reached {
    /// What a match in a stage of this many matches means for a side that has won it, lost it, or neither.
    pub(super) fn of(matches: u16, is_third_place: bool, has_won: Option<bool>) -> Self {
        match (matches, is_third_place, has_won) {
            (_, true, has_won) => Self::ThirdPlace { has_lost: has_won.map(|won| !won) },
            (1, _, Some(true)) => Self::Winner,
            (1, ..) => Self::Final { is_out: has_won.is_some() },
            (matches, _, has_won) => Self::Stage { matches, is_out: has_won == Some(false) },
        }
    }
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Winner => f.write_str("Winner"),
            Self::Final { .. } => f.write_str("Final"),
            Self::ThirdPlace { has_lost: None } => f.write_str("Match for third place"),
            Self::ThirdPlace { has_lost: Some(false) } => f.write_str("Third place"),
            Self::ThirdPlace { has_lost: Some(true) } => f.write_str("Fourth place"),
            Self::Stage { matches, .. } => f.write_str(&stage_name(*matches)),
            Self::Group { place } => write!(f, "Place {place} of the group"),
        }
    }
}
