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
use crate::event_sum::EventSum;

/// Keeps the ids of appends apart from other hashes.
const DOMAIN: &[u8] = b"plybook/append/v1\0";

/// The header with the position of the first event, a decimal number.
pub(super) const POSITION: &str = "Plybook-Position";

/// The header with the id.
pub(super) const ID: &str = "Nats-Msg-Id";

/// How the line begins with which a stream continues an archive; no event begins so.
const CONTINUES: &str = "#plybook-stream 1 ";

/// What a stream continues: the events that are in its archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Continuation {
    /// Their number and their sum.
    pub events: EventSum,
    /// The name of the first stream that held some of them, which is in the names of what nodes share.
    pub first: String,
}

/// The events of one append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The position of the first event.
    pub position: u64,
    /// The events, each followed by a line feed; at least one, or the line of a [`Continuation`].
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

    /// The first message of a stream that continues an archive.
    pub(super) fn of_continuation(Continuation { events, first }: &Continuation) -> Self {
        let payload = format!("{CONTINUES}{} {:032x} {first}\n", events.position, events.sum).into_bytes();
        Self { position: events.position, id: id(events.position, &payload), payload: payload.into() }
    }

    /// What the stream continues that begins with this message; `None` if it continues nothing.
    pub(super) fn continuation(&self) -> Option<Continuation> {
        let line = str::from_utf8(&self.payload).ok()?.strip_suffix('\n')?.strip_prefix(CONTINUES)?;
        let [position, sum, first] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let events = EventSum { position: position.parse().ok()?, sum: u128::from_str_radix(sum, 16).ok()? };
        (events.position == self.position).then(|| Continuation { events, first: first.to_owned() })
    }

    /// Whether it has no events.
    fn is_continuation(&self) -> bool {
        self.payload.starts_with(CONTINUES.as_bytes())
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
        let lines = self.payload[..self.payload.len() - 1].split(|b| *b == b'\n');
        lines.skip(self.is_continuation().into())
    }

    /// The position after its last event.
    pub(super) fn next(&self) -> u64 {
        let lines = self.payload.iter().filter(|b| **b == b'\n').count() as u64;
        self.position.saturating_add(lines - u64::from(self.is_continuation()))
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
    fn what_a_stream_continues_reads_back_and_is_no_event() {
        let events = EventSum { position: 1_000, sum: 1 << 100 };
        let continuation = Continuation { events, first: "games".to_owned() };
        let message = Message::of_continuation(&continuation);
        assert_eq!((message.position, message.next(), message.events().count()), (1_000, 1_000, 0));
        let read = Message::read(Some("1000"), Some(&message.id), message.payload).unwrap();
        assert_eq!(read.continuation(), Some(continuation));
        assert_eq!(self::message().continuation(), None);
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
