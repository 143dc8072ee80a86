//! What is copied of a data directory, fixed at one moment.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use plybook_events::Hash;
use plybook_tlog::Checkpoint;

use super::BackupError;
use super::manifest::{FILES, FileCopy, JOURNAL};
use crate::journal::{self, Extent};
use crate::personal::{self, PERSONAL};
use crate::tlog;
use crate::vault::{self, VAULT};

/// How many of [`FILES`] are looked at before the journal.
const BEFORE: usize = 6;

/// A data directory as it was at one moment.
pub(super) struct Snapshot {
    /// The folder of the journal.
    pub journal: PathBuf,
    /// What counts of it.
    pub extents: Vec<Extent>,
    /// The other files that are there: names, and contents.
    pub files: Vec<(&'static str, Vec<u8>)>,
    /// The signed checkpoints, smallest first.
    pub checkpoints: Vec<Checkpoint>,
}

impl Snapshot {
    pub(super) fn of(data: &Path) -> Result<Self, BackupError> {
        let (before, after) = FILES.split_at(BEFORE);
        let mut files = read(data, before)?;
        let journal = data.join(JOURNAL);
        let extents = journal::extents(&journal)?;
        files.extend(read(data, after)?);
        for (name, bytes) in &mut files {
            let path = data.join(*name);
            match *name {
                VAULT => bytes.truncate(vault::whole_len(&path, bytes)?),
                PERSONAL => personal::check_bytes(&path, bytes)?,
                _ => {}
            }
        }
        let copied = |name: &str| {
            let (_, bytes) = files.iter().find(|(file, _)| file.strip_prefix("tlog/") == Some(name))?;
            Some(String::from_utf8_lossy(bytes).into_owned())
        };
        let checkpoints = tlog::copied_checkpoints(&copied)?;
        Ok(Self { journal, extents, files, checkpoints })
    }

    /// The number of events.
    pub(super) fn events(&self) -> u64 {
        self.extents.last().map_or(0, |last| last.next)
    }

    /// The number of events that the last checkpoint covers.
    pub(super) fn covered(&self) -> Option<u64> {
        self.checkpoints.last().map(|checkpoint| checkpoint.size)
    }

    /// The contents of a file; `None` if it is not there.
    pub(super) fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.iter().find(|(file, _)| *file == name).map(|(_, bytes)| bytes.as_slice())
    }

    /// The other files, as a manifest names them.
    pub(super) fn file_copies(&self) -> Vec<FileCopy> {
        let copy = |(name, bytes): &(&str, Vec<u8>)| FileCopy {
            name: (*name).to_owned(),
            bytes: bytes.len() as u64,
            sha256: Hash::of_parts(&[bytes]),
        };
        self.files.iter().map(copy).collect()
    }

    /// The number of bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        let journal: u64 = self.extents.iter().map(|extent| extent.bytes).sum();
        journal + self.files.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>()
    }
}

/// Those of the files that are there.
fn read(data: &Path, names: &[&'static str]) -> Result<Vec<(&'static str, Vec<u8>)>, BackupError> {
    let mut files = Vec::new();
    for name in names {
        let path = data.join(name);
        match fs::read(&path) {
            Ok(bytes) => files.push((*name, bytes)),
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => return Err(BackupError::io(&path)(why)),
        }
    }
    Ok(files)
}
