//! Keeps a stream short: its events go into an archive, which is a journal in compressed files, and another stream continues it.

use std::path::Path;

use plybook_stream::{Continuation, EventStream, NatsAccess, NatsAddress, StreamError};

use crate::journal::{Contents, CopyError, JetStreamJournal, JournalError, copy_journal, last_hash};
use crate::open_error::OpenError;
use crate::store::open_journal;

/// Why a stream was not archived. Run it again: what was done stays.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive is in use, damaged, or cannot be written to.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The stream is damaged, the archive holds something else, or one of them cannot be read or written.
    #[error(transparent)]
    Copy(#[from] CopyError),
}

impl ArchiveError {
    /// Whether something was found that is not as it should be, rather than trouble in looking.
    pub fn is_finding(&self) -> bool {
        match self {
            Self::Open(_) => false,
            Self::Copy(why) => why.is_finding(),
        }
    }
}

impl From<JournalError> for ArchiveError {
    fn from(why: JournalError) -> Self {
        Self::Copy(why.into())
    }
}

impl From<StreamError> for ArchiveError {
    fn from(why: StreamError) -> Self {
        JournalError::from(why).into()
    }
}

/// Closes a stream for good, once an archive has what it holds, and begins the stream `next` on the same servers, which continues it.
/// The archive is a directory with a journal of compressed files, none of which is ever changed; it may hold what `from` continues
/// already. Both streams are there then. `progress` is told how many events of how many were read, in two passes.
///
/// # Errors
/// The stream is damaged, the archive holds something else, `next` is there and continues something else, or one of them cannot be
/// read or written.
pub fn archive_stream(
    from: &NatsAddress,
    next: &NatsAddress,
    access: &NatsAccess,
    dir: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Contents, ArchiveError> {
    let stream = JetStreamJournal::open(from, access)?.with_archive(Some(dir))?;
    let archive = open_journal(dir)?;
    // Most of it, before nobody can write any more.
    copy_journal(&stream, &archive, progress)?;
    stream.stream().seal()?;
    let contents = copy_journal(&stream, &archive, progress)?;
    archive.finish()?;
    let events = contents.events;
    let (last, first) = (last_hash(&stream, events)?, stream.stream().first_stream().to_owned());
    EventStream::begin(next, access, Continuation { events, last, first })?;
    Ok(contents)
}
