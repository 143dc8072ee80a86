//! Invariants of drafts, for every game: secrets stay in the vault until they may be known, and a log is the
//! same however many drafts it was written in.

use std::collections::BTreeMap;

use plybook_events::body::{
    Acted, Annotated, Arranged, Corrected, Created, DrawAnswered, DrawOffered, Ended, EntropyAdded, PlayerUnmerged,
    Reopened, Resigned, Revealed, Rolls, Sealed, SeatEntry, Seed, TakenBack, Unvoided, Voided,
};
use plybook_events::fair::Dice;
use plybook_events::{Actor, Body, By, Decider, Event, Hash, LogId, Outcome, Timestamp};
use serde_json::json;

use super::{Draft, FinishedDraft, Source};
use crate::log::{Command, FaultKind, Replay, Secret, Secrets, Status, verify};
use crate::{Rules, Viewer, kinds};

/// Times and salts derived from the seq, and a vault.
#[derive(Clone, Default)]
struct TestSource(BTreeMap<String, Vec<u8>>);

impl Source for TestSource {
    fn at(&mut self, seq: u64) -> Timestamp {
        Timestamp::from_millis(1_000 * seq as i64).expect("it is a time")
    }

    fn salt(&mut self, seq: u64) -> Hash {
        Hash::of_parts(&[b"salt", &seq.to_be_bytes()])
    }

    fn kept(&self, key: &str) -> Option<Vec<u8>> {
        self.0.get(key).cloned()
    }
}

const LOG: LogId = LogId::from_bytes([7; 16]);

fn begin(rules: &dyn Rules) -> Draft<TestSource> {
    begin_with(rules, None)
}

/// A game that has its rolls from there.
fn begin_with(rules: &dyn Rules, rolls: Option<Rolls>) -> Draft<TestSource> {
    let setup = rules.complete(&json!({}), &mut |_| 0).expect("every game has a default setup");
    let seats = rules.start(&setup).expect("it is complete").seats();
    let seats = (1..=seats).map(|seat| SeatEntry { name: format!("Seat {seat}"), player: None }).collect();
    let created = Created { kind: rules.about().kind.to_owned(), seats, rolls, ..Created::default() };
    let seed = Seed { seed: Hash([1; 32]), salt: Hash([2; 32]) };
    Draft::create(TestSource::default(), LOG, created, &seed).expect("the default setup begins")
}

#[test]
fn a_game_that_repeats_itself_ends_as_a_draw() {
    let created = |repetition: &serde_json::Value| {
        let seats = ["Ada", "Ben"].map(|name| SeatEntry { name: name.to_owned(), player: None }).to_vec();
        let setup = json!({ "repetition": repetition });
        Created { kind: "triangulate".to_owned(), seats, setup, ..Created::default() }
    };
    let seed = Seed { seed: Hash([1; 32]), salt: Hash([2; 32]) };
    // The first moves place pads; after that, the same four positions come up again and again.
    for (times, plies) in [(2, 8), (3, 12), (10, 40)] {
        let mut draft = Draft::create(TestSource::default(), LOG, created(&times.into()), &seed).expect("it begins");
        for (action, seat) in ["b1-b2", "d1-d2", "b2-b1", "d2-d1"].into_iter().zip([1, 2, 1, 2]).cycle() {
            if draft.replay().status() != Status::Running {
                break;
            }
            let (actor, action) = (Actor::Seat(seat), action.to_owned());
            draft.command(Command::Act { actor, action, clock_ms: None }).expect("it is legal");
        }
        let replay = draft.replay();
        assert_eq!(replay.mainline().len(), plies, "{times} times");
        let end = replay.end().expect("it is over");
        assert_eq!((end.decided_by, &end.outcome), (Decider::Rules, &Outcome::draw("repetition")));
        assert!(replay.position().to_act().is_empty());
        let before = replay.position_at(plies - 1).expect("it is a ply");
        assert!(before.outcome().is_none() && !before.to_act().is_empty());

        let mut events: Vec<Event> = draft.events().iter().map(|bytes| Event::parse(bytes).unwrap()).collect();
        assert!(Replay::fold(&events, &Secrets::new()).is_ok());
        draft
            .command(Command::TakeBack { to_ply: plies as u32 - 1, reason: "slip".to_owned() })
            .expect("it is taken back");
        assert_eq!(draft.replay().status(), Status::Running, "what was taken back does not count");
        // Whoever leaves the end away, or ends the game where nothing was repeated, is found out.
        let Body::Ended(ended) = events.pop().expect("it has ended").body else { panic!("it ends the log") };
        let replay = Replay::fold(&events, &Secrets::new()).expect("it fits so far");
        assert!(replay.is_ending());
        events.pop();
        let mut early = Replay::fold(&events, &Secrets::new()).expect("it fits so far");
        let last = events.last().expect("it has events");
        let ended = Event { seq: last.seq + 1, by: By::Service, body: Body::Ended(ended), ..last.clone() };
        assert!(early.apply(&ended, &Secrets::new()).is_err());
    }
    for wrong in [json!(1), json!(11), json!("3"), json!(null)] {
        let why = Draft::create(TestSource::default(), LOG, created(&wrong), &seed).err().expect("refused");
        assert!(why.to_string().contains("`repetition` is a whole number from 2 to 10, not"), "{why}");
    }
}

