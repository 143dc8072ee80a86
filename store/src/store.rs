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
    FileJournal, Journal, JournalError, LockError, Log, MemoryJournal, Table, TableError, Vault, VaultError, disk,
};

/// A data directory: `journal/` and `vault` are what has to be kept, `sled/` is made from the
/// journal and can be deleted while nothing runs, `lock` keeps other processes out.
pub struct Store {
    log: Log,
    tables: Mutex<HashMap<String, Table>>,
    vault: Arc<Vault>,
    database: Arc<Database>,
}

/// What can be set when a data directory is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// A segment of the journal is closed when it has more bytes than this; 256 MiB by default.
    pub segment_bytes: u64,
    /// How many bytes of its files sled keeps in memory, roughly; 256 MiB by default.
    pub cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { segment_bytes: 256 << 20, cache_bytes: 256 << 20 }
    }
}

/// Why a data directory cannot be opened. What is refused stays as it was, apart
/// from a torn end of the journal or the vault, which is cut.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it, or the lock cannot be made.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal is damaged or cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal holds something else than an event. Restore it from a copy.
    #[error("journal position {position} holds no event")]
    NotAnEvent {
        /// Where.
        position: u64,
    },
    /// The journal ends before events that were acknowledged. Restore it from a copy that is
    /// whole; or, to go on without them, move the index away.
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
    /// A new index cannot be made. Look at the disk.
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
    /// Opens a data directory, and makes it if it does not exist.
    ///
    /// The journal is checked from end to end. The index is compared with it, caught up, or set
    /// aside as `sled.damaged-<n>` and rebuilt; meanwhile `progress` gets the events indexed and
    /// the events there are.
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

    /// A store that is gone when it is dropped.
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
        let table = Table::open(&database, index::TREE)?;
        let mut recovered = Recovered { database, table, tips: Tips::default() };
        recovered.catch_up(&*journal, &mut |_, _| ())?;
        Ok(Self::start(journal, recovered, Vault::in_memory()))
    }

    fn start(journal: Arc<dyn Journal>, recovered: Recovered, vault: Vault) -> Self {
        let Recovered { database, table, tips } = recovered;
        Self {
            log: Log::start(journal, Index::new(table), tips),
            tables: Mutex::default(),
            vault: Arc::new(vault),
            database,
        }
    }

    /// All logs.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The table of this name, made if it does not exist. The name `events` is the index's own.
    ///
    /// # Errors
    /// [`TableError::Damaged`].
    pub fn table(&self, name: &str) -> Result<Table, TableError> {
        assert_ne!(name, index::TREE, "the index is no read model");
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.get(name) {
            return Ok(table.clone());
        }
        let table = Table::open(&self.database, name)?;
        tables.insert(name.to_owned(), table.clone());
        Ok(table)
    }

    /// The secrets.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.vault
    }
}
