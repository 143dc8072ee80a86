//! An open data directory.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::database::{Database, Unsound};
use crate::index;
use crate::lock::Lock;
use crate::log::Tips;
use crate::recovery::{self, OpenedIndex, Recovery};
use crate::{
    FileJournal, Journal, JournalError, Keyspace, KeyspaceError, LockError, Log, MemoryJournal, Personal,
    PersonalError, Vault, VaultError, disk,
};

/// An open data directory. `journal/`, `vault` and `personal.json` have to be kept. `sled/` is derived from
/// the journal, and can be deleted while nothing is running. `lock` names the process that has the directory
/// open.
pub struct Store {
    log: Log,
    keyspaces: Mutex<Keyspaces>,
    vault: Arc<Vault>,
    personal: Personal,
    refusal: Option<String>,
}

/// The keyspaces opened so far, and where they are.
#[derive(Default)]
struct Keyspaces {
    by_name: HashMap<String, Keyspace>,
    /// `None` in a store that keeps nothing; its first keyspace creates a temporary one.
    database: Option<Arc<Database>>,
}

/// Options for opening a data directory.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size in bytes at which a segment of the journal is closed; 256 MiB by default.
    pub segment_bytes: u64,
    /// Roughly how many bytes of its files sled keeps in memory; 256 MiB by default.
    pub cache_bytes: u64,
}

/// The name of the file with the personal data.
const PERSONAL: &str = "personal.json";

impl Default for Options {
    fn default() -> Self {
        Self { segment_bytes: 256 << 20, cache_bytes: 256 << 20 }
    }
}

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
    /// The journal ends before events that were acknowledged. Restore it from a complete copy, or move the
    /// index away to go on without them.
    #[error(
        "the journal ends after {journal} events, but {index} were acknowledged: it was cut. \
         Restore it, or move {} away to go on without the rest",
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

impl From<Unsound> for OpenError {
    fn from(why: Unsound) -> Self {
        Self::Index(why.to_string())
    }
}

impl Store {
    /// Opens a data directory; creates it if it does not exist.
    ///
    /// The journal is checked from end to end. The index is compared with it and caught up, or set aside
    /// as `sled.damaged-1` and rebuilt; meanwhile `progress` gets the number of events indexed and the
    /// number of all events.
    ///
    /// If the disk refuses writes, an existing store is opened for reading, and nothing in the directory is
    /// touched: see [`refusal`](Self::refusal).
    ///
    /// # Errors
    /// The directory is in use, or its journal or vault is damaged.
    pub fn open(dir: &Path, options: &Options, progress: &mut dyn FnMut(u64, u64)) -> Result<Self, OpenError> {
        Self::open_with(dir, options, false, progress)
    }

    /// Like [`open`](Self::open), but drops the index first and rebuilds it.
    ///
    /// # Errors
    /// As for [`open`](Self::open); also if the disk refuses writes.
    pub fn rebuild(dir: &Path, options: &Options, progress: &mut dyn FnMut(u64, u64)) -> Result<Self, OpenError> {
        Self::open_with(dir, options, true, progress)
    }

    fn open_with(
        dir: &Path,
        options: &Options,
        drops_index: bool,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, OpenError> {
        let journal = dir.join("journal");
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| OpenError::Io { path, source }
        };
        disk::make_dir(dir).map_err(io(dir))?;
        disk::make_dir(&journal).map_err(io(&journal))?;
        let lock = Arc::new(Lock::take(dir)?);
        match disk::probe(dir) {
            Err(why) if drops_index => return Err(io(dir)(why)),
            Err(why) => return Self::read(dir, Some(&lock), Some(why.to_string()), progress),
            Ok(()) => {}
        }
        let journal: Arc<dyn Journal> = Arc::new(FileJournal::open(&journal, options.segment_bytes)?.locked(&lock));
        let vault = Vault::open(&dir.join("vault"))?;
        let personal = Personal::open(&dir.join(PERSONAL))?;
        let index = dir.join("sled");
        if drops_index && index.exists() {
            fs::remove_dir_all(&index).map_err(io(&index))?;
        }
        let recovered = recovery::recover(&journal, &index, options.cache_bytes, &lock, progress)?;
        Ok(Self::start(journal, recovered, vault, personal, None))
    }

    /// Opens a data directory for reading, as it is at this moment. Nothing in it is written, cut or locked;
    /// another process may be recording in it, and it may be on a read-only file system. The index in sled is
    /// not used: one in memory is made from the journal.
    ///
    /// # Errors
    /// There is no journal, the journal or the vault is damaged, or they may not be read.
    pub fn open_to_read(dir: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Self, OpenError> {
        Self::read(dir, None, None, progress)
    }

    fn read(
        dir: &Path,
        lock: Option<&Arc<Lock>>,
        refusal: Option<String>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, OpenError> {
        // A secret is in the vault before its event is in the journal, so the vault is read last.
        let journal = FileJournal::open_to_read(&dir.join("journal"))?;
        let vault = Vault::open_to_read(&dir.join("vault"))?;
        let personal = Personal::open_to_read(&dir.join(PERSONAL))?;
        let journal: Arc<dyn Journal> = match lock {
            Some(lock) => Arc::new(journal.locked(lock)),
            None => Arc::new(journal),
        };
        let recovered = recovery::in_memory(&journal, progress)?;
        let refusal = refusal.unwrap_or_else(|| "it is open for reading only".to_owned());
        Ok(Self::start(journal, recovered, vault, personal, Some(refusal)))
    }

    /// A store in memory, which is gone when it is dropped.
    ///
    /// # Errors
    /// [`OpenError::Index`] if there is no memory left.
    pub fn in_memory() -> Result<Self, OpenError> {
        Self::over(Arc::new(MemoryJournal::default()))
    }

    /// A store over any journal. Everything but the journal is gone when it is dropped.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn over(journal: Arc<dyn Journal>) -> Result<Self, OpenError> {
        let recovered = OpenedIndex::temporary()?.catch_up(&*journal, Tips::default(), &mut |_, _| ())?;
        Ok(Self::start(journal, recovered, Vault::in_memory(), Personal::in_memory(), None))
    }

    fn start(
        journal: Arc<dyn Journal>,
        recovered: Recovery,
        vault: Vault,
        personal: Personal,
        refusal: Option<String>,
    ) -> Self {
        let Recovery { database, index, tips } = recovered;
        Self {
            log: Log::start(journal, index, tips, refusal.is_some()),
            keyspaces: Mutex::new(Keyspaces { database, ..Keyspaces::default() }),
            vault: Arc::new(vault),
            personal,
            refusal,
        }
    }

    /// Why the store has been read-only since it was opened: what the system said when writing was tried.
    /// Make room or correct the permissions, and open the store again. `None` if the disk accepted the write.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
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
        if let Some(keyspace) = keyspaces.by_name.get(name) {
            return Ok(keyspace.clone());
        }
        let database = match &keyspaces.database {
            Some(database) => Arc::clone(database),
            None => Arc::clone(keyspaces.database.insert(Database::temporary()?)),
        };
        let keyspace = Keyspace::open(&database, name)?;
        keyspaces.by_name.insert(name.to_owned(), keyspace.clone());
        Ok(keyspace)
    }

    /// The personal data.
    pub fn personal(&self) -> &Personal {
        &self.personal
    }

    /// The secrets.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.vault
    }
}
