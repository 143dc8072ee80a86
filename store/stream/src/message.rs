//! One append as a message.
//!
//! The payload is the events, each followed by a line feed, as in the text of a file. `Plybook-Position` is the position of the
//! first event, and `Nats-Msg-Id` the hash of position and payload, so that the servers know an append that is sent again, and
//! a reader one that was changed.

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

/// The events of one append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// The position of the first event.
    pub position: u64,
    /// The events, each followed by a line feed; at least one.
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
        self.payload[..self.payload.len() - 1].split(|b| *b == b'\n')
    }

    /// The position after its last event.
    pub(crate) fn next(&self) -> u64 {
        let lines = self.payload.iter().filter(|b| **b == b'\n').count() as u64;
        self.position.saturating_add(lines)
    }
}

fn id(position: u64, payload: &[u8]) -> String {
    Hash::of_parts(&[DOMAIN, &position.to_be_bytes(), payload]).to_string()
}

#[cfg(test)]
mod tests;
