//! Logs: the events of a journal, written and read log by log.

mod committer;
mod head;
mod index;
mod page;
mod positions;
mod recovery;
mod request;
mod rows;
mod state;

use std::sync::{Arc, mpsc};

use plybook_events::{LogId, RequestId};

pub use head::{Appended, Head};
pub use request::{Append, AppendError};

use crate::entry::{Entry, EventBytes};
use crate::journal::{Journal, JournalError};
use committer::Committer;
pub(crate) use index::Index;
pub(crate) use recovery::{Opening, Recovered, in_memory, open, recover};
use request::{Request, Waiter};
pub(crate) use rows::{Rows, TREE};
pub(crate) use state::Shared;

/// All logs of a store. Clones refer to the same logs; dropping the last one stops the writer.
///
/// ```
/// # use plybook_events::{Body, By, Event, Hash, LogId, Timestamp, body::Acted};
/// # let event = Event {
/// #     at: Timestamp::from_millis(0)?,
/// #     by: By::Seat(1),
/// #     log: LogId::from_bytes([1; 16]),
/// #     prev: Hash::ZERO,
/// #     seq: 0,
/// #     body: Body::Acted(Acted { action: "b1-b2".into(), clock_ms: None, fair: false }),
/// #     who: None,
/// #     signature: None,
/// #     request: None,
/// # };
/// let store = plybook_store::Store::in_memory()?;
/// let log = store.log();
/// let bytes = event.to_bytes()?;
/// let appended = log.append(event.log, None, vec![bytes.clone()])?;
/// assert_eq!(log.head(event.log), Some(appended.head));
/// assert_eq!(*log.read(event.log, 0)?[0], *bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Log {
    committer: Arc<Committer>,
}

/// Why a log cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The journal cannot be read. Tell the operator.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The journal contains something that is not an event. Tell the operator: another program wrote to it.
    #[error("journal position {position} holds no event")]
    NotAnEvent {
        /// The position.
        position: u64,
    },
    /// Neither the index nor the journal returns what was recorded. Tell the operator: the journal was
    /// changed while it was in use, and has to be restored from a copy.
    #[error("log {log} cannot be read as it was recorded")]
    Lost {
        /// The log.
        log: LogId,
    },
    /// The index does not say what a request has written. Tell the operator: the next start makes the index again.
    #[error("what the request with this key has written cannot be read until the service is restarted")]
    Request,
}

impl Log {
    /// Starts the writer of a journal of `len` events, all of which the index has.
    pub(crate) fn start(journal: Arc<dyn Journal>, len: u64, index: Index, is_read_only: bool) -> Self {
        Self { committer: Arc::new(Committer::start(Shared::new(journal, len, index, is_read_only))) }
    }

    /// The last event of a log; `None` if the log does not exist. Also `None`, and an error in the log, if neither the index
    /// nor the journal can be read; nothing can be appended to a log then.
    pub fn head(&self, log: LogId) -> Option<Head> {
        let head = self.shared().head(log);
        head.inspect_err(|why| tracing::error!(%log, %why, "the head of a log cannot be read")).ok()?
    }

    /// Appends events to a log, all or none; they are durable when this returns. The events follow
    /// `expected`, the head that the caller knows; `None` stands for a log that does not exist yet. Of
    /// several appends after the same head, exactly one succeeds.
    ///
    /// An append whose answer was lost can be repeated unchanged: it gets the same answer again, and nothing
    /// is written twice.
    ///
    /// # Errors
    /// The log has another head, the events do not follow it, they are too large, or the journal is read-only.
    pub fn append(&self, log: LogId, expected: Option<&Head>, events: Vec<Vec<u8>>) -> Result<Appended, AppendError> {
        let append = Append { log, expected: expected.copied(), events };
        self.append_together(&[append]).map(|mut appended| appended.remove(0))
    }

    /// Appends to several logs, all or none, with at most one append per log: after a crash, either all of
    /// them are there or none is. The answers are in the order of the appends.
    ///
    /// Like [`append`](Self::append), it can be repeated unchanged.
    ///
    /// # Errors
    /// As for [`append`](Self::append); a conflict names the log.
    pub fn append_together(&self, appends: &[Append]) -> Result<Vec<Appended>, AppendError> {
        self.append_all(appends, None)
    }

    /// Like [`append_together`](Self::append_together), for a request that is carried out once: one of the events has to
    /// carry it, and none that was written before may have its key.
    ///
    /// # Errors
    /// [`AppendError::Repeated`], or as for [`append`](Self::append).
    pub fn append_once(&self, request: RequestId, appends: &[Append]) -> Result<Vec<Appended>, AppendError> {
        self.append_all(appends, Some(request))
    }

    fn append_all(&self, appends: &[Append], once: Option<RequestId>) -> Result<Vec<Appended>, AppendError> {
        let (answers, answered) = mpsc::channel();
        self.committer.write(Request::check(appends, once, Waiter::new(0, answers)));
        answered.recv().map_or(Err(AppendError::ReadOnly), |(_, answer)| answer)
    }

    /// Appends to many logs in one call. Each append is all or none by itself, and the answers are in the
    /// order of the appends. Appends to the same log take effect in the order given.
    pub fn append_many(&self, appends: &[Append]) -> Vec<Result<Appended, AppendError>> {
        let (to, answered) = mpsc::channel();
        let requests = appends
            .iter()
            .enumerate()
            .filter_map(|(n, append)| Request::check(std::slice::from_ref(append), None, Waiter::new(n, to.clone())));
        self.committer.write(requests.collect::<Vec<_>>());
        drop(to);
        let mut answers: Vec<_> = appends.iter().map(|_| Err(AppendError::ReadOnly)).collect();
        for (n, answer) in answered {
            answers[n] = answer.map(|mut appended| appended.remove(0));
        }
        answers
    }

