//! The sled database. Every call is guarded, because sled 0.34 may panic where its files are damaged.
//!
//! sled never syncs its files, so after a power cut they may have anything. A database is opened as it is only if it was closed,
//! or if its process was killed and the system has been running since: then the system has everything that was written. In all
//! other cases its files are removed, and it is made again.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::disk;
use crate::lock::{Lock, patiently};

/// A sled database. Dropped last of all its trees, it is flushed, synced and marked as closed, unless it failed.
pub(crate) struct Database {
    sled: Option<sled::Db>,
    /// Where it is; `None` for a temporary one.
    dir: Option<PathBuf>,
    is_sound: AtomicBool,
    /// Released last: logs and keyspaces may outlive their store, and until then they keep other processes out.
    _lock: Option<Arc<Lock>>,
}

/// sled failed or panicked.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Unsound {
    /// Its contents are no longer trusted.
    #[error("sled: {0}")]
    Damaged(String),
    /// The operating system refused something to sled: the disk is full or failing, or permission is denied.
    /// This says nothing about the contents.
    #[error("sled: {0}")]
    Refused(String),
    /// Another process has it open.
    #[error("sled: in use by another process")]
    InUse,
}

impl Unsound {
    /// What an error of sled says about its files.
    fn of(why: &sled::Error) -> Self {
        let text = why.to_string();
        let sled::Error::Io(why) = why else { return Self::Damaged(text) };
        match why.kind() {
            // sled hides the error kind of its lock.
            ErrorKind::Other if text.contains("could not acquire lock") && text.contains("WouldBlock") => Self::InUse,
            ErrorKind::Other
            | ErrorKind::NotFound
            | ErrorKind::UnexpectedEof
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput => Self::Damaged(text),
            _ => Self::Refused(text),
        }
    }

    /// What a panic of sled says: it may have unwrapped an error of the operating system.
    fn of_panic(payload: &(dyn std::any::Any + Send)) -> Self {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        let text = format!("panicked: {text}");
        let is_system = text.contains("Os { code: ") && !text.contains("kind: NotFound");
        if is_system { Self::Refused(text) } else { Self::Damaged(text) }
    }
}

/// The file in the database's folder that says when it may be opened as it is.
const STAMP: &str = "stamp.json";

/// The version of what is stored.
const VERSION: u32 = 1;

/// Where Linux tells one boot from another.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// When and where a database may be opened as it is.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    version: u32,
    /// Of the folder: a copy has others.
    device: u64,
    inode: u64,
    /// The boot of the system in which it was opened; `None` if it was closed.
    boot: Option<String>,
}

impl Stamp {
    fn new(dir: &Path, boot: Option<String>) -> io::Result<Self> {
        let folder = fs::metadata(dir)?;
        Ok(Self { version: VERSION, device: folder.dev(), inode: folder.ino(), boot })
    }

    fn read(dir: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(dir.join(STAMP)).ok()?).ok()
    }

    /// Whether the database in a folder may be opened as it is.
    fn is_right(dir: &Path) -> bool {
        let read = Self::read(dir);
        let is_of = |boot| Self::new(dir, boot).is_ok_and(|now| read.as_ref() == Some(&now));
        is_of(None) || boot().is_some_and(|boot| is_of(Some(boot)))
    }

    fn write(&self, dir: &Path) -> io::Result<()> {
        disk::replace(&dir.join(STAMP), &serde_json::to_vec(self).expect("plain data"), 0o644)
    }

    fn remove(dir: &Path) -> io::Result<()> {
        match fs::remove_file(dir.join(STAMP)) {
            Err(why) if why.kind() != ErrorKind::NotFound => Err(why),
            _ => disk::sync_dir(dir),
        }
    }
}

fn boot() -> Option<String> {
    fs::read_to_string(BOOT).ok().filter(|boot| !boot.is_empty())
}

impl Database {
    /// Opens a database; an empty one if there is none, or one that may not be opened as it is.
    pub(crate) fn open(dir: &Path, cache_bytes: u64, lock: &Arc<Lock>) -> Result<Arc<Self>, Unsound> {
        let refused = |why: io::Error| Unsound::Refused(format!("{}: {why}", dir.display()));
        if dir.exists() && !Stamp::is_right(dir) {
            tracing::warn!(dir = %dir.display(), "the index was not closed before the system stopped, or was copied");
            remove(dir).map_err(refused)?;
        }
        // What sled writes when it is opened is not closed any more.
        let stamped = disk::make_dir(dir).and_then(|()| match boot() {
            Some(boot) => Stamp::new(dir, Some(boot))?.write(dir),
            None => Stamp::remove(dir),
        });
        stamped.map_err(refused)?;
        let open = || {
            let config = sled::Config::new().path(dir).cache_capacity(cache_bytes);
            // On a thread of its own, so that a panic leaves nothing half done on this one.
            let opened = std::thread::spawn(move || config.open()).join();
            opened.map_err(|panic| Unsound::of_panic(&*panic))?.map_err(|why| Unsound::of(&why))
        };
        let opened = patiently(open, |why| matches!(why, Unsound::InUse));
        let sled = opened.inspect_err(|why| {
            if matches!(why, Unsound::Damaged(_)) {
                let _ = Stamp::remove(dir);
            }
        })?;
        let (dir, lock) = (Some(dir.to_owned()), Some(Arc::clone(lock)));
        Ok(Arc::new(Self { sled: Some(sled), dir, is_sound: AtomicBool::new(true), _lock: lock }))
    }

