//! Tournaments compared with their games: the findings of `doctor`.

use std::collections::HashMap;
use std::sync::Arc;

use plybook_events::LogId;
use plybook_tournaments::log::Tournament;

use super::super::Service;
use crate::error::Problem;
use crate::models::{TournamentFilter, TournamentSummary};

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
        let (all, mut games) = {
            let known = self.models().known();
            let mut games: HashMap<LogId, Vec<LogId>> = HashMap::new();
            for game in known.games.all().filter(|game| game.fork.is_none()) {
                if let Some(tournament) = game.tournament {
                    games.entry(tournament).or_default().push(game.id);
                }
            }
            (known.tournaments.list(&TournamentFilter::default()), games)
        };
        let examine = |of: &Arc<TournamentSummary>| self.examine(of, &games.remove(&of.id).unwrap_or_default());
        all.iter().map(examine).collect()
    }

    fn examine(&self, of: &TournamentSummary, games: &[LogId]) -> Result<TournamentExamination, Problem> {
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
