//! A game as its log tells it: events in, positions out.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::body::{Annotated, Arranged, Created, Fork};
use plybook_events::{Actor, Body, By, Decider, Event, Hash, LogId, Outcome, Timestamp, seal};
use serde_json::Value;

use crate::{ActionError, Actors, AnyPosition, PositionError, Rules, SetupError, Viewer, kind};

/// A position is kept every so many plies, so that any other is at most this many actions away.
pub(super) const KEPT_EVERY: usize = 64;

/// What is sealed in a log, by the seq of the event with the commitment: the complete setup as
/// JSON at seq 0, submissions elsewhere. From the vault, or from the log once it is revealed.
pub type Secrets = BTreeMap<u64, String>;

/// What the log itself reveals of what it seals.
pub fn revealed<'a>(events: impl IntoIterator<Item = &'a Event>) -> Secrets {
    let opened = events.into_iter().filter_map(|event| match &event.body {
        Body::Revealed(revealed) => Some((revealed.of, revealed.content.clone())),
        _ => None,
    });
    opened.collect()
}

/// A recorded game or a line, folded from its events. A clone shares the tokens and what is kept.
#[derive(Clone)]
pub struct Replay {
    pub(super) log: LogId,
    pub(super) rules: &'static dyn Rules,
    pub(super) created: Created,
    /// The complete setup, secrets included.
    pub(super) setup: Value,
    pub(super) created_at: Timestamp,
    /// Of a line: where it and each of its ancestors forked, the one from the game itself first.
    pub(super) ancestry: Arc<[Fork]>,
    /// The first ply that is this log's own: 0 of a game; of a line the one after its fork, or that
    /// of the fork itself where a position is set up.
    pub(super) own_from: usize,
    /// The logs that a line continues, the game first, each with the first ply that is not its own.
    pub(super) owners: Arc<[(LogId, usize)]>,
    /// The plies whose positions were set up.
    pub(super) set_ups: Arc<[usize]>,
    pub(super) mainline: Vec<Ply>,
    /// What is sealed and not revealed yet: who sealed it, and the commitment.
    pub(super) sealed: BTreeMap<u64, (By, Hash)>,
    /// Positions by ply, ascending: those at plies 0, `KEPT_EVERY`, 2 × `KEPT_EVERY` …, and those
    /// that were set up.
    pub(super) kept: Vec<(usize, Arc<dyn AnyPosition>)>,
    pub(super) position: Box<dyn AnyPosition>,
    pub(super) annotations: BTreeMap<u32, Annotated>,
    /// Of a line: its name, and what else was arranged, as it stands.
    pub(super) arranged: Arranged,
    pub(super) offer: Option<DrawOffer>,
    /// The seats whose players have left; a takeback does not bring them back.
    pub(super) resigned: Actors,
    pub(super) end: Option<End>,
    pub(super) corrected: bool,
    pub(super) voided: Option<String>,
    pub(super) takebacks: u32,
    pub(super) is_seed_public: bool,
    pub(super) events: u64,
    pub(super) last_at: Timestamp,
}

/// One action of the mainline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The seq of its event, in the log that [`Replay::owner`] names.
    pub seq: u64,
    /// Who acted.
    pub actor: Actor,
    /// The action in canonical notation.
    pub token: Arc<str>,
    /// When it was recorded.
    pub at: Timestamp,
    /// Since the event before it, in milliseconds.
    pub elapsed_ms: u64,
    /// What the clock showed afterwards, in milliseconds.
    pub clock_ms: Option<u64>,
    /// Whether it was submitted in secret.
    pub is_sealed: bool,
    /// Whether the service rolled it.
    pub is_fair: bool,
}

/// A draw that is offered and not yet answered by all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawOffer {
    /// The seat that offers it.
    pub by: u8,
    /// The seats that agreed so far, with the one that offers.
    pub agreed: Vec<u8>,
}

/// How and when a game ended.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// The outcome as it stands, corrections included.
    pub outcome: Outcome,
    /// Who or what decided it.
    pub decided_by: Decider,
    /// When the game ended; a correction does not change it.
    pub at: Timestamp,
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// It can go on.
    Running,
    /// It has an outcome.
    Finished,
    /// It does not count.
    Void,
}

