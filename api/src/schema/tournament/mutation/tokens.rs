//! Tokens of organisers and tables.

use async_graphql::{Context, ID, Object};

use crate::schema::input::read_id;
use crate::schema::once::Answered;
use crate::schema::tournament::token::{NewToken, TableToken};
use crate::schema::tournament::{Tournament, view};
use crate::schema::{desk, price, service};

/// Mutations of tokens.
#[derive(Default)]
pub struct TokenMutation;

/// Mutations of tokens.
#[Object]
impl TokenMutation {
    /// Issues a token to each table of an open round, or to `tables` only. They are shown only once, replace earlier
    /// tokens of these tables, and end with the round.
    #[graphql(complexity = "price::CHANGE + view::SOME * child_complexity.max(1)")]
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
        let token = |made: crate::access::TableToken| {
            let table = live.round(round).and_then(|round| round.table(made.table));
            let name =
                |number: &u16| live.entrant(*number).map_or_else(String::new, |entrant| entrant.details.name.clone());
            let NewToken { id, token, expires } = made.issued.into();
            TableToken {
                table: made.table,
                id,
                token,
                expires,
                game: table.and_then(plybook_tournaments::log::Table::game).map(|game| game.to_string().into()),
                names: table.map_or_else(Vec::new, |table| table.seats.iter().map(name).collect()),
            }
        };
        Ok(Some(issued.into_iter().map(token).collect()))
    }

    /// Creates a token for an organiser of the tournament, which is shown only once. For arbiters.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn create_organiser_token(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        label: String,
        days: Option<u32>,
    ) -> Answered<NewToken> {
        Ok(Some(desk(ctx).create_organiser_token(read_id(&tournament)?, &label, days)?.into()))
    }

    /// Revokes a token of an organiser or a table, by its eight characters; organisers may revoke those of tables.
    /// Returns the tournament.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn revoke_tournament_token(&self, ctx: &Context<'_>, tournament: ID, id: String) -> Answered<Tournament> {
        let tournament = read_id(&tournament)?;
        desk(ctx).revoke_tournament_token(tournament, &id)?;
        Ok(Some(Tournament::changed(ctx, &*service(ctx).tournament(tournament)?)))
    }
}
