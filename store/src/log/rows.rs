//! Every log and its head in sled: a tree from ids and seqs to blocks of events. Beside them, where the requests are that were
//! carried out once.
//!
//! ```text
//! 0, id of the log (16 bytes)                                    its head
//! 1, id of the log (16), seq of the first event (8, big-endian)    a block
//! 2, key of a request (12)                                        the log (16) and the seq (8, big-endian) of its event
//! ```
//!
//! A block is a zstd frame of lines: the position of an event in the journal, a space, and its exact bytes, in which a tab
//! stands for the hash of the event before it in the block: a hash does not compress, and follows from the event. It holds
//! consecutive events of a log, none beyond a multiple of 64. New events are put into a block of their own; whenever a log
//! reaches a multiple of 16, those at its end become one. So an event is written about four times.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use memchr::{memmem, memrchr};
use plybook_events::{LogId, RequestId};
use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::get_frame_content_size;

use super::{Head, ReadError};
use crate::database::{Database, Unsound};
use crate::entry::Entry;
use crate::keyspace::{Changes, Keyspace, Pair, Pairs};

/// The name of the tree, which no read model may use.
pub(crate) const TREE: &str = "logs";

/// The most events of a block.
const BLOCK_EVENTS: u64 = 64;

/// Small blocks are joined whenever the log reaches a multiple of this.
const JOIN_EVENTS: u64 = 16;

/// What stands for the hash of the event before.
const PREV: u8 = b'\t';

/// The most bytes of a block's lines: more than 64 events of any length have.
const BLOCK_BYTES_MAX: usize = 8 << 20;

/// The level at which zstd compresses blocks.
const LEVEL: i32 = 3;

/// sled is flushed after so many events. It reuses the space of what was replaced only after that: without it, a file
/// that is filled fast becomes 1.8 times as large.
const FLUSH_EVENTS: usize = 32_768;

/// The logs, in a keyspace.
pub(crate) struct Rows {
    keyspace: Keyspace,
    logs: AtomicUsize,
    writer: Mutex<Writer>,
    /// Held while pairs are exchanged, and while those of a log are collected: sled's iterators see some before and some after.
    moving: RwLock<()>,
}

struct Writer {
    compressor: Compressor<'static>,
    /// How many events were added since sled was flushed.
    unflushed: usize,
}

impl Rows {
    /// The logs in a database. Every event belongs to one log, so the heads tell whether there are as many events as were
    /// applied.
    pub(super) fn open(database: &Arc<Database>) -> Result<Self, Unsound> {
        let keyspace = Keyspace::open(database, TREE)?;
        let compressor = Compressor::new(LEVEL).expect("there is memory for a compressor");
        let writer = Mutex::new(Writer { compressor, unflushed: 0 });
        let rows = Self { keyspace, logs: AtomicUsize::new(0), writer, moving: RwLock::new(()) };
        let (mut logs, mut events) = (0, 0_u64);
        for pair in rows.all(HEAD) {
            let head = rows.head_of(&pair?.1)?;
            (logs, events) = (logs + 1, events.saturating_add(head.seq.saturating_add(1)));
        }
        rows.logs.store(logs, Ordering::Relaxed);
        if events == rows.position() { Ok(rows) } else { Err(rows.damaged("some logs are not as long as they were")) }
    }

    /// The number of events applied.
    pub(super) fn position(&self) -> u64 {
        self.keyspace.position()
    }

    /// The number of logs.
    pub(super) fn logs_len(&self) -> usize {
        self.logs.load(Ordering::Relaxed)
    }

    /// Has the next start make the index again, because of this.
    pub(super) fn damaged(&self, why: &str) -> Unsound {
        self.keyspace.database().distrust();
        Unsound::Damaged(why.to_owned())
    }

    pub(super) fn database(&self) -> &Arc<Database> {
        self.keyspace.database()
    }

    pub(super) fn head(&self, log: LogId) -> Result<Option<Head>, Unsound> {
        self.keyspace.value(&head_key(log))?.map(|bytes| self.head_of(&bytes)).transpose()
    }

