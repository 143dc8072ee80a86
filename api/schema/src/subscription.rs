//! Subscriptions.

use std::collections::VecDeque;
use std::sync::Arc;

use async_graphql::{Context, ID, Subscription as SubscriptionObject};
use futures_util::stream::{self, Stream};
use plybook_events::LogId;
use plybook_http::PoolShare;
use plybook_service::error::Problem;
use plybook_service::{FeedStart, Service, Watch};
use plybook_store::EventBytes;

use super::analysis::Analysis;
use super::event::Event;
use super::feed::{Changes, changes};
use super::game::Game;
use super::input::{GameFilter, read_id};
use super::query::reading;
use super::tournament::Tournament;
use super::{desk, price, service};

/// Live subscriptions.
pub struct Subscription;

/// The most events read at once for a subscription, and the most bytes; a single event may exceed the latter.
/// They are in memory until the client has taken them.
const PAGE_EVENTS: usize = 16;
const PAGE_BYTES: usize = 8 << 10;

/// A subscription to a log: which events have been read but not sent, and which come next.
struct Follower {
    service: Arc<Service>,
    watch: Watch,
    id: LogId,
    next_seq: u64,
    ready: VecDeque<EventBytes>,
    /// What they hold of the memory that clients share.
    held: Option<PoolShare>,
    /// Whether reading the log failed: then the stream ends with that error.
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
        follow(ctx, existing(ctx, &game)?, after)
    }

    /// The events of all games that match, in the order in which they were recorded, then new ones; each exactly
    /// once. Starts after a `cursor`, or with what is recorded from now on if `after` is `now`; without `after`, with
    /// the first event ever recorded. The first answer comes at once.
    ///
    /// Games are recorded games unless the filter asks for lines; hidden lines are sent only with `includeHidden`, to
    /// recorders, and to players their own. The filter asks for what never changes about a game: `kind`, `origin`,
    /// `tournament`, `round`, `player`, `players`, `seat`, `setup`, `tags`, `since` and `until`.
    #[graphql(complexity = "1 + reading(filter.as_ref()) + child_complexity")]
    async fn changes(
        &self,
        ctx: &Context<'_>,
        filter: Option<GameFilter>,
        after: Option<String>,
        include_hidden: Option<bool>,
    ) -> Result<impl Stream<Item = Result<Changes, Problem>> + use<>, Problem> {
        let start = FeedStart::read(after.as_deref())?;
        let filter = filter.unwrap_or_default().read(ctx)?;
        let feed = desk(ctx).feed(filter, start, include_hidden.unwrap_or_default())?;
        Ok(changes(ctx, feed))
    }

    /// Every event of a tournament's log after the seq `after` (default -1: all of them), then new ones as they are
    /// recorded; each exactly once.
    async fn tournament_events(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        after: Option<i64>,
    ) -> Result<impl Stream<Item = Result<Event, Problem>> + use<>, Problem> {
        follow(ctx, existing_tournament(ctx, &tournament)?, after)
    }

    /// The tournament in its current state, sent once at the start and then after every change of its log.
    /// Changes that happen before the last answer has been sent are combined into one answer.
    async fn tournament_updated(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
    ) -> Result<impl Stream<Item = Result<Tournament, Problem>> + use<>, Problem> {
        let id = existing_tournament(ctx, &tournament)?;
        let service = Arc::clone(service(ctx));
        let watch = service.watch(id);
        Ok(stream::unfold((service, watch, true), move |(service, mut watch, is_first)| async move {
            if !is_first {
                watch.changed().await;
            }
            let summary = service.models().known().tournaments.get(id).cloned();
            let tournament = summary.map(Tournament::listed).ok_or_else(|| Problem::no_tournament(id));
            Some((tournament, (service, watch, false)))
        }))
    }

    /// The analysis of a game, as far as it is done: once at the start, then at most twice a second as it goes on, until it
    /// is complete or stopped. Refused if there is none: ask for one with `analyze`.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn analysis_progress(
        &self,
        ctx: &Context<'_>,
        game: ID,
    ) -> Result<impl Stream<Item = Result<Analysis, Problem>> + use<>, Problem> {
        let id = existing(ctx, &game)?;
        let desk = desk(ctx);
        let source = desk.watch_analysis(id)?;
        Ok(stream::unfold(Some((desk, source)), move |follower| async move {
            let (desk, source) = follower?;
            let (analysis, source) = match source {
                Ok(mut watch) => (watch.next().await?, Some((desk.clone(), Ok(watch)))),
                Err(kept) => (kept, None),
            };
            match desk.check_analysis(id) {
                Ok(()) => Some((Ok(Analysis(analysis)), source)),
                Err(why) => Some((Err(why), None)),
            }
        }))
    }

    /// The game in its current state, sent once at the start and then after every change. Changes that happen
    /// before the last answer has been sent are combined into one answer.
    async fn game_updated(
        &self,
        ctx: &Context<'_>,
        game: ID,
    ) -> Result<impl Stream<Item = Result<Game, Problem>> + use<>, Problem> {
        let id = existing(ctx, &game)?;
        let service = Arc::clone(service(ctx));
        let watch = service.watch(id);
        Ok(stream::unfold((service, watch, true), move |(service, mut watch, is_first)| async move {
            if !is_first {
                watch.changed().await;
            }
            let summary = service.models().known().games.get(id);
            let game = summary.map(Game::listed).ok_or_else(|| Problem::no_game(id));
            Some((game, (service, watch, false)))
        }))
    }
}

