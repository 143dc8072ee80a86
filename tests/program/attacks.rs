//! The attacks of `docs/trust.md`, as an operator does them who may write everything in the data directory: each is
//! found by what the table there says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use plybook_api::service::{Context, Live, NewGame, NewReport, NewSeat, Service, Signing};
use plybook_events::body::{Annotated, Rolls};
use plybook_events::{Actor, Body, By, Event, Hash, LogId, Outcome, PrivateKey, Statement, Timestamp};
use plybook_rules::log::Command;
use plybook_store::{Options, Store};
use serde_json::json;

use crate::operator::{forget_index, journal, rewrite};
use crate::plybook::{Ran, Served, run};
use crate::witness::{Witnessing, log_key};

fn on(data: &Path, arguments: &[&str]) -> Ran {
    run(&[arguments, &["--data", data.to_str().unwrap()]].concat())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, to).unwrap();
        }
    }
}

fn open(data: &Path) -> std::sync::Arc<Service> {
    Service::start(Store::open(data, &Options::DEFAULT, &mut |_, _| ()).unwrap()).unwrap()
}

fn create(service: &Service, kind: &str, seats: usize, setup: serde_json::Value) -> std::sync::Arc<Live> {
    let seats = vec![NewSeat::default(); seats];
    let new = NewGame {
        kind: kind.to_owned(),
        seats,
        setup: Some(setup),
        is_open: kind == "triforce-building",
        rolls: (kind == "triforce").then_some(Rolls::Fair),
        ..NewGame::default()
    };
    service.create_game(&new).unwrap()
}

/// Plays at random until chance is to act; always the same.
fn play_to_a_roll(service: &Service, live: &Live) {
    let mut next = 1_u64;
    loop {
        let replay = live.replay();
        let actor = replay.position().to_act().iter().next().unwrap();
        if actor == Actor::Chance {
            return;
        }
        let mut draw = |n: u32| {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (next >> 33) as u32 % n
        };
        let action = replay.position().sample(actor, &mut draw);
        service.command(live, &[Command::Act { actor, action, clock_ms: None }], None).unwrap();
    }
}

/// Acts in a game for a seat whose player signs it; what is signed follows from the log and the action alone.
fn act_signed(service: &Service, live: &Live, key: &PrivateKey, action: &str) {
    let replay = live.replay();
    let Some(Actor::Seat(seat)) = replay.position().to_act().only() else { panic!("one seat is to act") };
    let head = service.log().head(replay.log()).unwrap();
    let body = json!({ "action": action });
    let statement = Statement {
        body: body.as_object().unwrap().clone(),
        by: By::Seat(seat),
        log: replay.log(),
        prev: head.hash(),
        seq: head.seq() + 1,
        type_name: "acted".to_owned(),
    };
    let signing = Signing { signature: Some(statement.sign(key).unwrap()), salt: None };
    let act = Command::Act { actor: Actor::Seat(seat), action: action.to_owned(), clock_ms: None };
    service.for_whom(Context { signing, ..Context::default() }).command(live, &[act], None).unwrap();
}

/// A game of Triangulate in which everything is signed, and some of it was.
fn record_signed(service: &Service) -> LogId {
    let seats = vec![NewSeat::default(); 2];
    let new = NewGame { kind: "triangulate".to_owned(), seats, is_signed: true, ..NewGame::default() };
    let live = service.create_game(&new).unwrap();
    for seed in [[1; 32], [2; 32], [1; 32]] {
        let action =
            live.replay().position().legal(live.replay().position().to_act().only().unwrap()).unwrap()[0].clone();
        act_signed(service, &live, &PrivateKey::from_seed(&seed), &action);
    }
    live.replay().log()
}

