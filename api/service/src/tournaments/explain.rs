//! Why rounds were paired as they were: kept for recent pairings, and computed again for others that are not large.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use plybook_events::LogId;
use plybook_tournaments::log::Tournament;
use plybook_tournaments::{EntrantNumber, Pairing};

use super::super::Service;
use super::Moment;
use crate::error::Problem;
use crate::load::Meter;

/// How many explanations of pairings are kept.
const EXPLAINED_MAX: usize = 64;

/// The most entrants of a round that is paired again for its reasons.
const PAIRED_AGAIN_MAX: usize = 300;

/// A pairing: its tournament, and the seq of the event that has it.
type Key = (LogId, u64);

/// The reasons of the last pairings.
#[derive(Default)]
pub(super) struct Reasons(VecDeque<(Key, Arc<Explanations>)>);

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
        self.0.iter().find(|(known, _)| *known == key).map(|(_, found)| Arc::clone(found))
    }

    fn keep(&mut self, key: Key, explained: Arc<Explanations>) {
        self.0.retain(|(known, _)| *known != key);
        self.0.push_back((key, explained));
        if self.0.len() > EXPLAINED_MAX {
            self.0.pop_front();
        }
    }
}

impl Service {
    /// Why a round was paired like this; `None` if that is not known any more, and the round is large.
    ///
    /// # Errors
    /// The log cannot be read, or the meter stops it.
    pub fn explain(&self, id: LogId, paired_seq: u64, meter: &Meter<'_>) -> Result<Option<Arc<Explanations>>, Problem> {
        let key = (id, paired_seq);
        let known = self.jobs.lock().reasons.get(key);
        if known.is_some() {
            return Ok(known);
        }
        let Some(before) = paired_seq.checked_sub(1) else { return Ok(None) };
        let Some((before, ..)) = self.tournament_at(id, Moment::Seq(before))? else { return Ok(None) };
        let input = before.pairing_input();
        if input.available.len() > PAIRED_AGAIN_MAX {
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

    pub(super) fn keep_explained(&self, key: Key, explained: Arc<Explanations>) {
        self.jobs.lock().reasons.keep(key, explained);
    }
}
