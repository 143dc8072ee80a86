//! Checking a log from nothing but its bytes: the chain, the rules, what was sealed, the dice.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use plybook_events::body::{Fork, Seed};
use plybook_events::chain::Chain;
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, By, Event, Hash, LogId, seal};
use plybook_rules::log::{FORKS_MAX, FoldError, Misfit, Replay, Secrets, revealed};
use plybook_store::EventBytes;

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Events that were checked and found right.
    pub events: u64,
    /// The hash of the last of them.
    pub head: Hash,
    /// The first thing wrong.
    pub fault: Option<Fault>,
}

/// The first thing wrong with a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The seq of the event.
    pub seq: u64,
    /// What is wrong with it.
    pub problem: String,
}

/// A log that a line continues: its exact bytes, and what is known of what it seals beyond what it
/// reveals itself.
#[derive(Clone, Default)]
pub struct Source {
    /// One event each.
    pub lines: Vec<EventBytes>,
    /// By the seq of what is sealed.
    pub secrets: Secrets,
}

/// Where the logs are that lines continue.
pub type Find<'a> = dyn Fn(LogId) -> Option<Source> + 'a;

/// Checks logs, a line together with all that it continues. What lines of one game have in common is
/// checked once.
pub struct Verifier<'a> {
    find: &'a Find<'a>,
    /// The logs that lines continued so far.
    parents: RefCell<HashMap<LogId, Option<Rc<Checked>>>>,
}

/// How many logs that lines continue are kept.
const PARENTS_KEPT: usize = 128;

/// A log that was checked.
struct Checked {
    events: Vec<Event>,
    hashes: Vec<Hash>,
    fault: Option<Fault>,
    /// The seed of its dice, once it is published.
    seed: Option<Seed>,
    secrets: Secrets,
    revealed: Secrets,
    /// The whole log folded, where it can be.
    replay: Option<Replay>,
}

/// Checks the exact bytes of a game's log, and folds it as far as it can be folded: of a running game
/// with sealed submissions only the chain can be checked beyond the first of them, unless
/// `secrets` knows what they hold. A line is checked by a [`Verifier`].
pub fn verify<B: AsRef<[u8]>>(id: LogId, lines: &[B], secrets: &Secrets) -> (Verification, Option<Replay>) {
    Verifier::new(&|_| None).verify(id, lines, secrets)
}

impl<'a> Verifier<'a> {
    /// A verifier that asks for the logs that lines continue.
    pub fn new(find: &'a Find<'a>) -> Self {
        Self { find, parents: RefCell::default() }
    }

    /// Checks the exact bytes of a log as [`verify`] does; of a line, also that what it continues is
    /// right up to the event it forks from, and led to that ply.
    pub fn verify<B: AsRef<[u8]>>(&self, id: LogId, lines: &[B], secrets: &Secrets) -> (Verification, Option<Replay>) {
        let checked = self.check(id, lines, secrets.clone(), 0);
        let events = checked.fault.as_ref().map_or(checked.events.len() as u64, |fault| fault.seq);
        let head = checked.hashes.last().copied().unwrap_or(Hash::ZERO);
        let replay = checked.replay.filter(|_| checked.fault.is_none());
        (Verification { events, head, fault: checked.fault }, replay)
    }

    /// `forks` counts the lines that led here.
    fn check<B: AsRef<[u8]>>(&self, id: LogId, lines: &[B], secrets: Secrets, forks: usize) -> Checked {
        let mut chain = Chain::new(id);
        let (mut events, mut hashes, mut fault) = (Vec::with_capacity(lines.len()), Vec::new(), None);
        for (seq, line) in lines.iter().enumerate() {
            let checked = chain.check(line.as_ref()).map_err(|why| why.to_string());
            match checked.and_then(|_| Event::parse(line.as_ref()).map_err(|why| format!("event {seq}: {why}"))) {
                Ok(event) => events.push(event),
                Err(problem) => {
                    fault = Some(Fault { seq: seq as u64, problem });
                    break;
                }
            }
            hashes.push(chain.head());
        }
        let mut commitments = Commitments::default();
        let broken = events.iter().find_map(|event| {
            let seq = event.seq;
            commitments.check(event).err().map(|why| Fault { seq, problem: format!("event {seq}: {why}") })
        });
        let fault = broken.or(fault);
        let sound = fault.as_ref().map_or(events.len(), |fault| fault.seq as usize);
        let revealed = revealed(&events[..sound.min(events.len())]);
        let seed = commitments.seed;
        let mut checked = Checked { events, hashes, fault, seed, secrets, revealed, replay: None };
        if checked.fault.is_none() {
            match self.fold(&checked, checked.events.len(), forks) {
                Ok(replay) => checked.replay = replay,
                Err(fault) => checked.fault = Some(fault),
            }
        }
        checked
    }

