//! Replays: games folded from their logs. Events go in, positions come out.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plybook_events::body::{Annotated, Created, Fork, Rolls, Seed};
use plybook_events::fair::Dice;
use plybook_events::{Actor, Body, Event, Hash, LogId, Place, SEATS_MAX, Timestamp, Who};
use serde_json::Value;

use super::commitments::EntropyError;
use super::limits::Remarks;
use super::misfit::{FoldError, Misfit};
use super::order::Order;
use super::standing::{End, Status};
use crate::setup::DRAWN;
use crate::{Actors, AnyPosition, Deadline, Rules, SetupError, Timetable, Viewer, kind};

/// Every how many plies a position is kept. Any other position is fewer actions than this away from one.
pub(super) const KEPT_EVERY: usize = 64;

/// The contents of what a log seals, by the seq of the event with the commitment: the complete setup as JSON
/// at seq 0, and submissions elsewhere. They come from the vault, or from the log once revealed.
pub type Secrets = BTreeMap<u64, String>;

/// The sealed contents that the log itself reveals.
pub fn revealed<'a>(events: impl IntoIterator<Item = &'a Event>) -> Secrets {
    let opened = events.into_iter().filter_map(|event| match &event.body {
        Body::Revealed(revealed) => Some((revealed.of, revealed.content.clone())),
        _ => None,
    });
    opened.collect()
}

/// Checks that a log does not commit to secrets or dice in a kind of game that has none.
pub(super) fn check_parts(rules: &dyn Rules, created: &Created) -> Result<(), Misfit> {
    let about = rules.about();
    if !about.secrets && (created.open || created.sealed_setup.is_some()) {
        return Err(Misfit::Without("secrets"));
    }
    let known = about.drawn.iter().filter(|name| created.drawn.iter().any(|drawn| drawn == *name));
    if !created.drawn.iter().eq(known) {
        return Err(Misfit::Drawn);
    }
    let is_begun = created.fork.is_none() && created.sealed_setup.is_none();
    let has_dice = || about.chance || is_begun && begins_with_chance(rules, &created.setup);
    if created.rolls.is_some() && !has_dice() {
        return Err(Misfit::Without("dice"));
    }
    let has_seed = || created.rolls != Some(Rolls::Typed) && has_dice() || !created.drawn.is_empty();
    if created.fairness.is_none() || has_seed() { Ok(()) } else { Err(Misfit::Without("dice")) }
}

/// Whether something is drawn before anybody acts, in a game that may have no dice otherwise.
pub(super) fn begins_with_chance(rules: &dyn Rules, setup: &Value) -> bool {
    rules.start(setup).is_ok_and(|start| start.to_act().contains(Actor::Chance))
}

/// A recorded game or a line, folded from its events. Clones share the text of actions and the kept
/// positions.
#[derive(Clone)]
pub struct Replay {
    pub(super) log: LogId,
    pub(super) rules: &'static dyn Rules,
    pub(super) created: Created,
    /// The complete setup, secrets included.
    pub(super) setup: Value,
    pub(super) created_at: Timestamp,
    /// For a line: where it and each of its ancestors forked, starting with the fork from the game.
    pub(super) ancestry: Arc<[Fork]>,
    /// The logs that a line continues, the game first, each with the first ply that is not its own: the ply
    /// after the fork, or the fork's own ply if a position is set up there.
    pub(super) owners: Arc<[(LogId, usize)]>,
    /// The plies at which a position was set up.
    pub(super) set_ups: Arc<[usize]>,
    pub(super) mainline: Vec<Ply>,
    /// Kept positions by ply, ascending: those at plies 0, `KEPT_EVERY`, 2 × `KEPT_EVERY` and so on, and
    /// those that were set up.
    pub(super) kept: Vec<(usize, Arc<dyn AnyPosition>)>,
    pub(super) position: Box<dyn AnyPosition>,
    pub(super) annotations: BTreeMap<u32, Annotated>,
    /// What the events tell without the rules.
    pub(super) order: Order,
    pub(super) remarks: Remarks,
    pub(super) last_at: Timestamp,
    /// Who is behind its events.
    pub(super) recorded_by: BTreeSet<Who>,
}

