//! The state that the readers of logs share with the writer.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use plybook_events::LogId;

use super::page::Page;
use super::tips::End;
use super::{AppendError, Head, ReadError, Tip, Tips};
use crate::ends::SavedEnds;
use crate::event_sum::EventSum;
use crate::index::Index;
use crate::{Entry, EventBytes, Journal, JournalError, TableError};

/// Is shown every group of new events.
pub(super) type Watcher = Box<dyn Fn(&[Entry]) + Send + Sync>;

/// How many events are read at once when the journal is searched.
const SCAN_EVENTS: usize = 4096;

/// The journal and its index, and how far each of them is.
pub(crate) struct Shared {
    journal: Arc<dyn Journal>,
    index: Index,
    state: RwLock<State>,
    /// The journal's length, for readers that wait for it to grow.
    published: Mutex<u64>,
    grown: Condvar,
    watchers: Mutex<Vec<Watcher>>,
    /// Held while the ends of logs are read from the journal.
    remaking: Mutex<()>,
    read_only: AtomicBool,
    /// Why nothing can be appended for now, in a journal to which others append, too.
    away: Mutex<Option<String>>,
}

/// The ends of all logs, and the events that are not in the index yet.
pub(crate) struct State {
    tips: Tips,
    fresh: HashMap<LogId, Vec<Entry>>,
}

impl State {
    pub(super) fn logs_len(&self) -> usize {
        self.tips.logs_len()
    }

    pub(super) fn len(&self) -> u64 {
        self.tips.len()
    }

    /// The number of events, and their sum.
    pub(super) fn events(&self) -> EventSum {
        self.tips.events()
    }
}

impl Shared {
    pub(super) fn new(journal: Arc<dyn Journal>, index: Index, tips: Tips, is_read_only: bool) -> Self {
        let published = Mutex::new(tips.len());
        Self {
            journal,
            index,
            state: RwLock::new(State { tips, fresh: HashMap::new() }),
            published,
            grown: Condvar::new(),
            watchers: Mutex::default(),
            remaking: Mutex::default(),
            read_only: AtomicBool::new(is_read_only),
            away: Mutex::default(),
        }
    }

    pub(crate) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The end of a log; `None` if there is no such log.
    pub(super) fn end(&self, log: LogId) -> Result<Option<Tip>, ReadError> {
        let end = self.state().tips.get(log);
        self.read_end(end, log)
    }

    fn read_end(&self, end: End, log: LogId) -> Result<Option<Tip>, ReadError> {
        let saved = match end {
            End::Known(tip) => return Ok(Some(tip)),
            End::Saved(None) => return Ok(None),
            End::Saved(Some(saved)) => saved,
        };
        match saved.get(log) {
            Ok(end) => Ok(end),
            Err(why) => {
                self.remake_ends(&saved, &why)?;
                self.end(log)
            }
        }
    }

    /// The ids of at most `limit` logs that follow `after` in the order of ids.
    pub(super) fn logs_after(&self, after: Option<LogId>, limit: usize) -> Result<Vec<LogId>, ReadError> {
        // Nobody who appends waits while they are read.
        let ends = self.state().tips.after(after, limit);
        match (ends.read(), ends.saved) {
            (Err(why), Some(saved)) => {
                self.remake_ends(&saved, &why)?;
                self.logs_after(after, limit)
            }
            (ends, _) => Ok(ends.into_iter().flatten().map(|(log, _)| log).collect()),
        }
    }

    /// Reads the ends of all logs from the journal, because those on disk are damaged. They are in memory then, until they are saved
    /// again.
    pub(super) fn remake_ends(&self, damaged: &Arc<SavedEnds>, why: &TableError) -> Result<(), ReadError> {
        let _one_at_a_time = self.remaking.lock().unwrap_or_else(PoisonError::into_inner);
        let is_done = |saved: &Arc<SavedEnds>| !Arc::ptr_eq(saved, damaged);
        if self.state().tips.saved_ends().is_none_or(is_done) {
            return Ok(());
        }
        tracing::error!(%why, "the ends of logs are read from the journal");
        let (mut ends, mut position, len) = (BTreeMap::new(), 0, self.state().len());
        while position < len {
            let entries = self.entries(position, SCAN_EVENTS)?;
            position = entries.last().map_or(len, |last| last.position + 1);
            ends.extend(entries.iter().map(|entry| (entry.log, Tip::of(entry))));
        }
        let mut state = self.state_mut();
        if state.tips.saved_ends().is_some_and(|saved| Arc::ptr_eq(saved, damaged)) {
            state.tips.replace_saved(ends);
        }
        Ok(())
    }

