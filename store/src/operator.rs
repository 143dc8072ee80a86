//! What the journal says about acts of the operator: each is the only event of a log of its own.

use std::time::{SystemTime, UNIX_EPOCH};

use plybook_events::{Body, By, Event, Hash, LogId, Timestamp, Who};

/// The present moment.
pub(crate) fn now() -> Timestamp {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(since_epoch.as_millis() as i64).unwrap_or(Timestamp::MAX)
}

/// The event that states such an act.
pub(crate) fn statement(log: LogId, at: Timestamp, body: Body) -> Event {
    let (by, who) = (By::Service, Some(Who::Operator));
    Event { at, by, log, prev: Hash::ZERO, seq: 0, body, who, signature: None, request: None }
}
