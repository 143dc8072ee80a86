//! The end of the journal in memory.

use std::collections::VecDeque;
use std::sync::{PoisonError, RwLock};

use plybook_store::Entry;
use tokio::sync::watch;

/// How many events are kept, and how many bytes of them.
const KEPT_EVENTS: usize = 1_024;
const KEPT_BYTES: usize = 1 << 20;

/// The last events of the journal, for readers that have read everything before them: however many there are,
/// what is recorded is not read from the disk for each. It also wakes them.
pub(crate) struct Tail {
    recent: RwLock<Recent>,
    /// The journal position of the next event.
    end: watch::Sender<u64>,
}

/// Consecutive events.
#[derive(Default)]
struct Recent {
    entries: VecDeque<Entry>,
    bytes: usize,
}

impl Default for Tail {
    fn default() -> Self {
        Self { recent: RwLock::default(), end: watch::Sender::new(0) }
    }
}

impl Tail {
    /// Adds the journal's next events, and wakes everybody who waits for them.
    pub(crate) fn push(&self, entries: &[Entry]) {
        let Some(last) = entries.last() else { return };
        let mut recent = self.recent.write().unwrap_or_else(PoisonError::into_inner);
        for entry in entries {
            recent.push(entry.clone());
        }
        drop(recent);
        self.end.send_replace(last.position + 1);
    }

    /// At most `limit` events from a position on; `None` if they are not all kept here.
    pub(crate) fn entries(&self, position: u64, limit: usize) -> Option<Vec<Entry>> {
        let recent = self.recent.read().unwrap_or_else(PoisonError::into_inner);
        let skipped = position.checked_sub(recent.entries.front()?.position)?;
        Some(recent.entries.iter().skip(usize::try_from(skipped).ok()?).take(limit).cloned().collect())
    }

    /// Hears when the journal grows, from now on.
    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.end.subscribe()
    }
}

impl Recent {
    fn push(&mut self, entry: Entry) {
        self.bytes += entry.bytes.len();
        self.entries.push_back(entry);
        while self.entries.len() > KEPT_EVENTS || self.bytes > KEPT_BYTES && self.entries.len() > 1 {
            self.bytes -= self.entries.pop_front().map_or(0, |entry| entry.bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use plybook_events::{Hash, LogId};

    use super::*;

    fn entry(position: u64, bytes: usize) -> Entry {
        let (log, hash) = (LogId::from_bytes([1; 16]), Hash::ZERO);
        Entry { position, log, seq: position, hash, bytes: vec![0; bytes].into() }
    }

    #[test]
    fn the_last_events_are_kept_and_no_more() {
        let tail = Tail::default();
        assert_eq!(tail.entries(0, 1), None);
        let events: Vec<_> = (5..5 + 2 * KEPT_EVENTS as u64).map(|position| entry(position, 10)).collect();
        tail.push(&events);
        let (first, end) = (5 + KEPT_EVENTS as u64, 5 + 2 * KEPT_EVENTS as u64);
        assert_eq!(tail.entries(first - 1, 1), None, "it has to be read from the journal");
        assert_eq!(tail.entries(first, 3).unwrap(), events[KEPT_EVENTS..KEPT_EVENTS + 3]);
        assert_eq!(tail.entries(end - 1, 3).unwrap().len(), 1);
        assert_eq!(tail.entries(end, 3).unwrap(), []);
        tail.push(&[entry(end, KEPT_BYTES), entry(end + 1, 10)]);
        assert_eq!(tail.entries(end, 3), None, "it is too large to be kept");
        tail.push(&[entry(end + 2, 2 * KEPT_BYTES)]);
        assert_eq!(tail.entries(end + 2, 3).unwrap().len(), 1, "the last is kept, however large");
    }

    #[test]
    fn who_waits_is_woken_once() {
        let tail = Tail::default();
        let mut watch = tail.watch();
        assert!(watch.changed().now_or_never().is_none());
        tail.push(&[entry(0, 1)]);
        tail.push(&[entry(1, 1)]);
        assert!(watch.changed().now_or_never().is_some());
        assert!(watch.changed().now_or_never().is_none());
    }
}
