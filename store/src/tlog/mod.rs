//! The transparency log of a data directory: the Merkle tree over the journal, kept as files.
//!
//! ```text
//! <data>/tlog/
//!   key                    the private key that signs checkpoints (mode 600)
//!   key.old                its predecessor, while both sign (mode 600)
//!   keys                   the public keys, oldest first, each with the size from which it signs
//!   checkpoint             the last signed checkpoint
//!   tile/0/x001/x234/067   a full tile; tile/0/x001/x234/067.p/8 a partial one
//! ```
//!
//! Everything but the keys can be computed from the journal. A checkpoint cannot be taken back, though: a journal
//! that does not lead to the one that is stored was changed, and is refused.
//!
//! Tiles are not synced. At the next start, every one of them is compared with the journal, and one that the disk
//! lost is written again.

mod check;
mod files;
mod follow;
mod fresh;
mod keys;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;

use plybook_tlog::{Checkpoint, KeyError, Tile, VerifierKey};

use crate::{Log, ReadError, disk};
pub use files::{TileFiles, TileFilesError};
use follow::Follower;
use keys::Keys;

/// The name of the folder in a data directory.
const FOLDER: &str = "tlog";

/// A transparency log that follows the journal. Dropping it signs a last checkpoint and ends its thread.
pub struct Tlog {
    shared: Arc<Shared>,
    follower: Mutex<Option<JoinHandle<()>>>,
}

/// What readers share with the follower.
struct Shared {
    files: TileFiles,
    published: RwLock<Arc<Published>>,
    key: VerifierKey,
    /// Whether the follower should end.
    is_over: Mutex<bool>,
    ended: Condvar,
}

