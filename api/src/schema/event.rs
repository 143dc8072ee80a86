//! Recorded events.

use async_graphql::SimpleObject;
use async_graphql::connection::{Connection, EmptyFields};
use plybook_events::{Event as LogEvent, Hash};

use super::connection::Total;
use super::scalar::{DateTime, HashHex, Json};
use crate::error::Problem;

/// A page of a log.
pub type EventPage = Connection<u64, Event, Total, EmptyFields>;

/// A recorded event.
#[derive(SimpleObject)]
pub struct Event {
    /// Its index in the log, from 0.
    seq: u64,
    /// When it was recorded.
    at: DateTime,
    /// Who did it: `seat:N`, `chance`, `arbiter` or `service`.
    by: String,
    /// What happened: `created`, `acted`, `taken_back` and so on.
    #[graphql(name = "type")]
    type_name: String,
    /// What it records.
    body: Json,
    /// SHA-256 of `plybook/event/v1`, a zero byte, and `bytes`.
    hash: HashHex,
    /// The hash of the previous event.
    prev: HashHex,
    /// The exact bytes that are hashed.
    bytes: String,
}

impl Event {
    /// Reads an event of a log from the bytes in the store.
    ///
    /// # Errors
    /// The bytes are not an event.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let event = LogEvent::parse(bytes).map_err(Problem::internal)?;
        Ok(Self {
            seq: event.seq,
            at: DateTime(event.at),
            by: event.by.to_string(),
            type_name: event.body.type_name().to_owned(),
            body: Json::of(&event.body_json()),
            hash: HashHex(Hash::of_event(bytes)),
            prev: HashHex(event.prev),
            bytes: String::from_utf8_lossy(bytes).into_owned(),
        })
    }
}
