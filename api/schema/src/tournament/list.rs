//! Lists of tournaments.

use std::sync::Arc;

use async_graphql::Context;
use async_graphql::connection::{Connection, CursorType, EmptyFields};
use plybook_events::LogId;
use plybook_models::TournamentSummary;
use plybook_service::error::Problem;

use super::super::connection::{Page, Total};
use super::super::service;
use super::{Tournament, TournamentFilter};

/// A page of tournaments.
pub type TournamentPage = Connection<TournamentCursor, Tournament, Total, EmptyFields>;

/// A page of the tournaments that a filter accepts, the newest first.
pub fn list_tournaments(
    ctx: &Context<'_>,
    filter: Option<TournamentFilter>,
    page: &Page,
) -> Result<TournamentPage, Problem> {
    let filter = filter.unwrap_or_default().read()?;
    let found = service(ctx).models().known().tournaments.list(&filter);
    let cursor = |tournament: &Arc<TournamentSummary>| {
        TournamentCursor(-tournament.created_at.as_millis(), tournament.id.to_bytes().map(|byte| !byte))
    };
    page.cut(&found, cursor, |tournament| Tournament::listed(Arc::clone(tournament)))
}

/// A cursor: the place of a tournament in the order of creation, the newest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TournamentCursor(i64, [u8; 16]);

impl CursorType for TournamentCursor {
    type Error = std::fmt::Error;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        let (at, id) = text.split_once('.').ok_or(std::fmt::Error)?;
        let id: LogId = id.parse().map_err(|_| std::fmt::Error)?;
        Ok(Self(at.parse().map_err(|_| std::fmt::Error)?, id.to_bytes()))
    }

    fn encode_cursor(&self) -> String {
        format!("{}.{}", self.0, LogId::from_bytes(self.1))
    }
}