/// Takes a random step; `false` once the game is over.
fn step(draft: &mut Draft<TestSource>, dice: &mut Dice) -> bool {
    let replay = draft.replay();
    let plies = replay.mainline().len() as u32;
    if replay.status() != Status::Running {
        return false;
    }
    if plies > 2 && dice.below(12) == 0 {
        let take_back = Command::TakeBack { to_ply: plies - 1 - dice.below(2), reason: "slip".to_owned() };
        draft.command(take_back).expect("a running game can be taken back");
        return true;
    }
    let to_act: Vec<Actor> = replay.position().to_act().iter().collect();
    match to_act[dice.below(to_act.len() as u32) as usize] {
        Actor::Chance => draft.roll().expect("the seed is secret while the game runs"),
        actor @ Actor::Seat(_) => {
            let action = replay.position().sample(actor, &mut |n| dice.below(n));
            draft.command(Command::Act { actor, action, clock_ms: None }).expect("what is sampled is legal");
        }
    }
    true
}

/// A game of this many random steps, in one draft.
fn game(rules: &dyn Rules, number: u64, steps: usize) -> Draft<TestSource> {
    let mut dice = Dice::new(&Hash::of_parts(&[rules.about().kind.as_bytes()]), LOG, number);
    let mut draft = begin(rules);
    for _ in 0..steps {
        if !step(&mut draft, &mut dice) {
            break;
        }
    }
    draft
}

#[test]
fn a_log_is_the_same_in_one_draft_or_in_many() {
    for rules in kinds() {
        for number in 0..4 {
            let mut dice = Dice::new(&Hash::of_parts(&[rules.about().kind.as_bytes()]), LOG, number);
            let FinishedDraft { mut replay, mut events, mut kept } = begin(*rules).finish();
            for _ in 0..30 {
                let head = Hash::of_event(events.last().expect("it has begun"));
                let mut draft = Draft::resume(TestSource(kept.clone()), replay, head);
                let goes_on = step(&mut draft, &mut dice);
                let more = draft.finish();
                replay = more.replay;
                events.extend(more.events);
                kept.extend(more.kept);
                if !goes_on {
                    break;
                }
            }
            let whole = game(*rules, number, 30);
            assert_eq!(events, whole.events(), "{} {number}", rules.about().kind);
        }
    }
}

