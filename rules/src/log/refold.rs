//! Refolding: judges recorded games by the current rules of their kind, whatever version they were recorded
//! under. The verdict changes nothing; records stay as they are.

use plybook_events::body::{Created, Fork, Seed};
use plybook_events::{Actor, Body, Decider, Event, LogId, Outcome};
use serde_json::{Value, json};

use super::misfit::Misfit;
use super::replay::{Replay, Secrets, revealed};
use super::standing::Status;
use super::verify::misrolled;
use crate::{ActionError, PositionError, Rules, SetupError};

/// The rules to judge by, and a way to find logs. `E` is the error of reading one.
pub struct Refold<'a, E> {
    /// The current rules of a kind.
    pub rules: &'a (dyn Fn(&str) -> Option<&'static dyn Rules> + Sync),
    /// The events of a log that a line forks from; empty if the log is not known.
    pub parent: &'a (dyn Fn(LogId) -> Result<Vec<Event>, E> + Sync),
    /// Asked before each event; if it says no, judging stops, and the judgement means nothing.
    pub goes_on: &'a (dyn Fn() -> bool + Sync),
}

/// The result of judging a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The log's id.
    pub game: LogId,
    /// The kind of game.
    pub kind: String,
    /// The version of the rules that the game was recorded under.
    pub recorded: String,
    /// The version it was judged by; `None` if there is no such kind any more.
    pub present: Option<&'static str>,
    /// The last ply judged.
    pub ply: usize,
    /// The verdict.
    pub verdict: Verdict,
}

/// Whether the current rules agree with a log.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// They agree with every event.
    Same,
    /// They agree up to something that is still sealed.
    Sealed,
    /// Not judged: the line's parent log is not known.
    Orphan(LogId),
    /// They disagree.
    Differs(Difference),
}

/// The first event that the current rules disagree with.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The log of the event: the judged one, or one that it continues.
    pub log: LogId,
    /// The seq of the event.
    pub seq: u64,
    /// The ply of an action; for any other event, the last ply before it.
    pub ply: usize,
    /// What they disagree about.
    pub what: Discrepancy,
}

/// A disagreement between a log and the current rules.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Discrepancy {
    /// There is no such kind any more.
    #[error("no game is called {0:?} any more")]
    Kind(String),
    /// The setup is refused.
    #[error("the setup is refused: {0}")]
    Setup(SetupError),
    /// The position to start from is refused.
    #[error("the position is refused: {0}")]
    Position(PositionError),
    /// The setup takes a different number of seats.
    #[error("the setup has {rules} seats, the log names {log}")]
    Seats {
        /// Seats in the setup.
        rules: u8,
        /// Seats in the log.
        log: usize,
    },
    /// An action is refused, or its actor is not to act.
    #[error("{actor} {action}: {why}")]
    Action {
        /// The actor.
        actor: Actor,
        /// The action.
        action: String,
        /// Why the rules do not accept it.
        why: ActionError,
    },
    /// The rules end the game where the log does not.
    #[error("the rules end the game here ({rules}), the log {log}")]
    Over {
        /// The outcome by the rules, formatted as in a log; likewise below.
        rules: String,
        /// The event in the log instead.
        log: String,
    },
    /// The log records an end by the rules that the rules do not confirm.
    #[error("the log says that the rules end the game ({0}), they do not")]
    NotOver(String),
    /// The rules end the game with a different outcome.
    #[error("the rules end the game with {rules}, the log says {log}")]
    Outcome {
        /// The outcome by the rules.
        rules: String,
        /// The outcome in the log.
        log: String,
    },
    /// The seed gives a different roll.
    #[error("the seed gives {rules}, the log says {log}")]
    Roll {
        /// The roll that the rules derive from the seed.
        rules: String,
        /// The recorded roll.
        log: String,
    },
    /// No version of the rules can have written the event: the log is damaged.
    #[error("`{0}` cannot come here: `plybook verify` says what is wrong with the log")]
    OutOfPlace(&'static str),
}

impl Discrepancy {
    /// The name of the disagreement, one word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Kind(_) => "kind",
            Self::Setup(_) => "setup",
            Self::Position(_) => "position",
            Self::Seats { .. } => "seats",
            Self::Action { .. } => "action",
            Self::Over { .. } => "over",
            Self::NotOver(_) => "not-over",
            Self::Outcome { .. } => "outcome",
            Self::Roll { .. } => "roll",
            Self::OutOfPlace(_) => "log",
        }
    }
}

