//! Makes the compressed form of a closed segment, and clears up after a process that was stopped meanwhile.
//!
//! The compressed form is written under another name, synced, read back and renamed; only then is the text removed. So one
//! whole form is there at any moment.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::blocks::{self, Block, Blocks, TEXT_BYTES_MAX};
use super::closed::{Closed, OTHER, Pace, finish};
use super::file::segments_in;
use super::groups::{Group, each_group_of};
use super::segment::Segment;
use super::text::Text;
use super::{JournalError, compressed_name, frame, fresh_name, segment_name};
use crate::disk;

/// A block ends with the group with which its text reaches this many bytes. See `docs/benchmarks.md`.
const BLOCK_BYTES: usize = 512 << 10;

/// Compresses the text of a closed segment, which stays. `None` if the pace ended it.
///
/// # Errors
/// The text is damaged or is not what was written and read before, or the disk has no room for it, refuses something or does not
/// give back what was written.
pub(super) fn compress(
    dir: &Path,
    segment: &Segment,
    pace: Pace<'_>,
) -> Result<Option<(Closed, Arc<Blocks>)>, JournalError> {
    let first = segment.first;
    let fresh = dir.join(fresh_name(first));
    // It takes half as much as the text at most, nearly always a twelfth.
    disk::reserve(dir, segment.bytes / 2).map_err(|source| JournalError::Io { path: fresh.clone(), source })?;
    let made = make(dir, &fresh, segment, pace);
    let Ok(Some(made)) = made else {
        // What is left of it takes up room; if it cannot be removed now, the next start does that.
        let _ = fs::remove_file(&fresh);
        return made;
    };
    let path = dir.join(compressed_name(first));
    let named = fs::rename(&fresh, path).and_then(|()| disk::sync_dir(dir));
    named.map_err(|source| JournalError::Io { path: fresh, source })?;
    Ok(Some(made))
}

fn make(
    dir: &Path,
    fresh: &Path,
    segment: &Segment,
    pace: Pace<'_>,
) -> Result<Option<(Closed, Arc<Blocks>)>, JournalError> {
    let first = segment.first;
    let io = |source| JournalError::Io { path: fresh.to_owned(), source };
    let mut out = Writer::new(File::create(fresh).map_err(io)?, first);
    let mut text = Text::open(dir, first)?;
    let (end, mut goes_on) = (text.len()?, true);
    each_group_of(&mut text, first, None, end, |group| {
        out.push(group).map_err(io)?;
        goes_on = pace(group.text.len() as u64);
        Ok::<bool, JournalError>(goes_on)
    })?;
    if !goes_on {
        return Ok(None);
    }
    disk::forget(&out.finish().map_err(io)?);
    // The text is whole: what cannot be read back was not written.
    let not_written = |why| match why {
        JournalError::Damaged { why, .. } => io(io::Error::new(ErrorKind::InvalidData, why)),
        why => why,
    };
    let mut written = Text::open_compressed(fresh, first).map_err(not_written)?;
    let Some(closed) = Closed::read(&mut written, first, pace).map_err(not_written)? else { return Ok(None) };
    if !segment.has_the_text_of(&closed) {
        return Err(text.damaged(0, OTHER));
    }
    let blocks = written.blocks().expect("it is compressed");
    Ok(Some((closed, Arc::clone(blocks))))
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
    hasher: Sha256,
}

impl Writer {
    fn new(file: File, first: u64) -> Self {
        let (text, hasher) = (frame::header(first).into_bytes(), Sha256::new());
        Self { file, first, blocks: Vec::new(), text, position: first, next: first, text_bytes: 0, bytes: 0, hasher }
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
        self.hasher.update(&self.text);
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
        let text_sha256 = finish(self.hasher);
        let index = blocks::index(self.first, &self.blocks, self.next, self.text_bytes, text_sha256);
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
/// unfinished file, or both forms. A form is removed only if the other is whole.
///
/// # Errors
/// Both forms are there, and it is not certain which counts.
pub(super) fn settle(dir: &Path) -> Result<(), JournalError> {
    let firsts = segments_in(dir)?;
    for (n, &first) in firsts.iter().enumerate() {
        if dir.join(fresh_name(first)).exists() {
            remove(dir, &fresh_name(first))?;
        }
        let path = dir.join(compressed_name(first));
        if !path.exists() || !dir.join(segment_name(first)).exists() {
            continue;
        }
        let read = |text: Result<Text, _>| {
            let mut text = text?;
            let closed = Closed::read(&mut text, first, &mut |_| true)?.expect("nothing ends it");
            Ok::<_, JournalError>((text, closed))
        };
        let (mut compressed, text) = (read(Text::open_compressed(&path, first)), read(Text::open(dir, first)));
        let begins_alike = match (&mut compressed, &text) {
            (Ok((whole, _)), Ok((_, text))) => whole.starts_with(text)?,
            _ => false,
        };
        // Where the next segment starts, a text must end; it could be cut after any group.
        let next = firsts.get(n + 1);
        match (compressed, text) {
            (Ok(_), Ok(_)) if begins_alike => remove_text(dir, first)?,
            (Ok(_), Ok(_)) => {
                let why = "the text of the same segment is there too, and differs: remove the one that is wrong";
                return Err(JournalError::Damaged { file: path, offset: 0, why });
            }
            (Ok((_, compressed)), Err(JournalError::Damaged { .. }))
                if next.is_none_or(|next| *next == compressed.next) =>
            {
                remove_text(dir, first)?;
            }
            (Err(why @ JournalError::Damaged { .. }), Ok((_, text))) if next == Some(&text.next) => {
                tracing::warn!(%why, "its text is there and whole, and counts");
                remove(dir, &compressed_name(first))?;
            }
            (Err(why), _) | (_, Err(why)) => return Err(why),
        }
    }
    Ok(())
}

fn remove(dir: &Path, name: &str) -> Result<(), JournalError> {
    let path = dir.join(name);
    let removed = fs::remove_file(&path).and_then(|()| disk::sync_dir(dir));
    removed.map_err(|source| JournalError::Io { path, source })
}
