//! Deadlines: the service closes rounds when they are due, once, and takes nothing outside the time for it.

use std::time::Duration;

use plybook_api::access::{Caller, Role};
use plybook_events::{Body, By, Event};
use plybook_tests::store;
use serde_json::{Value, json};

use crate::house::{House, caller, seat};

/// How long to wait for the service, in steps.
const PATIENCE: usize = 600;
const STEP: Duration = Duration::from_millis(50);

const SET: &str =
    "mutation($g: ID!, $d: DateTime) { setDeadline(game: $g, due: $d, reason: \"trains\") { deadline { opens due } } }";

fn new_game(deadlines: &Value) -> Value {
    let setup = json!({ "players": 7, "deadlines": deadlines, "drawLate": false });
    json!({ "kind": "triforce-building", "setup": setup, "seats": vec![json!({}); 7] })
}

fn log(house: &House, game: &str) -> Vec<Event> {
    house.service.events(game.parse().unwrap(), 0).unwrap()
}

fn count(house: &House, game: &str, type_name: &str) -> usize {
    log(house, game).iter().filter(|event| event.body.type_name() == type_name).count()
}

async fn deadline(house: &House, game: &str) -> Value {
    let query = "query($g: ID!) { game(id: $g) { deadline { opens due } verification { valid problem } } }";
    let found = house.get(query, json!({ "g": game })).await["game"].clone();
    assert_eq!(found["verification"], json!({ "valid": true, "problem": null }));
    found["deadline"].clone()
}

/// Waits until the log of a game has so many submissions.
async fn until_sealed(house: &House, game: &str, wanted: usize) {
    for _ in 0..PATIENCE {
        if count(house, game, "sealed") >= wanted {
            return;
        }
        tokio::time::sleep(STEP).await;
    }
    panic!("{} of {wanted} submissions after half a minute", count(house, game, "sealed"));
}

fn stay(house: &House, game: &str, number: u8) -> impl Future<Output = crate::house::Answer> {
    let (who, variables) = (seat(game, number), json!({ "g": game }));
    let schema = house.schema.clone();
    async move {
        let query = "mutation($g: ID!) { act(game: $g, action: \"-\") { ply } }";
        crate::house::Answer::of(&schema.execute(crate::house::request(&who, query, variables)).await)
    }
}

#[tokio::test]
async fn a_round_is_closed_when_it_is_due_and_the_next_one_gets_its_time() {
    let house = House::new();
    let game = house.create_as(new_game(&json!({ "round": "4s" }))).await;
    stay(&house, &game, 3).await.ok();
    until_sealed(&house, &game, 14).await;
    let events = log(&house, &game);
    let times = |event: &Event| match &event.body {
        Body::DeadlineSet(set) => Some((event.seq, event.by, event.at, set.due)),
        _ => None,
    };
    let set: Vec<_> = events.iter().filter_map(times).collect();
    assert_eq!((set[0].0, set[1].0, set[2].0), (1, 9, 17), "one with the game, one with each round");
    for (_, by, at, due) in &set {
        assert_eq!((*by, due.unwrap().as_millis()), (By::Service, at.as_millis() + 4_000));
    }
    let submitted: Vec<_> = events[2..9].iter().map(|event| (event.by, event.at >= set[0].3.unwrap())).collect();
    assert_eq!(submitted[0], (By::Seat(3), false));
    let closed: Vec<_> = [1, 2, 4, 5, 6, 7].map(|number| (By::Seat(number), true)).into();
    assert_eq!(submitted[1..], closed, "nothing is submitted before the time is up");
    assert!(events[2..9].iter().all(|event| event.who.is_none()), "the service did that by itself");
}

#[tokio::test]
async fn nothing_is_taken_before_the_first_round_opens() {
    let house = House::new();
    let game = house.create_as(new_game(&json!({ "before": "24h", "round": "24h" }))).await;
    let early = stay(&house, &game, 1).await;
    assert_eq!(early.code(), "OUT_OF_TIME");
    let opens = deadline(&house, &game).await["opens"].as_str().unwrap().to_owned();
    let message = early.errors[0]["message"].as_str().unwrap();
    assert_eq!(message, format!("this round opens at {opens}: nothing is taken before"));
    assert_eq!(count(&house, &game, "sealed"), 0);
    let queries = "mutation($g: ID!) { actAll(game: $g, actions: [{ seat: 1, action: \"-\" }]) { ply } }";
    assert_eq!(house.ask(&Caller::ADMIN, queries, json!({ "g": game })).await.code(), "OUT_OF_TIME");
}