/// An action on the mainline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The seq of the event, in the log that [`Replay::owner`] returns.
    pub seq: u64,
    /// Who acted.
    pub actor: Actor,
    /// The action in canonical notation.
    pub action: Arc<str>,
    /// When it was recorded.
    pub at: Timestamp,
    /// The time since the previous event, in milliseconds.
    pub elapsed_ms: u64,
    /// What the clock showed after the action, in milliseconds.
    pub clock_ms: Option<u64>,
    /// Whether it was submitted in secret.
    pub is_sealed: bool,
    /// Whether the service rolled it.
    pub is_fair: bool,
    /// The person who caused it.
    pub who: Option<Who>,
}

/// A draw offer that not all seats have answered yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawOffer {
    /// The seat that offers it.
    pub by: u8,
    /// The seats that have agreed so far, including the one that offered.
    pub agreed: Vec<u8>,
}

impl Replay {
    /// Starts a game from its first event; for lines, see [`Replay::branch`].
    ///
    /// # Errors
    /// The event is not a `created`, belongs to a line, or names an unknown kind, an unknown version or an
    /// invalid setup.
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

    /// Starts a game under the given rules, whatever version the log names; used to judge it by other rules.
    ///
    /// # Errors
    /// As for [`Replay::begin`].
    pub fn begin_under(rules: &'static dyn Rules, event: &Event, secrets: &Secrets) -> Result<Self, FoldError> {
        let at_start = |why| FoldError { seq: event.seq, ply: 0, why };
        let Body::Created(created) = &event.body else { return Err(at_start(Misfit::Created)) };
        if created.fork.is_some() {
            return Err(at_start(Misfit::Parent));
        }
        check_parts(rules, created).map_err(at_start)?;
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
        let order = Order::begin(event, created).map_err(|why| at_start(why.into()))?;
        if !created.open && rules.setup_for(&setup, Viewer::Public) != created.setup {
            return Err(at_start(Misfit::PublicSetup));
        }
        Ok(Self {
            log: event.log,
            rules,
            created: created.clone(),
            setup,
            created_at: event.at,
            ancestry: Arc::default(),
            owners: Arc::default(),
            set_ups: if created.position.is_some() { Arc::new([0]) } else { Arc::default() },
            mainline: Vec::new(),
            kept: vec![(0, Arc::from(position.boxed()))],
            position,
            annotations: BTreeMap::new(),
            order,
            remarks: Remarks::default(),
            last_at: event.at,
            recorded_by: event.who.into_iter().collect(),
        })
    }

