//! An append on its way to the writer.

use std::collections::BTreeSet;
use std::sync::mpsc::Sender;

use plybook_events::chain::{Chain, ChainError};
use plybook_events::{AtText, LogId, RequestId};

use super::{Appended, Head, ReadError};
use crate::entry::Entry;

/// Events to append to a log.
#[derive(Clone, Debug)]
pub struct Append {
    /// The log.
    pub log: LogId,
    /// The head that the events follow; `None` for a new log.
    pub expected: Option<Head>,
    /// The exact bytes of the events, in order.
    pub events: Vec<Vec<u8>>,
}

/// Why nothing was appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The log has another head. Read what is new, decide again, and append after that head.
    #[error("the log has moved on")]
    Conflict {
        /// The log.
        log: LogId,
        /// The head of the log; `None` if the log does not exist.
        head: Option<Head>,
    },
    /// The events do not follow the expected head: a bug in the caller.
    #[error(transparent)]
    Invalid(#[from] ChainError),
    /// The request was carried out before. Answer with what it wrote.
    #[error("the request was carried out before")]
    Repeated,
    /// There are no events: a bug in the caller.
    #[error("an append has at least one event")]
    Empty,
    /// Two of the appends that are to be written together are to the same log: a bug in the caller.
    #[error("log {0} is appended to twice")]
    Twice(LogId),
    /// The append is larger than the journal takes at once. Nothing of it was written; split it.
    #[error("{bytes} bytes of events are more than the {max} that the journal takes at once")]
    TooLarge {
        /// What it takes, in bytes.
        bytes: usize,
        /// What is allowed, in bytes.
        max: usize,
    },
    /// The journal takes no events until it is reopened. Nothing of this append was written.
    #[error("the journal takes no events until it is restarted")]
    ReadOnly,
    /// What was recorded before cannot be read, of one of the logs or of the request. Nothing of this append was written.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The servers of the journal do not answer. Nothing of this append was written; try again later.
    #[error("the servers of the journal do not answer")]
    Away,
    /// Writing this append failed. It may or may not be in the journal; only reopening it tells, or, if others append
    /// to it too, waiting until its servers answer. Then read the log, or repeat the append, which writes nothing twice.
    #[error("writing failed: whether it was recorded is not known yet")]
    Unknown,
}

/// The caller that waits for appends written together. It is answered exactly once, even if this is dropped:
/// with [`AppendError::Unknown`] if the appends were being written, otherwise with [`AppendError::ReadOnly`].
pub(super) struct Waiter {
    /// Which of the caller's requests is answered.
    number: usize,
    /// `None` once it is answered.
    answers: Option<Sender<(usize, Answer)>>,
    is_written: bool,
}

/// The answers to appends that are written together, in their order.
pub(super) type Answer = Result<Vec<Appended>, AppendError>;

impl Waiter {
    pub(super) fn new(number: usize, answers: Sender<(usize, Answer)>) -> Self {
        Self { number, answers: Some(answers), is_written: false }
    }

    /// Notes whether the append may be in the journal by now.
    pub(super) fn set_written(&mut self, is_written: bool) {
        self.is_written = is_written;
    }

    pub(super) fn answer(mut self, answer: Answer) {
        self.tell(answer);
    }

    fn tell(&mut self, answer: Answer) {
        if let Some(answers) = self.answers.take() {
            // Nobody is left to hear it only if the caller panicked.
            let _ = answers.send((self.number, answer));
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.tell(Err(if self.is_written { AppendError::Unknown } else { AppendError::ReadOnly }));
    }
}

/// Appends that are written together, all or none, each to a different log.
pub(super) struct Request {
    /// At least one.
    pub parts: Vec<Part>,
    /// What may be written only once.
    pub once: Option<RequestId>,
    pub waiter: Waiter,
}

/// An append whose events follow the head it names.
pub(super) struct Part {
    pub log: LogId,
    pub expected: Option<Head>,
    /// At least one; their positions are not known yet.
    pub entries: Vec<Entry>,
}

impl Request {
    /// The appends, if their events follow the heads they name; otherwise answers.
    pub(super) fn check(appends: &[Append], once: Option<RequestId>, waiter: Waiter) -> Option<Self> {
        match parts(appends) {
            Ok(parts) => Some(Self { parts, once, waiter }),
            Err(why) => {
                waiter.answer(Err(why));
                None
            }
        }
    }

    /// The events, in order.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.parts.iter().flat_map(|part| &part.entries)
    }

    /// What its events take in an append, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.entries().map(|entry| entry.bytes.len() + 1).sum()
    }
}

impl Part {
    /// The time of the first event.
    pub(super) fn at(&self) -> AtText {
        self.entries[0].at()
    }
}

fn parts(appends: &[Append]) -> Result<Vec<Part>, AppendError> {
    if appends.is_empty() {
        return Err(AppendError::Empty);
    }
    let mut logs = BTreeSet::new();
    if let Some(twice) = appends.iter().find(|append| !logs.insert(append.log)) {
        return Err(AppendError::Twice(twice.log));
    }
    let part = |append: &Append| Ok(Part { log: append.log, expected: append.expected, entries: entries(append)? });
    appends.iter().map(part).collect()
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
