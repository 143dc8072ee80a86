//! Writes a segment.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::{io, mem};

use crate::disk;

/// How many zeros follow the text at most and at least, in bytes, when they are written: as many as there is text, within
/// these bounds.
const AHEAD_BYTES_MAX: u64 = 1 << 20;
const AHEAD_BYTES_MIN: u64 = 64 << 10;

/// The file of a segment that is being written. Zeros follow its text, and the next groups are written over them: a group that
/// makes its file longer takes about twice as long to reach the disk, since the file's length has to reach it, too.
///
/// Dropping it cuts off the zeros, unless an append failed.
pub(super) struct SegmentWriter {
    path: PathBuf,
    file: File,
    /// The length of the text, in bytes.
    bytes: u64,
    /// The length of the file with its zeros, in bytes; 0 while an append is under way, and after one that failed.
    file_bytes: u64,
    /// Zeros end here.
    bytes_max: u64,
}

impl SegmentWriter {
    /// Creates a segment. It has to be closed when it is longer than `bytes_max`; then no zeros follow its text.
    pub(super) fn create(path: &Path, bytes_max: u64) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        disk::sync_dir(disk::parent(path))?;
        Ok(Self::new(path, file, 0, bytes_max))
    }

    /// Opens a segment whose file ends with its text.
    pub(super) fn open(path: &Path, bytes_max: u64) -> io::Result<Self> {
        let file = OpenOptions::new().write(true).open(path)?;
        let bytes = file.metadata()?.len();
        Ok(Self::new(path, file, bytes, bytes_max))
    }

    fn new(path: &Path, file: File, bytes: u64, bytes_max: u64) -> Self {
        Self { path: path.to_owned(), file, bytes, file_bytes: bytes, bytes_max }
    }

    /// Appends text, and returns when it is durable. After an error, nothing may be appended any more: the kernel may have
    /// dropped what it could not write, and a second sync could then succeed without it.
    pub(super) fn append(&mut self, text: &[u8]) -> io::Result<()> {
        let file_bytes = mem::take(&mut self.file_bytes);
        self.file.write_all_at(text, self.bytes)?;
        let end = self.bytes + text.len() as u64;
        let file_bytes = if end > file_bytes { end + self.write_ahead(end) } else { file_bytes };
        self.file.sync_data()?;
        (self.bytes, self.file_bytes) = (end, file_bytes);
        Ok(())
    }

    /// Writes zeros from an offset on, and returns how many: none if the disk has other things to keep room for.
    fn write_ahead(&self, end: u64) -> u64 {
        let ahead = end.clamp(AHEAD_BYTES_MIN, AHEAD_BYTES_MAX).min(self.bytes_max.saturating_sub(end));
        let is_written = || self.file.write_all_at(&vec![0; ahead as usize], end).is_ok();
        if disk::reserve(disk::parent(&self.path), ahead).is_ok() && is_written() { ahead } else { 0 }
    }
}

impl Drop for SegmentWriter {
    fn drop(&mut self) {
        if self.file_bytes > self.bytes
            && let Err(why) = self.file.set_len(self.bytes)
        {
            tracing::warn!(path = %self.path.display(), %why, "zeros stay at the end of the journal until the next start");
        }
    }
}
