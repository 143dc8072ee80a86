//! sled, kept at arm's length: every call is guarded, and nothing is trusted that cannot be checked.
//!
//! sled 0.34 can panic, keep half of what it was given, or open empty when its files are damaged, without
//! reporting any of it. So every call is guarded against panics, every tree carries its own count and
//! checksum (see [`crate::keyspace`]). A database is trusted without a recount only if its files look as a clean close left
//! them, which synced them, or if the process that had it open was killed and the system has been running since: then it has
//! everything that was written, and the recount can wait until the service answers.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::event_sum::EventSum;
use crate::lock::{Lock, patiently};
use crate::{FileJournal, OpenError, disk, ends, index, recovery};

/// A sled database. Dropped last of all its trees, it is flushed and marked as cleanly closed, unless
/// nobody has found out whether it may be: then it is left as it was found.
pub(crate) struct Database {
    sled: Option<sled::Db>,
    /// Where it is; `None` for a temporary one.
    dir: Option<PathBuf>,
    is_sound: AtomicBool,
    /// Whether it was closed cleanly the last time, or has been found to be as it should be since.
    is_believed: AtomicBool,
    /// Released last: logs and keyspaces may outlive their store, and until then they keep other processes
    /// out.
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
            io::ErrorKind::Other if text.contains("could not acquire lock") && text.contains("WouldBlock") => {
                Self::InUse
            }
            io::ErrorKind::Other
            | io::ErrorKind::NotFound
            | io::ErrorKind::UnexpectedEof
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidInput => Self::Damaged(text),
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

/// The file in the database's folder that a clean close leaves behind.
const MARKER: &str = "clean.json";

/// The file in the database's folder that says who has it open.
const STAMP: &str = "open.json";

/// Where Linux tells one boot from another.
const BOOT: &str = "/proc/sys/kernel/random/boot_id";

/// How a database was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// It was closed, and nobody has touched its files since.
    Closed,
    /// The process that had it open was killed. The system is the same, so it has what that process wrote.
    Killed,
    /// Anything may have happened to it: its trees have to be recounted.
    Unknown,
}

/// The files, as they were when the database was closed.
#[derive(Serialize, Deserialize)]
struct Marker {
    files: Vec<FileLooks>,
    /// What the index had applied, if it could be read.
    events: Option<EventSum>,
}

/// A file, without its contents: whoever changes them changes this.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct FileLooks {
    path: String,
    bytes: u64,
    inode: u64,
    /// When its contents or anything else about it were changed last: seconds since 1970, and nanoseconds.
    changed: (i64, i64),
}

/// When and where a database was opened that may be believed.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    /// Of the system.
    boot: String,
    /// Of the folder: a copy has others.
    device: u64,
    inode: u64,
}

impl Stamp {
    /// The present one; `None` if the system does not tell.
    fn now(dir: &Path) -> Option<Self> {
        let boot = fs::read_to_string(BOOT).ok().filter(|boot| !boot.is_empty())?;
        let folder = fs::metadata(dir).ok()?;
        Some(Self { boot, device: folder.dev(), inode: folder.ino() })
    }
}

impl Database {
    /// Opens or creates a database, and returns how it was left.
    pub(crate) fn open(dir: &Path, cache_bytes: u64, lock: &Arc<Lock>) -> Result<(Arc<Self>, Left), Unsound> {
        let left = look(dir);
        let open = || {
            let config = sled::Config::new().path(dir).cache_capacity(cache_bytes);
            // On a thread of its own, so that a panic leaves nothing half done on this one.
            let opened = std::thread::spawn(move || config.open()).join();
            opened.map_err(|panic| Unsound::of_panic(&*panic))?.map_err(|why| Unsound::of(&why))
        };
        let sled = patiently(open, |why| matches!(why, Unsound::InUse))?;
        Ok((Arc::new(Self::new(sled, Some(dir.to_owned()), Some(Arc::clone(lock)), left)), left))
    }

