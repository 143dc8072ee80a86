//! A game as its log tells it: events in, positions out.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::body::{Annotated, Created, Fork};
use plybook_events::{Actor, Body, Event, Hash, LogId, Timestamp};
use serde_json::Value;

use super::commitments::Commitments;
use super::misfit::{FoldError, Misfit};
use super::standing::{End, Standing, Status};
use crate::{Actors, AnyPosition, Rules, SetupError, Viewer, kind};

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
    pub(super) commitments: Commitments,
    /// Positions by ply, ascending: those at plies 0, `KEPT_EVERY`, 2 × `KEPT_EVERY` …, and those
    /// that were set up.
    pub(super) kept: Vec<(usize, Arc<dyn AnyPosition>)>,
    pub(super) position: Box<dyn AnyPosition>,
    pub(super) annotations: BTreeMap<u32, Annotated>,
    /// What the events say without the rules.
    pub(super) standing: Standing,
    pub(super) offer: Option<DrawOffer>,
    /// The seats whose players have left; a takeback does not bring them back.
    pub(super) resigned: Actors,
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
        let refused = |why: SetupError| match created.sealed_setup {
            Some(_) => Misfit::Secret(Box::new(why.into())),
            None => why.into(),
        };
        let position = match &created.position {
            None => rules.start(&setup).map_err(|why| at_start(refused(why)))?,
            Some(json) => rules.set_up(&setup, json).map_err(|why| at_start(why.into()))?,
        };
        if usize::from(position.seats()) != created.seats.len() {
            return Err(at_start(Misfit::Seats { setup: position.seats(), named: created.seats.len() }));
        }
        let mut commitments = Commitments::default();
        commitments.apply(event);
        Ok(Self {
            log: event.log,
            rules,
            created: created.clone(),
            setup,
            commitments,
            created_at: event.at,
            ancestry: Arc::default(),
            own_from: 0,
            owners: Arc::default(),
            set_ups: if created.position.is_some() { Arc::new([0]) } else { Arc::default() },
            mainline: Vec::new(),
            kept: vec![(0, Arc::from(position.boxed()))],
            position,
            annotations: BTreeMap::new(),
            standing: Standing::begin(event.seq, created),
            offer: None,
            resigned: Actors::NONE,
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
        self.commitments.sealed.iter().map(|(seq, (_, commitment))| (*seq, *commitment))
    }

    /// Whether the rules have opened what was sealed with an event, so that it is to be revealed.
    pub fn is_opened(&self, seq: u64) -> bool {
        let done = self.mainline.iter().rev().find(|ply| ply.seq == seq);
        done.is_some_and(|done| self.position.is_opened(done.actor, &done.token))
    }

    /// Whether the seed of the service's dice has been published: nothing can be rolled from it.
    pub fn is_seed_public(&self) -> bool {
        self.commitments.seed.is_some()
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
        let is_revealed =
            self.status() == Status::Running && done.is_sealed && !self.commitments.sealed.contains_key(&done.seq);
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
        self.standing.events
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
        self.standing.end.as_ref()
    }

    /// Whether the arbiter has changed the outcome.
    pub fn is_corrected(&self) -> bool {
        self.standing.is_corrected
    }

    /// Why it does not count.
    pub fn voided(&self) -> Option<&str> {
        self.standing.voided.as_deref()
    }

    /// How often something was taken back.
    pub fn takebacks(&self) -> u32 {
        self.standing.takebacks
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.standing.status()
    }
}