/// A finished game of Triangulate, one with fair rolls, one with a drawn setup, and one that is signed; a player, and the
/// tournament that the player is entered in; under checkpoints.
fn record(data: &Path) -> [LogId; 6] {
    let service = open(data);
    let signed = record_signed(&service);
    let played = create(&service, "triangulate", 2, json!({}));
    service.command(&played, &[Command::Resign(1)], None).unwrap();
    let rolled = create(&service, "triforce", 3, json!({ "first": "drawn" }));
    play_to_a_roll(&service, &rolled);
    service.roll(&rolled, None).unwrap();
    let drawn = create(&service, "triforce-building", 7, json!({ "players": 7 }));
    let end = || Command::Adjudicate { outcome: Outcome::win(vec![1], "time is up") };
    for live in [&rolled, &drawn] {
        service.command(live, &[end()], None).unwrap();
    }
    let [first, second, third] = [&played, &rolled, &drawn].map(|live| live.replay().log());
    let file = format!("012 Open\n001    1      {:<67}0.0    1", "Ada");
    let players = BTreeMap::new();
    let report = NewReport {
        file: file.as_bytes(),
        kind: "tri".to_owned(),
        name: None,
        time_zone: None,
        is_unrated: false,
        players,
    };
    let tournament = service.import_report(&report).unwrap().tournament();
    let ids = [first, second, third, signed, tournament.entrants[0].player, tournament.id];
    drop((played, rolled, drawn));
    service.close();
    drop(service);
    let served = Served::start(data, &[]);
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    ids
}

fn find(events: &mut [Event], log: LogId, is_it: impl Fn(&Body) -> bool) -> &mut Event {
    events.iter_mut().find(|event| event.log == log && is_it(&event.body)).unwrap()
}

type Change = fn(&mut Vec<Event>, [LogId; 6]);

/// What an operator changes, all hashes with it; and what `verify` says of it without having seen anything before.
const ATTACKS: [(&str, Option<&str>, Change); 15] = [
    ("a result is rewritten", None, |events, [played, ..]| {
        let ended = find(events, played, |body| matches!(body, Body::Ended(_)));
        ended.by = By::Seat(2);
        let Body::Ended(ended) = &mut ended.body else { unreachable!() };
        ended.outcome.winners = vec![1];
    }),
    ("a finished game is dropped", None, |events, [played, ..]| events.retain(|event| event.log != played)),
    ("a game of 2024 is inserted", None, |events, [played, ..]| {
        let mut old: Vec<Event> = events.iter().filter(|event| event.log == played).cloned().collect();
        for event in &mut old {
            event.log = LogId::from_bytes([7; 16]);
            event.at = Timestamp::from_millis(1_710_000_000_000).unwrap();
        }
        events.splice(0..0, old);
    }),
    ("the end is cut off", None, |events, _| events.truncate(events.len() - 1)),
    ("a roll is another", Some("the seed gives"), |events, [_, rolled, ..]| {
        change_roll(events, rolled);
    }),
    (
        "the seed is kept back, and a roll is another",
        Some("the game ends without the seed"),
        |events, [_, rolled, ..]| {
            change_roll(events, rolled);
            let Body::Ended(ended) = &mut find(events, rolled, |body| matches!(body, Body::Ended(_))).body else {
                unreachable!()
            };
            ended.seed = None;
        },
    ),
    (
        "a fair roll becomes one that was typed in",
        Some("all rolls of this game are fair"),
        |events, [_, rolled, ..]| {
            type_roll(events, rolled);
        },
    ),
    ("the same, in a game said to take both", None, |events, [_, rolled, ..]| {
        type_roll(events, rolled);
        let Body::Created(created) = &mut find(events, rolled, |body| matches!(body, Body::Created(_))).body else {
            unreachable!()
        };
        created.rolls = None;
    }),
    ("another seat begins than was drawn", Some("the seed draws another setup"), |events, [_, rolled, ..]| {
        let Body::Created(created) = &mut find(events, rolled, |body| matches!(body, Body::Created(_))).body else {
            unreachable!()
        };
        let first = created.setup["first"].as_u64().unwrap();
        created.setup["first"] = (first % 3 + 1).into();
    }),
    ("other start cells than were drawn", Some("the seed draws another setup"), |events, [_, _, drawn, ..]| {
        let Body::Created(created) = &mut find(events, drawn, |body| matches!(body, Body::Created(_))).body else {
            unreachable!()
        };
        let starts = created.setup["starts"].as_array_mut().unwrap();
        starts.swap(0, 1);
    }),
    ("a signed action is another", Some("the signature is not of this event"), |events, [_, _, _, signed, ..]| {
        let last = events.iter_mut().rfind(|event| event.log == signed).unwrap();
        last.body = Body::Resigned(plybook_events::body::Resigned {});
    }),
    (
        "what was before a signed action is another",
        Some("the signature is not of this event"),
        |events, [_, _, _, signed, ..]| {
            let Body::Created(created) = &mut find(events, signed, |body| matches!(body, Body::Created(_))).body else {
                unreachable!()
            };
            created.seats[0].name = "Somebody else".to_owned();
        },
    ),
    (
        "a signature is left out",
        Some("is not signed, and everything that a person does in this game is"),
        |events, [_, _, _, signed, ..]| {
            events.iter_mut().rfind(|event| event.log == signed).unwrap().signature = None;
        },
    ),
    ("a player has another name", None, |events, [.., player, _]| {
        let Body::PlayerCreated(created) = &mut find(events, player, |_| true).body else { unreachable!() };
        created.name = "Eva".to_owned();
    }),
    ("an entrant of a tournament has another name", None, |events, [.., tournament]| {
        let entered = find(events, tournament, |body| matches!(body, Body::Entered(_)));
        let Body::Entered(entered) = &mut entered.body else { unreachable!() };
        entered.details.name = "Eva".to_owned();
    }),
];

