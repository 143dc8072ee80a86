//! Mutations of tournaments. `access` decides who may do what; here, arguments are read and answers shaped.

mod changes;
mod entering;
mod pairing;
mod tokens;

use std::sync::Arc;

use async_graphql::{Context, ID, MergedObject};
use plybook_events::LogId;
use plybook_service::access::Desk;
use plybook_service::error::Problem;
use plybook_service::{LiveTournament, Service, Written};

use self::changes::{RoundMutation, SettingsMutation};
use self::entering::EnteringMutation;
use self::pairing::PairingMutation;
use self::tokens::TokenMutation;
use crate::input::{read_expected, read_id};
use crate::once::{Answered, IdempotencyKey, once};
use crate::tournament::Tournament;
use crate::tournament::round::Round;
use crate::tournament::view::View;

/// Mutations of tournaments.
#[derive(Default, MergedObject)]
pub struct TournamentMutation(EnteringMutation, SettingsMutation, PairingMutation, RoundMutation, TokenMutation);

type Changed = Result<Arc<LiveTournament>, Problem>;

/// Answers with the tournament that `change` has changed, at the caller's desk.
fn change(
    ctx: &Context<'_>,
    key: Option<IdempotencyKey>,
    tournament: &ID,
    expected_seq: Option<i64>,
    change: impl FnOnce(&Desk, LogId, Option<u64>) -> Changed,
) -> Answered<Tournament> {
    let (id, expected) = (read_id(tournament)?, read_expected(expected_seq)?);
    let live = once(ctx, key, |desk| change(desk, id, expected), found)?;
    Ok(Some(Tournament::changed(ctx, &live)))
}

/// Answers with a round of the tournament that `change` has changed.
fn change_round(
    ctx: &Context<'_>,
    key: Option<IdempotencyKey>,
    tournament: &ID,
    round: u32,
    expected_seq: Option<i64>,
    change: impl FnOnce(&Desk, LogId, Option<u64>) -> Changed,
) -> Answered<Round> {
    let (id, expected) = (read_id(tournament)?, read_expected(expected_seq)?);
    Ok(Some(round_of(&*once(ctx, key, |desk| change(desk, id, expected), found)?, round)))
}

/// The tournament that a request was about.
fn found(service: &Service, written: Written) -> Changed {
    service.tournament(written.log)
}

fn round_of(live: &LiveTournament, round: u32) -> Round {
    let (tournament, head) = live.at();
    Round::new(&Arc::new(View::new(tournament, head.seq(), head.hash(), false)), round)
}