    /// A database that is deleted when it is dropped.
    pub(crate) fn temporary() -> Result<Arc<Self>, Unsound> {
        let sled = guarded(|| sled::Config::new().temporary(true).flush_every_ms(None).open())?;
        Ok(Arc::new(Self::new(sled, None, None, Left::Closed)))
    }

    fn new(sled: sled::Db, dir: Option<PathBuf>, lock: Option<Arc<Lock>>, left: Left) -> Self {
        let is_believed = AtomicBool::new(left == Left::Closed);
        Self { sled: Some(sled), dir, is_sound: AtomicBool::new(true), is_believed, _lock: lock }
    }

    /// The tree of this name.
    pub(crate) fn tree(&self, name: &str) -> Result<sled::Tree, Unsound> {
        self.guard(|| self.sled().open_tree(name))
    }

    /// The names of all trees, except sled's own.
    pub(crate) fn tree_names(&self) -> Result<Vec<String>, Unsound> {
        let names = self.guard(|| Ok(self.sled().tree_names()))?;
        let names = names.iter().map(|name| String::from_utf8_lossy(name).into_owned());
        Ok(names.filter(|name| !name.starts_with("__sled__")).collect())
    }

    /// Writes what is in memory only.
    pub(crate) fn flush(&self) -> Result<(), Unsound> {
        self.guard(|| self.sled().flush()).map(|_| ())
    }

    /// Calls sled. After the first failure the database counts as unsound, and is recounted when it is
    /// opened again.
    pub(crate) fn guard<T>(&self, call: impl FnOnce() -> sled::Result<T>) -> Result<T, Unsound> {
        guarded(call).inspect_err(|_| self.distrust())
    }

    /// Makes sure that everything is recounted at the next opening.
    pub(crate) fn distrust(&self) {
        if self.is_sound.swap(false, Ordering::AcqRel)
            && let Some(dir) = &self.dir
            && let Err(why) = remove_stamp(dir)
        {
            tracing::warn!(%why, "the index is damaged; if this process is killed, the next one may not notice at once");
        }
    }

    /// Notes that it was found to be as it should be, so that it need not be recounted if this process is killed.
    pub(crate) fn believe(&self) {
        self.is_believed.store(true, Ordering::Release);
        if let Some(dir) = &self.dir {
            write_stamp(dir);
        }
    }

    fn sled(&self) -> &sled::Db {
        self.sled.as_ref().expect("it is taken only when dropped")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let events = self.dir.as_ref().and_then(|_| index::stored_sum(self).ok());
        let (Some(sled), Some(dir)) = (self.sled.take(), &self.dir) else {
            return;
        };
        let flushed = guarded(|| sled.flush());
        let closed = guarded(|| {
            drop(sled);
            Ok(())
        });
        if !self.is_believed.load(Ordering::Acquire) {
            return;
        }
        let unstamped = remove_stamp(dir);
        if flushed.is_err() || closed.is_err() || !self.is_sound.load(Ordering::Acquire) {
            return;
        }
        let written = unstamped.and_then(|()| mark_closed(dir, events));
        if let Err(why) = written {
            tracing::warn!(%why, "the index cannot be marked as closed; it will be checked");
        }
    }
}

/// Notes that the files in a folder are those of a clean close, of an index of these events.
pub(crate) fn mark_closed(dir: &Path, events: Option<EventSum>) -> io::Result<()> {
    let files = files_of(dir)?;
    // sled does not sync. A power cut after this must find what the marker says.
    files.iter().try_for_each(|file| fs::File::open(&file.path)?.sync_all())?;
    let marker = serde_json::to_vec(&Marker { files, events }).expect("plain data");
    disk::replace(&dir.join(MARKER), &marker, 0o644)
}

/// The events of the index in a folder whose files are those of a clean close; `None` if they are not.
pub(crate) fn closed_events(dir: &Path) -> Option<EventSum> {
    closed_marker(dir)?.events
}

/// Whether a file in the folder of an index only says how that was left.
pub(crate) fn is_mark(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == MARKER || name == STAMP)
}

