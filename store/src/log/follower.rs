//! Reading the journal as it grows.

use std::time::Duration;

use super::{Log, ReadError};
use crate::entry::Entry;

/// A position in the journal that advances as events are read.
#[derive(Clone)]
pub struct Follower {
    log: Log,
    position: u64,
}

impl Follower {
    pub(super) fn new(log: Log, position: u64) -> Self {
        Self { log, position }
    }

    /// The position of the next event.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The next events, at most `limit`. If there are none yet, waits for one, but no longer than `timeout`,
    /// and then returns none.
    ///
    /// # Errors
    /// The journal cannot be read; the position has not changed.
    pub fn next_batch(&mut self, limit: usize, timeout: Duration) -> Result<Vec<Entry>, ReadError> {
        self.log.shared().wait_beyond(self.position, timeout);
        let entries = self.log.entries(self.position, limit)?;
        self.position += entries.len() as u64;
        Ok(entries)
    }
}
