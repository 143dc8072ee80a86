//! The events by log and seq, fed from the journal.
//!
//! In sled, key: log id (16 bytes), seq (8, big-endian); value: journal position (8, big-endian), event.
//! A store that writes nothing to its directory has [`Positions`] in memory instead.

use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_events::LogId;

use crate::database::Unsound;
use crate::keyspace::Keyspace;
use crate::positions::Positions;
use crate::totals::Totals;
use crate::{Entry, Journal};

/// The name of the index's keyspace, which no read model may use.
pub(crate) const TREE: &str = "events";

/// The events of each log. Every answer has to be checked against the head of the log.
pub(crate) enum Index {
    /// In sled.
    Kept(KeptIndex),
    /// In memory.
    InMemory(Positions),
}

/// The events themselves, in a keyspace.
pub(crate) struct KeptIndex {
    keyspace: Keyspace,
    is_broken: AtomicBool,
}

impl Index {
    /// An index in a keyspace.
    pub(crate) fn new(keyspace: Keyspace) -> Self {
        Self::Kept(KeptIndex { keyspace, is_broken: AtomicBool::new(false) })
    }

    /// An empty index in memory.
    pub(crate) fn in_memory(journal: Arc<dyn Journal>) -> Self {
        Self::InMemory(Positions::new(journal))
    }

    /// Adds the journal's next events. If sled fails, the index logs that, and returns nothing from then on.
    pub(crate) fn apply(&self, entries: &[Entry]) {
        match self {
            Self::Kept(kept) => kept.apply(entries),
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
            Self::Kept(kept) => Box::new(kept.read(log, from_seq, until_seq)),
            Self::InMemory(positions) => match positions.read(log, from_seq, until_seq) {
                Some(entries) => Box::new(entries.into_iter().map(Some)),
                None => Box::new(std::iter::once(None)),
            },
        }
    }

    /// Reports that the index returned something wrong.
    pub(crate) fn distrust(&self, log: LogId) {
        tracing::warn!(%log, "the index is damaged and will be rebuilt after a restart");
        if let Self::Kept(kept) = self {
            kept.keyspace.database().distrust();
        }
    }
}

impl KeptIndex {
    fn apply(&self, entries: &[Entry]) {
        let Some(last) = entries.last() else { return };
        if self.is_broken.load(Ordering::Acquire) {
            return;
        }
        if let Err(why) = self.keyspace.add(entries.iter().map(pair), last.position + 1) {
            tracing::error!(%why, "the index failed; logs are read from the journal");
            self.is_broken.store(true, Ordering::Release);
        }
    }

    fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> impl Iterator<Item = Option<Entry>> {
        let is_broken = self.is_broken.load(Ordering::Acquire);
        let (from, to) = (key(log, from_seq), key(log, until_seq));
        let pairs = self.keyspace.range(Bound::Included(&from), Bound::Excluded(&to));
        let broken = std::iter::repeat_n(None, usize::from(is_broken));
        broken.chain(pairs.map(|pair| entry(&pair.ok()?.1)))
    }
}

/// All events of an index in a keyspace, in the order of logs and seqs.
pub(crate) fn all(keyspace: &Keyspace) -> impl Iterator<Item = Result<Entry, Unsound>> {
    keyspace.range(Bound::Unbounded, Bound::Unbounded).checked().map(|pair| {
        let (_, value) = pair?;
        entry(&value).ok_or_else(|| Unsound::Damaged("a pair holds no event".to_owned()))
    })
}

/// Adds an event to the totals of an index that contains exactly the events so far.
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
