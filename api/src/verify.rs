//! Checking a log from nothing but its bytes: the chain, the rules, what was sealed, the dice.

use plybook_events::body::Seed;
use plybook_events::chain::Chain;
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, Event, Hash, LogId};
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
    let seed = check_seed(events)?;
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

/// The seed that the log publishes, checked against the commitment.
fn check_seed(events: &[Event]) -> Result<Option<Seed>, Fault> {
    let Some(Body::Created(created)) = events.first().map(|event| &event.body) else { return Ok(None) };
    for event in events {
        let seed = match &event.body {
            Body::Ended(ended) => ended.seed.as_ref(),
            Body::Voided(voided) => voided.seed.as_ref(),
            _ => None,
        };
        if let Some(seed) = seed {
            if created.fairness != Some(fair::commitment(event.log, seed)) {
                let problem = format!("event {}: the seed is not the one that was committed to", event.seq);
                return Err(Fault { seq: event.seq, problem });
            }
            return Ok(Some(seed.clone()));
        }
    }
    Ok(None)
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
