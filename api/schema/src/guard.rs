//! What happens to every request besides its fields. One extension does all of it, because each costs every field time.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use async_graphql::extensions::{
    Extension, ExtensionContext, ExtensionFactory, NextExecute, NextParseQuery, NextResolve, NextSubscribe,
    NextValidation, ResolveInfo,
};
use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Request, Response, ServerError, ServerResult, ValidationResult, Value, Variables};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use plybook_http::{Client, Document, Documents, not_admitted};
use plybook_service::load::{AdmissionError, LoadLimits, Ticket};

use super::Schema;
use super::codes::add_codes;
use super::serial::Serial;

/// Makes a [`Guard`] for every request.
pub(super) struct Guarded {
    pub(super) documents: Documents,
    /// The same types without most rules, for finding out the price of what needs no validation: async-graphql does both
    /// at once, and has either all rules or few, for all requests of a schema.
    pub(super) pricing: Schema,
}

/// Spares a request what is known of its document, has it admitted once it is valid and its price is known, stops at
/// the first mutation that fails, and gives every error its code.
struct Guard {
    documents: Documents,
    pricing: Schema,
    /// What is kept of the request's document.
    document: OnceLock<Arc<Document>>,
    /// The request, if it is certainly valid and only its price is to be found out.
    unpriced: Mutex<Option<Request>>,
    serial: Serial,
}

impl ExtensionFactory for Guarded {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Guard {
            documents: self.documents.clone(),
            pricing: self.pricing.clone(),
            document: OnceLock::new(),
            unpriced: Mutex::default(),
            serial: Serial::default(),
        })
    }
}

#[async_trait::async_trait]
impl Extension for Guard {
    async fn parse_query(
        &self,
        ctx: &ExtensionContext<'_>,
        query: &str,
        variables: &Variables,
        next: NextParseQuery<'_>,
    ) -> ServerResult<ExecutableDocument> {
        let client = ctx.data_opt::<Client>().copied();
        let known = ctx.data_opt::<Arc<Document>>().cloned().or_else(|| self.documents.find(client, query));
        let Some(known) = known else {
            let parsed = next.run(ctx, query, variables).await?;
            if let Some(kept) = self.documents.keep(client, query, &parsed) {
                let _ = self.document.set(kept);
            }
            return Ok(parsed);
        };
        let parsed = known.parsed().clone();
        if known.found().is_none() && known.is_proven_with(&ctx.schema_env.registry, variables) {
            let mut request = Request::new("").variables(variables.clone());
            request.set_parsed_query(parsed.clone());
            *self.unpriced.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
        }
        let _ = self.document.set(known);
        Ok(parsed)
    }

    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let unpriced = self.unpriced.lock().unwrap_or_else(PoisonError::into_inner).take();
        let document = self.document.get();
        let found = match (unpriced, document.and_then(|document| document.found())) {
            (Some(request), _) => price(&self.pricing, request).await?,
            (None, Some(found)) => found,
            (None, None) => {
                let found = next.run(ctx).await?;
                document.inspect(|document| document.prove(found));
                found
            }
        };
        admit(ctx, found.complexity as u64).await.map_err(|why| vec![not_admitted(&why)])?;
        Ok(found)
    }

    async fn resolve(
        &self,
        ctx: &ExtensionContext<'_>,
        info: ResolveInfo<'_>,
        next: NextResolve<'_>,
    ) -> ServerResult<Option<Value>> {
        self.serial.resolve(ctx, info, next).await
    }

    async fn execute(&self, ctx: &ExtensionContext<'_>, operation: Option<&str>, next: NextExecute<'_>) -> Response {
        let mut response = next.run(ctx, operation).await;
        add_codes(&mut response.errors);
        self.serial.tell(&mut response.errors);
        response
    }

    /// A subscription that cannot start is answered without being executed.
    fn subscribe<'s>(
        &self,
        ctx: &ExtensionContext<'_>,
        stream: BoxStream<'s, Response>,
        next: NextSubscribe<'_>,
    ) -> BoxStream<'s, Response> {
        let coded = next.run(ctx, stream).map(|mut response| {
            add_codes(&mut response.errors);
            response
        });
        coded.boxed()
    }
}

/// Makes an operation that is valid wait for its turn, now that its price is known, if its request has a [`Ticket`].
/// Without one, it is executed at once, within the default limit for one operation.
///
/// # Errors
/// As for [`Ticket::admit`].
async fn admit(ctx: &ExtensionContext<'_>, price: u64) -> Result<(), AdmissionError> {
    let limit = u64::from(LoadLimits::default().operation_units);
    match ctx.data_opt::<Arc<Ticket>>() {
        Some(ticket) => ticket.admit(price).await,
        None if price > limit => Err(AdmissionError::TooDear { price, limit }),
        None => Ok(()),
    }
}

/// What is found out about a valid request without validating it.
async fn price(pricing: &Schema, request: Request) -> Result<ValidationResult, Vec<ServerError>> {
    let found = Arc::new(OnceLock::new());
    let errors = pricing.execute(request.data(Arc::clone(&found))).await.errors;
    found.get().copied().ok_or(errors)
}

/// Notes what is found out about a request, and does not execute it.
pub(super) struct Priced;

impl ExtensionFactory for Priced {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait::async_trait]
impl Extension for Priced {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let found = next.run(ctx).await?;
        let _ = ctx.data_unchecked::<Arc<OnceLock<ValidationResult>>>().set(found);
        Ok(found)
    }

    async fn execute(&self, _: &ExtensionContext<'_>, _: Option<&str>, _: NextExecute<'_>) -> Response {
        Response::default()
    }
}
