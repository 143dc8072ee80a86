//! One segment of the journal.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use super::reader::Reader;
use super::text::Text;
use super::{JournalError, first_of, frame, segment_name};
use crate::entry::EventBytes;

/// The minimum distance, in bytes, between the places where reading can start.
const MARK_BYTES: u64 = 16 * 1024;

/// How many bytes of events are read at once; only the last group read can exceed it.
pub(super) const READ_BYTES: usize = 32 << 20;

/// What is known about a segment without reading it.
#[derive(Clone)]
pub(super) struct Segment {
    /// The file of its text, if that is not compressed.
    pub path: PathBuf,
    /// The position of its first event.
    pub first: u64,
    /// The position after its last event.
    pub next: u64,
    /// The number of committed bytes of its text.
    pub bytes: u64,
    pub is_compressed: bool,
    /// Positions and offsets of groups, ascending; none of a segment that was closed already when the journal was opened, until
    /// it is read.
    marks: Vec<(u64, u64)>,
}

impl Segment {
    /// A segment without events.
    pub(super) fn new(dir: &Path, first: u64) -> Self {
        let path = dir.join(segment_name(first));
        Self { path, first, next: first, bytes: 0, is_compressed: false, marks: Vec::new() }
    }

    /// A segment that is not written to any more, before one that starts at `following`: only its beginning and its end are
    /// looked at.
    pub(super) fn open_closed(
        dir: &Path,
        text: &mut Text,
        first: u64,
        following: Option<u64>,
    ) -> Result<Self, JournalError> {
        let next = match text.blocks() {
            Some(blocks) => Some(blocks.next),
            None => text.check_header().and_then(|_| text.said_next())?,
        };
        let bytes = text.len()?;
        match next.filter(|next| following.is_none_or(|following| following == *next)) {
            Some(next) => Ok(Self { next, bytes, is_compressed: text.blocks().is_some(), ..Self::new(dir, first) }),
            None => Err(text.damaged(bytes, "it does not end where the next segment begins")),
        }
    }

    /// Checks the whole text of the last segment. It may end in a torn group, which is ignored; returns its length in bytes.
    pub(super) fn open_last(dir: &Path, text: &mut Text, first: u64) -> Result<(Self, u64), JournalError> {
        let mut segment = Self::new(dir, first);
        let end = text.len()?;
        segment.check(text, end)?;
        let torn = end - segment.bytes;
        segment.is_compressed = text.blocks().is_some();
        Ok((segment, torn))
    }

    /// Cuts off what follows the last group, and syncs: what a process wrote before it died may not
    /// have reached the disk yet.
    pub(super) fn cut(&self, torn: u64) -> Result<(), JournalError> {
        let file = self.io(OpenOptions::new().write(true).open(&self.path))?;
        if torn > 0 {
            let path = self.path.display();
            tracing::warn!(%path, at = self.bytes, bytes = torn, "cut a torn end off the journal");
        }
        self.io(file.set_len(self.bytes))?;
        self.io(file.sync_all())
    }

    /// Reads the whole text, up to a torn end.
    fn check(&mut self, text: &mut Text, end: u64) -> Result<(), JournalError> {
        let header = match text.check_header() {
            Err(why @ JournalError::Damaged { .. }) => {
                // The header is written with the first group.
                let rest = Reader::new(text, 0, end, self.first).rest().map(<[u8]>::to_vec)?;
                return if frame::is_torn_start(&rest, self.first) { Ok(()) } else { Err(why) };
            }
            found => found?,
        };
        self.bytes = header;
        let mut reader = Reader::new(text, header, end, self.first);
        loop {
            match reader.next()? {
                None => return Ok(()),
                Some(Ok(group)) => self.push(group.len(), group.bytes),
                Some(Err(flaw)) => {
                    let why = reader.flawed(flaw);
                    return if frame::is_torn(reader.rest()?, self.next, flaw) { Ok(()) } else { Err(why) };
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

    /// A place at or before the event `from`, which is in the segment: a position and its offset. `None` if no group was seen.
    pub(super) fn mark(&self, from: u64) -> Option<(u64, u64)> {
        let after = self.marks.partition_point(|(position, _)| *position <= from);
        self.marks[..after].last().copied()
    }

    /// Takes over what is known of its groups.
    pub(super) fn take_marks(&mut self, known: Self) {
        self.marks = known.marks;
    }

    /// The events from `from` on, at most `limit`, up to the offset `end`; fewer after [`READ_BYTES`].
    pub(super) fn read(
        text: &mut Text,
        mark: (u64, u64),
        end: u64,
        from: u64,
        limit: usize,
    ) -> Result<Vec<EventBytes>, JournalError> {
        let mut reader = Reader::new(text, mark.1, end, mark.0);
        let (mut events, mut bytes) = (Vec::new(), 0);
        while events.len() < limit && bytes < READ_BYTES {
            let Some(group) = reader.next()? else {
                break;
            };
            let group = group.map_err(|flaw| reader.flawed(flaw))?;
            let skip = usize::try_from(from.saturating_sub(group.position)).unwrap_or(usize::MAX);
            let left = limit - events.len();
            let before = events.len();
            events.extend(reader.events(&group).skip(skip).take(left).map(EventBytes::from));
            bytes += events[before..].iter().map(|event| event.len()).sum::<usize>();
        }
        Ok(events)
    }

    fn io<T>(&self, result: std::io::Result<T>) -> Result<T, JournalError> {
        result.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}

/// The positions at which the segments in a directory start, in order.
pub(super) fn segments_in(dir: &Path) -> Result<Vec<u64>, JournalError> {
    let io = |source| JournalError::Io { path: dir.to_owned(), source };
    let mut firsts = Vec::new();
    for entry in fs::read_dir(dir).map_err(io)? {
        firsts.extend(entry.map_err(io)?.file_name().to_str().and_then(first_of));
    }
    firsts.sort_unstable();
    firsts.dedup();
    Ok(firsts)
}
