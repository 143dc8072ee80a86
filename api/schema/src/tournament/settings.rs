//! The settings of a tournament: its format, its status, its head and its byes.

use async_graphql::{Enum, SimpleObject};

use crate::scalar::{DateTime, HashHex};

/// How entrants are paired.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TournamentFormat {
    /// Everybody meets everybody.
    RoundRobin,
    /// A fixed number of rounds between entrants with the same score; with more than two seats, in pods.
    Swiss,
    /// The loser of a match is eliminated.
    Knockout,
    /// Round robins in groups, then a knock-out between the best.
    GroupsKnockout,
    /// A list of games, or rounds paired by hand.
    Free,
}

/// The status of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TournamentStatus {
    /// No round was opened yet.
    Planned,
    /// A round was opened.
    Running,
    /// It is finished.
    Finished,
}

/// The last event of a tournament's log.
#[derive(SimpleObject)]
pub struct TournamentHead {
    /// Its seq, to be sent as `expectedSeq`.
    pub(super) seq: u64,
    /// Its hash.
    pub(super) hash: HashHex,
    /// When it was recorded.
    pub(super) at: DateTime,
}

/// The points for byes.
#[derive(SimpleObject)]
pub struct ByePolicy {
    /// The points for the bye that the pairing allocates.
    pub(super) pairing: f64,
    /// The points for a half-point bye.
    pub(super) half: f64,
    /// How many half-point byes each entrant may request; null for any number.
    pub(super) half_max: Option<u32>,
    /// The last round for which one may be requested; null for any.
    pub(super) half_last_round: Option<u32>,
}

impl TournamentFormat {
    /// The format with this name in the log.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "round_robin" => Self::RoundRobin,
            "swiss" | "pods" => Self::Swiss,
            "knock_out" => Self::Knockout,
            "groups" => Self::GroupsKnockout,
            _ => Self::Free,
        }
    }
}
