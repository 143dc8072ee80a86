//! Reading a backup from end to end.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use plybook_events::Hash;
use plybook_tlog::{Builder, Checkpoint, leaf_hash};
use sha2::{Digest, Sha256};

use super::manifest::{JOURNAL, Manifest};
use super::{BackupError, Progress};
use crate::disk;
use crate::journal::{self, Group, each_group};

/// The Merkle tree over the events that were read, and the signed checkpoints that it has to come past.
pub(super) struct Tree {
    builder: Builder,
    /// Smallest first.
    ahead: std::vec::IntoIter<Checkpoint>,
    next: Option<Checkpoint>,
    /// The size of the first one that was missed.
    wrong: Option<u64>,
}

impl Tree {
    /// An empty tree. The checkpoints are in the order of their sizes.
    pub(super) fn new(checkpoints: Vec<Checkpoint>) -> Self {
        let mut ahead = checkpoints.into_iter();
        let mut tree = Self { builder: Builder::default(), next: ahead.next(), ahead, wrong: None };
        tree.compare();
        tree
    }

    pub(super) fn push(&mut self, group: &Group<'_>) {
        for event in &group.events {
            self.builder.push(leaf_hash(event), &mut ());
            self.compare();
        }
    }

    fn compare(&mut self) {
        while let Some(next) = self.next.take_if(|next| next.size == self.builder.len()) {
            if next.root != self.builder.root() {
                self.wrong.get_or_insert(next.size);
            }
            self.next = self.ahead.next();
        }
    }

    /// Checks that it came past all checkpoints.
    pub(super) fn finish(self) -> Result<(), BackupError> {
        match self.wrong.or(self.next.map(|next| next.size)) {
            Some(size) => Err(BackupError::Tree { size }),
            None => Ok(()),
        }
    }
}

/// Reads all files of a backup and compares them with its manifest: their hashes, the groups of the journal, and the tree.
/// `state` is the folder of the files besides the journal. `visit` gets each group, with the position at which its segment starts.
pub(super) fn verify(
    folder: &Path,
    state: &Path,
    manifest: &Manifest,
    mut tree: Tree,
    visit: &mut dyn FnMut(u64, &Group<'_>),
    progress: Progress<'_>,
) -> Result<(), BackupError> {
    let (mut done, total) = (0, manifest.bytes());
    for file in &manifest.files {
        let path = state.join(&file.name);
        if len_of(&path)? != file.bytes || hash_of(&path, file.bytes)? != Some(file.sha256) {
            return Err(not_as_written(&path));
        }
        done += file.bytes;
    }
    let mut position = 0;
    for segment in &manifest.journal {
        let path = folder.join(segment.place());
        let mut hasher = Sha256::new();
        hasher.update(journal::header(segment.first));
        if segment.first != position || len_of(&path)? != segment.bytes {
            return Err(not_as_written(&path));
        }
        position = each_group(&folder.join(JOURNAL), segment.first, None, segment.bytes, |group| {
            hasher.update(group.text);
            tree.push(group);
            visit(segment.first, group);
            progress(done + group.offset, total);
            Ok::<(), BackupError>(())
        })?;
        if finish(hasher) != segment.sha256 {
            return Err(not_as_written(&path));
        }
        done += segment.bytes;
    }
    if position != manifest.events {
        return Err(BackupError::damaged(folder, "its manifest counts other events than its journal has"));
    }
    tree.finish()
}

/// The hash of a file's first bytes; `None` if it has fewer.
pub(super) fn hash_of(path: &Path, bytes: u64) -> Result<Option<Hash>, BackupError> {
    Ok(hasher_of(path, bytes)?.map(finish))
}

/// A hasher that has a file's first bytes; `None` if it has fewer.
pub(super) fn hasher_of(path: &Path, bytes: u64) -> Result<Option<Sha256>, BackupError> {
    let mut file = File::open(path).map_err(BackupError::io(path))?.take(bytes);
    let hasher = disk::hash(&mut file).map_err(BackupError::io(path))?;
    Ok((file.limit() == 0).then_some(hasher))
}

/// The hash of what was put in.
pub(super) fn finish(hasher: Sha256) -> Hash {
    Hash(hasher.finalize().into())
}

/// The length of a file of a backup.
pub(super) fn len_of(path: &Path) -> Result<u64, BackupError> {
    match fs::symlink_metadata(path) {
        Ok(file) if file.is_file() => Ok(file.len()),
        Ok(_) => Err(BackupError::damaged(path, "it is no file")),
        Err(why) if why.kind() == ErrorKind::NotFound => Err(BackupError::damaged(path, "it is missing")),
        Err(why) => Err(BackupError::io(path)(why)),
    }
}

fn not_as_written(path: &Path) -> BackupError {
    BackupError::damaged(path, "it is not what the backup wrote")
}
