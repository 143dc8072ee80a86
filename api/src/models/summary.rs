//! What is known of a game without folding it.

use plybook_events::body::{Created, Fork, SeatEntry};
use plybook_events::{Body, Decider, Event, LogId, Outcome, Timestamp};
use plybook_rules::log::Status;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What is known of a game without folding it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The log's id.
    pub id: LogId,
    /// The game that is played.
    pub kind: String,
    /// The version of its rules.
    pub rules: String,
    /// The setup, as far as everybody may know it.
    pub setup: Value,
    /// Who sits where; index 0 is seat 1.
    pub seats: Vec<SeatEntry>,
    /// The tournament it belongs to.
    pub tournament: Option<LogId>,
    /// The round, from 1.
    pub round: Option<u32>,
    /// The table, from 1.
    pub table: Option<u32>,
    /// What else it can be found by.
    pub tags: Map<String, Value>,
    /// Where a line leaves its parent.
    pub fork: Option<Fork>,
    /// The recorded game that it is, or that the line belongs to.
    pub root: LogId,
    /// How many forks lie between that game and it: 0 is the game itself.
    pub forks: u32,
    /// Whether it starts from a position that is set up.
    pub sets_up: bool,
    /// The name of a line.
    pub name: Option<String>,
    /// The player who keeps a line.
    pub owner: Option<LogId>,
    /// Whether lists leave a line out.
    pub is_hidden: bool,
    /// The place of a line among those that leave its parent at the same ply, the lowest first.
    pub rank: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it ended; a correction does not change it.
    pub finished_at: Option<Timestamp>,
    /// How it ended, as it stands.
    pub outcome: Option<Outcome>,
    /// Who or what decided it.
    pub decided_by: Option<Decider>,
    /// Whether it was declared void.
    pub is_void: bool,
    /// Actions on the mainline.
    pub ply: u32,
    /// Events in the log.
    pub events: u64,
}

impl Summary {
    /// What the first event of a log says; `parent` is what a line forks from.
    pub(super) fn new(event: &Event, created: &Created, parent: Option<&Self>) -> Self {
        let stated = created.fork.as_ref().map_or(event.log, |fork| fork.game);
        Self {
            id: event.log,
            kind: created.kind.clone(),
            rules: created.rules.clone(),
            setup: created.setup.clone(),
            seats: created.seats.clone(),
            tournament: created.tournament,
            round: created.round,
            table: created.table,
            tags: created.tags.clone(),
            fork: created.fork.clone(),
            root: parent.map_or(stated, |parent| parent.root),
            forks: parent.map_or(u32::from(created.fork.is_some()), |parent| parent.forks + 1),
            sets_up: created.position.is_some(),
            name: created.name.clone(),
            owner: created.owner,
            is_hidden: false,
            rank: 0,
            created_at: event.at,
            finished_at: None,
            outcome: None,
            decided_by: None,
            is_void: false,
            ply: created.fork.as_ref().map_or(0, |fork| fork.ply),
            events: event.seq + 1,
        }
    }

    /// Takes in the log's next event.
    pub(super) fn apply(&mut self, event: &Event) {
        self.events = event.seq + 1;
        match &event.body {
            Body::Acted(_) | Body::Sealed(_) => self.ply += 1,
            Body::TakenBack(taken) => {
                self.ply = taken.to_ply;
                (self.outcome, self.decided_by, self.finished_at) = (None, None, None);
            }
            Body::Ended(ended) => {
                self.outcome = Some(ended.outcome.clone());
                self.decided_by = Some(ended.decided_by);
                self.finished_at = Some(event.at);
            }
            Body::Corrected(corrected) => {
                self.outcome = Some(corrected.outcome.clone());
                self.decided_by = Some(Decider::Arbiter);
            }
            Body::Voided(_) => self.is_void = true,
            Body::Arranged(arranged) => {
                if let Some(name) = &arranged.name {
                    self.name = Some(name.clone()).filter(|name| !name.is_empty());
                }
                self.is_hidden = arranged.hidden.unwrap_or(self.is_hidden);
                self.rank = arranged.rank.unwrap_or(self.rank);
            }
            _ => {}
        }
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        match (self.is_void, &self.outcome) {
            (true, _) => Status::Void,
            (false, Some(_)) => Status::Finished,
            (false, None) => Status::Running,
        }
    }

    /// Whether a player won it; nobody wins a game that is void.
    pub fn is_won_by(&self, player: LogId) -> bool {
        let counts = self.outcome.iter().filter(|_| !self.is_void);
        let winners = counts.flat_map(|outcome| &outcome.winners);
        let mut entries = winners.filter_map(|seat| self.seats.get(usize::from(*seat).checked_sub(1)?));
        entries.any(|entry| entry.player == Some(player))
    }

    /// Whether it ended without a winner.
    pub fn is_drawn(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| outcome.winners.is_empty())
    }
}
