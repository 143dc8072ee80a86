//! Tournaments compared with their games: the findings of `doctor`.

use plybook_events::LogId;
use plybook_models::{Filter, Order, TournamentFilter, TournamentSummary};
use plybook_tournaments::log::{ResultSource, Table, Tournament};

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
        let known = self.models().known();
        let is_here = |id| known.games.has(id);
        // Nobody played at a table that was forfeited, and a round whose opening was undone leaves void games.
        let was_played =
            |table: &&Table| table.result.as_ref().is_none_or(|result| result.source != ResultSource::Forfeit);
        let is_unplayed = |id| known.games.get(id).is_some_and(|game| game.standing.is_unplayed());
        let elsewhere =
            tables.filter(was_played).flat_map(|table| &table.games).filter(|game| !is_here(game.id)).count();
        let is_stray = |game: &&LogId| tournament.table_of(**game).is_none() && !is_unplayed(**game);
        let unknown = games.iter().filter(is_stray).count();
        drop(known);
        Ok(TournamentExamination { elsewhere, unknown, untold: self.untold(&tournament), ..examined })
    }
}
