//! The feed as a subscription.

use async_graphql::{Context, Object, SimpleObject};
use futures_util::stream::{self, Stream};
use plybook_http::PoolShare;
use plybook_service::error::Problem;
use plybook_service::{Feed, FeedPage, FeedPageSize};

use super::event::Event;
use super::game::Game;
use super::price;

/// The size of an answer. Its events are in memory until the client has taken it.
const SIZE: FeedPageSize = FeedPageSize { events: price::FEED, bytes: 8 << 10 };

/// The next events of games.
pub struct Changes(FeedPage);

/// An event of a game.
#[derive(SimpleObject)]
pub struct Change {
    /// The game or line, in its present state.
    game: Game,
    /// The event.
    event: Event,
}

/// The next events of games.
#[Object]
impl Changes {
    /// Where the feed continues: pass it as `after` to resume once these events are dealt with.
    async fn cursor(&self) -> String {
        self.0.cursor.to_string()
    }

    /// The events, oldest first. There may be none: then the answer only says how far the feed has come.
    #[graphql(complexity = "price::FEED * child_complexity.max(1)")]
    async fn nodes(&self) -> Result<Vec<Change>, Problem> {
        let read = |event: &plybook_service::FeedEvent| {
            Ok(Change { game: Game::listed(event.game.clone()), event: Event::read(&event.bytes)? })
        };
        self.0.events.iter().map(read).collect()
    }
}

/// A subscription to the feed.
struct Subscriber {
    feed: Feed,
    /// Whether the first answer was sent.
    has_begun: bool,
    /// Whether reading the journal failed: then the stream ends with that error.
    has_failed: bool,
    /// What the events that are being sent hold of the memory that clients share.
    held: Option<PoolShare>,
}

impl Subscriber {
    async fn next(&mut self) -> Option<Result<Changes, Problem>> {
        self.hold(0);
        while !self.has_failed {
            match self.feed.next_page(SIZE) {
                Err(why) => {
                    self.has_failed = true;
                    return Some(Err(why));
                }
                Ok(None) if self.has_begun => self.feed.grown().await,
                Ok(page) => {
                    self.has_begun = true;
                    let page = page.unwrap_or_else(|| self.feed.bookmark());
                    let bytes = page.events.iter().map(|event| event.bytes.len() as u64).sum();
                    self.hold(bytes);
                    return Some(Ok(Changes(page)));
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

/// The answers of a feed.
pub(super) fn changes(ctx: &Context<'_>, feed: Feed) -> impl Stream<Item = Result<Changes, Problem>> + use<> {
    let held = ctx.data_opt::<PoolShare>().map(PoolShare::another);
    let subscriber = Subscriber { feed, has_begun: false, has_failed: false, held };
    stream::unfold(subscriber, |mut subscriber| async {
        let next = subscriber.next().await?;
        Some((next, subscriber))
    })
}