/// Makes one die of a fair roll show something else.
fn change_roll(events: &mut [Event], log: LogId) {
    let roll = find(events, log, |body| matches!(body, Body::Acted(acted) if acted.fair));
    let Body::Acted(acted) = &mut roll.body else { unreachable!() };
    let (before, die) = acted.action.rsplit_once(['=', '+']).unwrap();
    let other = if die == "1" { "2" } else { "1" };
    let sign = &acted.action[before.len()..=before.len()];
    acted.action = format!("{before}{sign}{other}");
}

/// Makes a fair roll one that was typed in, and shows something else.
fn type_roll(events: &mut [Event], log: LogId) {
    change_roll(events, log);
    let roll = find(events, log, |body| matches!(body, Body::Acted(acted) if acted.fair));
    let Body::Acted(acted) = &mut roll.body else { unreachable!() };
    acted.fair = false;
}

#[test]
fn a_changed_history_is_refused_at_the_start_and_found_by_who_saw_a_checkpoint_or_a_head() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, data) = (dir.path().join("whole"), dir.path().join("data"));
    let ids = record(&whole);
    let heads: Vec<(LogId, Hash)> = ids
        .iter()
        .map(|id| {
            let last = journal(&whole).into_iter().rfind(|event| event.log == *id).unwrap();
            (*id, Hash::of_event(&last.to_bytes().unwrap()))
        })
        .collect();
    assert!(on(&whole, &["verify"]).ok().contains(" 0 bad"));
    for (what, found, change) in ATTACKS {
        copy(&whole, &data);
        rewrite(&data, |events| change(events, ids));
        let refused = |of: &str| {
            let said = on(&data, &["serve", "--listen", "127.0.0.1:0"]).fails(2);
            let is_cut = said.contains("the journal ends after");
            assert!(said.contains("history was changed") || is_cut, "{what}, {of}: {said}");
        };
        refused("by the index");
        assert_eq!(on(&data, &["verify"]).status, 1, "{what}: verify knows the last checkpoint");
        // The operator has removed the index as well.
        forget_index(&data);
        refused("by the checkpoint");
        // And the checkpoints, as whoever never saw one.
        fs::remove_dir_all(data.join("tlog")).unwrap();
        let told = on(&data, &["verify"]);
        match found {
            Some(words) => {
                let said = told.fails(1);
                assert!(said.contains(words), "{what}: {said}");
            }
            None => assert!(told.ok().contains(" 0 bad"), "{what}: without anything to compare with, nobody finds it"),
        }
        let knows_head = heads.iter().any(|(_, head)| on(&data, &["verify", "--head", &head.to_string()]).status == 1);
        assert_eq!(knows_head, what != "a game of 2024 is inserted", "{what}: who knows the heads");
        fs::remove_dir_all(&data).unwrap();
    }
}

/// Two services from the same past, each sound in itself: whoever has a head of one finds that the other lacks it.
#[test]
fn two_histories_are_found_by_who_compares_heads() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one"), dir.path().join("other"));
    let service = open(&one);
    let id = create(&service, "triangulate", 2, json!({})).replay().log();
    service.close();
    drop(service);
    copy(&one, &other);
    let mut heads = Vec::new();
    for (data, loser) in [(&one, 1), (&other, 2)] {
        let service = open(data);
        let live = service.game(id).unwrap();
        service.command(&live, &[Command::Resign(loser)], None).unwrap();
        heads.push(service.log().head(id).unwrap().hash().to_string());
        drop(live);
        service.close();
    }
    for (data, own, theirs) in [(&one, 0, 1), (&other, 1, 0)] {
        on(data, &["verify", "--head", &heads[own]]).ok();
        assert!(on(data, &["verify", "--head", &heads[theirs]]).fails(1).contains("ends in"));
    }
}

