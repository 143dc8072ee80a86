//! The transparency log of a data directory: the Merkle tree over the journal, kept as files.
//!
//! ```text
//! <data>/tlog/
//!   key                    the private key that signs checkpoints (mode 600)
//!   key.old                its predecessor, while both sign (mode 600)
//!   key.next               its successor, during a rotation (mode 600)
//!   keys                   the public keys, oldest first, each with the size from which it signs
//!   checkpoint             the last signed checkpoint
//!   cosigned               the last one that enough witnesses have cosigned, if there are witnesses
//!   tile/1/x001/x234/067   a full tile; tile/1/x001/x234/067.p/8 a partial one
//! ```
//!
//! Everything but the keys can be computed from the journal. A checkpoint cannot be taken back, though: a journal
//! that does not lead to the one that is stored was changed, and is refused.
//!
//! Tiles are not synced. At the next start, every one of them is compared with the journal, and one that the disk
//! lost is written again: those of the last events before the service answers, and the others after that.
//!
//! A full tile of level 0 is no file: its hashes are those of events that the journal has, so it is made when somebody asks for it.

mod check;
mod cosigning;
mod earlier;
mod files;
mod follow;
mod keys;
mod rotation;
mod sharing;
mod start;
mod tiles;
mod witness;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use plybook_tlog::{
    Builder, Checkpoint, Cosignature, KeyError, Note, NoteError, Quorum, Tile, Tiles, VerifierKey, WitnessKey,
};

use crate::disk;
use crate::log::{AppendError, Log, ReadError};
use cosigning::Cosigning;
pub use files::TileError;
use files::{Files, Stored};
use keys::Keys;
use plybook_stream::{Document, StreamError};
pub use rotation::Rotation;
pub(crate) use sharing::shared_files;
pub use tiles::TreeTiles;
pub use witness::{Witness, WitnessError};

/// The name of the folder in a data directory.
pub(crate) const FOLDER: &str = "tlog";

/// A transparency log that follows the journal. Dropping it signs a last checkpoint and ends its thread.
pub struct Tlog {
    shared: Arc<Shared>,
    /// The follower, and what compares the beginning of a long journal.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// What readers share with the follower.
struct Shared {
    files: Files,
    /// The checkpoint that is public: the last one, or the last one that enough witnesses have cosigned.
    published: RwLock<Arc<Published>>,
    cosigning: Cosigning,
    key: VerifierKey,
    /// Whether the threads should end.
    is_over: Mutex<bool>,
    ended: Condvar,
    /// Whether the journal was found to be changed.
    is_refused: AtomicBool,
    /// Where nodes share the checkpoint that witnesses have cosigned.
    cosigned: Option<Document>,
    /// Whether this node has the checkpoints cosigned.
    is_asking: AtomicBool,
}

/// The checkpoints that are stored.
struct Known {
    /// The last one that was signed.
    signed: Published,
    /// The last one that was public.
    published: Published,
}

/// A signed checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The signed note, with its cosignatures.
    pub note: Note,
    /// The cosignatures of the witnesses that the service asks.
    pub cosignatures: Vec<Cosignature>,
    /// When it was signed, in milliseconds since 1970.
    pub at_ms: i64,
}

/// Why a transparency log does not start. Nothing was changed, and no tile replaced that was there.
#[derive(Debug, thiserror::Error)]
pub enum TlogError {
    /// The journal holds fewer events than were covered by a signed checkpoint. Restore it from a complete copy.
    #[error(
        "history was changed: the journal ends after {journal} events, but {} covers {signed}. {}",
        path.display(),
        advice(*is_shared)
    )]
    Cut {
        /// The number of events in the journal.
        journal: u64,
        /// The number that the checkpoint covers.
        signed: u64,
        /// The checkpoint.
        path: PathBuf,
        /// Whether nodes share the journal.
        is_shared: bool,
    },
    /// The journal holds other events than were covered by a signed checkpoint. Restore it from a copy.
    #[error(
        "history was changed: {} covers {signed} events, and the journal holds others{}. {}",
        path.display(),
        events.as_ref().map_or(String::new(), |events| match (events.start(), events.end()) {
            (first, last) if first == last => format!(", the first at position {first}"),
            (first, last) => format!(", the first at one of the positions {first} to {last}"),
        }),
        advice(*is_shared)
    )]
    Changed {
        /// The journal positions among which that of the first event is that differs, as far as the tiles tell.
        events: Option<RangeInclusive<u64>>,
        /// The number of events that the checkpoint covers.
        signed: u64,
        /// The checkpoint.
        path: PathBuf,
        /// Whether nodes share the journal.
        is_shared: bool,
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
    /// A rotation was begun and is not finished. Finish it first.
    #[error(
        "a rotation of the key was begun {} --drop-old and not finished: run `plybook tlog rotate-key` {} --drop-old first",
        if *dropped { "with" } else { "without" },
        if *dropped { "with" } else { "without" }
    )]
    Begun {
        /// Whether it drops the old key.
        dropped: bool,
    },
    /// The rotation cannot be recorded in the journal.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The servers that keep what nodes share are away, or refuse.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The operating system refused. Check the permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
}

