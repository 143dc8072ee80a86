//! The ends of all logs.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use plybook_events::{AtText, Hash, LogId};

use super::Head;
use crate::ends::SavedEnds;
use crate::event_sum::EventSum;
use crate::{Entry, TableError};

/// The ends of all logs: on disk as they were saved, and in memory those that have changed since, about 100 bytes each.
#[derive(Default)]
pub(crate) struct Tips {
    saved: Option<Arc<SavedEnds>>,
    /// Those on their way to the disk.
    saving: Arc<BTreeMap<LogId, Tip>>,
    /// Those that changed later.
    changed: BTreeMap<LogId, Tip>,
    logs: usize,
    events: EventSum,
}

/// The end of one log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tip {
    pub head: Head,
    /// The time of the last event.
    pub at: AtText,
}

impl Tip {
    /// How many bytes it takes.
    pub(crate) const BYTES: usize = 8 + 32 + 8 + 24;

    /// The end of a log whose last event this is.
    pub(crate) fn of(entry: &Entry) -> Self {
        Self { head: Head { seq: entry.seq, hash: entry.hash, position: entry.position }, at: entry.at() }
    }

    /// Seq (8, big-endian), hash (32), position in the journal (8, big-endian) and time (24, as in the event).
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.head.seq.to_be_bytes());
        bytes[8..40].copy_from_slice(&self.head.hash.0);
        bytes[40..48].copy_from_slice(&self.head.position.to_be_bytes());
        bytes[48..].copy_from_slice(&self.at);
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes.
    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let number = |at: usize| u64::from_be_bytes(*bytes[at..].first_chunk().expect("there are 72 bytes"));
        let hash = Hash(*bytes[8..].first_chunk().expect("there are 72 bytes"));
        let at = *bytes[48..].first_chunk().expect("there are 72 bytes");
        Self { head: Head { seq: number(0), hash, position: number(40) }, at }
    }
}

/// Where the end of a log is.
pub(crate) enum End {
    /// Here.
    Known(Tip),
    /// On disk, if there is such a log.
    Saved(Option<Arc<SavedEnds>>),
}

impl End {
    /// The end; `None` if there is no such log.
    pub(crate) fn read(self, log: LogId) -> Result<Option<Tip>, TableError> {
        match self {
            Self::Known(tip) => Ok(Some(tip)),
            Self::Saved(saved) => saved.map_or(Ok(None), |saved| saved.get(log)),
        }
    }
}

/// Where the ends of some logs are that follow another one.
pub(crate) struct EndsAfter {
    pub saved: Option<Arc<SavedEnds>>,
    /// Those in memory.
    newer: BTreeMap<LogId, Tip>,
    after: Option<LogId>,
    limit: usize,
}

impl EndsAfter {
    /// The ends, in the order of ids.
    pub(crate) fn read(&self) -> Result<Vec<(LogId, Tip)>, TableError> {
        let saved = self.saved.as_ref().map_or(Ok(Vec::new()), |saved| saved.after(self.after, self.limit))?;
        // The first logs of all are among the first of each.
        let mut ends: BTreeMap<LogId, Tip> = saved.into_iter().collect();
        ends.extend(&self.newer);
        Ok(ends.into_iter().take(self.limit).collect())
    }
}

impl Tips {
    /// The ends that were saved after these events.
    pub(crate) fn saved(saved: SavedEnds, events: EventSum) -> Self {
        Self { logs: saved.logs_len(), saved: Some(Arc::new(saved)), events, ..Self::default() }
    }

    /// The number of events added.
    pub(crate) fn len(&self) -> u64 {
        self.events.position
    }

    /// The number of events added, and their sum.
    pub(crate) fn events(&self) -> EventSum {
        self.events
    }

    /// Adds the journal's next event.
    pub(crate) fn push(&mut self, entry: &Entry) {
        debug_assert_eq!(entry.position, self.len(), "events arrive in journal order");
        self.logs += usize::from(entry.seq == 0);
        self.change(entry.log, Tip::of(entry));
        self.events.push(entry);
    }

    pub(crate) fn change(&mut self, log: LogId, end: Tip) {
        self.changed.insert(log, end);
    }

    /// Where the end of a log is.
    pub(crate) fn get(&self, log: LogId) -> End {
        let known = self.changed.get(&log).or_else(|| self.saving.get(&log));
        known.map_or_else(|| End::Saved(self.saved.clone()), |tip| End::Known(*tip))
    }

    /// Where the ends of at most `limit` logs are that follow `after` in the order of ids.
    pub(crate) fn after(&self, after: Option<LogId>, limit: usize) -> EndsAfter {
        let from = (after.map_or(Bound::Unbounded, Bound::Excluded), Bound::Unbounded);
        let mut newer = BTreeMap::new();
        for ends in [&*self.saving, &self.changed] {
            newer.extend(ends.range(from).take(limit).map(|(log, tip)| (*log, *tip)));
        }
        EndsAfter { saved: self.saved.clone(), newer, after, limit }
    }

    /// The number of logs.
    pub(crate) fn logs_len(&self) -> usize {
        self.logs
    }

    /// What is on disk, and what has to be added to it. What changes from now on is told apart.
    pub(crate) fn begin_saving(&mut self) -> (Option<Arc<SavedEnds>>, Arc<BTreeMap<LogId, Tip>>) {
        Arc::make_mut(&mut self.saving).append(&mut self.changed);
        (self.saved.clone(), Arc::clone(&self.saving))
    }

    /// Goes on with what is on disk now, which has what was being saved; returns that.
    pub(crate) fn finish_saving(&mut self, saved: SavedEnds) -> Arc<BTreeMap<LogId, Tip>> {
        self.saved = Some(Arc::new(saved));
        std::mem::take(&mut self.saving)
    }

    /// What is on disk.
    pub(crate) fn saved_ends(&self) -> Option<&Arc<SavedEnds>> {
        self.saved.as_ref()
    }

    /// Goes on without what is on disk, which is damaged: with what it should have.
    pub(crate) fn replace_saved(&mut self, mut ends: BTreeMap<LogId, Tip>) {
        self.saved = None;
        ends.append(Arc::make_mut(&mut self.saving));
        self.saving = Arc::new(ends);
    }
}
