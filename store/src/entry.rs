//! One event as the journal holds it.

use std::sync::Arc;

use plybook_events::{AtText, Envelope, Hash, LogId, RequestId};

/// The exact bytes of an event; cheap to clone.
pub type EventBytes = Arc<[u8]>;

/// One event of the journal, with the members that tell where it belongs.
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
    /// Reads the members from the bytes; `None` if they are not laid out as an event.
    pub(crate) fn of(position: u64, bytes: EventBytes) -> Option<Self> {
        let envelope = Envelope::split(&bytes).ok()?;
        let (log, seq) = (envelope.log().ok()?, envelope.seq);
        Some(Self { position, log, seq, hash: Hash::of_event(&bytes), bytes })
    }

    /// The time when it was recorded.
    pub(crate) fn at(&self) -> AtText {
        *Envelope::at_of(&self.bytes).expect("an entry is laid out as an event")
    }

    /// The request with an idempotency key that wrote it, if it says so.
    pub fn request(&self) -> Option<RequestId> {
        Envelope::split(&self.bytes).ok()?.request().ok()?
    }

    /// The hash of the previous event, which it carries.
    pub(crate) fn prev(&self) -> Option<Hash> {
        Envelope::split(&self.bytes).ok()?.prev().ok()
    }
}