/// What to do about a journal that does not lead to a checkpoint.
fn advice(is_shared: bool) -> &'static str {
    if is_shared {
        "Copy the stream to a directory with `plybook journal copy`, and examine that (docs/runbook.md, \"On a node\")"
    } else {
        "Restore the journal from a copy of before, or start once with --accept to go on with this one, which everybody \
         who watches will see"
    }
}

/// The checkpoints among copies of a transparency log's files, smallest first; none if none was signed. `file` gives the
/// text of the copy with this name.
///
/// # Errors
/// A checkpoint is not signed by the keys, or they are missing.
pub(crate) fn copied_checkpoints(file: &dyn Fn(&str) -> Option<String>) -> Result<Vec<Checkpoint>, TlogError> {
    let stored = ["checkpoint", "cosigned"].map(|name| file(name).map(|note| Stored::copied(name, note)));
    let Some(keys) = stored.iter().any(Option::is_some).then(|| Keys::copied(file)).transpose()? else {
        return Ok(Vec::new());
    };
    let checked = |stored: Stored| Ok(keys.checked(stored, &Quorum::default())?.checkpoint);
    let mut checkpoints = stored.into_iter().flatten().map(checked).collect::<Result<Vec<_>, TlogError>>()?;
    checkpoints.sort_by_key(|checkpoint| checkpoint.size);
    Ok(checkpoints)
}

impl Tlog {
    /// Opens the transparency log of a data directory for reading, as it is at this moment; a service may be following
    /// the journal. `None` if there is none.
    ///
    /// # Errors
    /// The checkpoint is not signed by the keys, or a file cannot be read.
    pub fn open_to_read(data: &Path) -> Result<Option<Self>, TlogError> {
        let dir = data.join(FOLDER);
        let files = Files::new(&dir);
        let Some(stored) = files.checkpoint()? else { return Ok(None) };
        let keys = Keys::open(&dir, None, true)?;
        let quorum = Quorum::default();
        let known = Known::of(stored, &files, &keys, &quorum)?;
        let shared = Shared::new(files, known, &keys, quorum);
        Ok(Some(Self { shared: Arc::new(shared), threads: Mutex::default() }))
    }

    /// Whether the journal was found not to lead to the last checkpoint after the log was started. No other is signed then.
    pub fn is_refused(&self) -> bool {
        self.shared.is_refused.load(Ordering::Acquire)
    }

    /// Compares the journal with the last checkpoint.
    ///
    /// # Errors
    /// The journal does not lead to it.
    pub fn examine(&self, log: &Log) -> Result<(), TlogError> {
        let (published, signed) = (self.published(), self.signed());
        let checkpoints = [&published.checkpoint, &signed.checkpoint];
        check::examine(Builder::default(), log, &self.shared.files, &checkpoints).map(drop)
    }

    /// Makes a new key, and records it in the journal of this data directory, which nobody may be following. Unless
    /// `drops_old`, checkpoints are signed by the old one, too, until the next rotation. What was interrupted is
    /// finished when it is called again. Returns the new public key.
    ///
    /// # Errors
    /// There is no transparency log, another rotation was begun, or a file cannot be read or written.
    pub fn rotate_key(data: &Path, log: &Log, drops_old: bool) -> Result<VerifierKey, TlogError> {
        let dir = data.join(FOLDER);
        let files = Files::new(&dir);
        let stored = files.checkpoint()?.ok_or_else(|| TlogError::Checkpoint {
            path: files.checkpoint_path(),
            why: "there is no transparency log yet: the first start of the service makes it".to_owned(),
        })?;
        let keys = Keys::open(&dir, None, true)?;
        let quorum = Quorum::default();
        let Known { signed, published } = Known::of(stored, &files, &keys, &quorum)?;
        let next = keys.next()?;
        let Rotation { keys: recorded, .. } = Rotation::record(log, keys.current(), next.public(), drops_old)?;
        if recorded.dropped != drops_old {
            return Err(TlogError::Begun { dropped: recorded.dropped });
        }
        keys.rotate(next, &signed, &published, &files, drops_old)
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
        let threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        for thread in threads {
            // A panic of it has been reported.
            let _ = thread.join();
        }
    }