impl Judgement {
    /// The judgement as a JSON object.
    pub fn to_json(&self) -> Value {
        let (verdict, difference) = match &self.verdict {
            Verdict::Same => ("same", None),
            Verdict::Sealed => ("sealed", None),
            Verdict::Orphan(_) => ("orphan", None),
            Verdict::Differs(found) => ("differs", Some(found)),
        };
        json!({
            "game": self.game,
            "kind": self.kind,
            "recorded": self.recorded,
            "present": self.present,
            "ply": self.ply,
            "verdict": verdict,
            "difference": difference.map(|found| json!({
                "log": found.log,
                "seq": found.seq,
                "ply": found.ply,
                "what": found.what.word(),
                "why": found.what.to_string(),
            })),
        })
    }
}

impl<E> Refold<'_, E> {
    /// Judges a log; `None` if it is not the log of a game.
    ///
    /// # Errors
    /// The log that a line forks from cannot be read.
    pub fn judge(&self, log: &[Event]) -> Result<Option<Judgement>, E> {
        let Some((first, Body::Created(created))) = log.first().map(|event| (event, &event.body)) else {
            return Ok(None);
        };
        let rules = (self.rules)(&created.kind);
        let mut judgement = Judgement {
            game: first.log,
            kind: created.kind.clone(),
            recorded: created.rules.clone(),
            present: rules.map(|rules| rules.about().version),
            ply: 0,
            verdict: Verdict::Same,
        };
        let Some(rules) = rules else {
            let what = Discrepancy::Kind(created.kind.clone());
            judgement.verdict = Verdict::Differs(Difference { log: first.log, seq: first.seq, ply: 0, what });
            return Ok(Some(judgement));
        };
        match self.stretches(log, created)? {
            Ok(stretches) => (judgement.ply, judgement.verdict) = fold(rules, &stretches, self.goes_on),
            Err(unknown) => judgement.verdict = Verdict::Orphan(unknown),
        }
        Ok(Some(judgement))
    }

    /// The stretches of logs that lead to the end of this one, in order; or the id of a log that is missing.
    fn stretches(&self, log: &[Event], created: &Created) -> Result<Result<Vec<Stretch>, LogId>, E> {
        let mut stretches = vec![Stretch::new(log.to_vec(), None)];
        let mut fork = created.fork.clone();
        while let Some(from) = fork.take() {
            let events = (self.parent)(from.game)?;
            let is_known = stretches.iter().any(|stretch| stretch.log() == Some(from.game));
            match events.first().map(|event| &event.body) {
                Some(Body::Created(created)) if !is_known => fork.clone_from(&created.fork),
                _ => return Ok(Err(from.game)),
            }
            stretches.push(Stretch::new(events, Some(from.seq)));
        }
        stretches.reverse();
        Ok(Ok(stretches))
    }
}

/// The events of a log that belong to a game: all of them, or those up to a line's fork.
struct Stretch {
    events: Vec<Event>,
    /// The secrets revealed anywhere in the log.
    secrets: Secrets,
    /// The seed published anywhere in the log.
    seed: Option<Seed>,
}

impl Stretch {
    fn new(mut events: Vec<Event>, last: Option<u64>) -> Self {
        let secrets = revealed(&events);
        let published = |event: &Event| match &event.body {
            Body::Ended(ended) => ended.seed.clone(),
            Body::Voided(voided) => voided.seed.clone(),
            _ => None,
        };
        let seed = events.iter().find_map(published);
        events.retain(|event| last.is_none_or(|last| event.seq <= last));
        Self { events, secrets, seed }
    }

    fn log(&self) -> Option<LogId> {
        self.events.first().map(|event| event.log)
    }

    /// Starts to fold this stretch, on top of `parent` if there is an earlier one.
    fn begin(&self, rules: &'static dyn Rules, first: &Event, parent: Option<Replay>) -> Result<Replay, Misfit> {
        let begun = match (parent, &first.body) {
            (Some(parent), Body::Created(Created { fork: Some(Fork { hash, .. }), .. })) => parent.branch(first, *hash),
            _ => Replay::begin_under(rules, first, &self.secrets),
        };
        begun.map_err(|why| why.why)
    }
}

/// Why folding stops.
enum Stop {
    Sealed,
    Differs(Discrepancy),
}

/// Folds the stretches of a game in order. Returns the last ply and the verdict.
fn fold(rules: &'static dyn Rules, stretches: &[Stretch], goes_on: &dyn Fn() -> bool) -> (usize, Verdict) {
    let mut folded: Option<Replay> = None;
    for stretch in stretches {
        let Some((first, rest)) = stretch.events.split_first() else { break };
        let ply = folded.as_ref().map_or(0, |replay| replay.mainline().len());
        let mut replay = match stretch.begin(rules, first, folded.take()) {
            Ok(replay) => replay,
            Err(why) => return stopped(ply, first, stop(None, first, why)),
        };
        for event in rest {
            let ply = replay.mainline().len();
            if !goes_on() {
                return (ply, Verdict::Same);
            }
            if let Err(stop) = follow(&mut replay, stretch, event) {
                return stopped(ply, event, stop);
            }
        }
        replay.open(&stretch.secrets);
        folded = Some(replay);
    }
    let last = stretches.last().and_then(|stretch| stretch.events.last());
    let (Some(replay), Some(last)) = (folded, last) else { return (0, Verdict::Same) };
    let ply = replay.mainline().len();
    match check_runs(&replay, || "leaves it running".to_owned()) {
        Ok(()) => (ply, Verdict::Same),
        Err(what) => (ply, Verdict::Differs(Difference { log: last.log, seq: last.seq, ply, what })),
    }
}

