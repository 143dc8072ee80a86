//! Time, ids and randomness: the only module that gets them from the operating system.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use plybook_events::{Hash, LogId, Timestamp};
use uuid::Uuid;

/// The current time, in UTC.
pub fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_millis(since.as_millis() as i64).expect("the clock is between 1970 and 9999")
}

/// The clock that dates a service's events: the system's, unless it is set back to record games in the past.
#[derive(Debug, Default)]
pub struct Clock {
    behind_ms: AtomicI64,
}

impl Clock {
    /// The current time according to this clock.
    pub fn now(&self) -> Timestamp {
        let millis = now().as_millis() - self.behind_ms.load(Ordering::Relaxed);
        Timestamp::from_millis(millis).expect("the clock is between 1970 and 9999")
    }

    /// Sets how far it lags behind the system clock, in milliseconds.
    pub fn set_behind_ms(&self, behind_ms: i64) {
        self.behind_ms.store(behind_ms, Ordering::Relaxed);
    }
}

/// A new id; later ids are greater.
pub fn new_id() -> LogId {
    LogId::from(Uuid::now_v7())
}

/// 32 random bytes from the operating system.
pub fn random() -> Hash {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
    Hash(bytes)
}
