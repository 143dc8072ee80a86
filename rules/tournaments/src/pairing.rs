//! The answer of a pairing system: who meets whom, who sits where, who gets a bye, and why.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{EntrantNumber, FormatReason, HistoryError, Points};

/// The pairing of one round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// The tables; index 0 is table 1.
    pub tables: Vec<PairedTable>,
    /// Those who were to be paired but meet nobody.
    pub byes: Vec<PairedBye>,
}

impl Pairing {
    /// Everybody who is at a table or meets nobody.
    pub fn everybody(&self) -> impl Iterator<Item = EntrantNumber> {
        let at_tables = self.tables.iter().flat_map(|table| &table.seats).copied();
        at_tables.chain(self.byes.iter().map(|bye| bye.entrant))
    }
}

/// Who meets at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedTable {
    /// Who sits where; index 0 is seat 1.
    pub seats: Vec<EntrantNumber>,
    /// Why they meet, and why they have these seats.
    pub reasons: Vec<Reason>,
}

/// An entrant who meets nobody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedBye {
    /// The entrant.
    pub entrant: EntrantNumber,
    /// Why it is this entrant.
    pub reasons: Vec<Reason>,
}

/// A reason for a table or a bye: facts, and a sentence by `Display` or [`Reason::sentence`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Reason {
    /// All at the table have the same score.
    SameScore {
        /// Their score, with acceleration.
        points: Points,
    },
    /// Two entrants with different scores meet.
    Float {
        /// The entrant who floats down.
        down: EntrantNumber,
        /// The score of the entrant who floats down, with acceleration.
        from: Points,
        /// The entrant who floats up.
        up: EntrantNumber,
        /// The score of the entrant who floats up, with acceleration.
        to: Points,
    },
    /// Which seat an entrant should get.
    SeatPreference {
        /// The entrant.
        entrant: EntrantNumber,
        /// The seat, and how much it matters; `None` if either seat will do.
        preference: Option<SeatPreference>,
        /// The seats of the entrant's played games, from 1, in order.
        seats: Vec<u8>,
        /// Whether the entrant gets the seat; `true` if either will do.
        granted: bool,
    },
    /// What decided who gets which seat.
    Seats {
        /// The rule.
        rule: SeatRule,
    },
    /// Somebody has to be left over, and this entrant is the lowest one who may be.
    LowestBye {
        /// The entrant's score, with acceleration.
        points: Points,
        /// The number of games that the entrant has played.
        played: u16,
    },
    /// Somebody has to be left over, and it is this entrant.
    Bye {
        /// The entrant's score, with acceleration: the lowest with which the others can all be paired.
        points: Points,
        /// The number of games that the entrant has played.
        played: u16,
        /// Others with this score who might have got the bye.
        others: Vec<EntrantNumber>,
    },
    /// A reason of another format.
    #[serde(untagged)]
    Format(FormatReason),
}

/// The seat that an entrant should get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatPreference {
    /// The seat, from 1.
    pub seat: u8,
    /// How much it matters.
    pub strength: PreferenceStrength,
}

/// How much a seat preference matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreferenceStrength {
    /// The entrant has had both seats equally often, and the other one last.
    Mild,
    /// The entrant has had the other seat one more time.
    Strong,
    /// The entrant has had the other seat at least two more times, or in its last two games.
    Absolute,
}

/// What decided the seats of two entrants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatRule {
    /// Both get the seat they prefer.
    BothPreferences,
    /// The stronger preference.
    StrongerPreference,
    /// In the last games in which their seats differed, the seats are swapped.
    Alternation,
    /// The preference of the higher ranked entrant.
    HigherRanked,
    /// Neither has a preference: odd numbers get the seat drawn for number 1, even numbers the other one.
    Number,
}

impl Reason {
    /// The reason as a sentence, with the entrants' names.
    pub fn sentence(&self, name: &dyn Fn(EntrantNumber) -> String) -> String {
        match self {
            Self::SameScore { points } => format!("Both have {points} points."),
            Self::Float { down, from, up, to } => {
                format!("{} ({from}) floats down to meet {} ({to}).", name(*down), name(*up))
            }
            Self::SeatPreference { entrant, preference: None, .. } => {
                format!("{} has no seat preference: no game played yet.", name(*entrant))
            }
            Self::SeatPreference { entrant, preference: Some(preference), seats, granted } => {
                let seats = seats.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
                let granted = if *granted { "gets it" } else { "does not get it" };
                let SeatPreference { seat, strength } = preference;
                format!("{} should get seat {seat} ({strength}; seats so far: {seats}) and {granted}.", name(*entrant))
            }
            Self::Seats { rule } => format!("Seats: {rule}."),
            Self::LowestBye { points, played } => {
                let games = if *played == 1 { "game" } else { "games" };
                format!("Is the lowest with {points} points and {played} {games} played, and has had no bye.")
            }
            Self::Bye { points, played, others } => bye_sentence(*points, *played, others, name),
            Self::Format(reason) => reason.sentence(name),
        }
    }
}

