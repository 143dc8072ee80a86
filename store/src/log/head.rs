//! The end of a log.

use plybook_events::Hash;

/// The last event of a log. Comes only from a [`Log`](crate::Log), and tells an append which event it
/// follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub(crate) seq: u64,
    pub(crate) hash: Hash,
    pub(crate) position: u64,
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
}

/// The result of an append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The last of the appended events: the head to append after.
    pub head: Head,
    /// The journal position of the first of them; the others follow without gaps.
    pub position: u64,
}