/// The verdict when folding stops at an event after `ply` plies.
fn stopped(ply: usize, event: &Event, stop: Stop) -> (usize, Verdict) {
    match stop {
        Stop::Sealed => (ply, Verdict::Sealed),
        Stop::Differs(what) => {
            let acts = matches!(event.body, Body::Acted(_) | Body::Sealed(_));
            let found = Difference { log: event.log, seq: event.seq, ply: ply + usize::from(acts), what };
            (ply, Verdict::Differs(found))
        }
    }
}

/// Applies the next event, if the rules agree with it.
fn follow(replay: &mut Replay, stretch: &Stretch, event: &Event) -> Result<(), Stop> {
    if matches!(event.body, Body::Sealed(_)) && !stretch.secrets.contains_key(&event.seq) {
        return Err(Stop::Sealed);
    }
    check_runs_before(replay, stretch, event).map_err(Stop::Differs)?;
    let rolled = stretch.seed.as_ref().and_then(|seed| misrolled(replay, seed, event, &stretch.secrets));
    if let Err(why) = replay.apply(event, &stretch.secrets) {
        return Err(stop(Some(replay), event, why.why));
    }
    match rolled {
        Some((rules, log)) => Err(Stop::Differs(Discrepancy::Roll { rules, log })),
        None => Ok(()),
    }
}

/// Checks that the rules do not end the game before the log does.
fn check_runs(replay: &Replay, log: impl FnOnce() -> String) -> Result<(), Discrepancy> {
    match replay.position().outcome() {
        Some(rules) if replay.status() == Status::Running => Err(Discrepancy::Over { rules: text(&rules), log: log() }),
        _ => Ok(()),
    }
}

/// Like [`check_runs`], before an event that continues the game.
fn check_runs_before(replay: &Replay, stretch: &Stretch, event: &Event) -> Result<(), Discrepancy> {
    let by = event.by;
    match &event.body {
        Body::Acted(acted) => check_runs(replay, || format!("goes on with {} by {by}", acted.action)),
        Body::Sealed(_) => check_runs(replay, || format!("goes on with {} by {by}", stretch.secrets[&event.seq])),
        Body::TakenBack(taken) => check_runs(replay, || format!("takes back to ply {}", taken.to_ply)),
        Body::Voided(_) => check_runs(replay, || "declares it void".to_owned()),
        Body::Ended(ended) if ended.decided_by != Decider::Rules => {
            check_runs(replay, || format!("ends it otherwise ({})", text(&ended.outcome)))
        }
        Body::DrawOffered(_) | Body::DrawAnswered(_) | Body::Resigned(_) => {
            check_runs(replay, || format!("goes on with `{}` by {by}", event.body.type_name()))
        }
        _ => Ok(()),
    }
}

/// Turns a misfit into the reason to stop.
fn stop(replay: Option<&Replay>, event: &Event, why: Misfit) -> Stop {
    Stop::Differs(match (why, &event.body) {
        (Misfit::Sealed, _) => return Stop::Sealed,
        (Misfit::Secret(why), _) => return stop(replay, event, *why),
        (Misfit::Setup(why), _) => Discrepancy::Setup(why),
        (Misfit::Position(why), _) => Discrepancy::Position(why),
        (Misfit::Seats { setup, named }, _) => Discrepancy::Seats { rules: setup, log: named },
        (Misfit::Action { action, why }, _) => match event.by.actor() {
            Some(actor) => Discrepancy::Action { actor, action, why },
            None => Discrepancy::OutOfPlace(event.body.type_name()),
        },
        (Misfit::Over, body) => Discrepancy::Over {
            rules: replay.and_then(|replay| replay.position().outcome()).as_ref().map_or_else(String::new, text),
            log: format!("goes on with `{}`", body.type_name()),
        },
        (Misfit::Outcome, Body::Ended(ended)) => {
            let log = text(&ended.outcome);
            match replay.and_then(|replay| replay.position().outcome()) {
                Some(rules) => Discrepancy::Outcome { rules: text(&rules), log },
                None => Discrepancy::NotOver(log),
            }
        }
        _ => Discrepancy::OutOfPlace(event.body.type_name()),
    })
}

/// An outcome, formatted as in a log.
fn text(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).expect("an outcome is plain data")
}
