//! What the files of a journal hold, group by group: for copies of them.

use std::io::ErrorKind;
use std::path::Path;

use plybook_events::Hash;
use sha2::{Digest, Sha256};

use super::reader::Reader;
use super::segment::{Segment, segments_in};
use super::text::Text;
use super::{JournalError, frame};
use crate::disk::HASH_BYTES;

/// The part of a segment that is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The position of its first event.
    pub first: u64,
    /// The position after its last event.
    pub next: u64,
    /// The length of its text in bytes.
    pub bytes: u64,
}

/// A group of events, as it is in the text of its segment.
pub(crate) struct Group<'a> {
    /// The position of its first event.
    pub position: u64,
    /// Where it starts in the text, in bytes.
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
    let firsts = segments_in(dir)?;
    let mut extents = Vec::with_capacity(firsts.len());
    for pair in firsts.windows(2) {
        let bytes = Text::open(dir, pair[0])?.len()?;
        extents.push(Extent { first: pair[0], next: pair[1], bytes });
    }
    let Some(last) = firsts.last() else { return Ok(extents) };
    let mut text = Text::open(dir, *last)?;
    let (segment, _) = Segment::open_last(dir, &mut text, *last)?;
    if segment.next > segment.first {
        let Segment { first, next, bytes, .. } = segment;
        // A group is there to be read before its writer has synced it.
        text.sync()?;
        extents.push(Extent { first, next, bytes });
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
    let mut text = Text::open(dir, first)?;
    each_group_of(&mut text, first, from, end, |group| visit(group).map(|()| true))
}

/// The hash of the first bytes of the text of the segment that starts at `first`; `None` if there is no such segment, or it
/// has fewer.
///
/// # Errors
/// The file is damaged or cannot be read.
pub(crate) fn hash_of_text(dir: &Path, first: u64, bytes: u64) -> Result<Option<Hash>, JournalError> {
    let mut text = match Text::open(dir, first) {
        Err(JournalError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    if text.len()? < bytes {
        return Ok(None);
    }
    let (mut hasher, mut piece, mut offset) = (Sha256::new(), vec![0; HASH_BYTES], 0);
    while offset < bytes {
        let len = (bytes - offset).min(HASH_BYTES as u64);
        let piece = &mut piece[..len as usize];
        text.read_exact_at(piece, offset)?;
        hasher.update(piece);
        offset += len;
    }
    Ok(Some(Hash(hasher.finalize().into())))
}

/// Like [`each_group`], of a text that is open, as long as the visitor returns `true`.
pub(super) fn each_group_of<E: From<JournalError>>(
    text: &mut Text,
    first: u64,
    from: Option<(u64, u64)>,
    end: u64,
    mut visit: impl FnMut(&Group<'_>) -> Result<bool, E>,
) -> Result<u64, E> {
    let len = text.len()?;
    if len < end {
        return Err(text.damaged(len, "it was cut").into());
    }
    let header = text.check_header()?;
    let (mut next, start) = from.unwrap_or((first, header));
    let mut reader = Reader::new(text, start, end, next);
    loop {
        let offset = reader.offset();
        let Some(group) = reader.next()? else { return Ok(next) };
        let info = group.map_err(|flaw| reader.flawed(flaw))?;
        let (position, text) = (info.position, reader.text(&info));
        let group = Group { position, offset, text, events: reader.events(&info).collect() };
        next = group.next();
        if !visit(&group)? {
            return Ok(next);
        }
    }
}
