//! A column of real numbers, for what differs from game to game.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::distribution::Distribution;
use super::scan::Scan;
use crate::snapshot::numbers;

/// A number of each game, by the game's number: eight bytes a game. The distribution of all games that count is kept until one of
/// them changes.
#[derive(Default, Serialize, Deserialize)]
pub struct RealColumn {
    /// NaN where there is none.
    #[serde(with = "numbers")]
    values: Vec<f64>,
    #[serde(skip)]
    of_summed: OnceLock<Distribution>,
}

impl RealColumn {
    /// The number of a game; `None` if it has none.
    pub fn get(&self, number: u32) -> Option<f64> {
        self.values.get(number as usize).copied().filter(|value| !value.is_nan())
    }

    /// Sets the number of a game that does not count at the moment.
    pub fn set(&mut self, number: u32, value: Option<f64>) {
        let at = number as usize;
        if self.values.len() <= at {
            self.values.resize(at + 1, f64::NAN);
        }
        self.values[at] = value.unwrap_or(f64::NAN);
        self.of_summed.take();
    }

    /// The distribution of the numbers of the games of a scan.
    pub fn distribution(&self, scan: &Scan) -> Distribution {
        let of = || Distribution::of(scan.games().iter().filter_map(|number| self.get(number)).collect());
        if scan.is_summed() { self.of_summed.get_or_init(of).clone() } else { of() }
    }
}
