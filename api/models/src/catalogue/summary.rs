//! What is known about a game without folding it.

use plybook_events::body::{Arranged, Created, Fork, SeatEntry};
use plybook_events::{Body, Event, LogId, Outcome, Played, Timestamp, Who, WhoRole};
use plybook_rules::log::Standing;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::results::GameResult;

/// What is known about a game without folding it.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The log's id.
    pub id: LogId,
    /// The game that is played.
    pub kind: String,
    /// The version of its rules.
    pub rules: String,
    /// The public part of the setup.
    pub setup: Value,
    /// Who sits where; index 0 is seat 1.
    pub seats: Vec<SeatEntry>,
    /// The players in the seats. A player who was merged is replaced by the one who stands for them. Index 0
    /// is seat 1.
    pub players: Vec<Option<LogId>>,
    /// When it was played, if that is stated.
    pub played: Option<Played>,
    /// Whether the creator of the game excluded it from ratings.
    pub is_unrated: bool,
    /// The tournament it belongs to.
    pub tournament: Option<LogId>,
    /// The round, from 1.
    pub round: Option<u32>,
    /// The table, from 1.
    pub table: Option<u32>,
    /// Its tags.
    pub tags: Map<String, Value>,
    /// Where a line leaves its parent.
    pub fork: Option<Fork>,
    /// The recorded game that it is, or that the line belongs to.
    pub root: LogId,
    /// The number of forks between that game and this log; 0 for the game itself.
    pub forks: u32,
    /// Whether it starts from a position that is set up.
    pub sets_up: bool,
    /// The player who owns a line.
    pub owner: Option<LogId>,
    /// Whether a line that it continues is hidden: it names that one, so lists leave it out as well.
    pub is_below_hidden: bool,
    /// Whether an arbiter has hidden the line: then only arbiters show it again.
    pub is_withdrawn: bool,
    /// When it was recorded here: when it was created, or imported.
    pub created_at: Timestamp,
    /// When its log says that it was created.
    pub stated_at: Timestamp,
    /// Whether any of its events were imported.
    pub is_imported: bool,
    /// Its current status, outcome, ply and name.
    pub standing: Standing,
}

impl Summary {
    /// The summary after the first event of a log; `begun_at` is when that was imported, `parent` the summary of the log that a line forks from.
    /// `survivor` says who stands for a player.
    pub(super) fn new(
        event: &Event,
        created: &Created,
        begun_at: Option<Timestamp>,
        parent: Option<&Self>,
        survivor: impl Fn(LogId) -> LogId,
    ) -> Self {
        let stated = created.fork.as_ref().map_or(event.log, |fork| fork.game);
        Self {
            id: event.log,
            kind: created.kind.clone(),
            rules: created.rules.clone(),
            setup: created.setup.clone(),
            seats: created.seats.clone(),
            players: created.seats.iter().map(|seat| seat.player.map(&survivor)).collect(),
            played: created.played,
            is_unrated: created.unrated,
            tournament: created.tournament,
            round: created.round,
            table: created.table,
            tags: created.tags.clone(),
            fork: created.fork.clone(),
            sets_up: created.position.is_some(),
            root: parent.map_or(stated, |parent| parent.root),
            forks: parent.map_or(u32::from(created.fork.is_some()), |parent| parent.forks + 1),
            owner: created.owner,
            is_below_hidden: parent.is_some_and(Self::is_hidden),
            is_withdrawn: false,
            created_at: begun_at.unwrap_or(event.at),
            stated_at: event.at,
            is_imported: begun_at.is_some(),
            standing: Standing::begin(event.seq, created),
        }
    }

    /// Applies an event after the first.
    pub(super) fn apply(&mut self, event: &Event) {
        self.standing.apply(event);
        if let Body::Arranged(Arranged { hidden: Some(is_hidden), .. }) = event.body {
            let role = if let Some(Who::Token { role, .. }) = event.who { Some(role) } else { None };
            self.is_withdrawn = is_hidden && matches!(role, Some(WhoRole::Arbiter | WhoRole::Admin));
        }
    }

    /// Whether lists leave it out.
    pub fn is_hidden(&self) -> bool {
        self.standing.is_hidden || self.is_below_hidden
    }

    /// The outcome, if it counts.
    pub fn counted_outcome(&self) -> Option<&Outcome> {
        self.standing.outcome().filter(|_| !self.standing.is_void())
    }

    /// Who won, as far as it counts.
    pub fn result(&self) -> GameResult {
        let decisive = self.counted_outcome().filter(|outcome| !outcome.is_forfeit());
        decisive.map_or(GameResult::Open, |outcome| {
            let bit = |seat: &u8| 1 << seat.saturating_sub(1).min(15);
            match outcome.winners.iter().map(bit).fold(0, |seats: u16, seat: u16| seats | seat) {
                0 => GameResult::Drawn,
                seats => GameResult::Won(seats),
            }
        })
    }

    /// When it was played: when its log was begun, unless an earlier time is stated.
    pub fn played_at(&self) -> Timestamp {
        self.played.map_or(self.stated_at, Played::time).min(self.created_at)
    }

    /// When its end was recorded here, corrections included.
    pub fn finished_at(&self) -> Option<Timestamp> {
        self.standing.end.as_ref().map(|end| end.at.max(self.created_at))
    }
}
