//! The events of each log and its head, fed from the journal: in sled ([`Rows`]), or, in a store that writes nothing to its
//! directory, in memory ([`Positions`]).

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};

use plybook_events::{LogId, RequestId};

use super::page::Page;
use super::positions::Positions;
use super::rows::Rows;
use super::{Head, ReadError, entries_of};
use crate::database::Unsound;
use crate::entry::Entry;
use crate::journal::Journal;

/// How many events are read from the journal at once.
const READ_EVENTS: usize = 16_384;

/// All logs. What is read of one has to be checked against its head. If sled fails, the index is made again in memory.
pub(crate) struct Index {
    journal: Arc<dyn Journal>,
    place: RwLock<Place>,
    /// Held while the journal is read into memory.
    replacing: Mutex<()>,
}

pub(super) enum Place {
    Kept(Rows),
    InMemory(Positions),
}

impl Index {
    pub(super) fn kept(journal: &Arc<dyn Journal>, rows: Rows) -> Self {
        Self { journal: Arc::clone(journal), place: RwLock::new(Place::Kept(rows)), replacing: Mutex::default() }
    }

    /// An index in memory of so many events.
    pub(super) fn in_memory(
        journal: &Arc<dyn Journal>,
        len: u64,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Self, ReadError> {
        let positions = Positions::new(journal);
        read_into(&positions, &**journal, 0..len, progress)?;
        let place = RwLock::new(Place::InMemory(positions));
        Ok(Self { journal: Arc::clone(journal), place, replacing: Mutex::default() })
    }

    /// The number of logs.
    pub(crate) fn logs_len(&self) -> usize {
        match &*self.place() {
            Place::Kept(rows) => rows.logs_len(),
            Place::InMemory(positions) => positions.logs_len(),
        }
    }

    /// Adds the journal's next events, or nothing.
    pub(super) fn add(&self, entries: &[Entry]) -> Result<(), ReadError> {
        self.with(|rows| rows.add(entries), |positions| positions.add(entries))
    }

    /// The head of a log; `None` if there is no such log.
    pub(super) fn head(&self, log: LogId) -> Result<Option<Head>, ReadError> {
        self.with(|rows| rows.head(log), |positions| positions.head(log))
    }

    /// The log and the seq of the first event that a request with this key has written. If they cannot be read, that is an error of
    /// this request alone: it is not worth reading the journal through while everybody else waits.
    pub(super) fn written_by(&self, request: &RequestId) -> Result<Option<(LogId, u64)>, ReadError> {
        self.with(|rows| rows.written_by(request), |positions| Ok(positions.written_by(request)))?
    }

    /// The ids of at most `limit` logs that follow `after` in the order of ids.
    pub(super) fn logs_after(&self, after: Option<LogId>, limit: usize) -> Result<Vec<LogId>, ReadError> {
        self.with(|rows| rows.logs_after(after, limit), |positions| positions.logs_after(after, limit))
    }

    /// Adds the events of a log with these seqs to a page, and then more of them, until it is full; `false` if one of them
    /// cannot be read.
    pub(super) fn fill(&self, page: &mut Page, log: LogId, (from_seq, until_seq): (u64, u64), more: &[Entry]) -> bool {
        let more = more.iter().cloned().map(Some);
        if from_seq >= until_seq {
            return page.fill(more);
        }
        match &*self.place() {
            Place::Kept(rows) => page.fill(rows.read(log, from_seq, until_seq).chain(more)),
            Place::InMemory(positions) => {
                let found = positions.read(log, from_seq, until_seq);
                found.is_some_and(|found| page.fill(found.into_iter().map(Some).chain(more)))
            }
        }
    }

    /// Goes on in memory, as sled returned something wrong; `false` if nothing can be better there.
    pub(super) fn distrust(&self, log: LogId) -> Result<bool, ReadError> {
        match &*self.place() {
            Place::InMemory(_) => return Ok(false),
            Place::Kept(rows) => {
                let why = rows.damaged("a log is not as it was recorded");
                tracing::error!(%log, %why, "the index is made again at the next start");
            }
        }
        self.replace().map(|()| true)
    }

    fn with<T>(
        &self,
        kept: impl Fn(&Rows) -> Result<T, Unsound>,
        in_memory: impl Fn(&Positions) -> T,
    ) -> Result<T, ReadError> {
        loop {
            match &*self.place() {
                Place::InMemory(positions) => return Ok(in_memory(positions)),
                Place::Kept(rows) => match kept(rows) {
                    Ok(done) => return Ok(done),
                    Err(why) => tracing::error!(%why, "the index failed"),
                },
            }
            self.replace()?;
        }
    }

    /// Reads the journal into memory, as far as sled had applied it, and leaves sled alone.
    fn replace(&self) -> Result<(), ReadError> {
        let _one_at_a_time = self.replacing.lock().unwrap_or_else(PoisonError::into_inner);
        let applied = |place: &Place| match place {
            Place::Kept(rows) => Some(rows.position()),
            Place::InMemory(_) => None,
        };
        let Some(so_far) = applied(&self.place()) else { return Ok(()) };
        tracing::error!("until the next start, logs are read from the journal, which is read through first");
        let positions = Positions::new(&self.journal);
        read_into(&positions, &*self.journal, 0..so_far, &mut |_, _| ())?;
        let mut place = self.place.write().unwrap_or_else(PoisonError::into_inner);
        let now = applied(&place).expect("nobody else replaces it");
        read_into(&positions, &*self.journal, so_far..now, &mut |_, _| ())?;
        *place = Place::InMemory(positions);
        Ok(())
    }

    pub(super) fn place(&self) -> RwLockReadGuard<'_, Place> {
        self.place.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Adds the events at these positions.
fn read_into(
    positions: &Positions,
    journal: &dyn Journal,
    of: Range<u64>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<(), ReadError> {
    let mut position = of.start;
    while position < of.end {
        let limit = usize::try_from(of.end - position).unwrap_or(usize::MAX).min(READ_EVENTS);
        let entries = entries_of(journal, position, limit)?;
        position = entries.last().ok_or(ReadError::NotAnEvent { position })?.position + 1;
        positions.add(&entries);
        progress(position, of.end);
    }
    Ok(())
}
