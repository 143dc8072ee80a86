//! Entrants: who takes part, and in which rounds.

use std::sync::Arc;

use plybook_events::LogId;
use plybook_events::body::{EntrantDetails, EntrantEdited};
use plybook_tournaments::log::{Command, Tournament};

use crate::access::Desk;
use crate::error::Problem;
use crate::people::check_country;
use crate::{Entry, LiveTournament};

impl Desk {
    /// Enters players.
    ///
    /// # Errors
    /// The caller does not run the tournament, or see [`crate::Service::enter`].
    pub fn enter(&self, id: LogId, entries: Vec<Entry>, expected: Option<u64>) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.enter(&live, expected, entries)?;
        Ok(live)
    }

    /// Changes the details of an entrant.
    ///
    /// # Errors
    /// The caller does not run the tournament, or the command is refused.
    pub fn edit_entrant(
        &self,
        id: LogId,
        entrant: u16,
        edit: impl Fn(&mut EntrantDetails) -> Result<(), Problem>,
        expected: Option<u64>,
    ) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.run(id)?;
        self.service.change_tournament(&live, expected, |tournament| {
            let before = details_of(tournament, entrant)?;
            let mut details = before.clone();
            edit(&mut details)?;
            // What was imported may have another.
            if details.country != before.country {
                details.country = details.country.as_deref().map(check_country).transpose()?;
            }
            Ok(vec![Command::EditEntrant(EntrantEdited { entrant, details })])
        })?;
        Ok(live)
    }
}

fn details_of(tournament: &Tournament, entrant: u16) -> Result<EntrantDetails, Problem> {
    let found = tournament.entrant(entrant).map(|entrant| entrant.details.clone());
    found.ok_or_else(|| Problem::BadInput(format!("there is no entrant {entrant}")))
}
