//! An index in memory: where in the journal the events of each log are.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use plybook_events::LogId;

use crate::{Entry, Journal};

/// How many events are read from the journal at once. The events of a log are often consecutive.
const READ_EVENTS: u64 = 64;

/// The journal positions of each log's events, by seq; 8 bytes per event.
pub(crate) struct Positions {
    journal: Arc<dyn Journal>,
    by_log: RwLock<HashMap<LogId, Vec<u64>>>,
}

impl Positions {
    pub(crate) fn new(journal: Arc<dyn Journal>) -> Self {
        Self { journal, by_log: RwLock::default() }
    }

    /// Adds the journal's next events.
    pub(crate) fn apply(&self, entries: &[Entry]) {
        let mut by_log = self.by_log.write().unwrap_or_else(PoisonError::into_inner);
        for entry in entries {
            by_log.entry(entry.log).or_default().push(entry.position);
        }
    }

    /// The events of a log with these seqs, in order; `None` if the journal does not contain them.
    pub(crate) fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> Option<Vec<Entry>> {
        let seqs = usize::try_from(from_seq).ok()?..usize::try_from(until_seq).ok()?;
        let wanted = {
            let by_log = self.by_log.read().unwrap_or_else(PoisonError::into_inner);
            by_log.get(&log)?.get(seqs)?.to_vec()
        };
        let mut found: Vec<Entry> = Vec::with_capacity(wanted.len());
        while let Some(next) = wanted.get(found.len()) {
            let last = wanted.last().unwrap_or(next);
            let events = self.journal.read(*next, READ_EVENTS.min(last - next + 1) as usize).ok()?;
            let before = found.len();
            for (position, bytes) in (*next..).zip(events) {
                if wanted.get(found.len()) == Some(&position) {
                    found.push(Entry::of(position, bytes)?);
                }
            }
            if found.len() == before {
                return None;
            }
        }
        Some(found)
    }
}