    /// Folds the whole log of a game.
    ///
    /// # Errors
    /// The first event that cannot be applied.
    pub fn fold(events: impl IntoIterator<Item: Borrow<Event>>, secrets: &Secrets) -> Result<Self, FoldError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(FoldError { seq: 0, ply: 0, why: Misfit::Created })?;
        let mut replay = Self::begin(first.borrow(), secrets)?;
        events.try_for_each(|event| replay.apply(event.borrow(), secrets))?;
        Ok(replay)
    }

    /// Folds the whole log of a line that continues this one; for `hash`, see [`Replay::branch`].
    ///
    /// # Errors
    /// The first event that cannot be applied.
    pub fn fold_line(
        &self,
        hash: Hash,
        events: impl IntoIterator<Item: Borrow<Event>>,
        secrets: &Secrets,
    ) -> Result<Self, FoldError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(FoldError { seq: 0, ply: 0, why: Misfit::Created })?;
        let mut replay = self.branch(first.borrow(), hash)?;
        events.try_for_each(|event| replay.apply(event.borrow(), secrets))?;
        Ok(replay)
    }

    /// The position after `ply` actions of the mainline; `None` if it has fewer.
    ///
    /// Costs at most 63 actions, starting from a kept position.
    pub fn position_at(&self, ply: usize) -> Option<Box<dyn AnyPosition>> {
        if ply == self.mainline.len() {
            return Some(self.position.boxed());
        }
        let (from, kept) = &self.kept[self.kept.partition_point(|(kept, _)| *kept <= ply) - 1];
        let mut position = kept.boxed();
        for done in self.mainline.get(*from..ply)? {
            position.act(done.actor, &done.action).expect("the mainline was folded before");
        }
        Some(position)
    }

    /// Whether what an actor had to decide at a ply is still to be decided as it was: since then, only others have
    /// acted, each once, who were to act at the same time, and the actor is still to act.
    ///
    /// After a takeback, other actions may have led to the same ply.
    pub fn is_open_since(&self, ply: usize, actor: Actor) -> bool {
        let Some(since) = self.mainline.get(ply..).filter(|since| since.len() < usize::from(SEATS_MAX)) else {
            return false;
        };
        if since.is_empty() {
            return true;
        }
        let mut awaited = self.position_at(ply).expect("it is a ply of the mainline").to_act();
        for done in since {
            if !awaited.contains(done.actor) {
                return false;
            }
            awaited = awaited.without(done.actor);
        }
        awaited.contains(actor) && awaited == self.position.to_act()
    }

    /// Whether the position at a ply was set up instead of reached by an action.
    pub fn is_set_up(&self, ply: usize) -> bool {
        self.set_ups.contains(&ply)
    }

    /// Advances a position from the previous ply to this ply of the mainline (from 1).
    pub fn step(&self, position: &mut Box<dyn AnyPosition>, ply: usize) {
        if self.is_set_up(ply) {
            *position = self.position_at(ply).expect("a ply that is set up is kept");
        } else {
            let done = &self.mainline[ply - 1];
            position.act(done.actor, &done.action).expect("the mainline was folded before");
        }
    }

    /// The current position.
    pub fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    /// The actions of the game as it stands, without those that were taken back.
    pub fn mainline(&self) -> &[Ply] {
        &self.mainline
    }

    /// The place that the signer of the next event names, if the last one has this hash.
    pub fn place_of_next(&self, head: Hash) -> Place {
        self.order.revealing().unwrap_or(Place { seq: self.events(), prev: head })
    }

    /// The log's id.
    pub fn log(&self) -> LogId {
        self.log
    }

    /// The rules it is played under.
    pub fn rules(&self) -> &'static dyn Rules {
        self.rules
    }

    /// The body of its first event.
    pub fn created(&self) -> &Created {
        &self.created
    }

    /// The complete setup, secrets included.
    pub fn setup(&self) -> &Value {
        &self.setup
    }

    /// What is still sealed: the seq of each event, and its commitment.
    pub fn sealed(&self) -> impl Iterator<Item = (u64, Hash)> {
        self.order.commitments.sealed.iter().map(|(seq, (_, commitment))| (*seq, *commitment))
    }

    /// Whether the rules have opened the submission of an event, so that it has to be revealed.
    pub fn is_opened(&self, seq: u64) -> bool {
        let done = self.mainline.iter().rev().find(|ply| ply.seq == seq);
        done.is_some_and(|done| self.position.is_opened(done.actor, &done.action))
    }

    /// Whether the seed of the service's dice is public, so that nothing more can be rolled from it.
    pub fn is_seed_public(&self) -> bool {
        self.order.commitments.seed.is_some()
    }

    /// Whether dice were rolled from a seed that is not public yet.
    pub fn is_seed_owed(&self) -> bool {
        self.order.commitments.owes_seed()
    }

    /// Whether the setup is not the one that the log's seed gives, as far as the service drew it.
    pub(super) fn is_misdrawn(&self, seed: &Seed) -> bool {
        if self.created.drawn.is_empty() {
            return false;
        }
        let mut asked = self.setup.clone();
        for name in &self.created.drawn {
            asked[name] = DRAWN.into();
        }
        let mut dice = Dice::of_setup(&seed.seed, self.log);
        self.rules.complete(&asked, &mut |n| dice.below(n)).ok().as_ref() != Some(&self.setup)
    }

    /// What the dice give now, from the log's seed, in a position that awaits a roll.
    pub fn rolled(&self, seed: &Seed) -> String {
        let mut dice = self.order.commitments.dice(seed, self.log);
        self.position.sample(Actor::Chance, &mut |n| dice.below(n))
    }

    /// The seats that have contributed to the dice, in the order in which they did.
    pub fn contributors(&self) -> impl Iterator<Item = u8> {
        self.order.commitments.contributors()
    }

    /// Checks that a seat may contribute to the dice now.
    pub(super) fn check_entropy(&self, seat: u8) -> Result<(), EntropyError> {
        if self.has_dice() { self.order.commitments.check_entropy(seat) } else { Err(EntropyError::NoDice) }
    }

    /// Whether chance acts in it.
    pub fn has_dice(&self) -> bool {
        self.rules.about().chance || self.kept.first().is_some_and(|(_, start)| start.to_act().contains(Actor::Chance))
    }

    /// The seats that may still contribute to the dice: all others, until something is rolled.
    pub fn awaited_contributors(&self) -> impl Iterator<Item = u8> {
        let is_open = self.status() == Status::Running && !self.is_line();
        let may = move |seat: &u8| is_open && self.check_entropy(*seat).is_ok();
        (1..=self.position.seats()).filter(may)
    }

    /// Whether nothing is hidden from anybody: the kind has no secrets, they are recorded openly, or the game
    /// is over.
    pub fn is_open(&self) -> bool {
        !self.rules.about().secrets || self.created.open || self.status() != Status::Running
    }

    /// The action that led to a ply (from 1), as a viewer knows it; `None` hides it entirely.
    ///
    /// While the game runs, the public and the seats know what the log reveals. Once it is over, they are
    /// shown what they knew when the action was done; [`Viewer::All`] is shown everything.
    pub fn shown(&self, ply: usize, viewer: Viewer) -> Option<String> {
        let done = self.mainline.get(ply.checked_sub(1)?)?;
        let is_revealed = self.status() == Status::Running
            && done.is_sealed
            && !self.order.commitments.sealed.contains_key(&done.seq);
        if viewer == Viewer::All || !self.rules.about().secrets || viewer.knows(done.actor) || is_revealed {
            return Some(done.action.to_string());
        }
        self.position_at(ply - 1)?.shown(viewer, done.actor, &done.action)
    }

    /// When it was created.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When the last event was recorded.
    pub fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// Who is behind its events, as text, ascending.
    pub fn recorded_by(&self) -> Vec<String> {
        let mut people: Vec<String> = self.recorded_by.iter().map(ToString::to_string).collect();
        people.sort();
        people
    }

    /// The number of events applied, which is the seq of the next.
    pub fn events(&self) -> u64 {
        self.order.standing.events
    }

    /// The annotation of a ply. On a line, an empty one hides that of its parent.
    pub fn annotation(&self, ply: usize) -> Option<&Annotated> {
        self.annotations.get(&(ply as u32))
    }

    /// The draw offer awaiting an answer.
    pub fn offer(&self) -> Option<&DrawOffer> {
        self.order.offer.as_ref()
    }

    /// The seats whose players have left for good.
    pub fn resigned(&self) -> Actors {
        self.order.resigned
    }

    /// How the game ended, corrections included.
    pub fn end(&self) -> Option<&End> {
        self.order.standing.end.as_ref()
    }

    /// Why the game does not count; `None` if it does.
    pub fn voided(&self) -> Option<&str> {
        self.order.standing.voided.as_deref()
    }

    /// When what is awaited may and has to be done, if a running game has a deadline.
    pub fn deadline(&self) -> Option<Deadline> {
        self.order.standing.deadline.filter(|_| self.status() == Status::Running)
    }

    /// When the rounds are played, as the setup says.
    pub fn timetable(&self) -> Option<Timetable> {
        self.rules.timetable(&self.setup)
    }

    /// The deadline that the setup gives the running round if it begins at a time.
    pub(super) fn deadline_from(&self, at: Timestamp, is_start: bool) -> Deadline {
        let table = self.timetable().zip(self.position.round());
        table.map_or_else(Deadline::default, |(table, round)| table.deadline(round, at, is_start))
    }

    /// How many times actions were taken back.
    pub fn takebacks(&self) -> u32 {
        self.order.standing.takebacks
    }

    /// Whether the game is running, finished or void.
    pub fn status(&self) -> Status {
        self.order.standing.status()
    }
}
