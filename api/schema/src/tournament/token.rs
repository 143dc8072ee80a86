//! Tokens of a tournament's tables.

use async_graphql::{ComplexObject, Context, SimpleObject};
use plybook_events::LogId;
use plybook_service::error::Problem;

use super::super::game::Game;
use super::super::price;
use super::super::scalar::DateTime;
use super::qr::QrCode;

/// A new token of a table, which is shown only once.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct TableToken {
    /// The table.
    pub table: u32,
    /// Eight characters that identify it.
    pub id: String,
    /// The token.
    pub token: String,
    /// When it expires at the latest; it ends with the round.
    pub expires: Option<DateTime>,
    /// The names of those who sit there, by seat.
    pub names: Vec<String>,
    /// The game at the table.
    #[graphql(skip)]
    pub played: Option<LogId>,
}

#[ComplexObject]
impl TableToken {
    /// The game at the table.
    async fn game(&self, ctx: &Context<'_>) -> Option<Game> {
        Game::find(ctx, self.played?)
    }

    /// The link of the table's slip as a QR code: `<base>/table#token=<token>`. The part after `#` reaches no
    /// log and no proxy when the link is opened. `base` is the public address of the service.
    #[graphql(complexity = "price::ENTRANTS")]
    async fn qr(&self, base: String) -> Result<QrCode, Problem> {
        QrCode::of_link(&base, &format!("/table#token={}", self.token))
    }
}
