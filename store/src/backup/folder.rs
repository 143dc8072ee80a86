//! A backup in a folder, which each run brings up to date.

use std::collections::HashSet;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::manifest::{self, FileCopy, JOURNAL, Manifest, SegmentCopy};
use super::snapshot::Snapshot;
use super::verify::{Tree, finish, hasher_of, verify};
use super::{BackupError, BackupSummary, Progress};
use crate::disk;
use crate::journal::{self, Extent, JournalError, each_group};
use crate::personal::PERSONAL;
use crate::vault::VAULT;

/// What may be in a folder before the first backup: nothing, or what a new disk has.
const HARMLESS: [&str; 3] = ["lost+found", LOCK, "backup.json.new"];

/// The file that is locked.
const LOCK: &str = "lock";

/// Files that a data directory must not have lost.
const NEEDED: [&str; 5] = ["tlog/checkpoint", "tlog/key", VAULT, PERSONAL, "tokens.jsonl"];

/// How many bytes are written at once.
const WRITE_BYTES: usize = 1 << 20;

/// Copies a data directory into a folder: what the backup there does not have yet. A service may be recording in it. Then
/// everything in the backup is read and checked, and only then does it count.
///
/// Calls `progress` with the bytes copied so far, then with the bytes read back.
///
/// # Errors
/// The data directory is damaged or is not what the backup was made from, or the disk refuses something.
pub fn backup(data: &Path, dir: &Path, progress: Progress<'_>) -> Result<BackupSummary, BackupError> {
    refuse_inside(data, dir)?;
    let mut folder = Folder::open(dir)?;
    folder.tidy()?;
    let taken = folder.take(data, progress);
    // Whether it succeeded or not, what the manifest does not name takes up room.
    let tidied = folder.tidy();
    let summary = taken?;
    tidied.map(|()| summary)
}

/// A folder that nobody else is using, and its backup.
struct Folder {
    dir: PathBuf,
    held: Manifest,
    _lock: File,
}

impl Folder {
    /// Opens a backup; begins one in a folder that is empty or does not exist.
    fn open(dir: &Path) -> Result<Self, BackupError> {
        disk::make_private_dir(dir).map_err(BackupError::io(dir))?;
        let is_harmless = |entry: &DirEntry| HARMLESS.iter().any(|name| entry.file_name() == *name);
        // Nothing is written, not even a lock, to a folder that is used for something else.
        if read_manifest(dir)?.is_none() && !list(dir)?.iter().all(is_harmless) {
            return Err(BackupError::NotABackup(dir.to_owned()));
        }
        let path = dir.join(LOCK);
        let lock = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(&path);
        let lock = lock.map_err(BackupError::io(&path))?;
        lock.try_lock().map_err(|why| in_use(dir, why))?;
        let held = if let Some(held) = read_manifest(dir)? {
            held
        } else {
            let none = Manifest::new(0, 0, Vec::new(), Vec::new());
            write_manifest(dir, &none)?;
            none
        };
        Ok(Self { dir: dir.to_owned(), held, _lock: lock })
    }

