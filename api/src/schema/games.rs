//! Lists of games, in pages.

use std::sync::Arc;

use async_graphql::Context;
use async_graphql::connection::{Connection, CursorType, EmptyFields};
use plybook_events::LogId;

use super::connection::{Page, Total};
use super::game::Game;
use super::service;
use crate::error::Problem;
use crate::models::{Filter, Order, OrderKey, Summary};

/// A page of games.
pub type Games = Connection<GameCursor, Game, Total, EmptyFields>;

/// The games that a filter accepts, a page of them.
pub fn list_games(ctx: &Context<'_>, filter: &Filter, order: Order, page: &Page) -> Result<Games, Problem> {
    let known = service(ctx).models().known();
    let games = &known.games;
    let cursor = |game: &Arc<Summary>| GameCursor(order.key(game));
    let node = |game: &Arc<Summary>| Game::listed(Arc::clone(game));
    if matches!(order, Order::CreatedDesc | Order::CreatedAsc) {
        let walk = |after: Option<GameCursor>, before: Option<GameCursor>| {
            games.walk(filter, order == Order::CreatedDesc, after.map(|c| c.0), before.map(|c| c.0))
        };
        // Counting may look at every game: only for those who ask.
        let is_counted = ctx.look_ahead().field("totalCount").exists();
        let total = || Total { total_count: if is_counted { games.count(filter) as u64 } else { 0 } };
        if let Some(found) = page.read()?.take(walk, |game| cursor(game), |game| node(game), total) {
            return Ok(found);
        }
    }
    page.cut(&games.list(filter, order), cursor, node)
}

/// The place of a game in a list, as a cursor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameCursor(OrderKey);

impl CursorType for GameCursor {
    type Error = std::fmt::Error;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        let (order, id) = text.split_once('.').ok_or(std::fmt::Error)?;
        let order = order.parse().map_err(|_| std::fmt::Error)?;
        let id: LogId = id.parse().map_err(|_| std::fmt::Error)?;
        Ok(Self((order, id.to_bytes())))
    }

    fn encode_cursor(&self) -> String {
        format!("{}.{}", self.0.0, LogId::from_bytes(self.0.1))
    }
}
