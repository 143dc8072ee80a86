//! The newest events, kept for the follower so that it need not read them from the journal again.

use std::sync::{Arc, Mutex, PoisonError};

use crate::{Entry, EventBytes, Log};

/// The most bytes that are kept. A follower that has more to catch up with reads the journal.
const BYTES_MAX: usize = 32 << 20;

/// Events that were recorded and not taken yet.
#[derive(Clone, Default)]
pub(super) struct Fresh(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    /// Consecutive ones.
    events: Vec<EventBytes>,
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
            // Nobody takes them once the follower has ended.
            if let Some(kept) = kept.upgrade() {
                kept.lock().unwrap_or_else(PoisonError::into_inner).push(entries);
            }
        });
        fresh
    }

    /// Takes all events, with the journal position of the first one.
    pub(super) fn take(&self) -> (u64, Vec<EventBytes>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { events, end, .. } = std::mem::take(&mut *kept);
        (end - events.len() as u64, events)
    }
}

impl Kept {
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
