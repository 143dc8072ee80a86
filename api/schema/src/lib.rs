//! The GraphQL API: queries, mutations and subscriptions.
//!
//! Resolvers do their work synchronously, even if it takes long or waits for the disk, because operations are
//! not executed on network threads (see [`plybook_service::load`]).

#![allow(clippy::unused_async, reason = "resolvers that can fail are async")]
#![allow(clippy::too_many_arguments, reason = "a field has as many arguments as its clients need")]

mod analysed;
mod analysis;
mod arguments;
mod connection;
mod distribution;
mod evaluation;
mod event;
mod explorer;
mod feed;
mod figures;
mod game;
mod game_token;
mod games;
mod import;
mod input;
mod lines;
mod moves;
mod mutation;
mod once;
mod over;
mod people;
mod player;
mod plies;
mod position;
mod price;
mod prompt;
mod query;
mod rating;
mod record;
mod refold;
mod rule_set;
mod scalar;
mod scene;
mod search;
mod seat;
mod statistics;
mod subscription;
mod tlog;
mod token;
mod tournament;
mod tree;

use std::sync::Arc;

use async_graphql::{Context, Data, Executor, MergedObject, Request, Response, SDLExportOptions};
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use plybook_http::Guard;
use plybook_service::Service;
use plybook_service::access::{Caller, Desk, Tokens};
use plybook_service::error::Problem;
use plybook_service::load::{Execution, Meter};
use serde::Serialize;

use self::query::Query;
use self::scalar::Json;
use self::subscription::Subscription;

/// What can be changed. Every change is an event: nothing is ever erased.
#[derive(Default, MergedObject)]
struct Mutation(mutation::Mutation, mutation::SignedMutation, tournament::TournamentMutation);

/// The whole schema. It hides the types that resolvers are generated for, so that their code is compiled in this crate
/// alone.
#[derive(Clone)]
pub struct Schema(async_graphql::Schema<Query, Mutation, Subscription>);

impl Schema {
    /// Executes a query or a mutation.
    pub fn execute(&self, request: impl Into<Request>) -> BoxFuture<'static, Response> {
        boxed(self.clone(), request.into())
    }

    /// Executes any operation: a subscription has any number of responses, others have one.
    pub fn execute_stream(&self, request: impl Into<Request>) -> BoxStream<'static, Response> {
        Executor::execute_stream(self, request.into(), None)
    }
}

/// Not generic, for the reason that [`Schema`] gives.
fn boxed(schema: Schema, request: Request) -> BoxFuture<'static, Response> {
    Box::pin(async move { schema.0.execute(request).await })
}

#[async_trait::async_trait]
impl Executor for Schema {
    async fn execute(&self, request: Request) -> Response {
        boxed(self.clone(), request).await
    }

    fn execute_stream(&self, request: Request, session: Option<Arc<Data>>) -> BoxStream<'static, Response> {
        self.0.execute_stream_with_session_data(request, session.unwrap_or_default())
    }
}

/// The most fields within each other: the standard introspection query needs 14.
const DEPTH_MAX: usize = 16;

/// The schema over a service. Tokens that it issues are kept in memory only.
pub fn build(service: Arc<Service>) -> Schema {
    build_with(service, Arc::new(Tokens::in_memory()))
}

/// The schema over a service, with the tokens that it issues.
pub fn build_with(service: Arc<Service>, tokens: Arc<Tokens>) -> Schema {
    let schema = builder().limit_depth(DEPTH_MAX).extension(Guard);
    Schema(schema.data(service).data(tokens).finish())
}

/// The schema in the GraphQL schema language.
pub fn sdl() -> String {
    builder().finish().sdl_with_options(SDLExportOptions::new().include_specified_by())
}

fn builder() -> async_graphql::SchemaBuilder<Query, Mutation, Subscription> {
    async_graphql::Schema::build(Query, Mutation::default(), Subscription)
        .register_output_type::<query::Node>()
        .override_output_type_description::<games::GamePage>("A page of games.")
        .override_output_type_description::<query::PlayerPage>("A page of players.")
        .override_output_type_description::<rating::RatingPage>("A page of ratings.")
        .override_output_type_description::<tournament::TournamentPage>("A page of tournaments.")
        .override_output_type_description::<moves::MovePage>("A page of a mainline.")
        .override_output_type_description::<event::EventPage>("A page of a log.")
        .register_output_type::<arguments::Descriptions>()
}

/// The service that a request is for.
fn service<'a>(ctx: &Context<'a>) -> &'a Arc<Service> {
    ctx.data_unchecked::<Arc<Service>>()
}

/// Counts bytes before they become part of the answer. Call it with 0 before something that takes long.
///
/// # Errors
/// The request has used more than it may.
fn spend(ctx: &Context<'_>, bytes: usize) -> Result<(), Problem> {
    ctx.data_opt::<Arc<Execution>>().map_or(Ok(()), |execution| Ok(execution.spend(bytes)?))
}

/// The memory that a value of an answer takes until the answer is written, in bytes.
const VALUE_BYTES: usize = 300;

/// Counts values of a long list before it is made, since async-graphql makes all of them before it writes any.
///
/// # Errors
/// As for [`spend`].
fn hold(ctx: &Context<'_>, values: usize) -> Result<(), Problem> {
    spend(ctx, values.saturating_mul(VALUE_BYTES))
}

/// JSON for the answer, with its bytes counted.
///
/// # Errors
/// As for [`spend`].
fn json(ctx: &Context<'_>, value: &impl Serialize) -> Result<Json, Problem> {
    let json = Json::of(value);
    spend(ctx, json.len())?;
    Ok(json)
}

/// Moves to the lane for expensive operations if there is more work than the price could know.
///
/// # Errors
/// Too many of the client's operations wait.
async fn slow_down(ctx: &Context<'_>, is_expensive: bool) -> Result<(), Problem> {
    match ctx.data_opt::<Arc<Execution>>() {
        Some(execution) => Ok(execution.slow_down(is_expensive).await?),
        None => Ok(()),
    }
}

/// Does work that goes over lines, events or entrants; see [`Execution::measure`].
///
/// # Errors
/// Those of the work, and as for [`slow_down`].
async fn measured<T>(ctx: &Context<'_>, work: impl Fn(&Meter<'_>) -> Result<T, Problem> + Send) -> Result<T, Problem> {
    match ctx.data_opt::<Arc<Execution>>() {
        Some(execution) => execution.measure(work).await,
        None => work(&Meter::unlimited()),
    }
}

/// The desk for the caller.
fn desk(ctx: &Context<'_>) -> Desk {
    let tokens = Arc::clone(ctx.data_unchecked::<Arc<Tokens>>());
    Desk::new(service(ctx), caller(ctx).clone()).with_tokens(tokens)
}

/// The caller.
fn caller<'a>(ctx: &Context<'a>) -> &'a Caller {
    ctx.data_opt::<Caller>().unwrap_or(&Caller::SPECTATOR)
}
