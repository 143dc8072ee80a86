//! Reads a segment, group by group.

use std::ops::Range;

use super::JournalError;
use super::frame::{self, Flaw};
use super::text::Text;

/// The minimum number of bytes read at once.
const READ_BYTES: usize = 64 * 1024;

/// A position in a segment that advances group by group.
pub(super) struct Reader<'t> {
    from: &'t mut Text,
    /// The offset at which reading stops.
    end: u64,
    /// The buffer; everything before `start` has been returned.
    text: Vec<u8>,
    start: usize,
    /// The offset of the buffer's first byte.
    text_offset: u64,
    /// The position of the next event.
    position: u64,
}

/// A group whose text is in the reader until the next one is read.
pub(super) struct GroupInfo {
    /// The position of its first event.
    pub position: u64,
    /// Its length in bytes.
    pub bytes: u64,
    events: Vec<Range<usize>>,
    start: usize,
}

impl GroupInfo {
    /// The number of events.
    pub(super) fn len(&self) -> u64 {
        self.events.len() as u64
    }
}

impl<'t> Reader<'t> {
    /// Reads from the group at `offset`, whose first event has this position.
    pub(super) fn new(from: &'t mut Text, offset: u64, end: u64, position: u64) -> Self {
        Self { from, end, text: Vec::new(), start: 0, text_offset: offset, position }
    }

    /// The offset of the next group.
    pub(super) fn offset(&self) -> u64 {
        self.text_offset + self.start as u64
    }

    /// The next group, or what is wrong with it; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Result<GroupInfo, Flaw>>, JournalError> {
        loop {
            let is_all_read = self.text_offset + self.text.len() as u64 >= self.end;
            if self.start == self.text.len() && is_all_read {
                return Ok(None);
            }
            match frame::read_group(&self.text[self.start..], self.position) {
                Ok(group) => {
                    let (position, start) = (self.position, self.start);
                    self.position = self.position.saturating_add(group.events.len() as u64);
                    self.start += group.len;
                    let (bytes, events) = (group.len as u64, group.events);
                    return Ok(Some(Ok(GroupInfo { position, bytes, events, start })));
                }
                Err(Flaw::Unfinished) if !is_all_read => self.fill()?,
                Err(flaw) => return Ok(Some(Err(flaw))),
            }
        }
    }

    /// All bytes of the group that was read last.
    pub(super) fn text(&self, found: &GroupInfo) -> &[u8] {
        &self.text[found.start..][..found.bytes as usize]
    }

    /// The events of the group that was read last.
    pub(super) fn events(&self, found: &GroupInfo) -> impl Iterator<Item = &[u8]> {
        let text = &self.text[found.start..];
        found.events.iter().map(|range| &text[range.clone()])
    }

    /// What is wrong with the next group.
    pub(super) fn flawed(&self, flaw: Flaw) -> JournalError {
        self.from.flawed(flaw, self.offset())
    }

    /// Everything that was not returned yet.
    pub(super) fn rest(&mut self) -> Result<&[u8], JournalError> {
        while self.text_offset + (self.text.len() as u64) < self.end {
            self.fill()?;
        }
        Ok(&self.text[self.start..])
    }

    /// Reads at least as much as is buffered already, so that scanning a long group takes linear time.
    fn fill(&mut self) -> Result<(), JournalError> {
        self.text.drain(..self.start);
        self.text_offset += self.start as u64;
        self.start = 0;
        let read_until = self.text_offset + self.text.len() as u64;
        let left = usize::try_from(self.end - read_until).unwrap_or(usize::MAX);
        let old = self.text.len();
        self.text.resize(old + left.min(old.max(READ_BYTES)), 0);
        self.from.read_exact_at(&mut self.text[old..], read_until)
    }
}
