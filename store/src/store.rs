//! An open data directory.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::{fs, thread};

use plybook_stream::{NatsAccess, NatsAddress, VaultKey};
use plybook_tlog::Quorum;

use crate::database::{Database, IndexFiles, index_files};
use crate::disk;
use crate::journal::{FileJournal, JetStreamJournal, Journal, Keeper, MemoryJournal, UpkeepProgress};
use crate::keyspace::{Keyspace, KeyspaceError};
use crate::lock::Lock;
use crate::log::{self, Log, Opening, Recovered};
use crate::memory::Memory;
use crate::model_files::ModelFiles;
use crate::open_error::OpenError;
use crate::personal::{PERSONAL, Personal};
use crate::shared::Shared;
use crate::tlog::{Tlog, TlogError};
use crate::vault::{VAULT, Vault};

/// An open data directory. `journal/`, `vault` and `personal.json` have to be kept; they are elsewhere if the journal is in a
/// stream. `sled/` is derived from the journal, and can be deleted while nothing is running. `lock` names the process that has
/// the directory open.
pub struct Store {
    /// First, so that it ends before anything else does.
    keeper: Option<Keeper>,
    /// The journal, if it is in files and recorded in.
    files: Option<Arc<FileJournal>>,
    log: Log,
    keyspaces: Mutex<Keyspaces>,
    /// The folder of the index, unless the index is in memory.
    index: Option<PathBuf>,
    tlog: OnceLock<Tlog>,
    places: Places,
    refusal: Option<String>,
    memory: Memory,
}

/// What is kept besides the journal and what is derived from it.
struct Places {
    vault: Arc<Vault>,
    personal: Personal,
    /// Where nodes share both, unless they are this store's own.
    shared: Option<Shared>,
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
    /// Where the journal is; in the data directory by default.
    pub journal: JournalPlace,
    /// The size in bytes at which a segment of the journal is closed; 8 MiB by default.
    pub segment_bytes: u64,
    /// How much memory may be taken; sled has a sixteenth of it, roughly, for its files.
    pub memory: Memory,
    /// Whether to go on if the journal is not the one that the index was made from: because events were changed,
    /// inserted or left out, or because it is an older copy. This is recorded, as `history_accepted`.
    pub accepts_change: bool,
    /// The key of the vault; without one, it is not encrypted.
    pub vault_key: Option<VaultKey>,
}

/// Where the journal of a store is.
#[derive(Clone, Debug, Default)]
pub enum JournalPlace {
    /// In files, in the folder `journal/` of the data directory.
    #[default]
    Files,
    /// In a stream on NATS servers, to which other processes may append, too; it is created if it is not there.
    Stream(NatsAddress, NatsAccess),
}

/// The 64ths of the memory that sled has for its files.
const SLED_PARTS: u64 = 4;

/// About what is always in memory of a log, with everything that is built on the store and what the allocator keeps.
const LOG_BYTES: u64 = 500;

