//! An append on its way to the writer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use plybook_events::chain::{Chain, ChainError};
use plybook_events::{AtText, LogId};

use super::{Appended, Head};
use crate::Entry;

/// Events to append to a log.
#[derive(Clone, Debug)]
pub struct Append {
    /// The log.
    pub log: LogId,
    /// The head that the events follow; nothing for a new log.
    pub expected: Option<Head>,
    /// The exact bytes of the events, in order.
    pub events: Vec<Vec<u8>>,
}

/// Why nothing was appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The log has another head. Read what is new, decide again, and append after this head.
    #[error("the log has moved on")]
    Conflict {
        /// The head it has; nothing if it does not exist.
        head: Option<Head>,
    },
    /// The events do not follow the expected head: a bug in the caller.
    #[error(transparent)]
    Invalid(#[from] ChainError),
    /// There are no events: a bug in the caller.
    #[error("an append has at least one event")]
    Empty,
    /// The journal takes no events until it is reopened. Nothing of this append was written.
    #[error("the journal takes no events until it is restarted")]
    ReadOnly,
    /// Writing this append failed. It may or may not be on disk; only reopening the journal shows which.
    /// Read the log then, or repeat the append, which writes nothing twice.
    #[error("writing failed: whether it was recorded is not known until the journal is restarted")]
    Unknown,
}

/// The caller waiting for an append. It is answered exactly once, even if this is dropped: with
/// [`AppendError::Unknown`] if the append was being written, otherwise with [`AppendError::ReadOnly`].
pub(super) struct Waiter {
    done: Option<Done>,
    is_written: bool,
}

type Done = Box<dyn FnOnce(Result<Appended, AppendError>) + Send>;

impl Waiter {
    fn new(done: impl FnOnce(Result<Appended, AppendError>) + Send + 'static) -> Self {
        Self { done: Some(Box::new(done)), is_written: false }
    }

    /// Notes that the append is about to be written.
    pub(super) fn begin_writing(&mut self) {
        self.is_written = true;
    }

    pub(super) fn answer(mut self, answer: Result<Appended, AppendError>) {
        self.tell(answer);
    }

    /// Calls back. A panic in the callback does not stop anybody else's append.
    fn tell(&mut self, answer: Result<Appended, AppendError>) {
        if let Some(done) = self.done.take()
            && catch_unwind(AssertUnwindSafe(|| done(answer))).is_err()
        {
            tracing::error!("the callback of an append panicked");
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.tell(Err(if self.is_written { AppendError::Unknown } else { AppendError::ReadOnly }));
    }
}

/// An append whose events follow the head it names.
pub(super) struct Request {
    pub log: LogId,
    pub expected: Option<Head>,
    /// At least one; their positions are not known yet.
    pub entries: Vec<Entry>,
    pub waiter: Waiter,
}

impl Request {
    /// An append, if its events follow the head it names; else calls `done`.
    pub(super) fn check(
        append: &Append,
        done: impl FnOnce(Result<Appended, AppendError>) + Send + 'static,
    ) -> Option<Self> {
        match entries(append) {
            Ok(entries) => {
                let waiter = Waiter::new(done);
                Some(Self { log: append.log, expected: append.expected, entries, waiter })
            }
            Err(why) => {
                done(Err(why));
                None
            }
        }
    }

    /// When the first event was recorded.
    pub(super) fn at(&self) -> AtText {
        self.entries[0].at()
    }
}

fn entries(append: &Append) -> Result<Vec<Entry>, AppendError> {
    if append.events.is_empty() {
        return Err(AppendError::Empty);
    }
    let log = append.log;
    let mut chain = match append.expected {
        Some(head) => Chain::after(log, head.seq, head.hash),
        None => Chain::new(log),
    };
    let first = chain.len();
    let entry = |(seq, bytes): (u64, &Vec<u8>)| {
        let hash = chain.check(bytes)?;
        Ok(Entry { position: 0, log, seq, hash, bytes: bytes.as_slice().into() })
    };
    (first..).zip(&append.events).map(entry).collect()
}
