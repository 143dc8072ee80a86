//! Tournaments: loaded, changed, fed by their games, paired by workers.

mod archive;
mod change;
mod examine;
mod explain;
mod feed;
mod games;
mod jobs;
mod past;
mod reports;

use std::sync::Arc;
use std::time::Duration;

use plybook_events::{Body, Event, LogId};
use plybook_store::{Head, Memory};
use plybook_tournaments::log::Tournament;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::Service;
use super::game::{Live, State};
use crate::error::Problem;

pub use archive::is_of_tournament;
pub use archive::verify_any;
pub use change::{Entry, NewTournament};
pub use examine::TournamentExamination;
pub use explain::Explanations;
pub(super) use jobs::Jobs;
pub use jobs::{Job, JobState};
pub use past::Moment;
pub use reports::{NewReport, ReadReport};

/// How long the pairing of a round may take.
const TIME_MAX: Duration = Duration::from_secs(120);

/// The 64ths of the memory that the cache may take.
const PARTS: u64 = 6;

/// The memory of an entrant or a seat in bytes, roughly.
const SEAT_BYTES: u64 = 192;

/// The weight of a tournament in addition to its entrants and seats.
const TOURNAMENT_WEIGHT: u64 = 64;

/// A tournament in memory.
pub type LiveTournament = Live<Tournament>;

/// The tournaments in memory. Those not used recently make room for others.
pub(super) struct Halls(Cache<LogId, Arc<LiveTournament>, Weigh>);

#[derive(Clone)]
struct Weigh;

impl Weighter<LogId, Arc<LiveTournament>> for Weigh {
    fn weight(&self, _id: &LogId, live: &Arc<LiveTournament>) -> u64 {
        let tournament = live.tournament();
        let entrants = tournament.entrants.len();
        // The final number: a round has about as many seats as there are entrants.
        let rounds = tournament.rounds_planned().unwrap_or(16).max(tournament.rounds.len() as u32) as usize;
        TOURNAMENT_WEIGHT + (entrants * (rounds + 1)) as u64
    }
}

impl Halls {
    pub(super) fn new(memory: Memory) -> Self {
        Self(Cache::with_weighter(1_024, memory.parts(PARTS) / SEAT_BYTES, Weigh))
    }
}

impl LiveTournament {
    /// The current tournament. The returned value never changes.
    pub fn tournament(&self) -> Arc<Tournament> {
        self.state().folded
    }

    /// The current tournament, and the last event of its log.
    pub fn at(&self) -> (Arc<Tournament>, Head) {
        let State { folded, head } = self.state();
        (folded, head)
    }
}

impl Service {
    /// Returns a tournament from memory or from its log, with every event acknowledged so far.
    ///
    /// # Errors
    /// There is no such tournament, or its log cannot be folded.
    pub fn tournament(&self, id: LogId) -> Result<Arc<LiveTournament>, Problem> {
        let live = self.halls.0.get_or_insert_with(&id, || self.load_tournament(id).map(Live::new))?;
        self.catch_up_tournament(&live)?;
        Ok(live)
    }

    /// Folds the events that were appended to the log since the tournament in memory was last updated.
    pub(super) fn catch_up_tournament(&self, live: &LiveTournament) -> Result<(), Problem> {
        let state = live.state();
        let id = state.folded.id;
        let Some(head) = self.log().head(id).filter(|head| head.seq() > state.head.seq()) else { return Ok(()) };
        let mut tournament = (*state.folded).clone();
        for event in self.events(id, tournament.events)?.iter().take_while(|event| event.seq <= head.seq()) {
            tournament.apply(event).map_err(Problem::internal)?;
        }
        live.advance(State::new(tournament, head));
        Ok(())
    }

    fn load_tournament(&self, id: LogId) -> Result<State<Tournament>, Problem> {
        let (head, events) = self.tournament_events(id)?;
        let upto = events.iter().take_while(|event| event.seq <= head.seq());
        let tournament = Tournament::fold(upto).map_err(Problem::internal)?;
        Ok(State::new(tournament, head))
    }

    /// The events of a tournament, and its head when they were read.
    fn tournament_events(&self, id: LogId) -> Result<(Head, Vec<Event>), Problem> {
        let head = self.log().head(id).ok_or_else(|| Problem::no_tournament(id))?;
        let events = self.events(id, 0)?;
        match events.first().map(|event| &event.body) {
            Some(Body::TournamentCreated(_)) => Ok((head, events)),
            _ => Err(Problem::no_tournament(id)),
        }
    }
}
