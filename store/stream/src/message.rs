//! One append as a message.
//!
//! The payload is the events, each followed by a line feed, as in the text of a file. `Plybook-Position` is the position of the
//! first event, and `Nats-Msg-Id` the hash of position and payload, so that the servers know an append that is sent again, and
//! a reader one that was changed. The first message of a stream that continues an archive has no events, and one line that says so
//! ([`Continuation`]).

use async_nats::HeaderMap;
use async_nats::header::{NATS_EXPECTED_LAST_SEQUENCE, NATS_EXPECTED_STREAM, NATS_MESSAGE_ID};
use bytes::Bytes;
use plybook_events::Hash;

use crate::EventBytes;

/// Keeps the ids of appends apart from other hashes.
const DOMAIN: &[u8] = b"plybook/append/v1\0";

/// The header with the position of the first event, a decimal number.
pub const POSITION: &str = "Plybook-Position";

/// The header with the id.
pub const ID: &str = "Nats-Msg-Id";

/// How the line begins with which a stream continues an archive; no event begins so.
const CONTINUES: &str = "#plybook-stream 1 ";

/// What a stream continues: the events that are in its archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Continuation {
    /// Their number.
    pub events: u64,
    /// The hash of the last of them.
    pub last: Hash,
    /// The name of the first stream that held some of them, which is in the names of what nodes share.
    pub first: String,
}

/// The events of one append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The position of the first event.
    pub position: u64,
    /// The events, each followed by a line feed; at least one, or the line of a [`Continuation`].
    pub payload: Bytes,
    /// The hash of both, in hex.
    pub id: String,
}

impl Message {
    pub(crate) fn new(position: u64, events: &[EventBytes]) -> Self {
        let mut payload = Vec::with_capacity(events.iter().map(|event| event.len() + 1).sum());
        for event in events {
            payload.extend_from_slice(event);
            payload.push(b'\n');
        }
        let id = id(position, &payload);
        Self { position, payload: payload.into(), id }
    }

    /// The first message of a stream that continues an archive.
    pub(crate) fn of_continuation(Continuation { events, last, first }: &Continuation) -> Self {
        let payload = format!("{CONTINUES}{events} {last} {first}\n").into_bytes();
        Self { position: *events, id: id(*events, &payload), payload: payload.into() }
    }

    /// What the stream continues that begins with this message; `None` if it continues nothing.
    pub(crate) fn continuation(&self) -> Option<Continuation> {
        let line = str::from_utf8(&self.payload).ok()?.strip_suffix('\n')?.strip_prefix(CONTINUES)?;
        let [events, last, first] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let (events, last) = (events.parse().ok()?, last.parse().ok()?);
        (events == self.position).then(|| Continuation { events, last, first: first.to_owned() })
    }

    /// Whether it has no events.
    fn is_continuation(&self) -> bool {
        self.payload.starts_with(CONTINUES.as_bytes())
    }

    /// Reads a stored message.
    ///
    /// # Errors
    /// It is no append, or was changed; says what is wrong.
    pub(crate) fn read(position: Option<&str>, id_header: Option<&str>, payload: Bytes) -> Result<Self, &'static str> {
        let position = position.and_then(|text| text.parse().ok()).ok_or("it does not say its position")?;
        let id = id(position, &payload);
        if id_header != Some(id.as_str()) || payload.last() != Some(&b'\n') {
            return Err("it differs from what was written");
        }
        Ok(Self { position, payload, id })
    }

    /// The headers with which it becomes the message after `last`, or none at all.
    pub(crate) fn headers(&self, stream: &str, last: u64) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_STREAM, stream);
        headers.insert(NATS_EXPECTED_LAST_SEQUENCE, last.to_string());
        headers.insert(NATS_MESSAGE_ID, self.id.as_str());
        headers.insert(POSITION, self.position.to_string());
        headers
    }

    /// The exact bytes of its events.
    pub(crate) fn events(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.payload[..self.payload.len() - 1].split(|b| *b == b'\n');
        lines.skip(self.is_continuation().into())
    }

    /// The position after its last event.
    pub(crate) fn next(&self) -> u64 {
        let lines = self.payload.iter().filter(|b| **b == b'\n').count() as u64;
        self.position.saturating_add(lines - u64::from(self.is_continuation()))
    }
}

fn id(position: u64, payload: &[u8]) -> String {
    Hash::of_parts(&[DOMAIN, &position.to_be_bytes(), payload]).to_string()
}

#[cfg(test)]
mod tests;
