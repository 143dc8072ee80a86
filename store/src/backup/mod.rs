//! Copies of a data directory, made while a service records in it, and data directories made from them again.
//!
//! ```text
//! <backup>/
//!   backup.json                         the manifest (below)
//!   journal/00000000000000000000.log    the segments of the journal
//!   state-7/vault                       the other files, as of the 7th backup
//!   state-7/tlog/key …
//!   lock                                held while the backup is written or read
//! ```
//!
//! A backup holds what its manifest names: the first `bytes` bytes of each segment, and the files of one `state-` folder.
//! Segments only grow, and each backup writes a state folder of its own, so the backup before stays whole until the new
//! manifest replaces the old one by a rename.
//!
//! What is copied fits together without stopping the service, since it is looked at in this order: the transparency
//! log, of which a checkpoint covers what is in the journal already; the journal; and the vault, where a secret is
//! before the event that commits to it is in the journal.

mod folder;
mod manifest;
mod restore;
mod shared;
mod snapshot;
mod verify;

use std::io;
use std::path::{Path, PathBuf};

pub use folder::backup;
pub use manifest::NAME as BACKUP_MANIFEST;
pub use restore::{Cut, Restored, restore};
pub use shared::{SharedCopy, SharedCopyError};

use crate::journal::JournalError;
use crate::personal::PersonalError;
use crate::tlog::TlogError;
use crate::vault::VaultError;

/// What a backup holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// The number of events.
    pub events: u64,
    /// How many of them the backup before did not have.
    pub new_events: u64,
    /// How many of them the last signed checkpoint of the transparency log covers, which the journal was found to lead
    /// to; `None` if none was signed.
    pub covered: Option<u64>,
}

/// Why there is no backup, or nothing is restored. A backup that was there is as it was.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The data directory's journal is damaged or cannot be read, or that of the backup. Restore the segment from a copy.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The vault is damaged. Restore it from a copy.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The personal data is damaged. Restore it from a copy.
    #[error(transparent)]
    Personal(#[from] PersonalError),
    /// The last checkpoint is not signed by the keys, or the transparency log cannot be set aside.
    #[error(transparent)]
    Tlog(#[from] TlogError),
    /// The journal does not lead to a signed checkpoint: its history was changed. `plybook doctor` says more.
    #[error("history was changed: the journal does not lead to the signed checkpoint over {size} events")]
    Tree {
        /// The number of events that the checkpoint covers.
        size: u64,
    },
    /// The folder has other files. Name another one.
    #[error("{} is not empty and holds no backup: name another folder", .0.display())]
    NotABackup(PathBuf),
    /// There is no backup. Name the folder of one.
    #[error("{} holds no backup", .0.display())]
    NoBackup(PathBuf),
    /// A backup in the data directory would be lost with it. Name another folder.
    #[error("{} is in the data directory, and would be lost with it: name another folder", .0.display())]
    Inside(PathBuf),
    /// Another backup or restore is using the folder. Wait for it.
    #[error("{} is in use by another backup or restore", .0.display())]
    InUse(PathBuf),
    /// The folder was made for a backup, and none was completed. Make one.
    #[error("{} holds no complete backup yet", .0.display())]
    Incomplete(PathBuf),
    /// The journal was cut, or is of another data directory. Find out which before anything is restored or deleted.
    #[error(
        "the journal has {found} events, but {} holds {held}: it was cut, or is that of another data directory. \
         Back up to another folder, and keep this one until that is settled",
        folder.display()
    )]
    Shorter {
        /// The number of events in the journal.
        found: u64,
        /// The number of events in the backup.
        held: u64,
        /// The backup.
        folder: PathBuf,
    },
    /// History was changed, or the journal is of another data directory. Find out which.
    #[error(
        "the journal has other events than {}: history was changed, or it is that of another data directory. \
         Back up to another folder, and keep this one until that is settled",
        .0.display()
    )]
    Differs(PathBuf),
    /// A file that cannot be made again is gone from the data directory. Put it back from the backup.
    #[error(
        "{name} is missing in the data directory, but {} has it: put it back from there, or back up to another folder",
        copy.display()
    )]
    Lost {
        /// The file.
        name: &'static str,
        /// Its copy.
        copy: PathBuf,
    },
    /// The vault was lost, or written anew with another key. Put the lines back, or begin another backup.
    #[error(
        "the vault lacks {missing} lines of {}. If they were lost, put them before those that are there while the \
         service is stopped; if the vault was encrypted, decrypted or got another key, back up to another folder",
        copy.display()
    )]
    FewerSecrets {
        /// The number of lines that are not there.
        missing: usize,
        /// The copy.
        copy: PathBuf,
    },
    /// A file of the backup is not what was written. Use another backup; back up to another folder.
    #[error("{} is damaged: {why}. Use another backup, and back up to another folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is something in the data directory already. Name another, or move it away.
    #[error("{} is not empty: name another directory, or move it away", .0.display())]
    NotEmpty(PathBuf),
    /// A restore was stopped, or is running. If none is running, remove what is left of it.
    #[error("{} is there: a restore is running, or was stopped; in that case, remove it", .0.display())]
    Left(PathBuf),
    /// Nothing would be left.
    #[error("nothing was recorded by then: the first event was recorded at {0}")]
    NothingLeft(String),
    /// The operating system refused. Check the permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl BackupError {
    /// Whether something was found that is not as it should be, rather than that the command was used wrongly or the
    /// system refused.
    pub fn is_finding(&self) -> bool {
        match self {
            Self::Journal(why) => matches!(why, JournalError::Damaged { .. }),
            Self::Vault(why) => matches!(why, VaultError::Damaged { .. }),
            Self::Personal(why) => matches!(why, PersonalError::Damaged(_)),
            Self::Tlog(why) => !matches!(why, TlogError::Io { .. }),
            Self::Tree { .. }
            | Self::Shorter { .. }
            | Self::Differs(_)
            | Self::Lost { .. }
            | Self::FewerSecrets { .. }
            | Self::Damaged { .. }
            | Self::NothingLeft(_) => true,
            _ => false,
        }
    }

    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        |source| Self::Io { path: path.to_owned(), source }
    }

    fn damaged(path: &Path, why: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), why: why.into() }
    }
}

/// Told how many bytes were read and written, and how many there are.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);
