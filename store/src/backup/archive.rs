//! A backup as a tar archive, which is written and read in one go.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tar::{Archive, Entry, EntryType, Header};

use super::folder::{create, pour};
use super::manifest::{self, FILES, JOURNAL, Manifest, SegmentCopy};
use super::snapshot::Snapshot;
use super::verify::{Tree, finish};
use super::{BackupError, BackupSummary, Progress};
use crate::journal::{self, each_group};
use crate::operator;

/// Tar pads files to multiples of this many bytes.
const BLOCK_BYTES: u64 = 512;

/// Writes a data directory as a tar archive, in which a service may be recording. Each group of the journal is checked before it
/// is written, and the manifest, without which the archive cannot be restored, comes last. Unpacked, it is a backup in a folder.
///
/// # Errors
/// As for [`backup`](super::backup()); what was written then is no backup.
pub fn backup_to(data: &Path, out: &mut dyn Write, progress: Progress<'_>) -> Result<BackupSummary, BackupError> {
    let name = Path::new("standard output");
    let io = |source| BackupError::io(name)(source);
    let snapshot = Snapshot::of(data)?;
    let (mut done, total) = (0, snapshot.bytes());
    let state = PathBuf::from(manifest::state(1));
    for (name, bytes) in &snapshot.files {
        begin(out, &state.join(name), bytes.len() as u64).map_err(io)?;
        out.write_all(bytes).map_err(io)?;
        end(out, bytes.len() as u64).map_err(io)?;
        done += bytes.len() as u64;
    }
    let (mut segments, mut tree) = (Vec::new(), Tree::new(snapshot.checkpoints.clone()));
    for extent in &snapshot.extents {
        let mut hasher = Sha256::new();
        let header = journal::header(extent.first);
        hasher.update(&header);
        begin(out, &Path::new(JOURNAL).join(journal::segment_name(extent.first)), extent.bytes).map_err(io)?;
        out.write_all(header.as_bytes()).map_err(io)?;
        each_group(&snapshot.journal, extent.first, None, extent.bytes, |group| {
            hasher.update(group.text);
            tree.push(group);
            progress(done + group.offset, total);
            out.write_all(group.text).map_err(io)
        })?;
        end(out, extent.bytes).map_err(io)?;
        done += extent.bytes;
        segments.push(SegmentCopy { first: extent.first, bytes: extent.bytes, sha256: finish(hasher) });
    }
    tree.finish()?;
    let events = snapshot.events();
    let json = Manifest::new(1, events, segments, snapshot.file_copies()).to_json();
    begin(out, Path::new(manifest::NAME), json.len() as u64).map_err(io)?;
    out.write_all(&json).map_err(io)?;
    end(out, json.len() as u64).map_err(io)?;
    close(out).map_err(io)?;
    Ok(BackupSummary { events, new_events: events, covered: snapshot.covered() })
}

/// Begins a file of an archive.
pub(super) fn begin(out: &mut dyn Write, path: &Path, bytes: u64) -> io::Result<()> {
    let mut header = Header::new_gnu();
    header.set_path(path)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(operator::now().as_millis() as u64 / 1000);
    header.set_entry_type(EntryType::Regular);
    header.set_cksum();
    out.write_all(header.as_bytes())
}

/// Ends a file of an archive, which has this many bytes.
pub(super) fn end(out: &mut dyn Write, bytes: u64) -> io::Result<()> {
    let padding = bytes.next_multiple_of(BLOCK_BYTES) - bytes;
    out.write_all(&[0; BLOCK_BYTES as usize][..padding as usize])
}

/// Ends an archive.
pub(super) fn close(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(&[0; 2 * BLOCK_BYTES as usize])?;
    out.flush()
}

/// Unpacks an archive into a folder, as a data directory, and returns its manifest. Nothing is written but regular files with names
/// that a backup gives.
pub(super) fn unpack(input: &mut dyn Read, to: &Path, progress: Progress<'_>) -> Result<Manifest, BackupError> {
    let broken = |why: io::Error| BackupError::Archive(why.to_string());
    let (mut archive, mut done, mut names) = (Archive::new(input), 0, BTreeSet::new());
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let Some(place) = place_of(&entry) else {
            let (name, kind) = (String::from_utf8_lossy(&entry.path_bytes()).into_owned(), entry.header().entry_type());
            return Err(BackupError::Archive(format!("{name:?} ({kind:?}) is not a file of one")));
        };
        if place == Path::new(manifest::NAME) {
            let mut json = Vec::new();
            entry.take(manifest::BYTES_MAX).read_to_end(&mut json).map_err(broken)?;
            let manifest =
                Manifest::parse(&json).map_err(|why| BackupError::Archive(format!("its manifest: {why}")))?;
            let files = manifest.files.iter().map(|file| PathBuf::from(&file.name));
            let named: BTreeSet<PathBuf> = files.chain(manifest.journal.iter().map(SegmentCopy::place)).collect();
            return if named == names {
                Ok(manifest)
            } else {
                Err(BackupError::Archive("its manifest names other files than it has".to_owned()))
            };
        }
        if names.contains(&place) {
            return Err(BackupError::Archive(format!("it has {} twice", place.display())));
        }
        let path = to.join(&place);
        let mut file = create(&path).map_err(BackupError::io(&path))?;
        done += pour(&mut entry, &mut file, &broken, &|why| BackupError::io(&path)(why))?;
        file.sync_all().map_err(BackupError::io(&path))?;
        progress(done, done);
        names.insert(place);
    }
    Err(BackupError::Archive("it ends before its manifest".to_owned()))
}

/// Where an entry belongs in a data directory; `None` if it is not a regular file, or has no name that a backup gives.
fn place_of(entry: &Entry<'_, &mut dyn Read>) -> Option<PathBuf> {
    let path = entry.path_bytes();
    let path = str::from_utf8(&path).ok().filter(|_| entry.header().entry_type() == EntryType::Regular)?;
    if let Some(name) = path.strip_prefix("journal/") {
        let first = name.strip_suffix(".log")?.parse().ok()?;
        return (journal::segment_name(first) == name).then(|| path.into());
    }
    let state = path.strip_prefix(&manifest::state(1)).and_then(|name| name.strip_prefix('/'));
    match state {
        Some(name) => FILES.contains(&name).then(|| name.into()),
        None => (path == manifest::NAME).then(|| path.into()),
    }
}
