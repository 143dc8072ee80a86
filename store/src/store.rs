//! One data directory, opened.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::database::{Database, Unsound};
use crate::index::{self, Index};
use crate::lock::Lock;
use crate::log::Tips;
use crate::recovery::{self, Recovered};
use crate::{
    FileJournal, Journal, JournalError, Keyspace, KeyspaceError, LockError, Log, MemoryJournal, Vault, VaultError, disk,
};

/// An open data directory. `journal/` and `vault` have to be kept; `sled/` is made from the journal and
/// can be deleted while nothing runs; `lock` keeps other processes out.
pub struct Store {
    log: Log,
    keyspaces: Mutex<HashMap<String, Keyspace>>,
    vault: Arc<Vault>,
    database: Arc<Database>,
}

/// How a data directory is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size in bytes at which a segment of the journal is closed; 256 MiB by default.
    pub segment_bytes: u64,
    /// Roughly how many bytes of its files sled keeps in memory; 256 MiB by default.
    pub cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { segment_bytes: 256 << 20, cache_bytes: 256 << 20 }
    }
}

/// Why a data directory cannot be opened. It is left as it was, except that a torn end of the journal
/// or the vault is cut off.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it open, or the lock cannot be created.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal is damaged or cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal holds something that is not an event. Restore it from a copy.
    #[error("journal position {position} holds no event")]
    NotAnEvent {
        /// Where.
        position: u64,
    },
    /// The journal ends before events that were acknowledged. Restore it from a complete copy or, to go
    /// on without them, move the index away.
    #[error(
        "the journal ends after {journal} events, but {index} were acknowledged: it was cut. \
         Restore it, or move {} away to go on without the rest",
        dir.display()
    )]
    Cut {
        /// How many events the journal has.
        journal: u64,
        /// How many the index has.
        index: u64,
        /// The index.
        dir: PathBuf,
    },
    /// The vault is damaged or cannot be read.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// A new index cannot be created. Check the disk.
    #[error("the index cannot be made: {0}")]
    Index(String),
    /// The operating system refused. Check the directory's permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// What was made or moved.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl From<Unsound> for OpenError {
    fn from(why: Unsound) -> Self {
        Self::Index(why.0)
    }
}

impl Store {
    /// Opens a data directory; creates it if it does not exist.
    ///
    /// The journal is checked from end to end. The index is compared with it and caught up, or set aside
    /// as `sled.damaged-<n>` and rebuilt; meanwhile `progress` gets the number of events indexed and the
    /// number of all events.
    ///
    /// # Errors
    /// The directory is in use, or its journal or vault is damaged.
    pub fn open(dir: &Path, options: &Options, progress: &mut dyn FnMut(u64, u64)) -> Result<Self, OpenError> {
        disk::make_dir(dir).map_err(|source| OpenError::Io { path: dir.to_owned(), source })?;
        let lock = Arc::new(Lock::take(dir)?);
        let journal = FileJournal::open(&dir.join("journal"), options.segment_bytes)?;
        let vault = Vault::open(&dir.join("vault"))?;
        let (dir, cache_bytes) = (dir.join("sled"), options.cache_bytes);
        let recovered = recovery::recover(&journal, &dir, cache_bytes, &lock, progress)?;
        Ok(Self::start(Arc::new(journal), recovered, vault))
    }

    /// A store in memory, which is gone when it is dropped.
    ///
    /// # Errors
    /// [`OpenError::Index`] if there is no memory left.
    pub fn in_memory() -> Result<Self, OpenError> {
        Self::over(Arc::new(MemoryJournal::default()))
    }

    /// A store over any journal; everything but the journal is gone when it is dropped.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn over(journal: Arc<dyn Journal>) -> Result<Self, OpenError> {
        let database = Database::temporary()?;
        let keyspace = Keyspace::open(&database, index::TREE)?;
        let mut recovered = Recovered { database, keyspace, tips: Tips::default() };
        recovered.catch_up(&*journal, &mut |_, _| ())?;
        Ok(Self::start(journal, recovered, Vault::in_memory()))
    }

    fn start(journal: Arc<dyn Journal>, recovered: Recovered, vault: Vault) -> Self {
        let Recovered { database, keyspace, tips } = recovered;
        Self {
            log: Log::start(journal, Index::new(keyspace), tips),
            keyspaces: Mutex::default(),
            vault: Arc::new(vault),
            database,
        }
    }

    /// All logs.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The keyspace of this name; created if it does not exist. The name `events` belongs to the index.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn keyspace(&self, name: &str) -> Result<Keyspace, KeyspaceError> {
        assert_ne!(name, index::TREE, "the index is no read model");
        let mut keyspaces = self.keyspaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keyspace) = keyspaces.get(name) {
            return Ok(keyspace.clone());
        }
        let keyspace = Keyspace::open(&self.database, name)?;
        keyspaces.insert(name.to_owned(), keyspace.clone());
        Ok(keyspace)
    }

    /// The secrets.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.vault
    }
}
