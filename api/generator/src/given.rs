//! The source for drafts of generated games: times and salts derived from a plan.

use plybook_events::{Hash, Timestamp};
use plybook_rules::log::Source;

/// The [`Source`] of a generated log.
pub(super) struct PlannedSource {
    at: i64,
    /// All salts of the log are derived from this and the seq.
    salt: Hash,
}

impl PlannedSource {
    /// Starts at a time, in milliseconds since 1970.
    pub(super) fn new(at: i64, seed_salt: &Hash) -> Self {
        Self { at, salt: Hash::of_parts(&[b"salts\0", &seed_salt.0]) }
    }

    /// Advances the time by some milliseconds.
    pub(super) fn pass(&mut self, millis: u32) {
        self.at += i64::from(millis);
    }
}

impl Source for PlannedSource {
    fn at(&mut self, _seq: u64) -> Timestamp {
        time(self.at)
    }

    fn salt(&mut self, seq: u64) -> Hash {
        Hash::of_parts(&[&self.salt.0, &seq.to_be_bytes()])
    }

    fn kept(&self, _key: &str) -> Option<Vec<u8>> {
        None
    }
}

/// Converts milliseconds since 1970 to a timestamp.
pub(super) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis).expect("games are generated in this century")
}
