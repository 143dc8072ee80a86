//! What can be changed about tournaments. Who may, is judged in `access`: here arguments are read and answers shaped.

use std::sync::Arc;
use std::time::Duration;

use async_graphql::{Context, ID, Object};
use plybook_events::LogId;
use plybook_events::body::{AbsenceAnnounced, AbsenceCancelled, Forfeited, Received};

use super::super::input::{read_expected, read_id};
use super::super::once::{Answered, IdempotencyKey, once};
use super::super::{desk, price, service};
use super::entrant::ByeKind;
use super::input::{ByeInput, CreateTournament, EditEntrant, EditTournament, EntrantInput, read_byes};
use super::round::Round;
use super::token::{NewToken, TableToken};
use super::view::View;
use super::{Tournament, view};
use crate::access::{Desk, TableNumber};
use crate::error::Problem;
use crate::service::{Entry, Job, JobState, LiveTournament, Service};

/// How long the answer of `pairRound` waits for the pairing.
const PAIRING_WAIT: Duration = Duration::from_secs(3);

/// What can be changed about tournaments.
#[derive(Default)]
pub struct TournamentMutation;

/// The pairing that `pairRound` asked for.
enum Pairing {
    /// It is computed.
    Job(Arc<Job>),
    /// It was written before, with this seq.
    Written(u64),
}

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
fn found(service: &Service, received: &Received) -> Changed {
    service.tournament(received.log)
}

fn round_of(live: &LiveTournament, round: u32) -> Round {
    let (tournament, head) = live.at();
    Round::new(&Arc::new(View::new(tournament, head.seq(), head.hash(), false)), round)
}

/// What can be changed about tournaments.
#[Object]
impl TournamentMutation {
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

    /// Changes what a tournament is. For its organisers and arbiters, as all that follows unless it says otherwise.
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

    /// Enters players, all or none: by their ids, or with more; an entrant without a player becomes a new player.
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

    /// Changes what is known of an entrant in this tournament.
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

    /// Takes back an entry; refused once the entrant was paired: withdraw the entrant then.
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

    /// Withdraws an entrant from a round on; by default from the next one that is not paired.
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

    /// Has an entrant who was withdrawn play again, by default from the next round on that is not paired.
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

    /// Notes that an entrant will not play in a round that is not paired, and what the entrant gets: HALF, FULL or
    /// ZERO.
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

    /// Notes that an entrant will play in a round after all.
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

    /// Pairs the next round by the tournament's system. A worker does it; the answer waits three seconds for it. If
    /// it takes longer, `job` of the round tells how far it is, and `tournamentEvents` brings `paired`. If the round
    /// cannot be paired, the answer is `BAD_INPUT` and says why.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn pair_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        let (id, expected) = (read_id(&tournament)?, read_expected(expected_seq)?);
        let pair = |desk: &Desk| desk.pair_round(id, expected).map(Pairing::Job);
        let job = match once(ctx, idempotency_key, pair, |_, received| Ok(Pairing::Written(received.seq)))? {
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
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn cancel_pairing(&self, ctx: &Context<'_>, tournament: ID) -> Answered<Round> {
        let live = desk(ctx).cancel_pairing(read_id(&tournament)?)?;
        let next = live.tournament().next_round();
        Ok(Some(round_of(&live, next)))
    }

    /// Pairs a round by hand, or changes its pairing, as long as it is not open. If that breaks a rule, it is refused
    /// with `BAD_INPUT`, and `extensions.warnings` has `rule`, `text` and `table` of each, unless `force` is true.
    #[graphql(complexity = "price::CHANGE + price::STANDINGS + child_complexity")]
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
            desk.change_pairing(id, round, tables, byes, force, expected)
        })
    }

    /// Takes back the pairing of the last round that is paired, as long as it is not open.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn unpair_round(
        &self,
        ctx: &Context<'_>,
        tournament: ID,
        round: u32,
        expected_seq: Option<i64>,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Answered<Round> {
        change_round(ctx, idempotency_key, &tournament, round, expected_seq, |desk, id, expected| {
            desk.unpair(id, round, expected)
        })
    }

    /// Opens a round: creates its games, all or none. Who is paired but does not play in it forfeits.
    #[graphql(complexity = "price::OPENING + child_complexity")]
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

    /// Takes back the opening of a round in which nothing was played or entered: its games become void.
    #[graphql(complexity = "price::OPENING + child_complexity")]
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

    /// Breaks off the game at a table: the round can be closed without its result, and counts as drawn when the next
    /// round is paired.
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

    /// Notes that the game at a table that was broken off goes on.
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

    /// Closes a round; refused while results are missing, and says at which tables. The tokens of its tables end.
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

    /// Makes one token for each table of an open round, or for `tables` only. They are shown this once, earlier ones
    /// of these tables end, and all of them end with the round.
    #[graphql(complexity = "price::CHANGE + view::SOME * child_complexity")]
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

    /// Makes a token for somebody who runs the tournament; it is shown this once. For arbiters.
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

    /// Revokes a token of an organiser or a table, by its eight characters; organisers only those of tables. Answers
    /// with the tournament.
    #[graphql(complexity = "price::CHANGE + child_complexity")]
    async fn revoke_tournament_token(&self, ctx: &Context<'_>, tournament: ID, id: String) -> Answered<Tournament> {
        let tournament = read_id(&tournament)?;
        desk(ctx).revoke_tournament_token(tournament, &id)?;
        Ok(Some(Tournament::changed(ctx, &*service(ctx).tournament(tournament)?)))
    }
}
