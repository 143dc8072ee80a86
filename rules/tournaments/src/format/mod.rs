//! The formats of tournaments: how each of them pairs the next round.

mod berger;
mod bracket;
mod groups;
mod knock_out;
mod pods;
mod reached;
mod reason;
mod round_robin;
mod seating;
mod swiss;

use std::ops::{ControlFlow, RangeInclusive};

use serde::{Deserialize, Serialize};

pub use bracket::{Bracket, Match, Stage};
pub use groups::Groups;
pub use knock_out::{KnockOut, Level};
pub use pods::Pods;
pub use reached::Reached;
pub use reason::FormatReason;

pub use round_robin::RoundRobin;
pub use swiss::{Swiss, System};

use crate::standings::struck;
use crate::{
    ByeKind, EntrantNumber, History, HistoryError, Pairing, PairingError, Scoring, Standings, StandingsRules,
    Suitability, TieBreak,
};

/// A format with its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "snake_case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin(RoundRobin),
    /// Two seats, paired by score.
    Swiss(Swiss),
    /// Tables of three to thirteen seats, grouped by score.
    Pods(Pods),
    /// The loser of a match is eliminated.
    KnockOut(KnockOut),
    /// Round robins in groups, then a knock-out between the best.
    Groups(Groups),
    /// Paired by hand.
    Free(Free),
}

/// A tournament paired by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Free {
    /// The number of planned rounds, if it is fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u16>,
    /// The usual number of seats. If missing, the most that the game allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
}

/// The largest number of rounds in a tournament.
pub const MOST_ROUNDS: u16 = 200;

/// Why a format cannot be played with these parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// A parameter is out of range.
    #[error("{parameter} is {value}, but must be {least} to {most}")]
    Range {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: u32,
        /// The smallest allowed value.
        least: u32,
        /// The largest allowed value.
        most: u32,
    },
    /// The format is for games with two seats.
    #[error("{format} is for tables of two seats, and the game has {least} to {most}; use pods or free")]
    TwoSeats {
        /// The format.
        format: &'static str,
        /// The fewest seats of the game.
        least: u8,
        /// The most seats of the game.
        most: u8,
    },
    /// The format is for games with more than two seats.
    #[error("pods are for tables of three to thirteen seats, and the game has two; use swiss")]
    MoreSeats,
    /// The sizes of pods do not fit each other or the game.
    #[error(
        "pods of {size}, at least {smallest} and at most {largest}: the sizes must be in this order and within the {least} to {most} seats of the game"
    )]
    Sizes {
        /// The preferred size.
        size: u8,
        /// The smallest allowed size.
        smallest: u8,
        /// The largest allowed size.
        largest: u8,
        /// The fewest seats of the game, or three.
        least: u8,
        /// The most seats of the game.
        most: u8,
    },
    /// The number of rounds does not fit a round robin.
    #[error("{entrants} entrants need {once} rounds to meet once, or two to four times as many, not {rounds}")]
    Cycles {
        /// The number of planned rounds.
        rounds: u16,
        /// The number of entrants.
        entrants: usize,
        /// The number of rounds in which all of them meet once.
        once: u16,
    },
    /// There are too few or too many entrants for the format.
    #[error("{format} is for {least} to {most} entrants, and there are {entrants}")]
    Entrants {
        /// The format.
        format: &'static str,
        /// The number of entrants.
        entrants: usize,
        /// The fewest allowed.
        least: usize,
        /// The most allowed.
        most: usize,
    },
}

