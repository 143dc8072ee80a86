//! Keeps the ends of all logs for the next start, from time to time and at the end.

use std::collections::BTreeMap;

use plybook_events::LogId;

use super::{ReadError, Shared, Tip};
use crate::ends::EndsFile;

/// How many ends are copied at once, while nobody can append.
const COPY_LOGS: usize = 4096;

/// How many events are read at once.
const READ_EVENTS: usize = 4096;

/// The ends are kept again after a quarter as many events as there are logs, but after at least so many events, and at most so many:
/// that is what a start reads after a kill, and the rest of their segment.
const SAVE_EVENTS: (u64, u64) = (65_536, 500_000);

/// Writes the file with the ends of all logs.
pub(crate) struct Saver {
    file: EndsFile,
    /// The number of events at the last attempt to write it.
    tried: u64,
}

impl Saver {
    /// `saved` is the number of events of which the file holds the ends, if it is to be believed; otherwise 0.
    pub(crate) fn new(file: EndsFile, saved: u64) -> Self {
        Self { file, tried: saved }
    }

    /// Whether so much was recorded since that a start would take long to read it.
    pub(super) fn is_due(&self, shared: &Shared) -> bool {
        let state = shared.state();
        let (least, most) = SAVE_EVENTS;
        let due = (state.logs_len() as u64 / 4).clamp(least, most);
        state.len().saturating_sub(self.tried) >= due
    }

    /// Writes the ends of all logs. If that fails, the next start reads more, and nothing is tried until it is due again.
    pub(super) fn save(&mut self, shared: &Shared) {
        let events = shared.state().len();
        if events == self.tried {
            return;
        }
        self.tried = events;
        if let Err(why) = self.try_save(shared) {
            tracing::warn!(%why, "the ends of logs are not kept; a start takes longer");
        }
    }

    fn try_save(&self, shared: &Shared) -> Result<(), Box<dyn std::error::Error>> {
        let first = shared.state().len();
        let mut ends: Vec<(LogId, Tip)> = Vec::new();
        loop {
            let more = shared.state().tips_after(ends.last().map(|(log, _)| *log), COPY_LOGS);
            if more.is_empty() {
                break;
            }
            ends.extend(more);
        }
        let events = shared.state().events();
        // What was recorded meanwhile is in some of them, but not in those that were copied before.
        let newer = newer(shared, first, events.position)?;
        Ok(self.file.write(&ends, newer, events)?)
    }
}

/// The ends of the logs to which events between two positions belong.
fn newer(shared: &Shared, mut from: u64, until: u64) -> Result<BTreeMap<LogId, Tip>, ReadError> {
    let mut newer = BTreeMap::new();
    while from < until {
        let left = usize::try_from(until - from).unwrap_or(usize::MAX);
        for entry in shared.entries(from, left.min(READ_EVENTS))? {
            newer.insert(entry.log, Tip::of(&entry));
            from = entry.position + 1;
        }
    }
    Ok(newer)
}