/// What everybody and what seat 1 may see.
async fn seen(house: &House, game: &str) -> [Value; 2] {
    let query = "query($g: ID!) { game(id: $g) { setup position { position text scene } moves { nodes { action } } } }";
    let ask = async |who: &Caller| house.ask(who, query, json!({ "g": game })).await.ok()["game"].clone();
    [ask(&Caller::SPECTATOR).await, ask(&seat(game, 1)).await]
}

#[tokio::test]
async fn places_are_drawn_and_told_as_the_first_round_opens() {
    let house = House::new();
    let mut input = new_game(&json!({ "before": "3s", "round": "24h" }));
    input["setup"].as_object_mut().unwrap().remove("drawLate");
    let game = house.create_as(input).await;
    let opens = deadline(&house, &game).await["due"].as_str().unwrap().to_owned();
    for found in seen(&house, &game).await {
        assert_eq!((&found["position"]["position"]["board"], &found["setup"]["starts"]), (&json!({}), &Value::Null));
        let own = &found["position"]["position"]["own"];
        assert!(own.is_null() || own["cell"].is_null(), "{own}");
    }
    let entropy = "mutation($g: ID!) { addEntropy(game: $g, seat: 1, entropy: \"0000000000000000000000000000000000000000000000000000000000000001\") { ply } }";
    house.ask(&seat(&game, 1), entropy, json!({ "g": game })).await.ok();
    let roll = "mutation($g: ID!) { roll(game: $g) { ply } }";
    for early in [house.ask(&Caller::ADMIN, roll, json!({ "g": game })).await, stay(&house, &game, 1).await] {
        assert_eq!(early.code(), "OUT_OF_TIME");
        assert!(early.says().contains(&format!("this round opens at {opens}")), "{}", early.says());
    }
    until_sealed(&house, &game, 1).await;
    let [public, own] = seen(&house, &game).await;
    let cell = own["position"]["position"]["own"]["cell"].as_str().unwrap();
    let labels = public["position"]["position"]["labels"].as_object().unwrap();
    assert!(labels.len() == 7 && labels.values().any(|label| *label == cell), "{labels:?}");
    let places = public["moves"]["nodes"][0]["action"].as_str().unwrap();
    assert!(places.starts_with("places:") && places.matches("=?").count() == 7, "{places}");
    assert!(own["moves"]["nodes"][0]["action"].as_str().unwrap().contains(&format!("{cell}=1")));
    // Round 1 has its time, and the end proves the draw.
    assert!(deadline(&house, &game).await["due"].as_str().unwrap() > opens.as_str());
    let events = log(&house, &game);
    let drawn = events.iter().find(|event| event.body.is_fair()).unwrap();
    assert!(drawn.by == By::Chance && matches!(drawn.body, Body::Sealed(_)) && drawn.at.to_string() >= opens);
    let end =
        "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"r\" }) { verification { valid } } }";
    assert_eq!(house.get(end, json!({ "g": game })).await["adjudicate"]["verification"]["valid"], true);
}

#[tokio::test]
async fn the_arbiter_moves_and_lifts_a_deadline() {
    let house = House::new();
    let game = house.create_as(new_game(&json!({ "round": "24h" }))).await;
    let arbiter = caller(Role::Arbiter);
    let set = async |due: Value| house.ask(&arbiter, SET, json!({ "g": game, "d": due })).await;
    let moved = set(json!("2100-01-01T00:00:00+01:00")).await.ok();
    assert_eq!(moved["setDeadline"]["deadline"], json!({ "opens": null, "due": "2099-12-31T23:00:00.000Z" }));
    assert_eq!(deadline(&house, &game).await["due"], "2099-12-31T23:00:00.000Z");
    let past = set(json!("2020-01-01T00:00:00Z")).await;
    assert_eq!(past.code(), "BAD_INPUT");
    assert!(past.errors[0]["message"].as_str().unwrap().contains("is over already; give a later time"));
    set(Value::Null).await.ok();
    assert_eq!(deadline(&house, &game).await, Value::Null);
    for number in 1..=7 {
        stay(&house, &game, number).await.ok();
    }
    assert!(deadline(&house, &game).await["due"].is_string(), "the next round has the time that the setup gives it");
    assert_eq!(house.ask(&caller(Role::Recorder), SET, json!({ "g": game, "d": null })).await.code(), "FORBIDDEN");
}