    /// Removes everything that the manifest on the disk does not name: what runs left that did not end, or are superseded.
    fn tidy(&mut self) -> Result<(), BackupError> {
        self.held = read_manifest(&self.dir)?.ok_or_else(|| BackupError::NoBackup(self.dir.clone()))?;
        let state = self.held.state();
        for entry in list(&self.dir)? {
            let (name, path) = (entry.file_name(), entry.path());
            if name.to_str().is_some_and(|name| name.starts_with("state-") && name != state) {
                fs::remove_dir_all(&path).map_err(BackupError::io(&path))?;
            }
        }
        let journal = self.dir.join(JOURNAL);
        let entries = if journal.exists() { list(&journal)? } else { Vec::new() };
        for path in entries.iter().map(DirEntry::path) {
            let io = |source| BackupError::io(&path)(source);
            match self.held.journal.iter().find(|segment| self.dir.join(segment.place()) == path) {
                None => fs::remove_file(&path).map_err(io)?,
                Some(segment) if fs::metadata(&path).map_err(io)?.len() > segment.bytes => {
                    let file = OpenOptions::new().write(true).open(&path).map_err(io)?;
                    file.set_len(segment.bytes).and_then(|()| file.sync_all()).map_err(io)?;
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn take(&self, data: &Path, progress: Progress<'_>) -> Result<BackupSummary, BackupError> {
        let snapshot = Snapshot::of(data)?;
        self.check_lost(&snapshot)?;
        if snapshot.events() < self.held.events {
            let (found, held, folder) = (snapshot.events(), self.held.events, self.dir.clone());
            return Err(BackupError::Shorter { found, held, folder });
        }
        // A checkpoint that covers all that is held shows whether it is the same; that costs the source nothing.
        if snapshot.covered().is_none_or(|size| size < self.held.events) && !self.is_start_of(&snapshot)? {
            return Err(BackupError::Differs(self.dir.clone()));
        }
        let manifest = match self.write(&snapshot, progress) {
            Err(BackupError::Tree { .. } | BackupError::Journal(JournalError::Damaged { .. }))
                if !self.is_start_of(&snapshot)? =>
            {
                return Err(BackupError::Differs(self.dir.clone()));
            }
            written => written?,
        };
        write_manifest(&self.dir, &manifest)?;
        let new_events = manifest.events - self.held.events;
        Ok(BackupSummary { events: snapshot.events(), new_events, covered: snapshot.covered() })
    }

    /// Writes what is new, and reads everything back. It counts once the manifest that is returned is written.
    fn write(&self, snapshot: &Snapshot, progress: Progress<'_>) -> Result<Manifest, BackupError> {
        // A manifest may claim any number.
        let run = self.held.run.saturating_add(1);
        let files = self.write_state(run, snapshot)?;
        let journal = self.write_journal(snapshot, progress)?;
        let manifest = Manifest::new(run, snapshot.events(), journal, files);
        let (state, tree) = (self.dir.join(manifest.state()), Tree::new(snapshot.checkpoints.clone()));
        verify(&self.dir, &state, &manifest, tree, &mut |_, _| (), progress)?;
        Ok(manifest)
    }

    /// Checks that no file and no secret is gone that cannot be made again.
    fn check_lost(&self, snapshot: &Snapshot) -> Result<(), BackupError> {
        let state = self.dir.join(self.held.state());
        for name in NEEDED {
            if self.held.file(name).is_some() && snapshot.file(name).is_none() {
                return Err(BackupError::Lost { name, copy: state.join(name) });
            }
        }
        let Some(vault) = snapshot.file(VAULT).filter(|_| self.held.file(VAULT).is_some()) else { return Ok(()) };
        let copy = state.join(VAULT);
        let held = fs::read(&copy).map_err(BackupError::io(&copy))?;
        if vault.starts_with(&held) {
            return Ok(());
        }
        let lines: HashSet<&[u8]> = vault.split(|b| *b == b'\n').collect();
        match held.split(|b| *b == b'\n').filter(|line| !lines.contains(line)).count() {
            0 => Ok(()),
            missing => Err(BackupError::FewerSecrets { missing, copy }),
        }
    }

    /// Whether the journal begins with the segments that are held, byte for byte.
    fn is_start_of(&self, snapshot: &Snapshot) -> Result<bool, BackupError> {
        for segment in &self.held.journal {
            if journal::hash_of_text(&snapshot.journal, segment.first, segment.bytes)? != Some(segment.sha256) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Writes the files besides the journal into a folder of their own.
    fn write_state(&self, run: u64, snapshot: &Snapshot) -> Result<Vec<FileCopy>, BackupError> {
        let state = self.dir.join(manifest::state(run));
        disk::make_private_dir(&state).map_err(BackupError::io(&state))?;
        for (name, bytes) in &snapshot.files {
            let path = state.join(name);
            let io = |source| BackupError::io(&path)(source);
            disk::make_private_dir(disk::parent(&path)).map_err(io)?;
            let mut file = create(&path).map_err(io)?;
            file.write_all(bytes).and_then(|()| file.sync_all()).map_err(io)?;
            disk::sync_dir(disk::parent(&path)).map_err(io)?;
        }
        Ok(snapshot.file_copies())
    }

    /// Copies what is new of the journal.
    fn write_journal(&self, snapshot: &Snapshot, progress: Progress<'_>) -> Result<Vec<SegmentCopy>, BackupError> {
        let journal = self.dir.join(JOURNAL);
        disk::make_private_dir(&journal).map_err(BackupError::io(&journal))?;
        let held = &self.held.journal;
        let (mut done, total) = (0, snapshot.bytes());
        let mut copies = Vec::with_capacity(snapshot.extents.len());
        for (n, extent) in snapshot.extents.iter().enumerate() {
            let old = held.get(n);
            // Only the last one may have grown.
            let goes_on = |old: &SegmentCopy| {
                let (found, had) = (extent.bytes, old.bytes);
                old.first == extent.first && (found == had || found > had && n + 1 == held.len())
            };
            if !old.is_none_or(goes_on) {
                return Err(BackupError::Differs(self.dir.clone()));
            }
            let is_whole = old.is_some_and(|old| old.bytes == extent.bytes);
            copies.push(match old.filter(|_| is_whole) {
                Some(old) => old.clone(),
                None => self.write_segment(snapshot, extent, old, &mut |bytes| progress(done + bytes, total))?,
            });
            done += extent.bytes;
        }
        disk::sync_dir(&journal).map_err(BackupError::io(&journal))?;
        Ok(copies)
    }

    /// Copies a segment, or what follows the part of it that is held already.
    fn write_segment(
        &self,
        snapshot: &Snapshot,
        extent: &Extent,
        old: Option<&SegmentCopy>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<SegmentCopy, BackupError> {
        let path = self.dir.join(JOURNAL).join(journal::segment_name(extent.first));
        let io = |source| BackupError::io(&path)(source);
        let (mut out, mut hasher, from) = if let Some(old) = old {
            let held = hasher_of(&path, old.bytes)?.filter(|held| finish(held.clone()) == old.sha256);
            let hasher = held.ok_or_else(|| BackupError::damaged(&path, "it is not what the backup wrote"))?;
            let file = OpenOptions::new().append(true).open(&path).map_err(io)?;
            (BufWriter::with_capacity(WRITE_BYTES, file), hasher, Some((self.held.events, old.bytes)))
        } else {
            let mut out = BufWriter::with_capacity(WRITE_BYTES, create(&path).map_err(io)?);
            let header = journal::header(extent.first);
            out.write_all(header.as_bytes()).map_err(io)?;
            (out, Sha256::new().chain_update(header), None)
        };
        each_group(&snapshot.journal, extent.first, from, extent.bytes, |group| {
            hasher.update(group.text);
            progress(group.offset);
            out.write_all(group.text).map_err(io)
        })?;
        out.into_inner().map_err(|why| io(why.into_error()))?.sync_all().map_err(io)?;
        Ok(SegmentCopy { first: extent.first, bytes: extent.bytes, sha256: finish(hasher) })
    }
}

/// The manifest in a folder, if it has one.
pub(super) fn read_manifest(dir: &Path) -> Result<Option<Manifest>, BackupError> {
    let path = dir.join(manifest::NAME);
    let file = match File::open(&path) {
        Err(why) if why.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(BackupError::io(&path))?,
    };
    let mut json = Vec::new();
    file.take(manifest::BYTES_MAX).read_to_end(&mut json).map_err(BackupError::io(&path))?;
    Manifest::parse(&json).map(Some).map_err(|why| BackupError::damaged(&path, why))
}

/// Keeps backups from changing a folder until it is dropped. A copy of a backup may have no lock.
pub(super) fn lock_to_read(dir: &Path) -> Result<Option<File>, BackupError> {
    let path = dir.join(LOCK);
    match File::open(&path) {
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
        opened => {
            let lock = opened.map_err(BackupError::io(&path))?;
            lock.try_lock_shared().map_err(|why| in_use(dir, why))?;
            Ok(Some(lock))
        }
    }
}

fn in_use(dir: &Path, why: fs::TryLockError) -> BackupError {
    match why {
        fs::TryLockError::WouldBlock => BackupError::InUse(dir.to_owned()),
        fs::TryLockError::Error(source) => BackupError::io(dir)(source),
    }
}

/// Creates a file that only its owner can read.
pub(super) fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

/// What is in a folder.
pub(super) fn list(dir: &Path) -> Result<Vec<DirEntry>, BackupError> {
    fs::read_dir(dir).and_then(Iterator::collect).map_err(BackupError::io(dir))
}

fn write_manifest(dir: &Path, manifest: &Manifest) -> Result<(), BackupError> {
    let path = dir.join(manifest::NAME);
    disk::replace(&path, &manifest.to_json(), 0o600).map_err(BackupError::io(&path))
}

/// Refuses a folder in the data directory, whether it exists or not.
fn refuse_inside(data: &Path, dir: &Path) -> Result<(), BackupError> {
    let io = |source| BackupError::io(dir)(source);
    let dir = std::path::absolute(dir).map_err(io)?;
    let there = dir.ancestors().find(|path| path.exists()).unwrap_or(&dir).canonicalize().map_err(io)?;
    let data = data.canonicalize().map_err(BackupError::io(data))?;
    if there.starts_with(data) { Err(BackupError::Inside(dir)) } else { Ok(()) }
}
