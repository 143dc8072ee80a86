//! Drafts: everything that recording adds to a log, derived from arguments alone.
//!
//! A draft carries out commands one by one and collects the events they write, all or none. Times, salts,
//! seeds and the secrets kept so far come in through a [`Source`]; the exact bytes of the events, the folded
//! log and the secrets that the vault must keep come out. No other module seals, reveals, rolls or publishes
//! a seed.

use std::collections::BTreeMap;

use plybook_events::body::{Acted, Created, DeadlineSet, Fork, Revealed, Rolls, Sealed, SeatEntry, Seed};
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, By, Event, EventError, Hash, LogId, Signature, Statement, Timestamp, Who, seal};
use serde_json::{Map, Value};

use super::command::{Command, CommandError, NewEvent, begun, decide};
use super::misfit::{FoldError, Misfit};
use super::replay::{Replay, Secrets, begins_with_chance};
use super::secret::Secret;
use super::standing::Status;
use crate::setup::DRAWN;
use crate::{Deadline, PositionError, Rules, SetupError, Viewer, kind};

/// Provides what a draft must not invent.
pub trait Source {
    /// The time at which the event with this seq is recorded. A time before the previous event's is replaced
    /// by that event's.
    fn at(&mut self, seq: u64) -> Timestamp;

    /// The salt for whatever the event with this seq seals: 32 unguessable bytes.
    fn salt(&mut self, seq: u64) -> Hash;

    /// What the vault keeps for the log under a key; see [`Secret::key`].
    fn kept(&self, key: &str) -> Option<Vec<u8>>;

    /// The person who wants it recorded, if anybody is known.
    fn who(&self) -> Option<Who> {
        None
    }

    /// That person's signature of what is recorded, if there is one.
    fn signature(&mut self, _statement: &Statement) -> Option<Signature> {
        None
    }
}

/// New events for a log, and the log folded with them.
pub struct Draft<S> {
    source: S,
    replay: Replay,
    prev: Hash,
    events: Vec<Vec<u8>>,
    /// What the new events seal, by seq.
    secrets: Secrets,
    /// What the vault must store before the events are written.
    kept: BTreeMap<String, Vec<u8>>,
}

/// A finished draft.
pub struct FinishedDraft {
    /// The log, with the new events folded in.
    pub replay: Replay,
    /// The exact bytes of the events.
    pub events: Vec<Vec<u8>>,
    /// What the vault must store before the events are written, as keys and values, except what these events
    /// reveal themselves.
    pub kept: BTreeMap<String, Vec<u8>>,
}

/// A line to create.
pub struct NewLine {
    /// The ply and the event of the parent's log to fork from.
    pub fork: Fork,
    /// The position to set up at that ply instead of the parent's, if any.
    pub position: Option<serde_json::Value>,
    /// Its name.
    pub name: Option<String>,
    /// The player who owns it.
    pub owner: Option<LogId>,
}

/// Why nothing is added. A draft that failed must be dropped.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// A command was refused.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// There is no such kind of game.
    #[error("no game is called {0:?}")]
    Kind(String),
    /// The setup is invalid; the text says how to correct it.
    #[error("setup: {0}")]
    Setup(#[from] SetupError),
    /// The position is invalid; the text says how to correct it.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// The number of seats does not match the setup.
    #[error("this game has {wanted} seats: name as many, not {named}")]
    Seats {
        /// Seats in the setup.
        wanted: u8,
        /// Seats in the request.
        named: usize,
    },
    /// An event has no canonical form, or is too long.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The new events cannot be folded: a bug in the rules, or a parent that does not match.
    #[error(transparent)]
    Fold(FoldError),
    /// Something else was signed than what is to be recorded.
    #[error("something else was signed than what would be recorded, which is {0}")]
    Signature(String),
    /// Nothing was signed, and everything that a person does in this game is.
    #[error("everything that a person does in this game is signed, one event a request; what is not signed is {0}")]
    Unsigned(String),
    /// The events begin the end of the game, and do not end it.
    #[error("the game ends here, and the end is missing")]
    Unended,
    /// The game ends, and the seed of its dice is kept by the service that it was imported from.
    #[error("another service keeps the seed of this game's dice: finish the game there, and import its record")]
    SeedElsewhere,
    /// The vault does not have what the event with this seq commits to.
    #[error("the vault lacks what event {0} commits to")]
    Lost(u64),
}

