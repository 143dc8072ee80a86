//! The summaries of all games in a key-value store like Bitcask: values are appended to a file, and the place of each is in
//! memory. So are the values that are not in the file yet, and a cache of those that were asked for last.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_store::{Memory, ModelFiles};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use zstd::bulk::Compressor;

use super::summary::Summary;

/// A game: the index of its kind, and its number.
pub(super) type GameKey = (u16, u32);

/// The 64ths of the memory for summaries that were read from the file.
const PARTS: u64 = 4;

/// What a summary takes in memory, and what more for each byte of it in the file; about.
const SUMMARY_BYTES: u64 = 512;
const BYTES: u64 = 4;

/// How hard zstd tries with a summary, of which it leaves half.
const LEVEL: i32 = 1;

/// The most bytes of a summary as JSON: an event has a quarter of that.
const JSON_BYTES_MAX: usize = 256 << 10;

/// A file is compacted when its garbage has this many bytes, and is more than what counts.
const GARBAGE_BYTES: u64 = if cfg!(test) { 1 << 12 } else { 16 << 20 };

/// The summaries of all games.
#[derive(Serialize, Deserialize)]
pub(super) struct Summaries {
    /// Where the summary of each game is, by kind and number.
    places: Vec<Vec<Place>>,
    /// The number in the name of the file, and how many bytes of it count, garbage included.
    file_number: u64,
    len: u64,
    #[serde(skip)]
    file: Option<Arc<File>>,
    #[serde(skip)]
    files: Option<ModelFiles>,
    /// Those that are not in the file as they are now.
    #[serde(skip)]
    changed: BTreeMap<GameKey, Arc<Summary>>,
    #[serde(skip, default = "none_read")]
    read: Cache<GameKey, Kept, Weigh>,
    #[serde(skip)]
    is_damaged: AtomicBool,
}

/// Where a summary is in the file, as JSON in a zstd frame, and the CRC-32 of that.
#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct Place {
    offset: u64,
    len: u32,
    check: u32,
}

/// A summary that was read, and about how many bytes it takes.
#[derive(Clone)]
struct Kept(Arc<Summary>, u64);

#[derive(Clone)]
struct Weigh;

impl Weighter<GameKey, Kept> for Weigh {
    fn weight(&self, _game: &GameKey, kept: &Kept) -> u64 {
        kept.1
    }
}

impl Default for Summaries {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            file_number: 0,
            len: 0,
            file: None,
            files: None,
            changed: BTreeMap::new(),
            read: none_read(),
            is_damaged: AtomicBool::new(false),
        }
    }
}

fn none_read() -> Cache<GameKey, Kept, Weigh> {
    cache(Memory::of(0))
}

fn cache(memory: Memory) -> Cache<GameKey, Kept, Weigh> {
    let bytes = memory.parts(PARTS);
    Cache::with_weighter((bytes / (2 * SUMMARY_BYTES)) as usize, bytes, Weigh)
}

impl Summaries {
    /// The name of the file.
    pub fn name(&self) -> String {
        format!("{}.summaries", self.file_number)
    }

