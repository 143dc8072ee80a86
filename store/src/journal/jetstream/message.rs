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
pub(super) const POSITION: &str = "Plybook-Position";

/// The header with the id.
pub(super) const ID: &str = "Nats-Msg-Id";

/// The events of one append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The position of the first event.
    pub position: u64,
    /// The events, each followed by a line feed; at least one.
    pub payload: Bytes,
    /// The hash of both, in hex.
    pub id: String,
}

impl Message {
    pub(super) fn new(position: u64, events: &[EventBytes]) -> Self {
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
    pub(super) fn read(position: Option<&str>, id_header: Option<&str>, payload: Bytes) -> Result<Self, &'static str> {
        let position = position.and_then(|text| text.parse().ok()).ok_or("it does not say its position")?;
        let id = id(position, &payload);
        if id_header != Some(id.as_str()) || payload.last() != Some(&b'\n') {
            return Err("it differs from what was written");
        }
        Ok(Self { position, payload, id })
    }

    /// The headers with which it becomes the message after `last`, or none at all.
    pub(super) fn headers(&self, stream: &str, last: u64) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_STREAM, stream);
        headers.insert(NATS_EXPECTED_LAST_SEQUENCE, last.to_string());
        headers.insert(NATS_MESSAGE_ID, self.id.as_str());
        headers.insert(POSITION, self.position.to_string());
        headers
    }

    /// The exact bytes of its events.
    pub(super) fn events(&self) -> impl Iterator<Item = &[u8]> {
        self.payload[..self.payload.len() - 1].split(|b| *b == b'\n')
    }

    /// The position after its last event.
    pub(super) fn next(&self) -> u64 {
        self.position.saturating_add(self.payload.iter().filter(|b| **b == b'\n').count() as u64)
    }
}

fn id(position: u64, payload: &[u8]) -> String {
    Hash::of_parts(&[DOMAIN, &position.to_be_bytes(), payload]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message::new(7, &[b"{\"at\":\"1\"}".as_slice().into(), b"{\"at\":\"2\"}".as_slice().into()])
    }

    #[test]
    fn a_message_reads_back() {
        let message = message();
        let read = Message::read(Some("7"), Some(&message.id), message.payload.clone()).unwrap();
        assert_eq!(read, message);
        assert_eq!(read.events().collect::<Vec<_>>(), [b"{\"at\":\"1\"}", b"{\"at\":\"2\"}"]);
        assert_eq!((read.next(), &message.id[..16]), (9, "59ec9f9f6e0b67e9"));
    }

    #[test]
    fn no_changed_bit_and_no_other_position_is_accepted() {
        let message = message();
        for at in 0..message.payload.len() {
            for bit in 0..8 {
                let mut changed = message.payload.to_vec();
                changed[at] ^= 1 << bit;
                assert!(Message::read(Some("7"), Some(&message.id), changed.into()).is_err(), "byte {at} bit {bit}");
            }
        }
        for (position, id) in [(Some("8"), Some(&*message.id)), (None, Some(&*message.id)), (Some("7"), None)] {
            assert!(Message::read(position, id, message.payload.clone()).is_err(), "{position:?}, {id:?}");
        }
    }
}
