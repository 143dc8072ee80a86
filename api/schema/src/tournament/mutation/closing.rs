//! Closing rounds and tournaments, and opening them again.

use async_graphql::{Context, ID, Object};
use plybook_service::access::Desk;

use super::{change, change_round};
use crate::once::{Answered, IdempotencyKey};
use crate::price;
use crate::tournament::Tournament;
use crate::tournament::round::Round;

/// Mutations that close rounds and tournaments.
#[derive(Default)]
pub struct ClosingMutation;

/// Mutations that close rounds and tournaments.
#[Object]
impl ClosingMutation {
    /// Closes a round. Refused while results are missing, with the tables that lack one. The tokens of its tables end.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn end_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.end_round(id, round, expected)
        })
    }

    /// Opens a closed round again, as long as the next one is not open.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn resume_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.resume_round(id, round, expected)
        })
    }

    /// Closes a tournament whose rounds are all closed.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn finish_tournament(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        change(ctx, idempotency_key, &tournament, expected_seq, Desk::finish_tournament)
    }

    /// Opens a closed tournament again.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn resume_tournament(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        change(ctx, idempotency_key, &tournament, expected_seq, Desk::resume_tournament)
    }
}
