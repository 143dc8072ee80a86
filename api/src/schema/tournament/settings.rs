//! What a tournament is: its format, its status, its head and what byes give.

use async_graphql::{Enum, SimpleObject};
use plybook_tournaments::Format;

use crate::schema::scalar::{DateTime, HashHex};

/// How entrants are paired.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TournamentFormat {
    /// Everybody meets everybody.
    RoundRobin,
    /// A fixed number of rounds in which those with the same score meet; with more than two seats, in pods.
    Swiss,
    /// Whoever loses a match is out.
    Knockout,
    /// Round robins in groups, then a knock-out of the best.
    GroupsKnockout,
    /// A list of games, or rounds paired by hand.
    Free,
}

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TournamentStatus {
    /// No round was opened yet.
    Planned,
    /// A round was opened.
    Running,
    /// It is over.
    Finished,
}

/// The last event of a tournament's log.
#[derive(SimpleObject)]
pub struct TournamentHead {
    /// Its seq: what a mutation sends as `expectedSeq`.
    pub(super) seq: u64,
    /// Its hash.
    pub(super) hash: HashHex,
    /// When it was recorded.
    pub(super) at: DateTime,
}

/// What entrants get who do not play in a round.
#[derive(SimpleObject)]
pub struct ByePolicy {
    /// The points for the bye that the pairing allocates.
    pub(super) pairing: f64,
    /// The points for a half-point bye.
    pub(super) half: f64,
    /// How many half-point byes each may ask for; null for any number.
    pub(super) half_max: Option<u32>,
    /// The last round for which one may be asked; null for any.
    pub(super) half_last_round: Option<u32>,
}

impl TournamentFormat {
    /// The format with this word in the log.
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

/// Whether a format is played at tables of more than two seats.
pub(super) fn is_pods(format: &Format) -> bool {
    matches!(format, Format::Pods(_))
}
