//! A schema that does everything a transport has to cope with.
#![expect(clippy::unused_async, reason = "async-graphql wants resolvers to be async")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_graphql::{Context, Error, ErrorExtensions, Object, Result, Schema, SimpleObject, Subscription};
use futures_util::Stream;
use futures_util::stream::{self, StreamExt};
use plybook_http::{Gate, Guard, Limits, Metrics};
use plybook_service::access::{Caller, Refusal, Role};

pub type Toy = Schema<Query, Mutation, Feed>;

/// How often something was done that a client cannot see, and how often something slow was begun.
#[derive(Clone, Default)]
pub struct Done(pub Arc<AtomicU32>, pub Arc<AtomicU32>);

pub struct Query;
pub struct Mutation;
pub struct Feed;

#[derive(SimpleObject)]
#[graphql(complex)]
pub struct Node {
    number: u32,
}

#[async_graphql::ComplexObject]
impl Node {
    async fn next(&self) -> Node {
        Node { number: self.number + 1 }
    }

    /// Null if it fails.
    async fn soft(&self, fail: bool) -> Result<Option<u32>> {
        if fail { Err(failed()) } else { Ok(Some(1)) }
    }

    /// Never null: if it fails, what is around it becomes null.
    async fn hard(&self, fail: bool) -> Result<u32> {
        if fail { Err(failed()) } else { Ok(1) }
    }

    async fn maybe(&self) -> Option<Node> {
        Some(Node { number: 1 })
    }

    /// The second of three is number 1.
    async fn list(&self) -> Vec<Option<Node>> {
        (0..3).map(|number| Some(Node { number })).collect()
    }

    async fn strict(&self) -> Vec<Node> {
        (0..3).map(|number| Node { number }).collect()
    }

    async fn one_fails(&self) -> Result<u32> {
        if self.number == 1 { Err(failed()) } else { Ok(1) }
    }
}

fn failed() -> Error {
    Error::new("failed").extend_with(|_, extensions| extensions.set("code", "GAME_OVER"))
}

#[Object]
impl Query {
    async fn maybe(&self) -> Option<Node> {
        Some(Node { number: 0 })
    }

    /// The name of the caller; null for a spectator.
    async fn me(&self, context: &Context<'_>) -> Result<Option<&'static str>> {
        Ok(match context.data::<Caller>()?.role {
            Role::Admin => Some("Ada"),
            Role::Player => Some("Ann"),
            Role::Recorder => Some("Bob"),
            _ => None,
        })
    }

    async fn echo(&self, text: String) -> String {
        text
    }

    async fn half(&self, even: u32) -> Result<Option<u32>> {
        if even.is_multiple_of(2) {
            return Ok(Some(even / 2));
        }
        Err(Error::new("odd").extend_with(|_, extensions| extensions.set("code", "ILLEGAL_ACTION")))
    }

    async fn node(&self) -> Node {
        Node { number: 0 }
    }

    async fn bug(&self) -> Result<u32> {
        Err(std::io::Error::other("the disk at /secret/path is full").into())
    }

    async fn panic(&self) -> u32 {
        [].iter().copied().next().expect("a resolver panics on purpose")
    }

    #[graphql(complexity = 5_000)]
    async fn dear(&self) -> u32 {
        0
    }

    async fn slow(&self, context: &Context<'_>, ms: u64) -> Result<u64> {
        context.data::<Done>()?.1.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(ms)).await;
        Ok(ms)
    }
}

#[Object]
impl Mutation {
    /// Does something after a while; returns how often it was done.
    async fn work(&self, context: &Context<'_>, ms: Option<u64>) -> Result<u32> {
        context.data::<Done>()?.1.fetch_add(1, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(ms.unwrap_or(0))).await;
        Ok(context.data::<Done>()?.0.fetch_add(1, Ordering::SeqCst) + 1)
    }
}

#[Subscription]
impl Feed {
    async fn count(&self, to: u32) -> impl Stream<Item = u32> {
        stream::iter(1..=to)
    }

    /// Never answers.
    async fn silence(&self) -> impl Stream<Item = u32> {
        stream::pending()
    }

    /// Large answers, without end.
    async fn flood(&self) -> impl Stream<Item = String> {
        stream::repeat_with(|| "x".repeat(100_000))
    }

    async fn fail(&self) -> impl Stream<Item = Result<u32>> {
        stream::once(async { Err(Error::new("gone").extend_with(|_, extensions| extensions.set("code", "NOT_FOUND"))) })
            .boxed()
    }
}

/// The schema, counting in `done`.
pub fn schema(done: &Done) -> Toy {
    let schema = Schema::build(Query, Mutation, Feed).extension(Guard).limit_complexity(1_000).limit_depth(16);
    schema.data(done.clone()).finish()
}

/// A gate to the schema, with its own counters; see [`gate_with`].
pub fn gate(limits: Limits, done: &Done, withdrawn: &Done) -> Gate {
    gate_with(limits, done, withdrawn, Metrics::new())
}

/// A gate to the schema; the tokens are `good`, `chief` (an administrator's), `old` and, as long as `withdrawn` is 0, `brief`.
pub fn gate_with(limits: Limits, done: &Done, withdrawn: &Done, metrics: Metrics) -> Gate {
    let withdrawn = withdrawn.clone();
    let identify = move |token: Option<&str>| match token {
        None => Ok(Caller::SPECTATOR),
        Some("chief") => Ok(Caller::ADMIN),
        Some("good") => Ok(Caller { role: Role::Player, ..Caller::SPECTATOR }),
        Some("brief") if withdrawn.0.load(Ordering::SeqCst) == 0 => {
            Ok(Caller { role: Role::Recorder, ..Caller::SPECTATOR })
        }
        Some("brief") => Err(Refusal::Revoked),
        Some("old") => Err(Refusal::Expired),
        Some(_) => Err(Refusal::Unknown),
    };
    Gate::new(schema(done), identify, limits, metrics)
}
