//! The journal as a stream on NATS `JetStream`.

use plybook_stream::{EventStream, NatsAccess, NatsAddress, Refusal, StreamError, StreamStatus};

use super::{Journal, JournalError};
use crate::entry::EventBytes;

/// A journal in a stream on NATS `JetStream`. Its calls block, on any thread.
pub struct JetStreamJournal(EventStream);

impl From<StreamError> for JournalError {
    fn from(why: StreamError) -> Self {
        Self::Remote { is_finding: matches!(why, StreamError::Damaged { .. }), why: Box::new(why) }
    }
}

impl JetStreamJournal {
    /// Opens the journal in a stream that is there.
    ///
    /// # Errors
    /// The servers are away, the stream is not there or not safe, or its end is damaged.
    pub fn open(address: &NatsAddress, access: &NatsAccess) -> Result<Self, JournalError> {
        Ok(Self(EventStream::open(address, access)?))
    }

    /// Like [`open`](Self::open), but creates the stream if it is not there.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn create(address: &NatsAddress, access: &NatsAccess) -> Result<Self, JournalError> {
        Ok(Self(EventStream::create(address, access)?))
    }

    /// How the stream and its servers stand now.
    ///
    /// # Errors
    /// The servers do not answer.
    pub fn status(&self) -> Result<StreamStatus, JournalError> {
        Ok(self.0.status()?)
    }
}

impl Journal for JetStreamJournal {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        self.0.append(at, events).map_err(|why| match why {
            Refusal::Conflict { len } => JournalError::Conflict { at, len },
            Refusal::Pending => JournalError::Pending,
            Refusal::TooLarge { bytes, max } => JournalError::TooLarge { bytes, max },
            Refusal::Unknown => JournalError::ReadOnly,
        })
    }

    fn append_bytes_max(&self) -> usize {
        self.0.append_bytes_max()
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        if limit == 0 { Ok(Vec::new()) } else { Ok(self.0.read(from, limit)?) }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn give_up(&self) {
        self.0.give_up();
    }

    fn follow(&self) -> Result<(), JournalError> {
        Ok(self.0.follow()?)
    }
}
