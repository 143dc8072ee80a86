//! A part of a log, checked without reading the rest.

use plybook_events::Hash;

use super::Head;
use crate::entry::Entry;

/// Consecutive events of a log, up to a bound.
///
/// One more event than requested is collected, the witness: it carries the hash of the last requested event,
/// as each event carries the hash of the previous one. At the end of the log, the head is the witness.
pub(super) struct Page {
    events_max: usize,
    bytes_max: usize,
    bytes: usize,
    /// Whether the last entry is the witness.
    is_full: bool,
    entries: Vec<Entry>,
}

impl Page {
    /// At most `events_max` events and `bytes_max` bytes, but always the first event, however long.
    pub(super) fn new(events_max: usize, bytes_max: usize) -> Self {
        Self { events_max: events_max.max(1), bytes_max, bytes: 0, is_full: false, entries: Vec::new() }
    }

    /// Collects entries until the page is full; `false` if one of them cannot be read.
    pub(super) fn fill(&mut self, entries: impl Iterator<Item = Option<Entry>>) -> bool {
        for entry in entries {
            match entry {
                Some(entry) => self.push(entry),
                None => return false,
            }
            if self.is_full {
                break;
            }
        }
        true
    }

    /// Adds the next entry to a page that is not full.
    fn push(&mut self, entry: Entry) {
        self.bytes = self.bytes.saturating_add(entry.bytes.len());
        self.entries.push(entry);
        let len = self.entries.len();
        self.is_full = len > self.events_max || (len > 1 && self.bytes > self.bytes_max);
    }

    /// The events, if they are exactly the recorded ones from `from_seq` on.
    pub(super) fn checked(mut self, from_seq: u64, head: Head) -> Option<Vec<Entry>> {
        let last = self.entries.last()?;
        let is_witnessed = if last.seq == head.seq { last.hash == head.hash } else { self.is_full };
        let follows = |pair: &[Entry]| {
            let prev = pair[1].prev().unwrap_or(Hash::ZERO);
            pair[1].seq == pair[0].seq + 1 && prev == pair[0].hash
        };
        let is_whole = self.entries[0].seq == from_seq && self.entries.windows(2).all(follows);
        if self.is_full {
            self.entries.pop();
        }
        (is_witnessed && is_whole).then_some(self.entries)
    }
}

#[cfg(test)]
mod tests;
