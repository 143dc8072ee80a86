//! Pairing the next round by the tournament's system.

use std::ops::ControlFlow;

use plybook_events::body::{Bye, EntrantBye, Paired, PairingEngine};

use super::input::PairingInput;
use super::settings::Rules;
use super::tournament::Tournament;
use crate::{ByeKind, Format, Pairing, PairingError, PairingOptions, System};

/// A pairing computed by a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemPairing {
    /// What the log says about it.
    pub paired: Paired,
    /// The answer of the system, by starting ranks, with its reasons.
    pub pairing: Pairing,
}

/// The name and version of the system that pairs a format; `None` if it is paired by hand.
///
/// The same version pairs the same input in the same way.
pub fn engine_of(format: &Format) -> Option<(&'static str, &'static str)> {
    match format {
        Format::Swiss(swiss) => Some(match swiss.system {
            System::Dutch => ("dutch", "2026-1"),
            System::Fast => ("fast-swiss", "1"),
        }),
        Format::RoundRobin(_) => Some(("berger", "1")),
        Format::Pods(_) => Some(("pods", "1")),
        Format::KnockOut(_) => Some(("knock-out", "1")),
        Format::Groups(_) => Some(("groups", "1")),
        Format::Free(_) => None,
    }
}

impl PairingInput {
    /// Pairs the round. `progress` gets the number of entrants paired so far and the total, and may stop it.
    ///
    /// # Errors
    /// Why the round cannot be paired.
    pub fn pair(
        &self,
        rules: &Rules,
        progress: &dyn Fn(usize, usize) -> ControlFlow<()>,
    ) -> Result<SystemPairing, PairingError> {
        let (name, version) = engine_of(&rules.format).ok_or(PairingError::ByHand)?;
        let options = PairingOptions { progress, forbidden: &self.forbidden, ..PairingOptions::new(&self.available) };
        let pairing = rules.format.pair(&self.history, &rules.standings, &rules.seats, &options)?;
        let entrant = |rank| self.ranks.entrant(rank);
        let tables = pairing.tables.iter().map(|table| table.seats.iter().map(|rank| entrant(*rank)).collect());
        let bye = if rules.format.bye() == ByeKind::Pairing { Bye::Pairing } else { Bye::Zero };
        let left = pairing.byes.iter().map(|left| EntrantBye { bye, entrant: entrant(left.entrant) });
        // In formats that draw all opponents at the start, absent entrants are at a table all the same, and
        // lose by forfeit.
        let is_paired = |number: u16| pairing.everybody().any(|rank| entrant(rank) == number);
        let absent = self.absent.iter().copied().filter(|absent| !rules.is_drawn() || !is_paired(absent.entrant));
        let byes = left.chain(absent);
        let engine = PairingEngine { name: name.to_owned(), version: version.to_owned(), input: self.hash() };
        let (tables, byes) = (tables.collect(), byes.collect());
        Ok(SystemPairing { paired: Paired { round: self.round, engine: Some(engine), tables, byes }, pairing })
    }
}

impl Tournament {
    /// The entrants who take part in the next round without playing, and what that gives.
    pub(super) fn absent(&self) -> Vec<EntrantBye> {
        self.announced(self.next_round()).collect()
    }

    /// The byes that were announced for a round by those who take part in it.
    pub(super) fn announced(&self, round: u32) -> impl Iterator<Item = EntrantBye> {
        let there = self.entrants().filter(move |entrant| entrant.takes_part(round));
        there.filter_map(move |entrant| {
            Some(EntrantBye { bye: *entrant.absences.get(&round)?, entrant: entrant.number })
        })
    }

    /// The byes of a round that is paired by hand, if nobody says which: as they are or, in an unpaired round, as they
    /// were announced, without those who sit at one of the tables.
    pub fn byes_kept(&self, round: u32, tables: &[Vec<u16>]) -> Vec<EntrantBye> {
        let byes = self.round(round).map_or_else(|| self.announced(round).collect(), |paired| paired.byes.clone());
        byes.into_iter().filter(|bye| !tables.iter().flatten().any(|seated| *seated == bye.entrant)).collect()
    }
}
