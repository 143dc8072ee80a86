//! Lines: folding a line gives the same as folding the same actions as one game.

use plybook_events::body::{Acted, Annotated, Arranged, Created, Ended, Fork, Resigned, Sealed, SeatEntry, TakenBack};
use plybook_events::{Body, By, Decider, Event, Hash, LogId, Outcome, Timestamp};
use plybook_rules::log::{Misfit, Replay, Secrets};
use plybook_rules::{Actor, Rules, Viewer};
use serde_json::json;

use crate::numbers::Numbers;

/// The number of actions in each game.
const PLIES: usize = 70;

/// The ply that is taken back once: early, for games that end soon.
const TAKEN_BACK: usize = 3;

/// A log that is written event by event.
struct Log {
    id: LogId,
    prev: Hash,
    events: Vec<Event>,
}

impl Log {
    fn new(id: u8, prev: Hash) -> Self {
        Self { id: LogId::from_bytes([id; 16]), prev, events: Vec::new() }
    }

    fn add(&mut self, by: By, body: Body) -> &Event {
        let seq = self.events.len() as u64;
        let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64).unwrap();
        self.events.push(Event {
            at,
            by,
            log: self.id,
            prev: self.prev,
            seq,
            body,
            who: None,
            signature: None,
            request: None,
        });
        let event = self.events.last().unwrap();
        self.prev = Hash::of_event(&event.to_bytes().unwrap());
        event
    }

    fn act(&mut self, actor: Actor, action: &str) {
        let acted = Acted { action: action.to_owned(), clock_ms: None, fair: false };
        self.add(actor.into(), Body::Acted(acted));
    }
}

fn created(rules: &dyn Rules, numbers: &mut Numbers) -> Created {
    let setup = rules.complete(&json!({}), &mut numbers.draw()).unwrap();
    let seats = rules.start(&setup).unwrap().seats();
    let seats = (1..=seats).map(|seat| SeatEntry { name: format!("Seat {seat}"), player: None }).collect();
    let about = rules.about();
    Created {
        kind: about.kind.to_owned(),
        rules: about.version.to_owned(),
        setup,
        seats,
        open: about.secrets,
        ..Created::default()
    }
}

/// A game of a kind, with a takeback in it; its log and what was played, `by` and action.
fn game(rules: &dyn Rules) -> (Log, Vec<(Actor, String)>) {
    let mut numbers = Numbers::new("lines", rules.about().kind, 0);
    let mut log = Log::new(1, Hash::ZERO);
    let first = log.add(By::Service, Body::Created(created(rules, &mut numbers))).clone();
    let mut position = Replay::begin(&first, &Secrets::new()).unwrap().position().boxed();
    let mut played = Vec::new();
    let mut before = position.boxed();
    while let Some(actor) = position.to_act().iter().next().filter(|_| played.len() < PLIES) {
        if played.len() == TAKEN_BACK && log.events.len() == TAKEN_BACK + 1 {
            log.add(By::Arbiter, Body::TakenBack(TakenBack { to_ply: TAKEN_BACK as u32 - 1, reason: "r".to_owned() }));
            (position, _) = (before.boxed(), played.pop());
            continue;
        }
        let action = position.sample(actor, &mut numbers.draw());
        before = position.boxed();
        position.act(actor, &action).unwrap();
        log.act(actor, &action);
        played.push((actor, action));
    }
    (log, played)
}

/// The first event of a line of a log, from a ply of its fold.
fn fork(log: &Log, replay: &Replay, ply: usize) -> Created {
    let seq = ply.checked_sub(1).map_or(0, |index| replay.mainline()[index].seq);
    let hash = Hash::of_event(&log.events[seq as usize].to_bytes().unwrap());
    let fork = Some(Fork { game: log.id, ply: ply as u32, seq, hash });
    Created { fork, ..replay.created().clone() }
}

fn same(one: &Replay, other: &Replay) -> bool {
    let plies = one.mainline().len();
    let words =
        |replay: &Replay| replay.mainline().iter().map(|done| (done.actor, done.action.clone())).collect::<Vec<_>>();
    let key = |replay: &Replay, ply| replay.position_at(ply).unwrap().key(Viewer::All);
    words(one) == words(other)
        && (0..=plies).all(|ply| key(one, ply) == key(other, ply))
        && one.position().outcome() == other.position().outcome()
        && one.position().to_act() == other.position().to_act()
}

/// A line from every ply, and a line of that line, continues as the game did.
pub fn check(rules: &'static dyn Rules) -> Vec<String> {
    let (log, played) = game(rules);
    let whole = Replay::fold(&log.events, &Secrets::new()).unwrap();
    let mut failures = Vec::new();
    for ply in 0..=played.len() {
        let created = fork(&log, &whole, ply);
        let (seq, hash) = created.fork.as_ref().map(|fork| (fork.seq, fork.hash)).unwrap();
        let mut line = Log::new(2, hash);
        line.add(By::Service, Body::Created(created));
        let middle = ply + (played.len() - ply) / 2;
        played[ply..middle].iter().for_each(|(actor, action)| line.act(*actor, action));
        // Whatever happens in the parent afterwards makes no difference.
        let prefix = Replay::fold(&log.events[..=seq as usize], &Secrets::new()).unwrap();
        let folded = [&whole, &prefix].map(|parent| parent.fold_line(hash, &line.events, &Secrets::new()).unwrap());
        let root = LogId::from_bytes([1; 16]);
        let is_owned = |replay: &Replay, ply: usize, own: LogId| {
            (0..=replay.mainline().len()).all(|at| replay.owner(at) == if at <= ply { root } else { own })
        };
        let mut below = folded[0].clone();
        if middle > ply {
            let created = fork(&line, &folded[0], middle);
            let hash = created.fork.as_ref().map(|fork| fork.hash).unwrap();
            let mut third = Log::new(3, hash);
            third.add(By::Service, Body::Created(created));
            played[middle..].iter().for_each(|(actor, action)| third.act(*actor, action));
            below = folded[0].fold_line(hash, &third.events, &Secrets::new()).unwrap();
        }
        let is_right = same(&folded[0], &folded[1])
            && is_owned(&folded[0], ply, line.id)
            && (middle == ply && middle < played.len() || same(&below, &whole))
            && below.root() == root;
        if !is_right {
            failures.push(format!("{}: a line from ply {ply}", rules.about().kind));
        }
    }
    failures
}

