//! Subscriptions.

use std::collections::VecDeque;
use std::sync::Arc;

use async_graphql::{Context, ID, Subscription as SubscriptionObject};
use futures_util::stream::{self, Stream};
use plybook_events::LogId;
use plybook_store::EventBytes;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::event::Event;
use super::game::Game;
use super::input::read_id;
use super::service;
use crate::error::Problem;
use crate::service::Service;

/// Live subscriptions.
pub struct Subscription;

/// A subscription to a log: which events have been read but not sent, and which come next.
struct Follower {
    service: Arc<Service>,
    changes: Receiver<LogId>,
    id: LogId,
    next_seq: u64,
    ready: VecDeque<EventBytes>,
    /// Whether the log could not be read: then the stream ends with that error.
    has_failed: bool,
}

/// Live subscriptions.
#[SubscriptionObject]
impl Subscription {
    /// Every event after the seq `after` (default -1: all of them), then new ones as they are recorded;
    /// each exactly once.
    async fn game_events(
        &self,
        ctx: &Context<'_>,
        game: ID,
        after: Option<i64>,
    ) -> Result<impl Stream<Item = Result<Event, Problem>> + use<>, Problem> {
        let after = after.unwrap_or(-1);
        let next_seq = u64::try_from(after.saturating_add(1))
            .map_err(|_| Problem::BadInput("`after` is a seq, or -1 for all events".to_owned()))?;
        let id = existing(ctx, &game)?;
        let service = Arc::clone(service(ctx));
        // Listening starts before the log is read, so that no event is missed in between.
        let changes = service.changes();
        let follower = Follower { service, changes, id, next_seq, ready: VecDeque::new(), has_failed: false };
        Ok(stream::unfold(follower, |mut follower| async {
            let next = follower.next().await?;
            Some((next, follower))
        }))
    }

    /// The game as it stands, sent once at the start and then after every change.
    async fn game_updated(
        &self,
        ctx: &Context<'_>,
        game: ID,
    ) -> Result<impl Stream<Item = Result<Game, Problem>> + use<>, Problem> {
        let id = existing(ctx, &game)?;
        let service = Arc::clone(service(ctx));
        let changes = service.changes();
        Ok(stream::unfold((service, changes, true), move |(service, mut changes, is_first)| async move {
            if !is_first {
                wait_for(&mut changes, id).await?;
            }
            let summary = service.models().known().games.get(id).cloned();
            let game = summary.map(Game::listed).ok_or_else(|| Problem::no_game(id));
            Some((game, (service, changes, false)))
        }))
    }
}

impl Follower {
    async fn next(&mut self) -> Option<Result<Event, Problem>> {
        while !self.has_failed {
            if let Some(bytes) = self.ready.pop_front() {
                return Some(Event::read(&bytes));
            }
            match self.service.log().read(self.id, self.next_seq).map_err(Problem::from) {
                Ok(lines) if lines.is_empty() => wait_for(&mut self.changes, self.id).await?,
                Ok(lines) => {
                    self.next_seq += lines.len() as u64;
                    self.ready.extend(lines);
                }
                Err(why) => {
                    self.has_failed = true;
                    return Some(Err(why));
                }
            }
        }
        None
    }
}

/// Waits until a log may have changed; `None` once the service shuts down.
async fn wait_for(changes: &mut Receiver<LogId>, id: LogId) -> Option<()> {
    loop {
        match changes.recv().await {
            Ok(changed) if changed != id => {}
            // After lagging behind, the log is read again.
            Ok(_) | Err(RecvError::Lagged(_)) => break,
            Err(RecvError::Closed) => return None,
        }
    }
    // Changes that have piled up in the meantime are answered together.
    while !changes.is_empty() && changes.try_recv().is_ok() {}
    Some(())
}

fn existing(ctx: &Context<'_>, game: &ID) -> Result<LogId, Problem> {
    let id = read_id(game)?;
    let known = service(ctx).models().known();
    known.games.get(id).map(|game| game.id).ok_or_else(|| Problem::no_game(id))
}
