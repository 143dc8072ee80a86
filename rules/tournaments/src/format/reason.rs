//! Why an entrant is at a table or has none, in all formats except Swiss systems for two seats.

use serde::{Deserialize, Serialize};

use crate::{EntrantNumber, Points};

/// A reason for a table or a bye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum FormatReason {
    /// The Berger tables pair these two.
    Berger {
        /// The size of the tables: an even number.
        size: u16,
        /// The round of the tables, from 1.
        round: u16,
        /// How often all entrants will have met after this cycle, from 1.
        cycle: u8,
        /// The group, from 1, if there are groups.
        group: Option<u8>,
    },
    /// The number of entrants is odd, and the tables give this entrant no opponent in this round.
    SitsOut,
    /// An entrant at the table is not available, so the table is decided without play.
    Absent {
        /// The entrant who is not available.
        entrant: EntrantNumber,
    },
    /// The opponent has withdrawn with less than half of the games played, so that the results do not count.
    Struck {
        /// The entrant who has withdrawn.
        opponent: EntrantNumber,
    },
    /// A match of the bracket.
    Match {
        /// The number of matches in this stage: 1 for the final, 2 for the semi-finals.
        matches: u16,
        /// The number of the match, from 1.
        number: u16,
        /// Whether the match is for third place.
        is_third_place: bool,
        /// The game of the match, from 1.
        game: u8,
        /// Half points from the earlier games, by seat; index 0 is seat 1.
        score: [u8; 2],
        /// Whether the game was added because the match was level.
        is_replay: bool,
    },
    /// The bracket has no opponent for this seed in the first stage.
    SeedBye {
        /// The seed, from 1.
        seed: u16,
    },
    /// The opponent of the match has withdrawn.
    WalkOver {
        /// The opponent.
        opponent: EntrantNumber,
    },
    /// Both sides of the match have withdrawn, so that neither advances.
    BothLeft,
    /// Entrants with the same or neighbouring scores.
    Pod {
        /// The highest score at the table.
        most: Points,
        /// The lowest score at the table.
        least: Points,
        /// The number of seats at the table, if it is not the preferred one.
        size: Option<u8>,
    },
    /// Two at the table have met before.
    MetBefore {
        /// One of them.
        one: EntrantNumber,
        /// The other.
        other: EntrantNumber,
        /// How often they have met.
        times: u16,
    },
    /// The seats an entrant had before, and the one it gets.
    SeatsHad {
        /// The entrant.
        entrant: EntrantNumber,
        /// The seats so far, from 1.
        seats: Vec<u8>,
    },
    /// The number of entrants cannot be divided into tables of allowed sizes.
    Remainder {
        /// The number of entrants to be paired.
        entrants: u16,
        /// The smallest table.
        smallest: u8,
        /// The largest table.
        largest: u8,
        /// The entrant's score.
        points: Points,
        /// How many pairing-allocated byes the entrant has had.
        byes: u16,
    },
}

impl FormatReason {
    /// The reason as a sentence, with the entrants' names.
    pub fn sentence(&self, name: &dyn Fn(EntrantNumber) -> String) -> String {
        match self {
            Self::Berger { size, round, cycle, group } => {
                let group = group.map_or(String::new(), |group| format!("Group {group}: "));
                let again = if *cycle > 1 { format!(", cycle {cycle}") } else { String::new() };
                format!("{group}round {round} of the Berger tables for {size}{again}.")
            }
            Self::SitsOut => "The number is odd; the Berger tables give no opponent in this round.".to_owned(),
            Self::Absent { entrant } => {
                format!("{} is not available: decided without play.", name(*entrant))
            }
            Self::Struck { opponent } => {
                format!("{} withdrew before half of the games were played; the results do not count.", name(*opponent))
            }
            Self::Match { .. } => self.match_sentence(),
            Self::SeedBye { seed } => format!("Seed {seed} has a bye in the first stage of the bracket."),
            Self::WalkOver { opponent } => format!("Advances: {} has withdrawn.", name(*opponent)),
            Self::BothLeft => "Does not advance: both sides of the match have withdrawn.".to_owned(),
            Self::Pod { most, least, size } => {
                let scores = if most == least {
                    format!("All at the table have {most} points")
                } else {
                    format!("Scores at the table are {least} to {most}")
                };
                size.map_or(format!("{scores}."), |size| {
                    format!("{scores}; it has {size} seats because the entrants do not divide evenly.")
                })
            }
            Self::MetBefore { one, other, times } => {
                let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
                format!("{} and {} have met {times} before.", name(*one), name(*other))
            }
            Self::SeatsHad { entrant, seats } => {
                let seats = seats.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
                format!("{} had seats {seats} before.", name(*entrant))
            }
            Self::Remainder { entrants, smallest, largest, points, byes } => {
                let byes = match byes {
                    0 => "no bye".to_owned(),
                    1 => "one bye".to_owned(),
                    byes => format!("{byes} byes"),
                };
                format!(
                    "{entrants} cannot be seated at tables of {smallest} to {largest}; has {points} points and {byes} so far."
                )
            }
        }
    }

    fn match_sentence(&self) -> String {
        let Self::Match { matches, number, is_third_place, game, score, is_replay } = self else {
            return String::new();
        };
        let stage = match (is_third_place, matches) {
            (true, _) => "Match for third place".to_owned(),
            (false, 1) => "Final".to_owned(),
            (false, matches) => format!("{}, match {number}", stage_name(*matches)),
        };
        let halves = |half_points: &u8| Points(5 * u32::from(*half_points));
        let score =
            if *game == 1 { String::new() } else { format!(" at {} : {}", halves(&score[0]), halves(&score[1])) };
        let replay = if *is_replay { ", added because the match was level" } else { "" };
        format!("{stage}, game {game}{score}{replay}.")
    }
}

/// The name of a stage with this many matches.
pub fn stage_name(matches: u16) -> String {
    match matches {
        1 => "Final".to_owned(),
        2 => "Semi-finals".to_owned(),
        4 => "Quarter-finals".to_owned(),
        matches => format!("Round of {}", 2 * matches),
    }
}