/// A checkpoint that was made public.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The signed note.
    pub note: String,
    /// When it was signed, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Why a transparency log does not start. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum TlogError {
    /// The journal holds fewer events than were covered by a signed checkpoint. Restore it from a complete copy.
    #[error(
        "history was changed: the journal ends after {journal} events, but {} covers {signed}. Restore the journal from \
         a complete copy, or start once with --accept to go on without those events, which everybody who watches will see",
        path.display()
    )]
    Cut {
        /// The number of events in the journal.
        journal: u64,
        /// The number that the checkpoint covers.
        signed: u64,
        /// The checkpoint.
        path: PathBuf,
    },
    /// The journal holds other events than were covered by a signed checkpoint. Restore it from a copy.
    #[error(
        "history was changed: {} covers {signed} events, and the journal holds others{}. Restore the journal from a \
         copy of before, or start once with --accept to go on with this one, which everybody who watches will see",
        path.display(),
        position.map_or(String::new(), |position| format!(", the first at position {position}"))
    )]
    Changed {
        /// The journal position of the first event that differs, if the tiles tell.
        position: Option<u64>,
        /// The number of events that the checkpoint covers.
        signed: u64,
        /// The checkpoint.
        path: PathBuf,
    },
    /// The stored checkpoint is not signed by the stored keys, or not a checkpoint. Restore both from a copy.
    #[error("{}: {why}", path.display())]
    Checkpoint {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A key cannot be read, or is missing though there is a checkpoint. Restore it from a copy.
    #[error("{}: {why}", path.display())]
    Key {
        /// The key's file. Its content is in no message.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The origin in the settings is not that of the log. An origin never changes.
    #[error("the transparency log's origin is {stored:?} and cannot become {wanted:?}: correct the setting")]
    Origin {
        /// The origin of the log.
        stored: String,
        /// The origin in the settings.
        wanted: String,
    },
    /// The origin in the settings is not one.
    #[error("the origin {wanted:?}: {why}")]
    BadOrigin {
        /// The origin in the settings.
        wanted: String,
        /// What is wrong.
        why: KeyError,
    },
    /// The journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The operating system refused. Check the permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
}

impl Tlog {
    /// Opens the transparency log of a data directory, compares it with the journal, and follows the journal from then
    /// on: a checkpoint covers an event at most a second after it was recorded.
    ///
    /// The first time, it makes a key whose name is `origin`, or else a name that no other data directory has.
    ///
    /// # Errors
    /// The journal does not lead to the last checkpoint, or a file is missing or cannot be read or written.
    pub fn start(data: &Path, log: &Log, origin: Option<&str>) -> Result<Self, TlogError> {
        let dir = data.join(FOLDER);
        let io = |source| TlogError::Io { path: dir.clone(), source };
        disk::make_dir(&dir).map_err(io)?;
        let files = TileFiles::new(&dir);
        let stored = files.checkpoint()?;
        let keys = Keys::open(&dir, origin, stored.is_some())?;
        let (builder, published) = if let Some(stored) = stored {
            let published = stored.checked(&keys, &files)?;
            (check::compare(log, &files, &published.checkpoint)?, published)
        } else {
            if !log.is_empty() {
                tracing::warn!(dir = %dir.display(), "there is no checkpoint: the tree is made from the journal");
            }
            check::begin(&keys, &files)?
        };
        keys.list(published.checkpoint.size)?;
        let key = keys.current().clone();
        let (published, is_over) = (RwLock::new(Arc::new(published)), Mutex::new(false));
        let shared = Arc::new(Shared { files, published, key, is_over, ended: Condvar::new() });
        let follower = Follower::new(log.clone(), Arc::clone(&shared), keys, builder);
        let follower = std::thread::Builder::new().name("tlog".to_owned()).spawn(move || follower.run());
        Ok(Self { shared, follower: Mutex::new(Some(follower.map_err(io)?)) })
    }

    /// Opens the transparency log of a data directory for reading, as it is at this moment; a service may be following
    /// the journal. `None` if there is none.
    ///
    /// # Errors
    /// The checkpoint is not signed by the keys, or a file cannot be read.
    pub fn open_to_read(data: &Path) -> Result<Option<Self>, TlogError> {
        let dir = data.join(FOLDER);
        let files = TileFiles::new(&dir);
        let Some(stored) = files.checkpoint()? else { return Ok(None) };
        let keys = Keys::open(&dir, None, true)?;
        let published = RwLock::new(Arc::new(stored.checked(&keys, &files)?));
        let key = keys.current().clone();
        let shared = Shared { files, published, key, is_over: Mutex::new(true), ended: Condvar::new() };
        Ok(Some(Self { shared: Arc::new(shared), follower: Mutex::new(None) }))
    }

    /// Compares the journal with the last checkpoint.
    ///
    /// # Errors
    /// The journal does not lead to it.
    pub fn examine(&self, log: &Log) -> Result<(), TlogError> {
        check::examine(log, &self.shared.files, &self.published().checkpoint).map(drop)
    }

    /// Makes a new key. With `keeps_old`, checkpoints are signed by the old one, too, until the next change. Nobody may
    /// be following the journal of this data directory. Returns the new public key.
    ///
    /// # Errors
    /// There is no transparency log, or a file cannot be read or written.
    pub fn rotate_key(data: &Path, keeps_old: bool) -> Result<VerifierKey, TlogError> {
        let dir = data.join(FOLDER);
        let files = TileFiles::new(&dir);
        let stored = files.checkpoint()?.ok_or_else(|| TlogError::Checkpoint {
            path: files.checkpoint_path(),
            why: "there is no transparency log yet: the first start of the service makes it".to_owned(),
        })?;
        let keys = Keys::open(&dir, None, true)?;
        let published = stored.checked(&keys, &files)?;
        keys.rotate(&published.checkpoint, &files, keeps_old)
    }

    /// Renames the transparency log of a data directory, so that another one can begin. Returns its new name.
    pub(crate) fn set_aside(data: &Path) -> Result<PathBuf, TlogError> {
        let dir = data.join(FOLDER);
        let names = (1_u64..).map(|n| data.join(format!("{FOLDER}.before-{n}")));
        let aside = names.into_iter().find(|aside| !aside.exists()).expect("there are not that many");
        let moved = std::fs::rename(&dir, &aside).and_then(|()| disk::sync_dir(data));
        moved.map_err(|source| TlogError::Io { path: dir, source })?;
        Ok(aside)
    }

    /// Signs a checkpoint of everything that is recorded by now, and no longer follows the journal.
    pub fn close(&self) {
        *self.shared.is_over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.shared.ended.notify_all();
        let follower = self.follower.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(follower) = follower {
            // A panic of the follower has been reported.
            let _ = follower.join();
        }
    }

    /// The last checkpoint.
    pub fn published(&self) -> Arc<Published> {
        Arc::clone(&self.shared.published.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The public key of its checkpoints.
    pub fn key(&self) -> &VerifierKey {
        &self.shared.key
    }

    /// All its public keys, oldest first: one a line, with the number of leaves from which it signs.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn keys(&self) -> Result<String, TlogError> {
        keys::listed(self.shared.files.dir())
    }

    /// The tiles, of which those of the last checkpoint are complete.
    pub fn tiles(&self) -> &TileFiles {
        &self.shared.files
    }

    /// The bytes of a tile that the last checkpoint covers; `None` if it does not, or if the tile is not there.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn tile(&self, tile: Tile) -> Result<Option<Vec<u8>>, TileFilesError> {
        if tile.is_in(self.published().checkpoint.size) { self.shared.files.bytes(tile).map(Some) } else { Ok(None) }
    }
}

impl Shared {
    fn publish(&self, published: Published) {
        *self.published.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(published);
    }
}

impl Drop for Tlog {
    fn drop(&mut self) {
        self.close();
    }
}