    /// See [`Tips::begin_saving`]; also the events of which these are the ends.
    pub(super) fn begin_saving(&self) -> (Option<Arc<SavedEnds>>, Arc<BTreeMap<LogId, Tip>>, EventSum) {
        let mut state = self.state_mut();
        let (saved, newer) = state.tips.begin_saving();
        (saved, newer, state.events())
    }

    /// See [`Tips::finish_saving`].
    pub(super) fn finish_saving(&self, saved: SavedEnds) {
        // Nobody waits until they are freed.
        let _saved = self.state_mut().tips.finish_saving(saved);
    }

    fn state_mut(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing can be appended, for now or at all; `None` if it can.
    pub(super) fn refusal(&self) -> Option<AppendError> {
        if self.read_only.load(Ordering::Acquire) {
            Some(AppendError::ReadOnly)
        } else {
            self.away().is_some().then_some(AppendError::Away)
        }
    }

    /// Why the servers of a journal to which others append are away; `None` if they answer.
    pub(super) fn away(&self) -> Option<String> {
        self.away.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes whether the servers of the journal answer.
    pub(super) fn set_away(&self, why: Option<String>) {
        let mut away = self.away.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*away, &why) {
            (None, Some(why)) => tracing::error!(why, "read-only until the servers of the journal answer"),
            (Some(_), None) => tracing::info!("the servers of the journal answer again"),
            _ => {}
        }
        *away = why;
    }

    /// See [`Journal::give_up`].
    pub(super) fn give_up(&self) {
        self.journal.give_up();
    }

    /// Whether other processes append to the journal, too.
    pub(super) fn is_shared(&self) -> bool {
        self.journal.is_shared()
    }

    /// See [`Journal::append_bytes_max`].
    pub(super) fn append_bytes_max(&self) -> usize {
        self.journal.append_bytes_max()
    }

    /// How many events the journal is known to hold that are not published yet.
    pub(super) fn behind(&self) -> u64 {
        self.journal.len().saturating_sub(self.state().len())
    }

    /// Waits, for `timeout` at most, until others are known to have appended. See [`Journal::follow`].
    pub(super) fn follow(&self, timeout: Duration) -> Result<(), JournalError> {
        // Nothing may be locked while it waits.
        let len = self.state().len();
        self.journal.follow(len, timeout)
    }

    /// The next events that the journal holds and that are not published yet.
    pub(super) fn unpublished(&self, limit: usize) -> Result<Vec<Entry>, ReadError> {
        if self.behind() == 0 {
            return Ok(Vec::new());
        }
        let from = self.state().len();
        numbered(from, self.journal.read(from, limit)?)
    }

    pub(super) fn watch(&self, seen: Watcher) -> u64 {
        let mut watchers = self.watchers();
        watchers.push(seen);
        self.state().len()
    }

    /// See [`Journal::closed_until`].
    pub(super) fn closed_until(&self) -> u64 {
        self.journal.closed_until()
    }

    /// Waits until the journal holds more than `len` events, or for `timeout`.
    pub(super) fn wait_beyond(&self, len: u64, timeout: Duration) {
        let published = self.published.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.grown.wait_timeout_while(published, timeout, |now| *now <= len));
    }

