//! Judging recorded games anew: under the present rules of their kind, whatever version of them a
//! game was recorded under. What is found changes nothing: a record counts as it stands.

use plybook_events::body::{Acted, Created, Ended, Seed};
use plybook_events::fair::Dice;
use plybook_events::{Actor, Body, Decider, Event, LogId, Outcome};
use plybook_rules::log::{Secrets, revealed};
use plybook_rules::{ActionError, AnyPosition, Rules, SetupError};
use serde_json::{Value, json};

use crate::error::Problem;

/// A position is kept every so many plies, so that a takeback costs at most as many actions.
const KEPT_EVERY: usize = 64;

/// The rules to judge by, and where logs are found.
pub struct Refold<'a> {
    /// The rules of a kind, as they are now.
    pub rules: &'a (dyn Fn(&str) -> Option<&'static dyn Rules> + Sync),
    /// The events of a log that a line forks from; empty where it is not known.
    pub parent: &'a (dyn Fn(LogId) -> Result<Vec<Event>, Problem> + Sync),
}

/// What judging a game anew found.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
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
    pub what: What,
}

/// What the present rules judge otherwise.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum What {
    /// There are no such rules any more.
    #[error("no game is called {0:?} any more")]
    Kind(String),
    /// The setup is refused.
    #[error("the setup is refused: {0}")]
    Setup(SetupError),
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

impl What {
    /// The difference in a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Kind(_) => "kind",
            Self::Setup(_) => "setup",
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

impl Judged {
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

impl Refold<'_> {
    /// Judges a log; nothing where it is not a game's.
    ///
    /// # Errors
    /// The log that a line forks from cannot be read.
    pub fn judge(&self, log: &[Event]) -> Result<Option<Judged>, Problem> {
        let Some((first, Body::Created(created))) = log.first().map(|event| (event, &event.body)) else {
            return Ok(None);
        };
        let rules = (self.rules)(&created.kind);
        let mut judged = Judged {
            game: first.log,
            kind: created.kind.clone(),
            recorded: created.rules.clone(),
            present: rules.map(|rules| rules.about().version),
            ply: 0,
            verdict: Verdict::Same,
        };
        let Some(rules) = rules else {
            let what = What::Kind(created.kind.clone());
            judged.verdict = Verdict::Differs(Difference { log: first.log, seq: first.seq, ply: 0, what });
            return Ok(Some(judged));
        };
        match self.stretches(log, created)? {
            Ok(way) => (judged.ply, judged.verdict) = walk(rules, &way),
            Err(unknown) => judged.verdict = Verdict::Orphan(unknown),
        }
        Ok(Some(judged))
    }

    /// The stretches of logs that lead to the end of one, the first one first; or the log that
    /// would have to be known.
    fn stretches(&self, log: &[Event], created: &Created) -> Result<Result<Vec<Stretch>, LogId>, Problem> {
        let mut way = vec![Stretch::new(log.to_vec(), None)];
        let mut fork = created.fork.clone();
        while let Some(from) = fork.take() {
            let events = (self.parent)(from.game)?;
            let is_known = way.iter().any(|stretch| stretch.log() == Some(from.game));
            match events.first().map(|event| &event.body) {
                Some(Body::Created(created)) if !is_known => fork.clone_from(&created.fork),
                _ => return Ok(Err(from.game)),
            }
            way.push(Stretch::new(events, Some(from.seq)));
        }
        way.reverse();
        Ok(Ok(way))
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
}

/// Why a game is not judged further.
enum Stop {
    Sealed,
    Differs(What),
}

impl From<What> for Stop {
    fn from(what: What) -> Self {
        Self::Differs(what)
    }
}

/// A game as the present rules play it.
struct Course {
    table: Box<dyn AnyPosition>,
    mainline: Vec<(Actor, String)>,
    /// The positions at plies 0, `KEPT_EVERY`, 2 × `KEPT_EVERY` …
    kept: Vec<Box<dyn AnyPosition>>,
    is_ended: bool,
    is_void: bool,
}

/// Plays a game as its logs tell it: the last ply, and what was found.
fn walk(rules: &dyn Rules, way: &[Stretch]) -> (usize, Verdict) {
    let mut events = way.iter().enumerate().flat_map(|(index, stretch)| {
        // A line's own beginning says nothing that its parent has not said.
        stretch.events[usize::from(index > 0)..].iter().map(move |event| (stretch, event))
    });
    let stopped = |ply: usize, event: &Event, stop| match stop {
        Stop::Sealed => (ply, Verdict::Sealed),
        Stop::Differs(what) => {
            let acts = matches!(event.body, Body::Acted(_) | Body::Sealed(_));
            let found = Difference { log: event.log, seq: event.seq, ply: ply + usize::from(acts), what };
            (ply, Verdict::Differs(found))
        }
    };
    let Some((stretch, mut last)) = events.next() else { return (0, Verdict::Same) };
    let mut course = match Course::begin(rules, stretch, last) {
        Ok(course) => course,
        Err(stop) => return stopped(0, last, stop),
    };
    for (stretch, event) in events {
        let ply = course.mainline.len();
        if let Err(stop) = course.follow(stretch, event) {
            return stopped(ply, event, stop);
        }
        last = event;
    }
    let ply = course.mainline.len();
    match course.check_runs("leaves it running".to_owned()) {
        Ok(()) => (ply, Verdict::Same),
        Err(what) => (ply, Verdict::Differs(Difference { log: last.log, seq: last.seq, ply, what })),
    }
}

impl Course {
    fn begin(rules: &dyn Rules, stretch: &Stretch, event: &Event) -> Result<Self, Stop> {
        let Body::Created(created) = &event.body else { return Err(What::OutOfPlace(event.body.type_name()).into()) };
        let sealed;
        let setup = if created.sealed_setup.is_some() {
            let content = stretch.secrets.get(&event.seq).ok_or(Stop::Sealed)?;
            sealed = serde_json::from_str(content).map_err(|_| What::OutOfPlace("revealed"))?;
            &sealed
        } else {
            &created.setup
        };
        let table = rules.start(setup).map_err(What::Setup)?;
        let (seats, named) = (table.seats(), created.seats.len());
        if usize::from(seats) != named {
            return Err(What::Seats { rules: seats, log: named }.into());
        }
        let kept = vec![table.boxed()];
        Ok(Self { table, mainline: Vec::new(), kept, is_ended: false, is_void: false })
    }