impl From<FoldError> for DraftError {
    fn from(FoldError { seq, ply, why }: FoldError) -> Self {
        match why {
            Misfit::Setup(why) => Self::Setup(why),
            Misfit::Position(why) => Self::Position(why),
            Misfit::Seats { setup, named } => Self::Seats { wanted: setup, named },
            why => Self::Fold(FoldError { seq, ply, why }),
        }
    }
}

/// The members of a complete setup that were drawn: those that were asked to be, and those that were left out if
/// other dice would have given them another value.
fn drawn_members(rules: &dyn Rules, asked: &Value, complete: &Value) -> Vec<String> {
    let other = [rules.complete(asked, &mut |_| 0), rules.complete(asked, &mut |n| n - 1)];
    let depends = |name: &str| other.iter().flatten().any(|other| other.get(name) != complete.get(name));
    let is_drawn = |name: &str| match asked.get(name) {
        Some(value) => value == DRAWN,
        None => complete.get(name).is_some() && depends(name),
    };
    rules.about().drawn.iter().filter(|name| is_drawn(name)).map(ToString::to_string).collect()
}

impl<S: Source> Draft<S> {
    /// Starts a game. `created` holds what the caller asks for. The version of the rules, missing members of
    /// the setup (drawn from the seed if they are random) and the commitments are filled in.
    ///
    /// # Errors
    /// There is no such kind, the setup or position is invalid, or the number of seats is wrong.
    pub fn create(mut source: S, log: LogId, mut created: Created, seed: &Seed) -> Result<Self, DraftError> {
        let rules = kind(&created.kind).ok_or_else(|| DraftError::Kind(created.kind.clone()))?;
        let mut dice = Dice::of_setup(&seed.seed, log);
        if created.setup.is_null() {
            created.setup = Map::new().into();
        }
        let setup = rules.complete(&created.setup, &mut |n| dice.below(n))?;
        created.drawn = drawn_members(rules, &created.setup, &setup);
        rules.about().version.clone_into(&mut created.rules);
        created.open &= rules.about().secrets;
        created.setup = setup;
        let (mut kept, mut secrets) = (BTreeMap::new(), Secrets::new());
        let has_dice = rules.about().chance || begins_with_chance(rules, &created.setup);
        if created.rolls.is_some() && !has_dice {
            let why = "`rolls`: this game has no dice, so nothing is said of them";
            return Err(CommandError::Bad(why.to_owned()).into());
        }
        if has_dice && created.rolls != Some(Rolls::Typed) || !created.drawn.is_empty() {
            created.fairness = Some(fair::commitment(log, seed));
            Secret::Seed(seed.clone()).keep(&mut kept);
        }
        let is_sealed = rules.about().secrets && !created.open;
        if is_sealed {
            let public = rules.setup_for(&created.setup, Viewer::Public);
            if public != created.setup {
                let (salt, content) = (source.salt(0), created.setup.to_string());
                created.sealed_setup = Some(commit(log, 0, By::Service, salt, content, &mut secrets, &mut kept));
                created.setup = public;
            }
        }
        let at = source.at(0);
        let event = Event {
            at,
            by: By::Service,
            log,
            prev: Hash::ZERO,
            seq: 0,
            body: Body::Created(created),
            who: source.who(),
            signature: None,
            request: None,
        };
        let replay = Replay::begin(&event, &secrets)?;
        let start = replay.position();
        if is_sealed && replay.is_set_up(0) && start.to_json(Viewer::Public) != start.to_json(Viewer::All) {
            let why = "it holds what only a seat may know, and anybody can read it in the log: record the game openly";
            return Err(DraftError::Position(why.into()));
        }
        Self::begin(source, &event, replay, secrets, kept)
    }

    /// Starts a line that continues a log. `parent` must be folded at least up to the event that the line
    /// forks from.
    ///
    /// # Errors
    /// The line does not fit its parent, or the position is invalid.
    pub fn fork(mut source: S, log: LogId, parent: &Replay, new: NewLine, seed: &Seed) -> Result<Self, DraftError> {
        let about = parent.rules().about();
        let prev = new.fork.hash;
        let created = Created {
            kind: parent.created().kind.clone(),
            rules: parent.created().rules.clone(),
            setup: parent.setup().clone(),
            position: new.position.map(Box::new),
            // A line has no players.
            seats: parent.created().seats.iter().map(|seat| SeatEntry { player: None, ..seat.clone() }).collect(),
            fairness: about.chance.then(|| fair::commitment(log, seed)),
            open: about.secrets,
            fork: Some(new.fork),
            name: new.name,
            owner: new.owner,
            ..Created::default()
        };
        let mut kept = BTreeMap::new();
        if created.fairness.is_some() {
            Secret::Seed(seed.clone()).keep(&mut kept);
        }
        let at = source.at(0).max(parent.created_at());
        let event = Event {
            at,
            by: By::Service,
            log,
            prev,
            seq: 0,
            body: Body::Created(created),
            who: source.who(),
            signature: None,
            request: None,
        };
        let replay = parent.branch(&event, prev)?;
        Self::begin(source, &event, replay, Secrets::new(), kept)
    }

