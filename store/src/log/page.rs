//! A part of a log, checked without reading the rest.

use plybook_events::Hash;

use super::Head;
use crate::Entry;

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
    pub(super) fn push(&mut self, entry: Entry) {
        self.bytes = self.bytes.saturating_add(entry.bytes.len());
        self.entries.push(entry);
        let len = self.entries.len();
        self.is_full = len > self.events_max || (len > 1 && self.bytes > self.bytes_max);
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full
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
mod tests {
    use plybook_events::body::PlayerCreated;
    use plybook_events::{Body, By, Event, LogId, Timestamp};

    use super::*;

    /// Events of a log, each chained to the one before it.
    fn entries(names: &[&str]) -> Vec<Entry> {
        let (mut prev, log) = (Hash::ZERO, LogId::from_bytes([7; 16]));
        let at = Timestamp::from_millis(1_790_000_000_000).unwrap();
        let entry = |(seq, name): (u64, &&str)| {
            let body = Body::PlayerCreated(PlayerCreated { name: (*name).to_owned() });
            let bytes =
                Event { at, by: By::Service, log, prev, seq, body, who: None, signature: None }.to_bytes().unwrap();
            prev = Hash::of_event(&bytes);
            Entry::of(seq, bytes.into()).unwrap()
        };
        (0..).zip(names).map(entry).collect()
    }

    fn checked(entries: &[Entry], events_max: usize, from_seq: u64, head: &Entry) -> Option<usize> {
        let mut page = Page::new(events_max, usize::MAX);
        assert!(page.fill(entries.iter().cloned().map(Some)));
        let head = Head { seq: head.seq, hash: head.hash, position: head.position };
        page.checked(from_seq, head).map(|entries| entries.len())
    }

    #[test]
    fn an_event_that_is_not_the_recorded_one_is_noticed() {
        let whole = entries(&["a", "b", "c", "d"]);
        let head = &whole[3];
        assert_eq!(checked(&whole, 9, 0, head), Some(4));
        assert_eq!(checked(&whole, 2, 0, head), Some(2));
        let other = entries(&["a", "x", "c", "d"]);
        for place in 0..4 {
            let mut changed = whole.clone();
            changed[place] = other[place].clone();
            assert_eq!(checked(&changed, 9, 0, head), (place == 0).then_some(4), "event {place}");
            // The witness tells of the last event of a page.
            assert_eq!(checked(&changed, 2, 0, head).is_some(), place == 0 || place == 3, "event {place}");
        }
        assert_eq!(checked(&whole[..3], 9, 0, head), None, "the end is missing");
        assert_eq!(checked(&whole[1..], 9, 0, head), None, "the beginning is missing");
        assert_eq!(checked(&[whole[0].clone(), whole[2].clone(), whole[3].clone()], 9, 0, head), None, "a gap");
    }
}