    /// Folds so many events of a log and recomputes every fair roll; `None` where the log holds no
    /// game, or a sealed submission that nobody has opened.
    fn fold(&self, log: &Checked, len: usize, forks: usize) -> Result<Option<Replay>, Fault> {
        let mut events = log.events[..len].iter();
        let Some(first) = events.next() else { return Ok(None) };
        let Body::Created(created) = &first.body else { return Ok(None) };
        // What does not fit may be explained by what only a seat may know.
        let is_secret = log.secrets.keys().any(|seq| !log.revealed.contains_key(seq));
        let mut secrets = log.secrets.clone();
        secrets.extend(log.revealed.clone());
        let told = |why: FoldError| match why {
            FoldError { seq, ply, .. } if is_secret => {
                Fault { seq, problem: format!("event {seq} (ply {ply}): it does not fit what is sealed") }
            }
            why => Fault { seq: why.seq, problem: why.to_string() },
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
        for event in events {
            if let Some(seed) = &log.seed {
                check_roll(&replay, seed, event)?;
            }
            match replay.apply(event, &secrets) {
                Err(why) if matches!(why.why, Misfit::Sealed) => return Ok(None),
                applied => applied.map_err(told)?,
            }
        }
        Ok(Some(replay))
    }

    /// What a line continues, in a state in which the line can branch off, and the hash of the event
    /// that it forks from; `None` where that cannot be folded.
    fn parent(&self, fork: &Fork, forks: usize) -> Result<Option<(Replay, Hash)>, Fault> {
        let wrong = |problem: String| Fault { seq: 0, problem: format!("event 0: {problem}") };
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
        if let Some(replay) = parent.replay.as_ref().filter(|replay| replay.stands(fork.ply as usize, seq)) {
            return Ok(Some((replay.clone(), *hash)));
        }
        let folded = self.fold(&parent, seq as usize + 1, forks + 1).map_err(|fault| wrong(fault.problem))?;
        Ok(folded.map(|mut replay| {
            replay.open(&parent.revealed);
            (replay, *hash)
        }))
    }

    fn find_parent(&self, id: LogId, forks: usize) -> Option<Rc<Checked>> {
        if let Some(known) = self.parents.borrow().get(&id) {
            return known.clone();
        }
        let found = (self.find)(id);
        let checked = found.map(|source| Rc::new(self.check(id, &source.lines, source.secrets, forks)));
        let mut parents = self.parents.borrow_mut();
        if parents.len() >= PARENTS_KEPT {
            parents.clear();
        }
        parents.insert(id, checked.clone());
        checked
    }
}

/// What a log commits to and opens, without the rules: so that nothing hides behind a submission
/// that stays sealed.
#[derive(Default)]
struct Commitments {
    fairness: Option<Hash>,
    /// What is not revealed yet, by seq.
    sealed: BTreeMap<u64, (By, Hash)>,
    /// The seed, once it is published.
    seed: Option<Seed>,
}

impl Commitments {
    /// Checks the next event.
    fn check(&mut self, event: &Event) -> Result<(), String> {
        match &event.body {
            Body::Created(created) => {
                self.fairness = created.fairness;
                self.sealed.extend(created.sealed_setup.map(|commitment| (event.seq, (event.by, commitment))));
            }
            Body::Sealed(sealed) => {
                self.sealed.insert(event.seq, (event.by, sealed.commitment));
            }
            Body::Revealed(revealed) => {
                let (by, commitment) = self.sealed.remove(&revealed.of).ok_or("it reveals what is not sealed")?;
                if seal::commitment(event.log, by, &revealed.salt, &revealed.content) != commitment {
                    return Err(format!("it reveals something else than was sealed in event {}", revealed.of));
                }
            }
            Body::Acted(acted) if acted.fair => self.check_fair(event.by)?,
            Body::Ended(ended) => self.check_end(event.log, ended.seed.as_ref())?,
            Body::Voided(voided) => self.check_end(event.log, voided.seed.as_ref())?,
            _ => {}
        }
        Ok(())
    }

    /// What is rolled from a seed was committed to before, and the seed was not public yet.
    fn check_fair(&self, by: By) -> Result<(), &'static str> {
        if by != By::Chance {
            Err("only chance rolls")
        } else if self.fairness.is_none() {
            Err("it is rolled from a seed that was never committed to")
        } else if self.seed.is_some() {
            Err("it is rolled from a seed that was public")
        } else {
            Ok(())
        }
    }

    /// The end opens everything.
    fn check_end(&mut self, log: LogId, seed: Option<&Seed>) -> Result<(), &'static str> {
        if !self.sealed.is_empty() {
            return Err("something is still sealed at the end");
        }
        let Some(seed) = seed else { return Ok(()) };
        if self.fairness != Some(fair::commitment(log, seed)) {
            return Err("the seed is not the one that was committed to");
        }
        self.seed = Some(seed.clone());
        Ok(())
    }
}

fn check_roll(replay: &Replay, seed: &Seed, event: &Event) -> Result<(), Fault> {
    let Body::Acted(acted) = &event.body else { return Ok(()) };
    if !acted.fair || !replay.position().to_act().contains(Actor::Chance) {
        return Ok(());
    }
    let mut dice = Dice::new(&seed.seed, event.log, event.seq);
    let rolled = replay.position().sample(Actor::Chance, &mut |n| dice.below(n));
    if rolled == acted.action {
        return Ok(());
    }
    let problem = format!("event {}: the seed gives {rolled}, the log says {}", event.seq, acted.action);
    Err(Fault { seq: event.seq, problem })
}