    fn begin(
        source: S,
        first: &Event,
        replay: Replay,
        secrets: Secrets,
        kept: BTreeMap<String, Vec<u8>>,
    ) -> Result<Self, DraftError> {
        let bytes = first.to_bytes()?;
        let prev = Hash::of_event(&bytes);
        let mut draft = Self { source, replay, prev, events: vec![bytes], secrets, kept };
        draft.record(begun(&draft.replay), 0)?;
        Ok(draft)
    }

    /// Continues a log whose last event has the hash `head`.
    pub fn resume(source: S, replay: Replay, head: Hash) -> Self {
        Self { source, replay, prev: head, events: Vec::new(), secrets: Secrets::new(), kept: BTreeMap::new() }
    }

    /// The log with the draft's events folded in.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The exact bytes of the events so far.
    pub fn events(&self) -> &[Vec<u8>] {
        &self.events
    }

    /// The source of times and salts.
    pub fn source_mut(&mut self) -> &mut S {
        &mut self.source
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// The command is refused.
    pub fn command(&mut self, command: Command) -> Result<(), DraftError> {
        self.check_time(&command)?;
        let asked = match command {
            Command::CloseRound => self.replay.position().to_act().iter().count(),
            _ => 1,
        };
        self.record(decide(&self.replay, command)?, asked)
    }

    /// Starts the clock of a game whose setup has a timetable: from now on, each of its rounds gets a deadline.
    ///
    /// # Errors
    /// The first round would be over already.
    pub fn start_clock(&mut self) -> Result<(), DraftError> {
        if self.replay.timetable().is_none() || self.replay.status() != Status::Running {
            return Ok(());
        }
        self.set_deadline(true)?;
        match self.replay.deadline() {
            Some(Deadline { due: Some(_), .. }) => Ok(()),
            _ if self.replay.position().round() == Some(0) => Ok(()),
            _ => Err(DraftError::Setup("`deadlines`: the first round would be over already".into())),
        }
    }

    /// Checks that an action comes while its round is open, that a deadline lies ahead, and that the round of a game
    /// where everything is signed is over before it is closed, as nobody signs that. The time is that of the event to be
    /// recorded. Games without a deadline do not ask for the time.
    fn check_time(&mut self, command: &Command) -> Result<(), CommandError> {
        if matches!(command, Command::Act { .. }) {
            self.check_opening()?;
        }
        match (command, self.replay.deadline()) {
            (Command::Act { actor: Actor::Chance, .. }, _) => {
                let typed = self.replay.order.commitments.check_roll(false);
                typed.map_err(|why| CommandError::Bad(format!("{why}: let it roll")))
            }
            (Command::Act { .. }, Some(Deadline { opens, due })) => {
                let at = self.at();
                let is_late = due.filter(|due| at >= *due).map(CommandError::TooLate);
                is_late.or(opens.filter(|opens| at < *opens).map(CommandError::TooEarly)).map_or(Ok(()), Err)
            }
            (Command::CloseRound, deadline) if self.replay.created().signed => {
                let due = deadline.and_then(|deadline| deadline.due);
                if due.is_some_and(|due| due <= self.at()) {
                    return Ok(());
                }
                Err(CommandError::Bad(
                    "in a game where everything is signed, a round is closed once its deadline is over: set a deadline"
                        .to_owned(),
                ))
            }
            (Command::SetDeadline { due: Some(due), .. }, _) if *due <= self.at() => {
                Err(CommandError::Bad(format!("`due`: {due} is over already; give a later time")))
            }
            _ => Ok(()),
        }
    }

    /// Checks that nothing is drawn or done before the first round opens, if something is drawn then.
    ///
    /// # Errors
    /// It opens later.
    pub fn check_opening(&mut self) -> Result<(), CommandError> {
        let opens = self.replay.deadline().and_then(|deadline| deadline.due);
        match opens.filter(|_| self.replay.position().round() == Some(0)) {
            Some(opens) if self.at() < opens => Err(CommandError::TooEarly(opens)),
            _ => Ok(()),
        }
    }

    /// Adds the deadline that the setup gives the round that begins now.
    fn set_deadline(&mut self, is_start: bool) -> Result<(), DraftError> {
        let at = self.at();
        let Deadline { opens, due } = self.replay.deadline_from(at, is_start);
        self.add_at(at, By::Service, Body::DeadlineSet(DeadlineSet { opens, due, reason: None }), false)
    }

    /// Rolls what the position awaits, from the log's own seed.
    ///
    /// # Errors
    /// No roll is awaited, or the seed is already public.
    pub fn roll(&mut self) -> Result<(), DraftError> {
        let replay = &self.replay;
        if replay.status() != Status::Running {
            return Err(CommandError::Over.into());
        }
        if !replay.position().to_act().contains(Actor::Chance) {
            return Err(CommandError::NotToAct(Actor::Chance).into());
        }
        self.check_opening()?;
        let replay = &self.replay;
        let typed = match replay.created().rolls {
            Some(Rolls::Fair) => "all rolls of this game are fair, and its seed is public already: adjudicate the game",
            _ => "this game has no secret seed to roll from: type the roll in as an action",
        };
        let may_roll = replay.order.commitments.check_roll(true).is_ok();
        let seed = self.secret_seed()?.filter(|_| may_roll).ok_or_else(|| CommandError::Bad(typed.to_owned()))?;
        let action = replay.rolled(&seed);
        let mut decided = decide(replay, Command::Act { actor: Actor::Chance, action, clock_ms: None })?;
        if let Some((_, Body::Acted(Acted { fair, .. }))) = decided.first_mut() {
            *fair = true;
        }
        self.record(decided, 1)
    }

    /// Records decided events. The first `asked` of them are what somebody asked for, and say who that is; the others
    /// follow from them. Secret submissions are sealed, what the rules open is revealed, and the end of
    /// the game reveals everything and publishes the seed.
    ///
    /// # Errors
    /// The events do not fit the log, or the vault does not have what is to be revealed.
    pub fn record(&mut self, decided: Vec<NewEvent>, asked: usize) -> Result<(), DraftError> {
        let round = self.replay.position().round();
        let mut is_new_round = false;
        for (index, (by, body)) in decided.into_iter().enumerate() {
            is_new_round |= matches!(body, Body::TakenBack(_) | Body::Reopened(_) | Body::Unvoided(_));
            let is_asked = index < asked;
            let body = match body {
                Body::Acted(acted) => self.seal(by, acted),
                Body::Ended(mut ended) => {
                    self.reveal(|_, _| true)?;
                    ended.seed = self.secret_seed()?;
                    if ended.seed.is_none() && self.replay.is_seed_owed() {
                        return Err(DraftError::SeedElsewhere);
                    }
                    Body::Ended(ended)
                }
                Body::Voided(mut voided) => {
                    self.reveal(|_, _| true)?;
                    voided.seed = self.secret_seed()?;
                    Body::Voided(voided)
                }
                body => body,
            };
            let has_acted = matches!(body, Body::Acted(_) | Body::Sealed(_));
            self.add(by, body, is_asked)?;
            if has_acted && self.replay.status() == Status::Running {
                self.reveal(Replay::is_opened)?;
            }
        }
        if self.replay.is_ending() {
            return Err(DraftError::Unended);
        }
        is_new_round |= self.replay.position().round() != round;
        if is_new_round && self.replay.deadline().is_some() { self.set_deadline(false) } else { Ok(()) }
    }

    /// Returns what has to be written.
    pub fn finish(mut self) -> FinishedDraft {
        let sealed: Vec<String> =
            self.replay.sealed().map(|(_, commitment)| Secret::opening_key(&commitment)).collect();
        let is_seed_secret = !self.replay.is_seed_public();
        self.kept.retain(|key, _| if key == Secret::SEED_KEY { is_seed_secret } else { sealed.contains(key) });
        FinishedDraft { replay: self.replay, events: self.events, kept: self.kept }
    }

    /// The signature of an event that somebody asked for.
    fn signature(&mut self, event: &Event) -> Result<Option<Signature>, DraftError> {
        let statement = event.statement(self.replay.order.place_of(event));
        match self.source.signature(&statement) {
            Some(signature) if !statement.is_signed_by(&signature) => Err(DraftError::Signature(told(&statement))),
            None if self.replay.created().signed => Err(DraftError::Unsigned(told(&statement))),
            signature => Ok(signature),
        }
    }

    /// Seals an action that not everybody may see.
    fn seal(&mut self, by: By, acted: Acted) -> Body {
        let replay = &self.replay;
        if !by.actor().is_some_and(|actor| replay.is_secret(actor, &acted.action)) {
            return Body::Acted(acted);
        }
        let (log, seq) = (replay.log(), replay.events());
        let salt = self.source.salt(seq);
        let commitment = commit(log, seq, by, salt, acted.action, &mut self.secrets, &mut self.kept);
        Body::Sealed(Sealed { commitment, clock_ms: acted.clock_ms, fair: acted.fair })
    }

    /// Reveals everything sealed that may be opened now.
    fn reveal(&mut self, may: impl Fn(&Replay, u64) -> bool) -> Result<(), DraftError> {
        let sealed: Vec<(u64, Hash)> = self.replay.sealed().collect();
        for (of, commitment) in sealed {
            if may(&self.replay, of) {
                let kept = self.kept(&Secret::opening_key(&commitment));
                let (salt, content) = kept.as_deref().and_then(Secret::read_opening).ok_or(DraftError::Lost(of))?;
                self.add(By::Service, Body::Revealed(Revealed { of, content, salt }), false)?;
            }
        }
        Ok(())
    }

    /// The seed of the log's dice, while it is secret; `None` if there is none, or it is kept elsewhere.
    fn secret_seed(&self) -> Result<Option<Seed>, DraftError> {
        let replay = &self.replay;
        let Some(commitment) = replay.created().fairness.filter(|_| !replay.is_seed_public()) else { return Ok(None) };
        let kept = self.kept(Secret::SEED_KEY).ok_or(DraftError::Lost(0))?;
        if kept == Secret::ELSEWHERE {
            return Ok(None);
        }
        let opens = |seed: &Seed| fair::commitment(replay.log(), seed) == commitment;
        Secret::read_seed(&kept).filter(opens).map(Some).ok_or(DraftError::Lost(0))
    }

    /// What the vault keeps, or will keep once the draft is written.
    fn kept(&self, key: &str) -> Option<Vec<u8>> {
        self.kept.get(key).cloned().or_else(|| self.source.kept(key))
    }

    /// Adds an event, with the person who asked for it, and what they signed. Folding it first guards the log against
    /// bugs.
    fn add(&mut self, by: By, body: Body, is_asked: bool) -> Result<(), DraftError> {
        let at = self.at();
        self.add_at(at, by, body, is_asked)
    }

    /// The time of the next event.
    fn at(&mut self) -> Timestamp {
        self.source.at(self.replay.events()).max(self.replay.last_at())
    }

    fn add_at(&mut self, at: Timestamp, by: By, body: Body, is_asked: bool) -> Result<(), DraftError> {
        let seq = self.replay.events();
        let who = self.source.who().filter(|_| is_asked);
        let mut event =
            Event { at, by, log: self.replay.log(), prev: self.prev, seq, body, who, signature: None, request: None };
        // What is submitted for seats that do not act in time is signed by nobody.
        let is_theirs = !self.replay.created().signed || self.replay.order.must_sign(&event);
        if is_asked && event.is_personal() && is_theirs {
            event.signature = self.signature(&event)?;
        }
        let bytes = event.to_bytes()?;
        self.replay.apply(&event, &self.secrets)?;
        self.prev = Hash::of_event(&bytes);
        self.events.push(bytes);
        Ok(())
    }
}

/// What is to be signed, as text for a message. A commitment is described: only who knows the salt can compute it, and
/// without one it is new every time.
fn told(statement: &Statement) -> String {
    let mut json = serde_json::to_value(statement).expect("a statement is plain data");
    if let Some(commitment) = json.pointer_mut("/body/commitment") {
        *commitment = "the commitment to your action with the `salt` that you send".into();
    }
    json.to_string()
}

/// Commits to what an event seals, and stores the opening.
fn commit(
    log: LogId,
    seq: u64,
    by: By,
    salt: Hash,
    content: String,
    secrets: &mut Secrets,
    kept: &mut BTreeMap<String, Vec<u8>>,
) -> Hash {
    let commitment = seal::commitment(log, by, &salt, &content);
    Secret::Opening { commitment, salt, content: content.clone() }.keep(kept);
    secrets.insert(seq, content);
    commitment
}

#[cfg(test)]
mod tests;