#[test]
fn a_log_verifies_and_says_no_secret_before_it_may() {
    let mut sealed = 0;
    for rules in kinds() {
        for number in 0..8 {
            let draft = game(*rules, number, 20);
            let (replay, text) = (draft.replay(), draft.events().concat());
            let text = String::from_utf8(text).expect("events are UTF-8");
            let hidden: BTreeMap<u64, Hash> = replay.sealed().collect();
            for ply in replay.mainline().iter().filter(|ply| hidden.contains_key(&ply.seq)) {
                assert!(
                    !text.contains(&format!("\"{}\"", ply.action)),
                    "{} {number}: {}",
                    rules.about().kind,
                    ply.action
                );
                sealed += 1;
            }
            let (found, _) = verify(LOG, draft.events(), &Secrets::new());
            assert_eq!(found.fault, None, "{} {number}", rules.about().kind);
        }
    }
    assert!(sealed > 0, "games with secrets seal them");
}

#[test]
fn the_vault_keeps_what_opens_each_commitment_and_nothing_else() {
    for rules in kinds() {
        for number in 0..8 {
            let FinishedDraft { replay, kept, .. } = game(*rules, number, 20).finish();
            let mut keys: Vec<String> = replay.sealed().map(|(_, hash)| Secret::opening_key(&hash)).collect();
            let has_seed = replay.created().fairness.is_some() && replay.status() == Status::Running;
            keys.extend(has_seed.then(|| Secret::SEED_KEY.to_owned()));
            keys.sort_unstable();
            assert_eq!(kept.keys().cloned().collect::<Vec<_>>(), keys, "{} {number}", rules.about().kind);
        }
    }
}

#[test]
fn the_end_reveals_everything_and_publishes_the_seed() {
    for rules in kinds() {
        let mut draft = game(*rules, 1, 12);
        if draft.replay().status() == Status::Running {
            draft.command(Command::Void { reason: "a test".to_owned() }).expect("any game can be void");
        }
        let FinishedDraft { replay, events, kept } = draft.finish();
        assert_eq!(replay.sealed().count(), 0, "{}", rules.about().kind);
        assert!(kept.is_empty(), "{}: there is nothing left to hide", rules.about().kind);
        let last = Event::parse(events.last().expect("it has events")).expect("it was written here");
        let seed = match last.body {
            Body::Ended(ended) => ended.seed,
            Body::Voided(voided) => voided.seed,
            other => panic!("{}: the last event is {}", rules.about().kind, other.type_name()),
        };
        assert_eq!(seed.is_some(), replay.created().fairness.is_some(), "{}", rules.about().kind);
        for ply in 1..=replay.mainline().len() {
            assert!(replay.shown(ply, Viewer::All).is_some(), "{}", rules.about().kind);
        }
    }
}

#[test]
fn what_the_vault_has_lost_is_named_and_nothing_is_written() {
    for rules in kinds().iter().filter(|rules| rules.about().secrets) {
        let FinishedDraft { replay, events, .. } = game(*rules, 2, 6).finish();
        let Some((seq, _)) = replay.sealed().next() else { continue };
        let head = Hash::of_event(events.last().expect("it has begun"));
        let mut draft = Draft::resume(TestSource::default(), replay, head);
        let why = draft.command(Command::Void { reason: "a test".to_owned() }).expect_err("it cannot be revealed");
        assert_eq!(why.to_string(), format!("the vault lacks what event {seq} commits to"));
        assert!(draft.events().is_empty());
    }
}

/// A game of a kind with dice that awaits a roll; some of its seats have contributed to them.
fn before_a_roll(rules: &dyn Rules, contributors: &[(u8, u8)]) -> Draft<TestSource> {
    to_a_roll(|| {
        let mut draft = begin(rules);
        for (seat, byte) in contributors {
            let add = Command::AddEntropy { seat: *seat, entropy: Hash([*byte; 32]) };
            draft.command(add).expect("nothing is rolled yet");
        }
        draft
    })
}

/// A game that begins like this and awaits its first roll.
fn to_a_roll(begin: impl Fn() -> Draft<TestSource>) -> Draft<TestSource> {
    for number in 0.. {
        let mut draft = begin();
        let mut dice = Dice::new(&Hash([3; 32]), LOG, number);
        while draft.replay().status() == Status::Running {
            if draft.replay().position().to_act().contains(Actor::Chance) {
                return draft;
            }
            step(&mut draft, &mut dice);
        }
    }
    unreachable!("dice are rolled in some game")
}

