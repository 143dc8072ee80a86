//! The journal: the events of all logs, in order, durable before anybody sees them.

mod blocks;
mod closed;
mod compress;
mod examine;
mod file;
mod frame;
mod groups;
mod memory;
mod reader;
mod scrub;
mod segment;
mod text;
mod upkeep;

use std::path::PathBuf;

pub use examine::{Damage, Examination, examine};
pub use file::FileJournal;
pub(crate) use groups::{Extent, Group, each_group, extents, hash_of_text, header};
pub use memory::MemoryJournal;
pub use scrub::{Scrub, scrub};
pub(crate) use upkeep::Keeper;
pub use upkeep::{Upkeep, UpkeepProgress};

use crate::EventBytes;

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
/// the only caller of [`append`](Self::append). Others may read at any time.
pub trait Journal: Send + Sync {
    /// The number of events, which is the position of the next one.
    fn len(&self) -> u64;

    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position at which the part begins that may still grow; what comes before it was closed and checked.
    fn closed_until(&self) -> u64 {
        0
    }

    /// Appends events, at least one, and returns when they are durable. After a crash either all of them
    /// are there or none is.
    ///
    /// # Errors
    /// [`JournalError::ReadOnly`] if this or an earlier append failed. Whether the events were
    /// written is then known only after a restart.
    fn append(&self, events: &[EventBytes]) -> Result<(), JournalError>;

    /// The events from a position on, in order: at most `limit`, and fewer rather than more than memory can bear, but at
    /// least one if there is one.
    ///
    /// # Errors
    /// The events cannot be read or were changed.
    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError>;
}

/// Why the journal cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A write or a sync failed, now or earlier. Tell the operator: a restart finds out what was written, and
    /// writes again if the disk works.
    #[error("the journal takes no events until it is restarted, because a write failed")]
    ReadOnly,
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
    /// A segment that was there is gone. Restore it from a copy.
    #[error("{} is missing: it holds the events {first} to {} of the journal", file.display(), next - 1)]
    Missing {
        /// The segment.
        file: PathBuf,
        /// The position of its first event.
        first: u64,
        /// The position after its last event.
        next: u64,
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