    /// A database that is deleted when it is dropped.
    pub(crate) fn temporary() -> Result<Arc<Self>, Unsound> {
        let sled = guarded(|| sled::Config::new().temporary(true).flush_every_ms(None).open())?;
        Ok(Arc::new(Self { sled: Some(sled), dir: None, is_sound: AtomicBool::new(true), _lock: None }))
    }

    /// The tree of this name.
    pub(crate) fn tree(&self, name: &str) -> Result<sled::Tree, Unsound> {
        self.guard(|| self.sled().open_tree(name))
    }

    /// Writes what is in memory only.
    pub(crate) fn flush(&self) -> Result<(), Unsound> {
        self.guard(|| self.sled().flush()).map(|_| ())
    }

    /// Calls sled. After the first failure the database counts as unsound, and is made again when it is opened.
    pub(crate) fn guard<T>(&self, call: impl FnOnce() -> sled::Result<T>) -> Result<T, Unsound> {
        guarded(call).inspect_err(|_| self.distrust())
    }

    /// Has the next opening make it again.
    pub(crate) fn distrust(&self) {
        if self.is_sound.swap(false, Ordering::AcqRel)
            && let Some(dir) = &self.dir
            && let Err(why) = Stamp::remove(dir)
        {
            tracing::warn!(%why, "the index is damaged; if this process is killed, the next one may not notice at once");
        }
    }

    fn sled(&self) -> &sled::Db {
        self.sled.as_ref().expect("it is taken only when dropped")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let (Some(sled), Some(dir)) = (self.sled.take(), &self.dir) else { return };
        let closed = guarded(|| sled.flush().map(|_| ())).and_then(|()| {
            guarded(|| {
                drop(sled);
                Ok(())
            })
        });
        if closed.is_err() || !self.is_sound.load(Ordering::Acquire) {
            return;
        }
        let synced =
            own_files(dir).and_then(|files| files.iter().try_for_each(|file| fs::File::open(file)?.sync_all()));
        if let Err(why) = synced.and_then(|()| Stamp::new(dir, None)?.write(dir)) {
            tracing::warn!(%why, "the index cannot be marked as closed; after a power cut it will be made again");
        }
    }
}

/// Removes the files of a database; the files of read models beside them stay. The stamp goes first.
pub(crate) fn remove(dir: &Path) -> io::Result<()> {
    if !dir.exists() {
        return Ok(());
    }
    Stamp::remove(dir)?;
    own_files(dir)?.iter().try_for_each(fs::remove_file)?;
    match fs::remove_dir_all(dir.join(BLOBS)) {
        Err(why) if why.kind() != ErrorKind::NotFound => Err(why),
        _ => disk::sync_dir(dir),
    }
}

/// sled's folder for large values.
const BLOBS: &str = "blobs";

/// The files of a database: all in its folder, and in that for large values.
fn own_files(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for dir in [dir, &dir.join(BLOBS)].into_iter().filter(|dir| dir.is_dir()) {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                files.push(entry.path());
            }
        }
    }
    Ok(files)
}

/// The state of an index's files, as far as it can be told without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexFiles {
    /// There are none: the next start creates them.
    Missing,
    /// The next start goes on with them.
    Sound,
    /// The next start makes them again: they are a copy, or the system stopped while they were open.
    Stale,
}

/// Examines the files of the index in a data directory; changes nothing.
pub fn index_files(dir: &Path) -> IndexFiles {
    let dir = dir.join("sled");
    if !dir.exists() {
        IndexFiles::Missing
    } else if Stamp::is_right(&dir) {
        IndexFiles::Sound
    } else {
        IndexFiles::Stale
    }
}

fn guarded<T>(call: impl FnOnce() -> sled::Result<T>) -> Result<T, Unsound> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|why| Unsound::of(&why)),
        Err(panic) => Err(Unsound::of_panic(&*panic)),
    }
}
