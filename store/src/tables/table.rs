//! A table that is read.
//!
//! ```text
//! "plybook/table/1\0"
//! blocks          each compressed with zstd (`block.rs`)
//! note            compressed with zstd
//! directory       of the note and of each block: number of bytes, number when unpacked, CRC-32 of the bytes (4 bytes);
//!                 between the two the number of blocks, and before each block its first key, as pairs have theirs
//! length          of the directory (8 bytes, big-endian)
//! ```
//!
//! Numbers have seven bits a byte, the low ones first. The SHA-256 of the directory is known to whoever opens the table.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::num::NonZeroU64;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use plybook_events::Hash;
use rustix::fs::{Advice, fadvise};
use zstd::bulk::Decompressor;

use super::TableId;
use super::block::{self, Key};
use crate::disk;
use crate::numbers::Numbers;

pub(super) const MAGIC: &[u8; 16] = b"plybook/table/1\0";

/// Pairs in the order of their keys. Only its directory is in memory.
pub struct Table {
    id: TableId,
    path: PathBuf,
    file: File,
    bytes: u64,
    note: Place,
    /// Each with its first key.
    blocks: Vec<(Key, Place)>,
    /// The block from which a value was read last, by its index: who reads one often reads the next.
    held: Mutex<Option<(usize, Arc<[u8]>)>>,
}

/// What a block takes in the directory, or more.
const PLACE_BYTES: usize = 8;

/// Where something is in the file, compressed.
#[derive(Clone, Copy)]
struct Place {
    offset: u64,
    bytes: u32,
    unpacked: u32,
    check: u32,
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It is missing, incomplete, changed, or another one. Clear the folder, and make the tables again.
    #[error("the table {} is damaged", .0.display())]
    Damaged(PathBuf),
    /// The system refuses. Try again later.
    #[error("{}: {source}", path.display())]
    Io {
        /// The table.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl Table {
    pub(super) fn open(path: &Path, id: &TableId) -> Result<Self, TableError> {
        let io = |source| unreadable(path, source);
        let file = File::open(path).map_err(io)?;
        let bytes = file.metadata().map_err(io)?.len();
        let damaged = || TableError::Damaged(path.to_owned());
        let end = bytes.checked_sub(8).filter(|end| *end >= MAGIC.len() as u64).ok_or_else(damaged)?;
        let mut length = [0; 8];
        file.read_exact_at(&mut length, end).map_err(io)?;
        let start = end.checked_sub(u64::from_be_bytes(length)).ok_or_else(damaged)?;
        let mut directory = vec![0; (end - start) as usize];
        file.read_exact_at(&mut directory, start).map_err(io)?;
        let mut magic = [0; MAGIC.len()];
        file.read_exact_at(&mut magic, 0).map_err(io)?;
        if Hash::of_parts(&[&directory]) != id.check || magic != *MAGIC {
            return Err(damaged());
        }
        let (note, blocks) = read_directory(&directory, start).ok_or_else(damaged)?;
        Ok(Self { id: *id, path: path.to_owned(), file, bytes, note, blocks, held: Mutex::default() })
    }

    /// What identifies it.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The number of its bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What was noted about it.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn note(&self) -> Result<Vec<u8>, TableError> {
        self.read(self.note)
    }

    /// The value of a key.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn get(&self, key: Key) -> Result<Option<Vec<u8>>, TableError> {
        let Some(index) = self.index(key) else { return Ok(None) };
        let block = self.block(index)?;
        let (mut at, mut before) = (0, (0, 0));
        while at < block.len() {
            let (found, value) = block::read(&block, at, before).ok_or_else(|| self.damaged())?;
            if found >= key {
                return Ok((found == key).then(|| block[value].to_vec()));
            }
            (at, before) = (value.end, found);
        }
        Ok(None)
    }

    /// Has the system begin to read what [`get`](Self::get) of a key will need, unless it is in memory. Who needs several values
    /// asks for all of them first, and waits for the disk about once.
    pub fn prefetch(&self, key: Key) {
        let Some(index) = self.index(key) else { return };
        let Place { offset, bytes, .. } = self.blocks[index].1;
        // Without a length, the advice would be about all that follows.
        if let Some(bytes) = NonZeroU64::new(bytes.into()) {
            // Whether it is taken or not, `get` reads.
            let _ = fadvise(&self.file, offset, Some(bytes), Advice::WillNeed);
        }
    }

    /// The block where a key is, if it is in the table.
    fn index(&self, key: Key) -> Option<usize> {
        self.blocks.partition_point(|(first, _)| *first <= key).checked_sub(1)
    }

    fn block(&self, index: usize) -> Result<Arc<[u8]>, TableError> {
        let held = || self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, block)) = held().as_ref().filter(|(of, _)| *of == index) {
            return Ok(Arc::clone(block));
        }
        let block: Arc<[u8]> = self.read(self.blocks[index].1)?.into();
        *held() = Some((index, Arc::clone(&block)));
        Ok(block)
    }

    /// All pairs, in the order of keys.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn cursor(&self) -> Result<Cursor<'_>, TableError> {
        self.cursor_from((0, 0))
    }

    /// The pairs from a key on, in the order of keys.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn cursor_from(&self, key: Key) -> Result<Cursor<'_>, TableError> {
        let next_block = self.index(key).unwrap_or(0);
        let mut cursor = Cursor { table: self, next_block, block: Vec::new(), key: None, value: 0..0 };
        cursor.advance()?;
        while cursor.key().is_some_and(|at| at < key) {
            cursor.advance()?;
        }
        Ok(cursor)
    }

    fn read(&self, place: Place) -> Result<Vec<u8>, TableError> {
        let mut packed = vec![0; place.bytes as usize];
        self.file.read_exact_at(&mut packed, place.offset).map_err(|source| unreadable(&self.path, source))?;
        if crc32fast::hash(&packed) != place.check {
            return Err(self.damaged());
        }
        let unpacked = unpack(&packed, place.unpacked as usize).map_err(|_| self.damaged())?;
        if unpacked.len() == place.unpacked as usize { Ok(unpacked) } else { Err(self.damaged()) }
    }

    /// The error for a table whose pairs make no sense.
    pub fn damaged(&self) -> TableError {
        TableError::Damaged(self.path.clone())
    }
}