impl Follower {
    async fn next(&mut self) -> Option<Result<Event, Problem>> {
        while !self.has_failed {
            if let Some(bytes) = self.ready.pop_front() {
                return Some(Event::read(&bytes));
            }
            self.hold(0);
            let page = self.service.log().read_page(self.id, self.next_seq, PAGE_EVENTS, PAGE_BYTES);
            match page.map_err(Problem::from) {
                Ok(lines) if lines.is_empty() => self.watch.changed().await,
                Ok(lines) => {
                    self.next_seq += lines.len() as u64;
                    let bytes = lines.iter().map(|line| line.len() as u64).sum();
                    self.hold(bytes);
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

    fn hold(&mut self, bytes: u64) {
        if let Some(held) = &mut self.held {
            held.set(bytes);
        }
    }
}

/// The events of a log after a seq, then new ones.
fn follow(
    ctx: &Context<'_>,
    id: LogId,
    after: Option<i64>,
) -> Result<impl Stream<Item = Result<Event, Problem>> + use<>, Problem> {
    let next_seq = u64::try_from(after.unwrap_or(-1).saturating_add(1))
        .map_err(|_| Problem::BadInput("`after` is a seq, or -1 for all events".to_owned()))?;
    let service = Arc::clone(service(ctx));
    // Listening starts before the log is read, so no event in between is missed.
    let watch = service.watch(id);
    let held = ctx.data_opt::<PoolShare>().map(PoolShare::another);
    let ready = VecDeque::new();
    let follower = Follower { service, watch, id, next_seq, ready, held, has_failed: false };
    Ok(stream::unfold(follower, |mut follower| async {
        let next = follower.next().await?;
        Some((next, follower))
    }))
}

fn existing_tournament(ctx: &Context<'_>, tournament: &ID) -> Result<LogId, Problem> {
    let id = read_id(tournament)?;
    let known = service(ctx).models().known();
    known.tournaments.get(id).map(|tournament| tournament.id).ok_or_else(|| Problem::no_tournament(id))
}

fn existing(ctx: &Context<'_>, game: &ID) -> Result<LogId, Problem> {
    let id = read_id(game)?;
    let known = service(ctx).models().known();
    known.games.has(id).then_some(id).ok_or_else(|| Problem::no_game(id))
}