    /// The log and the seq of the first event that a request with this key has written.
    pub(super) fn written_by(&self, request: &RequestId) -> Result<Result<Option<(LogId, u64)>, ReadError>, Unsound> {
        let place = |bytes: Vec<u8>| {
            let (log, seq) = bytes.split_first_chunk()?;
            Some((LogId::from_bytes(*log), u64::from_be_bytes(seq.try_into().ok()?)))
        };
        let Some(bytes) = self.keyspace.value(&request_key(request))? else { return Ok(Ok(None)) };
        let found = place(bytes).ok_or(ReadError::Request);
        if found.is_err() {
            self.keyspace.database().distrust();
        }
        Ok(found.map(Some))
    }

    fn head_of(&self, bytes: &[u8]) -> Result<Head, Unsound> {
        Head::from_bytes(bytes).ok_or_else(|| self.damaged("a head cannot be read"))
    }

    pub(super) fn logs_after(&self, after: Option<LogId>, limit: usize) -> Result<Vec<LogId>, Unsound> {
        let after = after.map_or(vec![HEAD], head_key);
        let heads = self.keyspace.range(Bound::Excluded(&after), Bound::Excluded(&[BLOCK]));
        let log = |pair: Result<Pair, Unsound>| log_of(&pair?.0).ok_or_else(|| self.damaged("a key cannot be read"));
        heads.take(limit).map(log).collect()
    }

    /// Adds the journal's next events, or nothing.
    pub(super) fn add(&self, entries: &[Entry]) -> Result<(), Unsound> {
        let Some(last) = entries.last() else { return Ok(()) };
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut by_log: BTreeMap<LogId, Vec<Entry>> = BTreeMap::new();
        for entry in entries {
            by_log.entry(entry.log).or_default().push(entry.clone());
        }
        let mut changes = Changes::new();
        // The first counts: it is written last.
        for (entry, request) in entries.iter().rev().filter_map(|entry| Some((entry, entry.request()?))) {
            if matches!(self.written_by(&request)?, Ok(None)) {
                let place = [&entry.log.to_bytes()[..], &entry.seq.to_be_bytes()].concat();
                changes.put(request_key(&request), place);
            }
        }
        for (log, entries) in by_log {
            let (first, head) = (entries[0].seq, Head::of(entries.last().expect("it has one")));
            changes.put(head_key(log), head.to_bytes());
            let mut joined = Vec::new();
            if first / JOIN_EVENTS != (head.seq + 1) / JOIN_EVENTS {
                for (key, block) in self.pairs(log, first - first % BLOCK_EVENTS, first)? {
                    let events = seq_of(&key).and_then(|seq| unpack(&mut decompressor(), log, seq, &block));
                    joined.extend(events.ok_or_else(|| self.damaged("a block cannot be read"))?);
                    changes.delete(key);
                }
            }
            joined.extend(entries);
            for block in joined.chunk_by(|one, next| one.seq / BLOCK_EVENTS == next.seq / BLOCK_EVENTS) {
                changes.put(block_key(log, block[0].seq), pack(&mut writer.compressor, block));
            }
        }
        let moving = self.moving.write().unwrap_or_else(PoisonError::into_inner);
        self.keyspace.write(&changes, Some(last.position + 1))?;
        drop(moving);
        self.logs.fetch_add(entries.iter().filter(|entry| entry.seq == 0).count(), Ordering::Relaxed);
        writer.unflushed += entries.len();
        if writer.unflushed >= FLUSH_EVENTS {
            writer.unflushed = 0;
            self.keyspace.database().flush()?;
        }
        Ok(())
    }

    /// The events of a log with these seqs, in order; `None` in place of those that cannot be read.
    pub(super) fn read(&self, log: LogId, from_seq: u64, until_seq: u64) -> impl Iterator<Item = Option<Entry>> {
        let moving = self.moving.read().unwrap_or_else(PoisonError::into_inner);
        let pairs = self.pairs(log, from_seq - from_seq % BLOCK_EVENTS, until_seq);
        drop(moving);
        let (failed, pairs) = pairs.map_or((Some(None), Vec::new()), |pairs| (None, pairs));
        let mut decompressor = decompressor();
        // Blocks that end before `from_seq` are not unpacked.
        let first = pairs.iter().rposition(|(key, _)| seq_of(key).is_none_or(|seq| seq <= from_seq)).unwrap_or(0);
        let entries = pairs.into_iter().skip(first).flat_map(move |(key, block)| {
            let entries = seq_of(&key).and_then(|seq| unpack(&mut decompressor, log, seq, &block));
            entries.map_or_else(|| vec![None], |entries| entries.into_iter().map(Some).collect())
        });
        let is_wanted =
            move |entry: &Option<Entry>| entry.as_ref().is_none_or(|entry| (from_seq..until_seq).contains(&entry.seq));
        failed.into_iter().chain(entries.filter(is_wanted))
    }

