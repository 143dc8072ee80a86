//! Knock-outs.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::bracket::{Bracket, Match, first_seat};
use super::{FormatError, FormatReason, Reached, in_range};
use crate::{EntrantNumber, History, PairedBye, PairedTable, Pairing, PairingError, Reason, Round};

/// How many entrants a knock-out allows.
pub const ENTRANTS: RangeInclusive<usize> = 2..=1_024;

/// The loser of a match is eliminated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnockOut {
    /// How many games a match has: 1 to 15. It ends as soon as one side has more than half of the points.
    #[serde(default = "one")]
    pub best_of: u8,
    /// Whether the losers of the semi-finals play for third place.
    #[serde(default)]
    pub has_third_place: bool,
    /// What happens when a match is level after its games.
    #[serde(default)]
    pub level: Level,
}

/// What happens when a match is level after its games.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "then", rename_all = "snake_case", deny_unknown_fields)]
pub enum Level {
    /// Games are added, with seats changed each time, until one is won. The arbiter may decide one of them as
    /// a forfeit.
    #[default]
    Replay,
    /// A fixed number of games is added; if they are level too, the lower number advances.
    HigherSeed {
        /// How many: 0 to 10.
        after_replays: u8,
    },
}

impl Default for KnockOut {
    fn default() -> Self {
        Self { best_of: one(), has_third_place: false, level: Level::default() }
    }
}

fn one() -> u8 {
    1
}

impl KnockOut {
    pub(super) fn check(&self) -> Result<(), FormatError> {
        in_range("best_of", self.best_of.into(), 1, 15)?;
        match self.level {
            Level::HigherSeed { after_replays } => in_range("after_replays", after_replays.into(), 0, 10),
            Level::Replay => Ok(()),
        }
    }

    /// The next games of the current stage.
    ///
    /// Seeds are the numbers of those who were entered at the start. A side whose opponent has withdrawn gets
    /// a bye and advances; if both have, both get one, and nobody advances. A side that is only absent is paired
    /// anyway, to be decided as a forfeit.
    ///
    /// # Errors
    /// [`PairingError::Decided`], and [`PairingError::Missing`] if a result of the last round is not known.
    pub fn pair(&self, history: &History, available: &[EntrantNumber]) -> Result<Pairing, PairingError> {
        let seeds: Vec<EntrantNumber> = history.starters().collect();
        self.pair_seeds(seeds, history, 0, available)
    }

    /// The next games of a knock-out between `seeds` that began after the first `after` rounds.
    pub(super) fn pair_seeds(
        &self,
        seeds: Vec<EntrantNumber>,
        history: &History,
        after: usize,
        available: &[EntrantNumber],
    ) -> Result<Pairing, PairingError> {
        let bracket = Bracket::new(self, seeds, &history.rounds, after);
        if bracket.is_decided() {
            return Err(PairingError::Decided);
        }
        let stage = bracket.stage();
        if let Some(pending) = stage.matches.iter().find(|entry| entry.is_pending) {
            return Err(missing(pending, history));
        }
        let mut pairing = Pairing::default();
        for (index, entry) in stage.matches.iter().enumerate() {
            let is_third_place = index >= stage.size;
            let number = if is_third_place { 1 } else { index as u16 + 1 };
            match entry.sides {
                [Some(one), Some(other)] if !entry.is_decided() => {
                    let place = Place { matches: stage.size as u16, number, decides_third: is_third_place };
                    self.pair_match(entry, [one, other], &place, history, available, &mut pairing);
                }
                [Some(entrant), None] if history.rounds.len() == after => {
                    let seed = bracket.seed(entrant) as u16 + 1;
                    let reasons = vec![Reason::Format(FormatReason::SeedBye { seed })];
                    pairing.byes.push(PairedBye { entrant, reasons });
                }
                _ => {}
            }
        }
        Ok(pairing)
    }

    /// How far each entrant has come in this bracket.
    pub(super) fn reached(bracket: &Bracket<'_>, entrants: usize) -> Vec<Option<Reached>> {
        let mut reached = vec![None; entrants];
        for stage in &bracket.stages {
            for (index, entry) in stage.matches.iter().enumerate() {
                let is_third_place = index >= stage.size;
                for (side, entrant) in entry.sides.iter().enumerate() {
                    let Some(entrant) = entrant else { continue };
                    let has_won = if entry.is_void { Some(false) } else { entry.winner.map(|winner| winner == side) };
                    reached[entrant.index()] = Some(Reached::of(stage.size as u16, is_third_place, has_won));
                }
            }
        }
        reached
    }

    fn pair_match(
        &self,
        entry: &Match,
        sides: [EntrantNumber; 2],
        place: &Place,
        history: &History,
        available: &[EntrantNumber],
        pairing: &mut Pairing,
    ) {
        let has_left = |entrant: EntrantNumber| history.entrants[entrant.index()].withdrew_after.is_some();
        match sides.map(has_left) {
            [false, false] => {}
            [true, true] => {
                let reasons = vec![Reason::Format(FormatReason::BothLeft)];
                pairing.byes.extend(sides.map(|entrant| PairedBye { entrant, reasons: reasons.clone() }));
                return;
            }
            [has_first_left, _] => {
                let gone = usize::from(!has_first_left);
                let reasons = vec![Reason::Format(FormatReason::WalkOver { opponent: sides[gone] })];
                pairing.byes.push(PairedBye { entrant: sides[1 - gone], reasons });
                return;
            }
        }
        let first = match entry.first_seat {
            Some(last) => usize::from(last == sides[0]),
            None => first_seat(history, sides),
        };
        let why = FormatReason::Match {
            matches: place.matches,
            number: place.number,
            is_third_place: place.decides_third,
            game: entry.games + 1,
            score: [entry.score[first], entry.score[1 - first]],
            is_replay: entry.games >= self.best_of,
        };
        let seats = vec![sides[first], sides[1 - first]];
        let absent = seats.iter().filter(|entrant| !available.contains(entrant));
        let absent = absent.map(|entrant| FormatReason::Absent { entrant: *entrant });
        let reasons = std::iter::once(why).chain(absent).map(Reason::Format).collect();
        pairing.tables.push(PairedTable { seats, reasons });
    }
}

/// The position of a match within its stage.
struct Place {
    matches: u16,
    number: u16,
    decides_third: bool,
}

/// An error that names the table whose result is missing.
fn missing(pending: &Match, history: &History) -> PairingError {
    let is_at = |round: &Round| {
        round
            .tables
            .iter()
            .position(|table| table.result.is_none() && table.seats.first().copied() == pending.first_seat)
    };
    let mut rounds = history.rounds.iter().enumerate().rev();
    let found = rounds.find_map(|(index, round)| Some((index + 1, is_at(round)? + 1)));
    let (round, table) = found.expect("the match is pending at a table");
    PairingError::Missing { round, table }
}
