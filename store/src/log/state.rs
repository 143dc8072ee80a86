//! The state that the readers of logs share with the writer.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use plybook_events::{LogId, RequestId};

use super::index::Index;
use super::page::Page;
use super::{AppendError, Head, ReadError, entries_of};
use crate::entry::{Entry, EventBytes};
use crate::journal::{Journal, JournalError};

/// Is shown every group of new events.
pub(super) type Watcher = Box<dyn Fn(&[Entry]) + Send + Sync>;

/// The journal and its index, and how far each of them is.
pub(crate) struct Shared {
    journal: Arc<dyn Journal>,
    index: Index,
    state: RwLock<State>,
    watchers: Mutex<Vec<Watcher>>,
    read_only: AtomicBool,
    /// Why nothing can be appended for now, in a journal to which others append, too.
    away: Mutex<Option<String>>,
}

/// How much is published, and the events that are not in the index yet.
pub(crate) struct State {
    len: u64,
    logs: usize,
    fresh: HashMap<LogId, Vec<Entry>>,
    /// The log and the seq of each of these that says which request wrote it, by the key of that.
    requests: HashMap<[u8; 12], (LogId, u64)>,
}

impl State {
    pub(super) fn logs_len(&self) -> usize {
        self.logs
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The head of a log that has events which are not in the index yet.
    fn head(&self, log: LogId) -> Option<Head> {
        self.fresh.get(&log)?.last().map(Head::of)
    }
}

impl Shared {
    pub(super) fn new(journal: Arc<dyn Journal>, len: u64, index: Index, is_read_only: bool) -> Self {
        let state = State { len, logs: index.logs_len(), fresh: HashMap::new(), requests: HashMap::new() };
        Self {
            journal,
            index,
            state: RwLock::new(state),
            watchers: Mutex::default(),
            read_only: AtomicBool::new(is_read_only),
            away: Mutex::default(),
        }
    }

