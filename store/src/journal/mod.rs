//! The journal: the events of all logs, in order, durable before anybody sees them.

mod blocks;
mod compress;
mod copy;
mod examine;
mod file;
mod frame;
mod groups;
mod jetstream;
mod memory;
mod reader;
mod segment;
mod text;
mod upkeep;

use std::path::PathBuf;

pub use copy::{Contents, CopyError, check_journal, copy_journal};
pub use examine::{Damage, Examination, examine};
pub use file::FileJournal;
pub(crate) use groups::{Extent, Group, each_group, extents, hash_of_text, header};
pub use jetstream::JetStreamJournal;
pub use memory::MemoryJournal;
pub(crate) use upkeep::Keeper;
pub use upkeep::UpkeepProgress;

use crate::entry::EventBytes;

/// The name of the segment whose first event has this position.
pub(crate) fn segment_name(first: u64) -> String {
    format!("{first:020}.log")
}

/// The name of its compressed form.
pub(crate) fn compressed_name(first: u64) -> String {
    format!("{first:020}.log.zst")
}

/// The name of its compressed form while that is made.
pub(crate) fn fresh_name(first: u64) -> String {
    format!("{first:020}.log.zst.new")
}

/// The position of the first event of a segment whose text or compressed form has this name.
pub(crate) fn first_of(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(".zst").unwrap_or(name).strip_suffix(".log")?;
    digits.parse().ok().filter(|first| segment_name(*first) == format!("{digits}.log"))
}

/// An ordered, append-only sequence of events.
///
/// It does not interpret them: the [`Log`](crate::Log) decides whether an event may follow, and its writer is
/// the only caller of [`append`](Self::append) in a process. Others may read at any time. Where several processes
/// append to one journal, each append says what it follows, and only one of those that follow the same event is written.
pub trait Journal: Send + Sync {
    /// The number of events known of, which is the position of the next one. What another process appended is known once
    /// an append or a read came across it.
    fn len(&self) -> u64;

    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position at which the part begins that may still grow; what comes before it was closed and checked.
    fn closed_until(&self) -> u64 {
        0
    }

    /// Appends events, at least one, of which the first gets the position `at`, and returns when they are durable. After a
    /// crash either all of them are there or none is.
    ///
    /// # Errors
    /// [`JournalError::Conflict`] if `at` is not the next position, and [`JournalError::TooLarge`]: nothing was written.
    /// [`JournalError::ReadOnly`] if this or an earlier append failed. Whether the events were
    /// written is then known only after a restart, or, where others append too, once
    /// [`follow`](Self::follow) has found it out; until then, appends are refused with [`JournalError::Pending`].
    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError>;

    /// The most bytes that one append may have, where each event takes one more than its own.
    fn append_bytes_max(&self) -> usize {
        usize::MAX
    }

    /// The events from a position on, in order: at most `limit`, and fewer rather than more than memory can bear, but at
    /// least one if there is one and `limit` is not 0.
    ///
    /// # Errors
    /// The events cannot be read or were changed.
    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError>;

    /// Whether other processes may append, too.
    fn is_shared(&self) -> bool {
        false
    }

    /// Where others append too: waits for no server any more, now or later. What was sent and not answered stays unknown.
    fn give_up(&self) {}

    /// Where others append too: finds out what became of an append that was not answered, and what others have appended.
    ///
    /// # Errors
    /// The servers do not answer. Try again.
    fn follow(&self) -> Result<(), JournalError> {
        Ok(())
    }
}

/// Why the journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A write or a sync failed, now or earlier. Tell the operator: a restart finds out what was written, and
    /// writes again if the disk or the servers work.
    #[error("the journal takes no events until it is restarted, because a write failed")]
    ReadOnly,
    /// What became of an earlier append is not known yet. Nothing of this one was written; try again later.
    #[error("nothing can be appended for now")]
    Pending,
    /// Somebody else appended first. Read what they appended, and decide again.
    #[error("the journal has {len} events, so the next one cannot have the position {at}")]
    Conflict {
        /// The position that the first event was to have.
        at: u64,
        /// The number of events that are there.
        len: u64,
    },
    /// The events do not fit into one append. Split them, or allow more.
    #[error("{bytes} bytes of events are more than the {max} that one append may have")]
    TooLarge {
        /// What they take, in bytes.
        bytes: usize,
        /// What is allowed, in bytes.
        max: usize,
    },
    /// The journal is kept by others, who do not answer, or have not what was written. It may work later, or has to be restored
    /// from a copy.
    #[error("{why}")]
    Remote {
        /// What they say.
        why: Box<dyn std::error::Error + Send + Sync>,
        /// Whether it is not there as it was written.
        is_finding: bool,
    },
    /// The data directory has another format. Use the program that it was recorded with.
    #[error(
        "{} is of version {found} of the format, and this program reads version {}: use the program that recorded it",
        file.display(),
        frame::VERSION
    )]
    OtherVersion {
        /// The segment.
        file: PathBuf,
        /// The version that it names.
        found: u64,
    },
    /// The file was changed after it was written. Restore it from a copy.
    #[error("{} is damaged at byte {offset}: {why}", file.display())]
    Damaged {
        /// The segment.
        file: PathBuf,
        /// Where the damage starts, in bytes from the start of the file.
        offset: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// The operating system refused. Tell the operator.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
}

impl JournalError {
    /// Refuses an append whose first event would not get the next position.
    fn unless_next(at: u64, len: u64) -> Result<(), Self> {
        if at == len { Ok(()) } else { Err(Self::Conflict { at, len }) }
    }

    /// Whether what was written is not there as it was written, or is not what was expected: a finding, rather than trouble
    /// in looking.
    pub fn is_finding(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Remote { is_finding: true, .. })
    }
}
