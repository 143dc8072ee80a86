//! Refolding recorded games: the current rules agree with all of them, and rules with one change are found to
//! disagree.

use std::convert::Infallible;

use plybook_events::{Body, Event, LogId};
use plybook_rules::log::{Judgement, Refold, Verdict};
use plybook_rules::{Rules, kind};

use crate::changed::{Change, Changed};
use crate::golden::{Golden, all};

/// Judges a log by rules; the lines among the golden logs know what they fork from.
fn judge(log: &[Event], rules: &(dyn Fn(&str) -> Option<&'static dyn Rules> + Sync)) -> Option<Judgement> {
    let golden = |id: LogId| all().iter().find(|golden| golden.id() == id).map(Golden::events).unwrap_or_default();
    Refold { rules, parent: &|id| Ok::<_, Infallible>(golden(id)), goes_on: &|| true }.judge(log).unwrap()
}

fn named(name: &str) -> Vec<Event> {
    let found = all().into_iter().find(|golden| golden.name() == format!("{name}.ndjson"));
    found.unwrap_or_else(|| panic!("there is no golden log {name}")).events()
}

/// What a change is found to change in a golden log: event, ply, and the words.
fn found(name: &str, change: Change) -> (u64, usize, String) {
    let log = named(name);
    let Body::Created(created) = &log[0].body else { panic!("{name} is a game") };
    let rules = Changed::rules(&created.kind, change);
    let judged = judge(&log, &|_| Some(rules)).expect("it is a game");
    assert_eq!((judged.game, judged.kind.as_str()), (log[0].log, created.kind.as_str()));
    assert_eq!((judged.recorded.as_str(), judged.present), ("v1", Some("v2")));
    match judged.verdict {
        Verdict::Differs(found) => (found.seq, found.ply, found.what.to_string()),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn the_present_rules_find_nothing_in_the_golden_logs() {
    let (mut games, mut sealed, mut lines) = (0, 0, 0);
    for golden in all() {
        let log = golden.events();
        let Some(judged) = judge(&log, &kind) else {
            assert!(!matches!(log[0].body, Body::Created(_)), "{}", golden.name());
            continue;
        };
        match judged.verdict {
            Verdict::Same => games += 1,
            Verdict::Sealed => sealed += 1,
            other => panic!("{}: {other:?}", golden.name()),
        }
        lines += usize::from(matches!(&log[0].body, Body::Created(created) if created.fork.is_some()));
    }
    assert!(games > 40 && sealed == 1 && lines > 0, "{games} games, {sealed} sealed, {lines} lines");
}

#[test]
fn a_running_game_is_judged_as_far_as_it_is_revealed() {
    let log = named("records/sealed-running");
    let judged = judge(&log, &kind).expect("it is a game");
    assert_eq!((judged.verdict, judged.ply), (Verdict::Sealed, 0), "its setup is sealed");
    let mut log = named("records/sealed");
    let second = log.iter().filter(|event| matches!(event.body, Body::Sealed(_))).nth(1).expect("it seals").seq;
    log.retain(|event| !matches!(&event.body, Body::Revealed(revealed) if revealed.of == second));
    let judged = judge(&log, &kind).expect("it is a game");
    assert_eq!((judged.verdict, judged.ply), (Verdict::Sealed, 1));
}

const GAME: &str = "triangulate/records/three-on-a-square-2";

#[test]
fn an_action_that_is_refused_now_is_found() {
    let why = "seat:1 g8-h7: the frog is too tired".to_owned();
    assert_eq!(found(GAME, Change::Forbidden("g8-h7")), (1, 1, why));
    let why = "seat:2 g4-f3: the frog is too tired".to_owned();
    assert_eq!(found(GAME, Change::Forbidden("g4-f3")), (48, 48, why));
    // In secret, too.
    let log = named("records/sealed");
    let submitted = log.iter().find_map(|event| match &event.body {
        Body::Revealed(revealed) if revealed.of > 0 => Some((revealed.of, revealed.content.clone())),
        _ => None,
    });
    let (of, action) = submitted.expect("something is revealed");
    let why = format!("{} {action}: the frog is too tired", log[of as usize].by);
    assert_eq!(found("records/sealed", Change::Forbidden(action.leak())), (of, of as usize, why));
}

#[test]
fn an_end_that_differs_now_is_found() {
    let was = r#"{"winners":[1],"reason":"three-on-a-square"}"#;
    let now = r#"{"winners":[1],"reason":"a tower"}"#;
    let why = format!("the rules end the game with {now}, the log says {was}");
    assert_eq!(found(GAME, Change::Reason("a tower")), (50, 49, why));
    let why = format!("the log says that the rules end the game ({was}), they do not");
    assert_eq!(found(GAME, Change::Endless), (50, 49, why));
    let over = r#"{"winners":[],"reason":"bedtime"}"#;
    let why = format!("the rules end the game here ({over}), the log goes on with g4-f3 by seat:2");
    assert_eq!(found(GAME, Change::Ends(47, "bedtime")), (48, 48, why));
    let resigned = r#"{"winners":[2],"reason":"resignation"}"#;
    let why = format!("the rules end the game here ({over}), the log ends it otherwise ({resigned})");
    assert_eq!(found("records/example", Change::Ends(2, "bedtime")), (3, 2, why));
    let why = format!("the rules end the game here ({over}), the log leaves it running");
    assert_eq!(found("records/draw-offered", Change::Ends(1, "bedtime")).0, 2);
    let mut log = named(GAME);
    log.truncate(10);
    let rules = Changed::rules("triangulate", Change::Ends(9, "bedtime"));
    let Some(Verdict::Differs(found)) = judge(&log, &|_| Some(rules)).map(|judged| judged.verdict) else {
        panic!("the end is not found")
    };
    assert_eq!((found.seq, found.ply, found.what.to_string()), (9, 9, why));
}

#[test]
fn a_setup_that_is_refused_or_has_a_different_number_of_seats_is_found() {
    assert_eq!(found(GAME, Change::Setup), (0, 0, "the setup is refused: the board is too small".to_owned()));
    assert_eq!(found(GAME, Change::Seats), (0, 0, "the setup has 3 seats, the log names 2".to_owned()));
    let judged = judge(&named(GAME), &|_| None).expect("it is a game");
    assert_eq!(judged.present, None);
    assert_eq!(judged.to_json()["difference"]["why"], "no game is called \"triangulate\" any more");
}

#[test]
fn a_roll_that_does_not_follow_from_the_seed_is_found() {
    let why = "the seed gives roll:1=4,2=1, the log says roll:1=7,2=1".to_owned();
    assert_eq!(found("records/fair-rolls", Change::Dice), (102, 102, why));
}

#[test]
fn takebacks_are_followed() {
    let (log, change) = (named("records/taken-back"), Change::Ends(4, "bedtime"));
    let why = r#"the rules end the game here ({"winners":[],"reason":"bedtime"}), the log goes on with `annotated`"#;
    assert_eq!(found("records/taken-back", change), (5, 4, why.to_owned()));
    // It has six actions, but never more than four that stand.
    let longer = Changed::rules("triangulate", Change::Ends(5, "bedtime"));
    let judged = judge(&log, &|_| Some(longer)).expect("it is a game");
    assert_eq!((judged.verdict, judged.ply), (Verdict::Same, 3));
}

#[test]
fn a_line_is_judged_from_its_fork() {
    let log = named("records/line");
    let Body::Created(created) = &log[0].body else { panic!("it is a line") };
    let fork = created.fork.as_ref().expect("it forks");
    let parent = named("records/taken-back");
    let Body::Acted(acted) = &parent[1].body else { panic!("the first event after `created` is an action") };
    let forbidden = Changed::rules("triangulate", Change::Forbidden(acted.action.clone().leak()));
    let Some(Verdict::Differs(found)) = judge(&log, &|_| Some(forbidden)).map(|judged| judged.verdict) else {
        panic!("the action is not found")
    };
    assert_eq!((found.log, found.seq, found.ply), (fork.game, 1, 1));
    let on = Event { log: log[0].log, seq: 1, ..parent[2].clone() };
    let judged = judge(&[&log[..], &[on]].concat(), &kind).expect("it is a game");
    assert_eq!((judged.verdict, judged.ply), (Verdict::Same, 2), "it goes on from ply 1");
    let alone = Refold { rules: &kind, parent: &|_| Ok::<_, Infallible>(Vec::new()), goes_on: &|| true };
    let judged = alone.judge(&log).expect("nothing fails").expect("it is a game");
    assert_eq!(judged.verdict, Verdict::Orphan(fork.game));
}
