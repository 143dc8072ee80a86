//! Why a data directory cannot be opened.

use std::path::PathBuf;

use crate::history::HistoryChange;
use crate::journal::JournalError;
use crate::lock::LockError;
use crate::personal::PersonalError;
use crate::vault::VaultError;

/// Why a data directory cannot be opened. It is left as it was, except that a torn end of the journal
/// or the vault is cut off.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it open, or the journal cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal is damaged or cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal contains something that is not an event. Restore it from a copy.
    #[error("journal position {position} holds no event")]
    NotAnEvent {
        /// The position.
        position: u64,
    },
    /// The journal has other events than those that were recorded: the index, which is whole, has them. Restore it
    /// from a copy, or open it once with [`accepts_change`](crate::Options::accepts_change).
    #[error(
        "history was changed at {0}. Restore the journal from a copy of before, or start once with --accept \
         to go on with it as it is, which is recorded"
    )]
    Changed(Box<HistoryChange>),
    /// The journal ends before events that were acknowledged. Restore it from a complete copy, or open it once with
    /// [`accepts_change`](crate::Options::accepts_change).
    #[error(
        "the journal ends after {journal} events, but {index} were acknowledged, as {} shows: it was cut. \
         Restore it from a copy, or start once with --accept to go on without the rest, which is recorded",
        dir.display()
    )]
    Cut {
        /// The number of events in the journal.
        journal: u64,
        /// The number of events in the index.
        index: u64,
        /// The index.
        dir: PathBuf,
    },
    /// The vault is damaged or cannot be read.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The personal data is damaged or cannot be read.
    #[error(transparent)]
    Personal(#[from] PersonalError),
    /// A new index cannot be created. Check the disk.
    #[error("the index cannot be made: {0}")]
    Index(String),
    /// The operating system refused. Check the directory's permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// What was to be created or moved.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
}
