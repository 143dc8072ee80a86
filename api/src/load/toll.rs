//! How operations pay: their admission, and what clients are told if they are refused.

use std::sync::Arc;

use async_graphql::extensions::ExtensionContext;
use async_graphql::{ErrorExtensionValues, ServerError};

use super::limits::LoadLimits;
use super::ticket::{AdmissionError, Overspent, Ticket};

/// Makes an operation that is valid wait for its turn, now that its price is known, if its request has a [`Ticket`].
/// Without one, it is executed at once, within the default limit for one operation.
///
/// # Errors
/// As for [`Ticket::admit`].
pub async fn admit(ctx: &ExtensionContext<'_>, price: u64) -> Result<(), AdmissionError> {
    let limit = u64::from(LoadLimits::default().operation_units);
    match ctx.data_opt::<Arc<Ticket>>() {
        Some(ticket) => ticket.admit(price).await,
        None if price > limit => Err(AdmissionError::TooDear { price, limit }),
        None => Ok(()),
    }
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

    /// Adds what a client needs in order to adapt.
    pub fn describe(&self, more: &mut ErrorExtensionValues) {
        more.set("code", self.code());
        match *self {
            Self::TooDear { price, limit } => {
                more.set("cost", price);
                more.set("limit", limit);
            }
            Self::BudgetSpent { retry_after_ms } | Self::Crowded { retry_after_ms, .. } => {
                more.set("retryAfterMs", retry_after_ms);
            }
        }
    }
}

impl Overspent {
    /// Adds the cost so far, and the limit.
    pub fn describe(&self, more: &mut ErrorExtensionValues) {
        more.set("code", "TOO_COMPLEX");
        if let Self::Bytes { cost, limit } | Self::Cpu { cost, limit } = *self {
            more.set("cost", cost);
            more.set("limit", limit);
        }
    }
}

impl From<AdmissionError> for ServerError {
    fn from(why: AdmissionError) -> Self {
        let mut error = Self::new(why.to_string(), None);
        why.describe(error.extensions.get_or_insert_default());
        error
    }
}
