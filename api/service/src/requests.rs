//! Requests with a key: each is carried out once, however often it is sent.
//!
//! The last event that such a request writes to the log that it is about carries the id of the request. The store refuses a
//! second one with the same key, after a crash and between processes too.

use std::sync::atomic::Ordering;

use plybook_events::{Body, Event, Hash, LogId, RequestId};
use plybook_store::{Append, AppendError, Appended};

use super::Service;
use crate::error::Problem;

/// What a request with a key has written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The log that the request was about.
    pub log: LogId,
    /// The seq of the last event that it wrote there.
    pub seq: u64,
}

impl Service {
    /// What a client has written with a key, whatever the request was; `None` if nothing.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn written_with(&self, client: &Hash, key: &str) -> Result<Option<Written>, Problem> {
        Ok(self.event_of(&RequestId::new(client, key, &[]))?.map(|event| written(&event)))
    }

    /// What a request has written; `None` if it has not written anything.
    ///
    /// # Errors
    /// Another request had the key, or the log cannot be read.
    pub fn written(&self, request: &RequestId) -> Result<Option<Written>, Problem> {
        let Some(event) = self.event_of(request)? else { return Ok(None) };
        if event.request.is_some_and(|first| first.content != request.content) {
            return Err(Problem::BadInput(
                "`idempotencyKey`: another request was carried out with this key; every request needs a new key"
                    .to_owned(),
            ));
        }
        // It can be read before the read models have seen it; the answer is what it has changed.
        self.models().catch_up(self.log().len());
        Ok(Some(written(&event)))
    }

    fn event_of(&self, request: &RequestId) -> Result<Option<Event>, Problem> {
        let Some(entry) = self.log().written_by(request)? else { return Ok(None) };
        Event::parse(&entry.bytes).map(Some).map_err(Problem::internal)
    }

    /// The request that this service carries out, until it has written something.
    pub(super) fn request(&self) -> Option<RequestId> {
        self.context.request.filter(|_| !self.has_written.load(Ordering::Relaxed))
    }

    /// Has the last of these events to a log carry the id of the request that is carried out, if there is one. Its hash is
    /// another then.
    pub(super) fn note_request(&self, events: &mut [Vec<u8>]) -> Result<(), Problem> {
        if let (Some(request), Some(last)) = (self.request(), events.last_mut()) {
            let event = Event { request: Some(request), ..Event::parse(last).map_err(Problem::internal)? };
            *last = event.to_bytes().map_err(|why| Problem::BadInput(why.to_string()))?;
        }
        Ok(())
    }

    /// Appends to several logs, all or none. If the request that is carried out has a key, the last event that goes to
    /// `about`, the log that the request is about, carries its id. The answers are in the order of the appends.
    pub(super) fn append(&self, about: LogId, mut appends: Vec<Append>) -> Result<Vec<Appended>, Problem> {
        if let Some(append) = appends.iter_mut().find(|append| append.log == about) {
            self.note_request(&mut append.events)?;
        }
        Ok(self.append_noted(&appends)?)
    }

    /// The same, where the [request is noted](Self::note_request).
    pub(super) fn append_noted(&self, appends: &[Append]) -> Result<Vec<Appended>, AppendError> {
        let Some(request) = self.request() else { return self.log().append_together(appends) };
        let appended = self.log().append_once(request, appends)?;
        self.has_written.store(true, Ordering::Relaxed);
        Ok(appended)
    }
}

/// What an event says that its request has written. The events of an import keep their bytes: their mark tells.
fn written(event: &Event) -> Written {
    match &event.body {
        Body::Imported(imported) => Written { log: imported.log, seq: imported.last },
        _ => Written { log: event.log, seq: event.seq },
    }
}