impl Format {
    /// The name of the format in logs and the API.
    pub fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin(_) => "round_robin",
            Self::Swiss(_) => "swiss",
            Self::Pods(_) => "pods",
            Self::KnockOut(_) => "knock_out",
            Self::Groups(_) => "groups",
            Self::Free(_) => "free",
        }
    }

    /// Checks the parameters for a game with `seats`.
    ///
    /// # Errors
    /// What is wrong first, with what is allowed.
    pub fn check(&self, seats: &RangeInclusive<u8>) -> Result<(), FormatError> {
        if matches!(self, Self::RoundRobin(_) | Self::Swiss(_) | Self::KnockOut(_) | Self::Groups(_))
            && !seats.contains(&2)
        {
            return Err(FormatError::TwoSeats { format: self.name(), least: *seats.start(), most: *seats.end() });
        }
        match self {
            Self::RoundRobin(round_robin) => round_robin.check(),
            Self::Swiss(swiss) => swiss.check(),
            Self::Pods(pods) => pods.check(seats),
            Self::KnockOut(knock_out) => knock_out.check(),
            Self::Groups(groups) => groups.check(),
            Self::Free(free) => {
                let size = free.size.unwrap_or(*seats.end());
                in_range("size", size.into(), (*seats.start()).into(), (*seats.end()).into())?;
                free.rounds.map_or(Ok(()), |rounds| in_range("rounds", rounds, 1, MOST_ROUNDS))
            }
        }
    }

    /// How many rounds are planned for this many entrants; `None` if that depends on results.
    pub fn rounds(&self, entrants: usize) -> Option<u16> {
        match self {
            Self::RoundRobin(round_robin) => Some(round_robin.rounds(entrants)),
            Self::Swiss(swiss) => Some(swiss.rounds),
            Self::Pods(pods) => Some(pods.rounds),
            Self::KnockOut(_) | Self::Groups(_) => None,
            Self::Free(free) => free.rounds,
        }
    }

    /// How many entrants the tournament may start with.
    pub fn entrants(&self) -> RangeInclusive<usize> {
        match self {
            Self::RoundRobin(_) => round_robin::ENTRANTS,
            Self::Swiss(swiss) => swiss.entrants(),
            Self::Pods(pods) => pods.entrants(),
            Self::KnockOut(_) => knock_out::ENTRANTS,
            Self::Groups(groups) => groups.entrants(),
            Self::Free(_) => 1..=usize::from(u16::MAX) - 1,
        }
    }

    /// The kind of bye that the pairing gives. In Swiss systems it is worth points; in other formats it is a
    /// round without a game.
    pub fn bye(&self) -> ByeKind {
        match self {
            Self::Swiss(_) | Self::Pods(_) | Self::Free(_) => ByeKind::Pairing,
            Self::RoundRobin(_) | Self::KnockOut(_) | Self::Groups(_) => ByeKind::Zero,
        }
    }

    /// The usual number of seats at a table, of those that the game allows.
    pub fn seats(&self, seats: &RangeInclusive<u8>) -> u8 {
        match self {
            Self::Pods(pods) => pods.size,
            Self::Free(free) => free.size.unwrap_or(*seats.end()),
            Self::RoundRobin(_) | Self::Swiss(_) | Self::KnockOut(_) | Self::Groups(_) => 2,
        }
    }

    /// The kind of tournament that tie-breaks have to suit.
    pub fn suitability(&self, seats: &RangeInclusive<u8>) -> Suitability {
        let seats = match self {
            Self::Pods(pods) => pods.sizes(seats),
            Self::Free(_) => seats.clone(),
            Self::RoundRobin(_) | Self::Swiss(_) | Self::KnockOut(_) | Self::Groups(_) => 2..=2,
        };
        Suitability { seats, is_round_robin: matches!(self, Self::RoundRobin(_)) }
    }

    /// The codes of the tie-breaks that are usual, as far as they suit the format.
    pub fn usual_tie_breaks(&self, seats: &RangeInclusive<u8>) -> Vec<String> {
        let suitability = self.suitability(seats);
        let usual: &[&str] = match self {
            Self::RoundRobin(_) | Self::Groups(_) => &["DE", "WON", "SB", "KS"],
            Self::KnockOut(_) => &[],
            _ => &["BH/C1", "BH", "SB", "DE", "WON"],
        };
        let suits = |code: &&&str| code.parse::<TieBreak>().is_ok_and(|found| found.check(&suitability).is_ok());
        usual.iter().filter(suits).map(|code| (*code).to_owned()).collect()
    }

    /// How the tournament is ranked.
    pub fn standings_rules(
        &self,
        seats: &RangeInclusive<u8>,
        scoring: Scoring,
        tie_breaks: Vec<TieBreak>,
    ) -> StandingsRules {
        let is_round_robin = matches!(self, Self::RoundRobin(_));
        StandingsRules { scoring, seats: self.seats(seats), is_round_robin, tie_breaks, teams: Vec::new() }
    }
}

/// The inputs of a pairing besides the tournament itself.
#[derive(Clone, Copy)]
pub struct PairingOptions<'a> {
    /// The entrants to be paired.
    pub available: &'a [EntrantNumber],
    /// The seat drawn for number 1, from 1, in Swiss systems for two seats. If it is missing, the seat of
    /// number 1 in the first round, or seat 1.
    pub initial_seat: Option<u8>,
    /// Groups of entrants who should not meet each other in this round, in Swiss systems and pods.
    pub forbidden: &'a [Vec<EntrantNumber>],
    /// Called with the number of entrants paired so far and the number of all; may stop the pairing.
    pub progress: &'a dyn Fn(usize, usize) -> ControlFlow<()>,
}

impl<'a> PairingOptions<'a> {
    /// Pairs these entrants with default options.
    pub fn new(available: &'a [EntrantNumber]) -> Self {
        Self { available, initial_seat: None, forbidden: &[], progress: &|_, _| ControlFlow::Continue(()) }
    }
}

