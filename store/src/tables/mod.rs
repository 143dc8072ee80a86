//! Tables: read models that are too large for memory and too busy for sled, as files that are written once and never
//! changed.
//!
//! They are in a folder of the index, so they are set aside, and can be deleted, with it. A *manifest* says which files
//! count; it is replaced as a whole, and has the check of each file. Everything in the folder is derived from the journal:
//! whoever finds a file missing or damaged clears the folder and makes the tables again.

mod block;
mod table;
mod writer;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use plybook_events::Hash;
use sha2::{Digest, Sha256};

pub use block::Key;
pub use table::{Cursor, Table, TableError};
pub use writer::TableWriter;

use crate::disk;

/// The name of the manifest.
const MANIFEST: &str = "manifest";

/// How the names of tables end.
const EXTENSION: &str = "table";

/// A manifest ends with the SHA-256 of what comes before.
const CHECK_BYTES: usize = 32;

/// What identifies a table: its number, and the SHA-256 of its directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableId {
    /// The number in its name.
    pub number: u64,
    /// The check.
    pub check: Hash,
}

/// A folder of tables. Clones refer to the same folder.
#[derive(Clone)]
pub struct Tables {
    dir: Arc<Path>,
    next: Arc<AtomicU64>,
}

impl Tables {
    /// Opens a folder; creates it if it does not exist.
    ///
    /// # Errors
    /// The system refuses.
    pub(crate) fn open(dir: PathBuf) -> io::Result<Self> {
        disk::make_dir(&dir)?;
        let tables = Self { dir: dir.into(), next: Arc::default() };
        let last = tables.files()?.into_iter().map(|(number, _)| number).max();
        tables.next.store(last.map_or(0, |last| last + 1), Ordering::Relaxed);
        Ok(tables)
    }

