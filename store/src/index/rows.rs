//! The blocks of all logs in sled.
//!
//! New events are put into a block of their own. Every few events, the small blocks at the end of their log and the
//! last one that is not full become one. So an event is written about four times, and a log has few small blocks.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use plybook_events::LogId;

use super::block::{self, Header, Packer, Unpacker};
use crate::Entry;
use crate::database::{Database, Unsound};
use crate::event_sum::EventSum;
use crate::keyspace::{Keyspace, Pair};
use crate::totals::Totals;

/// The name of the index's keyspace, which no read model may use.
pub(crate) const TREE: &str = "logs";

/// The key of the event sum; shorter than those of the blocks.
const SUM: &[u8] = b"sum";

/// Small blocks are joined whenever the log reaches a multiple of this.
const JOIN_EVENTS: u64 = 16;

/// A block with so many bytes of contents is not small, however few events it has.
const SMALL_BYTES: usize = 8 * 1024;

/// A block with so many bytes of contents takes no more events.
const FULL_BYTES: usize = 24 * 1024;

/// sled is flushed after so many events. It reuses the space of what was replaced only after that: without it, a file
/// that is filled fast becomes 1.8 times as large.
const FLUSH_EVENTS: usize = 32_768;

/// The events themselves, in a keyspace.
pub(crate) struct Rows {
    keyspace: Keyspace,
    packer: Packer,
    written: Mutex<Written>,
    /// Held while pairs are exchanged, and while those of a log are collected: sled's iterators see some before and some after.
    moving: RwLock<()>,
    is_broken: AtomicBool,
}

struct Written {
    /// The sum of the event sum.
    sum: u128,
    /// How many events were added since sled was flushed.
    unflushed: usize,
}

/// The pairs to take away and to add, and the event sum after that.
struct Step {
    old: Vec<Pair>,
    new: Vec<Pair>,
    sum: EventSum,
}

impl Rows {
    /// The index of a database.
    pub(crate) fn open(keyspace: Keyspace) -> Result<Self, Unsound> {
        let sum = match keyspace.value(SUM)? {
            None => 0,
            Some(bytes) => {
                read_sum(&bytes).ok_or_else(|| Unsound::Damaged("the event sum cannot be read".to_owned()))?
            }
        };
        Ok(Self {
            keyspace,
            packer: Packer::new(),
            written: Mutex::new(Written { sum, unflushed: 0 }),
            moving: RwLock::new(()),
            is_broken: AtomicBool::new(false),
        })
    }

    /// The number of events applied, and their sum.
    pub(crate) fn event_sum(&self) -> EventSum {
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        EventSum { position: self.keyspace.position(), sum: written.sum }
    }

    /// Where the blocks are.
    pub(crate) fn keyspace(&self) -> &Keyspace {
        &self.keyspace
    }

    pub(super) fn apply(&self, entries: &[Entry]) {
        if self.is_broken.load(Ordering::Acquire) {
            return;
        }
        if let Err(why) = self.add(entries) {
            tracing::error!(%why, "the index failed; logs are read from the journal");
            self.is_broken.store(true, Ordering::Release);
        }
    }

