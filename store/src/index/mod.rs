//! The events by log and seq, fed from the journal.
//!
//! In sled, in [blocks](block): key: log id (16 bytes), seq of the first event (8, big-endian); value: the block. Under
//! the key `sum` stands the sum of the [`EventSum`] of all events (16 bytes, big-endian).
//! A store that writes nothing to its directory has [`Positions`] in memory instead.

mod block;
mod rows;

use std::sync::Arc;

use plybook_events::LogId;

use crate::positions::Positions;
use crate::{Entry, Journal};
pub(crate) use rows::{Rows, TREE, stored_sum};

/// The events of each log. Every answer has to be checked against the head of the log.
pub(crate) enum Index {
    /// In sled.
    Kept(Rows),
    /// In memory.
    InMemory(Positions),
}

impl Index {
    /// An empty index in memory.
    pub(crate) fn in_memory(journal: Arc<dyn Journal>) -> Self {
        Self::InMemory(Positions::new(journal))
    }

    /// Adds the journal's next events. If sled fails, the index logs that, and returns nothing from then on.
    pub(crate) fn apply(&self, entries: &[Entry]) {
        match self {
            Self::Kept(rows) => rows.apply(entries),
            Self::InMemory(positions) => positions.apply(entries),
        }
    }

    /// The events of a log with these seqs, in order, read as they are taken; `None` if the index does not
    /// have one.
    pub(crate) fn read(
        &self,
        log: LogId,
        from_seq: u64,
        until_seq: u64,
    ) -> Box<dyn Iterator<Item = Option<Entry>> + '_> {
        if from_seq >= until_seq {
            return Box::new(std::iter::empty());
        }
        match self {
            Self::Kept(rows) => Box::new(rows.read(log, from_seq, until_seq)),
            Self::InMemory(positions) => match positions.read(log, from_seq, until_seq) {
                Some(entries) => Box::new(entries.into_iter().map(Some)),
                None => Box::new(std::iter::once(None)),
            },
        }
    }

    /// Reports that the index returned something wrong.
    pub(crate) fn distrust(&self, log: LogId) {
        tracing::warn!(%log, "the index is damaged and will be rebuilt after a restart");
        if let Self::Kept(rows) = self {
            rows.distrust();
        }
    }
}