/// The roll of the service, which is taken back afterwards.
fn roll_and_take_back(draft: &mut Draft<TestSource>) -> String {
    let plies = draft.replay().mainline().len();
    draft.roll().expect("the seed is secret while the game runs");
    let rolled = draft.replay().mainline()[plies].action.to_string();
    let to_ply = plies as u32;
    draft.command(Command::TakeBack { to_ply, reason: "once more".to_owned() }).expect("a roll can be taken back");
    rolled
}

fn with_dice() -> impl Iterator<Item = &'static dyn Rules> {
    kinds().iter().copied().filter(|rules| rules.about().chance)
}

/// 20 rolls in a row, each taken back: as many as tell dice of two faces apart.
fn rolls(mut draft: Draft<TestSource>) -> Vec<String> {
    (0..20).map(|_| roll_and_take_back(&mut draft)).collect()
}

#[test]
fn nothing_but_contributions_and_rolls_changes_a_roll() {
    for rules in with_dice() {
        let plain = rolls(before_a_roll(rules, &[]));
        assert!(plain.iter().any(|rolled| *rolled != plain[0]), "whoever rolls again gets the next roll");
        let mut remarked = before_a_roll(rules, &[]);
        let last = remarked.replay().mainline().len().min(3) as u32;
        for ply in 0..=last {
            let annotated = Annotated { ply, comment: Some("What now?".to_owned()), glyphs: Vec::new() };
            remarked.command(Command::Annotate { by: By::Seat(1), annotated }).expect("the ply is there");
        }
        remarked.command(Command::OfferDraw(1)).expect("the game runs");
        assert_eq!(rolls(remarked), plain, "{}: remarks do not steer the dice", rules.about().kind);
        let contributed = [&[(1, 9)][..], &[(1, 8)], &[(2, 9)], &[(1, 9), (2, 9)], &[(2, 9), (1, 9)]];
        let mut all: Vec<Vec<String>> = contributed.map(|seats| rolls(before_a_roll(rules, seats))).into();
        all.push(plain);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 6, "{}: each contribution makes a difference", rules.about().kind);
    }
}

#[test]
fn rolls_come_from_where_the_game_says() {
    let type_in = |draft: &mut Draft<TestSource>| {
        let action = draft.replay().position().sample(Actor::Chance, &mut |_| 0);
        draft.command(Command::Act { actor: Actor::Chance, action, clock_ms: None }).map_err(|why| why.to_string())
    };
    for rules in with_dice() {
        for (source, may_type, may_roll) in
            [(None, true, true), (Some(Rolls::Fair), false, true), (Some(Rolls::Typed), true, false)]
        {
            let waiting = || to_a_roll(|| begin_with(rules, source));
            let (typed, rolled) = (type_in(&mut waiting()), waiting().roll().map_err(|why| why.to_string()));
            assert_eq!((typed.is_ok(), rolled.is_ok()), (may_type, may_roll), "{source:?}: {typed:?}, {rolled:?}");
            let add = Command::AddEntropy { seat: 1, entropy: Hash([5; 32]) };
            assert_eq!(waiting().command(add).is_ok(), may_roll, "{source:?}");
            let (found, _) = verify(LOG, waiting().events(), &Secrets::new());
            assert_eq!(found.fault, None);
        }
    }
    for rules in kinds().iter().filter(|rules| !rules.about().chance) {
        let seed = Seed { seed: Hash([1; 32]), salt: Hash([2; 32]) };
        let mut created = begin(*rules).replay().created().clone();
        (created.setup, created.rolls) = (json!({}), Some(Rolls::Typed));
        let why = Draft::create(TestSource::default(), LOG, created, &seed).err().expect("there are no dice");
        assert!(why.to_string().contains("no dice"), "{why}");
    }
}

