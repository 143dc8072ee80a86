//! The newest events, kept for the follower so that it need not read them from the journal again.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::{Entry, EventBytes, Log};

/// The most bytes that are kept. A follower that has more to catch up with reads the journal.
const BYTES_MAX: usize = 32 << 20;

/// Events that were recorded and are still needed.
#[derive(Clone, Default)]
pub(super) struct Fresh(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// Consecutive ones.
    events: VecDeque<EventBytes>,
    /// The journal position after the last one.
    end: u64,
    bytes: usize,
}

impl Fresh {
    /// Keeps what is recorded from now on.
    pub(super) fn of(log: &Log) -> Self {
        let fresh = Self::default();
        let kept = Arc::downgrade(&fresh.0);
        log.watch(move |entries| {
            // Nobody needs them once the follower has ended.
            if let Some(kept) = kept.upgrade() {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(entries);
            }
        });
        fresh
    }

    /// The journal position of the first event that is kept; `None` if there is none.
    pub(super) fn first(&self) -> Option<u64> {
        let kept = self.kept();
        (!kept.events.is_empty()).then(|| kept.first())
    }

    /// The events from a position on that are kept, at most `limit`; empty if the first of them is not.
    pub(super) fn events(&self, from: u64, limit: usize) -> Vec<EventBytes> {
        let kept = self.kept();
        let skip = from.checked_sub(kept.first()).and_then(|skip| usize::try_from(skip).ok());
        skip.map_or(Vec::new(), |skip| kept.events.iter().skip(skip).take(limit).cloned().collect())
    }

    /// Forgets the events before a position.
    pub(super) fn forget(&self, before: u64) {
        let mut kept = self.kept();
        while kept.first() < before
            && let Some(event) = kept.events.pop_front()
        {
            kept.bytes -= event.len();
        }
    }

    /// As it is between the publication of the last event and its arrival here.
    #[cfg(test)]
    pub(super) fn forget_last(&self) {
        let mut kept = self.kept();
        let last = kept.events.pop_back().expect("there is one");
        kept.bytes -= last.len();
        kept.end -= 1;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn first(&self) -> u64 {
        self.end - self.events.len() as u64
    }

    fn push(&mut self, entries: &[Entry]) {
        let Some(last) = entries.last() else { return };
        self.bytes += entries.iter().map(|entry| entry.bytes.len()).sum::<usize>();
        if self.bytes > BYTES_MAX {
            *self = Self::default();
        } else {
            self.events.extend(entries.iter().map(|entry| Arc::clone(&entry.bytes)));
        }
        self.end = last.position + 1;
    }
}
