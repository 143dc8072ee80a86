//! Tournaments compared with their games: the findings of `doctor`.

use plybook_events::LogId;
use plybook_models::{Filter, Order, TournamentFilter, TournamentSummary};
use plybook_tournaments::log::Tournament;

use super::super::Service;
use crate::error::Problem;

/// The finding for a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentExamination {
    /// The tournament.
    pub id: LogId,
    /// Its name.
    pub name: String,
    /// Why its log cannot be folded.
    pub fault: Option<String>,
    /// Games at its tables that are not recorded here, for instance because it was imported without them.
    pub elsewhere: usize,
    /// Games that are recorded here for it, but that its own log does not have.
    pub unknown: usize,
    /// Results of its games that its log does not have yet; the next start adopts them.
    pub untold: usize,
}

impl Service {
    /// Examines every tournament and its games, newest first.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn examine_tournaments(&self) -> Result<Vec<TournamentExamination>, Problem> {
        let all = self.models().known().tournaments.list(&TournamentFilter::default());
        all.iter().map(|of| self.examine(of)).collect()
    }

    fn examine(&self, of: &TournamentSummary) -> Result<TournamentExamination, Problem> {
        let own = Filter { tournament: Some(of.id), is_analysis: Some(false), ..Filter::default() };
        let games = self.models().known().games.select(&own).list(Order::CreatedAsc, None);
        let name = of.settings.name.clone();
        let examined = TournamentExamination { id: of.id, name, fault: None, elsewhere: 0, unknown: 0, untold: 0 };
        let tournament = match Tournament::fold(&self.events(of.id, 0)?) {
            Ok(tournament) => tournament,
            Err(why) => return Ok(TournamentExamination { fault: Some(why.to_string()), ..examined }),
        };
        let tables = tournament.rounds.iter().flat_map(|round| &round.tables);
        let is_here = |id| self.models().known().games.has(id);
        Ok(TournamentExamination {
            elsewhere: tables.flat_map(|table| &table.games).filter(|game| !is_here(game.id)).count(),
            unknown: games.iter().filter(|game| tournament.table_of(**game).is_none()).count(),
            untold: self.untold(&tournament),
            ..examined
        })
    }
}
