//! Values that nodes share, each under a key of its own: too many to be kept in memory.

use crate::StreamError;
use crate::bucket::{Bucket, Entry};

/// Values under keys. A value takes the place of the one before.
pub struct Collection {
    bucket: Bucket,
}

/// What somebody put into a collection.
#[derive(Debug, PartialEq, Eq)]
pub struct Put {
    /// Where it is.
    pub key: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// Tells values apart, from 1; later ones have larger numbers, under whatever key.
    pub revision: u64,
}

impl Collection {
    /// That in a bucket.
    pub fn new(bucket: Bucket) -> Self {
        Self { bucket }
    }

    /// Puts a value under a key, unless the one that is there `suffices`, or somebody else puts one there at the same moment.
    ///
    /// # Errors
    /// It is too large, the value that is there is damaged, or the servers are away; then it may be written or not.
    pub fn put(&self, key: &str, bytes: &[u8], suffices: impl FnOnce(&[u8]) -> bool) -> Result<(), StreamError> {
        let there = self.bucket.get(key)?.map(|entry| self.unpacked(entry)).transpose()?;
        if there.as_ref().is_some_and(|there| suffices(&there.bytes)) {
            return Ok(());
        }
        let value = self.bucket.pack(bytes)?;
        self.bucket.put(key, &value, there.map_or(0, |there| there.revision)).map(drop)
    }

    /// The first value that was put after a revision and not replaced since; `None` if there is none yet.
    ///
    /// # Errors
    /// The servers are away, or the value is damaged.
    pub fn next(&self, after: u64) -> Result<Option<Put>, StreamError> {
        self.bucket.next(after + 1)?.map(|entry| self.unpacked(entry)).transpose()
    }

    fn unpacked(&self, Entry { key, value, revision }: Entry) -> Result<Put, StreamError> {
        Ok(Put { key, bytes: self.bucket.unpack(&value, revision)?, revision })
    }
}