    pub(crate) fn state(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The head of a log; `None` if there is no such log.
    pub(super) fn head(&self, log: LogId) -> Result<Option<Head>, ReadError> {
        let fresh = self.state().head(log);
        fresh.map_or_else(|| self.index.head(log), |head| Ok(Some(head)))
    }

    /// The log and the seq of the first event that a request with this key has written.
    pub(super) fn written_by(&self, request: &RequestId) -> Result<Option<(LogId, u64)>, ReadError> {
        let fresh = self.state().requests.get(&request.key).copied();
        Ok(self.index.written_by(request)?.or(fresh))
    }

    /// The ids of at most `limit` logs that follow `after` in the order of ids.
    pub(super) fn logs_after(&self, after: Option<LogId>, limit: usize) -> Result<Vec<LogId>, ReadError> {
        let fresh: Vec<LogId> = self.state().fresh.keys().copied().filter(|log| Some(*log) > after).collect();
        let mut logs = self.index.logs_after(after, limit)?;
        // The first logs of all are among the first of each.
        logs.extend(fresh);
        logs.sort_unstable();
        logs.dedup();
        logs.truncate(limit);
        Ok(logs)
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

    pub(super) fn journal(&self) -> &dyn Journal {
        &*self.journal
    }

    /// How many events the journal is known to hold that are not published yet.
    pub(super) fn behind(&self) -> u64 {
        self.journal.len().saturating_sub(self.state().len())
    }

    /// The next events that the journal holds and that are not published yet.
    pub(super) fn unpublished(&self, limit: usize) -> Result<Vec<Entry>, ReadError> {
        if self.behind() == 0 {
            return Ok(Vec::new());
        }
        let from = self.state().len();
        entries_of(&*self.journal, from, limit)
    }

    pub(super) fn watch(&self, seen: Watcher) -> u64 {
        let mut watchers = self.watchers();
        watchers.push(seen);
        self.state().len()
    }

    pub(super) fn events(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, ReadError> {
        let left = self.state().len().saturating_sub(from);
        let limit = usize::try_from(left).unwrap_or(usize::MAX).min(limit);
        if limit == 0 { Ok(Vec::new()) } else { Ok(self.journal.read(from, limit)?) }
    }

    pub(super) fn entries(&self, from: u64, limit: usize) -> Result<Vec<Entry>, ReadError> {
        let left = self.state().len().saturating_sub(from);
        let limit = usize::try_from(left).unwrap_or(usize::MAX).min(limit);
        if limit == 0 { Ok(Vec::new()) } else { entries_of(&*self.journal, from, limit) }
    }

    /// All events of a log from a seq on.
    pub(super) fn read(&self, log: LogId, from_seq: u64) -> Result<Vec<Entry>, ReadError> {
        self.page(log, from_seq, usize::MAX, usize::MAX)
    }

    /// The next events of a log. If the index does not return what was recorded, it is made again in memory.
    pub(super) fn page(
        &self,
        log: LogId,
        from_seq: u64,
        events_max: usize,
        bytes_max: usize,
    ) -> Result<Vec<Entry>, ReadError> {
        let events_max = events_max.max(1);
        loop {
            let (head, fresh) = {
                let state = self.state();
                let fresh = state.fresh.get(&log).map_or(&[][..], Vec::as_slice);
                let fresh = fresh.iter().filter(|entry| entry.seq >= from_seq).take(events_max.saturating_add(1));
                (state.head(log), fresh.cloned().collect::<Vec<_>>())
            };
            let head = head.map_or_else(|| self.index.head(log), |head| Ok(Some(head)))?;
            let Some(head) = head.filter(|head| from_seq <= head.seq) else { return Ok(Vec::new()) };
            let page_until = from_seq.saturating_add(events_max as u64).saturating_add(1);
            let indexed_until = fresh.first().map_or(head.seq + 1, |entry| entry.seq).min(page_until);
            let mut page = Page::new(events_max, bytes_max);
            if self.index.fill(&mut page, log, (from_seq, indexed_until), &fresh)
                && let Some(entries) = page.checked(from_seq, head)
            {
                return Ok(entries);
            }
            if !self.index.distrust(log)? {
                return Err(ReadError::Lost { log });
            }
        }
    }

    /// Writes events to the journal, until the first failure.
    pub(super) fn write(&self, events: &[EventBytes]) -> Result<(), JournalError> {
        let len = self.state().len();
        let written = self.journal.append(len, events);
        match &written {
            Ok(()) | Err(JournalError::TooLarge { .. }) => {}
            Err(JournalError::Conflict { at, len }) if len > at => {}
            Err(_) if self.journal.is_shared() => {
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
            debug_assert_eq!(entry.position, state.len, "events arrive in journal order");
            state.len = entry.position + 1;
            state.logs += usize::from(entry.seq == 0);
            state.fresh.entry(entry.log).or_default().push(entry.clone());
            if let Some(request) = entry.request() {
                state.requests.entry(request.key).or_insert((entry.log, entry.seq));
            }
        }
        drop(state);
        for seen in &*watchers {
            seen(entries);
        }
    }

    /// Feeds published events to the index, from which they are read from then on.
    pub(super) fn index(&self, entries: &[Entry]) -> Result<(), ReadError> {
        self.index.add(entries)?;
        let Some(last) = entries.last() else { return Ok(()) };
        let mut state = self.state_mut();
        for entry in entries {
            if let Some(request) = entry.request() {
                state.requests.remove(&request.key);
            }
            if let Some(fresh) = state.fresh.get_mut(&entry.log) {
                fresh.retain(|fresh| fresh.position > last.position);
                if fresh.is_empty() {
                    state.fresh.remove(&entry.log);
                }
            }
        }
        Ok(())
    }

    fn watchers(&self) -> MutexGuard<'_, Vec<Watcher>> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