fn bye_sentence(
    points: Points,
    played: u16,
    others: &[EntrantNumber],
    name: &dyn Fn(EntrantNumber) -> String,
) -> String {
    let games = if played == 1 { "game" } else { "games" };
    let lowest = format!("Has {points} points, the lowest score with which all others can be paired");
    if others.is_empty() {
        return format!("{lowest}, and nobody else with this score may get the bye; {played} {games} played.");
    }
    let others = others.iter().map(|other| name(*other)).collect::<Vec<_>>().join(", ");
    format!("{lowest}; {played} {games} played. Others with this score who might have got the bye: {others}.")
}

impl fmt::Display for Reason {
    /// The sentence, with numbers in place of names.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(&|entrant| format!("#{}", entrant.0)))
    }
}

impl fmt::Display for PreferenceStrength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Mild => "mild",
            Self::Strong => "strong",
            Self::Absolute => "absolute",
        })
    }
}

impl fmt::Display for SeatRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BothPreferences => "both preferences can be granted",
            Self::StrongerPreference => "the stronger preference is granted",
            Self::Alternation => "they change the seats of the last time these differed",
            Self::HigherRanked => "the preference of the higher ranked is granted",
            Self::Number => "drawn for number 1, alternating with the numbers",
        })
    }
}

/// Why a round cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PairingError {
    /// The system takes fewer entrants: use another one.
    #[error("{entrants} entrants are to be paired, and this system pairs at most {limit}: use fast Swiss")]
    TooMany {
        /// The number of entrants.
        entrants: usize,
        /// The most that the system takes.
        limit: usize,
    },
    /// Somebody is to be paired who is not in the tournament.
    #[error("there is no entrant {}", .0.0)]
    Unknown(EntrantNumber),
    /// A result is missing: enter it, or count the game as a draw while it is adjourned.
    #[error("the result of round {round}, table {table} is missing")]
    Missing {
        /// The round, from 1.
        round: usize,
        /// The table, from 1.
        table: usize,
    },
    /// The history contradicts itself: correct it.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The system is for two seats, and there is a table with another number.
    #[error("round {round}, table {table} has {seats} seats, and this system is for two")]
    Seats {
        /// The round, from 1.
        round: usize,
        /// The table, from 1.
        table: usize,
        /// How many seats it has.
        seats: usize,
    },
    /// Too few entrants are to be paired.
    #[error("at least {least} {} must be available, and there are {entrants}", entrants_word(*.least))]
    TooFew {
        /// The number of entrants to be paired.
        entrants: usize,
        /// The fewest that can be paired.
        least: usize,
    },
    /// All possible pairings repeat a meeting or break another absolute rule: pair by hand, or play fewer
    /// rounds.
    #[error("no pairing of these {entrants} entrants keeps the absolute rules; {reason}")]
    Impossible {
        /// The number of entrants to be paired.
        entrants: usize,
        /// The rules that stand in the way.
        reason: &'static str,
    },
    /// Players with so many different scores float down together that comparing the criteria would take too
    /// much memory. Only a tournament constructed for the purpose comes near this.
    #[error("too many different scores float down into one bracket")]
    TooDeep,
    /// All rounds are paired: finish the tournament, or plan more rounds.
    #[error("all {0} rounds are paired")]
    AllPaired(usize),
    /// The knock-out is decided: finish the tournament.
    #[error("the knock-out is decided")]
    Decided,
    /// The format is paired by hand: propose the tables.
    #[error("this tournament is paired by hand")]
    ByHand,
    /// The format takes another number of entrants: choose another format, or let more enter.
    #[error(transparent)]
    Format(#[from] crate::FormatError),
    /// The caller stopped it.
    #[error("pairing was cancelled")]
    Cancelled,
}

fn entrants_word(count: usize) -> &'static str {
    if count == 1 { "entrant" } else { "entrants" }
}
