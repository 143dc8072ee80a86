//! Tables: their games and results.

use std::sync::Arc;

use plybook_events::body::{Forfeited, GameOpened, TableReseated};
use plybook_events::{LogId, Outcome};
use plybook_rules::log::{Command as GameCommand, Replay};
use plybook_tournaments::log::{Command, ResultSource, Tournament};

use crate::LiveTournament;
use crate::access::{Desk, Role, TableNumber};
use crate::clock;
use crate::error::Problem;

impl Desk {
    /// Opens another game at a table.
    ///
    /// # Errors
    /// The caller does not run the tournament, or the table has a result or a game that counts.
    pub fn open_game(&self, id: LogId, at: TableNumber, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.open_game(&live, expected, at.round, at.table)?;
        Ok(live)
    }

    /// Enters a result without a record, at any time. For the tournament's organisers, and, while the round is open, for
    /// the table itself and for recorders. The game at the table, which has not begun, ends with this result.
    ///
    /// # Errors
    /// The caller may not enter results of this table, its round is not open, or the command is refused.
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
        let game = clock::new_id();
        self.service.change_tournament(&live, expected, |tournament| {
            let opens = self.lacks_game(tournament, at) && tournament.finished_at.is_none();
            let opened = opens.then_some(Command::OpenGame(GameOpened { round, table, game }));
            Ok(opened.into_iter().chain([command.clone()]).collect())
        })?;
        self.end_game(&live.tournament(), at)?;
        Ok(live)
    }

    /// Removes a result that was entered, or a forfeit.
    ///
    /// # Errors
    /// The caller does not run the tournament, or the command is refused.
    pub fn clear_result(
        &self,
        id: LogId,
        at: TableNumber,
        reason: Option<String>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.organise(id, &Command::ClearResult { round: at.round, table: at.table, reason }, expected)?;
        self.end_game(&live.tournament(), at)?;
        Ok(live)
    }

    /// Records a forfeit; the game at the table becomes void.
    ///
    /// # Errors
    /// The caller does not run the tournament, the command is refused, or the game at the table has begun.
    pub fn forfeit(
        &self,
        id: LogId,
        forfeited: &Forfeited,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        let at = TableNumber { round: forfeited.round, table: forfeited.table };
        self.check_unplayed(&live.tournament(), at)?;
        self.service.change_tournament(&live, expected, |_| Ok(vec![Command::Forfeit(forfeited.clone())]))?;
        self.void_games(&live, at, "forfeited")?;
        Ok(live)
    }

    /// Changes who sits at a table of an open round: a player who did not come leaves it, and the others play another game.
    ///
    /// # Errors
    /// The caller does not run the tournament, the command is refused, the game at the table has begun, or the game is not
    /// played by so many.
    pub fn reseat(
        &self,
        id: LogId,
        reseated: &TableReseated,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        let at = TableNumber { round: reseated.round, table: reseated.table };
        self.check_unplayed(&live.tournament(), at)?;
        let command = Command::Reseat { reseated: reseated.clone(), game: clock::new_id() };
        self.service.change_tournament(&live, expected, |_| Ok(vec![command.clone()]))?;
        let tournament = live.tournament();
        let games = tournament.round(at.round).and_then(|round| round.table(at.table)).map(|table| &table.games[..]);
        for before in games.and_then(<[_]>::split_last).map_or(&[][..], |(_, before)| before) {
            self.void_if_running(before.id, "others play at the table")?;
        }
        Ok(live)
    }

    /// Checks that no game at a table has begun: such a game is decided in its own log.
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

    /// Checks that a void game may count again: if it is one of a tournament, nothing else decides its table by now.
    pub(in crate::access) fn check_undecided(&self, replay: &Replay, game: LogId) -> Result<(), Problem> {
        let Some(live) = self.service.tournament_of(replay) else { return Ok(()) };
        let tournament = live.tournament();
        let Some((round, table)) = tournament.table_of(game) else {
            return Err(Problem::BadInput(
                "`game`: it is at no table, since the opening of its round was undone".to_owned(),
            ));
        };
        let at = TableNumber { round, table };
        let found = tournament.round(round).and_then(|round| round.table(table));
        if found.is_some_and(|table| table.result.is_some()) || !self.lacks_game(&tournament, at) {
            return Err(Problem::BadInput(format!(
                "`game`: table {table} of round {round} has a result or another game by now: clear the result, or declare the other game void"
            )));
        }
        Ok(())
    }

    /// Whether a table has no game that its result could be the result of.
    fn lacks_game(&self, tournament: &Tournament, at: TableNumber) -> bool {
        let table = tournament.round(at.round).and_then(|round| round.table(at.table));
        let known = self.service.models().known();
        let counts = |game: LogId| known.games.get(game).is_some_and(|game| !game.standing.is_void());
        table.is_some_and(|table| !table.games.iter().any(|game| counts(game.id)))
    }

    /// Ends the game at a table, in which nobody has acted, with the result that was entered, or lets it go on if that was
    /// removed.
    fn end_game(&self, tournament: &Tournament, at: TableNumber) -> Result<(), Problem> {
        let table = tournament.round(at.round).and_then(|round| round.table(at.table));
        let Some(table) = table else { return Ok(()) };
        let entered = table
            .result
            .as_ref()
            .filter(|result| matches!(result.source, ResultSource::Table | ResultSource::Organiser));
        let outcome = entered.map(|result| Outcome::unrecorded(&result.ranking));
        for game in &table.games {
            let Some(known) = self.service.models().known().games.get(game.id) else { continue };
            let standing = &known.standing;
            let is_entered = standing.is_unrecorded();
            let command = match &outcome {
                _ if standing.is_void() || standing.ply > 0 || (standing.end.is_some() && !is_entered) => continue,
                Some(outcome) if standing.outcome() == Some(outcome) => continue,
                Some(outcome) => GameCommand::Adjudicate { outcome: outcome.clone() },
                None if is_entered => GameCommand::Reopen { reason: "the result was removed".to_owned() },
                None => continue,
            };
            self.service.command(&*self.service.game(game.id)?, &[command], None)?;
        }
        Ok(())
    }

    /// Declares the games at a table void, except those that have ended otherwise than by a result that was entered.
    fn void_games(&self, live: &LiveTournament, at: TableNumber, why: &str) -> Result<(), Problem> {
        let tournament = live.tournament();
        let table = tournament.round(at.round).and_then(|round| round.table(at.table));
        for game in table.into_iter().flat_map(|table| &table.games) {
            self.void_if_running(game.id, why)?;
        }
        Ok(())
    }
}