/// The first event that cannot be applied; everything before it stands.
#[derive(Clone, Debug, thiserror::Error)]
#[error("event {seq} (ply {ply}): {why}")]
pub struct FoldError {
    /// The seq of the event.
    pub seq: u64,
    /// The plies applied before it.
    pub ply: usize,
    /// Why it cannot be applied.
    pub why: Misfit,
}

/// Why an event cannot be applied.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Misfit {
    /// A game begins with `created`, once.
    #[error("a game begins with `created`, and only there")]
    Created,
    /// No game of that kind is known here.
    #[error("no game is called {0:?}")]
    Kind(String),
    /// The rules of that version are not known here.
    #[error("{kind} has no rules {version:?}")]
    Version {
        /// The game.
        kind: String,
        /// The version asked for.
        version: String,
    },
    /// The setup is refused.
    #[error("setup: {0}")]
    Setup(#[from] SetupError),
    /// The position that is set up is refused.
    #[error("position: {0}")]
    Position(#[from] PositionError),
    /// The number of seats does not fit the setup.
    #[error("the setup has {setup} seats, and {named} are named")]
    Seats {
        /// Seats of the setup.
        setup: u8,
        /// Seats in the event.
        named: usize,
    },
    /// The action is not accepted.
    #[error("{token}: {why}")]
    Action {
        /// The action.
        token: String,
        /// Why not.
        why: ActionError,
    },
    /// The event says that the rules ended the game otherwise than they do.
    #[error("the rules do not end the game like this")]
    Outcome,
    /// What is sealed is not known here.
    #[error("it is sealed, and not revealed yet")]
    Sealed,
    /// The rules do not accept what is sealed; what it is and why not would tell it.
    #[error("the rules do not accept what is sealed in it")]
    Secret,
    /// What is revealed is not what was sealed.
    #[error("what is revealed of event {0} is not what was sealed")]
    Revealed(u64),
    /// It is a line, which continues a log that was not given.
    #[error("it is a line of analysis: it continues another log, which is needed to read it")]
    Parent,
    /// It does not continue the log that it says it continues.
    #[error("the line does not fit its parent: {0}")]
    Fork(&'static str),
    /// The event cannot come now, or from there.
    #[error("`{0}` cannot come here")]
    OutOfPlace(&'static str),
}

impl Replay {
    /// Begins a game with its first event; a line is begun by [`Replay::branch`].
    ///
    /// # Errors
    /// Not a `created`, that of a line, or one of a game, version or setup that is not known here.
    pub fn begin(event: &Event, secrets: &Secrets) -> Result<Self, FoldError> {
        let at_start = |why| FoldError { seq: event.seq, ply: 0, why };
        let Body::Created(created) = &event.body else { return Err(at_start(Misfit::Created)) };
        let rules = kind(&created.kind).ok_or_else(|| at_start(Misfit::Kind(created.kind.clone())))?;
        if rules.about().version != created.rules {
            let (kind, version) = (created.kind.clone(), created.rules.clone());
            return Err(at_start(Misfit::Version { kind, version }));
        }
        Self::begin_under(rules, event, secrets)
    }

    /// Begins a game under rules of the caller's choice, whatever version the log names: for
    /// judging it anew.
    ///
    /// # Errors
    /// As [`Replay::begin`].
    pub fn begin_under(rules: &'static dyn Rules, event: &Event, secrets: &Secrets) -> Result<Self, FoldError> {
        let at_start = |why| FoldError { seq: event.seq, ply: 0, why };
        let Body::Created(created) = &event.body else { return Err(at_start(Misfit::Created)) };
        if created.fork.is_some() {
            return Err(at_start(Misfit::Parent));
        }
        let setup = if created.sealed_setup.is_none() {
            created.setup.clone()
        } else {
            let sealed = secrets.get(&event.seq).ok_or_else(|| at_start(Misfit::Sealed))?;
            serde_json::from_str(sealed).map_err(|_| at_start(Misfit::Sealed))?
        };
        let refused = |why: SetupError| if created.sealed_setup.is_some() { Misfit::Secret } else { why.into() };
        let position = match &created.position {
            None => rules.start(&setup).map_err(|why| at_start(refused(why)))?,
            Some(json) => rules.set_up(&setup, json).map_err(|why| at_start(why.into()))?,
        };
        if usize::from(position.seats()) != created.seats.len() {
            return Err(at_start(Misfit::Seats { setup: position.seats(), named: created.seats.len() }));
        }
        Ok(Self {
            log: event.log,
            rules,
            created: created.clone(),
            setup,
            sealed: created.sealed_setup.map(|hash| (event.seq, (event.by, hash))).into_iter().collect(),
            created_at: event.at,
            ancestry: Arc::default(),
            own_from: 0,
            owners: Arc::default(),
            set_ups: if created.position.is_some() { Arc::new([0]) } else { Arc::default() },
            mainline: Vec::new(),
            kept: vec![(0, Arc::from(position.boxed()))],
            position,
            annotations: BTreeMap::new(),
            arranged: Arranged::default(),
            offer: None,
            resigned: Actors::NONE,
            end: None,
            corrected: false,
            voided: None,
            takebacks: 0,
            is_seed_public: false,
            events: event.seq + 1,
            last_at: event.at,
        })
    }

    /// Folds the whole log of a game.
    ///
    /// # Errors
    /// The first event that cannot be applied.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>, secrets: &Secrets) -> Result<Self, FoldError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(FoldError { seq: 0, ply: 0, why: Misfit::Created })?;
        let mut replay = Self::begin(first, secrets)?;
        events.try_for_each(|event| replay.apply(event, secrets))?;
        Ok(replay)
    }

    /// Folds the whole log of a line that continues this one; `hash` as in [`Replay::branch`].
    ///
    /// # Errors
    /// The first event that cannot be applied.
    pub fn fold_line<'a>(
        &self,
        hash: Hash,
        events: impl IntoIterator<Item = &'a Event>,
        secrets: &Secrets,
    ) -> Result<Self, FoldError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(FoldError { seq: 0, ply: 0, why: Misfit::Created })?;
        let mut replay = self.branch(first, hash)?;
        events.try_for_each(|event| replay.apply(event, secrets))?;
        Ok(replay)
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// It cannot be applied; nothing has changed.
    pub fn apply(&mut self, event: &Event, secrets: &Secrets) -> Result<(), FoldError> {
        self.fit(event, secrets).map_err(|why| FoldError { seq: event.seq, ply: self.mainline.len(), why })?;
        self.events = event.seq + 1;
        self.last_at = event.at;
        Ok(())
    }

    fn fit(&mut self, event: &Event, secrets: &Secrets) -> Result<(), Misfit> {
        let out_of_place = Misfit::OutOfPlace(event.body.type_name());
        match &event.body {
            Body::Created(_) | Body::PlayerCreated(_) => return Err(Misfit::Created),
            body if !self.is_for(body) => return Err(out_of_place),
            Body::Arranged(arranged) => self.arrange(arranged),
            Body::Revealed(revealed) => {
                let (by, commitment) = *self.sealed.get(&revealed.of).ok_or(out_of_place)?;
                if seal::commitment(self.log, by, &revealed.salt, &revealed.content) != commitment {
                    return Err(Misfit::Revealed(revealed.of));
                }
                self.sealed.remove(&revealed.of);
            }
            Body::Annotated(annotated) => {
                if annotated.ply as usize > self.mainline.len() {
                    return Err(out_of_place);
                }
                self.annotate(annotated);
            }
            Body::Voided(voided) if self.voided.is_none() => {
                self.voided = Some(voided.reason.clone());
                self.is_seed_public |= voided.seed.is_some();
            }
            Body::TakenBack(taken) if self.voided.is_none() && (taken.to_ply as usize) < self.mainline.len() => {
                self.take_back(taken.to_ply as usize);
            }
            Body::Corrected(corrected) => {
                let end = self.end.as_mut().filter(|_| self.voided.is_none()).ok_or(out_of_place)?;
                end.outcome = corrected.outcome.clone();
                end.decided_by = Decider::Arbiter;
                self.corrected = true;
            }
            _ if self.status() != Status::Running => return Err(out_of_place),
            Body::Acted(acted) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                self.act(event, actor, &acted.action, acted.clock_ms)?;
                self.mainline.last_mut().expect("it has just acted").is_fair = acted.fair;
            }
            Body::Sealed(sealed) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                let token = secrets.get(&event.seq).ok_or(Misfit::Sealed)?;
                self.act(event, actor, token, sealed.clock_ms).map_err(|_| Misfit::Secret)?;
                self.mainline.last_mut().expect("it has just acted").is_sealed = true;
                self.sealed.insert(event.seq, (event.by, sealed.commitment));
            }
            Body::DrawOffered(_) => {
                let By::Seat(by) = event.by else { return Err(out_of_place) };
                self.offer = Some(DrawOffer { by, agreed: vec![by] });
            }
            Body::DrawAnswered(answer) => {
                let By::Seat(by) = event.by else { return Err(out_of_place) };
                self.answer(by, answer.accept).ok_or(out_of_place)?;
            }
            Body::Resigned(_) => {
                let seat = event.by.actor().filter(|actor| self.may_resign(*actor)).ok_or(out_of_place)?;
                self.resigned = self.resigned.with(seat);
            }
            Body::Ended(ended) => {
                let by_rules = ended.decided_by == Decider::Rules;
                if by_rules && self.position.outcome().as_ref() != Some(&ended.outcome) {
                    return Err(Misfit::Outcome);
                }
                let (outcome, decided_by) = (ended.outcome.clone(), ended.decided_by);
                self.end = Some(End { outcome, decided_by, at: event.at });
                self.is_seed_public |= ended.seed.is_some();
                self.offer = None;
            }
            Body::TakenBack(_) | Body::Voided(_) => return Err(out_of_place),
        }
        Ok(())
    }

    fn act(&mut self, event: &Event, actor: Actor, token: &str, clock_ms: Option<u64>) -> Result<(), Misfit> {
        self.position.act(actor, token).map_err(|why| Misfit::Action { token: token.to_owned(), why })?;
        let elapsed_ms = (event.at.as_millis() - self.last_at.as_millis()).max(0).unsigned_abs();
        self.mainline.push(Ply {
            seq: event.seq,
            actor,
            token: token.into(),
            at: event.at,
            elapsed_ms,
            clock_ms,
            is_sealed: false,
            is_fair: false,
        });
        if self.mainline.len().is_multiple_of(KEPT_EVERY) {
            self.kept.push((self.mainline.len(), Arc::from(self.position.boxed())));
        }
        self.offer = self.offer.take().filter(|offer| Actor::Seat(offer.by) == actor);
        Ok(())
    }

    fn take_back(&mut self, to_ply: usize) {
        self.position = self.position_at(to_ply).expect("it is a ply of the mainline");
        self.mainline.truncate(to_ply);
        self.kept.retain(|(ply, _)| *ply <= to_ply);
        self.annotations.retain(|ply, _| *ply as usize <= to_ply);
        self.offer = None;
        self.end = None;
        self.corrected = false;
        self.takebacks += 1;
    }

    fn annotate(&mut self, annotated: &Annotated) {
        // On a line, it may be what an ancestor says of that ply that is taken away.
        let is_own = annotated.ply as usize >= self.own_from;
        if annotated.comment.is_none() && annotated.glyphs.is_empty() && is_own {
            self.annotations.remove(&annotated.ply);
        } else {
            self.annotations.insert(annotated.ply, annotated.clone());
        }
    }

    fn answer(&mut self, by: u8, accept: bool) -> Option<()> {
        let offer = self.offer.as_mut().filter(|offer| !offer.agreed.contains(&by))?;
        if accept {
            offer.agreed.push(by);
        } else {
            self.offer = None;
        }
        Some(())
    }

    /// Whether the game goes on where this actor leaves for good.
    fn may_resign(&self, actor: Actor) -> bool {
        match actor {
            Actor::Seat(seat) => {
                seat <= self.position.seats() && !self.resigned.contains(actor) && self.position.absent(seat).is_some()
            }
            Actor::Chance => false,
        }
    }

    /// The position after so many actions of the mainline; `None` where it has fewer.
    ///
    /// Costs at most 63 actions from a position that is kept.
    pub fn position_at(&self, ply: usize) -> Option<Box<dyn AnyPosition>> {
        if ply == self.mainline.len() {
            return Some(self.position.boxed());
        }
        let (from, kept) = &self.kept[self.kept.partition_point(|(kept, _)| *kept <= ply) - 1];
        let mut position = kept.boxed();
        for done in self.mainline.get(*from..ply)? {
            position.act(done.actor, &done.token).expect("the mainline was folded before");
        }
        Some(position)
    }

    /// Whether the position of a ply was set up: no action led to it.
    pub fn is_set_up(&self, ply: usize) -> bool {
        self.set_ups.contains(&ply)
    }

    /// Moves the position of the ply before on to a ply of the mainline, from 1.
    pub fn step(&self, position: &mut Box<dyn AnyPosition>, ply: usize) {
        if self.is_set_up(ply) {
            *position = self.position_at(ply).expect("a ply that is set up is kept");
        } else {
            let done = &self.mainline[ply - 1];
            position.act(done.actor, &done.token).expect("the mainline was folded before");
        }
    }

    /// The position as it stands.
    pub fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    /// The actions that stand, takebacks applied.
    pub fn mainline(&self) -> &[Ply] {
        &self.mainline
    }

    /// The log's id.
    pub fn log(&self) -> LogId {
        self.log
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &'static dyn Rules {
        self.rules
    }

    /// What was said at its creation.
    pub fn created(&self) -> &Created {
        &self.created
    }

    /// The complete setup, secrets included.
    pub fn setup(&self) -> &Value {
        &self.setup
    }

    /// What is sealed and not revealed yet: the seq, and the commitment.
    pub fn sealed(&self) -> impl Iterator<Item = (u64, Hash)> {
        self.sealed.iter().map(|(seq, (_, commitment))| (*seq, *commitment))
    }

    /// Whether the rules have opened what was sealed with an event, so that it is to be revealed.
    pub fn is_opened(&self, seq: u64) -> bool {
        let done = self.mainline.iter().rev().find(|ply| ply.seq == seq);
        done.is_some_and(|done| self.position.is_opened(done.actor, &done.token))
    }

    /// Whether the seed of the service's dice has been published: nothing can be rolled from it.
    pub fn is_seed_public(&self) -> bool {
        self.is_seed_public
    }

    /// Whether everybody may know everything: there are no secrets, nothing is sealed in this
    /// game, or it is over.
    pub fn is_open(&self) -> bool {
        !self.rules.about().secrets || self.created.open || self.status() != Status::Running
    }

    /// The action that led to a ply (from 1), as a viewer knows it; `None` hides it whole.
    ///
    /// While the game runs, the public and a seat know what the log reveals. When it is over, they
    /// are asked what they knew when it was done; all of it is for [`Viewer::All`].
    pub fn shown(&self, ply: usize, viewer: Viewer) -> Option<String> {
        let done = self.mainline.get(ply.checked_sub(1)?)?;
        let is_revealed = self.status() == Status::Running && done.is_sealed && !self.sealed.contains_key(&done.seq);
        if viewer == Viewer::All || !self.rules.about().secrets || viewer.knows(done.actor) || is_revealed {
            return Some(done.token.to_string());
        }
        self.position_at(ply - 1)?.shown(viewer, done.actor, &done.token)
    }

    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When its last event was recorded.
    pub fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// How many events have been applied; the seq of the next.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What is said of a ply. On a line, something empty takes away what its parent says of it.
    pub fn annotation(&self, ply: usize) -> Option<&Annotated> {
        self.annotations.get(&(ply as u32))
    }

    /// The draw offer that waits for an answer.
    pub fn offer(&self) -> Option<&DrawOffer> {
        self.offer.as_ref()
    }

    /// The seats whose players have left for good.
    pub fn resigned(&self) -> Actors {
        self.resigned
    }

    /// How it ended, as it stands.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Whether the arbiter has changed the outcome.
    pub fn is_corrected(&self) -> bool {
        self.corrected
    }

    /// Why it does not count.
    pub fn voided(&self) -> Option<&str> {
        self.voided.as_deref()
    }

    /// How often something was taken back.
    pub fn takebacks(&self) -> u32 {
        self.takebacks
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        match (&self.voided, &self.end) {
            (Some(_), _) => Status::Void,
            (None, Some(_)) => Status::Finished,
            (None, None) => Status::Running,
        }
    }
}
