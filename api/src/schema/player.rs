//! Players.

use std::sync::Arc;

use async_graphql::{Context, ID, Object};

use super::connection::Page;
use super::explorer::Results;
use super::games::{GamePage, list_games};
use super::input::{GameFilter, read_id};
use super::scalar::DateTime;
use super::statistics::Statistics;
use super::{price, service};
use crate::error::Problem;
use crate::models::{self, Filter, GameResult, Order};

/// A player.
pub struct Player(pub Arc<models::Player>);

/// A player.
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

    /// When the player was registered.
    async fn created_at(&self) -> DateTime {
        DateTime(self.0.created_at)
    }

    /// The player's games, newest first.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity + price::LIST")]
    async fn games(
        &self,
        ctx: &Context<'_>,
        filter: Option<GameFilter>,
        first: Option<i32>,
        after: Option<String>,
    ) -> Result<GamePage, Problem> {
        let mut filter = filter.unwrap_or_default().read()?;
        filter.players.insert(0, self.0.id);
        list_games(ctx, &filter, Order::CreatedDesc, &Page { first, after, ..Page::default() })
    }

    /// Statistics of the player's games of a kind; luck counts only the player's own.
    #[graphql(complexity = "price::STATISTICS + child_complexity")]
    async fn statistics(
        &self,
        ctx: &Context<'_>,
        kind: String,
        filter: Option<GameFilter>,
    ) -> Result<Statistics, Problem> {
        let mut filter = filter.unwrap_or_default().read()?;
        filter.players.insert(0, self.0.id);
        Statistics::of(service(ctx), &kind, filter, Some(self.0.id))
    }

    /// The results of all games in which both this player and the opponent sat, without void games. `wins`
    /// has two entries: games that this player won and the opponent did not, and the reverse. `draws` counts
    /// games that neither or both won, `other` games that are still running or that a third player won.
    #[graphql(complexity = "price::SORTED + child_complexity")]
    async fn against(&self, ctx: &Context<'_>, opponent: ID, kind: Option<String>) -> Result<Results, Problem> {
        let opponent = read_id(&opponent)?;
        let known = service(ctx).models().known();
        if known.players.get(opponent).is_none() {
            return Err(Problem::NotFound(format!("there is no player {opponent}")));
        }
        if opponent == self.0.id {
            return Err(Problem::BadInput("`opponent` is another player".to_owned()));
        }
        let (players, is_analysis) = (vec![self.0.id, opponent], Some(false));
        let filter = Filter { kind, players, is_analysis, without_void: true, ..Filter::default() };
        let mut results = Results { wins: vec![0, 0], draws: 0, other: 0 };
        for game in known.games.list(&filter, Order::CreatedAsc) {
            match (game.result(), game.is_won_by(self.0.id), game.is_won_by(opponent)) {
                (GameResult::Drawn, ..) | (_, true, true) => results.draws += 1,
                (_, true, false) => results.wins[0] += 1,
                (_, false, true) => results.wins[1] += 1,
                _ => results.other += 1,
            }
        }
        Ok(results)
    }
}