impl Options {
    /// The defaults.
    pub const DEFAULT: Self = Self {
        journal: JournalPlace::Files,
        segment_bytes: 8 << 20,
        memory: Memory::USUAL,
        accepts_change: false,
        vault_key: None,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Places {
    fn own(vault: Vault, personal: Personal) -> Self {
        Self { vault: Arc::new(vault), personal, shared: None }
    }

    /// What nodes share, with what a store in files has kept in this directory until now.
    fn shared(shared: Shared, dir: &Path, key: Option<&VaultKey>) -> Result<Self, OpenError> {
        shared.vault().take_from(&Vault::open_to_read(&dir.join(VAULT), key)?)?;
        let personal = Personal::open_shared(shared.document(Personal::DOCUMENT), &dir.join(PERSONAL))?;
        Ok(Self { vault: Arc::clone(shared.vault()), personal, shared: Some(shared) })
    }
}

/// What a store is made of, and everything else is derived from.
struct Sources {
    journal: Arc<dyn Journal>,
    /// The same, if it is in files.
    files: Option<Arc<FileJournal>>,
    places: Places,
}

impl Sources {
    fn open(dir: &Path, options: &Options, lock: &Arc<Lock>) -> Result<Self, OpenError> {
        let key = options.vault_key.as_ref();
        match &options.journal {
            JournalPlace::Files => {
                // What is wrong with the vault is told first. The journal waits for the disk, the vault for a core.
                let (vault, files) = thread::scope(|scope| {
                    let files = scope.spawn(|| FileJournal::open(&dir.join("journal"), options.segment_bytes));
                    let vault = Vault::open(&dir.join(VAULT), key);
                    (vault, files.join().unwrap_or_else(|panic| resume_unwind(panic)))
                });
                let (vault, files) = (vault?, Arc::new(files?.locked(lock)));
                let personal = Personal::open(&dir.join(PERSONAL))?;
                Ok(Self {
                    journal: Arc::<FileJournal>::clone(&files),
                    files: Some(files),
                    places: Places::own(vault, personal),
                })
            }
            JournalPlace::Stream(address, access) => {
                let places = Places::shared(Shared::open(address, access, key)?, dir, key)?;
                let journal = JetStreamJournal::create(address, access)?;
                Ok(Self { journal: Arc::new(journal), files: None, places })
            }
        }
    }
}

impl Store {
    /// Opens a data directory; creates it if it does not exist.
    ///
    /// Of a journal in files, the last segment is checked. The index is compared with it and caught up; it is made again if it
    /// is damaged, or was not closed before the system stopped. Meanwhile `progress` gets the number of events indexed and the
    /// number of all events.
    ///
    /// If the disk refuses writes, an existing store is opened for reading, and nothing in the directory is
    /// touched: see [`refusal`](Self::refusal). Over a stream, it is refused.
    ///
    /// # Errors
    /// The directory is in use, its journal or vault is damaged, or its journal is not the one that was recorded.
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
        // What is locked is this folder, wherever the journal is.
        disk::make_dir(&journal).map_err(io(&journal))?;
        let lock = Arc::new(Lock::take(dir)?);
        match disk::probe(dir) {
            Err(why) if drops_index || matches!(options.journal, JournalPlace::Stream(..)) => return Err(io(dir)(why)),
            Err(why) => {
                return Self::read(dir, options.vault_key.as_ref(), Some(&lock), Some(why.to_string()), progress);
            }
            Ok(()) => {}
        }
        if matches!(options.journal, JournalPlace::Files) {
            // Nothing is touched if the key is missing or another one.
            Vault::check_key(&dir.join(VAULT), options.vault_key.as_ref())?;
        }
        let index = dir.join("sled");
        let accepts_change = options.accepts_change;
        let had_index = match index_files(dir) {
            IndexFiles::Missing => false,
            // It cannot show what was changed, so all that was made from the journal is made again.
            IndexFiles::Stale if accepts_change => {
                fs::remove_dir_all(&index).map_err(io(&index))?;
                false
            }
            _ => true,
        };
        let cache_bytes = options.memory.parts(SLED_PARTS);
        let opening = Opening { dir: &index, cache_bytes, accepts_change, lock: &lock };
        let (opened, sources) = thread::scope(|scope| {
            let opened = scope.spawn(|| log::open(&opening));
            let sources = Sources::open(dir, options, &lock);
            (opened.join().unwrap_or_else(|panic| resume_unwind(panic)), sources)
        });
        let Sources { files, journal, places } = sources?;
        let opened = if drops_index && had_index {
            // It goes only after it was compared with the journal.
            drop(log::recover(&journal, &opening, opened, &mut |_, _| ())?);
            fs::remove_dir_all(&index).map_err(io(&index))?;
            log::open(&opening)
        } else {
            opened
        };
        let recovered = log::recover(&journal, &opening, opened, progress)?;
        let index = recovered.database.is_some().then_some(index);
        let memory = options.memory.beside((recovered.index.logs_len() as u64).saturating_mul(LOG_BYTES));
        Ok(Self { files, index, memory, ..Self::start(journal, recovered, places, None) })
    }

    /// Opens a data directory for reading, as it is at this moment. Nothing in it is written, cut or locked;
    /// another process may be recording in it, and it may be on a read-only file system. The index in sled is
    /// not used: one in memory is made from the journal.
    ///
    /// # Errors
    /// There is no journal, the journal or the vault is damaged, or they may not be read.
    pub fn open_to_read(
        dir: &Path,
        vault_key: Option<&VaultKey>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, OpenError> {
        Self::read(dir, vault_key, None, None, progress)
    }

    fn read(
        dir: &Path,
        vault_key: Option<&VaultKey>,
        lock: Option<&Arc<Lock>>,
        refusal: Option<String>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, OpenError> {
        // A secret is in the vault before its event is in the journal, so the vault is read last.
        let journal = FileJournal::open_to_read(&dir.join("journal"))?;
        let vault = Vault::open_to_read(&dir.join(VAULT), vault_key)?;
        let personal = Personal::open_to_read(&dir.join(PERSONAL))?;
        let journal: Arc<dyn Journal> = match lock {
            Some(lock) => Arc::new(journal.locked(lock)),
            None => Arc::new(journal),
        };
        let recovered = log::in_memory(&journal, progress)?;
        let refusal = refusal.unwrap_or_else(|| "it is open for reading only".to_owned());
        Ok(Self::start(journal, recovered, Places::own(vault, personal), Some(refusal)))
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
        let recovered = log::in_memory(&journal, &mut |_, _| ())?;
        let places = Places::own(Vault::in_memory(), Personal::in_memory());
        Ok(Self::start(journal, recovered, places, None))
    }

    fn start(journal: Arc<dyn Journal>, recovered: Recovered, places: Places, refusal: Option<String>) -> Self {
        let Recovered { index, database, len } = recovered;
        Self {
            keeper: None,
            files: None,
            log: Log::start(journal, len, index, refusal.is_some()),
            keyspaces: Mutex::new(Keyspaces { database, ..Keyspaces::default() }),
            index: None,
            places,
            tlog: OnceLock::new(),
            refusal,
            memory: Memory::USUAL,
        }
    }

    /// Compresses the closed segments of the journal from now on, in the background, and reports that to `report`. A store
    /// that is only read compresses nothing.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn compress_segments(&mut self, report: impl Fn(&UpkeepProgress) + Send + 'static) -> std::io::Result<()> {
        self.keeper = self.files.as_ref().map(|files| Keeper::start(Arc::clone(files), report)).transpose()?;
        Ok(())
    }

    /// Why the store has been read-only since it was opened: what the system said when writing was tried.
    /// Make room or correct the permissions, and open the store again. `None` if the disk accepted the write.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// How much memory the caches of what is built on it may take: less than was given if there were many logs when it was opened.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// All logs.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The keyspace of this name; created if it does not exist, and an empty one in memory if its files are damaged. The name `logs`
    /// belongs to the index.
    ///
    /// # Errors
    /// [`KeyspaceError::Damaged`].
    pub fn keyspace(&self, name: &str) -> Result<Keyspace, KeyspaceError> {
        assert!(name != log::TREE, "the index is no read model");
        let mut keyspaces = self.keyspaces.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keyspace) = keyspaces.by_name.get(name) {
            return Ok(keyspace.clone());
        }
        let keyspace = match keyspaces.database.as_ref().map(|database| Keyspace::open(database, name)) {
            Some(Ok(keyspace)) => keyspace,
            found => {
                if let Some(Err(why)) = found {
                    tracing::error!(name, %why, "a damaged keyspace begins anew in memory; the next start rebuilds it");
                }
                Keyspace::open(keyspaces.database.insert(Database::temporary()?), name)?
            }
        };
        keyspaces.by_name.insert(name.to_owned(), keyspace.clone());
        Ok(keyspace)
    }

    /// The files of a read model of this name. `None` if the index is in memory.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn model_files(&self, name: &str) -> std::io::Result<Option<ModelFiles>> {
        self.index.as_ref().map(|index| ModelFiles::open(index.join(name))).transpose()
    }

