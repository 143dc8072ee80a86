//! Makes the compressed form of a closed segment, and clears up after a process that was stopped meanwhile.
//!
//! The compressed form is written under another name, synced, read back and renamed; only then is the text removed. So one
//! whole form is there at any moment. The file `SHA256SUMS` beside them is for `sha256sum`.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use plybook_events::Hash;
use sha2::Digest;

use super::blocks::{self, Block, TEXT_BYTES_MAX};
use super::groups::{Group, each_group_of};
use super::segment::{Segment, segments_in};
use super::text::Text;
use super::{JournalError, compressed_name, frame, fresh_name, segment_name};
use crate::disk;

/// A block ends with the group with which its text reaches this many bytes. See `docs/benchmarks.md`.
const BLOCK_BYTES: usize = 512 << 10;

/// The file with the hashes of compressed segments.
const SUMS: &str = "SHA256SUMS";

/// Whether to go on.
pub(super) type GoesOn<'a> = &'a dyn Fn() -> bool;

/// Compresses the text of a closed segment; the text stays. `false` if it was not to go on.
///
/// # Errors
/// The text is damaged or is not what was written, or the disk has no room for it, refuses something or does not give back what was written.
pub(super) fn compress(dir: &Path, segment: &Segment, goes_on: GoesOn<'_>) -> Result<bool, JournalError> {
    let first = segment.first;
    let fresh = dir.join(fresh_name(first));
    let io = |source| JournalError::Io { path: fresh.clone(), source };
    let mut text = Text::open(dir, first)?;
    // It takes half as much as the text at most, mostly a tenth.
    disk::reserve(dir, text.len()? / 2).map_err(io)?;
    let made = make(&fresh, segment, &mut text, goes_on);
    let Ok(Some(sum)) = made else {
        // What is left of it takes up room; if it cannot be removed now, the next start does that.
        let _ = fs::remove_file(&fresh);
        return made.map(|_| false);
    };
    note_sum(dir, &compressed_name(first), &sum).map_err(io)?;
    let named = fs::rename(&fresh, dir.join(compressed_name(first))).and_then(|()| disk::sync_dir(dir));
    named.map_err(io)?;
    Ok(true)
}

fn make(fresh: &Path, segment: &Segment, text: &mut Text, goes_on: GoesOn<'_>) -> Result<Option<String>, JournalError> {
    let first = segment.first;
    let io = |source| JournalError::Io { path: fresh.to_owned(), source };
    let mut out = Writer::new(File::create(fresh).map_err(io)?, first);
    let end = text.len()?;
    let mut is_whole = true;
    each_group_of(text, first, None, end, |group| {
        out.push(group).map_err(io)?;
        is_whole = goes_on();
        Ok::<bool, JournalError>(is_whole)
    })?;
    if !is_whole {
        return Ok(None);
    }
    disk::forget(&out.finish().map_err(io)?);
    // The text is whole: what cannot be read back was not written.
    let not_written = |why| match why {
        JournalError::Damaged { why, .. } => io(io::Error::new(ErrorKind::InvalidData, why)),
        why => why,
    };
    let mut written = Text::open_compressed(fresh, first).map_err(not_written)?;
    if !written.begins_with(text).map_err(not_written)? {
        return Err(io(io::Error::new(ErrorKind::InvalidData, "it does not give back the text")));
    }
    let blocks = written.blocks().expect("it is compressed");
    if (blocks.next, blocks.text_bytes) != (segment.next, segment.bytes) {
        return Err(text.damaged(0, "it is not what was written"));
    }
    let sum = File::open(fresh).and_then(|mut file| disk::hash(&mut file)).map_err(io)?;
    Ok(Some(Hash(sum.finalize().into()).to_string()))
}

/// Writes down the hash of a file, as `sha256sum` does.
fn note_sum(dir: &Path, name: &str, sum: &str) -> io::Result<()> {
    let path = dir.join(SUMS);
    let known = match fs::read_to_string(&path) {
        Err(why) if why.kind() != ErrorKind::NotFound => return Err(why),
        known => known.unwrap_or_default(),
    };
    let others = known.lines().filter(|line| !line.ends_with(name)).map(|line| format!("{line}\n"));
    let lines: String = others.chain([format!("{sum}  {name}\n")]).collect();
    disk::replace(&path, lines.as_bytes(), 0o644)
}

/// Writes the compressed form of a segment.
struct Writer {
    file: File,
    first: u64,
    blocks: Vec<Block>,
    /// The text that is in no block yet, and the position of its first event.
    text: Vec<u8>,
    position: u64,
    /// The position after its last event.
    next: u64,
    /// How much of the text is in blocks, and their length in the file, in bytes.
    text_bytes: u64,
    bytes: u64,
}

impl Writer {
    fn new(file: File, first: u64) -> Self {
        let text = frame::header(first).into_bytes();
        Self { file, first, blocks: Vec::new(), text, position: first, next: first, text_bytes: 0, bytes: 0 }
    }

    fn push(&mut self, group: &Group<'_>) -> io::Result<()> {
        self.text.extend_from_slice(group.text);
        self.next = group.next();
        if self.text.len() < BLOCK_BYTES { Ok(()) } else { self.write_block() }
    }

    fn write_block(&mut self) -> io::Result<()> {
        if self.text.len() as u64 > TEXT_BYTES_MAX {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "a group of events is too long to be compressed"));
        }
        let frame = blocks::compress(&self.text)?;
        self.file.write_all(&frame)?;
        self.blocks.push(Block { position: self.position, text_offset: self.text_bytes, offset: self.bytes });
        self.position = self.next;
        self.text_bytes += self.text.len() as u64;
        self.bytes += frame.len() as u64;
        self.text.clear();
        Ok(())
    }

    /// Writes the rest and the index, and syncs; returns the file.
    fn finish(mut self) -> io::Result<File> {
        if !self.text.is_empty() {
            self.write_block()?;
        }
        let index = blocks::index(self.first, &self.blocks, self.next, self.text_bytes);
        self.file.write_all(&index)?;
        self.file.sync_all()?;
        Ok(self.file)
    }
}

/// Removes the text of a segment that has a compressed form.
pub(super) fn remove_text(dir: &Path, first: u64) -> Result<(), JournalError> {
    remove(dir, &segment_name(first))
}

/// Clears up what a process left that was stopped while it compressed a segment, or a copy that was made in several runs: an
/// unfinished file, or both forms, of which the compressed one has all of the text.
///
/// # Errors
/// Both forms are there, and they differ.
pub(super) fn settle(dir: &Path) -> Result<(), JournalError> {
    for first in segments_in(dir)? {
        if dir.join(fresh_name(first)).exists() {
            remove(dir, &fresh_name(first))?;
        }
        let path = dir.join(compressed_name(first));
        if !path.exists() || !dir.join(segment_name(first)).exists() {
            continue;
        }
        let text = Text::open(dir, first);
        match Text::open_compressed(&path, first).and_then(|mut whole| whole.begins_with(&mut text?)) {
            Ok(true) => remove_text(dir, first)?,
            Ok(false) | Err(JournalError::Damaged { .. }) => {
                let why = "the text of the same segment is there too, and differs: remove the one that is wrong";
                return Err(JournalError::Damaged { file: path, offset: 0, why });
            }
            Err(why) => return Err(why),
        }
    }
    Ok(())
}

fn remove(dir: &Path, name: &str) -> Result<(), JournalError> {
    let path = dir.join(name);
    let removed = fs::remove_file(&path).and_then(|()| disk::sync_dir(dir));
    removed.map_err(|source| JournalError::Io { path, source })
}