    /// Opens the file, or creates it if there are no summaries yet. `memory` is for all read models.
    pub fn open(&mut self, files: &ModelFiles, memory: Memory) -> io::Result<()> {
        if self.places.is_empty() {
            files.replace(&self.name(), 0, |_| Ok(()))?;
        }
        let file = files.file(&self.name())?;
        if file.metadata()?.len() < self.len {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        (self.file, self.files, self.read) = (Some(file.into()), Some(files.clone()), cache(memory));
        Ok(())
    }

    /// The summary of a game; `None` if it cannot be read.
    pub fn get(&self, game: GameKey) -> Option<Arc<Summary>> {
        if let Some(changed) = self.changed.get(&game) {
            return Some(Arc::clone(changed));
        }
        if let Some(Kept(summary, _)) = self.read.get(&game) {
            return Some(summary);
        }
        let place = *self.places.get(usize::from(game.0))?.get(game.1 as usize)?;
        let unpack = |frame: Vec<u8>| Ok(serde_json::from_slice(&zstd::bulk::decompress(&frame, JSON_BYTES_MAX)?)?);
        let read = read(self.file.as_ref()?, place).and_then(unpack);
        let summary = read.inspect_err(|why| {
            if !self.is_damaged.swap(true, Ordering::SeqCst) {
                tracing::error!(%why, "summaries of games are made from their logs");
            }
        });
        let summary = Arc::new(summary.ok()?);
        self.keep(game, &summary, place.len as usize);
        Some(summary)
    }

    /// Keeps a summary for those who ask next.
    pub fn keep(&self, game: GameKey, summary: &Arc<Summary>, len: usize) {
        self.read.insert(game, Kept(Arc::clone(summary), SUMMARY_BYTES + BYTES * len as u64));
    }

    /// Takes out the summary of a game that is about to change; it has to be [put](Self::put) back.
    pub fn take(&mut self, game: GameKey) -> Option<Arc<Summary>> {
        let changed = self.changed.remove(&game);
        let summary = changed.or_else(|| self.get(game));
        self.read.remove(&game);
        summary
    }

    /// Sets the summary of a game.
    pub fn put(&mut self, game: GameKey, summary: Arc<Summary>) {
        self.changed.insert(game, summary);
    }

    /// Those that are not in the file as they are now.
    pub fn changed(&self) -> &BTreeMap<GameKey, Arc<Summary>> {
        &self.changed
    }

    /// Whether the file was found damaged.
    pub fn is_damaged(&self) -> bool {
        self.is_damaged.load(Ordering::SeqCst)
    }

    /// Appends those that have changed to the file. They count at the next start if a snapshot says so.
    pub fn flush(&mut self) -> io::Result<()> {
        let Some((file, files)) = self.file.as_ref().zip(self.files.as_ref()) else { return Ok(()) };
        let (mut bytes, mut places) = (Vec::new(), Vec::with_capacity(self.changed.len()));
        let mut compressor = Compressor::new(LEVEL)?;
        for summary in self.changed.values() {
            let json = serde_json::to_vec(&**summary).expect("a summary is plain data");
            let frame = compressor.compress(&json)?;
            places.push(Place::of(self.len + bytes.len() as u64, &frame));
            bytes.extend_from_slice(&frame);
        }
        files.reserve(bytes.len() as u64)?;
        file.write_all_at(&bytes, self.len)?;
        file.sync_data()?;
        self.len += bytes.len() as u64;
        for (((kind, number), summary), place) in std::mem::take(&mut self.changed).into_iter().zip(places) {
            let (kind, number) = (usize::from(kind), number as usize);
            self.places.resize_with(self.places.len().max(kind + 1), Vec::new);
            let of_kind = &mut self.places[kind];
            of_kind.resize(of_kind.len().max(number + 1), Place::default());
            of_kind[number] = place;
            self.keep((kind as u16, number as u32), &summary, place.len as usize);
        }
        Ok(())
    }

    /// What is in the file, to be compacted; `None` if little of it is garbage.
    pub fn to_compact(&self) -> Option<Self> {
        let live: u64 = self.places.iter().flatten().map(|place| u64::from(place.len)).sum();
        (self.len - live > live.max(GARBAGE_BYTES)).then(|| Self {
            places: self.places.clone(),
            file_number: self.file_number,
            file: self.file.clone(),
            ..Self::default()
        })
    }

    /// Copies what counts to another file.
    pub fn compact(&mut self, files: &ModelFiles) -> io::Result<()> {
        self.file_number += 1;
        let (name, old) = (self.name(), self.file.take().expect("what is compacted is in a file"));
        files.replace(&name, 0, |to| {
            for place in self.places.iter_mut().flatten() {
                to.write_all(&read(&old, *place)?)?;
                place.offset = self.len;
                self.len += u64::from(place.len);
            }
            Ok(())
        })?;
        self.file = Some(files.file(&name)?.into());
        Ok(())
    }

    /// Goes on with the compacted file of these summaries, which have not been flushed since.
    pub fn replace_file(&mut self, compacted: Self) {
        let Self { places, file_number, len, file, .. } = compacted;
        (self.places, self.file_number, self.len, self.file) = (places, file_number, len, file);
    }
}

impl Place {
    fn of(offset: u64, frame: &[u8]) -> Self {
        Self { offset, len: frame.len() as u32, check: crc32fast::hash(frame) }
    }
}

/// Reads a summary as it is in the file.
fn read(file: &File, place: Place) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; place.len as usize];
    file.read_exact_at(&mut frame, place.offset)?;
    if Place::of(place.offset, &frame) == place { Ok(frame) } else { Err(ErrorKind::InvalidData.into()) }
}
