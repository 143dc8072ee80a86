//! The schema extension that makes operations pay.

use std::sync::Arc;

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextValidation};
use async_graphql::{ErrorExtensionValues, ServerError, ValidationResult};

use super::limits::LoadLimits;
use super::ticket::{AdmissionError, Overspent, Ticket};

/// Makes an operation wait for its turn once it is valid and its price is known, if its request has a
/// [`Ticket`]. Without one, it is executed at once, within the default limit for one operation.
pub struct Toll;

impl ExtensionFactory for Toll {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait::async_trait]
impl Extension for Toll {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let result = next.run(ctx).await?;
        let price = result.complexity as u64;
        let limit = u64::from(LoadLimits::default().operation_units);
        let admitted = match ctx.data_opt::<Arc<Ticket>>() {
            Some(ticket) => ticket.admit(price).await,
            None if price > limit => Err(AdmissionError::TooDear { price, limit }),
            None => Ok(()),
        };
        admitted.map(|()| result).map_err(|why| vec![why.into()])
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
        let (Self::Bytes { cost, limit } | Self::Cpu { cost, limit }) = *self;
        more.set("code", "TOO_COMPLEX");
        more.set("cost", cost);
        more.set("limit", limit);
    }
}

impl From<AdmissionError> for ServerError {
    fn from(why: AdmissionError) -> Self {
        let mut error = Self::new(why.to_string(), None);
        why.describe(error.extensions.get_or_insert_default());
        error
    }
}
