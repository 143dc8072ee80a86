//! Recorded events.

use async_graphql::connection::{Connection, Edge, EmptyFields};
use async_graphql::{Context, SimpleObject};
use plybook_events::{Event as LogEvent, Hash, LogId};
use plybook_service::error::Problem;

use super::connection::{Page, Total};
use super::scalar::{DateTime, HashHex, Json, SignatureHex};
use super::{service, spend};

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
    /// The person who caused it, as the service that recorded it knew them: a role and the id of an access token, such
    /// as `arbiter:1a2b3c4d`, or `operator`. Null if it follows from another event, or nobody is known.
    who: Option<String>,
    /// The key that signed it, and the signature. Null if nobody did.
    signature: Option<SignatureHex>,
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
            who: event.who.map(|who| who.to_string()),
            signature: event.signature.map(SignatureHex),
            type_name: event.body.type_name().to_owned(),
            body: Json::of(&event.body_json()),
            hash: HashHex(Hash::of_event(bytes)),
            prev: HashHex(event.prev),
            bytes: String::from_utf8_lossy(bytes).into_owned(),
        })
    }
}

/// A page of the first `count` events of a log.
///
/// # Errors
/// The page is invalid, the log cannot be read, or the answer becomes too large.
pub fn list_events(ctx: &Context<'_>, log: LogId, count: u64, page: &Page) -> Result<EventPage, Problem> {
    let seqs: Vec<u64> = (0..count).collect();
    let range = page.range(&seqs, |seq| *seq)?;
    let total = Total { total_count: count };
    let mut events = EventPage::with_additional_fields(range.start > 0, range.end < seqs.len(), total);
    if !range.is_empty() {
        let lines = service(ctx).log().read_page(log, range.start as u64, range.len(), usize::MAX)?;
        for (seq, bytes) in range.zip(&lines) {
            // The answer contains the event twice, as bytes and as members.
            spend(ctx, 2 * bytes.len())?;
            events.edges.push(Edge::new(seq as u64, Event::read(bytes)?));
        }
    }
    Ok(events)
}