    /// Adds the journal's next events, or nothing.
    pub(crate) fn add(&self, entries: &[Entry]) -> Result<(), Unsound> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let before = EventSum { position: self.keyspace.position(), sum: written.sum };
        let mut step = Step { old: Vec::new(), new: Vec::new(), sum: before };
        let mut by_log: BTreeMap<LogId, Vec<Entry>> = BTreeMap::new();
        for entry in entries {
            step.sum.push(entry);
            by_log.entry(entry.log).or_default().push(entry.clone());
        }
        for (log, entries) in by_log {
            self.add_to_log(&mut step, log, entries)?;
        }
        if before.position > 0 {
            step.old.push((SUM.to_vec(), before.sum.to_be_bytes().to_vec()));
        }
        step.new.push((SUM.to_vec(), step.sum.sum.to_be_bytes().to_vec()));
        let moving = self.moving.write().unwrap_or_else(PoisonError::into_inner);
        self.keyspace.exchange(&step.old, step.new, step.sum.position)?;
        drop(moving);
        written.sum = step.sum.sum;
        written.unflushed += entries.len();
        if written.unflushed >= FLUSH_EVENTS {
            written.unflushed = 0;
            self.keyspace.database().flush()?;
        }
        Ok(())
    }

    fn add_to_log(&self, step: &mut Step, log: LogId, mut entries: Vec<Entry>) -> Result<(), Unsound> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return Ok(()) };
        if first.seq > 0 && first.seq / JOIN_EVENTS != (last.seq + 1) / JOIN_EVENTS {
            let pairs = self.unfinished(log, first.seq)?;
            // A block that cannot be read stays as it is, and whoever reads the log finds it.
            if let Some(mut joined) = unpack(log, &pairs) {
                joined.append(&mut entries);
                entries = joined;
                step.old.extend(pairs);
            }
        }
        let mut rest = &entries[..];
        while !rest.is_empty() {
            let (block, after) = rest.split_at(fitting(rest));
            step.new.push((key(log, block[0].seq).to_vec(), self.packer.pack(block)));
            rest = after;
        }
        Ok(())
    }

    /// The small blocks at the end of a log, and the one before them if it is not full, in order.
    fn unfinished(&self, log: LogId, until_seq: u64) -> Result<Vec<Pair>, Unsound> {
        let (from, to) = (key(log, 0), key(log, until_seq));
        let mut pairs = Vec::new();
        for pair in self.keyspace.range(Bound::Included(&from), Bound::Excluded(&to)).checked_back() {
            let pair = pair?;
            let header = Header::read(&pair.1).map(|(header, _)| (header.events, header.bytes));
            let (events, bytes) = header.unwrap_or((block::EVENTS_MAX, FULL_BYTES));
            let is_small = events < JOIN_EVENTS as usize && bytes < SMALL_BYTES;
            if is_small || (events < block::EVENTS_MAX && bytes < FULL_BYTES) {
                pairs.push(pair);
            }
            if !is_small {
                break;
            }
        }
        pairs.reverse();
        Ok(pairs)
    }

    pub(super) fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> impl Iterator<Item = Option<Entry>> {
        let is_broken = self.is_broken.load(Ordering::Acquire);
        let (start, from, to) = (key(log, 0), key(log, from_seq), key(log, until_seq));
        let moving = self.moving.read().unwrap_or_else(PoisonError::into_inner);
        let first = self.keyspace.range(Bound::Included(&start), Bound::Included(&from)).next_back();
        let first = first.and_then(Result::ok).map_or(from.to_vec(), |(key, _)| key);
        let pairs: Vec<_> = self.keyspace.range(Bound::Included(&first), Bound::Excluded(&to)).collect();
        drop(moving);
        for (key, _) in pairs.iter().flatten() {
            self.keyspace.look_again(key, Keyspace::LOOKS.div_ceil(pairs.len()));
        }
        let mut unpacker = Unpacker::new();
        let entries = pairs.into_iter().flat_map(move |pair| {
            let entries = pair.ok().and_then(|(key, block)| unpacker.unpack(log, first_seq(&key)?, until_seq, &block));
            entries.map_or_else(|| vec![None], |entries| entries.into_iter().map(Some).collect())
        });
        let is_wanted =
            move |entry: &Option<Entry>| entry.as_ref().is_none_or(|entry| (from_seq..until_seq).contains(&entry.seq));
        std::iter::repeat_n(None, usize::from(is_broken)).chain(entries.filter(is_wanted))
    }

    /// All events, in the order of logs and seqs.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<Entry, Unsound>> {
        let pairs = self.keyspace.range(Bound::Excluded(SUM), Bound::Unbounded);
        let before = self.keyspace.range(Bound::Unbounded, Bound::Excluded(SUM));
        let mut unpacker = Unpacker::new();
        before.checked().chain(pairs.checked()).flat_map(move |pair| {
            let unpacked = pair.and_then(|(key, block)| {
                let entries = log_of(&key)
                    .zip(first_seq(&key))
                    .and_then(|(log, seq)| unpacker.unpack(log, seq, u64::MAX, &block));
                entries.ok_or_else(|| Unsound::Damaged("a block cannot be read".to_owned()))
            });
            match unpacked {
                Ok(entries) => entries.into_iter().map(Ok).collect(),
                Err(why) => vec![Err(why)],
            }
        })
    }

    pub(super) fn distrust(&self) {
        self.keyspace.database().distrust();
    }
}

/// The event sum of an index in a database that is being closed.
pub(crate) fn stored_sum(database: &Database) -> Result<EventSum, Unsound> {
    let tree = database.tree(TREE)?;
    let read = |key: &[u8]| database.guard(|| tree.get(key));
    let totals = read(crate::keyspace::TOTALS)?.as_deref().and_then(Totals::from_bytes).unwrap_or_default();
    let sum = read(SUM)?.as_deref().and_then(read_sum).unwrap_or_default();
    Ok(EventSum { position: totals.position, sum })
}

fn read_sum(bytes: &[u8]) -> Option<u128> {
    Some(u128::from_be_bytes(bytes.try_into().ok()?))
}

/// How many of these events go into one block: at least one.
fn fitting(entries: &[Entry]) -> usize {
    let mut bytes = 0;
    let fits = |entry: &&Entry| {
        bytes += entry.bytes.len();
        bytes <= block::EVENT_BYTES_MAX
    };
    entries.iter().take(block::EVENTS_MAX).take_while(fits).count().max(1)
}

/// The events of some blocks; `None` if one cannot be read.
fn unpack(log: LogId, pairs: &[Pair]) -> Option<Vec<Entry>> {
    let mut unpacker = Unpacker::new();
    let entries = pairs.iter().map(|(key, block)| unpacker.unpack(log, first_seq(key)?, u64::MAX, block));
    Some(entries.collect::<Option<Vec<_>>>()?.concat())
}

fn key(log: LogId, seq: u64) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(&log.to_bytes());
    key[16..].copy_from_slice(&seq.to_be_bytes());
    key
}

fn log_of(key: &[u8]) -> Option<LogId> {
    Some(LogId::from_bytes(*key.first_chunk()?))
}

fn first_seq(key: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(*key.get(16..)?.as_array()?))
}
