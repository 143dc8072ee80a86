//! Creating tournaments, and changing their settings.

use async_graphql::{Context, ID, Object};

use super::{change, found};
use crate::once::{Answered, IdempotencyKey, once};
use crate::price;
use crate::tournament::Tournament;
use crate::tournament::input::{CreateTournament, EditTournament};

/// Mutations of the settings of tournaments.
#[derive(Default)]
pub struct SettingsMutation;

/// Mutations of the settings of tournaments.
#[Object]
impl SettingsMutation {
    /// Creates a tournament. For arbiters.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn create_tournament(
        &self,
        ctx: &Context<'_>,
        input: CreateTournament,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        let new = input.read()?;
        let live = once(ctx, idempotency_key, |desk| desk.create_tournament(new), found)?;
        Ok(Some(Tournament::changed(ctx, &live)))
    }

    /// Changes the settings of a tournament. For its organisers and arbiters, like all mutations of tournaments that do not say otherwise.
    /// `expectedSeq` is the seq of the last event that the caller knows; if it is not the last one, the answer is
    /// `LOG_CONFLICT` and nothing is written.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn edit_tournament(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        input: EditTournament,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.edit_tournament(id, expected, |settings| input.apply(settings))
        })
    }
}
