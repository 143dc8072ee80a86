//! What the caller's token allows.

use async_graphql::{Context, Object};
use plybook_events::LogId;
use plybook_service::access::Caller;

use super::super::game::Game;
use super::super::player::Player;
use super::super::token::TokenInfo;
use super::super::{caller, desk, service};
use super::Tournament;

/// What the caller's token allows.
pub struct Me(pub Caller);

impl Me {
    /// The sender of the request.
    pub fn of(ctx: &Context<'_>) -> Self {
        Self(caller(ctx).clone())
    }

    /// The game that the token is for; for a table, its current game.
    fn game_id(&self, ctx: &Context<'_>) -> Option<LogId> {
        let (Some(tournament), Some(at)) = (self.0.tournament, self.0.table) else { return self.0.game };
        let live = service(ctx).tournament(tournament).ok()?.tournament();
        live.round(at.round)?.table(at.table)?.game()
    }
}

/// What the caller's token allows.
#[Object]
impl Me {
    /// `spectator`, `player`, `table`, `recorder`, `organiser`, `arbiter` or `admin`.
    async fn role(&self) -> String {
        self.0.role.to_string()
    }

    /// The token itself, without its secret: its label, and when it expires. Null for a spectator.
    async fn token(&self, ctx: &Context<'_>) -> Option<TokenInfo> {
        desk(ctx).own_token().map(TokenInfo)
    }

    /// The player who holds the token.
    async fn player(&self, ctx: &Context<'_>) -> Option<Player> {
        service(ctx).models().known().players.get(self.0.player?).cloned().map(Player)
    }

    /// The tournament that the token is for.
    async fn tournament(&self, ctx: &Context<'_>) -> Option<Tournament> {
        Tournament::find(ctx, self.0.tournament?)
    }

    /// The round that the token is for.
    async fn round(&self) -> Option<u32> {
        self.0.table.map(|at| at.round)
    }

    /// The table that the token is for.
    async fn table(&self) -> Option<u32> {
        self.0.table.map(|at| at.table)
    }

    /// The game that the token is for; for a table, its current game.
    async fn game(&self, ctx: &Context<'_>) -> Option<Game> {
        Game::find(ctx, self.game_id(ctx)?)
    }

    /// The seat that the token is for.
    async fn seat(&self) -> Option<u8> {
        self.0.seat
    }
}