#[test]
fn seats_contribute_once_and_before_the_first_roll() {
    let add = |draft: &mut Draft<TestSource>, seat| {
        draft.command(Command::AddEntropy { seat, entropy: Hash([5; 32]) }).map_err(|why| why.to_string())
    };
    for rules in kinds().iter().filter(|rules| !rules.about().chance) {
        let why = add(&mut begin(*rules), 1).expect_err("there are no dice");
        assert_eq!(why, "this log has no dice that seats contribute to");
    }
    for rules in with_dice() {
        let mut draft = before_a_roll(rules, &[(2, 9)]);
        assert_eq!(draft.replay().contributors().collect::<Vec<_>>(), [2]);
        assert!(
            draft.replay().awaited_contributors().eq((1..=draft.replay().position().seats()).filter(|seat| *seat != 2))
        );
        assert_eq!(add(&mut draft, 2).expect_err("once"), "seat 2 has contributed to the dice already");
        assert!(add(&mut draft, 99).expect_err("there is no such seat").contains("there is no seat 99"));
        roll_and_take_back(&mut draft);
        assert_eq!(draft.replay().awaited_contributors().count(), 0);
        let why = add(&mut draft, 1).expect_err("a roll that was taken back was made all the same");
        assert_eq!(why, "the dice have been rolled already: seats contribute before the first roll");
        draft.command(Command::Void { reason: "a test".to_owned() }).expect("any game can be void");
        let (found, _) = verify(LOG, draft.events(), &Secrets::new());
        assert_eq!(found.fault, None, "{}", rules.about().kind);
    }
}

#[test]
fn who_does_not_have_the_seed_cannot_end_a_game_that_was_rolled() {
    for rules in with_dice() {
        let mut draft = before_a_roll(rules, &[]);
        roll_and_take_back(&mut draft);
        let FinishedDraft { replay, events, mut kept } = draft.finish();
        kept.insert(Secret::SEED_KEY.to_owned(), Secret::ELSEWHERE.to_vec());
        let head = Hash::of_event(events.last().expect("it has begun"));
        let mut imported = Draft::resume(TestSource(kept), replay, head);
        let outcome = Outcome::draw("the hall closes");
        let why = imported.command(Command::Adjudicate { outcome }).expect_err("nobody could check the rolls");
        assert!(why.to_string().starts_with("another service keeps the seed"), "{why}");
    }
}

#[test]
fn an_end_without_the_seed_of_its_rolls_is_found() {
    for rules in with_dice() {
        let mut draft = before_a_roll(rules, &[]);
        roll_and_take_back(&mut draft);
        draft.command(Command::Adjudicate { outcome: Outcome::draw("late") }).expect("the seed is here");
        let mut events = draft.events().to_vec();
        let last = events.pop().expect("it has ended");
        let mut end = Event::parse(&last).expect("it was written here");
        if let Body::Ended(ended) = &mut end.body {
            ended.seed = None;
        }
        events.push(end.to_bytes().expect("it is an event"));
        let (found, _) = verify(LOG, &events, &Secrets::new());
        let problem = found.fault.expect("the seed is missing").problem;
        assert!(problem.ends_with("the game ends without the seed that its dice or its setup come from"), "{problem}");
    }
}

