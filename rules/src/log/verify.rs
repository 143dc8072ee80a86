//! Verifies a log from nothing but its bytes: the hash chain, the rules, the commitments, the dice.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use plybook_events::body::{Fork, Seed};
use plybook_events::chain::Chain;
use plybook_events::{Actor, Body, Event, Hash, LogId, Place, PublicKey, Timestamp, Who};

use super::fault::{Fault, FaultKind};
use super::imports::check_imports;
use super::line::FORKS_MAX;
use super::misfit::{FoldError, Misfit};
use super::order::{Disorder, Order};
use super::profile::Profile;
use super::replay::{Replay, Secrets, revealed};

/// The result of verifying a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The number of valid events before the first fault.
    pub events: u64,
    /// The hash of the last of them.
    pub head: Hash,
    /// The first fault, if any.
    pub fault: Option<Fault>,
    /// Who signed how much of the valid events, in the order in which they began.
    pub signers: Vec<Signer>,
    /// How many of the valid events somebody did without signing.
    pub unsigned: u64,
}

/// A key that signed events of a log, with the person who used it, as the service knew them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// The key.
    pub key: PublicKey,
    /// The person.
    pub who: Option<Who>,
    /// The number of events.
    pub events: u64,
    /// When the first of them was recorded.
    pub since: Timestamp,
}

/// The exact bytes of a log, and what is known of its secrets beyond what it reveals itself.
#[derive(Clone, Default)]
pub struct LogBytes {
    /// One event each.
    pub lines: Vec<Arc<[u8]>>,
    /// By the seq of the event that seals them.
    pub secrets: Secrets,
}

/// Looks up the logs that lines continue.
pub type Find<'a> = dyn Fn(LogId) -> Option<LogBytes> + 'a;

/// Verifies logs, each line together with everything it continues. What the lines of a game have in common is
/// verified once.
pub struct Verifier<'a> {
    find: &'a Find<'a>,
    goes_on: &'a dyn Fn() -> bool,
    /// The logs that lines have continued so far.
    parents: RefCell<BTreeMap<LogId, Option<Rc<CheckedLog>>>>,
}

/// How many of the logs that lines continue are cached.
const PARENTS_KEPT: usize = 256;

/// A verified log.
struct CheckedLog {
    events: Vec<Event>,
    hashes: Vec<Hash>,
    fault: Option<Fault>,
    /// The seed of its dice, once published.
    seed: Option<Seed>,
    secrets: Secrets,
    revealed: Secrets,
    /// The whole log folded, if that is possible.
    replay: Option<Replay>,
}

/// Verifies the exact bytes of a game's log, and folds it as far as possible. In a running game with sealed
/// submissions, only the hash chain can be verified after the first of them, unless `secrets` holds their
/// contents. Lines need a [`Verifier`].
pub fn verify<B: AsRef<[u8]>>(id: LogId, lines: &[B], secrets: &Secrets) -> (Verification, Option<Replay>) {
    Verifier::new(&|_| None).verify(id, lines, secrets)
}

impl<'a> Verifier<'a> {
    /// A verifier that looks up the logs that lines continue with `find`.
    pub fn new(find: &'a Find<'a>) -> Self {
        Self { find, goes_on: &|| true, parents: RefCell::default() }
    }

    /// The same verifier, which asks before each event whether to go on. If not, it stops, and the result means nothing.
    #[must_use]
    pub fn stopping_unless(self, goes_on: &'a dyn Fn() -> bool) -> Self {
        Self { goes_on, ..self }
    }

    /// Verifies the exact bytes of a log like [`verify`]. For a line, also verifies that the log it continues
    /// is valid up to the event it forks from, and that this event led to its ply.
    pub fn verify<B: AsRef<[u8]>>(&self, id: LogId, lines: &[B], secrets: &Secrets) -> (Verification, Option<Replay>) {
        if let Some(first) = lines.first().and_then(|line| Event::parse(line.as_ref()).ok()) {
            self.check_ancestors(&first);
        }
        let checked = self.check(id, lines, secrets.clone(), 0);
        let events = checked.fault.as_ref().map_or(checked.events.len() as u64, |fault| fault.seq);
        let head = checked.hashes.last().copied().unwrap_or(Hash::ZERO);
        let (signers, unsigned) = signers(checked.events.iter().take(events as usize));
        let replay = checked.replay.filter(|_| checked.fault.is_none());
        (Verification { events, head, fault: checked.fault, signers, unsigned }, replay)
    }

