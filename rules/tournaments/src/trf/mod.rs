//! Tournament report files: TRF16 and TRF26, which federations and pairing programs exchange.
//!
//! [`Report`] is what is read; `docs/pairing.md` lists every record. Records of teams (013, 300, 310, 320,
//! 330, 352, 362, 801, 802) and points by decision (299) are refused, because without them it would be a
//! different tournament. Anything else that is not understood is kept as text and written back.
//!
//! # Source
//! FIDE Handbook C.04 Annex 2: TRF16, and TRF26 (applied from 2025-09-01); the manual of `JaVaFo` for XXA, XXC, XXP,
//! XXR, XXS and XXZ; that of `bbpPairings` for BBW to BBU.

mod error;
mod games;
mod line;
mod read;
mod records;
mod write;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{ByeKind, EntrantNumber, History, Points};

pub use error::{TrfError, TrfProblem};
pub use write::Version;

/// The longest file that is accepted, in bytes.
pub const BYTES_MAX: usize = 16 << 20;

/// The highest starting number.
pub const NUMBER_MAX: u16 = 9_999;

/// The most rounds.
pub const ROUNDS_MAX: u16 = 255;

/// A tournament report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Records that are only text, in the order of the file: the tag, such as `012`, and what follows it.
    pub texts: Vec<(String, String)>,
    /// What 001 says about each entrant besides its name, rating and games; index 0 is number 1.
    pub cards: Vec<Card>,
    /// The tournament. Its rounds are those in which somebody was paired.
    pub history: History,
    /// The points for results.
    pub scoring: PointSystem,
    /// The seat that number 1 gets in the first round, from 1.
    pub initial_seat: Option<u8>,
    /// Byes requested for rounds that are not paired yet.
    pub byes: Vec<AskedBye>,
    /// Who may not meet whom.
    pub forbidden: Vec<Forbidden>,
    /// Games that lasted less than a move and are not rated: the round, from 1, and the entrant in seat 1.
    pub unrated: BTreeSet<(u16, EntrantNumber)>,
}

/// What 001 says about a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The sex: `m`, `w` or empty.
    pub sex: String,
    /// The title, such as `WGM`.
    pub title: String,
    /// The federation, three letters.
    pub federation: String,
    /// The person's FIDE id.
    pub fide_number: String,
    /// The date of birth, `YYYY/MM/DD`.
    pub birth: String,
    /// The rank; `None` if the file has none.
    pub rank: Option<u16>,
}

/// The points for results: 162.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointSystem {
    /// For a win, played or not, and a full-point bye.
    pub win: Points,
    /// For a draw and a half-point bye.
    pub draw: Points,
    /// For a loss that was played.
    pub loss: Points,
    /// For a forfeited game.
    pub forfeit: Points,
    /// For being absent.
    pub absent: Points,
    /// For a bye that the pairing allocates.
    pub pairing_bye: Points,
}

impl Default for PointSystem {
    fn default() -> Self {
        Self {
            win: Points::ONE,
            draw: Points::HALF,
            loss: Points::ZERO,
            forfeit: Points::ZERO,
            absent: Points::ZERO,
            pairing_bye: Points::ONE,
        }
    }
}

impl PointSystem {
    /// The points for a bye.
    pub fn bye(&self, kind: ByeKind) -> Points {
        match kind {
            ByeKind::Pairing => self.pairing_bye,
            ByeKind::Half => self.draw,
            ByeKind::Full => self.win,
            ByeKind::Zero => self.absent,
        }
    }
}

/// A bye requested for a round that is not paired yet: 240, XXZ, or a result in the column of that round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AskedBye {
    /// The round, from 1.
    pub round: u16,
    /// Who will not play.
    pub entrant: EntrantNumber,
    /// What it gives: half a point, a full point or nothing.
    pub kind: ByeKind,
}

/// Entrants who may not meet each other: 260 or XXP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forbidden {
    /// The first round and the last one, from 1; `None` for the whole tournament.
    pub rounds: Option<(u16, u16)>,
    /// The entrants.
    pub entrants: Vec<EntrantNumber>,
}

impl Report {
    /// Reads a file, of either version. It may be UTF-16 with a byte order mark; otherwise, bytes that are not UTF-8 are
    /// read as Latin-1, line by line.
    ///
    /// # Errors
    /// See [`TrfProblem`].
    pub fn parse(bytes: &[u8]) -> Result<Self, TrfError> {
        read::report(bytes)
    }

    /// Writes a file with lines that end in CR LF.
    ///
    /// # Errors
    /// The version has no place for something in the report.
    pub fn write(&self, version: Version) -> Result<String, TrfProblem> {
        write::report(self, version)
    }

    /// The text of a record, such as `012` for the name of the tournament.
    pub fn text(&self, tag: &str) -> Option<&str> {
        self.texts.iter().find(|(known, _)| known == tag).map(|(_, text)| text.as_str())
    }

    /// The entrants to be paired in the round after those of the history: everybody who asked for no bye.
    pub fn available(&self) -> BTreeSet<EntrantNumber> {
        let round = self.history.rounds.len() as u16 + 1;
        let numbers = (0..self.history.entrants.len()).map(EntrantNumber::from_index);
        let has_bye = |number| self.byes.iter().any(|bye| bye.round == round && bye.entrant == number);
        numbers.filter(|number| !has_bye(*number)).collect()
    }

    /// Groups of entrants who may not meet in this round, from 1.
    pub fn forbidden_in(&self, round: u16) -> Vec<Vec<EntrantNumber>> {
        let is_in = |group: &&Forbidden| group.rounds.is_none_or(|(first, last)| (first..=last).contains(&round));
        self.forbidden.iter().filter(is_in).map(|group| group.entrants.clone()).collect()
    }
}