/// Decompresses a block. Each thread keeps what it needs for that, which takes longer to prepare than to use.
fn unpack(packed: &[u8], bytes: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let decompressor = match kept {
            Some(decompressor) => decompressor,
            None => kept.insert(Decompressor::new()?),
        };
        decompressor.decompress(packed, bytes)
    })
}

/// A file that is missing or too short is damaged; anything else may pass.
fn unreadable(path: &Path, source: io::Error) -> TableError {
    let path = path.to_owned();
    if disk::is_loss(&source) || source.kind() == ErrorKind::InvalidData {
        return TableError::Damaged(path);
    }
    TableError::Io { path, source }
}

/// The places of the note and of the blocks. The note ends at `end`, and everything is without gaps from the beginning.
fn read_directory(directory: &[u8], end: u64) -> Option<(Place, Vec<(Key, Place)>)> {
    let mut rest = Numbers(directory);
    let mut note = read_place(&mut rest)?;
    note.offset = end.checked_sub(u64::from(note.bytes))?;
    let len = rest.next()?;
    let (mut key, mut offset) = (0_u64, MAGIC.len() as u64);
    let mut blocks = Vec::with_capacity((rest.0.len() / PLACE_BYTES).min(len as usize));
    for _ in 0..len {
        key = key.checked_add(rest.next()?)?;
        let (second, after) = rest.0.split_first()?;
        rest.0 = after;
        let place = Place { offset, ..read_place(&mut rest)? };
        offset += u64::from(place.bytes);
        blocks.push(((key, *second), place));
    }
    (offset == note.offset && rest.0.is_empty()).then_some((note, blocks))
}

fn read_place(from: &mut Numbers<'_>) -> Option<Place> {
    let bytes = u32::try_from(from.next()?).ok()?;
    let unpacked = u32::try_from(from.next()?).ok()?;
    let (check, rest) = from.0.split_first_chunk()?;
    from.0 = rest;
    Some(Place { offset: 0, bytes, unpacked, check: u32::from_be_bytes(*check) })
}

/// Goes through the pairs of a table.
pub struct Cursor<'t> {
    table: &'t Table,
    next_block: usize,
    block: Vec<u8>,
    key: Option<Key>,
    value: Range<usize>,
}

impl Cursor<'_> {
    /// The key of the pair it is at; `None` after the last.
    pub fn key(&self) -> Option<Key> {
        self.key
    }

    /// The value of the pair it is at.
    pub fn value(&self) -> &[u8] {
        &self.block[self.value.clone()]
    }

    /// Goes on to the next pair.
    ///
    /// # Errors
    /// [`TableError`].
    pub fn advance(&mut self) -> Result<(), TableError> {
        let mut before = self.key.unwrap_or_default();
        if self.value.end == self.block.len() {
            let Some((_, place)) = self.table.blocks.get(self.next_block) else {
                self.key = None;
                self.value = self.block.len()..self.block.len();
                return Ok(());
            };
            self.block = self.table.read(*place)?;
            self.next_block += 1;
            (before, self.value) = ((0, 0), 0..0);
        }
        let (key, value) = block::read(&self.block, self.value.end, before).ok_or_else(|| self.table.damaged())?;
        (self.key, self.value) = (Some(key), value);
        Ok(())
    }
}
