//! Time, ids and randomness: the only place that asks the machine for them.

use std::time::{SystemTime, UNIX_EPOCH};

use plybook_events::{Hash, LogId, Timestamp};
use uuid::Uuid;

/// The time now, in UTC.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(since.as_millis() as i64).expect("the clock is between 1970 and 9999")
}

/// An id that no log has yet; later ids are greater.
pub(crate) fn new_id() -> LogId {
    LogId::from(Uuid::now_v7())
}

/// 32 random bytes from the operating system.
pub(crate) fn random() -> Hash {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    Hash(bytes)
}
