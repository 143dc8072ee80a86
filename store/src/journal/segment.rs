//! One file of the journal.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::frame::{self, Flaw};
use super::reader::Reader;
use super::{JournalError, segment_name};
use crate::EventBytes;

/// The minimum distance, in bytes, between the places where reading can start.
const MARK_BYTES: u64 = 16 * 1024;

/// What is known about a segment without reading it.
pub(super) struct Segment {
    pub path: PathBuf,
    /// The position of its first event.
    pub first: u64,
    /// The position after its last event.
    pub next: u64,
    /// The number of committed bytes in the file.
    pub bytes: u64,
    /// Positions and offsets of groups, ascending.
    marks: Vec<(u64, u64)>,
}

impl Segment {
    /// A segment without events.
    pub(super) fn new(dir: &Path, first: u64) -> Self {
        let path = dir.join(segment_name(first));
        Self { path, first, next: first, bytes: 0, marks: Vec::new() }
    }

    /// Checks the whole file. Only the last segment may end in a torn group, which is ignored; returns its length
    /// in bytes.
    pub(super) fn open(dir: &Path, first: u64, is_last: bool) -> Result<(Self, u64), JournalError> {
        let mut segment = Self::new(dir, first);
        let file = segment.io(File::open(&segment.path))?;
        let end = segment.io(file.metadata())?.len();
        segment.check(&file, end, is_last)?;
        let torn = end - segment.bytes;
        Ok((segment, torn))
    }

    /// Cuts off what follows the last group, and syncs: what a process wrote before it died may not have
    /// reached the disk yet.
    pub(super) fn cut(&self, torn: u64) -> Result<(), JournalError> {
        let file = self.io(OpenOptions::new().write(true).open(&self.path))?;
        if torn > 0 {
            let path = self.path.display();
            tracing::warn!(%path, at = self.bytes, bytes = torn, "cut a torn end off the journal");
            self.io(file.set_len(self.bytes))?;
        }
        self.io(file.sync_all())
    }

    /// Reads the whole file, up to a torn end.
    fn check(&mut self, file: &File, end: u64, is_last: bool) -> Result<(), JournalError> {
        let header = frame::header(self.first);
        let mut found = vec![0; header.len().min(usize::try_from(end).unwrap_or(usize::MAX))];
        self.io(file.read_exact_at(&mut found, 0))?;
        if found != header.as_bytes() {
            // The header is written with the first group.
            let is_torn = is_last && {
                let text = self.io(Reader::new(file, 0, end, self.first).rest().map(<[u8]>::to_vec))?;
                frame::is_torn_start(&text, self.first)
            };
            let why = "it does not start as a segment of this position";
            return if is_torn { Ok(()) } else { Err(self.damaged(0, why)) };
        }
        self.bytes = header.len() as u64;
        let mut reader = Reader::new(file, self.bytes, end, self.first);
        loop {
            match self.io(reader.next())? {
                None => return Ok(()),
                Some(Ok(group)) => self.push(group.len(), group.bytes),
                Some(Err(flaw)) => {
                    let text = self.io(reader.rest())?;
                    if is_last && frame::is_torn(text, self.next, flaw) {
                        return Ok(());
                    }
                    return Err(self.flawed(flaw, self.bytes));
                }
            }
        }
    }

    /// Adds the next group.
    pub(super) fn push(&mut self, events: u64, bytes: u64) {
        if self.marks.last().is_none_or(|(_, offset)| offset + MARK_BYTES <= self.bytes) {
            self.marks.push((self.next, self.bytes));
        }
        self.next = self.next.saturating_add(events);
        self.bytes += bytes;
    }

    /// A place at or before the event `from`, which is in the segment: a position and its offset.
    pub(super) fn mark(&self, from: u64) -> (u64, u64) {
        let after = self.marks.partition_point(|(position, _)| *position <= from);
        self.marks[after - 1]
    }

    /// The events from `from` on, at most `limit`, up to the offset `end`.
    pub(super) fn read(
        path: &Path,
        mark: (u64, u64),
        end: u64,
        from: u64,
        limit: usize,
    ) -> Result<Vec<EventBytes>, JournalError> {
        let io = |source| JournalError::Io { path: path.to_owned(), source };
        let file = File::open(path).map_err(io)?;
        let mut reader = Reader::new(&file, mark.1, end, mark.0);
        let mut events = Vec::new();
        while events.len() < limit {
            let offset = reader.offset();
            let Some(group) = reader.next().map_err(io)? else {
                break;
            };
            let group = group.map_err(|flaw| flawed(path, flaw, offset))?;
            let skip = usize::try_from(from.saturating_sub(group.position)).unwrap_or(usize::MAX);
            let left = limit - events.len();
            events.extend(reader.events(&group).skip(skip).take(left).map(EventBytes::from));
        }
        Ok(events)
    }

    pub(super) fn damaged(&self, offset: u64, why: &'static str) -> JournalError {
        JournalError::Damaged { file: self.path.clone(), offset, why }
    }

    fn flawed(&self, flaw: Flaw, offset: u64) -> JournalError {
        flawed(&self.path, flaw, offset)
    }

    fn io<T>(&self, result: std::io::Result<T>) -> Result<T, JournalError> {
        result.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}

/// What is wrong with the group at this offset.
pub(super) fn flawed(path: &Path, flaw: Flaw, offset: u64) -> JournalError {
    let (at, why) = match flaw {
        Flaw::Unfinished => (0, "it ends in the middle of a group of events"),
        Flaw::Wrong(at, why) => (at, why),
    };
    JournalError::Damaged { file: path.to_owned(), offset: offset + at as u64, why }
}
