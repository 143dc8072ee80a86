//! Creating tournaments, and entering players.

use async_graphql::{Context, ID, Object};
use plybook_service::Entry;
use plybook_service::access::Desk;
use plybook_service::error::Problem;

use super::{change, found};
use crate::input::read_id;
use crate::once::{Answered, IdempotencyKey, once};
use crate::price;
use crate::tournament::Tournament;
use crate::tournament::input::{CreateTournament, EntrantInput};
use crate::tournament::report::ImportTournament;

/// Mutations that create and fill tournaments.
#[derive(Default)]
pub struct EnteringMutation;

/// Mutations that create and fill tournaments.
#[Object]
impl EnteringMutation {
    /// Creates a tournament. For arbiters.
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

    /// Creates a tournament from a report file, with its entrants, rounds and results, all or nothing. `previewTournament` shows
    /// beforehand what is in it. Tables with a result get a game that is over, others one that is running. For arbiters.
    #[graphql(complexity = "input.price() + child_complexity")]
    async fn import_tournament(
        &self,
        ctx: &Context<'_>,
        input: ImportTournament,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        let import = |desk: &Desk| input.read(|new| desk.import_report(new));
        Ok(Some(Tournament::changed(ctx, &*once(ctx, idempotency_key, import, found)?)))
    }

    /// Enters players, all or none: by their ids, or with details; for an entrant without a player, a new one is registered.
    #[graphql(complexity = "price::LIST * (players.as_ref().map_or(0, Vec::len) \
        + entrants.as_ref().map_or(0, Vec::len)) + child_complexity")]
    async fn add_entrants(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        players: Option<Vec<ID>>,
        entrants: Option<Vec<EntrantInput>>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        let by_id = players.unwrap_or_default().into_iter();
        let by_id = by_id.map(|id| Ok(Entry { player: Some(read_id(&id)?), ..Entry::default() }));
        let entries = by_id.chain(entrants.unwrap_or_default().into_iter().map(EntrantInput::read));
        let entries: Vec<Entry> = entries.collect::<Result<_, Problem>>()?;
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| desk.enter(id, entries, expected))
    }
}
