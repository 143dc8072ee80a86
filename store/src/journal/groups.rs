//! What the files of a journal hold, group by group: for copies of them.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;

use super::file::segments_in;
use super::frame;
use super::reader::Reader;
use super::segment::{Segment, flawed};
use super::{JournalError, segment_name};

/// The part of a segment that is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The position of its first event.
    pub first: u64,
    /// The position after its last event.
    pub next: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

/// A group of events, as it is in its segment.
pub(crate) struct Group<'a> {
    /// The position of its first event.
    pub position: u64,
    /// Where it starts in the file, in bytes.
    pub offset: u64,
    /// All its bytes, up to the end of its `#commit` line.
    pub text: &'a [u8],
    /// The bytes of its events; at least one.
    pub events: Vec<&'a [u8]>,
}

impl Group<'_> {
    /// The position after its last event.
    pub(crate) fn next(&self) -> u64 {
        self.position.saturating_add(self.events.len() as u64)
    }
}

/// The first line of a segment.
pub(crate) fn header(first: u64) -> String {
    frame::header(first)
}

/// What the journal in a directory holds at this moment, in segments that each have an event. Another process may be
/// writing to it; what is returned has reached the disk.
///
/// # Errors
/// The last segment is damaged, or a file cannot be read.
pub(crate) fn extents(dir: &Path) -> Result<Vec<Extent>, JournalError> {
    let io = |path: &Path| {
        let path = path.to_owned();
        move |source| JournalError::Io { path, source }
    };
    let firsts = segments_in(dir).map_err(io(dir))?;
    let mut extents = Vec::with_capacity(firsts.len());
    for pair in firsts.windows(2) {
        let path = dir.join(segment_name(pair[0]));
        let bytes = fs::metadata(&path).map_err(io(&path))?.len();
        extents.push(Extent { first: pair[0], next: pair[1], bytes });
    }
    let Some(last) = firsts.last() else { return Ok(extents) };
    let (segment, _) = Segment::open(dir, *last, true)?;
    if segment.next > segment.first {
        let Segment { first, next, bytes, path, .. } = &segment;
        // A group is there to be read before its writer has synced it.
        File::open(path).and_then(|file| file.sync_data()).map_err(io(path))?;
        extents.push(Extent { first: *first, next: *next, bytes: *bytes });
    }
    Ok(extents)
}

/// Reads the groups of the segment that starts at `first`, from the position and offset `from` on (the start if it is
/// `None`), up to the offset `end`. Returns the position after them.
///
/// # Errors
/// The file is damaged or cannot be read, or the visitor fails.
pub(crate) fn each_group<E: From<JournalError>>(
    dir: &Path,
    first: u64,
    from: Option<(u64, u64)>,
    end: u64,
    mut visit: impl FnMut(&Group<'_>) -> Result<(), E>,
) -> Result<u64, E> {
    let path = dir.join(segment_name(first));
    let io = |source| JournalError::Io { path: path.clone(), source };
    let damaged = |offset, why| JournalError::Damaged { file: path.clone(), offset, why };
    let file = File::open(&path).map_err(io)?;
    let len = file.metadata().map_err(io)?.len();
    if len < end {
        return Err(damaged(len, "it was cut").into());
    }
    let header = frame::header(first);
    let mut found = vec![0; header.len().min(usize::try_from(end).unwrap_or(usize::MAX))];
    file.read_exact_at(&mut found, 0).map_err(io)?;
    if found != header.as_bytes() {
        return Err(damaged(0, "it does not start as a segment of this position").into());
    }
    let (mut next, start) = from.unwrap_or((first, header.len() as u64));
    let mut reader = Reader::new(&file, start, end, next);
    loop {
        let offset = reader.offset();
        let Some(group) = reader.next().map_err(io)? else { return Ok(next) };
        let info = group.map_err(|flaw| flawed(&path, flaw, offset))?;
        let (position, text) = (info.position, reader.text(&info));
        let group = Group { position, offset, text, events: reader.events(&info).collect() };
        next = group.next();
        visit(&group)?;
    }
}
