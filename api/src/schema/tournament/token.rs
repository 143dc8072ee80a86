//! Tokens of a tournament's organisers and tables.

use async_graphql::{ComplexObject, ID, SimpleObject};

use super::super::price;
use super::super::scalar::DateTime;
use super::qr::QrCode;
use crate::access::{IssuedToken, TableNumber, Token};
use crate::error::Problem;

/// A token of an organiser or a table, without its secret.
#[derive(SimpleObject)]
pub struct TournamentToken {
    /// Eight characters that identify it.
    id: String,
    /// `organiser` or `table`.
    role: String,
    /// The label that it was created with.
    label: String,
    /// The round of a table's token.
    round: Option<u32>,
    /// The table.
    table: Option<u32>,
    /// When it was created.
    created: DateTime,
    /// When it expires; a table's token ends with its round.
    expires: Option<DateTime>,
}

/// A new token, which is shown only once.
#[derive(SimpleObject)]
pub struct NewToken {
    /// Eight characters that identify it.
    pub id: String,
    /// The token.
    pub token: String,
    /// When it expires.
    pub expires: Option<DateTime>,
}

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
    /// The game at the table.
    pub game: Option<ID>,
    /// The names of those who sit there, by seat.
    pub names: Vec<String>,
}

#[ComplexObject]
impl TableToken {
    /// The link of the table's slip as a QR code: `<base>/table#token=<token>`. The part after `#` reaches no
    /// log and no proxy when the link is opened. `base` is the public address of the service.
    #[graphql(complexity = "price::QR")]
    async fn qr(&self, base: String) -> Result<QrCode, Problem> {
        QrCode::of_link(&base, &format!("/table#token={}", self.token))
    }
}

impl From<Token> for TournamentToken {
    fn from(token: Token) -> Self {
        let Token { id, role, label, table, created, expires, .. } = token;
        let (round, table) = table.map(|TableNumber { round, table }| (round, table)).unzip();
        let (created, expires) = (DateTime(created), expires.map(DateTime));
        Self { id, role: role.to_string(), label, round, table, created, expires }
    }
}

impl From<IssuedToken> for NewToken {
    fn from(issued: IssuedToken) -> Self {
        let IssuedToken { id, secret, expires } = issued;
        Self { id, token: secret, expires: expires.map(DateTime) }
    }
}