/// Whatever a line says about its parent has to be true.
pub fn check_refusals(rules: &'static dyn Rules) -> Vec<String> {
    let (log, _) = game(rules);
    let replay = Replay::fold(&log.events, &Secrets::new()).unwrap();
    let right = fork(&log, &replay, 2);
    let begun = |created: &Created, hash: Hash, prev: Hash| {
        let mut line = Log::new(2, prev);
        replay.branch(line.add(By::Service, Body::Created(created.clone())), hash)
    };
    let hash = right.fork.as_ref().unwrap().hash;
    let mut failures = Vec::new();
    let mut expect = |what: &str, is_right: bool| {
        if !is_right {
            failures.push(format!("{}: {what}", rules.about().kind));
        }
    };
    expect("what fits is taken", begun(&right, hash, hash).is_ok());
    let is_misfit = |created: &Created, hash: Hash, prev: Hash| {
        matches!(begun(created, hash, prev).map_err(|why| why.why), Err(Misfit::Fork(_)))
    };
    expect("another hash", is_misfit(&right, Hash::ZERO, hash) && is_misfit(&right, hash, Hash::ZERO));
    type Change = (&'static str, &'static dyn Fn(&mut Created));
    let changes: [Change; 8] = [
        ("another parent", &|created| created.fork.as_mut().unwrap().game = LogId::from_bytes([9; 16])),
        ("another ply", &|created| created.fork.as_mut().unwrap().ply = 1),
        ("a ply beyond the end", &|created| created.fork.as_mut().unwrap().ply = 1_000),
        ("another event", &|created| created.fork.as_mut().unwrap().seq = 1),
        ("another kind", &|created| created.kind = "chess".to_owned()),
        ("other rules", &|created| created.rules = "v0".to_owned()),
        ("another setup", &|created| created.setup = json!({ "x": 1 })),
        ("other seats", &|created| drop(created.seats.pop())),
    ];
    for (what, change) in changes {
        let mut created = right.clone();
        change(&mut created);
        expect(what, is_misfit(&created, hash, hash));
    }
    // The event that was taken back once led to that ply.
    let taken = Replay::fold(&log.events[..=TAKEN_BACK], &Secrets::new()).unwrap();
    let gone = fork(&log, &taken, TAKEN_BACK);
    expect(
        "an event that was taken back",
        is_misfit(&gone, gone.fork.as_ref().unwrap().hash, gone.fork.as_ref().unwrap().hash),
    );

    let line = begun(&right, hash, hash).unwrap();
    let outcome = || Outcome::draw("r");
    let bodies = [
        Body::Ended(Ended { decided_by: Decider::Arbiter, outcome: outcome(), seed: None }),
        Body::TakenBack(TakenBack { to_ply: 1, reason: "r".to_owned() }),
        Body::Resigned(Resigned {}),
        Body::Sealed(Sealed { commitment: hash, clock_ms: None, fair: false }),
        Body::Voided(plybook_events::body::Voided { reason: "r".to_owned(), seed: None }),
    ];
    for body in bodies {
        let name = body.type_name();
        let event = Event {
            at: line.last_at(),
            by: By::Seat(1),
            log: line.log(),
            prev: hash,
            seq: 1,
            body,
            who: None,
            signature: None,
            request: None,
        };
        let refused = line.clone().apply(&event, &Secrets::new()).err().map(|why| why.why);
        expect(name, matches!(refused, Some(Misfit::Order(_))));
    }
    let apply = |to: &Replay, body: Body| {
        let mut to = to.clone();
        let event = Event {
            at: to.last_at(),
            by: By::Arbiter,
            log: to.log(),
            prev: hash,
            seq: to.events(),
            body,
            who: None,
            signature: None,
            request: None,
        };
        to.apply(&event, &Secrets::new()).map(|()| to)
    };
    let arranged = Arranged { name: Some("n".to_owned()), hidden: Some(true), rank: Some(-1) };
    let named = apply(&line, Body::Arranged(arranged.clone())).unwrap();
    expect("arranged", (named.name(), named.is_hidden(), named.rank()) == (Some("n"), true, -1));
    let unnamed = apply(&named, Body::Arranged(Arranged { name: Some(String::new()), ..Arranged::default() })).unwrap();
    expect("without a name", (unnamed.name(), unnamed.is_hidden(), unnamed.rank()) == (None, true, -1));
    expect("a game is not arranged", apply(&replay, Body::Arranged(arranged)).is_err());
    let said = Annotated { ply: 2, comment: Some("c".to_owned()), glyphs: Vec::new() };
    expect("a ply that it continues", apply(&line, Body::Annotated(said)).unwrap().annotation(2).is_some());
    expect(
        "a line alone",
        matches!(
            Replay::begin(&Log::new(2, hash).add(By::Service, Body::Created(right)).clone(), &Secrets::new())
                .map_err(|why| why.why),
            Err(Misfit::Parent)
        ),
    );
    failures
}