/// The operator keeps two histories with one key, and shows each to whom it suits: the witnesses cosign one of them only,
/// even if each is asked for another one first.
#[test]
fn two_histories_are_not_both_cosigned() {
    let dir = tempfile::tempdir().unwrap();
    let (one, other) = (dir.path().join("one"), dir.path().join("other"));
    let log = log_key(&one);
    let names = ["first.example.net", "second.example.net", "third.example.net"];
    let witnesses = names.map(|name| Witnessing::start(&dir.path().join(name), name, "127.0.0.1:0", &[&log]));
    let named = witnesses.each_ref().map(Witnessing::named);
    let create = |served: &Served| {
        let create = "mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }";
        served.get(Some(&served.admin()), create, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned()
    };
    let cosigned = |served: &Served, wanted: usize| {
        let asked = "{ checkpoint { size cosignatures { witness } } }";
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let checkpoint = served.get(None, asked, &json!({}))["checkpoint"].clone();
            let count = checkpoint["cosignatures"].as_array().unwrap().len();
            if checkpoint["size"] == 2 && count == wanted {
                return;
            }
            assert!(Instant::now() < until, "{checkpoint}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    copy(&one, &other);

    // Each history is shown to one witness, and grows. They need not ask for more than that one by themselves.
    let served = Served::start(&one, &["--witness", &named[0]]);
    let told = create(&served);
    cosigned(&served, 1);
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));
    let log_of_other = dir.path().join("log");
    let served = Served::start(&other, &["--witness", &named[1]]);
    let hidden = create(&served);
    cosigned(&served, 1);
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));

    // The third cosigns whichever comes first: that history has two of three, and the other can have no more than one.
    let all = named.each_ref().map(|named| ["--witness", named]).concat();
    let served = Served::start(&one, &all);
    cosigned(&served, 2);
    let prove = |data: &Path, game: &str, file: &str| {
        let file = dir.path().join(file);
        on(data, &["prove", game, "--out", file.to_str().unwrap()]).ok();
        let keys = witnesses.each_ref().map(|witness| ["--witness", &witness.key]).concat();
        run(&[&["check", file.to_str().unwrap(), "--key", &log], keys.as_slice()].concat())
    };
    prove(&one, &told, "told.json").ok();
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));
    let served = Served::start_logging_with(&other, &log_of_other, &all);
    let until = Instant::now() + Duration::from_secs(60);
    let is_told = || fs::read_to_string(&log_of_other).unwrap().contains("a history that this one does not go on from");
    while !is_told() {
        assert!(Instant::now() < until, "the operator is not told why: {:?}", fs::read_to_string(&log_of_other));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(prove(&other, &hidden, "hidden.json").fails(1).contains("1 of the 3 witnesses"));
    drop(served);
}

/// Whoever asks for a roll can choose when, and what is said before it: the roll stays the same.
#[test]
fn comments_offers_and_typed_rolls_choose_no_roll() {
    let dir = tempfile::tempdir().unwrap();
    let (whole, data) = (dir.path().join("whole"), dir.path().join("data"));
    let service = open(&whole);
    let live = create(&service, "triforce", 3, json!({}));
    let id = live.replay().log();
    play_to_a_roll(&service, &live);
    drop(live);
    service.close();
    drop(service);
    let mut rolls = Vec::new();
    for comments in 0..5 {
        copy(&whole, &data);
        let service = open(&data);
        let live = service.game(id).unwrap();
        for _ in 0..comments {
            let annotated = Annotated { ply: 0, comment: Some("hm".to_owned()), glyphs: Vec::new() };
            service.command(&live, &[Command::Annotate { by: By::Seat(1), annotated }], None).unwrap();
        }
        service.roll(&live, None).unwrap();
        rolls.push(live.replay().mainline().last().unwrap().action.clone());
        drop(live);
        service.close();
        drop(service);
        fs::remove_dir_all(&data).unwrap();
    }
    assert!(rolls.iter().all(|roll| *roll == rolls[0]), "{rolls:?}");
}
