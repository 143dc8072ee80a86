//! Mutations of entrants.

use async_graphql::{Context, ID, Object};
use plybook_events::body::{AbsenceAnnounced, AbsenceCancelled};
use plybook_service::Entry;
use plybook_service::error::Problem;

use super::change;
use crate::input::read_id;
use crate::once::{Answered, IdempotencyKey};
use crate::price;
use crate::tournament::Tournament;
use crate::tournament::entrant::ByeKind;
use crate::tournament::input::{EditEntrant, EntrantInput};

/// Mutations of entrants.
#[derive(Default)]
pub struct EntrantMutation;

/// Mutations of entrants.
#[Object]
impl EntrantMutation {
    /// Enters players, all or none: by their ids, or with details; for an entrant without a player, a new one is registered.
    #[graphql(complexity = "price::CHANGE + price::ENTRY * (players.as_ref().map_or(0, Vec::len) \
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

    /// Changes the details of an entrant in this tournament.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn edit_entrant(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        entrant: u16,
        input: EditEntrant,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        let edit = |details: &mut _| {
            input.apply(details);
            Ok(())
        };
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.edit_entrant(id, entrant, edit, expected)
        })
    }

    /// Removes an entry. Refused once the entrant was paired: withdraw the entrant instead.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn remove_entrant(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        entrant: u16,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.remove_entrant(id, entrant, expected)
        })
    }

    /// Withdraws an entrant from a round on, by default from the next unpaired one.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn withdraw(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        entrant: u16,
        from_round: Option<u32>,
        reason: Option<String>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.withdraw(id, entrant, from_round, reason, expected)
        })
    }

    /// Lets a withdrawn entrant play again, by default from the next unpaired round on.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn return_entrant(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        entrant: u16,
        from_round: Option<u32>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.return_entrant(id, entrant, from_round, expected)
        })
    }

    /// Records that an entrant will miss an unpaired round, and the bye that it gets: HALF, FULL or ZERO.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn announce_absence(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        entrant: u16,
        round: u32,
        kind: ByeKind,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        let absence = AbsenceAnnounced { entrant, round, bye: kind.into() };
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.announce_absence(id, absence, expected)
        })
    }

    /// Records that an entrant will play in a round after all.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn cancel_absence(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        entrant: u16,
        round: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Tournament> {
        let cancelled = AbsenceCancelled { entrant, round };
        change(ctx, idempotency_key, &tournament, expected_seq, |desk, id, expected| {
            desk.cancel_absence(id, cancelled, expected)
        })
    }
}
