//! A data directory belongs to one process at a time.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// How often, and how long apart, something in use is tried again.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

/// Reserves a data directory until it is dropped; the system releases it if the process dies.
///
/// The lock is held on the journal's directory itself, so nobody can delete the lock and keep the journal.
/// The file `lock` names the process, for people.
pub(crate) struct Lock {
    _journal: File,
}

/// Why a data directory cannot be reserved.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it open. Stop that process, or use another directory.
    #[error("data directory {} is in use by {}", dir.display(), process(*pid))]
    InUse {
        /// The data directory.
        dir: PathBuf,
        /// The id that the process wrote to the file `lock`, if it is still there.
        pid: Option<u32>,
    },
    /// The journal's directory cannot be locked. Check its permissions.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl Lock {
    /// Reserves a directory that contains a directory `journal`. Works on a full disk.
    pub(crate) fn take(dir: &Path) -> Result<Self, LockError> {
        let journal = dir.join("journal");
        let io = |source| LockError::Io { path: journal.clone(), source };
        let folder = File::open(&journal).map_err(io)?;
        patiently(|| folder.try_lock(), |why| matches!(why, TryLockError::WouldBlock)).map_err(|why| match why {
            TryLockError::WouldBlock => Self::in_use(dir),
            TryLockError::Error(source) => io(source),
        })?;
        let path = dir.join("lock");
        if let Err(why) = fs::write(&path, format!("{}\n", std::process::id())) {
            tracing::warn!(path = %path.display(), %why, "the lock does not name this process");
        }
        Ok(Self { _journal: folder })
    }

    /// The error that names the process that has a directory open.
    pub(crate) fn in_use(dir: &Path) -> LockError {
        let named = fs::read_to_string(dir.join("lock")).ok();
        LockError::InUse { dir: dir.to_owned(), pid: named.and_then(|pid| pid.trim().parse().ok()) }
    }
}

/// Returns whether a process has a data directory open, and which; changes nothing.
///
/// # Errors
/// The directory cannot be read.
pub fn holder(dir: &Path) -> Result<Option<LockError>, LockError> {
    let journal = dir.join("journal");
    let io = |source| LockError::Io { path: journal.clone(), source };
    match File::open(&journal).map_err(io)?.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => Ok(Some(Lock::in_use(dir))),
        Err(TryLockError::Error(source)) => Err(io(source)),
    }
}

/// Tries again for a second while something is in use: a process that has just ended, or a child that another thread is
/// starting, keeps the locks of open files a little longer.
pub(crate) fn patiently<T, E>(mut open: impl FnMut() -> Result<T, E>, is_in_use: impl Fn(&E) -> bool) -> Result<T, E> {
    for _ in 0..TRIES {
        match open() {
            Err(why) if is_in_use(&why) => sleep(PAUSE),
            opened => return opened,
        }
    }
    open()
}

fn process(pid: Option<u32>) -> String {
    pid.map_or("another process".to_owned(), |pid| format!("process {pid}"))
}
