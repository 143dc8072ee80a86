//! The mutations of one request: they are carried out one after another, up to the first that fails.

use std::sync::atomic::{AtomicBool, Ordering};

use async_graphql::extensions::{ExtensionContext, NextResolve, ResolveInfo};
use async_graphql::{Error, PathSegment, ServerResult, Value};

use crate::error::Problem;

/// Stops a request at its first mutation that fails. What follows it was meant for a state that does not exist: after
/// an action that was refused, the next one would be recorded in its place.
#[derive(Default)]
pub(super) struct Serial {
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
        if self.has_failed.load(Ordering::Relaxed) {
            let mut error = Error::from(Problem::NotReached).into_server_error(info.field.name.pos);
            error.path = vec![PathSegment::Field(info.alias.unwrap_or(info.name).to_owned())];
            return Err(error);
        }
        let answered = next.run(ctx, info).await;
        self.has_failed.fetch_or(answered.is_err(), Ordering::Relaxed);
        answered
    }
}
