//! A journal in memory.

use std::sync::{PoisonError, RwLock};

use super::{Journal, JournalError};
use crate::entry::EventBytes;

/// A journal in memory: for tests, and for services whose records need not be kept.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    events: RwLock<Vec<EventBytes>>,
}

impl Journal for MemoryJournal {
    fn len(&self) -> u64 {
        self.events.read().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        let mut all = self.events.write().unwrap_or_else(PoisonError::into_inner);
        JournalError::unless_next(at, all.len() as u64)?;
        all.extend_from_slice(events);
        Ok(())
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        let events = self.events.read().unwrap_or_else(PoisonError::into_inner);
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        Ok(events.iter().skip(from).take(limit).cloned().collect())
    }
}