    /// The events of a log from a seq on; empty if there are none.
    ///
    /// They are checked against the hash of the head, as each event carries the hash of the previous one. If
    /// the index fails this check, the journal is read instead.
    ///
    /// # Errors
    /// The journal had to be read, and cannot be.
    pub fn read(&self, log: LogId, from_seq: u64) -> Result<Vec<EventBytes>, ReadError> {
        let entries = self.shared().read(log, from_seq)?;
        Ok(entries.into_iter().map(|entry| entry.bytes).collect())
    }

    /// The next events of a log from a seq on: at most `events_max` events and `bytes_max` bytes, but always
    /// the first event, however long. Empty if there are none.
    ///
    /// They are checked against the event that follows them, or against the head if they are the last. The
    /// cost does not depend on the length of the log.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn read_page(
        &self,
        log: LogId,
        from_seq: u64,
        events_max: usize,
        bytes_max: usize,
    ) -> Result<Vec<EventBytes>, ReadError> {
        let entries = self.shared().page(log, from_seq, events_max, bytes_max)?;
        Ok(entries.into_iter().map(|entry| entry.bytes).collect())
    }

    /// The ids of at most `limit` logs that follow `after` in the order of ids.
    ///
    /// # Errors
    /// Neither the index nor the journal can be read.
    pub fn logs_after(&self, after: Option<LogId>, limit: usize) -> Result<Vec<LogId>, ReadError> {
        self.shared().logs_after(after, limit)
    }

    /// The number of logs.
    pub fn logs_len(&self) -> usize {
        self.shared().state().logs_len()
    }

    /// The number of events in all logs together, which is the journal position of the next event.
    pub fn len(&self) -> u64 {
        self.shared().state().len()
    }

    /// Whether nothing has been recorded yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether appends are refused: because a write failed, the store was opened for reading, or the servers of the journal are
    /// away.
    pub fn is_read_only(&self) -> bool {
        self.shared().refusal().is_some()
    }

    /// Why the servers of the journal do not answer; `None` if they do, or if it is in files. Appends work again once they do.
    pub fn away(&self) -> Option<String> {
        self.shared().away()
    }

    /// How many events the journal is known to hold that cannot be read here yet: what other processes have appended just now.
    /// What they append while its servers are away is not known.
    pub fn behind(&self) -> u64 {
        self.shared().behind()
    }

    /// Waits for the journal's servers no more, now or later, if it has any.
    pub(crate) fn give_up(&self) {
        self.shared().journal().give_up();
    }

    /// Whether other processes append to the journal, too.
    pub fn is_shared(&self) -> bool {
        self.shared().journal().is_shared()
    }

    /// The events from a journal position on, in journal order. At most `limit`, possibly fewer; empty
    /// only at the end.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn entries(&self, from: u64, limit: usize) -> Result<Vec<Entry>, ReadError> {
        self.shared().entries(from, limit)
    }

    /// The bytes of the events from a journal position on, as [`entries`](Self::entries) returns them.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn events(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, ReadError> {
        self.shared().events(from, limit)
    }

    /// The position at which the part of the journal begins that may still grow.
    pub(crate) fn closed_until(&self) -> u64 {
        self.shared().journal().closed_until()
    }

    /// An event of a log, checked like [`read_page`](Self::read_page); `None` if the log has no such event.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn entry(&self, log: LogId, seq: u64) -> Result<Option<Entry>, ReadError> {
        Ok(self.shared().page(log, seq, 1, 0)?.pop())
    }

    /// The event that a request with this key has written; `None` if there is none. Of several, which only an import can
    /// bring, the first in the journal.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn written_by(&self, request: &RequestId) -> Result<Option<Entry>, ReadError> {
        match self.shared().written_by(request)? {
            Some((log, seq)) => {
                let entry = self.entry(log, seq)?;
                let carries = |entry: &Entry| entry.request().is_some_and(|carried| carried.key == request.key);
                entry.filter(carries).map(Some).ok_or(ReadError::Request)
            }
            None => Ok(None),
        }
    }

    /// The first event of a log at or after a journal position, found by binary search; `None` if there is none.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn entry_from(&self, log: LogId, position: u64) -> Result<Option<Entry>, ReadError> {
        let Some(head) = self.head(log).filter(|head| head.position >= position) else { return Ok(None) };
        let (mut first, mut last, mut found) = (0, head.seq, None);
        while first <= last {
            let middle = first + (last - first) / 2;
            let Some(entry) = self.entry(log, middle)? else { break };
            if entry.position < position {
                first = middle + 1;
            } else if middle == 0 {
                return Ok(Some(entry));
            } else {
                (last, found) = (middle - 1, Some(entry));
            }
        }
        Ok(found)
    }

    /// Shows every event from now on to `seen`, in journal order, once it is durable and before its append is
    /// answered. Returns the position of the first event that `seen` will get; [`entries`](Self::entries)
    /// reads the earlier ones.
    ///
    /// `seen` is called with the events of one group, by the thread of the writer. It must not block, panic, append or call this
    /// method.
    pub fn watch(&self, seen: impl Fn(&[Entry]) + Send + Sync + 'static) -> u64 {
        self.shared().watch(Box::new(seen))
    }

    pub(crate) fn shared(&self) -> &Shared {
        self.committer.shared()
    }
}

/// The events of a journal from a position on, at most `limit`.
pub(crate) fn entries_of(journal: &dyn Journal, from: u64, limit: usize) -> Result<Vec<Entry>, ReadError> {
    let entry = |(position, bytes)| Entry::of(position, bytes).ok_or(ReadError::NotAnEvent { position });
    (from..).zip(journal.read(from, limit)?).map(entry).collect()
}
