//! A data directory belongs to one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Reserves a data directory until it is dropped; the system releases it if the process dies.
pub(crate) struct Lock {
    _file: File,
}

/// Why a data directory cannot be reserved.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it open. Stop that process, or use another directory.
    #[error("data directory {} is in use by process {pid}", dir.display())]
    InUse {
        /// The data directory.
        dir: PathBuf,
        /// The id that this process wrote into the lock file.
        pid: String,
    },
    /// The lock file cannot be created. Check the directory's permissions.
    #[error("{}: {source}", path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Lock {
    pub(crate) fn take(dir: &Path) -> Result<Self, LockError> {
        let path = dir.join("lock");
        let io = |source| LockError::Io { path: path.clone(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                file.read_to_string(&mut pid).map_err(io)?;
                let pid = pid.trim().to_owned();
                return Err(LockError::InUse { dir: dir.to_owned(), pid });
            }
            Err(TryLockError::Error(why)) => return Err(io(why)),
        }
        file.set_len(0).map_err(io)?;
        writeln!(file, "{}", std::process::id()).map_err(io)?;
        Ok(Self { _file: file })
    }
}