    /// Verifies the ancestors of a line, the game first, so that each log finds its parent verified.
    /// Recursion would overflow the stack on deep forks.
    fn check_ancestors(&self, first: &Event) {
        let mut ancestors = Vec::new();
        let mut fork = fork_of(first);
        while let Some(id) = fork.filter(|_| ancestors.len() < FORKS_MAX) {
            if self.parents.borrow().contains_key(&id) {
                break;
            }
            let Some(log) = (self.find)(id) else { break };
            fork = log.lines.first().and_then(|line| Event::parse(line).ok()).and_then(|first| fork_of(&first));
            ancestors.push((id, log));
        }
        while let Some((id, log)) = ancestors.pop() {
            let checked = self.check(id, &log.lines, log.secrets, ancestors.len() + 1);
            self.keep(id, Some(Rc::new(checked)));
        }
    }

    /// Verifies one log. `forks` counts the lines that led to it.
    fn check<B: AsRef<[u8]>>(&self, id: LogId, lines: &[B], secrets: Secrets, forks: usize) -> CheckedLog {
        let mut chain = Chain::new(id);
        let (mut events, mut hashes, mut fault) = (Vec::with_capacity(lines.len()), Vec::new(), None);
        let mut revealing = None;
        for (seq, line) in (0..).zip(lines) {
            if !(self.goes_on)() {
                fault = Some(stopped(seq));
                break;
            }
            let parsed = Event::parse(line.as_ref()).map_err(|why| (FaultKind::Form, format!("event {seq}: {why}")));
            let parsed = parsed.and_then(|event| match chain.check(line.as_ref()) {
                Ok(_) => Ok(event),
                Err(why) => Err((FaultKind::Chain, why.to_string())),
            });
            let parsed = parsed.and_then(|event| {
                let place = Place::of(&event, revealing);
                revealing = place.revealing(&event);
                let signed = event.check_signature(place);
                signed.map(|()| event).map_err(|why| (FaultKind::Signature, format!("event {seq}: {why}")))
            });
            match parsed {
                Ok(event) => events.push(event),
                Err((kind, problem)) => {
                    fault = Some(Fault { seq, kind, problem });
                    break;
                }
            }
            hashes.push(chain.head());
        }
        let (order, disorder) = ordered(&events);
        let fault = disorder.or(fault);
        let sound = fault.as_ref().map_or(events.len(), |fault| fault.seq as usize);
        let revealed = revealed(&events[..sound.min(events.len())]);
        let seed = order.as_ref().and_then(|order| order.commitments.seed.clone());
        let mut checked = CheckedLog { events, hashes, fault, seed, secrets, revealed, replay: None };
        if checked.fault.is_none() {
            match self.fold(&checked, checked.events.len(), forks) {
                Ok(replay) => checked.replay = replay,
                Err(fault) => checked.fault = Some(fault),
            }
        }
        let is_ending = match &checked.replay {
            Some(replay) => replay.is_ending(),
            None => order.is_some_and(|order| order.is_ending()),
        };
        if checked.fault.is_none() && is_ending {
            let seq = checked.events.len() as u64;
            let problem = format!("event {seq}: `ended` is missing: the log stops where the game ends");
            checked.fault = Some(Fault { seq, kind: FaultKind::Order, problem });
        }
        checked
    }

