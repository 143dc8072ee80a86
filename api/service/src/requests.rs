//! Requests with a key: each is carried out once, however often it is sent.
//!
//! What such a request writes is written together with a receipt, all or nothing. The receipt is the only event of a
//! log whose id follows from the key, so the store refuses a second one, after a crash and between processes too. It
//! is never served or exported.

use std::cell::Cell;

use plybook_events::body::Received;
use plybook_events::{Body, By, Event, Hash, LogId};
use plybook_store::{Append, AppendError, Appended};

use super::Service;
use crate::error::Problem;

/// A request with a key.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    receipt: LogId,
    hash: Hash,
}

thread_local! {
    /// The request that this thread carries out, until its receipt is written. Writing takes no `await`, so it begins
    /// and ends on one thread; between the two lie dozens of functions that the key does not concern.
    static CURRENT: Cell<Option<Request>> = const { Cell::new(None) };
}

/// Puts back what was current, after a panic too.
struct Restore(Option<Request>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

impl Request {
    /// The request of a client with this key. `content` is what it asks for.
    pub fn new(client: &Hash, key: &str, content: &[u8]) -> Self {
        let receipt = Hash::of_parts(&[b"plybook/receipt/v1\0", &client.0, key.as_bytes()]);
        let hash = Hash::of_parts(&[b"plybook/request/v1\0", &client.0, key.as_bytes(), b"\0", content]);
        Self { receipt: LogId::from_hash(&receipt), hash }
    }

    /// The request that this thread carries out.
    pub(super) fn current() -> Option<Self> {
        CURRENT.get()
    }

    /// Does what a request asks for. The first thing that is written meanwhile is written with its receipt.
    pub fn carry_out<T>(request: Option<Self>, change: impl FnOnce() -> T) -> T {
        let _restore = Restore(CURRENT.replace(request));
        change()
    }
}

impl Service {
    /// What a client has written with a key, whatever the request was; `None` if nothing.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn written_with(&self, client: &Hash, key: &str) -> Result<Option<Received>, Problem> {
        self.received(Request::new(client, key, &[]).receipt)
    }

    /// The receipt of a request; `None` if it has not written anything.
    ///
    /// # Errors
    /// Another request had the key, or the log cannot be read.
    pub fn receipt(&self, request: &Request) -> Result<Option<Received>, Problem> {
        match self.received(request.receipt)? {
            Some(received) if received.request != request.hash => Err(Problem::BadInput(
                "`idempotencyKey`: another request was carried out with this key; every request needs a new key"
                    .to_owned(),
            )),
            Some(received) => {
                // It can be read before the read models have seen it; the answer is what it has changed.
                self.models().catch_up(self.log().len());
                Ok(Some(received))
            }
            None => Ok(None),
        }
    }

    fn received(&self, receipt: LogId) -> Result<Option<Received>, Problem> {
        let Some(bytes) = self.log().read(receipt, 0)?.into_iter().next() else { return Ok(None) };
        match Event::parse(&bytes).map_err(Problem::internal)?.body {
            Body::Received(received) => Ok(Some(received)),
            _ => Err(Problem::internal("a receipt is another event")),
        }
    }

    /// Appends to several logs, all or none, and with them the receipt of the request that is carried out, if it has
    /// a key. `about` is the log that the request is about. The answers are in the order of the appends.
    pub(super) fn append(&self, about: LogId, appends: Vec<Append>) -> Result<Vec<Appended>, AppendError> {
        let Some(request) = CURRENT.get() else { return self.log().append_together(&appends) };
        let mut all = appends;
        let last = all.iter().find(|append| append.log == about).map_or(0, |append| {
            let next = append.expected.map_or(0, |head| head.seq() + 1);
            next + append.events.len() as u64 - 1
        });
        all.push(self.receipt_of(request, about, last));
        let mut appended = self.log().append_together(&all)?;
        appended.pop();
        CURRENT.set(None);
        Ok(appended)
    }

    fn receipt_of(&self, request: Request, log: LogId, seq: u64) -> Append {
        let body = Body::Received(Received { request: request.hash, log, seq });
        let event = Event {
            at: self.clock().now(),
            by: By::Service,
            log: request.receipt,
            prev: Hash::ZERO,
            seq: 0,
            body,
            who: None,
            signature: None,
        };
        let bytes = event.to_bytes().expect("a receipt is short and plain");
        Append { log: request.receipt, expected: None, events: vec![bytes] }
    }
}
