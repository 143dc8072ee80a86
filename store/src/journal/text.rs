//! The text of a segment, whichever form its file has.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::blocks::Blocks;
use super::frame::{self, Flaw};
use super::{JournalError, compressed_name, segment_name};

/// How many bytes are compared at once.
const COMPARED_BYTES: usize = 256 * 1024;

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
        let (plain, compressed) = (dir.join(segment_name(first)), dir.join(compressed_name(first)));
        let is_missing =
            |why: &JournalError| matches!(why, JournalError::Io { source, .. } if source.kind() == ErrorKind::NotFound);
        // Between two looks, another process may have replaced one form by the other.
        Self::open_plain(&plain, first)
            .or_else(|why| if is_missing(&why) { Self::open_compressed(&compressed, first) } else { Err(why) })
            .or_else(|why| if is_missing(&why) { Self::open_plain(&plain, first) } else { Err(why) })
    }

    fn open_plain(path: &Path, first: u64) -> Result<Self, JournalError> {
        let opened = File::open(path).map_err(|source| JournalError::Io { path: path.to_owned(), source });
        Ok(Self { path: path.to_owned(), first, file: opened?, blocks: None, held: (usize::MAX, Vec::new()) })
    }

    /// Opens a file as the compressed form of the segment that starts at `first`.
    pub(super) fn open_compressed(path: &Path, first: u64) -> Result<Self, JournalError> {
        let mut text = Self::open_plain(path, first)?;
        let (len, read) = (text.len()?, text.io(Blocks::read(&text.file, first))?);
        let damaged = |why| JournalError::Damaged { file: path.to_owned(), offset: len, why };
        text.blocks = Some(Arc::new(read.map_err(damaged)?));
        Ok(text)
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

    /// The position and the offset of a group at or before the event `from`, which is in the segment: of its block, or, if it is
    /// not compressed, the first one.
    pub(super) fn near(&self, from: u64) -> (u64, u64) {
        let header = frame::header(self.first).len() as u64;
        let Some(blocks) = &self.blocks else { return (self.first, header) };
        let block = blocks.start(blocks.with_event(from));
        (block.position, block.text_offset.max(header))
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