    /// The event at a position of the journal, found by reading everything.
    pub(super) fn at(&self, position: u64) -> Result<Option<Entry>, Unsound> {
        let mut decompressor = decompressor();
        for pair in self.all(BLOCK) {
            let (key, block) = pair?;
            let (log, seq) = log_of(&key).zip(seq_of(&key)).ok_or_else(|| self.damaged("a key cannot be read"))?;
            let entries = unpack(&mut decompressor, log, seq, &block);
            if let Some(found) = entries.into_iter().flatten().find(|entry| entry.position == position) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// All heads, or all blocks.
    fn all(&self, sort: u8) -> Pairs {
        self.keyspace.range(Bound::Included(&[sort]), Bound::Excluded(&[sort + 1]))
    }

    /// The blocks of a log that begin with these seqs.
    fn pairs(&self, log: LogId, from_seq: u64, until_seq: u64) -> Result<Vec<Pair>, Unsound> {
        let (from, to) = (block_key(log, from_seq), block_key(log, until_seq));
        self.keyspace.range(Bound::Included(&from), Bound::Excluded(&to)).collect()
    }
}

/// A block of consecutive events.
fn pack(compressor: &mut Compressor<'_>, entries: &[Entry]) -> Vec<u8> {
    let mut lines = Vec::new();
    for (n, entry) in entries.iter().enumerate() {
        let prev = n.checked_sub(1).map(|n| entries[n].hash.to_string());
        // After `prev`, an event is plain text without a tab.
        let place = prev.and_then(|prev| Some((memmem::rfind(&entry.bytes, prev.as_bytes())?, prev.len())));
        lines.extend_from_slice(format!("{} ", entry.position).as_bytes());
        if let Some((at, len)) = place {
            lines.extend_from_slice(&[&entry.bytes[..at], &[PREV], &entry.bytes[at + len..]].concat());
        } else {
            lines.extend_from_slice(&entry.bytes);
        }
        lines.push(b'\n');
    }
    compressor.compress(&lines).expect("there is memory for a block")
}

/// The events of a block of a log, from a seq on; `None` if it holds anything else.
fn unpack(decompressor: &mut Decompressor<'_>, log: LogId, first_seq: u64, block: &[u8]) -> Option<Vec<Entry>> {
    let bytes = usize::try_from(get_frame_content_size(block).ok()??).ok()?;
    let lines = decompressor.decompress(block, bytes.min(BLOCK_BYTES_MAX)).ok()?;
    let lines = lines.strip_suffix(b"\n")?.split(|byte| *byte == b'\n');
    let mut entries: Vec<Entry> = Vec::new();
    for (seq, line) in (first_seq..).zip(lines) {
        let (position, event) = line.split_at_checked(line.iter().position(|byte| *byte == b' ')?)?;
        let position = str::from_utf8(position).ok()?.parse().ok()?;
        let event = &event[1..];
        let bytes = match entries.last().zip(memrchr(PREV, event)) {
            Some((prev, at)) => [&event[..at], prev.hash.to_string().as_bytes(), &event[at + 1..]].concat().into(),
            None => event.into(),
        };
        entries.push(Entry::of(position, bytes).filter(|entry| (entry.log, entry.seq) == (log, seq))?);
    }
    Some(entries)
}

fn decompressor() -> Decompressor<'static> {
    Decompressor::new().expect("there is memory for a decompressor")
}

/// What the keys of heads, of blocks and of requests begin with.
const HEAD: u8 = 0;
const BLOCK: u8 = 1;
const REQUEST: u8 = 2;

fn head_key(log: LogId) -> Vec<u8> {
    [&[HEAD][..], &log.to_bytes()].concat()
}

fn block_key(log: LogId, seq: u64) -> Vec<u8> {
    [&[BLOCK][..], &log.to_bytes(), &seq.to_be_bytes()].concat()
}

fn request_key(request: &RequestId) -> Vec<u8> {
    [&[REQUEST][..], &request.key].concat()
}

fn log_of(key: &[u8]) -> Option<LogId> {
    Some(LogId::from_bytes(*key.get(1..)?.first_chunk()?))
}

fn seq_of(key: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(key.get(17..)?.try_into().ok()?))
}

#[cfg(test)]
mod tests;