    /// The checkpoint that is public: the last one, or the last one that enough witnesses have cosigned.
    pub fn published(&self) -> Arc<Published> {
        Arc::clone(&self.shared.published.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The last checkpoint that was signed, be it cosigned or not.
    pub fn signed(&self) -> Arc<Published> {
        self.shared.cosigning.signed()
    }

    /// The witnesses that should be asked, and how many have to cosign.
    pub fn quorum(&self) -> &Quorum {
        self.shared.cosigning.quorum()
    }

    /// Waits at most this long for a checkpoint that a witness should cosign, which has cosigned a tree of `size` leaves
    /// last, as far as is known.
    pub fn next_to_cosign(&self, witness: &WitnessKey, size: u64, patience: Duration) -> Option<Arc<Published>> {
        if !self.shared.is_asking.load(Ordering::Acquire) {
            self.shared.rest(patience);
            return None;
        }
        self.shared.cosigning.next(witness, size, patience)
    }

    /// Takes what a witness answered: lines with signatures, of which its own counts. The checkpoint becomes public if it
    /// now has enough of them.
    ///
    /// # Errors
    /// There is no cosignature by the key of the witness, or it is of something else.
    pub fn cosign(&self, asked: &Published, witness: &WitnessKey, answer: &str) -> Result<Cosignature, NoteError> {
        self.shared.cosigning.take(asked, witness, answer, |cosigned| {
            if let Some(document) = &self.shared.cosigned {
                // Every node makes it public once it has heard of it, this one too.
                if let Err(why) = sharing::publish_cosigned(document, cosigned) {
                    tracing::warn!(%why, "the cosigned checkpoint is not public yet");
                }
                return;
            }
            if let Err(why) = self.shared.files.write_cosigned(&cosigned.note) {
                tracing::warn!(%why, "the cosigned checkpoint is not stored; it is public until the next start");
            }
            self.shared.publish(Arc::clone(cosigned));
        })
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

    /// The rotations of its key that the journal tells, oldest first.
    ///
    /// # Errors
    /// The list of keys or the journal cannot be read.
    pub fn rotations(&self, log: &Log) -> Result<Vec<Rotation>, TlogError> {
        let listed = self.keys()?;
        let keys = listed.lines().filter_map(|line| line.split(' ').next());
        keys.filter_map(|key| Rotation::find(log, key).transpose()).collect()
    }

    /// The tiles over a log, of which those of the last checkpoint are complete.
    pub fn tiles<'a>(&'a self, log: &'a Log) -> TreeTiles<'a> {
        TreeTiles::new(&self.shared.files, log, self.published().checkpoint.size)
    }

    /// The bytes of a tile that the last checkpoint covers; `None` if it does not, or if it is a partial one of a size that
    /// no checkpoint had.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn tile(&self, log: &Log, tile: Tile) -> Result<Option<Vec<u8>>, TileError> {
        let size = self.published().checkpoint.size;
        if !tile.is_in(size) {
            return Ok(None);
        }
        let is_needed = Tile::of_tree(tile.level, tile.index, size) == Some(tile);
        match self.tiles(log).read(tile) {
            Err(why) if why.is_absence() && !is_needed => Ok(None),
            read => read.map(|hashes| Some(hashes.into_iter().flat_map(|hash| hash.0).collect())),
        }
    }
}

impl Shared {
    fn new(files: Files, known: Known, keys: &Keys, quorum: Quorum) -> Self {
        let (signed, published) = (Arc::new(known.signed), Arc::new(known.published));
        let key = keys.current().clone();
        let cosigning = Cosigning::new(quorum, signed, Arc::clone(&published));
        let (published, is_over) = (RwLock::new(published), Mutex::new(false));
        let (is_refused, is_asking) = (AtomicBool::new(false), AtomicBool::new(true));
        Self { files, published, cosigning, key, is_over, ended: Condvar::new(), is_refused, cosigned: None, is_asking }
    }

    /// Notes whether this node has the checkpoints cosigned.
    fn may_ask(&self, is_asking: bool) {
        self.is_asking.store(is_asking, Ordering::Release);
    }

    /// The last checkpoint that was signed.
    fn signed(&self) -> Arc<Published> {
        self.cosigning.signed()
    }

    /// Waits; whether to go on then.
    fn rest(&self, time: Duration) -> bool {
        let is_over = self.is_over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ended.wait_timeout_while(is_over, time, |is_over| !*is_over);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Signs nothing any more: the journal was changed.
    fn refuse(&self) {
        self.is_refused.store(true, Ordering::Release);
    }

    /// Takes the next checkpoint, which is public at once if no witness has to cosign it.
    fn take_signed(&self, signed: Published) {
        let signed = Arc::new(signed);
        if self.cosigning.quorum().needed() == 0 {
            self.publish(Arc::clone(&signed));
        }
        self.cosigning.take_signed(signed);
    }

    fn publish(&self, published: Arc<Published>) {
        *self.published.write().unwrap_or_else(PoisonError::into_inner) = published;
    }
}

impl Known {
    /// Checks what is stored.
    fn of(stored: Stored, files: &Files, keys: &Keys, quorum: &Quorum) -> Result<Self, TlogError> {
        let signed = keys.checked(stored, quorum)?;
        let Some(cosigned) = files.cosigned()? else { return Ok(Self { published: signed.clone(), signed }) };
        let published = keys.checked(cosigned, quorum)?;
        // A copy that was made while the service ran may have one file from before the other.
        let signed = if signed.checkpoint.size < published.checkpoint.size { published.clone() } else { signed };
        Ok(Self { signed, published })
    }

    /// The checkpoints, smallest first.
    fn checkpoints(&self) -> [&Checkpoint; 2] {
        [&self.published.checkpoint, &self.signed.checkpoint]
    }
}

impl Drop for Tlog {
    fn drop(&mut self) {
        self.close();
    }
}
