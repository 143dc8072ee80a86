//! Changes to a tournament that have everything in common but their arguments.

use async_graphql::{Context, ID, Object};
use plybook_events::body::{AbsenceAnnounced, AbsenceCancelled, Adjourned, Forfeited, Resumed, TableReseated};
use plybook_service::access::TableNumber;
use plybook_tournaments::log::Command;

use super::{change, change_round};
use crate::once::{Answered, IdempotencyKey};
use crate::tournament::Tournament;
use crate::tournament::entrant::ByeKind;
use crate::tournament::input::{EditEntrant, EditTournament};
use crate::tournament::round::Round;

/// Mutations of one tournament: each takes the tournament first, and last what it is expected to be and a key.
macro_rules! mutations {
    ($object:ident, $answer:ty, $change:ident;
     $($(#[$($about:tt)*])* $field:ident($($arg:ident: $type:ty),*) $(in $round:ident)? $apply:expr;)*) => {
        #[derive(Default)]
        pub struct $object;

        /// Mutations of one tournament.
        #[Object]
        impl $object {
            $(
                $(#[$($about)*])*
                async fn $field(
                    &self,
                    ctx: &Context<'_>,
                    tournament: ID,
                    $($arg: $type,)*
                    expected_seq: Option<i64>,
                    idempotency_key: Option<IdempotencyKey>,
                ) -> Answered<$answer> {
                    $change(ctx, idempotency_key, &tournament, $($round,)? expected_seq, $apply)
                }
            )*
        }
    };
}

mutations! {
    SettingsMutation, Tournament, change;

    /// Changes the settings of a tournament. For its organisers and arbiters, like all mutations of tournaments that do not say otherwise.
    /// `expectedSeq` is the seq of the last event that the caller knows; if it is not the last one, the answer is
    /// `LOG_CONFLICT` and nothing is written.
    edit_tournament(input: EditTournament) |desk, id, expected| {
        desk.edit_tournament(id, expected, |settings| input.apply(settings))
    };

    /// Changes the details of an entrant in this tournament.
    edit_entrant(entrant: u16, input: EditEntrant) |desk, id, expected| {
        let edit = |details: &mut _| {
            input.apply(details);
            Ok(())
        };
        desk.edit_entrant(id, entrant, edit, expected)
    };

    /// Removes an entry. Refused once the entrant was paired: withdraw the entrant instead.
    remove_entrant(entrant: u16) |desk, id, expected| {
        desk.organise(id, &Command::RemoveEntry(entrant), expected)
    };

    /// Withdraws an entrant from a round on, by default from the next unpaired one.
    withdraw(entrant: u16, from_round: Option<u32>, reason: Option<String>) |desk, id, expected| {
        desk.organise(id, &Command::Withdraw { entrant, from_round, reason }, expected)
    };

    /// Lets a withdrawn entrant play again, by default from the next unpaired round on.
    return_entrant(entrant: u16, from_round: Option<u32>) |desk, id, expected| {
        desk.organise(id, &Command::Return { entrant, from_round }, expected)
    };

    /// Records that an entrant will miss an unpaired round, and the bye that it gets: HALF, FULL or ZERO.
    announce_absence(entrant: u16, round: u32, kind: ByeKind) |desk, id, expected| {
        let absence = AbsenceAnnounced { entrant, round, bye: kind.into() };
        desk.organise(id, &Command::AnnounceAbsence(absence), expected)
    };

    /// Records that an entrant will play in a round after all.
    cancel_absence(entrant: u16, round: u32) |desk, id, expected| {
        desk.organise(id, &Command::CancelAbsence(AbsenceCancelled { entrant, round }), expected)
    };

    /// Closes a tournament whose rounds are all closed.
    finish_tournament() |desk, id, expected| desk.organise(id, &Command::Finish, expected);

    /// Opens a closed tournament again.
    resume_tournament() |desk, id, expected| desk.organise(id, &Command::Reopen, expected);
}

mutations! {
    RoundMutation, Round, change_round;

    /// Undoes the pairing of the last paired round, as long as it is not open.
    unpair_round(round: u32) in round |desk, id, expected| desk.organise(id, &Command::Unpair(round), expected);

    /// Enters a result without a record: `ranking` has groups of seats, best first, such as `[[1],[2]]` if seat 1 won
    /// and `[[1,2]]` for a draw. Refused if the game at the table has begun. Also for the table's own token and for
    /// recorders, while the round is open.
    enter_result(round: u32, table: u32, ranking: Vec<Vec<u8>>) in round |desk, id, expected| {
        desk.enter_result(id, TableNumber { round, table }, ranking, expected)
    };

    /// Removes a result that was entered, or a forfeit. `openGame` then gives the table a game.
    clear_result(round: u32, table: u32, reason: Option<String>) in round |desk, id, expected| {
        desk.clear_result(id, TableNumber { round, table }, reason, expected)
    };

    /// Decides a table without play: `seats` lose, the others win; if all are named, nobody wins. Refused if the game
    /// at the table has begun.
    forfeit(round: u32, table: u32, seats: Vec<u8>, reason: Option<String>) in round |desk, id, expected| {
        desk.forfeit(id, &Forfeited { round, table, seats, reason }, expected)
    };

    /// Changes who sits at a table of an open round: `seats` are the numbers of entrants, seat 1 first. Whoever did not come
    /// leaves the table and gets nothing, and the others play another game. Refused if the game at the table has begun.
    reseat_table(round: u32, table: u32, seats: Vec<u16>) in round |desk, id, expected| {
        desk.reseat(id, &TableReseated { round, table, seats }, expected)
    };

    /// Adjourns the game at a table: the round can be closed without its result, and the game counts as drawn when the
    /// next round is paired.
    adjourn(round: u32, table: u32, until: Option<String>) in round |desk, id, expected| {
        desk.organise(id, &Command::Adjourn(Adjourned { round, table, until }), expected)
    };

    /// Records that the adjourned game at a table is resumed.
    resume_game(round: u32, table: u32) in round |desk, id, expected| {
        desk.organise(id, &Command::Resume(Resumed { round, table }), expected)
    };

    /// Gives a table another game, if its last one is void and it has no result.
    open_game(round: u32, table: u32) in round |desk, id, expected| {
        desk.open_game(id, TableNumber { round, table }, expected)
    };

    /// Closes a round. Refused while results are missing, with the tables that lack one. The tokens of its tables end.
    end_round(round: u32) in round |desk, id, expected| desk.organise(id, &Command::CloseRound(round), expected);

    /// Opens a closed round again, as long as the next one is not open.
    resume_round(round: u32) in round |desk, id, expected| {
        desk.organise(id, &Command::ReopenRound(round), expected)
    };
}
