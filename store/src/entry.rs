//! One event as the journal holds it.

use std::sync::Arc;

use plybook_events::{Hash, LogId};

/// The exact bytes of an event; cheap to clone.
pub type EventBytes = Arc<[u8]>;

/// One event of the journal, with the members that say where it belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the journal, from 0.
    pub position: u64,
    /// The log it belongs to.
    pub log: LogId,
    /// Its index in that log, from 0.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
    /// Its exact bytes.
    pub bytes: EventBytes,
}

impl Entry {
    /// Reads the members off the bytes; nothing where they are not laid out as an event.
    pub(crate) fn of(position: u64, bytes: EventBytes) -> Option<Self> {
        let tail = Tail::of(&bytes)?;
        let (log, seq) = (tail.log, tail.seq);
        Some(Self { position, log, seq, hash: Hash::of_event(&bytes), bytes })
    }
}

/// How many characters `at` has, and where it starts.
const AT: std::ops::Range<usize> = 7..31;

/// When an event was recorded, as it stands in the bytes: text whose order is that of time.
pub(crate) type At = [u8; 24];

/// The `at` of an event.
pub(crate) fn at_of(bytes: &[u8]) -> Option<At> {
    bytes.get(AT)?.try_into().ok()
}

/// The hash of the event before, as an event carries it.
pub(crate) fn prev_of(bytes: &[u8]) -> Option<Hash> {
    Tail::of(bytes).map(|tail| tail.prev)
}

/// Whether bytes start and end like an event, whatever is in between.
pub(crate) fn is_event_shaped(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{\"at\":\"") && bytes.ends_with(b"\",\"v\":1}")
}

/// The members after the body, read from the back, where no value holds a quote.
struct Tail {
    log: LogId,
    prev: Hash,
    seq: u64,
}

impl Tail {
    fn of(bytes: &[u8]) -> Option<Self> {
        if !is_event_shaped(bytes) {
            return None;
        }
        let rest = bytes.strip_suffix(b"\",\"v\":1}")?;
        let quote = rest.iter().rposition(|b| *b == b'"')?;
        let rest = rest[..=quote].strip_suffix(b",\"type\":\"")?;
        let digits = rest.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        let (rest, seq) = rest.split_at(rest.len() - digits);
        let (rest, prev) = cut(rest.strip_suffix(b"\",\"seq\":")?, 64)?;
        let (_, log) = cut(rest.strip_suffix(b"\",\"prev\":\"")?, 36)?;
        Some(Self {
            log: log.parse().ok()?,
            prev: prev.parse().ok()?,
            seq: std::str::from_utf8(seq).ok()?.parse().ok()?,
        })
    }
}

/// Cuts `len` bytes of text off the end.
fn cut(bytes: &[u8], len: usize) -> Option<(&[u8], &str)> {
    let (rest, value) = bytes.split_at_checked(bytes.len().checked_sub(len)?)?;
    Some((rest, std::str::from_utf8(value).ok()?))
}
