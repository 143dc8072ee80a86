//! The ends of all logs.

use std::collections::BTreeMap;
use std::ops::Bound;

use plybook_events::{AtText, Hash, LogId};

use super::Head;
use crate::Entry;
use crate::event_sum::EventSum;

/// The ends of all logs, about 130 bytes per log.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tips {
    by_log: BTreeMap<LogId, Tip>,
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

impl Tips {
    /// The ends of these logs, in order, after these events.
    pub(crate) fn new(tips: impl IntoIterator<Item = (LogId, Tip)>, events: EventSum) -> Self {
        Self { by_log: tips.into_iter().collect(), events }
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
        self.by_log.insert(entry.log, Tip::of(entry));
        self.events.push(entry);
    }

    /// The end of a log.
    pub(crate) fn get(&self, log: LogId) -> Option<&Tip> {
        self.by_log.get(&log)
    }

    /// The ends of the logs that follow `after` in the order of ids.
    pub(crate) fn after(&self, after: Option<LogId>) -> impl Iterator<Item = (LogId, Tip)> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.by_log.range((from, Bound::Unbounded)).map(|(log, tip)| (*log, *tip))
    }

    /// The number of logs.
    pub(crate) fn logs_len(&self) -> usize {
        self.by_log.len()
    }
}
