//! An index in memory: where in the journal the events of each log are.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use plybook_events::{LogId, RequestId};

use super::Head;
use crate::entry::Entry;
use crate::journal::Journal;

/// How many events are read from the journal at once. The events of a log are often consecutive.
const READ_EVENTS: u64 = 64;

/// The head of each log, and the journal positions of its events, by seq; 8 bytes per event.
pub(super) struct Positions {
    journal: Arc<dyn Journal>,
    by_log: RwLock<BTreeMap<LogId, (Head, Vec<u64>)>>,
    /// The log and the seq of the first event of each request that has a key.
    requests: RwLock<HashMap<[u8; 12], (LogId, u64)>>,
}

impl Positions {
    pub(super) fn new(journal: &Arc<dyn Journal>) -> Self {
        Self { journal: Arc::clone(journal), by_log: RwLock::default(), requests: RwLock::default() }
    }

    /// Adds the journal's next events.
    pub(super) fn add(&self, entries: &[Entry]) {
        let mut by_log = self.by_log.write().unwrap_or_else(PoisonError::into_inner);
        let mut requests = self.requests.write().unwrap_or_else(PoisonError::into_inner);
        for entry in entries {
            let head = Head::of(entry);
            let log = by_log.entry(entry.log).or_insert((head, Vec::new()));
            log.0 = head;
            log.1.push(entry.position);
            if let Some(request) = entry.request() {
                requests.entry(request.key).or_insert((entry.log, entry.seq));
            }
        }
    }

    pub(super) fn head(&self, log: LogId) -> Option<Head> {
        self.by_log().get(&log).map(|(head, _)| *head)
    }

    pub(super) fn written_by(&self, request: &RequestId) -> Option<(LogId, u64)> {
        self.requests.read().unwrap_or_else(PoisonError::into_inner).get(&request.key).copied()
    }

    pub(super) fn logs_len(&self) -> usize {
        self.by_log().len()
    }

    pub(super) fn logs_after(&self, after: Option<LogId>, limit: usize) -> Vec<LogId> {
        let from = (after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
        self.by_log().range(from).take(limit).map(|(log, _)| *log).collect()
    }

    /// The events of a log with these seqs, in order; `None` if the journal does not contain them.
    pub(super) fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> Option<Vec<Entry>> {
        let seqs = usize::try_from(from_seq).ok()?..usize::try_from(until_seq).ok()?;
        let wanted = self.by_log().get(&log)?.1.get(seqs)?.to_vec();
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

    fn by_log(&self) -> RwLockReadGuard<'_, BTreeMap<LogId, (Head, Vec<u64>)>> {
        self.by_log.read().unwrap_or_else(PoisonError::into_inner)
    }
}
