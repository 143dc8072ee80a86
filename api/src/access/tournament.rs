//! Tournaments: who runs one, who enters results, and the tokens of organisers and tables.

use std::sync::Arc;

use plybook_events::body::{
    AbsenceAnnounced, AbsenceCancelled, Adjourned, EntrantBye, EntrantDetails, EntrantEdited, Forfeited, Resumed,
    TournamentSettings,
};
use plybook_events::{LogId, Timestamp};
use plybook_rules::log::Command as GameCommand;
use plybook_tournaments::log::{Command, ResultSource, RoundStatus, Tournament};

use super::caller::{Caller, TableNumber};
use super::desk::Desk;
use super::role::Role;
use super::tokens::{Issued, NewToken, Token, TokensError};
use crate::error::Problem;
use crate::service::{Entry, Job, Live, LiveTournament, NewTournament};

/// How long a table's token is valid at most, in milliseconds: a week. It ends with its round anyway.
const TABLE_TOKEN_MS: i64 = 7 * DAY_MS;

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// The most days for which an organiser's token is valid.
const ORGANISER_DAYS_MAX: u32 = 3_650;

/// The most characters of a token's label.
const LABEL_CHARS_MAX: usize = 100;

/// A token of a table.
#[derive(Clone, Debug)]
pub struct TableToken {
    /// The table.
    pub table: u32,
    /// The token.
    pub issued: Issued,
}

impl Desk {
    /// Whether the caller runs a tournament: as its organiser, or as an arbiter of everything.
    pub fn may_organise(&self, tournament: LogId) -> bool {
        let is_confined = self.caller.game.is_some() || self.caller.table.is_some();
        self.caller.may(Role::Arbiter) && !is_confined && self.caller.tournament.is_none_or(|own| own == tournament)
    }

    /// # Errors
    /// The caller does not run the tournament.
    fn require_organiser(&self, tournament: LogId) -> Result<(), Problem> {
        if self.may_organise(tournament) {
            return Ok(());
        }
        let whose = "the token of the tournament's organiser, or of an arbiter";
        match self.caller.role {
            Role::Spectator => Err(Problem::Unauthenticated(format!("this needs {whose}"))),
            Role::Organiser => Err(self.caller.confined()),
            role => Err(Problem::Forbidden(format!("this needs {whose}; yours is a {role}'s"))),
        }
    }

    /// # Errors
    /// The caller does not decide on everything that is recorded.
    fn require_chief(&self) -> Result<(), Problem> {
        self.caller.require(Role::Arbiter)?;
        self.caller.require_any_game()
    }

    /// # Errors
    /// The round is not open: the tokens of its tables have ended.
    pub(super) fn require_open(&self, tournament: LogId, round: u32) -> Result<(), Problem> {
        let live = self.service.tournament(tournament)?.tournament();
        let is_open = live.round(round).is_some_and(|round| round.status == RoundStatus::Open);
        if is_open { Ok(()) } else { Err(Problem::Forbidden(format!("your token ended with round {round}"))) }
    }

    /// Creates a tournament. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, or as [`crate::service::Service::create_tournament`].
    pub fn create_tournament(&self, new: NewTournament) -> Result<Arc<LiveTournament>, Problem> {
        self.require_chief()?;
        self.service.create_tournament(new)
    }

    /// Changes what a tournament is. For whoever runs it, as everything below.
    ///
    /// # Errors
    /// The caller may not do this, or as [`crate::service::Service::edit_tournament`].
    pub fn edit_tournament(
        &self,
        id: LogId,
        expected: Option<u64>,
        edit: impl Fn(&mut TournamentSettings) -> Result<(), Problem>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.edit_tournament(&live, expected, edit)?;
        Ok(live)
    }

    /// Enters players.
    ///
    /// # Errors
    /// The caller may not do this, or as [`crate::service::Service::enter`].
    pub fn enter(&self, id: LogId, entries: Vec<Entry>, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.enter(&live, expected, entries)?;
        Ok(live)
    }

    /// Changes what is known of an entrant.
    ///
    /// # Errors
    /// The caller may not do this, or the command is refused.
    pub fn edit_entrant(
        &self,
        id: LogId,
        entrant: u16,
        edit: impl Fn(&mut EntrantDetails) -> Result<(), Problem>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.change_tournament(&live, expected, |tournament| {
            let mut details = details_of(tournament, entrant)?;
            edit(&mut details)?;
            Ok(vec![Command::EditEntrant(EntrantEdited { entrant, details })])
        })?;
        Ok(live)
    }

    /// Carries out a command of whoever runs a tournament.
    fn organise(&self, id: LogId, command: Command, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.change_tournament(&live, expected, |_| Ok(vec![command.clone()]))?;
        Ok(live)
    }

