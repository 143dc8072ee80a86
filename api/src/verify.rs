//! Checking a log from nothing but its bytes: the chain, the rules, what was sealed, the dice.

use std::collections::BTreeMap;

use plybook_events::body::Seed;
use plybook_events::chain::Chain;
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, By, Event, Hash, LogId, seal};
use plybook_rules::fold::{FoldError, Misfit, Replay, Secrets, revealed};

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

/// Checks the exact bytes of a log, and folds it as far as it can be folded: of a running game
/// with sealed submissions only the chain can be checked beyond the first of them, unless
/// `secrets` knows what they hold.
pub fn verify<B: AsRef<[u8]>>(id: LogId, lines: &[B], secrets: &Secrets) -> (Verification, Option<Replay>) {
    let mut chain = Chain::new(id);
    let mut events = Vec::with_capacity(lines.len());
    for (seq, line) in lines.iter().enumerate() {
        let checked = chain.check(line.as_ref()).map_err(|why| why.to_string());
        match checked.and_then(|_| Event::parse(line.as_ref()).map_err(|why| format!("event {seq}: {why}"))) {
            Ok(event) => events.push(event),
            Err(problem) => return (fault(seq as u64, chain.head(), problem), None),
        }
    }
    let sound = Verification { events: chain.len(), head: chain.head(), fault: None };
    match fold(&events, secrets) {
        Ok(replay) => (sound, replay),
        Err(Fault { seq, problem }) => (fault(seq, chain.head(), problem), None),
    }
}

fn fault(seq: u64, head: Hash, problem: String) -> Verification {
    Verification { events: seq, head, fault: Some(Fault { seq, problem }) }
}

/// Folds events and recomputes every fair roll; `None` where the log holds no game, or a sealed
/// submission that nobody has opened.
fn fold(events: &[Event], secrets: &Secrets) -> Result<Option<Replay>, Fault> {
    if !matches!(events.first().map(|event| &event.body), Some(Body::Created(_))) {
        return Ok(None);
    }
    let mut secrets = secrets.clone();
    let revealed = revealed(events);
    // What does not fit may be explained by what only a seat may know.
    let is_secret = secrets.keys().any(|seq| !revealed.contains_key(seq));
    secrets.extend(revealed);
    let mut commitments = Commitments::default();
    for event in events {
        let fault = |why| Fault { seq: event.seq, problem: format!("event {}: {why}", event.seq) };
        commitments.check(event).map_err(fault)?;
    }
    let seed = commitments.seed;
    let mut replay: Option<Replay> = None;
    for event in events {
        if let (Some(replay), Some(seed)) = (&replay, &seed) {
            check_roll(replay, seed, event)?;
        }
        let folded = match &mut replay {
            None => Replay::begin(event, &secrets).map(|begun| replay = Some(begun)),
            Some(replay) => replay.apply(event, &secrets),
        };
        match folded {
            Ok(()) => {}
            Err(why) if matches!(why.why, Misfit::Sealed) => return Ok(None),
            Err(FoldError { seq, ply, .. }) if is_secret => {
                return Err(Fault { seq, problem: format!("event {seq} (ply {ply}): it does not fit what is sealed") });
            }
            Err(why) => return Err(Fault { seq: why.seq, problem: why.to_string() }),
        }
    }
    Ok(replay)
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
    if !acted.fair || !replay.table().to_act().contains(Actor::Chance) {
        return Ok(());
    }
    let mut dice = Dice::new(&seed.seed, event.log, event.seq);
    let rolled = replay.table().sample(Actor::Chance, &mut |n| dice.below(n));
    if rolled == acted.action {
        return Ok(());
    }
    let problem = format!("event {}: the seed gives {rolled}, the log says {}", event.seq, acted.action);
    Err(Fault { seq: event.seq, problem })
}
