//! Swiss systems for two seats.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::{FormatError, MOST_ROUNDS, PairingOptions, in_range};
use crate::{History, Pairing, PairingError, Points, Scoring, baku, dutch, fast};

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

    /// Pairs the next round.
    pub(super) fn pair(
        &self,
        history: &History,
        scoring: &Scoring,
        options: &PairingOptions<'_>,
    ) -> Result<Pairing, PairingError> {
        if history.rounds.len() >= usize::from(self.rounds) {
            return Err(PairingError::AllPaired(history.rounds.len()));
        }
        let (win, draw, loss) = match scoring {
            Scoring::Result { win, draw, loss, .. } => (*win, *draw, *loss),
            Scoring::Place { points, .. } => {
                let place = |index: usize| points.get(index).copied().unwrap_or_default();
                (place(0), Points(u32::midpoint(place(0).0, place(1).0)), place(1))
            }
            Scoring::Beaten { .. } => (Points::ONE, Points::HALF, Points::ZERO),
        };
        let mut history = history.clone();
        history.rounds_planned = Some(self.rounds);
        if self.is_accelerated {
            baku::accelerate(&mut history, win, draw);
        }
        let options = dutch::Options {
            initial_seat: options.initial_seat,
            forbidden: options.forbidden.to_vec(),
            win,
            draw,
            loss,
            progress: options.progress,
            ..dutch::Options::new(options.available.iter().copied().collect())
        };
        match self.system {
            System::Dutch => dutch::pair(&history, &options),
            System::Fast => fast::pair(&history, &options),
        }
    }

    /// The name and version of the system, for what was paired with it.
    pub fn engine(&self) -> &'static str {
        match self.system {
            System::Dutch => dutch::ENGINE,
            System::Fast => fast::ENGINE,
        }
    }

    /// How many entrants it takes.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        match self.system {
            System::Dutch => 2..=dutch::ENTRANTS_MAX,
            System::Fast => 2..=fast::ENTRANTS_MAX,
        }
    }
}
