//! Drafts: new events for a tournament's log.

use plybook_events::{Body, By, Event, EventError, Hash, LogId, Timestamp, Who};

use super::command::{Command, CommandError};
use super::misfit::FoldError;
use super::tournament::Tournament;

/// New events for a tournament's log, and the tournament after them.
#[derive(Clone, Debug)]
pub struct Draft {
    tournament: Tournament,
    prev: Hash,
    at: Timestamp,
    who: Option<Who>,
    events: Vec<Vec<u8>>,
    bodies: Vec<Body>,
}

/// Why nothing is added. A draft that failed must be dropped.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// The command was refused.
    #[error(transparent)]
    Refused(#[from] CommandError),
    /// An event has no canonical form, or is too long.
    #[error(transparent)]
    Event(#[from] EventError),
}

impl From<FoldError> for DraftError {
    fn from(why: FoldError) -> Self {
        Self::Refused(why.why.into())
    }
}

impl Draft {
    /// Begins a tournament with `tournament_created`, which `who` asks for.
    ///
    /// # Errors
    /// The settings are invalid.
    pub fn create(log: LogId, at: Timestamp, who: Option<Who>, body: Body) -> Result<Self, DraftError> {
        let event =
            Event { at, by: By::Arbiter, log, prev: Hash::ZERO, seq: 0, body, who, signature: None, request: None };
        let tournament = Tournament::begin(&event)?;
        let bytes = event.to_bytes()?;
        Ok(Self { tournament, prev: Hash::of_event(&bytes), at, who, events: vec![bytes], bodies: vec![event.body] })
    }

    /// Continues after the event with the hash `prev`, which is the tournament's last. A time before that
    /// event's is replaced by that event's. `who` asks for what is added.
    pub fn resume(tournament: Tournament, prev: Hash, at: Timestamp, who: Option<Who>) -> Self {
        let at = at.max(tournament.updated_at);
        Self { tournament, prev, at, who, events: Vec::new(), bodies: Vec::new() }
    }

    /// The tournament with the new events applied.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// The new events.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Carries out a command, all of it or nothing.
    ///
    /// # Errors
    /// The command is refused.
    pub fn command(&mut self, by: By, command: Command) -> Result<(), DraftError> {
        for body in self.tournament.decide(command)? {
            let (log, seq) = (self.tournament.id, self.tournament.events);
            // What a game brings has nobody behind it: the game's own event says who caused that.
            let who = self.who.filter(|_| by != By::Service);
            let event = Event { at: self.at, by, log, prev: self.prev, seq, body, who, signature: None, request: None };
            self.tournament.apply(&event)?;
            let bytes = event.to_bytes()?;
            self.prev = Hash::of_event(&bytes);
            self.events.push(bytes);
            self.bodies.push(event.body);
        }
        Ok(())
    }

    /// The tournament, and the exact bytes of the new events.
    pub fn finish(self) -> (Tournament, Vec<Vec<u8>>) {
        (self.tournament, self.events)
    }
}
