//! Deadlines: rounds are closed when they are due.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use plybook_events::{Actor, LogId};
use plybook_rules::log::Command;

use super::Service;
use crate::error::Problem;

/// How often the service looks whether a round is due.
const TICK: Duration = Duration::from_millis(250);

/// The rounds that could not be closed: the number of events that the game had. Each is reported once.
type Failures = HashMap<LogId, u64>;

impl Service {
    /// Closes rounds that are due, until the service is dropped.
    pub(super) fn keep_deadlines(&self) {
        let service = Arc::downgrade(&self.inner);
        thread::spawn(move || {
            let mut failures = Failures::new();
            while let Some(service) = service.upgrade().map(Service::from) {
                service.close_due_rounds(&mut failures);
                drop(service);
                thread::sleep(TICK);
            }
        });
    }

    /// Closes the rounds that are due. Where somebody else writes at the same moment, the next tick looks again.
    fn close_due_rounds(&self, failures: &mut Failures) {
        let now = self.clock().now();
        let due: Vec<LogId> = self.models().known().games.due(now).collect();
        failures.retain(|game, _| due.contains(game));
        for game in due {
            if self.is_read_only() {
                return;
            }
            match self.close_due_round(game) {
                Ok(()) | Err(Problem::LogConflict { .. }) => {}
                Err(why) => {
                    let events = self.models().known().games.get(game).map_or(0, |known| known.standing.events);
                    if failures.insert(game, events) != Some(events) {
                        tracing::error!(%game, %why, "a round is due and cannot be closed");
                    }
                }
            }
        }
    }

    /// Closes the round of a game, if it is still due; or draws what the first round begins with.
    fn close_due_round(&self, game: LogId) -> Result<(), Problem> {
        let live = self.game(game)?;
        let replay = live.replay();
        let is_due = replay.deadline().and_then(|deadline| deadline.due).is_some_and(|due| due <= self.clock().now());
        if !is_due {
            return Ok(());
        }
        let head = Some(replay.events() - 1);
        if replay.position().to_act().contains(Actor::Chance) {
            return self.roll(&live, head);
        }
        self.command(&live, &[Command::CloseRound], head)
    }
}
