//! Copies a journal to another place, event by event, and checks both.

use std::collections::HashMap;
use std::ops::Range;

use plybook_events::chain::{Chain, ChainError};
use plybook_events::{Envelope, Hash, LogId};
use sha2::{Digest, Sha256};

use super::{Journal, JournalError};
use crate::entry::EventBytes;

/// How many events are read at once.
const READ_EVENTS: usize = 16_384;

/// The most events, and bytes of events, of one append: far less than any journal takes.
const APPEND_EVENTS: usize = 512;
const APPEND_BYTES: usize = 256 << 10;

/// What is in a journal whose chains are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The number of events.
    pub events: u64,
    /// The number of logs they belong to.
    pub logs: usize,
    /// The SHA-256 of the hashes of all events, in order.
    pub digest: Hash,
}

/// Why a journal was not copied, or is not right.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A journal cannot be read or written. Run the copy again once it can: what was copied stays.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The source holds an event that does not follow its log. Restore it from a copy.
    #[error("the event at position {position} does not follow its log {log}: {source}")]
    Chain {
        /// Its position.
        position: u64,
        /// Its log.
        log: LogId,
        /// What is wrong.
        source: ChainError,
    },
    /// The source holds something that is no event. Restore it from a copy.
    #[error("at position {position} there is no event")]
    NotAnEvent {
        /// Its position.
        position: u64,
    },
    /// The source ended before its length. Restore it from a copy.
    #[error("the journal has {len} events, but none can be read at position {position}")]
    Short {
        /// Where reading stopped.
        position: u64,
        /// The number of events it claims to have.
        len: u64,
    },
    /// The target is longer than the source. Nothing was written to it.
    #[error("the target has {target} events, more than the {source_len} of the source")]
    Longer {
        /// The events of the target.
        target: u64,
        /// The events of the source.
        source_len: u64,
    },
    /// What the target holds is not what the source begins with.
    #[error("the {events} events of the target are not those with which the source begins")]
    Other {
        /// The events of the target.
        events: u64,
    },
}

impl CopyError {
    /// Whether the journals were read, and are not as they have to be: a finding, rather than trouble in looking.
    pub fn is_finding(&self) -> bool {
        match self {
            Self::Journal(why) => why.is_finding(),
            _ => true,
        }
    }
}

/// Appends to `to` what it lacks of `from`. What it has already has to be what the source begins with, so a copy that was
/// interrupted goes on where it stopped. Every event of the source is checked to follow its log, and what was written is read
/// again. `progress` gets the number of events copied, and of all.
///
/// # Errors
/// The source is damaged, the target has something else, or one of them cannot be read or written.
pub fn copy_journal(
    from: &dyn Journal,
    to: &dyn Journal,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Contents, CopyError> {
    let (len, kept) = (from.len(), to.len());
    if kept > len {
        return Err(CopyError::Longer { target: kept, source_len: len });
    }
    let mut source = Source::default();
    each_page(from, 0..len, &mut |events| {
        let position = source.events;
        source.check(events)?;
        let held = kept.saturating_sub(position).min(events.len() as u64);
        let (held, new) = events.split_at(held as usize);
        compare(to, position, held)?;
        append(to, new)?;
        compare(to, position + held.len() as u64, new)?;
        progress(source.events, len);
        Ok(())
    })?;
    Ok(source.contents())
}

/// Whether a journal has these events from a position on.
fn compare(to: &dyn Journal, position: u64, mut events: &[EventBytes]) -> Result<(), CopyError> {
    each_page(to, position..position + events.len() as u64, &mut |copies| {
        let (same, rest) = events.split_at(copies.len());
        events = rest;
        if same == copies { Ok(()) } else { Err(CopyError::Other { events: to.len() }) }
    })
}

/// Reads a whole journal, and checks that every event follows its log.
///
/// # Errors
/// It is damaged, or cannot be read.
pub fn check_journal(journal: &dyn Journal, progress: &mut dyn FnMut(u64, u64)) -> Result<Contents, CopyError> {
    let (mut source, len) = (Source::default(), journal.len());
    each_page(journal, 0..len, &mut |events| {
        source.check(events)?;
        progress(source.events, len);
        Ok(())
    })?;
    Ok(source.contents())
}

/// The logs of a journal, as far as it was read.
#[derive(Default)]
struct Source {
    chains: HashMap<LogId, Chain>,
    events: u64,
    digest: Sha256,
}

impl Source {
    /// Checks the next events.
    fn check(&mut self, events: &[EventBytes]) -> Result<(), CopyError> {
        for event in events {
            let position = self.events;
            let log = Envelope::split(event).ok().and_then(|envelope| envelope.log().ok());
            let log = log.ok_or(CopyError::NotAnEvent { position })?;
            let chain = self.chains.entry(log).or_insert_with(|| Chain::new(log));
            let hash = chain.check(event).map_err(|source| CopyError::Chain { position, log, source })?;
            self.digest.update(hash.0);
            self.events += 1;
        }
        Ok(())
    }

    fn contents(self) -> Contents {
        Contents { events: self.events, logs: self.chains.len(), digest: Hash(self.digest.finalize().into()) }
    }
}

/// Appends events in pieces of a moderate size.
fn append(to: &dyn Journal, mut events: &[EventBytes]) -> Result<(), CopyError> {
    while !events.is_empty() {
        let mut bytes = 0;
        let fits = |event: &&EventBytes| {
            bytes += event.len();
            bytes <= APPEND_BYTES
        };
        let count = events.iter().take(APPEND_EVENTS).take_while(fits).count().max(1);
        to.append(to.len(), &events[..count])?;
        events = &events[count..];
    }
    Ok(())
}

/// Reads these positions of a journal, page by page.
fn each_page(
    journal: &dyn Journal,
    positions: Range<u64>,
    visit: &mut dyn FnMut(&[EventBytes]) -> Result<(), CopyError>,
) -> Result<(), CopyError> {
    let mut position = positions.start;
    while position < positions.end {
        let left = usize::try_from(positions.end - position).unwrap_or(usize::MAX);
        let events = journal.read(position, left.min(READ_EVENTS))?;
        if events.is_empty() {
            return Err(CopyError::Short { position, len: positions.end });
        }
        visit(&events)?;
        position += events.len() as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
