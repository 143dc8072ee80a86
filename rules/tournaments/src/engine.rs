//! The pairing systems that need no more than a report file.

use crate::format::{FormatError, RoundRobin};
use crate::{Entrant, EntrantNumber, History, Pairing, PairingError, dutch, fast};

/// A pairing system that needs no more than a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The FIDE Dutch system.
    Dutch,
    /// Fast Swiss.
    Fast,
    /// A round robin by the Berger tables, as often as the planned rounds say.
    Berger,
}

impl Engine {
    /// The system that a type of tournament is paired by, as record 192 encodes it; `None` for a type that leaves it
    /// open, or is paired in a way that is not known here.
    pub fn of_code(code: &str) -> Option<Self> {
        match code.trim().trim_end_matches("_BAKU") {
            "FIDE_DUTCH" | "FIDE_DUTCH_2025" | "FIDE_DUTCH_2026" => Some(Self::Dutch),
            "FIDE_ROUNDROBIN" | "FIDE_DOUBLEROUNDROBIN" | "BERGER_ROUNDROBIN" => Some(Self::Berger),
            _ => None,
        }
    }

    /// The entrants as the system takes them from a file. Nobody comes late to a round robin: whose line begins with
    /// nothing sat out, and only whose line has nothing at all was not there.
    pub fn entrants(self, history: &History) -> Vec<Entrant> {
        let mut entrants = history.entrants.clone();
        if self == Self::Berger {
            let was_there = |entrant: &&mut Entrant| usize::from(entrant.entered_after) < history.rounds.len();
            entrants.iter_mut().filter(was_there).for_each(|entrant| entrant.entered_after = 0);
        }
        entrants
    }

    /// Pairs the round after those of the history.
    ///
    /// # Errors
    /// See [`PairingError`].
    pub fn pair(self, history: &History, options: &dutch::Options<'_>) -> Result<Pairing, PairingError> {
        match self {
            Self::Dutch => dutch::pair(history, options),
            Self::Fast => fast::pair(history, options),
            Self::Berger => berger(history, options),
        }
    }
}

fn berger(history: &History, options: &dutch::Options<'_>) -> Result<Pairing, PairingError> {
    let history = History { entrants: Engine::Berger.entrants(history), ..history.clone() };
    let entrants = history.starters().count();
    let once = RoundRobin::default().rounds(entrants);
    let rounds = history.rounds_planned.unwrap_or(once);
    let cycles = (1..=4).find(|cycles| RoundRobin { cycles: *cycles }.rounds(entrants) == rounds);
    let cycles = cycles.ok_or(FormatError::Cycles { rounds, entrants, once })?;
    let available: Vec<EntrantNumber> = options.available.iter().copied().collect();
    RoundRobin { cycles }.pair(&history, &available)
}