#[tokio::test]
async fn a_game_without_a_timetable_gets_a_deadline_for_one_round() {
    let house = House::new();
    let game = house.create_as(json!({ "kind": "triforce-building", "seats": vec![json!({}); 13] })).await;
    assert_eq!(deadline(&house, &game).await, Value::Null);
    house.ask(&caller(Role::Arbiter), SET, json!({ "g": game, "d": "2100-01-01T00:00:00Z" })).await.ok();
    house.get("mutation($g: ID!) { closeRound(game: $g) { ply } }", json!({ "g": game })).await;
    assert_eq!(deadline(&house, &game).await, Value::Null);
    assert!(matches!(&log(&house, &game).last().unwrap().body, Body::DeadlineSet(set) if set.due.is_none()));
    let thrones = house.create("thrones").await;
    let refused = house.ask(&caller(Role::Arbiter), SET, json!({ "g": thrones, "d": "2100-01-01T00:00:00Z" })).await;
    assert!(refused.errors[0]["message"].as_str().unwrap().contains("it has no deadlines"));
}

#[tokio::test]
async fn a_takeback_gives_the_round_its_whole_time_and_an_ended_game_has_none() {
    let house = House::new();
    let game = house.create_as(new_game(&json!({ "before": "1s", "round": "24h" }))).await;
    let opens = deadline(&house, &game).await["opens"].clone();
    assert!(opens.is_string());
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    stay(&house, &game, 1).await.ok();
    house.get("mutation($g: ID!) { takeBack(game: $g, toPly: 0, reason: \"r\") { ply } }", json!({ "g": game })).await;
    let again = deadline(&house, &game).await;
    assert!(again["opens"].is_null() && again["due"].is_string(), "the time before the game passes once");
    let end = "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"r\" }) { deadline { due } } }";
    assert_eq!(house.get(end, json!({ "g": game })).await["adjudicate"]["deadline"], Value::Null);
    house.get("mutation($g: ID!) { reopenGame(game: $g, reason: \"r\") { ply } }", json!({ "g": game })).await;
    assert!(deadline(&house, &game).await["due"].is_string());
}

#[tokio::test]
async fn rounds_that_were_due_while_the_service_was_down_are_closed_once_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let game = {
        let house = House::over(store::open(folder.path()).unwrap());
        let game = house.create_as(new_game(&json!({ "round": "6s" }))).await;
        stay(&house, &game, 2).await.ok();
        assert_eq!(count(&house, &game, "sealed"), 1);
        house.service.close();
        game
    };
    tokio::time::sleep(Duration::from_millis(6_500)).await;
    let house = House::over(store::open(folder.path()).unwrap());
    until_sealed(&house, &game, 7).await;
    let round = &log(&house, &game)[2..10];
    assert_eq!(round.iter().filter(|event| event.body.type_name() == "sealed").count(), 7);
    assert_eq!(round[7].body.type_name(), "deadline_set");
    assert!(deadline(&house, &game).await["due"].is_string());
}

#[tokio::test]
async fn a_setup_whose_first_round_is_over_is_refused() {
    let house = House::new();
    let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let refused = async |deadlines: Value| {
        let answer = house.ask(&Caller::ADMIN, create, json!({ "i": new_game(&deadlines) })).await;
        assert_eq!(answer.code(), "BAD_SETUP");
        answer.errors[0]["message"].as_str().unwrap().to_owned()
    };
    assert!(refused(json!(["2020-01-01T00:00:00Z"])).await.contains("the first round would be over already"));
    assert!(refused(json!({ "round": "soon" })).await.contains("\"90m\""));
    // What was played already, and is only recorded, waits for nobody.
    let mut open = new_game(&json!({ "before": "24h", "round": "24h" }));
    open["open"] = json!(true);
    let game = house.create_as(open).await;
    assert_eq!(deadline(&house, &game).await, Value::Null);
    house.act_all(&game, &[json!({ "seat": 1, "action": "-" })]).await.ok();
}
