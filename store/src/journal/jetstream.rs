//! The journal as a stream on NATS `JetStream`, with the archive of what the stream continues.

use std::path::Path;
use std::time::Duration;

use plybook_stream::{Continuation, EventStream, NatsAccess, NatsAddress, Refusal, StreamError, StreamStatus};

use super::copy::last_hash;
use super::{FileJournal, Journal, JournalError};
use crate::entry::EventBytes;

/// A journal in a stream on NATS `JetStream`. Its calls block, on any thread.
pub struct JetStreamJournal {
    stream: EventStream,
    /// The files with what the stream continues.
    archive: Option<FileJournal>,
}

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
        Ok(Self { stream: EventStream::open(address, access)?, archive: None })
    }

    /// Like [`open`](Self::open), but creates the stream if it is not there.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn create(address: &NatsAddress, access: &NatsAccess) -> Result<Self, JournalError> {
        Ok(Self { stream: EventStream::create(address, access)?, archive: None })
    }

    /// The same journal, with the archive that holds what it continues, in a data directory; nothing changes if it continues nothing.
    ///
    /// # Errors
    /// It continues an archive, and none or another one is named, or that cannot be read.
    pub fn with_archive(mut self, dir: Option<&Path>) -> Result<Self, JournalError> {
        let Some(Continuation { events, last, .. }) = self.stream.continuation() else { return Ok(self) };
        let dir = dir.ok_or_else(|| self.archive_needed())?;
        let archive = FileJournal::open_to_read(&dir.join("journal"))?;
        if archive.len() < *events || last_hash(&archive, *events)? != *last {
            let (stream, events) = (self.stream.name().to_owned(), *events);
            return Err(StreamError::OtherArchive { stream, events, dir: dir.to_owned() }.into());
        }
        self.archive = Some(archive);
        Ok(self)
    }

    fn archive_needed(&self) -> StreamError {
        StreamError::ArchiveNeeded { stream: self.stream.name().to_owned(), events: self.begin() }
    }

    /// The position at which the stream begins.
    fn begin(&self) -> u64 {
        self.stream.continuation().map_or(0, |continuation| continuation.events)
    }

    /// The stream itself.
    pub(crate) fn stream(&self) -> &EventStream {
        &self.stream
    }

    /// How the stream and its servers stand now.
    ///
    /// # Errors
    /// The servers do not answer.
    pub fn status(&self) -> Result<StreamStatus, JournalError> {
        Ok(self.stream.status()?)
    }
}

impl Journal for JetStreamJournal {
    fn len(&self) -> u64 {
        self.stream.len()
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        self.stream.append(at, events).map_err(|why| match why {
            Refusal::Conflict { len } => JournalError::Conflict { at, len },
            Refusal::Pending => JournalError::Pending,
            Refusal::TooLarge { bytes, max } => JournalError::TooLarge { bytes, max },
            Refusal::Unknown => JournalError::ReadOnly,
        })
    }

    fn append_bytes_max(&self) -> usize {
        self.stream.append_bytes_max()
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        let before = usize::try_from(self.begin().saturating_sub(from)).unwrap_or(usize::MAX);
        if limit == 0 {
            Ok(Vec::new())
        } else if before > 0 {
            self.archive.as_ref().ok_or_else(|| self.archive_needed())?.read(from, limit.min(before))
        } else {
            Ok(self.stream.read(from, limit)?)
        }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn give_up(&self) {
        self.stream.give_up();
    }

    fn follow(&self, len: u64, timeout: Duration) -> Result<(), JournalError> {
        Ok(self.stream.follow(len, timeout)?)
    }
}
