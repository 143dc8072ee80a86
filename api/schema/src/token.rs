//! Access tokens.

use async_graphql::{ComplexObject, Context, ID, InputObject, Object, SimpleObject};
use plybook_events::LogId;
use plybook_service::access::{IssuedToken, Token, TokenRequest};
use plybook_service::error::Problem;

use super::game::Game;
use super::input::read_id;
use super::player::Player;
use super::price;
use super::scalar::DateTime;
use super::service;
use super::tournament::Tournament;
use super::tournament::qr::QrCode;

/// An access token, without its secret.
pub struct TokenInfo(pub Token);

/// An access token, without its secret.
#[Object(name = "Token")]
impl TokenInfo {
    /// Eight characters that identify it.
    async fn id(&self) -> &str {
        &self.0.id
    }

    /// What it allows: `player`, `table`, `recorder`, `organiser`, `arbiter` or `admin`.
    async fn role(&self) -> String {
        self.0.role.to_string()
    }

    /// The label that it was created with.
    async fn label(&self) -> &str {
        &self.0.label
    }

    /// The player who holds it.
    async fn player(&self, ctx: &Context<'_>) -> Option<Player> {
        service(ctx).models().known().players.get(self.0.player?).cloned().map(Player)
    }

    /// The one game that it is for.
    async fn game(&self, ctx: &Context<'_>) -> Option<Game> {
        Game::find(ctx, self.0.game?)
    }

    /// The seat in that game.
    async fn seat(&self) -> Option<u8> {
        self.0.seat
    }

    /// The one tournament that it is for.
    async fn tournament(&self, ctx: &Context<'_>) -> Option<Tournament> {
        Tournament::find(ctx, self.0.tournament?)
    }

    /// The round of a table's token.
    async fn round(&self) -> Option<u32> {
        self.0.table.map(|at| at.round)
    }

    /// The table.
    async fn table(&self) -> Option<u32> {
        self.0.table.map(|at| at.table)
    }

    /// When it was created.
    async fn created(&self) -> DateTime {
        DateTime(self.0.created)
    }

    /// When it expires; null if it is valid until it is revoked. A table's token ends with its round.
    async fn expires(&self) -> Option<DateTime> {
        self.0.expires.map(DateTime)
    }
}

/// A new token, which is shown only once.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct NewToken {
    /// Eight characters that identify it.
    pub id: String,
    /// The token.
    pub token: String,
    /// When it expires.
    pub expires: Option<DateTime>,
    /// The tournament that an organiser's token is for.
    #[graphql(skip)]
    pub organised: Option<LogId>,
}

#[ComplexObject]
impl NewToken {
    /// The link with which an organiser signs in, as a QR code: `<base>/tournaments/<id>/organise#token=<token>`; null for other
    /// roles. `base` is the public address of the service.
    #[graphql(complexity = "price::ENTRANTS")]
    async fn qr(&self, base: String) -> Result<Option<QrCode>, Problem> {
        let link = |id: LogId| format!("/tournaments/{id}/organise#token={}", self.token);
        self.organised.map(|id| QrCode::of_link(&base, &link(id))).transpose()
    }
}

impl NewToken {
    /// A token of an organiser of this tournament, or of another role.
    pub fn of(issued: IssuedToken, organised: Option<LogId>) -> Self {
        let IssuedToken { id, secret, expires } = issued;
        Self { id, token: secret, expires: expires.map(DateTime), organised }
    }
}

/// A token to create.
#[derive(InputObject)]
pub struct CreateToken {
    /// What it allows: `player`, `recorder`, `organiser`, `arbiter` or `admin`.
    role: String,
    /// What it is for, for those who see the list of tokens.
    label: String,
    /// How many days it is valid; by default, until it is revoked.
    days: Option<u32>,
    /// For the role `player`: the player who holds it, who may act for every seat that this player sits in.
    player: Option<ID>,
    /// The one game that it is for.
    game: Option<ID>,
    /// For the role `player`: the seat in that game.
    seat: Option<u8>,
    /// For the role `organiser`: the tournament.
    tournament: Option<ID>,
}

impl CreateToken {
    /// Reads the input.
    ///
    /// # Errors
    /// There is no such role, or an id is malformed.
    pub fn read(self) -> Result<TokenRequest, Problem> {
        let Self { role, label, days, player, game, seat, tournament } = self;
        let role = role.parse().map_err(|why| Problem::BadInput(format!("`role`: {why}")))?;
        let id = |id: Option<ID>| id.as_ref().map(read_id).transpose();
        Ok(TokenRequest { role, label, days, player: id(player)?, game: id(game)?, seat, tournament: id(tournament)? })
    }
}
