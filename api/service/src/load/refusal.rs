//! Why work is refused or stopped, and what clients are told.

use std::time::Duration;

use serde_json::{Value, json};

/// When a client that has too many operations waiting may retry, in milliseconds.
const CROWDED_MS: u64 = 1_000;

/// When a client that got no share of a pool may retry, in milliseconds.
const POOL_MS: u64 = 2_000;

/// Why work is not begun, or not continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The operation may cost too much. Ask for less, or split the request.
    #[error("the operation may cost {cost} units, and {limit} are allowed: ask for less at a time")]
    TooDear {
        /// What it costs at most, in units.
        cost: u64,
        /// What one operation may cost.
        limit: u64,
    },
    /// The answer is too large. Ask for less, or split the request.
    #[error("the answer would have more than {limit} bytes: ask for less at a time")]
    TooLarge {
        /// The bytes so far.
        cost: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// The operation takes too long. Ask for less, or split the request.
    #[error("the operation takes more than {limit} ms of CPU time: ask for less at a time")]
    TooLong {
        /// The CPU time used, in milliseconds.
        cost: u64,
        /// The CPU time allowed, in milliseconds.
        limit: u64,
    },
    /// Retry later.
    #[error("you have used up your share: retry in {} s", retry_after_ms.div_ceil(1_000))]
    BudgetSpent {
        /// When the budget will cover it.
        retry_after_ms: u64,
    },
    /// Wait for some of the answers, and retry later.
    #[error("{waiting} of your operations are waiting already: send fewer at once")]
    Crowded {
        /// The number of the client's operations that wait.
        waiting: usize,
    },
    /// The client holds as much of a pool as it may. Release something, or retry later.
    #[error("you have as many {what} as one client may have: {limit}")]
    ShareHeld {
        /// What there is a pool of.
        what: &'static str,
        /// The most that one client may hold.
        limit: u64,
    },
    /// All clients together hold the whole pool. Retry later.
    #[error("the service has no more {what} to give at the moment")]
    PoolEmpty {
        /// What there is a pool of.
        what: &'static str,
    },
}

impl LoadError {
    pub(super) fn too_long(used: Duration, limit: Duration) -> Self {
        Self::TooLong { cost: used.as_millis() as u64, limit: limit.as_millis() as u64 }
    }

    /// When a retry may succeed, in milliseconds; `None` if never.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match *self {
            Self::TooDear { .. } | Self::TooLarge { .. } | Self::TooLong { .. } => None,
            Self::BudgetSpent { retry_after_ms } => Some(retry_after_ms),
            Self::Crowded { .. } => Some(CROWDED_MS),
            Self::ShareHeld { .. } | Self::PoolEmpty { .. } => Some(POOL_MS),
        }
    }

    /// The code in `extensions.code`.
    pub fn code(&self) -> &'static str {
        if self.retry_after_ms().is_some() { "RATE_LIMITED" } else { "TOO_COMPLEX" }
    }

    /// What a client needs in order to adapt, without the code.
    pub fn details(&self) -> Vec<(&'static str, Value)> {
        match *self {
            Self::TooDear { cost, limit } | Self::TooLarge { cost, limit } | Self::TooLong { cost, limit } => {
                vec![("cost", json!(cost)), ("limit", json!(limit))]
            }
            _ => vec![("retryAfterMs", json!(self.retry_after_ms()))],
        }
    }
}
