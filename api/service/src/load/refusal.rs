//! Why work is refused or stopped, and what clients are told.

use std::time::Duration;

use serde_json::{Value, json};

/// Why a request is not executed, or not continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// Ask for less, or split the request.
    #[error("the operation may cost {price} units, and {limit} are allowed: ask for less at a time")]
    TooDear {
        /// What it costs at most.
        price: u64,
        /// What one operation may cost.
        limit: u64,
    },
    /// Retry later.
    #[error("you have used up your share: retry in {} s", retry_after_ms.div_ceil(1_000))]
    BudgetSpent {
        /// When the budget will cover it.
        retry_after_ms: u64,
    },
    /// Wait for some of the answers.
    #[error("{waiting} of your operations are waiting already: send fewer at once")]
    Crowded {
        /// The number of the client's operations that wait.
        waiting: usize,
        /// When there may be room.
        retry_after_ms: u64,
    },
}

/// What an operation has used too much of. Ask for less, or split the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Overspent {
    /// The answer is too large.
    #[error("the answer would have more than {limit} bytes: ask for less at a time")]
    Bytes {
        /// The bytes so far.
        cost: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// The operation takes too long.
    #[error("the operation takes more than {limit} ms of CPU time: ask for less at a time")]
    Cpu {
        /// The CPU time used, in milliseconds.
        cost: u64,
        /// The CPU time allowed, in milliseconds.
        limit: u64,
    },
}

impl AdmissionError {
    /// When a retry may succeed, in milliseconds; 0 if never.
    pub fn retry_after_ms(&self) -> u64 {
        match *self {
            Self::TooDear { .. } => 0,
            Self::BudgetSpent { retry_after_ms } | Self::Crowded { retry_after_ms, .. } => retry_after_ms,
        }
    }

    /// The code in `extensions.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooDear { .. } => "TOO_COMPLEX",
            Self::BudgetSpent { .. } | Self::Crowded { .. } => "RATE_LIMITED",
        }
    }

    /// What a client needs in order to adapt, without the code.
    pub fn details(&self) -> Vec<(&'static str, Value)> {
        match *self {
            Self::TooDear { price, limit } => vec![("cost", json!(price)), ("limit", json!(limit))],
            _ => vec![("retryAfterMs", json!(self.retry_after_ms()))],
        }
    }
}

impl Overspent {
    pub(super) fn cpu(used: Duration, limit: Duration) -> Self {
        Self::Cpu { cost: used.as_millis() as u64, limit: limit.as_millis() as u64 }
    }

    /// The cost so far, and the limit.
    pub fn details(&self) -> Vec<(&'static str, Value)> {
        let (Self::Bytes { cost, limit } | Self::Cpu { cost, limit }) = *self;
        vec![("cost", json!(cost)), ("limit", json!(limit))]
    }
}
