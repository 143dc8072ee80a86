//! Lists of games, in pages.

use std::sync::Arc;

use async_graphql::Context;
use async_graphql::connection::{Connection, CursorType, Edge, EmptyFields};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use plybook_events::{LogId, Timestamp};
use plybook_models::{Audience, Branch, Excerpt, Filter, Order, OrderKey, Summary};
use plybook_service::error::Problem;
use plybook_service::load::Meter;

use super::connection::{Page, PageBounds, Total};
use super::game::Game;
use super::service;

/// A page of games.
pub type GamePage = Connection<GameCursor, Game, Total, EmptyFields>;

/// A page of the games that a filter accepts.
pub fn list_games(ctx: &Context<'_>, filter: &Filter, order: Order, page: &Page) -> Result<GamePage, Problem> {
    check_list(page, Some(order))?;
    let known = service(ctx).models().known();
    let found = known.games.select(filter);
    let PageBounds { after, before, len, is_last } = page.read()?;
    let (after, before) = (after.map(GameCursor::listed), before.map(GameCursor::listed));
    let page = found.page(order, Excerpt { after, before, len, is_last });
    let total = Total { total_count: found.len() as u64 };
    let mut listed = Connection::with_additional_fields(page.has_previous, page.has_next, total);
    let edge = |game: Arc<Summary>| Edge::new(GameCursor::Listed(order, order.key(&game)), Game::listed(game));
    listed.edges.extend(page.games.into_iter().map(edge));
    Ok(listed)
}

/// A page of the lines that fork directly from a log.
pub fn list_lines(
    ctx: &Context<'_>,
    parent: LogId,
    audience: Audience,
    page: &Page,
    meter: &Meter<'_>,
) -> Result<GamePage, Problem> {
    check_list(page, None)?;
    let known = service(ctx).models().known();
    let lines: Vec<_> =
        known.games.lines(parent).take_while(|_| meter.goes_on()).filter(|line| audience.sees(line)).collect();
    drop(known);
    meter.check()?;
    let cursor = |line: &Arc<Summary>| {
        let ply = line.fork.as_ref().map_or(0, |fork| fork.ply);
        GameCursor::Branch((ply, line.standing.rank, line.stated_at, line.id))
    };
    page.cut(&lines, cursor, |line| Game::listed(Arc::clone(line)))
}

/// A cursor: the place of a game in a list of some order, or of a line among those of its parent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GameCursor {
    /// Written `order.key.id`, in Base64.
    Listed(Order, OrderKey),
    /// Written `ply.rank.created.id`, in Base64.
    Branch(Branch),
}

/// Checks that the cursors of a page come from a list in the same order, `None` for that of lines: elsewhere they name
/// another place.
///
/// # Errors
/// One comes from another list.
fn check_list(page: &Page, order: Option<Order>) -> Result<(), Problem> {
    for (name, text) in [("after", &page.after), ("before", &page.before)] {
        // What is not a cursor is refused when the page is cut.
        let cursor = text.as_deref().and_then(|text| GameCursor::decode_cursor(text).ok());
        if cursor.is_some_and(|cursor| cursor.order() != order) {
            let says = format!("`{name}` is a cursor of a list in another order: page through each from its start");
            return Err(Problem::BadInput(says));
        }
    }
    Ok(())
}

impl GameCursor {
    /// The order of its list; `None` for that of lines.
    fn order(self) -> Option<Order> {
        if let Self::Listed(order, _) = self { Some(order) } else { None }
    }

    /// The place in a list of games.
    fn listed(self) -> OrderKey {
        match self {
            Self::Listed(_, key) => key,
            Self::Branch((_, _, created_at, id)) => (created_at.as_millis(), id.to_bytes()),
        }
    }
}

impl CursorType for GameCursor {
    type Error = std::fmt::Error;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        let bytes = BASE64.decode(text).map_err(|_| std::fmt::Error)?;
        let text = String::from_utf8(bytes).map_err(|_| std::fmt::Error)?;
        let (place, id) = text.rsplit_once('.').ok_or(std::fmt::Error)?;
        let id: LogId = id.parse().map_err(|_| std::fmt::Error)?;
        let numbers: Result<Vec<i64>, _> = place.split('.').map(str::parse).collect();
        match numbers.map_err(|_| std::fmt::Error)?.as_slice() {
            [order, key] => {
                let is_it = |known: &Order| known.number() == *order;
                let order = Order::ALL.into_iter().find(is_it).ok_or(std::fmt::Error)?;
                Ok(Self::Listed(order, (*key, id.to_bytes())))
            }
            [ply, rank, created] => {
                let ply = u32::try_from(*ply).map_err(|_| std::fmt::Error)?;
                let created = Timestamp::from_millis(*created).map_err(|_| std::fmt::Error)?;
                Ok(Self::Branch((ply, *rank, created, id)))
            }
            _ => Err(std::fmt::Error),
        }
    }

    fn encode_cursor(&self) -> String {
        BASE64.encode(match self {
            Self::Listed(order, (key, id)) => format!("{}.{key}.{}", order.number(), LogId::from_bytes(*id)),
            Self::Branch((ply, rank, created, id)) => format!("{ply}.{rank}.{}.{id}", created.as_millis()),
        })
    }
}
