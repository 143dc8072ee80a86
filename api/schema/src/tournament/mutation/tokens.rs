//! Tokens.

use async_graphql::{Context, ID, Object};

use crate::input::read_id;
use crate::once::Answered;
use crate::token::{CreateToken, NewToken, TokenInfo};
use crate::tournament::token::TableToken;
use crate::tournament::view;
use crate::{desk, service};

/// Mutations of tokens.
#[derive(Default)]
pub struct TokenMutation;

/// Mutations of tokens.
#[Object]
impl TokenMutation {
    /// Issues a token to each table of an open round, or to `tables` only. They are shown only once, replace earlier
    /// tokens of these tables, and end with the round.
    #[graphql(complexity = "view::SOME * child_complexity.max(1)")]
    async fn issue_table_tokens(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        tables: Option<Vec<u32>>,
    ) -> Answered<Vec<TableToken>> {
        let id = read_id(&tournament)?;
        let issued = desk(ctx).issue_table_tokens(id, round, tables)?;
        let live = service(ctx).tournament(id)?.tournament();
        let token = |made: plybook_service::access::TableToken| {
            let table = live.round(round).and_then(|round| round.table(made.table));
            let name =
                |number: &u16| live.entrant(*number).map_or_else(String::new, |entrant| entrant.details.name.clone());
            let NewToken { id, token, expires, .. } = NewToken::of(made.issued, None);
            TableToken {
                table: made.table,
                id,
                token,
                expires,
                played: table.and_then(plybook_tournaments::log::Table::game),
                names: table.map_or_else(Vec::new, |table| table.seats.iter().map(name).collect()),
            }
        };
        Ok(Some(issued.into_iter().map(token).collect()))
    }

    /// Creates a token, which is shown only once. For administrators; arbiters may create those of organisers. Tables
    /// and seats get theirs by `issueTableTokens` and `issueGameTokens`.
    async fn create_token(&self, ctx: &Context<'_>, input: CreateToken) -> Answered<NewToken> {
        let request = input.read()?;
        Ok(Some(NewToken::of(desk(ctx).create_token(&request)?, request.tournament)))
    }

    /// Revokes a token by its eight characters, and returns what it allowed. Administrators may revoke any, arbiters
    /// those of tournaments, and organisers those of their tables.
    async fn revoke_token(&self, ctx: &Context<'_>, token: String) -> Answered<TokenInfo> {
        Ok(Some(TokenInfo(desk(ctx).revoke_token(&token)?)))
    }
}
