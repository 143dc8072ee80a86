//! The events by log and seq, in sled, fed from the journal.
//!
//! Key: log id (16 bytes), seq (8, big-endian). Value: journal position (8, big-endian), event.

use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_events::LogId;

use crate::Entry;
use crate::database::Unsound;
use crate::keyspace::Keyspace;
use crate::totals::Totals;

/// The name of the index's keyspace; no read model may have it.
pub(crate) const TREE: &str = "events";

/// The events of each log. Every answer has to be checked against the head of the log.
pub(crate) struct Index {
    keyspace: Keyspace,
    is_broken: AtomicBool,
}

impl Index {
    pub(crate) fn new(keyspace: Keyspace) -> Self {
        Self { keyspace, is_broken: AtomicBool::new(false) }
    }

    /// Adds the journal's next events. If sled fails, the index logs that and answers nothing from then
    /// on.
    pub(crate) fn apply(&self, entries: &[Entry]) {
        let Some(last) = entries.last() else { return };
        if self.is_broken.load(Ordering::Acquire) {
            return;
        }
        if let Err(why) = self.keyspace.add(entries.iter().map(pair), last.position + 1) {
            tracing::error!(%why, "the index failed; logs are read from the journal");
            self.is_broken.store(true, Ordering::Release);
        }
    }

    /// The events of a log with these seqs, in order, read as they are taken; `None` where the index cannot
    /// tell.
    pub(crate) fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> impl Iterator<Item = Option<Entry>> {
        let is_broken = self.is_broken.load(Ordering::Acquire);
        let range = (from_seq < until_seq).then(|| (key(log, from_seq), key(log, until_seq)));
        let pairs = range.map(|(from, to)| self.keyspace.range(Bound::Included(&from), Bound::Excluded(&to)));
        let entries = pairs.into_iter().flatten().map(|pair| entry(&pair.ok()?.1));
        std::iter::repeat_n(None, usize::from(is_broken && from_seq < until_seq)).chain(entries)
    }

    /// All events of an index, in the order of logs and seqs.
    pub(crate) fn all(keyspace: &Keyspace) -> impl Iterator<Item = Result<Entry, Unsound>> {
        keyspace.range(Bound::Unbounded, Bound::Unbounded).map(|pair| {
            let (_, value) = pair.map_err(|why| Unsound(why.to_string()))?;
            entry(&value).ok_or_else(|| Unsound("a pair holds no event".to_owned()))
        })
    }

    /// Reports that the index answered wrongly.
    pub(crate) fn distrust(&self, log: LogId) {
        tracing::warn!(%log, "the index is damaged and will be rebuilt after a restart");
        self.keyspace.database().distrust();
    }
}

/// Adds an event to the totals that an index with exactly the events so far would have.
pub(crate) fn count(totals: &mut Totals, entry: &Entry) {
    let (key, value) = pair(entry);
    totals.add(&key, &value);
    totals.position = entry.position + 1;
}

fn key(log: LogId, seq: u64) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(&log.to_bytes());
    key[16..].copy_from_slice(&seq.to_be_bytes());
    key
}

/// The key and the value of an event.
pub(crate) fn pair(entry: &Entry) -> (Vec<u8>, Vec<u8>) {
    let mut value = Vec::with_capacity(8 + entry.bytes.len());
    value.extend_from_slice(&entry.position.to_be_bytes());
    value.extend_from_slice(&entry.bytes);
    (key(entry.log, entry.seq).to_vec(), value)
}

fn entry(value: &[u8]) -> Option<Entry> {
    let (position, bytes) = value.split_first_chunk()?;
    Entry::of(u64::from_be_bytes(*position), bytes.into())
}
