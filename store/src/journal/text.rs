//! The text of a segment, whichever form its file has.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::blocks::Blocks;
use super::frame::{self, Flaw};
use super::{JournalError, compressed_name, segment_name};

/// How near to an event a search for its group ends, in bytes: the rest is read.
const NEAR_BYTES: u64 = 16 * 1024;

/// How many bytes are compared at once.
const COMPARED_BYTES: usize = 256 * 1024;

/// How many bytes are searched at once for the end of a group.
const SEARCH_BYTES: u64 = 16 * 1024;

/// The text of a segment. Offsets are those of the text, in both forms.
pub(super) struct Text {
    path: PathBuf,
    first: u64,
    file: File,
    /// `None` if the file is the text.
    blocks: Option<Arc<Blocks>>,
    /// The block that was read last, and its text.
    held: (usize, Vec<u8>),
}

impl Text {
    /// Opens the segment that starts at `first`. If both forms are there, one is being made of the other, and the text counts.
    pub(super) fn open(dir: &Path, first: u64) -> Result<Self, JournalError> {
        Self::open_with(dir, first, None)
    }

    /// Like [`open`](Self::open); of a compressed segment, the index may be known.
    pub(super) fn open_with(dir: &Path, first: u64, known: Option<&Arc<Blocks>>) -> Result<Self, JournalError> {
        let (plain, compressed) = (dir.join(segment_name(first)), dir.join(compressed_name(first)));
        // Between two looks, another process may have replaced one form by the other.
        let paths = if known.is_some() { [&compressed, &plain, &compressed] } else { [&plain, &compressed, &plain] };
        for path in paths {
            let io = |source| JournalError::Io { path: path.clone(), source };
            let file = match File::open(path) {
                Err(why) if why.kind() == ErrorKind::NotFound => continue,
                opened => opened.map_err(io)?,
            };
            let blocks = match known {
                _ if path == &plain => None,
                Some(known) => Some(Arc::clone(known)),
                None => return Self::open_compressed(path, first),
            };
            return Ok(Self { path: path.clone(), first, file, blocks, held: (usize::MAX, Vec::new()) });
        }
        Err(JournalError::Io { path: plain, source: ErrorKind::NotFound.into() })
    }

    /// Opens a file as the compressed form of the segment that starts at `first`.
    pub(super) fn open_compressed(path: &Path, first: u64) -> Result<Self, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        let len = file.metadata().map_err(io)?.len();
        let read = Blocks::read(&file, first).map_err(io)?;
        let blocks = read.map_err(|why| JournalError::Damaged { file: path.to_owned(), offset: len, why })?;
        let held = (usize::MAX, Vec::new());
        Ok(Self { path: path.to_owned(), first, file, blocks: Some(Arc::new(blocks)), held })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The index, if it is compressed.
    pub(super) fn blocks(&self) -> Option<&Arc<Blocks>> {
        self.blocks.as_ref()
    }

    /// The length of the text in bytes.
    pub(super) fn len(&self) -> Result<u64, JournalError> {
        match &self.blocks {
            Some(blocks) => Ok(blocks.text_bytes),
            None => Ok(self.io(self.file.metadata())?.len()),
        }
    }

    /// Waits until the file has reached the disk.
    pub(super) fn sync(&self) -> Result<(), JournalError> {
        self.io(self.file.sync_data())
    }

    /// Fills the buffer with the text from an offset on.
    pub(super) fn read_exact_at(&mut self, mut out: &mut [u8], mut offset: u64) -> Result<(), JournalError> {
        let Some(blocks) = self.blocks.clone() else {
            return self.io(self.file.read_exact_at(out, offset));
        };
        while !out.is_empty() {
            let n = blocks.with_byte(offset);
            if offset >= blocks.text_bytes {
                return self.io(Err(ErrorKind::UnexpectedEof.into()));
            }
            if self.held.0 != n {
                let read = self.io(blocks.text(&self.file, n))?;
                self.held = (n, read.map_err(|why| self.damaged(offset, why))?);
            }
            let there = &self.held.1[(offset - blocks.start(n).text_offset) as usize..];
            let len = there.len().min(out.len());
            out[..len].copy_from_slice(&there[..len]);
            out = &mut out[len..];
            offset += len as u64;
        }
        Ok(())
    }