    fn run(&self, id: LogId) -> Result<Arc<LiveTournament>, Problem> {
        self.require_organiser(id)?;
        self.service.tournament(id)
    }

    /// Takes back an entry.
    ///
    /// # Errors
    /// The caller may not do this, or the command is refused; the same goes for what follows.
    pub fn remove_entrant(
        &self,
        id: LogId,
        entrant: u16,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::RemoveEntry(entrant), expected)
    }

    /// Withdraws an entrant.
    ///
    /// # Errors
    /// As above.
    pub fn withdraw(
        &self,
        id: LogId,
        entrant: u16,
        from_round: Option<u32>,
        reason: Option<String>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Withdraw { entrant, from_round, reason }, expected)
    }

    /// Has an entrant play again.
    ///
    /// # Errors
    /// As above.
    pub fn return_entrant(
        &self,
        id: LogId,
        entrant: u16,
        from_round: Option<u32>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Return { entrant, from_round }, expected)
    }

    /// Notes that an entrant will not play in a round.
    ///
    /// # Errors
    /// As above.
    pub fn announce_absence(
        &self,
        id: LogId,
        absence: AbsenceAnnounced,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::AnnounceAbsence(absence), expected)
    }

    /// Notes that an entrant will play in a round after all.
    ///
    /// # Errors
    /// As above.
    pub fn cancel_absence(
        &self,
        id: LogId,
        cancelled: AbsenceCancelled,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::CancelAbsence(cancelled), expected)
    }

    /// Has a worker pair the next round.
    ///
    /// # Errors
    /// The caller may not do this, or as [`crate::service::Service::pair_round`].
    pub fn pair_round(&self, id: LogId, expected: Option<u64>) -> Result<Arc<Job>, Problem> {
        let live = self.run(id)?;
        if self.service.is_read_only() {
            return Err(Problem::ReadOnly);
        }
        self.service.pair_round(&live, expected)
    }

    /// Stops the pairing of a round.
    ///
    /// # Errors
    /// As above.
    pub fn cancel_pairing(&self, id: LogId) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.cancel_pairing(id);
        Ok(live)
    }

    /// Pairs a round by hand, or changes its pairing.
    ///
    /// # Errors
    /// As above; [`Problem::Breaks`] if it breaks rules and is not forced.
    pub fn change_pairing(
        &self,
        id: LogId,
        round: u32,
        tables: Vec<Vec<u16>>,
        byes: Vec<EntrantBye>,
        is_forced: bool,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::ChangePairing { round, tables, byes, is_forced }, expected)
    }

    /// Takes back the pairing of a round.
    ///
    /// # Errors
    /// As above.
    pub fn unpair(&self, id: LogId, round: u32, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Unpair(round), expected)
    }

    /// Opens a round: creates its games.
    ///
    /// # Errors
    /// As above.
    pub fn open_round(&self, id: LogId, round: u32, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.open_round(&live, expected, round)?;
        Ok(live)
    }

    /// Takes back the opening of a round: its games become void.
    ///
    /// # Errors
    /// As above; or something was played in one of them.
    pub fn unopen_round(&self, id: LogId, round: u32, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        let games: Vec<LogId> = games_of(&live.tournament(), round);
        let begun = |game: &&LogId| {
            let known = self.service.models().known();
            known.games.get(**game).is_some_and(|game| !game.standing.is_void() && game.standing.ply > 0)
        };
        if let Some(game) = games.iter().find(begun) {
            let at = live.tournament().table_of(*game).map_or(0, |(_, table)| table);
            return Err(Problem::BadInput(format!("the game at table {at} has begun: declare it void first")));
        }
        self.service.change_tournament(&live, expected, |_| Ok(vec![Command::UnopenRound(round)]))?;
        for game in games {
            self.void_if_running(game, "the round was opened by mistake")?;
        }
        Ok(live)
    }

    /// Gives a table another game.
    ///
    /// # Errors
    /// As above; or the table has a result or a game that counts.
    pub fn open_game(&self, id: LogId, at: TableNumber, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.open_game(&live, expected, at.round, at.table)?;
        Ok(live)
    }

    /// Enters a result without a record. For the table itself, for recorders, and for whoever runs the tournament. If
    /// the game at the table has begun, it is decided by the arbiter; if not, it is void.
    ///
    /// # Errors
    /// As above; at the table, the round is closed.
    pub fn enter_result(
        &self,
        id: LogId,
        at: TableNumber,
        ranking: Vec<Vec<u8>>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let is_organiser = self.may_organise(id);
        if !is_organiser {
            self.caller.require(Role::Recorder)?;
            let is_own = self.caller.tournament.is_none_or(|own| own == id)
                && self.caller.table.is_none_or(|own| own == at)
                && self.caller.game.is_none();
            if !is_own {
                return Err(self.caller.confined());
            }
            self.require_open(id, at.round)?;
        }
        let live = self.service.tournament(id)?;
        let TableNumber { round, table } = at;
        let command = Command::EnterResult { round, table, ranking, at_table: !is_organiser };
        self.check_unplayed(&live.tournament(), at)?;
        self.service.change_tournament(&live, expected, |_| Ok(vec![command.clone()]))?;
        self.void_games(&live, at, "the result was entered without a record")?;
        Ok(live)
    }

    /// Removes a result that was entered, or a forfeit.
    ///
    /// # Errors
    /// As above.
    pub fn clear_result(
        &self,
        id: LogId,
        at: TableNumber,
        reason: Option<String>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::ClearResult { round: at.round, table: at.table, reason }, expected)
    }

    /// Decides a table without play; its game becomes void.
    ///
    /// # Errors
    /// As above; or the game at the table has begun.
    pub fn forfeit(
        &self,
        id: LogId,
        forfeited: Forfeited,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        let at = TableNumber { round: forfeited.round, table: forfeited.table };
        self.check_unplayed(&live.tournament(), at)?;
        self.service.change_tournament(&live, expected, |_| Ok(vec![Command::Forfeit(forfeited.clone())]))?;
        self.void_games(&live, at, "forfeited")?;
        Ok(live)
    }

    /// Breaks off the game at a table.
    ///
    /// # Errors
    /// As above.
    pub fn adjourn(
        &self,
        id: LogId,
        at: TableNumber,
        until: Option<String>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Adjourn(Adjourned { round: at.round, table: at.table, until }), expected)
    }

    /// Goes on with the game at a table.
    ///
    /// # Errors
    /// As above.
    pub fn resume_game(
        &self,
        id: LogId,
        at: TableNumber,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Resume(Resumed { round: at.round, table: at.table }), expected)
    }

    /// Closes a round; the tokens of its tables end.
    ///
    /// # Errors
    /// As above; results are missing.
    pub fn end_round(&self, id: LogId, round: u32, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::CloseRound(round), expected)
    }

    /// Opens a closed round again.
    ///
    /// # Errors
    /// As above.
    pub fn resume_round(&self, id: LogId, round: u32, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::ReopenRound(round), expected)
    }

    /// Closes a tournament.
    ///
    /// # Errors
    /// As above.
    pub fn finish_tournament(&self, id: LogId, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Finish, expected)
    }

    /// Opens a closed tournament again.
    ///
    /// # Errors
    /// As above.
    pub fn resume_tournament(&self, id: LogId, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        self.organise(id, Command::Reopen, expected)
    }

    /// Makes a token for each table of an open round, or for some; earlier ones of these tables end.
    ///
    /// # Errors
    /// The caller may not do this, the round is not open, there is no such table, or nothing can be written.
    pub fn issue_table_tokens(
        &self,
        id: LogId,
        round: u32,
        tables: Option<Vec<u32>>,
    ) -> Result<Vec<TableToken>, Problem> {
        let live = self.run(id)?.tournament();
        let open = live.round(round).filter(|round| round.status == RoundStatus::Open);
        let open = open.ok_or_else(|| Problem::BadInput(format!("`round`: round {round} is not open")))?;
        let all = open.tables.len() as u32;
        let mut tables = tables.unwrap_or_else(|| (1..=all).collect());
        tables.sort_unstable();
        tables.dedup();
        if let Some(table) = tables.iter().find(|table| !(1..=all).contains(*table)) {
            return Err(Problem::BadInput(format!("`tables`: round {round} has no table {table}")));
        }
        let expires = after(self.service.clock().now(), TABLE_TOKEN_MS);
        let new = |table: u32| NewToken {
            caller: Caller {
                role: Role::Table,
                tournament: Some(id),
                table: Some(TableNumber { round, table }),
                ..Caller::SPECTATOR
            },
            label: format!("round {round}, table {table}"),
            expires,
        };
        let replaces = |token: &Token| {
            let is_of = |at: TableNumber| at.round == round && tables.contains(&at.table);
            token.tournament == Some(id) && token.table.is_some_and(is_of)
        };
        let issued = self.tokens()?.replace(tables.iter().copied().map(new).collect(), replaces);
        let issued = issued.map_err(unwritten)?;
        Ok(tables.iter().zip(issued).map(|(table, issued)| TableToken { table: *table, issued }).collect())
    }

    /// Makes a token for somebody who runs a tournament. For arbiters.
    ///
    /// # Errors
    /// The caller may not do this, there is no such tournament, or nothing can be written.
    pub fn create_organiser_token(&self, id: LogId, label: &str, days: Option<u32>) -> Result<Issued, Problem> {
        self.require_chief()?;
        self.service.tournament(id)?;
        if label.chars().count() > LABEL_CHARS_MAX || label.chars().any(char::is_control) {
            return Err(Problem::BadInput(format!("`label` has at most {LABEL_CHARS_MAX} printable characters")));
        }
        if days.is_some_and(|days| days == 0 || days > ORGANISER_DAYS_MAX) {
            return Err(Problem::BadInput(format!("`days` is a number from 1 to {ORGANISER_DAYS_MAX}")));
        }
        let expires = days.and_then(|days| after(self.service.clock().now(), i64::from(days) * DAY_MS));
        let caller = Caller { role: Role::Organiser, tournament: Some(id), ..Caller::SPECTATOR };
        let new = vec![NewToken { caller, label: label.to_owned(), expires }];
        Ok(self.tokens()?.replace(new, |_| false).map_err(unwritten)?.remove(0))
    }

    /// The tokens of a tournament's organisers and tables, without their secrets. For whoever runs it.
    ///
    /// # Errors
    /// The caller may not see them.
    pub fn tournament_tokens(&self, id: LogId) -> Result<Vec<Token>, Problem> {
        self.run(id)?;
        let mut tokens = self.tokens()?.list();
        tokens.retain(|token| token.tournament == Some(id));
        Ok(tokens)
    }

    /// Revokes a token of a tournament: organisers those of tables, arbiters any.
    ///
    /// # Errors
    /// The caller may not do this, there is no such token, or nothing can be written.
    pub fn revoke_tournament_token(&self, id: LogId, token: &str) -> Result<(), Problem> {
        let known = self.tournament_tokens(id)?;
        let found = known.iter().find(|known| known.id == token);
        let found = found.ok_or_else(|| Problem::NotFound(format!("the tournament has no token {token}")))?;
        if found.role != Role::Table {
            self.require_chief()?;
        }
        self.tokens()?.revoke(token).map_err(unwritten)?;
        Ok(())
    }

    fn tokens(&self) -> Result<&super::tokens::Tokens, Problem> {
        self.tokens.as_deref().ok_or_else(|| Problem::internal("no tokens are kept here"))
    }

    /// Checks that no game at a table has begun: what was played is decided in the game.
    fn check_unplayed(&self, tournament: &Tournament, at: TableNumber) -> Result<(), Problem> {
        let Some(table) = tournament.round(at.round).and_then(|round| round.table(at.table)) else { return Ok(()) };
        let known = self.service.models().known();
        let has_begun =
            |game: LogId| known.games.get(game).is_some_and(|game| !game.standing.is_void() && game.standing.ply > 0);
        let has_entered = table.result.as_ref().is_some_and(|result| result.source != ResultSource::Game);
        if !has_entered && table.games.iter().any(|game| has_begun(game.id)) {
            let table = at.table;
            return Err(Problem::BadInput(format!(
                "`table`: the game at table {table} has begun: end it, or have an arbiter adjudicate it"
            )));
        }
        Ok(())
    }

    /// Declares the games of a table void in which nothing was played.
    fn void_games(&self, live: &LiveTournament, at: TableNumber, why: &str) -> Result<(), Problem> {
        let tournament = live.tournament();
        let table = tournament.round(at.round).and_then(|round| round.table(at.table));
        for game in table.into_iter().flat_map(|table| &table.games) {
            self.void_if_running(game.id, why)?;
        }
        Ok(())
    }

    fn void_if_running(&self, game: LogId, why: &str) -> Result<(), Problem> {
        let known = self.service.models().known().games.get(game).cloned();
        if known.is_none_or(|game| game.standing.is_void() || game.standing.end.is_some()) {
            return Ok(());
        }
        let live: Arc<Live> = self.service.game(game)?;
        self.service.command(&live, &[GameCommand::Void { reason: why.to_owned() }], None)
    }
}

fn details_of(tournament: &Tournament, entrant: u16) -> Result<EntrantDetails, Problem> {
    let found = tournament.entrant(entrant).map(|entrant| entrant.details.clone());
    found.ok_or_else(|| Problem::BadInput(format!("there is no entrant {entrant}")))
}

fn games_of(tournament: &Tournament, round: u32) -> Vec<LogId> {
    let tables = tournament.round(round).into_iter().flat_map(|round| &round.tables);
    tables.flat_map(|table| &table.games).map(|game| game.id).collect()
}

fn after(now: Timestamp, millis: i64) -> Option<Timestamp> {
    Timestamp::from_millis(now.as_millis() + millis).ok()
}

#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn unwritten(why: TokensError) -> Problem {
    Problem::internal(why)
}
