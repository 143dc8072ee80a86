//! Mutations of tables: results, forfeits, adjourned games.

use async_graphql::{Context, ID, Object};
use plybook_events::body::{Forfeited, TableReseated};
use plybook_service::access::TableNumber;

use super::change_round;
use crate::once::{Answered, IdempotencyKey};
use crate::price;
use crate::tournament::round::Round;

/// Mutations of tables.
#[derive(Default)]
pub struct TableMutation;

/// Mutations of tables.
#[Object]
impl TableMutation {
    /// Enters a result without a record: `ranking` has groups of seats, best first, such as `[[1],[2]]` if seat 1 won
    /// and `[[1,2]]` for a draw. Refused if the game at the table has begun. Also for the table's own token and for
    /// recorders, while the round is open.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn enter_result(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        ranking: Vec<Vec<u8>>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let at = TableNumber { round, table };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.enter_result(id, at, ranking, expected)
        })
    }

    /// Removes a result that was entered, or a forfeit. `openGame` then gives the table a game.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn clear_result(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        reason: Option<String>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let at = TableNumber { round, table };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.clear_result(id, at, reason, expected)
        })
    }

    /// Decides a table without play: `seats` lose, the others win; if all are named, nobody wins. Refused if the game
    /// at the table has begun.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn forfeit(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        seats: Vec<u8>,
        reason: Option<String>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let forfeited = Forfeited { round, table, seats, reason };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.forfeit(id, &forfeited, expected)
        })
    }

    /// Changes who sits at a table of an open round: `seats` are the numbers of entrants, seat 1 first. Whoever did not come
    /// leaves the table and gets nothing, and the others play another game. Refused if the game at the table has begun.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn reseat_table(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        seats: Vec<u16>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let reseated = TableReseated { round, table, seats };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.reseat(id, &reseated, expected)
        })
    }

    /// Adjourns the game at a table: the round can be closed without its result, and the game counts as drawn when the
    /// next round is paired.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn adjourn(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        until: Option<String>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let at = TableNumber { round, table };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.adjourn(id, at, until, expected)
        })
    }

    /// Records that the adjourned game at a table is resumed.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn resume_game(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let at = TableNumber { round, table };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.resume_game(id, at, expected)
        })
    }

    /// Gives a table another game, if its last one is void and it has no result.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn open_game(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        table: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let at = TableNumber { round, table };
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.open_game(id, at, expected)
        })
    }
}
