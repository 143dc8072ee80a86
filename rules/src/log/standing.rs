//! The standing of a game: what its events tell without the rules.

use plybook_events::body::{Arranged, Created};
use plybook_events::{Body, Decider, Event, Outcome, Timestamp, UNRECORDED};
use serde::{Deserialize, Serialize};

use crate::Deadline;

/// The standing of a game or a line: what its events tell without the rules.
///
/// This is the only place that defines how an event affects the outcome, the length and the listing of a log.
/// It accepts events without judging them; [`Replay`](super::Replay) judges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Actions on the mainline.
    pub ply: u32,
    /// How many times actions were taken back.
    pub takebacks: u32,
    /// The current outcome; `None` while the game runs.
    pub end: Option<End>,
    /// How the game ended before the arbiter corrected the outcome; `None` if it was not corrected.
    pub original: Option<End>,
    /// Why the game does not count; `None` if it does.
    pub voided: Option<String>,
    /// The name of a line.
    pub name: Option<String>,
    /// Whether lists leave the line out.
    pub is_hidden: bool,
    /// The line's rank among those that leave its parent at the same ply, lowest first.
    pub rank: i64,
    /// The deadline that was set last; `None` if there never was one.
    pub deadline: Option<Deadline>,
    /// The number of events in the log, which is the seq of the next.
    pub events: u64,
}

/// How and when a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// The outcome, corrections included.
    pub outcome: Outcome,
    /// Who or what decided it.
    pub decided_by: Decider,
    /// When the game ended; corrections do not change it.
    pub at: Timestamp,
}

/// Whether a game is running, and whether it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Status {
    /// The game can be continued.
    Running,
    /// The game has an outcome.
    Finished,
    /// The game does not count.
    Void,
}

impl Status {
    /// The status as a lower-case word, as in records and queries.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Void => "void",
        }
    }

    /// The status with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Running, Self::Finished, Self::Void].into_iter().find(|status| status.name() == name)
    }
}

impl Standing {
    /// The standing after the first event of a log, given its seq and body.
    pub fn begin(seq: u64, created: &Created) -> Self {
        Self {
            ply: created.fork.as_ref().map_or(0, |fork| fork.ply),
            name: created.name.clone(),
            events: seq + 1,
            ..Self::default()
        }
    }

    /// Updates the standing with the log's next event.
    pub fn apply(&mut self, event: &Event) {
        self.events = event.seq + 1;
        match &event.body {
            Body::Acted(_) | Body::Sealed(_) => self.ply += 1,
            Body::TakenBack(taken) => {
                self.ply = taken.to_ply;
                self.takebacks += 1;
                self.reopen();
            }
            Body::Ended(ended) => {
                let (outcome, decided_by) = (ended.outcome.clone(), ended.decided_by);
                self.end = Some(End { outcome, decided_by, at: event.at });
            }
            Body::Corrected(corrected) => {
                if let Some(end) = &mut self.end {
                    self.original.get_or_insert_with(|| end.clone());
                    end.outcome = corrected.outcome.clone();
                    end.decided_by = Decider::Arbiter;
                }
            }
            Body::Voided(voided) => self.voided = Some(voided.reason.clone()),
            Body::Unvoided(_) => self.voided = None,
            Body::Reopened(_) => self.reopen(),
            Body::Arranged(arranged) => self.arrange(arranged),
            Body::DeadlineSet(set) => self.deadline = Some(Deadline { opens: set.opens, due: set.due }),
            // Annotations and announcements, and the events of logs other than games.
            _ => {}
        }
    }

    fn reopen(&mut self) {
        self.end = None;
        self.original = None;
    }

    fn arrange(&mut self, arranged: &Arranged) {
        if let Some(name) = &arranged.name {
            self.name = Some(name.clone()).filter(|name| !name.is_empty());
        }
        self.is_hidden = arranged.hidden.unwrap_or(self.is_hidden);
        self.rank = arranged.rank.unwrap_or(self.rank);
    }

    /// Whether the game is running, finished or void.
    pub fn status(&self) -> Status {
        match (&self.voided, &self.end) {
            (Some(_), _) => Status::Void,
            (None, Some(_)) => Status::Finished,
            (None, None) => Status::Running,
        }
    }

