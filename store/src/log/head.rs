//! The end of a log.

use plybook_events::{AtText, Hash};

use crate::entry::Entry;

/// The last event of a log. Comes only from a [`Log`](crate::Log), and tells an append which event it
/// follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub(crate) seq: u64,
    pub(crate) hash: Hash,
    pub(crate) position: u64,
    /// When it was recorded.
    pub(crate) at: AtText,
}

impl Head {
    /// The seq of the last event.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Its hash.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The head of a log whose last event this is.
    pub(crate) fn of(entry: &Entry) -> Self {
        Self { seq: entry.seq, hash: entry.hash, position: entry.position, at: entry.at() }
    }

    /// Seq (8, big-endian), hash (32), position in the journal (8, big-endian) and time (24, as in the event).
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [&self.seq.to_be_bytes()[..], &self.hash.0, &self.position.to_be_bytes(), &self.at].concat()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) writes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (seq, rest) = bytes.split_first_chunk()?;
        let (hash, rest) = rest.split_first_chunk()?;
        let (position, at) = rest.split_first_chunk()?;
        let (seq, position) = (u64::from_be_bytes(*seq), u64::from_be_bytes(*position));
        Some(Self { seq, hash: Hash(*hash), position, at: at.try_into().ok()? })
    }
}

/// The result of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The last of the appended events: the head to append after.
    pub head: Head,
    /// The journal position of the first of them; the others follow without gaps.
    pub position: u64,
}
