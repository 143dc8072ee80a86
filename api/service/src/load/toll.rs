//! What clients are told if their work is refused.

use serde_json::{Value, json};

use super::ticket::{AdmissionError, Overspent};

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
            Self::BudgetSpent { retry_after_ms } | Self::Crowded { retry_after_ms, .. } => {
                vec![("retryAfterMs", json!(retry_after_ms))]
            }
        }
    }
}

impl Overspent {
    /// The cost so far, and the limit.
    pub fn details(&self) -> Vec<(&'static str, Value)> {
        match *self {
            Self::Bytes { cost, limit } | Self::Cpu { cost, limit } => {
                vec![("cost", json!(cost)), ("limit", json!(limit))]
            }
            Self::Lane => Vec::new(),
        }
    }
}
