//! The GraphQL API: queries, mutations and subscriptions.

#![allow(clippy::unused_async, reason = "resolvers that can fail are async")]
#![allow(clippy::too_many_arguments, reason = "a field has as many arguments as its clients need")]

mod connection;
mod distribution;
mod event;
mod explorer;
mod game;
mod games;
mod input;
mod lines;
mod moves;
mod mutation;
mod player;
mod position;
mod query;
mod record;
mod rule_set;
mod scalar;
mod seat;
mod statistics;
mod subscription;

use std::sync::Arc;

use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextExecute, NextSubscribe};
use async_graphql::{Context, Response};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;

use crate::access::{Caller, Desk};
use crate::error::{Problem, add_codes};
use crate::service::Service;

pub use mutation::Mutation;
pub use query::Query;
pub use subscription::Subscription;

/// The whole schema.
pub type Schema = async_graphql::Schema<Query, Mutation, Subscription>;

/// The schema over a service.
pub fn build(service: Arc<Service>) -> Schema {
    builder().data(service).finish()
}

/// The schema in the GraphQL schema language.
pub fn sdl() -> String {
    builder().finish().sdl()
}

/// The most that one operation may cost. A plain field costs 1, one that has to be folded or drawn 2
/// to 50, and a list its length times the cost of an entry. All fields of 500 positions cost about
/// 10,000, the viewer's most expensive page of 100 positions about 700, and the standard introspection
/// query about 200.
const COMPLEXITY_MAX: usize = 20_000;

fn builder() -> async_graphql::SchemaBuilder<Query, Mutation, Subscription> {
    Schema::build(Query, Mutation, Subscription)
        .register_output_type::<query::Node>()
        .override_output_type_description::<games::GamePage>("A page of games.")
        .override_output_type_description::<query::PlayerPage>("A page of players.")
        .override_output_type_description::<moves::MovePage>("A page of a mainline.")
        .override_output_type_description::<event::EventPage>("A page of a log.")
        .limit_complexity(COMPLEXITY_MAX)
        .extension(Codes)
}

/// Gives every error its code.
struct Codes;

impl ExtensionFactory for Codes {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Self)
    }
}

#[async_trait::async_trait]
impl Extension for Codes {
    async fn execute(&self, ctx: &ExtensionContext<'_>, operation: Option<&str>, next: NextExecute<'_>) -> Response {
        let mut response = next.run(ctx, operation).await;
        add_codes(&mut response.errors);
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

/// The service that a request is for.
fn service<'a>(ctx: &Context<'a>) -> &'a Arc<Service> {
    ctx.data_unchecked::<Arc<Service>>()
}

/// The desk of whoever makes the request.
fn desk(ctx: &Context<'_>) -> Desk {
    let caller = ctx.data_opt::<Caller>().unwrap_or(&Caller::SPECTATOR);
    Desk::new(Arc::clone(service(ctx)), caller.clone())
}

/// Runs work that may wait for the disk, without holding up other requests.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)?
}
