//! The events by log and seq, in sled, fed from the journal.
//!
//! Key: log id (16 bytes), seq (8, big-endian). Value: journal position (8, big-endian), event.

use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_events::LogId;

use crate::Entry;
use crate::database::Unsound;
use crate::table::Table;
use crate::totals::Totals;

/// The name of the index's tree; no read model may have it.
pub(crate) const TREE: &str = "events";

/// The per-log events. Whatever it answers has to be checked against the head of the log.
pub(crate) struct Index {
    table: Table,
    is_broken: AtomicBool,
}

impl Index {
    pub(crate) fn new(table: Table) -> Self {
        Self { table, is_broken: AtomicBool::new(false) }
    }

    /// Takes in the journal's next events. If sled fails, the index says so, and answers nothing
    /// from then on.
    pub(crate) fn apply(&self, entries: &[Entry]) {
        let Some(last) = entries.last() else { return };
        if self.is_broken.load(Ordering::Acquire) {
            return;
        }
        if let Err(why) = self.table.add(entries.iter().map(row), last.position + 1) {
            tracing::error!(%why, "the index failed; logs are read from the journal");
            self.is_broken.store(true, Ordering::Release);
        }
    }

    /// The events of a log with these seqs, in order; nothing where it cannot tell.
    pub(crate) fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> Option<Vec<Entry>> {
        if from_seq >= until_seq {
            return Some(Vec::new());
        }
        if self.is_broken.load(Ordering::Acquire) {
            return None;
        }
        let (from, to) = (key(log, from_seq), key(log, until_seq));
        let rows = self.table.range(Bound::Included(&from), Bound::Excluded(&to));
        rows.map(|row| entry(&row.ok()?.1)).collect()
    }

    /// All events of an index, in the order of logs and seqs.
    pub(crate) fn all(table: &Table) -> impl Iterator<Item = Result<Entry, Unsound>> {
        table.range(Bound::Unbounded, Bound::Unbounded).map(|row| {
            let (_, value) = row.map_err(|why| Unsound(why.to_string()))?;
            entry(&value).ok_or_else(|| Unsound("a row holds no event".to_owned()))
        })
    }

    /// Notes that it answered wrongly.
    pub(crate) fn distrust(&self, log: LogId) {
        tracing::warn!(%log, "the index is damaged and will be rebuilt after a restart");
        self.table.database().distrust();
    }
}

/// Adds an event to the totals that an index with exactly the events so far would have.
pub(crate) fn count(totals: &mut Totals, entry: &Entry) {
    let (key, value) = row(entry);
    totals.add(&key, &value);
    totals.position = entry.position + 1;
}

fn key(log: LogId, seq: u64) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(&log.to_bytes());
    key[16..].copy_from_slice(&seq.to_be_bytes());
    key
}

/// The row of an event: its key and its value.
pub(crate) fn row(entry: &Entry) -> (Vec<u8>, Vec<u8>) {
    let mut value = Vec::with_capacity(8 + entry.bytes.len());
    value.extend_from_slice(&entry.position.to_be_bytes());
    value.extend_from_slice(&entry.bytes);
    (key(entry.log, entry.seq).to_vec(), value)
}

fn entry(value: &[u8]) -> Option<Entry> {
    let (position, bytes) = value.split_first_chunk()?;
    Entry::of(u64::from_be_bytes(*position), bytes.into())
}