    /// Folds the first `len` events of a log and recomputes every fair roll. `None` if the log does not hold
    /// a game, or holds a sealed submission that nobody has opened.
    fn fold(&self, log: &CheckedLog, len: usize, forks: usize) -> Result<Option<Replay>, Fault> {
        let mut events = log.events[..len].iter();
        let Some(first) = events.next() else { return Ok(None) };
        let Body::Created(created) = &first.body else { return Ok(None) };
        // If an event does not fit, the reason may reveal what only one seat may know.
        let is_secret = log.secrets.keys().any(|seq| !log.revealed.contains_key(seq));
        let mut secrets = log.secrets.clone();
        secrets.extend(log.revealed.clone());
        let told = |why: FoldError| match why {
            FoldError { seq, ply, .. } if is_secret => {
                let problem = format!("event {seq} (ply {ply}): it does not fit what is sealed");
                Fault { seq, kind: FaultKind::Rules, problem }
            }
            why => Fault { seq: why.seq, kind: why.kind(), problem: why.to_string() },
        };
        let begun = match &created.fork {
            None => Replay::begin(first, &secrets),
            Some(fork) => match self.parent(fork, forks)? {
                Some((parent, hash)) => parent.branch(first, hash),
                None => return Ok(None),
            },
        };
        let mut replay = match begun {
            Err(why) if matches!(why.why, Misfit::Sealed) => return Ok(None),
            begun => begun.map_err(told)?,
        };
        if log.seed.as_ref().is_some_and(|seed| replay.is_misdrawn(seed)) {
            let problem = "event 0: the seed draws another setup".to_owned();
            return Err(Fault { seq: 0, kind: FaultKind::Rules, problem });
        }
        for event in events {
            if !(self.goes_on)() {
                return Err(stopped(event.seq));
            }
            if let Some((rules, says)) = log.seed.as_ref().and_then(|seed| misrolled(&replay, seed, event, &secrets)) {
                let seq = event.seq;
                let problem = format!("event {seq}: the seed gives {rules}, the log says {says}");
                return Err(Fault { seq, kind: FaultKind::Rules, problem });
            }
            match replay.apply(event, &secrets) {
                Err(why) if matches!(why.why, Misfit::Sealed) => return Ok(None),
                applied => applied.map_err(told)?,
            }
        }
        Ok(Some(replay))
    }

    /// The log that a line continues, in a state that the line can branch off from, and the hash of the event
    /// it forks from; `None` if that cannot be folded.
    fn parent(&self, fork: &Fork, forks: usize) -> Result<Option<(Replay, Hash)>, Fault> {
        let wrong = |problem: String| Fault { seq: 0, kind: FaultKind::Line, problem: format!("event 0: {problem}") };
        let (id, seq) = (fork.game, fork.seq);
        if forks >= FORKS_MAX {
            return Err(wrong(format!("more than {FORKS_MAX} lines lie between it and a game")));
        }
        let parent = self.find_parent(id, forks + 1);
        let parent = parent.ok_or_else(|| wrong(format!("the log {id}, which it continues, is not here")))?;
        if let Some(fault) = parent.fault.as_ref().filter(|fault| fault.seq <= seq) {
            return Err(wrong(format!("the log {id}, which it continues, is not right: {}", fault.problem)));
        }
        let Some(hash) = parent.hashes.get(seq as usize) else {
            return Err(wrong(format!("the log {id}, which it continues, has no event {seq}")));
        };
        if *hash != fork.hash {
            return Err(wrong(format!("event {seq} of the log {id}, which it continues, has another hash")));
        }
        let before = &parent.events[..=seq as usize];
        if ordered(before).0.is_some_and(|order| order.hides(fork.ply, &parent.revealed)) {
            return Err(wrong("something that it continues is still sealed".to_owned()));
        }
        if let Some(replay) = parent.replay.as_ref().filter(|replay| replay.stands(fork.ply as usize, seq)) {
            return Ok(Some((replay.clone(), *hash)));
        }
        let folded = self.fold(&parent, seq as usize + 1, forks + 1).map_err(|fault| wrong(fault.problem))?;
        Ok(folded.map(|mut replay| {
            replay.open(&parent.revealed);
            (replay, *hash)
        }))
    }