/// Bodies of every type that a log of a game may have, and some that it never has; right, wrong and out of range.
fn bodies(replay: &Replay) -> Vec<Body> {
    let reason = || "r".to_owned();
    let legal = replay.position().to_act().iter().next().map(|actor| replay.position().sample(actor, &mut |_| 0));
    let acted = |action: &str, fair| Body::Acted(Acted { action: action.to_owned(), clock_ms: None, fair });
    let ended = |decided_by, outcome| Body::Ended(Ended { decided_by, outcome, seed: None });
    let ply = replay.mainline().len() as u32;
    let mut bodies = vec![
        acted("", false),
        acted("x", true),
        Body::EntropyAdded(EntropyAdded { entropy: Hash::ZERO }),
        Body::Sealed(Sealed { commitment: Hash::ZERO, clock_ms: None, fair: false }),
        Body::Revealed(Revealed { of: 0, content: reason(), salt: Hash::ZERO }),
        Body::DrawOffered(DrawOffered {}),
        Body::DrawAnswered(DrawAnswered { accept: true }),
        Body::DrawAnswered(DrawAnswered { accept: false }),
        Body::Resigned(Resigned {}),
        Body::Voided(Voided { reason: reason(), seed: None }),
        Body::Unvoided(Unvoided { reason: reason() }),
        Body::Reopened(Reopened { reason: reason() }),
        Body::Arranged(Arranged { hidden: Some(true), ..Arranged::default() }),
        Body::PlayerUnmerged(PlayerUnmerged {}),
        Body::Created(replay.created().clone()),
    ];
    bodies.extend(legal.iter().map(|action| acted(action, false)));
    bodies.extend([0, ply.saturating_sub(1), ply, ply + 1].iter().flat_map(|&ply| {
        let annotated = Annotated { ply, comment: Some(reason()), glyphs: Vec::new() };
        [Body::TakenBack(TakenBack { to_ply: ply, reason: reason() }), Body::Annotated(annotated)]
    }));
    let deciders = [
        Decider::Rules,
        Decider::Resignation,
        Decider::Agreement,
        Decider::Time,
        Decider::Arbiter,
        Decider::Abandonment,
    ];
    for winners in [vec![], vec![1], vec![2], vec![2, 1], vec![1, 1], vec![99]] {
        let outcome = Outcome::win(winners, "r");
        bodies.extend(deciders.map(|decided_by| ended(decided_by, outcome.clone())));
        bodies.push(Body::Corrected(Corrected { outcome, reason: reason() }));
    }
    bodies
}

/// Games of a kind in all sorts of states.
fn states(rules: &dyn Rules) -> Vec<Draft<TestSource>> {
    let mut states: Vec<_> = [0, 2, 9].iter().map(|steps| game(rules, 3, *steps)).collect();
    let void = || Command::Void { reason: "r".to_owned() };
    let adjudicate = || Command::Adjudicate { outcome: Outcome::draw("r") };
    let more =
        [vec![Command::OfferDraw(1)], vec![void()], vec![adjudicate()], vec![adjudicate(), adjudicate(), void()]];
    for commands in more {
        let mut draft = game(rules, 4, 5);
        // A game may be over after five steps.
        if commands.into_iter().all(|command| draft.command(command).is_ok()) {
            states.push(draft);
        }
    }
    states
}

#[test]
fn nothing_is_written_that_verification_refuses() {
    let authors = [By::Service, By::Arbiter, By::Chance, By::Seat(1), By::Seat(2), By::Seat(13)];
    let (mut written, mut refused) = (0, 0);
    for rules in kinds() {
        for state in states(*rules) {
            let FinishedDraft { replay, events, kept } = state.finish();
            let prev = Hash::of_event(events.last().expect("it has begun"));
            for (body, by) in bodies(&replay).into_iter().flat_map(|body| authors.map(|by| (body.clone(), by))) {
                let what = format!("{}: {body:?} by {by}", rules.about().kind);
                let (at, seq) = (replay.last_at(), replay.events());
                let event = Event {
                    at,
                    by,
                    log: LOG,
                    prev,
                    seq,
                    body: body.clone(),
                    who: None,
                    signature: None,
                    request: None,
                };
                let mut longer = events.clone();
                longer.push(event.to_bytes().expect("it has canonical bytes"));
                let fault = verify(LOG, &longer, &Secrets::new()).0.fault;
                let mut draft = Draft::resume(TestSource(kept.clone()), replay.clone(), prev);
                if draft.record(vec![(by, body)], 0).is_ok() {
                    let whole = [events.as_slice(), draft.events()].concat();
                    assert_eq!(verify(LOG, &whole, &Secrets::new()).0.fault, None, "{what}");
                    written += 1;
                } else {
                    refused += 1;
                    continue;
                }
                // The draft adds what is revealed and published, and nothing else makes a difference.
                let kinds = [FaultKind::Author, FaultKind::Order, FaultKind::Outcome];
                assert!(!fault.is_some_and(|fault| kinds.contains(&fault.kind)), "{what}: it was written");
            }
        }
    }
    assert!(written > 300 && refused > 3_000, "{written} written, {refused} refused");
}