impl Format {
    /// Pairs the next round of the available entrants.
    ///
    /// In round robins and knock-outs, a table may have an entrant who is not available: it is to be decided
    /// as a forfeit at once, as [`FormatReason::Absent`] says.
    ///
    /// # Errors
    /// Why the round cannot be paired.
    pub fn pair(
        &self,
        history: &History,
        rules: &StandingsRules,
        seats: &RangeInclusive<u8>,
        options: &PairingOptions<'_>,
    ) -> Result<Pairing, PairingError> {
        let available = options.available;
        history.check()?;
        if let Some(unknown) =
            available.iter().find(|entrant| entrant.0 == 0 || entrant.index() >= history.entrants.len())
        {
            return Err(PairingError::Unknown(*unknown));
        }
        self.check_entrants(history)?;
        match self {
            Self::RoundRobin(round_robin) => round_robin.pair(history, available),
            Self::KnockOut(knock_out) => knock_out.pair(history, available),
            Self::Groups(groups) => groups.pair(history, rules, available),
            Self::Pods(pods) => pods.pair(history, &pods.sizes(seats), options),
            Self::Swiss(swiss) => swiss.pair(history, rules, options),
            Self::Free(_) => Err(PairingError::ByHand),
        }
    }

    /// Checks the number of entrants at the start, in formats whose draw is fixed there.
    fn check_entrants(&self, history: &History) -> Result<(), FormatError> {
        let (entrants, allowed) = (history.starters().count(), self.entrants());
        let is_fixed = matches!(self, Self::RoundRobin(_) | Self::KnockOut(_) | Self::Groups(_));
        if !is_fixed || allowed.contains(&entrants) {
            return Ok(());
        }
        Err(FormatError::Entrants { format: self.name(), entrants, least: *allowed.start(), most: *allowed.end() })
    }

    /// Whether a round, from 1, is one of a round robin or of groups, where results may be struck out.
    pub fn is_round_robin(&self, history: &History, round: usize) -> bool {
        match self {
            Self::RoundRobin(_) => true,
            Self::Groups(groups) => round <= groups.group_rounds(history),
            _ => false,
        }
    }

    /// Whose results are struck out after the first `rounds` rounds, of a round robin or of the round robin of a group.
    pub fn struck(&self, history: &History, rounds: usize) -> Vec<bool> {
        let rounds = rounds.min(history.rounds.len());
        match self {
            Self::RoundRobin(_) => struck(history, rounds),
            Self::Groups(groups) if self.check_entrants(history).is_ok() => groups.struck(history, rounds),
            _ => vec![false; history.entrants.len()],
        }
    }

    /// The standings after the first `rounds` rounds. In knock-outs, entrants are ranked by how far they have
    /// come.
    ///
    /// # Errors
    /// What is wrong with the history.
    pub fn standings(
        &self,
        history: &History,
        rules: &StandingsRules,
        rounds: usize,
    ) -> Result<Standings, HistoryError> {
        history.check()?;
        let rounds = rounds.min(history.rounds.len());
        let reached = match self {
            _ if self.check_entrants(history).is_err() => None,
            Self::KnockOut(knock_out) => {
                let seeds = history.starters().collect();
                let bracket = Bracket::new(knock_out, seeds, &history.rounds[..rounds], 0);
                Some(KnockOut::reached(&bracket, history.entrants.len()))
            }
            Self::Groups(groups) => Some(groups.reached(history, rules, rounds)?),
            Self::RoundRobin(_) | Self::Swiss(_) | Self::Pods(_) | Self::Free(_) => None,
        };
        Standings::by_reached(history, rules, rounds, reached.as_deref())
    }
}

impl Format {
    /// The current bracket of a knock-out; `None` in other formats, before the first pairing, and during a
    /// group stage.
    ///
    /// # Errors
    /// What is wrong with the history.
    pub fn bracket(&self, history: &History, rules: &StandingsRules) -> Result<Option<Bracket<'_>>, HistoryError> {
        history.check()?;
        if history.rounds.is_empty() || self.check_entrants(history).is_err() {
            return Ok(None);
        }
        match self {
            Self::KnockOut(knock_out) => {
                let seeds = history.starters().collect();
                Ok(Some(Bracket::new(knock_out, seeds, &history.rounds, 0)))
            }
            Self::Groups(groups) => groups.bracket(history, rules, history.rounds.len()),
            Self::RoundRobin(_) | Self::Swiss(_) | Self::Pods(_) | Self::Free(_) => Ok(None),
        }
    }

    /// The standings of each group after the first `rounds` rounds, group games only; empty in formats
    /// without groups.
    ///
    /// # Errors
    /// What is wrong with the history.
    pub fn group_standings(
        &self,
        history: &History,
        rules: &StandingsRules,
        rounds: usize,
    ) -> Result<Vec<Standings>, HistoryError> {
        match self {
            Self::Groups(groups) if self.check_entrants(history).is_ok() => {
                groups.group_standings(history, rules, rounds.min(history.rounds.len()))
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// Checks a parameter against its range.
fn in_range(parameter: &'static str, value: u16, least: u16, most: u16) -> Result<(), FormatError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(FormatError::Range { parameter, value: value.into(), least: least.into(), most: most.into() })
}
