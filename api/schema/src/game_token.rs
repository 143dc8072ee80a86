//! Tokens of those who record one game.

use async_graphql::{ComplexObject, SimpleObject};
use plybook_events::LogId;
use plybook_service::access::IssuedToken;
use plybook_service::error::Problem;

use super::price;
use super::scalar::DateTime;
use super::tournament::qr::QrCode;

/// A token of a game's table or of a seat that was just created: it is shown this once.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct GameToken {
    /// The seat that it sees and acts for; null for the table's, which records for every seat.
    pub seat: Option<u8>,
    /// Eight characters that identify it.
    pub id: String,
    /// The token.
    pub token: String,
    /// When it expires.
    pub expires: Option<DateTime>,
    #[graphql(skip)]
    game: LogId,
}

#[ComplexObject]
impl GameToken {
    /// The link to record the game by as a QR code: `<base>/record/<game>#token=<token>`. What follows `#` reaches no
    /// log and no proxy when the link is opened. `base` is the address of the service, as people reach it.
    #[graphql(complexity = "price::ENTRANTS")]
    async fn qr(&self, base: String) -> Result<QrCode, Problem> {
        QrCode::of_link(&base, &format!("/record/{}#token={}", self.game, self.token))
    }
}

impl GameToken {
    /// The token of a game's seat, or of its table.
    pub fn new(game: LogId, seat: Option<u8>, issued: IssuedToken) -> Self {
        let IssuedToken { id, secret, expires } = issued;
        Self { seat, id, token: secret, expires: expires.map(DateTime), game }
    }
}