    /// The personal data.
    pub fn personal(&self) -> &Personal {
        &self.places.personal
    }

    /// What the nodes share that append to the same stream; `None` if the store is on its own.
    pub fn shared(&self) -> Option<&Shared> {
        self.places.shared.as_ref()
    }

    /// Waits no more for servers that are away, now or later, so that the process can end soon; does nothing while they answer.
    /// Returns whether they are away.
    pub fn give_up_if_away(&self) -> bool {
        let shared = self.shared();
        let is_away = self.log.away().is_some() || shared.is_some_and(|shared| shared.trouble().is_some());
        if is_away {
            self.log.give_up();
            shared.into_iter().for_each(Shared::give_up);
        }
        is_away
    }

    /// Keeps the transparency log in a data directory from now on; one that is open for reading only shows what is there.
    /// `origin` and `quorum` as in [`Tlog::start`]. Nodes share it. With `accepts_change`, a transparency log to which the journal does not lead is set
    /// aside, and another one begins, with a new key; not if nodes share it.
    ///
    /// # Errors
    /// The journal does not lead to the last checkpoint, or a file is missing or cannot be read or written.
    pub fn keep_tlog(
        &self,
        data: &Path,
        origin: Option<&str>,
        quorum: Quorum,
        accepts_change: bool,
    ) -> Result<(), TlogError> {
        let started = if self.refusal.is_some() {
            Tlog::open_to_read(data)?
        } else if let Some(shared) = self.shared() {
            Some(Tlog::start_shared(data, &self.log, origin, quorum, shared)?)
        } else {
            let started = match Tlog::start(data, &self.log, origin, quorum.clone()) {
                Err(why @ (TlogError::Cut { .. } | TlogError::Changed { .. })) if accepts_change => {
                    // Another log begins, with another key, and the name stays what it was.
                    let known =
                        Tlog::open_to_read(data).ok().flatten().map(|tlog| tlog.signed().checkpoint.origin.clone());
                    let aside = Tlog::set_aside(data)?;
                    tracing::error!(%why, aside = %aside.display(), "this was accepted: another transparency log begins");
                    Tlog::start(data, &self.log, origin.or(known.as_deref()), quorum)
                }
                started => started,
            };
            Some(started?)
        };
        if let Some(tlog) = started {
            self.tlog.get_or_init(|| tlog);
        }
        Ok(())
    }

