//! The secrets of a vault that nodes share: batches in a bucket, each written once.

use std::sync::{Mutex, PoisonError};

use crate::StreamError;
use crate::bucket::{Bucket, Entry};

/// Batches of lines, in the order in which they were written, whichever node did.
pub struct Batches {
    bucket: Bucket,
    /// The sequence of the first batch that was not taken in yet.
    next: Mutex<u64>,
}

impl Batches {
    /// Those in a bucket, none of which was taken in yet.
    pub fn new(bucket: Bucket) -> Self {
        Self { bucket, next: Mutex::new(1) }
    }

    /// Writes lines as one batch, or as several if they do not fit into a message. Returns the sequence of the last one.
    ///
    /// # Errors
    /// A line is too large, or the servers are away; then some of it may be written, to which nothing refers.
    pub fn put(&self, lines: &[String]) -> Result<u64, StreamError> {
        let (mut at, mut batch) = (0, String::new());
        for line in lines {
            if batch.len() + line.len() > self.bucket.value_bytes_max() && !batch.is_empty() {
                at = self.put_one(&std::mem::take(&mut batch))?;
            }
            batch += line;
        }
        if batch.is_empty() { Ok(at) } else { self.put_one(&batch) }
    }

    fn put_one(&self, batch: &str) -> Result<u64, StreamError> {
        let mut key = [0; 16];
        getrandom::fill(&mut key).expect("the system gives random bytes");
        let written = self.bucket.put(&const_hex::encode(key), batch.as_bytes(), 0)?;
        Ok(written.expect("a random key is nobody else's"))
    }

    /// Gives all batches that were not taken in yet, with their sequences, to `take`, which returns `None` for one that it cannot
    /// read.
    ///
    /// # Errors
    /// The servers are away, or a batch is missing, damaged or encrypted with another key.
    pub fn catch_up(&self, take: impl Fn(u64, &[u8]) -> Option<()>) -> Result<(), StreamError> {
        let last = self.bucket.last()?;
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        while *next <= last {
            for Entry { value, revision, .. } in self.read(*next)? {
                take(revision, &value).ok_or_else(|| self.bucket.damaged(revision, "it holds no secrets"))?;
                *next = revision + 1;
            }
        }
        Ok(())
    }

    /// Batches from one that was written on, without a gap; at least one.
    fn read(&self, from: u64) -> Result<Vec<Entry>, StreamError> {
        let mut batches = self.bucket.batch(from)?;
        let whole = batches.iter().zip(from..).take_while(|(batch, sequence)| batch.revision == *sequence).count();
        batches.truncate(whole);
        if batches.is_empty() {
            // That replica is behind or damaged.
            let known = self.bucket.at(from)?;
            batches.push(known.ok_or_else(|| self.bucket.damaged(from, "it is missing"))?);
        }
        Ok(batches)
    }

    /// Whether the servers are known to be away.
    pub fn is_away(&self) -> bool {
        self.bucket.is_away()
    }
}