    /// When what is awaited has to be done, in a running game with a deadline.
    pub fn due(&self) -> Option<Timestamp> {
        self.deadline?.due.filter(|_| self.status() == Status::Running)
    }

    /// Whether the game does not count.
    pub fn is_void(&self) -> bool {
        self.voided.is_some()
    }

    /// Whether nothing of the game is recorded but its result, which was entered.
    pub fn is_unrecorded(&self) -> bool {
        self.ply == 0 && self.outcome().is_some_and(|outcome| outcome.reason == UNRECORDED)
    }

    /// Whether there never was a game: it is void, and nobody has acted.
    pub fn is_unplayed(&self) -> bool {
        self.is_void() && self.ply == 0
    }

    /// The outcome, even if the game is void.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.end.as_ref().map(|end| &end.outcome)
    }
}

#[cfg(test)]
mod tests {
    use plybook_events::body::{Acted, Corrected, Ended, Reopened, TakenBack, Unvoided, Voided};
    use plybook_events::{By, Hash, LogId};

    use super::*;

    fn after(bodies: impl IntoIterator<Item = Body>) -> Standing {
        let mut standing = Standing { events: 1, ..Standing::default() };
        for (seq, body) in (1..).zip(bodies) {
            let at = Timestamp::from_millis(seq).unwrap();
            let log = LogId::from_bytes([1; 16]);
            standing.apply(&Event {
                at,
                by: By::Service,
                log,
                prev: Hash::ZERO,
                seq: seq as u64,
                body,
                who: None,
                signature: None,
                request: None,
            });
        }
        standing
    }

    fn acted() -> Body {
        Body::Acted(Acted { action: "a".to_owned(), clock_ms: None, fair: false })
    }

    fn ended() -> Body {
        Body::Ended(Ended { decided_by: Decider::Rules, outcome: Outcome::win(vec![1], "line"), seed: None })
    }

    fn corrected() -> Body {
        Body::Corrected(Corrected { outcome: Outcome::draw("ruling"), reason: String::new() })
    }

    #[test]
    fn a_correction_changes_the_outcome_and_not_the_end() {
        let standing = after([acted(), ended(), corrected()]);
        let end = standing.end.as_ref().unwrap();
        let original = standing.original.as_ref().unwrap();
        assert_eq!((original.outcome.reason.as_str(), original.decided_by), ("line", Decider::Rules));
        assert_eq!((end.outcome.reason.as_str(), end.decided_by, end.at.as_millis()), ("ruling", Decider::Arbiter, 2));
        assert!(standing.status() == Status::Finished && standing.events == 4);
    }

    #[test]
    fn a_takeback_reopens_the_game() {
        let taken = Body::TakenBack(TakenBack { to_ply: 1, reason: String::new() });
        let standing = after([acted(), acted(), ended(), corrected(), taken]);
        assert_eq!((standing.ply, standing.takebacks, standing.status()), (1, 1, Status::Running));
        assert!(standing.end.is_none() && standing.original.is_none());
    }

    #[test]
    fn a_void_game_keeps_its_outcome_and_does_not_count() {
        let voided = Body::Voided(Voided { reason: "wrong board".to_owned(), seed: None });
        let standing = after([acted(), ended(), voided]);
        assert_eq!((standing.status(), standing.outcome().is_some()), (Status::Void, true));
    }

    #[test]
    fn a_game_that_is_void_no_more_stands_as_before() {
        let voided = || Body::Voided(Voided { reason: "wrong board".to_owned(), seed: None });
        let unvoided = || Body::Unvoided(Unvoided { reason: "right board".to_owned() });
        assert_eq!(after([acted(), voided(), unvoided()]).status(), Status::Running);
        assert_eq!(after([acted(), ended(), voided(), unvoided()]).status(), Status::Finished);
    }

    #[test]
    fn a_reopened_game_runs_on_with_all_its_plies() {
        let reopened = Body::Reopened(Reopened { reason: "not resigned".to_owned() });
        let standing = after([acted(), acted(), ended(), corrected(), reopened]);
        assert_eq!((standing.ply, standing.takebacks, standing.status()), (2, 0, Status::Running));
        assert!(standing.end.is_none() && standing.original.is_none());
    }
}