/// How a database was left. The marker of a clean close gives way to the stamp of whoever opens it now.
fn look(dir: &Path) -> Left {
    let marker = dir.join(MARKER);
    if !marker.exists() {
        let stamp = fs::read(dir.join(STAMP)).ok().and_then(|bytes| serde_json::from_slice::<Stamp>(&bytes).ok());
        return if stamp.is_some() && stamp == Stamp::now(dir) { Left::Killed } else { Left::Unknown };
    }
    let is_closed = closed_marker(dir).is_some();
    if is_closed {
        write_stamp(dir);
    } else if remove_stamp(dir).is_err() {
        return Left::Unknown;
    }
    if fs::remove_file(&marker).is_ok() && is_closed { Left::Closed } else { Left::Unknown }
}

/// Notes who has a database open that may be believed.
fn write_stamp(dir: &Path) {
    let Some(stamp) = Stamp::now(dir) else { return };
    let stamp = serde_json::to_vec(&stamp).expect("plain data");
    if let Err(why) = disk::replace(&dir.join(STAMP), &stamp, 0o644) {
        tracing::warn!(%why, "the index will be counted at the next start if this process is killed");
    }
}

fn remove_stamp(dir: &Path) -> io::Result<()> {
    match fs::remove_file(dir.join(STAMP)) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
        _ => Ok(()),
    }
}

/// The state of an index's files, as far as it can be told without opening it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexFiles {
    /// There are none: the next start creates them.
    Missing,
    /// They are those of a clean close.
    Closed,
    /// They are those of a clean close, and the journal has other events than they were made from: the next start
    /// refuses it.
    Changed,
    /// They are not: something has them open, or was killed. The next start checks them.
    Open,
}

/// Examines the files of the index in a data directory, and compares them with the journal as far as that can be done
/// without opening them; changes nothing.
///
/// # Errors
/// A file cannot be read.
pub fn index_files(dir: &Path) -> io::Result<IndexFiles> {
    let (dir, journal) = (dir.join("sled"), dir.join("journal"));
    if !dir.exists() {
        return Ok(IndexFiles::Missing);
    }
    let Some(marker) = closed_marker(&dir) else {
        return Ok(IndexFiles::Open);
    };
    let is_changed = |events| is_of_other_journal(&journal, events).unwrap_or(false);
    Ok(if marker.events.is_some_and(is_changed) { IndexFiles::Changed } else { IndexFiles::Closed })
}

/// Whether an index of these events was made from another journal.
fn is_of_other_journal(journal: &Path, events: EventSum) -> Result<bool, OpenError> {
    Ok(recovery::sum_of(FileJournal::open_to_read(journal)?, events.position)? != events)
}

/// The marker of a clean close; `None` if there is none, or somebody has touched the files since.
fn closed_marker(dir: &Path) -> Option<Marker> {
    let marker: Marker = serde_json::from_slice(&fs::read(dir.join(MARKER)).ok()?).ok()?;
    files_of(dir).is_ok_and(|now| now == marker.files).then_some(marker)
}

/// The files of a database, sorted: those that are sled's.
fn files_of(dir: &Path) -> io::Result<Vec<FileLooks>> {
    let mut files = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            let is_own = is_mark(&path) || path.file_name().is_some_and(|name| name == ends::FOLDER);
            let meta = fs::metadata(&path)?;
            if is_own {
                continue;
            }
            if meta.is_dir() {
                dirs.push(path);
            } else {
                let (bytes, inode, changed) = (meta.len(), meta.ino(), (meta.ctime(), meta.ctime_nsec()));
                files.push(FileLooks { path: path.to_string_lossy().into_owned(), bytes, inode, changed });
            }
        }
    }
    files.sort();
    Ok(files)
}

fn guarded<T>(call: impl FnOnce() -> sled::Result<T>) -> Result<T, Unsound> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|why| Unsound::of(&why)),
        Err(panic) => Err(Unsound::of_panic(&*panic)),
    }
}
