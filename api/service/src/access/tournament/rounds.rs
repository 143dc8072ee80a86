//! Rounds: pairing, opening and closing them.

use std::sync::Arc;

use plybook_events::LogId;
use plybook_tournaments::log::{Command, Tournament};

use crate::access::Desk;
use crate::error::Problem;
use crate::{Job, LiveTournament};

impl Desk {
    /// Starts a job that pairs the next round.
    ///
    /// # Errors
    /// The caller does not run the tournament, or see [`crate::Service::pair_round`].
    pub fn pair_round(&self, id: LogId, expected: Option<u64>) -> Result<Arc<Job>, Problem> {
        let live = self.run(id)?;
        self.service.check_writable()?;
        self.service.pair_round(&live, expected)
    }

    /// Stops the pairing of a round.
    ///
    /// # Errors
    /// The caller does not run the tournament, or the command is refused.
    pub fn cancel_pairing(&self, id: LogId) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.cancel_pairing(id);
        Ok(live)
    }

    /// Opens a round: creates its games.
    ///
    /// # Errors
    /// The caller does not run the tournament, or the command is refused.
    pub fn open_round(&self, id: LogId, round: u32, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.open_round(&live, expected, round)?;
        Ok(live)
    }

    /// Takes back the opening of a round: its games become void, and the tokens of its tables end.
    ///
    /// # Errors
    /// The caller does not run the tournament, the command is refused, or one of the games has begun.
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
        self.end_table_tokens(id, round)?;
        Ok(live)
    }
}

fn games_of(tournament: &Tournament, round: u32) -> Vec<LogId> {
    let tables = tournament.round(round).into_iter().flat_map(|round| &round.tables);
    tables.flat_map(|table| &table.games).map(|game| game.id).collect()
}
