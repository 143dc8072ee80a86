//! Earlier states of tournaments, and the verification of their logs.

use std::sync::Arc;

use plybook_events::{Event, Hash, LogId, Timestamp};
use plybook_tournaments::log::{Tournament, Verification, verify_while};

use super::super::Service;
use crate::access::{GamePlace, TableNumber};
use crate::error::Problem;
use crate::load::Meter;

/// The most entrants of a round that is paired again within a request.
const PAIRED_AGAIN_MAX: usize = 300;

/// A moment in the past of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// After the event with this seq.
    Seq(u64),
    /// After everything that was recorded up to this time.
    At(Timestamp),
}

impl Service {
    /// A tournament in its state at a moment, with the seq and hash of its last event at the time; `None` if
    /// it did not exist yet.
    ///
    /// # Errors
    /// There is no such tournament, or its log cannot be read.
    pub fn tournament_at(&self, id: LogId, moment: Moment) -> Result<Option<(Arc<Tournament>, u64, Hash)>, Problem> {
        let (head, events) = self.tournament_events(id)?;
        let is_before = |event: &&Event| match moment {
            Moment::Seq(seq) => event.seq <= seq.min(head.seq()),
            Moment::At(at) => event.at <= at && event.seq <= head.seq(),
        };
        let events: Vec<&Event> = events.iter().take_while(is_before).collect();
        let Some(last) = events.last() else { return Ok(None) };
        let hash = Hash::of_event(&last.to_bytes().map_err(Problem::internal)?);
        let seq = last.seq;
        let tournament = Tournament::fold(events).map_err(Problem::internal)?;
        Ok(Some((Arc::new(tournament), seq, hash)))
    }

    /// Verifies a tournament from the bytes of its log. Large rounds are not paired again.
    ///
    /// # Errors
    /// The log cannot be read, or the meter stops it.
    pub fn verify_tournament(&self, id: LogId, meter: &Meter<'_>) -> Result<Verification, Problem> {
        let found = verify_while(id, &self.log().read(id, 0)?, PAIRED_AGAIN_MAX, &|| meter.goes_on());
        meter.check()?;
        Ok(found)
    }

    /// The place where a game is played, to which a token can be limited.
    pub fn place_of(&self, game: LogId) -> GamePlace {
        let known = self.models().known();
        let summary = known.games.get(game);
        let table = summary.as_ref().and_then(|game| game.round.zip(game.table));
        GamePlace {
            game,
            tournament: summary.and_then(|game| game.tournament),
            table: table.map(|(round, table)| TableNumber { round, table }),
        }
    }

    /// Whether a log is that of a tournament.
    pub fn is_tournament(&self, id: LogId) -> bool {
        self.models().known().tournaments.get(id).is_some()
    }
}
