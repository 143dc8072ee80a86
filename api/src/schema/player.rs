//! People who play.

use std::sync::Arc;

use async_graphql::{Context, ID, Object};

use super::connection::Page;
use super::games::{Games, list_games};
use super::input::GameFilter;
use super::scalar::DateTime;
use crate::error::Problem;
use crate::models::{self, Order};

/// Somebody who plays.
pub struct Player(pub Arc<models::Player>);

/// Somebody who plays.
#[Object]
impl Player {
    /// The id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// When the player became known.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }

    /// The player's games, newest first.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity + 1")]
    async fn games(
        &self,
        ctx: &Context<'_>,
        filter: Option<GameFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<Games, Problem> {
        let mut filter = filter.unwrap_or_default().read()?;
        filter.players.insert(0, self.0.id);
        list_games(ctx, &filter, Order::CreatedDesc, &Page { first, after, ..Page::default() })
    }
}