    pub(super) fn events(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, ReadError> {
        let left = self.state().len().saturating_sub(from);
        let limit = usize::try_from(left).unwrap_or(usize::MAX).min(limit);
        if limit == 0 { Ok(Vec::new()) } else { Ok(self.journal.read(from, limit)?) }
    }

    pub(super) fn entries(&self, from: u64, limit: usize) -> Result<Vec<Entry>, ReadError> {
        numbered(from, self.events(from, limit)?)
    }

    /// All events of a log from a seq on.
    pub(super) fn read(&self, log: LogId, from_seq: u64) -> Result<Vec<Entry>, ReadError> {
        self.page(log, from_seq, usize::MAX, usize::MAX)
    }

    /// The next events of a log, read from the index or, if the index does not return what was recorded, from
    /// the journal.
    pub(super) fn page(
        &self,
        log: LogId,
        from_seq: u64,
        events_max: usize,
        bytes_max: usize,
    ) -> Result<Vec<Entry>, ReadError> {
        let state = self.state();
        let end = state.tips.get(log);
        let fresh = state.fresh.get(&log).map_or(&[][..], Vec::as_slice);
        let fresh = fresh.iter().filter(|entry| entry.seq >= from_seq).take(events_max.saturating_add(1));
        let fresh: Vec<_> = fresh.cloned().collect();
        drop(state);
        let Some(head) = self.read_end(end, log)?.map(|tip| tip.head).filter(|head| from_seq <= head.seq) else {
            return Ok(Vec::new());
        };
        let page_until = from_seq.saturating_add(events_max as u64).saturating_add(1);
        let indexed_until = fresh.first().map_or(head.seq + 1, |entry| entry.seq).min(page_until);
        let indexed = self.index.read(log, from_seq, indexed_until);
        let mut page = Page::new(events_max, bytes_max);
        if page.fill(indexed.chain(fresh.into_iter().map(Some)))
            && let Some(entries) = page.checked(from_seq, head)
        {
            return Ok(entries);
        }
        self.index.distrust(log);
        let mut page = Page::new(events_max, bytes_max);
        self.search(&mut page, log, from_seq, head)?;
        page.checked(from_seq, head).ok_or(ReadError::Lost { log })
    }

    /// Finds a log's events without the index.
    fn search(&self, page: &mut Page, log: LogId, from_seq: u64, head: Head) -> Result<(), ReadError> {
        let mut position = 0;
        while position <= head.position {
            let entries = self.entries(position, SCAN_EVENTS)?;
            let Some(last) = entries.last() else {
                return Err(ReadError::Lost { log });
            };
            position = last.position + 1;
            for entry in entries {
                if entry.log == log && (from_seq..=head.seq).contains(&entry.seq) {
                    page.push(entry);
                }
                if page.is_full() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Writes events to the journal, until the first failure.
    pub(super) fn write(&self, events: &[EventBytes]) -> Result<(), JournalError> {
        let len = self.state().len();
        let written = self.journal.append(len, events);
        match &written {
            Ok(()) | Err(JournalError::TooLarge { .. }) => {}
            Err(JournalError::Conflict { at, len }) if len > at => {}
            Err(_) if self.is_shared() => {
                self.set_away(Some("the servers of the journal do not answer an append".to_owned()));
            }
            Err(why) => {
                tracing::error!(%why, "a write to the journal failed: read-only until restart");
                self.stop_writing();
            }
        }
        written
    }

    /// Refuses all appends from now on.
    pub(super) fn stop_writing(&self) {
        self.read_only.store(true, Ordering::Release);
    }

    /// Makes durable events visible to readers.
    pub(super) fn publish(&self, entries: &[Entry]) {
        let watchers = self.watchers();
        let mut state = self.state_mut();
        for entry in entries {
            state.tips.push(entry);
            state.fresh.entry(entry.log).or_default().push(entry.clone());
        }
        let len = state.len();
        drop(state);
        *self.published.lock().unwrap_or_else(PoisonError::into_inner) = len;
        self.grown.notify_all();
        for seen in &*watchers {
            seen(entries);
        }
    }

    /// Feeds published events to the index, from which they are read from then on.
    pub(super) fn index(&self, entries: &[Entry]) {
        self.index.apply(entries);
        let Some(last) = entries.last() else { return };
        let mut state = self.state_mut();
        for entry in entries {
            if let Some(fresh) = state.fresh.get_mut(&entry.log) {
                fresh.retain(|fresh| fresh.position > last.position);
                if fresh.is_empty() {
                    state.fresh.remove(&entry.log);
                }
            }
        }
    }

    fn watchers(&self) -> MutexGuard<'_, Vec<Watcher>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Events of the journal from a position on.
fn numbered(from: u64, events: Vec<EventBytes>) -> Result<Vec<Entry>, ReadError> {
    let entry = |(position, bytes)| Entry::of(position, bytes).ok_or(ReadError::NotAnEvent { position });
    (from..).zip(events).map(entry).collect()
}

#[cfg(test)]
mod tests {
    use plybook_events::body::Acted;
    use plybook_events::{Body, By, Event, Hash, Timestamp};

    use super::*;
    use crate::MemoryJournal;
    use crate::database::Database;
    use crate::index::Rows;
    use crate::keyspace::Keyspace;

    fn events(log: LogId, count: u64) -> Vec<EventBytes> {
        let mut prev = Hash::ZERO;
        let event = |seq: u64| {
            let body = Body::Acted(Acted { action: seq.to_string(), clock_ms: None, fair: false });
            let at = Timestamp::from_millis(seq as i64).unwrap();
            let event = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None };
            let bytes = event.to_bytes().unwrap();
            prev = Hash::of_event(&bytes);
            bytes.into()
        };
        (0..count).map(event).collect()
    }

    #[test]
    fn a_page_ends_at_either_bound_and_holds_at_least_one_event() {
        let log = LogId::from_bytes([1; 16]);
        let events = events(log, 20);
        let journal = Arc::new(MemoryJournal::default());
        journal.append(journal.len(), &events).unwrap();
        let mut tips = Tips::default();
        let entries: Vec<_> = (0..).zip(&events).map(|(n, bytes)| Entry::of(n, bytes.clone()).unwrap()).collect();
        for entry in &entries {
            tips.push(entry);
        }
        let keyspace = Keyspace::open(&Database::temporary().unwrap(), "logs").unwrap();
        let shared = Shared::new(journal, Index::Kept(Rows::open(keyspace).unwrap()), tips, false);
        shared.index.apply(&entries[..15]);
        // The index lags behind, as it does while events are being written.
        shared.state.write().unwrap().fresh.insert(log, entries[15..].to_vec());
        let size = |from: usize, until: usize| entries[from..until].iter().map(|entry| entry.bytes.len()).sum();
        for (from, events_max, bytes_max, until) in [
            (0, 4, usize::MAX, 4),
            (12, 6, usize::MAX, 18),
            (16, 10, usize::MAX, 20),
            (0, 100, size(0, 7), 7),
            (13, 100, size(13, 18) + 1, 18),
            (5, 100, 0, 6),
            (5, 0, usize::MAX, 6),
            (19, 100, 1, 20),
        ] {
            let page = shared.page(log, from as u64, events_max, bytes_max).unwrap();
            assert_eq!(page, entries[from..until], "{from}, {events_max} events, {bytes_max} bytes");
        }
        assert!(shared.page(log, 20, 4, 4).unwrap().is_empty());
    }

    /// sled may lose or change pairs while it is open; no reader may see that.
    #[test]
    fn a_lying_index_is_found_out() {
        let log = LogId::from_bytes([1; 16]);
        let events = events(log, 5);
        let journal = Arc::new(MemoryJournal::default());
        journal.append(journal.len(), &events).unwrap();
        let entries: Vec<_> = (0..).zip(&events).map(|(n, bytes)| Entry::of(n, bytes.clone()).unwrap()).collect();
        for damage in 0..7 {
            let keyspace = Keyspace::open(&Database::temporary().unwrap(), "logs").unwrap();
            let mut tips = Tips::default();
            for entry in &entries {
                tips.push(entry);
            }
            let index = Index::Kept(Rows::open(keyspace.clone()).unwrap());
            let shared = Shared::new(journal.clone(), index, tips, false);
            // A block for each event.
            for entry in &entries {
                shared.index.apply(std::slice::from_ref(entry));
            }
            let keys: Vec<_> = keyspace.prefix(&log.to_bytes()).map(|pair| pair.unwrap().0).collect();
            assert_eq!(keys.len(), 5);
            if let Some(key) = keys.get(damage) {
                keyspace.delete(key).unwrap();
            } else {
                let mut other = keyspace.get(&keys[1]).unwrap().unwrap();
                if damage == 6 {
                    *other.last_mut().unwrap() ^= 1;
                }
                keyspace.put(&keys[2], &other).unwrap();
            }
            for from in 0..5 {
                let read = shared.read(log, from).unwrap();
                assert_eq!(read, entries[from as usize..], "damage {damage}, from {from}");
                for len in 1..5 {
                    let page = shared.page(log, from, len, usize::MAX).unwrap();
                    let until = 5.min(from as usize + len);
                    assert_eq!(page, entries[from as usize..until], "damage {damage}, {len} from {from}");
                }
            }
        }
    }
}