    /// Does what the next event says.
    fn follow(&mut self, stretch: &Stretch, event: &Event) -> Result<(), Stop> {
        let out_of_place = What::OutOfPlace(event.body.type_name());
        match &event.body {
            Body::Created(_) | Body::PlayerCreated(_) => return Err(out_of_place.into()),
            Body::Revealed(_) | Body::Annotated(_) | Body::Arranged(_) => {}
            Body::Corrected(_) if self.is_ended => {}
            Body::Voided(_) => {
                self.check_runs("declares it void".to_owned())?;
                self.is_void = true;
            }
            Body::TakenBack(taken) if !self.is_void => {
                self.check_runs(format!("takes back to ply {}", taken.to_ply))?;
                self.take_back(taken.to_ply as usize).ok_or(out_of_place)?;
            }
            _ if self.is_ended || self.is_void => return Err(out_of_place.into()),
            Body::Acted(acted) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                self.roll(stretch, event, acted, actor)?;
            }
            Body::Sealed(_) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                let token = stretch.secrets.get(&event.seq).ok_or(Stop::Sealed)?;
                self.act(actor, token)?;
            }
            Body::Ended(ended) => self.end(ended)?,
            Body::DrawOffered(_) | Body::DrawAnswered(_) | Body::Resigned(_) => {
                self.check_runs(format!("goes on with `{}` by {}", event.body.type_name(), event.by))?;
            }
            Body::Corrected(_) | Body::TakenBack(_) => return Err(out_of_place.into()),
        }
        Ok(())
    }

    /// The rules may have ended the game only where the log ends it.
    fn check_runs(&self, log: String) -> Result<(), What> {
        match self.table.outcome() {
            Some(rules) if !self.is_ended && !self.is_void => Err(What::Over { rules: text(&rules), log }),
            _ => Ok(()),
        }
    }

    fn act(&mut self, actor: Actor, token: &str) -> Result<(), What> {
        self.check_runs(format!("goes on with {token} by {actor}"))?;
        self.table.act(actor, token).map_err(|why| What::Action { actor, token: token.to_owned(), why })?;
        self.mainline.push((actor, token.to_owned()));
        if self.mainline.len().is_multiple_of(KEPT_EVERY) {
            self.kept.push(self.table.boxed());
        }
        Ok(())
    }

    /// An action in the open. What the service rolled follows from the seed, once that is public.
    fn roll(&mut self, stretch: &Stretch, event: &Event, acted: &Acted, actor: Actor) -> Result<(), What> {
        let is_awaited = acted.fair && self.table.to_act().contains(Actor::Chance);
        let rolled = stretch.seed.as_ref().filter(|_| is_awaited).map(|seed| {
            let mut dice = Dice::new(&seed.seed, event.log, event.seq);
            self.table.sample(Actor::Chance, &mut |n| dice.below(n))
        });
        self.act(actor, &acted.action)?;
        match rolled {
            Some(rules) if rules != acted.action => Err(What::Roll { rules, log: acted.action.clone() }),
            _ => Ok(()),
        }
    }

    fn end(&mut self, ended: &Ended) -> Result<(), What> {
        if ended.decided_by == Decider::Rules {
            let rules = self.table.outcome().ok_or_else(|| What::NotOver(text(&ended.outcome)))?;
            if rules != ended.outcome {
                return Err(What::Outcome { rules: text(&rules), log: text(&ended.outcome) });
            }
        } else {
            self.check_runs(format!("ends it otherwise ({})", text(&ended.outcome)))?;
        }
        self.is_ended = true;
        Ok(())
    }

    fn take_back(&mut self, to_ply: usize) -> Option<()> {
        let after = self.mainline.get(to_ply / KEPT_EVERY * KEPT_EVERY..to_ply)?;
        let mut table = self.kept[to_ply / KEPT_EVERY].boxed();
        for (actor, token) in after {
            table.act(*actor, token).expect("it was played before");
        }
        self.table = table;
        self.mainline.truncate(to_ply);
        self.kept.truncate(to_ply / KEPT_EVERY + 1);
        self.is_ended = false;
        Some(())
    }
}

/// An outcome as it stands in a log.
fn text(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).expect("an outcome is plain data")
}