    /// What the manifest says; `None` if there is none that is whole.
    pub fn manifest(&self) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.dir.join(MANIFEST)).ok()?;
        let (said, check) = bytes.split_last_chunk::<CHECK_BYTES>()?;
        let is_whole = Sha256::digest(said).as_slice() == check;
        bytes.truncate(said.len());
        is_whole.then_some(bytes)
    }

    /// Replaces the manifest. A power cut leaves the old or the new one.
    ///
    /// # Errors
    /// The disk refuses.
    pub fn set_manifest(&self, said: &[u8]) -> io::Result<()> {
        let bytes = [said, Sha256::digest(said).as_slice()].concat();
        disk::replace(&self.dir.join(MANIFEST), &bytes, 0o644)
    }

    /// Begins a table of about this many bytes.
    ///
    /// # Errors
    /// The disk refuses, or has no room to spare.
    pub fn writer(&self, bytes: u64) -> io::Result<TableWriter> {
        disk::reserve(&self.dir, bytes)?;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        TableWriter::create(number, &self.path(number))
    }

    /// Opens a table to read. Blocks are checked when they are read.
    ///
    /// # Errors
    /// The file is missing, or is not the one with this check.
    pub fn table(&self, id: &TableId) -> Result<Table, TableError> {
        Table::open(&self.path(id.number), id)
    }

    /// Removes the tables whose numbers are accepted; those that are open can still be read.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(&self, is_gone: impl Fn(u64) -> bool) -> io::Result<()> {
        let mut gone = self.files()?.into_iter().filter(|(number, _)| is_gone(*number));
        gone.try_for_each(|(_, path)| fs::remove_file(path))
    }

    /// Removes everything, first the manifest.
    ///
    /// # Errors
    /// The system refuses.
    pub fn clear(&self) -> io::Result<()> {
        match fs::remove_file(self.dir.join(MANIFEST)) {
            Err(why) if why.kind() != ErrorKind::NotFound => return Err(why),
            _ => disk::sync_dir(&self.dir)?,
        }
        self.remove(|_| true)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.dir.join(format!("{number:08}.{EXTENSION}"))
    }

    /// The tables in the folder, with their numbers.
    fn files(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse().ok());
            if let Some(number) = number.filter(|_| path.extension().is_some_and(|end| end == EXTENSION)) {
                files.push((number, path));
            }
        }
        Ok(files)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(n: u64) -> Vec<u8> {
        vec![n as u8; if n.is_multiple_of(97) { 20_000 } else { (n % 23) as usize }]
    }

    fn key(n: u64) -> Key {
        ((n / 2).wrapping_mul(0x1_0000_0001), (n % 2) as u8)
    }

    /// A table with 3,000 pairs, and its id.
    fn written(tables: &Tables) -> TableId {
        let mut writer = tables.writer(0).unwrap();
        for n in 0..3_000 {
            writer.push(key(n), &value(n)).unwrap();
        }
        writer.finish(b"what it is about").unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        let id = written(&tables);
        let table = tables.table(&id).unwrap();
        assert_eq!(table.note().unwrap(), b"what it is about");
        for n in 0..3_000 {
            table.prefetch(key(n));
            assert_eq!(table.get(key(n)).unwrap(), Some(value(n)), "{n}");
        }
        for absent in [(7, 0), (0, 2), (u64::MAX, 0), (0x1_0000_0001, 7)] {
            table.prefetch(absent);
            assert_eq!(table.get(absent).unwrap(), None);
        }
        let mut cursor = table.cursor().unwrap();
        for n in 0..3_000 {
            assert_eq!((cursor.key(), cursor.value()), (Some(key(n)), &*value(n)));
            cursor.advance().unwrap();
        }
        assert_eq!(cursor.key(), None);
    }

    #[test]
    fn a_table_that_is_not_finished_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        let mut writer = tables.writer(0).unwrap();
        writer.push((1, 0), &vec![7; 50_000]).unwrap();
        assert_eq!(tables.files().unwrap().len(), 1);
        drop(writer);
        assert!(tables.files().unwrap().is_empty());
        let id = written(&tables);
        assert_eq!((tables.files().unwrap().len(), id.number), (1, 1));
    }

    #[test]
    fn a_table_without_pairs_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        let id = tables.writer(0).unwrap().finish(b"").unwrap();
        let table = tables.table(&id).unwrap();
        table.prefetch((0, 0));
        assert_eq!((table.get((0, 0)).unwrap(), table.cursor().unwrap().key()), (None, None));
    }

    #[test]
    fn every_flipped_or_missing_byte_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        let id = written(&tables);
        let path = tables.path(id.number);
        let whole = fs::read(&path).unwrap();
        let reads = || -> Result<(), TableError> {
            let table = tables.table(&id)?;
            table.note()?;
            let mut cursor = table.cursor()?;
            while cursor.key().is_some() {
                cursor.advance()?;
            }
            Ok(())
        };
        reads().unwrap();
        for at in (0..whole.len()).step_by(7).chain(whole.len() - 100..whole.len()) {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&path, &changed).unwrap();
            assert!(reads().is_err(), "byte {at}");
        }
        for length in (0..whole.len()).step_by(97) {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(reads().is_err(), "{length} bytes");
        }
        fs::remove_file(&path).unwrap();
        assert!(reads().is_err());
    }

    #[test]
    fn another_table_under_the_same_name_is_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        let (one, mut other) = (written(&tables), tables.writer(0).unwrap());
        other.push((1, 0), b"other").unwrap();
        let other = other.finish(b"").unwrap();
        fs::rename(tables.path(other.number), tables.path(one.number)).unwrap();
        assert!(matches!(tables.table(&one), Err(TableError::Damaged(_))));
    }

    #[test]
    fn a_manifest_is_whole_or_not_there() {
        let dir = tempfile::tempdir().unwrap();
        let tables = Tables::open(dir.path().join("tables")).unwrap();
        assert_eq!(tables.manifest(), None);
        tables.set_manifest(b"first").unwrap();
        tables.set_manifest(b"second").unwrap();
        assert_eq!(tables.manifest().as_deref(), Some(&b"second"[..]));
        let path = tables.dir.join(MANIFEST);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, &changed).unwrap();
            assert_eq!(tables.manifest(), None, "byte {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(tables.manifest(), None, "{at} bytes");
        }
    }

    #[test]
    fn numbers_are_not_used_twice_and_files_go() {
        let dir = tempfile::tempdir().unwrap();
        let open = || Tables::open(dir.path().join("tables")).unwrap();
        let (first, second) = (written(&open()), written(&open()));
        assert_eq!((first.number, second.number), (0, 1));
        let tables = open();
        let read = tables.table(&first).unwrap();
        tables.set_manifest(b"all").unwrap();
        tables.remove(|number| number == first.number).unwrap();
        assert!(tables.table(&first).is_err() && tables.table(&second).is_ok());
        assert_eq!(read.get(key(5)).unwrap(), Some(value(5)), "an open table can still be read");
        tables.clear().unwrap();
        assert!(tables.manifest().is_none() && tables.table(&second).is_err());
    }
}
