//! The mutations of one request: they are carried out one after another, up to the first that fails.

use std::sync::atomic::{AtomicBool, Ordering};

use async_graphql::extensions::{ExtensionContext, NextResolve, ResolveInfo};
use async_graphql::{Error, PathSegment, ServerError, ServerResult, Value};
use plybook_service::error::Problem;

/// Stops a request at its first mutation that fails. What follows it was meant for a state that does not exist: after
/// an action that was refused, the next one would be recorded in its place.
#[derive(Default)]
pub(super) struct Serial {
    has_begun: AtomicBool,
    has_failed: AtomicBool,
}

impl Serial {
    /// Resolves a field, unless it is a mutation that is not reached.
    pub(super) async fn resolve(
        &self,
        ctx: &ExtensionContext<'_>,
        info: ResolveInfo<'_>,
        next: NextResolve<'_>,
    ) -> ServerResult<Option<Value>> {
        if info.path_node.parent.is_some() || info.parent_type != "Mutation" {
            return next.run(ctx, info).await;
        }
        self.has_begun.store(true, Ordering::Relaxed);
        if self.has_failed.load(Ordering::Relaxed) {
            let mut error = Error::from(Problem::NotReached).into_server_error(info.field.name.pos);
            error.path = vec![PathSegment::Field(info.alias.unwrap_or(info.name).to_owned())];
            return Err(error);
        }
        let answered = next.run(ctx, info).await;
        self.has_failed.fetch_or(answered.is_err(), Ordering::Relaxed);
        answered
    }

    /// Says of each error within the answer of a mutation that the mutation itself was carried out.
    pub(super) fn tell(&self, errors: &mut [ServerError]) {
        if !self.has_begun.load(Ordering::Relaxed) {
            return;
        }
        for error in errors.iter_mut().filter(|error| error.path.len() > 1) {
            error.extensions.get_or_insert_default().set("recorded", true);
            if let Some(Problem::Overspent(_) | Problem::NotAdmitted(_)) = error.source::<Problem>() {
                error.message.insert_str(0, "the change is recorded; ask for this part of the answer with a query: ");
            }
        }
    }
}