    fn find_parent(&self, id: LogId, forks: usize) -> Option<Rc<CheckedLog>> {
        if let Some(known) = self.parents.borrow().get(&id) {
            return known.clone();
        }
        let found = (self.find)(id);
        let checked = found.map(|log| Rc::new(self.check(id, &log.lines, log.secrets, forks)));
        self.keep(id, checked.clone());
        checked
    }

    fn keep(&self, id: LogId, checked: Option<Rc<CheckedLog>>) {
        let mut parents = self.parents.borrow_mut();
        if parents.len() >= PARENTS_KEPT {
            parents.clear();
        }
        parents.insert(id, checked);
    }
}

/// What stands for a result if verifying was stopped.
fn stopped(seq: u64) -> Fault {
    Fault { seq, kind: FaultKind::Form, problem: "not verified any further".to_owned() }
}

/// Checks the order and the authors of a log's events without any rules. Returns the order of a game's log, as
/// far as it is right, and the first fault.
fn ordered(events: &[Event]) -> (Option<Order>, Option<Fault>) {
    let fault = |seq, kind, why: String| Some(Fault { seq, kind, problem: format!("event {seq}: {why}") });
    let disorder = |seq, why: &Disorder| fault(seq, why.kind(), why.to_string());
    let Some((first, rest)) = events.split_first() else { return (None, None) };
    let created = match &first.body {
        Body::Created(created) => created,
        Body::PlayerCreated(_) => {
            let wrong = Profile::fold(events).err();
            return (None, wrong.and_then(|(seq, why)| fault(seq, why.kind(), why.to_string())));
        }
        Body::Imported(_) => return (None, check_imports(events).and_then(|(seq, why)| disorder(seq, &why))),
        body => {
            // The order of a tournament's events is judged by its own fold.
            let is_here = |event: &Event| event.body.sort() == body.sort() && event.body.is_first() == (event.seq == 0);
            let wrong = events.iter().find_map(|event| {
                let foreign = (!is_here(event)).then(|| Disorder::Foreign(event.body.type_name()));
                Some((event.seq, foreign.or_else(|| event.check_author().err().map(Disorder::from))?))
            });
            return (None, wrong.and_then(|(seq, why)| disorder(seq, &why)));
        }
    };
    let mut order = match Order::begin(first, created) {
        Ok(order) => order,
        Err(why) => return (None, disorder(0, &why)),
    };
    for event in rest {
        if let Err(why) = order.check(event) {
            return (Some(order), disorder(event.seq, &why));
        }
        order.apply(event);
    }
    (Some(order), None)
}

/// Who signed how many of these events, whose signatures are right, and how many people did without signing.
fn signers<'a>(events: impl Iterator<Item = &'a Event>) -> (Vec<Signer>, u64) {
    let (mut signers, mut unsigned) = (Vec::<Signer>::new(), 0);
    for event in events.filter(|event| event.is_personal()) {
        let Some(key) = event.signature.map(|signature| signature.key) else {
            unsigned += 1;
            continue;
        };
        match signers.iter_mut().find(|signer| signer.key == key && signer.who == event.who) {
            Some(signer) => signer.events += 1,
            None => signers.push(Signer { key, who: event.who, events: 1, since: event.at }),
        }
    }
    (signers, unsigned)
}

/// The log that a line continues.
fn fork_of(first: &Event) -> Option<LogId> {
    match &first.body {
        Body::Created(created) => created.fork.as_ref().map(|fork| fork.game),
        _ => None,
    }
}

/// What the seed gives for an event that claims to be rolled from it but holds something else, and what that is.
pub(super) fn misrolled(replay: &Replay, seed: &Seed, event: &Event, secrets: &Secrets) -> Option<(String, String)> {
    let (is_fair, action) = match &event.body {
        Body::Acted(acted) => (acted.fair, &acted.action),
        Body::Sealed(sealed) => (sealed.fair, secrets.get(&event.seq)?),
        _ => return None,
    };
    if !is_fair || !replay.position().to_act().contains(Actor::Chance) {
        return None;
    }
    Some((replay.rolled(seed), action.clone())).filter(|(rolled, action)| rolled != action)
}