    /// Whether this text begins with all of another one.
    pub(super) fn begins_with(&mut self, other: &mut Self) -> Result<bool, JournalError> {
        let (len, mut at) = (other.len()?, 0);
        if self.len()? < len {
            return Ok(false);
        }
        let (mut one, mut another) = (vec![0; COMPARED_BYTES], vec![0; COMPARED_BYTES]);
        while at < len {
            let bytes = (len - at).min(COMPARED_BYTES as u64) as usize;
            self.read_exact_at(&mut one[..bytes], at)?;
            other.read_exact_at(&mut another[..bytes], at)?;
            if one[..bytes] != another[..bytes] {
                return Ok(false);
            }
            at += bytes as u64;
        }
        Ok(true)
    }

    /// Checks that the text begins as that of a segment; returns the length of its first line.
    pub(super) fn check_header(&mut self) -> Result<u64, JournalError> {
        let header = frame::header(self.first);
        let mut found = vec![0; header.len().min(usize::try_from(self.len()?).unwrap_or(usize::MAX))];
        self.read_exact_at(&mut found, 0)?;
        if found == header.as_bytes() {
            return Ok(header.len() as u64);
        }
        match frame::version(&found) {
            Some(found) if found != frame::VERSION => {
                Err(JournalError::OtherVersion { file: self.path.clone(), found })
            }
            _ => Err(self.damaged(0, "it does not start as a segment of this position")),
        }
    }

    /// A place at or before the event `from`, which is in the segment: the position and the offset of a group. `end` is the
    /// offset up to which the text counts.
    pub(super) fn near(&mut self, from: u64, end: u64) -> Result<(u64, u64), JournalError> {
        let header = frame::header(self.first).len() as u64;
        let Some(blocks) = &self.blocks else { return self.search(from, (self.first, header), end) };
        let block = blocks.start(blocks.with_event(from));
        Ok((block.position, block.text_offset.max(header)))
    }

    /// Halves the text again and again. What a changed text makes of that is found when the group is read.
    fn search(&mut self, from: u64, mut low: (u64, u64), mut high: u64) -> Result<(u64, u64), JournalError> {
        while high.saturating_sub(low.1) > NEAR_BYTES {
            let middle = low.1 + (high - low.1) / 2;
            match self.group_after(middle, high)? {
                Some(place) if place.0 <= from && place.0 > low.0 => low = place,
                _ => high = middle,
            }
        }
        Ok(low)
    }

    /// The position and the offset of the first group that starts after `offset` and before `end`.
    fn group_after(&mut self, mut offset: u64, end: u64) -> Result<Option<(u64, u64)>, JournalError> {
        // Every line starts after a line feed, and the end of a group has its own line.
        let mut line: Option<Vec<u8>> = None;
        while offset < end {
            let mut piece = vec![0; SEARCH_BYTES.min(end - offset) as usize];
            self.read_exact_at(&mut piece, offset)?;
            for part in piece.split_inclusive(|b| *b == b'\n') {
                offset += part.len() as u64;
                if let Some(line) = &mut line {
                    line.extend_from_slice(&part[..part.len().min(frame::COMMIT_BYTES_MAX)]);
                }
                if part.ends_with(b"\n") {
                    if let Some(next) = line.as_deref().and_then(frame::ends_at) {
                        return Ok((offset < end).then_some((next, offset)));
                    }
                    line = Some(Vec::new());
                }
            }
        }
        Ok(None)
    }

    /// The position after the last group, as its last line says; `None` if it is no such line.
    pub(super) fn said_next(&mut self) -> Result<Option<u64>, JournalError> {
        let len = self.len()?;
        let start = len.saturating_sub(frame::COMMIT_BYTES_MAX as u64);
        let mut end = vec![0; (len - start) as usize];
        self.read_exact_at(&mut end, start)?;
        let line = end.strip_suffix(b"\n").and_then(|end| end.rsplit(|b| *b == b'\n').next());
        Ok(line.and_then(frame::ends_at))
    }

    /// What is wrong at an offset: in a compressed segment, the block there is named.
    pub(super) fn damaged(&self, offset: u64, why: &'static str) -> JournalError {
        let offset = self.blocks.as_ref().map_or(offset, |blocks| blocks.start(blocks.with_byte(offset)).offset);
        JournalError::Damaged { file: self.path.clone(), offset, why }
    }

    /// What is wrong with the group at an offset.
    pub(super) fn flawed(&self, flaw: Flaw, offset: u64) -> JournalError {
        match flaw {
            Flaw::Unfinished => self.damaged(offset, "it ends in the middle of a group of events"),
            Flaw::Wrong(at, why) => self.damaged(offset + at as u64, why),
        }
    }

    fn io<T>(&self, result: std::io::Result<T>) -> Result<T, JournalError> {
        result.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}
