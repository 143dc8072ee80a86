//! A number of each game that differs from nearly all others.

use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};

use plybook_store::TableError;
use roaring::RoaringBitmap;

use super::distribution::Distribution;
use super::scan::Scan;
use crate::blocks::{BlockReader, BlockWriter};

/// A number of each game, by the game's number: eight bytes a game. The distribution of all games that count is kept until
/// one of them changes, and so is that of the games that were asked about last: statistics tell it twice.
#[derive(Default)]
pub struct RealColumn {
    /// NaN where there is none.
    values: Vec<f64>,
    of_summed: OnceLock<Distribution>,
    of_last: Mutex<Option<(RoaringBitmap, Distribution)>>,
}

impl RealColumn {
    /// Writes the column.
    pub(crate) fn write(&self, to: &mut BlockWriter) -> io::Result<()> {
        to.push_items(self.values.iter().map(|value| value.to_be_bytes()))
    }

    /// Reads what was written of no more than so many games.
    pub(crate) fn read(from: &mut BlockReader<'_>, games: usize) -> Result<Self, TableError> {
        let values = from.read_items(f64::from_be_bytes)?;
        if values.len() <= games { Ok(Self { values, ..Self::default() }) } else { Err(from.damaged()) }
    }

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
        *self.of_last.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The distribution of the numbers of the games of a scan.
    pub fn distribution(&self, scan: &Scan) -> Distribution {
        let of = || Distribution::of(scan.games().iter().filter_map(|number| self.get(number)).collect());
        if scan.is_summed() {
            return self.of_summed.get_or_init(of).clone();
        }
        let last = || self.of_last.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = last().as_ref().filter(|(games, _)| games == scan.games()).map(|(_, kept)| kept.clone());
        kept.unwrap_or_else(|| last().insert((scan.games().clone(), of())).1.clone())
    }
}
