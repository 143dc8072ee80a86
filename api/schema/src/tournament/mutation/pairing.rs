//! Pairing rounds, and opening them.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Context, ID, Object};
use plybook_service::access::Desk;
use plybook_service::{Job, JobState};
use plybook_tournaments::log::Command;

use super::{change_round, round_of};
use crate::input::{read_expected, read_id};
use crate::once::{Answered, IdempotencyKey, once};
use crate::tournament::input::{ByeInput, read_byes};
use crate::tournament::round::Round;
use crate::{desk, price, service};

/// How long the answer of `pairRound` waits for the pairing.
const PAIRING_WAIT: Duration = Duration::from_secs(3);

/// Mutations that pair and open rounds.
#[derive(Default)]
pub struct PairingMutation;

/// The pairing that `pairRound` requested.
enum Pairing {
    /// It is computed.
    Job(Arc<Job>),
    /// It was written before, with this seq.
    Written(u64),
}

/// Mutations that pair and open rounds.
#[Object]
impl PairingMutation {
    /// Pairs the next round by the tournament's system. A worker does it, for which the answer waits three
    /// seconds. If it takes longer, `job` of the round shows its progress, and `tournamentEvents` sends `paired`. If the
    /// round cannot be paired, the answer is `BAD_INPUT` with the reason.
    async fn pair_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let (id, expected) = (read_id(&tournament)?, read_expected(expected_seq)?);
        let pair = |desk: &Desk| desk.pair_round(id, expected).map(Pairing::Job);
        let job = match once(ctx, idempotency_key, pair, |_, written| Ok(Pairing::Written(written.seq)))? {
            Pairing::Job(job) => job,
            Pairing::Written(seq) => {
                let live = service(ctx).tournament(id)?;
                let tournament = live.tournament();
                let paired = (1..).zip(&tournament.rounds).find(|(_, round)| round.paired_seq == seq);
                return Ok(Some(round_of(&live, paired.map_or_else(|| tournament.next_round(), |(round, _)| round))));
            }
        };
        job.over(PAIRING_WAIT).await;
        if let JobState::Failed(why) = job.state() {
            return Err(why);
        }
        Ok(Some(round_of(&*service(ctx).tournament(id)?, job.round)))
    }

    /// Stops a pairing that is being computed.
    async fn cancel_pairing(&self, ctx: &Context<'_>, tournament: ID) -> Answered<Round> {
        let live = desk(ctx).cancel_pairing(read_id(&tournament)?)?;
        let next = live.tournament().next_round();
        Ok(Some(round_of(&live, next)))
    }

    /// Pairs a round by hand, or changes its pairing, as long as it is not open. `byes` are all who do not play; without
    /// it, those who did not so far, or announced it, as far as they are at no table. If the pairing breaks a rule, it is refused
    /// with `BAD_INPUT`, and `extensions.warnings` has `rule`, `text` and `table` of each, unless `force` is true.
    #[graphql(complexity = "price::ENTRANTS + child_complexity")]
    async fn change_pairing(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        tables: Vec<Vec<u16>>,
        byes: Option<Vec<ByeInput>>,
        force: Option<bool>,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let (byes, force) = (read_byes(byes), force.unwrap_or_default());
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            let command = Command::ChangePairing { round, tables, byes, is_forced: force };
            desk.organise(id, &command, expected)
        })
    }

    /// Opens a round: creates its games, all or none. An entrant who is paired but absent forfeits.
    #[graphql(complexity = "price::PAIRING + child_complexity")]
    async fn open_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.open_round(id, round, expected)
        })
    }

    /// Undoes the opening of a round in which nothing was played or entered; its games become void.
    #[graphql(complexity = "price::PAIRING + child_complexity")]
    async fn unopen_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.unopen_round(id, round, expected)
        })
    }
}
