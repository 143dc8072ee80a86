//! The index and the read models of a node as a tar archive, from which another node starts at its position.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tar::{Archive, EntryType};

use super::archive::{begin, close, end};
use super::folder::{create, pour};
use super::manifest::{BYTES_MAX, FileCopy};
use super::restore::Staging;
use super::verify::finish;
use super::{BackupError, Progress};
use crate::database::{self, Database};
use crate::lock::Lock;
use crate::{disk, log};

/// The folders that it has of a data directory.
const FOLDERS: [&str; 2] = [INDEX, TILES];
const INDEX: &str = "sled";
const TILES: &str = "tlog/tile";

/// The name of the last file, which says what counts.
const CONTENTS: &str = "snapshot.json";

const FORMAT: &str = "plybook-snapshot/1";

/// What sled keeps in memory while the index is asked how much it has, in bytes.
const CACHE_BYTES: u64 = 1 << 20;

/// What a snapshot holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    format: String,
    /// The events that the index has.
    events: u64,
    files: Vec<FileCopy>,
}

/// Writes what a node has made from its stream as a tar archive: index, read models and the tiles of the transparency log. The node
/// must be stopped. No secret is in it, and nothing that belongs to that node alone. Returns the number of events.
///
/// # Errors
/// The directory is in use, or its index was not closed, or something cannot be read or written; what was written then is no
/// snapshot.
pub fn snapshot_to(data: &Path, out: &mut dyn Write, progress: Progress<'_>) -> Result<u64, BackupError> {
    let lock = Arc::new(Lock::take(data)?);
    let index = data.join(INDEX);
    let not_closed = || BackupError::NotClosed(data.to_owned());
    if !database::is_closed(&index) {
        return Err(not_closed());
    }
    let opened = Database::open(&index, CACHE_BYTES, &lock).and_then(|database| log::stored_position(&database));
    let events = opened.map_err(|_| not_closed())?;
    let mut files = Vec::new();
    for folder in FOLDERS {
        list(data, Path::new(folder), &mut files)?;
    }
    files.retain(|(path, _)| !database::is_mark(path));
    files.sort();
    let (mut done, total) = (0, files.iter().map(|(_, bytes)| bytes).sum());
    let mut copies = Vec::with_capacity(files.len());
    let written = |source| BackupError::io(Path::new("the snapshot"))(source);
    for (place, bytes) in files {
        let path = data.join(&place);
        let file = File::open(&path).map_err(BackupError::io(&path))?;
        begin(out, &place, bytes).map_err(written)?;
        let mut hashed = Hashed { out, hasher: Sha256::new() };
        let poured = pour(&mut file.take(bytes), &mut hashed, &|why| BackupError::io(&path)(why), &written)?;
        let sha256 = finish(hashed.hasher);
        if poured != bytes {
            return Err(BackupError::damaged(&path, "it was cut while it was read"));
        }
        end(out, bytes).map_err(written)?;
        done += bytes;
        progress(done, total);
        copies.push(FileCopy { name: place.to_string_lossy().into_owned(), bytes, sha256 });
    }
    let contents = Contents { format: FORMAT.to_owned(), events, files: copies };
    let json = serde_json::to_vec_pretty(&contents).expect("it is plain data");
    begin(out, Path::new(CONTENTS), json.len() as u64).map_err(written)?;
    out.write_all(&json).and_then(|()| end(out, json.len() as u64)).and_then(|()| close(out)).map_err(written)?;
    Ok(events)
}

/// Makes the data directory of a node from a snapshot. Its start compares that with the stream, and refuses one of another stream.
/// Returns the number of events.
///
/// # Errors
/// The directory is not empty, the snapshot is damaged or not whole, or the disk refuses something. Nothing was made.
pub fn snapshot_from(input: &mut dyn Read, data: &Path, progress: Progress<'_>) -> Result<u64, BackupError> {
    let staging = Staging::beside(data)?;
    let Contents { events, files, .. } = unpack(input, &staging.dir, progress)?;
    for file in &files {
        let folder = staging.dir.join(&file.name);
        disk::sync_dir(disk::parent(&folder)).map_err(BackupError::io(&folder))?;
    }
    staging.name()?;
    // What was unpacked is what a clean close left.
    let index = data.join(INDEX);
    database::mark_closed(&index).map_err(BackupError::io(&index))?;
    Ok(events)
}

/// Writes the files of a snapshot into a folder, and compares them with what the snapshot says of them.
fn unpack(input: &mut dyn Read, to: &Path, progress: Progress<'_>) -> Result<Contents, BackupError> {
    let broken = |why: io::Error| BackupError::Archive(why.to_string());
    let (mut archive, mut done, mut found) = (Archive::new(input), 0, BTreeMap::new());
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        let place = entry.path().map_err(broken)?.into_owned();
        let is_file = entry.header().entry_type() == EntryType::Regular;
        if is_file && place == Path::new(CONTENTS) {
            let mut json = Vec::new();
            entry.take(BYTES_MAX).read_to_end(&mut json).map_err(broken)?;
            let contents: Contents = serde_json::from_slice(&json)
                .map_err(|why| BackupError::Archive(format!("its contents cannot be read: {why}")))?;
            let named = contents.files.iter().map(|file| (PathBuf::from(&file.name), (file.bytes, file.sha256)));
            return if contents.format == FORMAT && named.collect::<BTreeMap<_, _>>() == found {
                Ok(contents)
            } else {
                Err(BackupError::Archive("its files are not those that it says it has".to_owned()))
            };
        }
        let is_within = FOLDERS.iter().any(|folder| place.starts_with(folder))
            && place.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_file || !is_within || found.contains_key(&place) {
            return Err(BackupError::Archive(format!("{} is no file of a snapshot", place.display())));
        }
        let path = to.join(&place);
        disk::make_private_dir(disk::parent(&path)).map_err(BackupError::io(&path))?;
        let mut file = create(&path).map_err(BackupError::io(&path))?;
        let mut hashed = Hashed { out: &mut file, hasher: Sha256::new() };
        let bytes = pour(&mut entry, &mut hashed, &broken, &|why| BackupError::io(&path)(why))?;
        found.insert(place, (bytes, finish(hashed.hasher)));
        file.sync_all().map_err(BackupError::io(&path))?;
        done += bytes;
        progress(done, done);
    }
    Err(BackupError::Archive("it ends before it says what it holds".to_owned()))
}

/// The files below a folder of a data directory, with their lengths.
fn list(data: &Path, folder: &Path, files: &mut Vec<(PathBuf, u64)>) -> Result<(), BackupError> {
    let dir = data.join(folder);
    let io = |source| BackupError::io(&dir)(source);
    let entries = match fs::read_dir(&dir) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(io)?,
    };
    for entry in entries {
        let entry = entry.map_err(io)?;
        let (place, meta) = (folder.join(entry.file_name()), entry.metadata().map_err(io)?);
        if meta.is_dir() {
            list(data, &place, files)?;
        } else {
            files.push((place, meta.len()));
        }
    }
    Ok(())
}

/// Hashes what is written.
struct Hashed<'a> {
    out: &'a mut dyn Write,
    hasher: Sha256,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
