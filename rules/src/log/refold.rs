//! Judging recorded games anew: under the present rules of their kind, whatever version of them a
//! game was recorded under. What is found changes nothing: a record counts as it stands.

use plybook_events::body::{Created, Fork, Seed};
use plybook_events::{Actor, Body, Decider, Event, LogId, Outcome};
use serde_json::{Value, json};

use super::misfit::Misfit;
use super::replay::{Replay, Secrets, revealed};
use super::standing::Status;
use super::verify::misrolled;
use crate::{ActionError, PositionError, Rules, SetupError};

/// The rules to judge by, and where logs are found; `E` is why one cannot be read.
pub struct Refold<'a, E> {
    /// The rules of a kind, as they are now.
    pub rules: &'a (dyn Fn(&str) -> Option<&'static dyn Rules> + Sync),
    /// The events of a log that a line forks from; empty where it is not known.
    pub parent: &'a (dyn Fn(LogId) -> Result<Vec<Event>, E> + Sync),
}

/// What judging a game anew found.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The log's id.
    pub game: LogId,
    /// The game that is played.
    pub kind: String,
    /// The version of the rules it was recorded under.
    pub recorded: String,
    /// The version it was judged by; nothing where no game is called so any more.
    pub present: Option<&'static str>,
    /// The last ply that was judged.
    pub ply: usize,
    /// What was found.
    pub verdict: Verdict,
}

/// Whether the present rules say what a log says.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// They do, to the last event.
    Same,
    /// They do, up to something that is sealed and not revealed yet.
    Sealed,
    /// It is a line of a log that is not known.
    Orphan(LogId),
    /// They do not.
    Differs(Difference),
}

/// The first event that the present rules judge otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The log of the event: the game's own, or one that the line forks from.
    pub log: LogId,
    /// Its seq.
    pub seq: u64,
    /// The ply of an action; of anything else the last ply before it.
    pub ply: usize,
    /// What differs.
    pub what: Discrepancy,
}

/// What the present rules judge otherwise.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Discrepancy {
    /// There are no such rules any more.
    #[error("no game is called {0:?} any more")]
    Kind(String),
    /// The setup is refused.
    #[error("the setup is refused: {0}")]
    Setup(SetupError),
    /// The position that is set up is refused.
    #[error("the position is refused: {0}")]
    Position(PositionError),
    /// The setup is one for another number of seats.
    #[error("the setup has {rules} seats, the log names {log}")]
    Seats {
        /// Seats of the setup.
        rules: u8,
        /// Seats that are named.
        log: usize,
    },
    /// An action is refused, or not that of an actor who is to act.
    #[error("{actor} {token}: {why}")]
    Action {
        /// Who acted.
        actor: Actor,
        /// The action.
        token: String,
        /// Why it is not accepted.
        why: ActionError,
    },
    /// The rules end the game, and the log does not.
    #[error("the rules end the game here ({rules}), the log {log}")]
    Over {
        /// How they end it, as it would stand in a log; so in what follows.
        rules: String,
        /// What the log does instead.
        log: String,
    },
    /// The log says that the rules ended the game, and they do not.
    #[error("the log says that the rules end the game ({0}), they do not")]
    NotOver(String),
    /// The rules end the game otherwise.
    #[error("the rules end the game with {rules}, the log says {log}")]
    Outcome {
        /// How they end it.
        rules: String,
        /// How the log says they did.
        log: String,
    },
    /// A roll of the service follows otherwise from the seed.
    #[error("the seed gives {rules}, the log says {log}")]
    Roll {
        /// The roll as the rules derive it.
        rules: String,
        /// The roll that is recorded.
        log: String,
    },
    /// The event can come from no rules: the log is damaged.
    #[error("`{0}` cannot come here: `plybook verify` says what is wrong with the log")]
    OutOfPlace(&'static str),
}

impl Discrepancy {
    /// The difference in a word.
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
    /// What was found as one object, for programs.
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
    /// Judges a log; nothing where it is not a game's.
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
            Ok(stretches) => (judgement.ply, judgement.verdict) = fold(rules, &stretches),
            Err(unknown) => judgement.verdict = Verdict::Orphan(unknown),
        }
        Ok(Some(judgement))
    }

    /// The stretches of logs that lead to the end of one, the first one first; or the log that
    /// would have to be known.
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

/// The events of a log that count for a game: all of them, or those up to where a line forks.
struct Stretch {
    events: Vec<Event>,
    /// What the whole log reveals.
    secrets: Secrets,
    /// The seed that the whole log publishes.
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

    /// Begins the fold of this stretch, where the one before has led to `parent`.
    fn begin(&self, rules: &'static dyn Rules, first: &Event, parent: Option<Replay>) -> Result<Replay, Misfit> {
        let begun = match (parent, &first.body) {
            (Some(parent), Body::Created(Created { fork: Some(Fork { hash, .. }), .. })) => parent.branch(first, *hash),
            _ => Replay::begin_under(rules, first, &self.secrets),
        };
        begun.map_err(|why| why.why)
    }
}

/// Why a game is not judged further.
enum Stop {
    Sealed,
    Differs(Discrepancy),
}

/// Folds a game as its logs tell it: the last ply, and what was found.
fn fold(rules: &'static dyn Rules, stretches: &[Stretch]) -> (usize, Verdict) {
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

/// The verdict where a fold stops at an event, after so many plies.
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

/// Applies the next event, where the rules say what it says.
fn follow(replay: &mut Replay, stretch: &Stretch, event: &Event) -> Result<(), Stop> {
    if matches!(event.body, Body::Sealed(_)) && !stretch.secrets.contains_key(&event.seq) {
        return Err(Stop::Sealed);
    }
    check_runs_before(replay, stretch, event).map_err(Stop::Differs)?;
    let rolled = stretch.seed.as_ref().and_then(|seed| misrolled(replay, seed, event));
    if let Err(why) = replay.apply(event, &stretch.secrets) {
        return Err(stop(Some(replay), event, why.why));
    }
    match (rolled, &event.body) {
        (Some(rules), Body::Acted(acted)) => Err(Stop::Differs(Discrepancy::Roll { rules, log: acted.action.clone() })),
        _ => Ok(()),
    }
}

/// The rules may have ended the game only where the log ends it.
fn check_runs(replay: &Replay, log: impl FnOnce() -> String) -> Result<(), Discrepancy> {
    match replay.position().outcome() {
        Some(rules) if replay.status() == Status::Running => Err(Discrepancy::Over { rules: text(&rules), log: log() }),
        _ => Ok(()),
    }
}

/// As [`check_runs`], before an event that would go on with the game.
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

/// What it means that an event does not fit.
fn stop(replay: Option<&Replay>, event: &Event, why: Misfit) -> Stop {
    Stop::Differs(match (why, &event.body) {
        (Misfit::Sealed, _) => return Stop::Sealed,
        (Misfit::Secret(why), _) => return stop(replay, event, *why),
        (Misfit::Setup(why), _) => Discrepancy::Setup(why),
        (Misfit::Position(why), _) => Discrepancy::Position(why),
        (Misfit::Seats { setup, named }, _) => Discrepancy::Seats { rules: setup, log: named },
        (Misfit::Action { token, why }, _) => match event.by.actor() {
            Some(actor) => Discrepancy::Action { actor, token, why },
            None => Discrepancy::OutOfPlace(event.body.type_name()),
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
/// An outcome as it stands in a log.
fn text(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).expect("an outcome is plain data")
}
