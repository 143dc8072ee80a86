//! Why rounds were paired as they were: kept for recent pairings, and computed again for others.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use plybook_events::LogId;
use plybook_tournaments::log::{PairingInput, Tournament};
use plybook_tournaments::{EntrantNumber, Pairing, PairingError};

use super::super::Service;
use super::{Moment, TIME_MAX};
use crate::error::Problem;
use crate::load::Meter;

/// How many explanations of pairings are kept.
const EXPLAINED_MAX: usize = 64;

/// The most entrants of a round that is paired again within a request. Larger rounds are left to a worker.
const AT_ONCE_MAX: usize = 300;

/// How many rounds may wait to be explained by a worker.
const ASKED_MAX: usize = 16;

/// A pairing: its tournament, and the seq of the event that has it.
type Key = (LogId, u64);

/// The reasons of pairings.
#[derive(Default)]
pub(super) struct Reasons {
    known: VecDeque<(Key, Arc<Explanations>)>,
    /// The requested pairings, the one in progress first.
    asked: VecDeque<Key>,
}

/// The reasons of a pairing, by entrant.
#[derive(Debug, Default)]
pub struct Explanations {
    /// Sentences for each table, by its entrants.
    tables: HashMap<Vec<u16>, Vec<String>>,
    /// Sentences for each bye.
    byes: HashMap<u16, Vec<String>>,
}

impl Explanations {
    /// Why these meet; empty if the system did not pair them.
    pub fn table(&self, seats: &[u16]) -> &[String] {
        self.tables.get(seats).map_or(&[], Vec::as_slice)
    }

    /// Why an entrant has the bye.
    pub fn bye(&self, entrant: u16) -> &[String] {
        self.byes.get(&entrant).map_or(&[], Vec::as_slice)
    }

    pub(super) fn new(tournament: &Tournament, ranks: &[u16], pairing: &Pairing) -> Self {
        let entrant = |rank: EntrantNumber| ranks[rank.index()];
        let name = |rank: EntrantNumber| {
            tournament.entrant(entrant(rank)).map_or_else(String::new, |entrant| entrant.details.name.clone())
        };
        let tables = pairing.tables.iter().map(|table| {
            let seats = table.seats.iter().map(|rank| entrant(*rank)).collect();
            (seats, table.reasons.iter().map(|reason| reason.sentence(&name)).collect())
        });
        let byes = pairing
            .byes
            .iter()
            .map(|bye| (entrant(bye.entrant), bye.reasons.iter().map(|reason| reason.sentence(&name)).collect()));
        Self { tables: tables.collect(), byes: byes.collect() }
    }
}

impl Reasons {
    fn get(&self, key: Key) -> Option<Arc<Explanations>> {
        self.known.iter().find(|(known, _)| *known == key).map(|(_, found)| Arc::clone(found))
    }

    fn keep(&mut self, key: Key, explained: Arc<Explanations>) {
        self.known.retain(|(known, _)| *known != key);
        self.asked.retain(|asked| *asked != key);
        self.known.push_back((key, explained));
        if self.known.len() > EXPLAINED_MAX {
            self.known.pop_front();
        }
    }

    /// The next pairing to explain.
    pub(super) fn next(&self) -> Option<Key> {
        self.asked.front().copied()
    }
}

impl Service {
    /// Why a round was paired like this; `None` if that is unknown, or not known yet: a worker pairs large
    /// rounds again.
    ///
    /// # Errors
    /// The log cannot be read, or the meter stops it.
    pub fn explain(&self, id: LogId, paired_seq: u64, meter: &Meter<'_>) -> Result<Option<Arc<Explanations>>, Problem> {
        let key = (id, paired_seq);
        {
            let jobs = self.jobs.lock();
            if let Some(found) = jobs.reasons.get(key) {
                return Ok(Some(found));
            }
            if jobs.reasons.asked.contains(&key) {
                return Ok(None);
            }
        }
        let Some((before, input)) = self.paired_from(key)? else { return Ok(None) };
        if input.available.len() > AT_ONCE_MAX {
            let mut jobs = self.jobs.lock();
            if jobs.reasons.asked.len() < ASKED_MAX {
                jobs.reasons.asked.push_back(key);
                self.start_worker(&mut jobs)?;
            }
            return Ok(None);
        }
        let progress =
            |_: usize, _: usize| if meter.goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        let computed = input.pair(&before.rules, &progress);
        meter.check()?;
        let Ok(computed) = computed else { return Ok(None) };
        let explained = Arc::new(Explanations::new(&before, input.ranks.entrants(), &computed.pairing));
        self.keep_explained(key, Arc::clone(&explained));
        Ok(Some(explained))
    }

    /// The tournament before a pairing, and the input of the pairing.
    fn paired_from(&self, (id, paired_seq): Key) -> Result<Option<(Arc<Tournament>, PairingInput)>, Problem> {
        let Some(before) = paired_seq.checked_sub(1) else { return Ok(None) };
        let Some((before, ..)) = self.tournament_at(id, Moment::Seq(before))? else { return Ok(None) };
        let input = before.pairing_input();
        Ok(Some((before, input)))
    }

    pub(super) fn keep_explained(&self, key: Key, explained: Arc<Explanations>) {
        self.jobs.lock().reasons.keep(key, explained);
    }

    /// Pairs a large round again for its reasons. Gives way to a round that has to be paired, and starts over
    /// afterwards; a pairing that cannot be explained is kept without reasons, so that it is not tried again
    /// and again.
    pub(super) fn explain_now(&self, key: Key) {
        let explained = catch_unwind(AssertUnwindSafe(|| self.pair_again(key)));
        match explained.unwrap_or_else(|_| Err(Problem::internal("explaining a round panicked"))) {
            Ok(Some(explained)) => self.keep_explained(key, Arc::new(explained)),
            Ok(None) => {}
            Err(why) => {
                tracing::error!(%why, tournament = %key.0, "a pairing cannot be explained");
                self.keep_explained(key, Arc::default());
            }
        }
    }

    /// The reasons of a pairing; `None` if another one has to be computed first.
    fn pair_again(&self, key: Key) -> Result<Option<Explanations>, Problem> {
        let Some((before, input)) = self.paired_from(key)? else { return Ok(Some(Explanations::default())) };
        let deadline = Instant::now() + TIME_MAX;
        let progress = |_: usize, _: usize| {
            let stops = self.jobs.lock().is_waited_for() || Instant::now() > deadline;
            if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match input.pair(&before.rules, &progress) {
            Ok(computed) => Ok(Some(Explanations::new(&before, input.ranks.entrants(), &computed.pairing))),
            Err(PairingError::Cancelled) if Instant::now() <= deadline => Ok(None),
            Err(_) => Ok(Some(Explanations::default())),
        }
    }
}