    /// The transparency log, if it is kept.
    pub fn tlog(&self) -> Option<&Tlog> {
        self.tlog.get()
    }

    /// The secrets.
    pub fn vault(&self) -> &Arc<Vault> {
        &self.places.vault
    }
}

/// Opens the journal of a data directory that nothing else is using, to append to it, and nothing else there; creates both if
/// they do not exist.
///
/// # Errors
/// The directory is in use or cannot be written to, or the journal is damaged.
pub fn open_journal(dir: &Path) -> Result<FileJournal, OpenError> {
    let journal = dir.join("journal");
    disk::make_dir(&journal).map_err(|source| OpenError::Io { path: journal.clone(), source })?;
    let lock = Arc::new(Lock::take(dir)?);
    Ok(FileJournal::open(&journal, Options::DEFAULT.segment_bytes)?.locked(&lock))
}

/// Writes the vault of a data directory that nothing is using anew, read with one key and encrypted with another;
/// without the second, it is in plain text again. Returns the number of secrets.
///
/// # Errors
/// The directory is in use, or the vault is damaged or cannot be read with this key; it is left as it was.
pub fn convert_vault(dir: &Path, from: Option<&VaultKey>, to: Option<&VaultKey>) -> Result<usize, OpenError> {
    let _lock = Lock::take(dir)?;
    Ok(Vault::convert(&dir.join(VAULT), from, to)?)
}
