//! Mutations with a key are carried out once, however often they are sent.

use std::sync::Arc;

use plybook_api::access::{Caller, Role};
use plybook_events::{Event, Hash};
use plybook_tests::store;
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{Answer, House, caller, text};

const ONE: &str = "0b7a0c0e-0000-4000-8000-000000000001";

/// Sends `act` for seat 1 with a key.
async fn act(house: &House, who: &Caller, game: &str, action: &str, key: &str) -> Answer {
    let query = "mutation($g: ID!, $a: String!, $k: IdempotencyKey) {
        act(game: $g, seat: 1, action: $a, idempotencyKey: $k) { ply head { seq hash } moves(last: 1) { nodes { action } } } }";
    house.ask(who, query, json!({ "g": game, "a": action, "k": key })).await
}

/// Sends a mutation that has the variable `$k` in place of its key.
async fn send(house: &House, query: &str, mut variables: Value, key: &str) -> Value {
    variables["k"] = json!(key);
    house.get(query, variables).await
}

/// The events that carry the id of a request.
fn carriers(house: &House) -> Vec<Event> {
    let entries = house.service.log().entries(0, usize::MAX).unwrap();
    let events = entries.iter().map(|entry| Event::parse(&entry.bytes).unwrap());
    events.filter(|event| event.request.is_some()).collect()
}

#[tokio::test]
async fn the_same_key_writes_once_and_answers_the_same() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let action = first_action(&house, &game).await;
    let first = act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok();
    let head = house.head(&game).await;
    for _ in 0..3 {
        assert_eq!(act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok(), first);
    }
    let query = "mutation($g: ID!, $a: String!, $k: IdempotencyKey) {
        act(game: $g, seat: 1, action: $a, clockMs: null, idempotencyKey: $k) { ply } }";
    let again = send(&house, query, json!({ "g": game, "a": action }), ONE).await;
    assert_eq!(again["act"]["ply"], 1, "null is the same as nothing");
    assert_eq!(house.head(&game).await, head);
    let carriers: Vec<_> = carriers(&house).iter().map(|event| (event.log.to_string(), event.seq)).collect();
    assert_eq!(carriers, [(game, 1)]);
    assert_eq!(house.service.log().logs_len(), 1, "nothing else is written");
}

#[tokio::test]
async fn another_request_with_the_same_key_is_refused() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let action = first_action(&house, &game).await;
    act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok();
    let refused = act(&house, &Caller::ADMIN, &game, "b1-b2", ONE).await;
    assert_eq!(refused.code(), "BAD_INPUT");
    assert!(refused.says().contains("`idempotencyKey`"), "{}", refused.says());
    let query = "mutation($g: ID!, $k: IdempotencyKey) { resign(game: $g, seat: 1, idempotencyKey: $k) { ply } }";
    assert_eq!(house.ask(&Caller::ADMIN, query, json!({ "g": game, "k": ONE })).await.code(), "BAD_INPUT");
    assert_eq!(house.head(&game).await, 1);
}

#[tokio::test]
async fn a_refused_request_can_be_sent_again_with_its_key() {
    let house = House::new();
    let game = house.create("triangulate").await;
    assert_eq!(act(&house, &Caller::ADMIN, &game, "a1-a9", ONE).await.code(), "ILLEGAL_ACTION");
    let action = first_action(&house, &game).await;
    act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok();
    assert_eq!(house.head(&game).await, 1);
}

#[tokio::test]
async fn keys_belong_to_a_token() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let action = first_action(&house, &game).await;
    let holder = |n: u8| Caller { token: Some(Hash::of_event(&[n])), ..caller(Role::Recorder) };
    act(&house, &holder(1), &game, &action, ONE).await.ok();
    act(&house, &holder(1), &game, &action, ONE).await.ok();
    // The same key from another token is a separate request, and it is no longer seat 1's turn.
    assert_eq!(act(&house, &holder(2), &game, &action, ONE).await.code(), "NOT_YOUR_TURN");
}

#[tokio::test]
async fn an_invalid_key_is_refused_with_a_hint() {
    let house = House::new();
    let game = house.create("triangulate").await;
    for key in ["", "short", "0123456789 abcdef", "0123456789abcdéf", &"x".repeat(129)] {
        let refused = act(&house, &Caller::ADMIN, &game, "a1-a2", key).await;
        assert!(refused.says().contains("16 to 128"), "{key}: {}", refused.says());
    }
    assert_eq!(house.head(&game).await, 0);
}

#[tokio::test]
async fn a_secret_submission_that_is_sent_twice_does_not_count_for_the_next_round() {
    let house = House::new();
    let game = house.create("triforce-building").await;
    let query = "mutation($g: ID!, $s: Int!, $a: String!, $k: IdempotencyKey) {
        act(game: $g, seat: $s, action: $a, idempotencyKey: $k) { ply } }";
    let mut submissions = Vec::new();
    loop {
        let live = house.service.game(game.parse().unwrap()).unwrap().replay();
        let Some(actor) = live.position().to_act().iter().next().filter(|_| live.mainline().len() < 7) else { break };
        let action = live.position().sample(actor, &mut |_| 0);
        let seat = actor.to_string().trim_start_matches("seat:").parse::<u8>().unwrap();
        let key = format!("submission-{:06}", live.mainline().len());
        let variables = json!({ "g": game, "s": seat, "a": action });
        send(&house, query, variables.clone(), &key).await;
        submissions.push((variables, key));
    }
    let head = house.head(&game).await;
    for (variables, key) in submissions {
        send(&house, query, variables, &key).await;
    }
    assert_eq!(house.head(&game).await, head);
}

#[tokio::test]
async fn creations_happen_once() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let seats = json!([{ "name": "Ann" }, { "name": "Ben" }]);
    let text_record = house.get("query($g: ID!) { game(id: $g) { record(format: TEXT) } }", json!({ "g": game })).await
        ["game"]["record"]
        .clone();
    let mutations = [
        (
            "mutation($i: CreateGame!, $k: IdempotencyKey) { it: createGame(input: $i, idempotencyKey: $k) { id } }",
            json!({ "i": { "kind": "triangulate", "seats": seats } }),
        ),
        (
            "mutation($k: IdempotencyKey) { it: createPlayer(input: { name: \"Cleo\" }, idempotencyKey: $k) { id } }",
            json!({}),
        ),
        (
            "mutation($i: CreateTournament!, $k: IdempotencyKey) {
                it: createTournament(input: $i, idempotencyKey: $k) { id } }",
            json!({ "i": { "name": "Open", "kind": "triangulate", "format": "SWISS", "rounds": 3 } }),
        ),
        (
            "mutation($i: ImportTournament!, $k: IdempotencyKey) {
                it: importTournament(input: $i, idempotencyKey: $k) { id } }",
            json!({ "i": { "kind": "triangulate", "file": format!("012 Open\n001    1      {:<67}0.0    1", "Ada") } }),
        ),
        (
            "mutation($g: ID!, $k: IdempotencyKey) { it: fork(game: $g, ply: 0, idempotencyKey: $k) { id } }",
            json!({ "g": game }),
        ),
        (
            "mutation($r: String!, $k: IdempotencyKey) {
                it: importRecord(record: $r, format: TEXT, idempotencyKey: $k) { id } }",
            json!({ "r": text_record }),
        ),
    ];
    for (n, (query, variables)) in mutations.into_iter().enumerate() {
        let keys = [format!("creation-number-{n}"), format!("other-creation-{n}")];
        let made = text(&send(&house, query, variables.clone(), &keys[0]).await["it"]["id"]);
        let count = house.service.log().logs_len();
        assert_eq!(text(&send(&house, query, variables.clone(), &keys[0]).await["it"]["id"]), made, "{query}");
        assert_eq!(house.service.log().logs_len(), count, "{query}");
        assert_ne!(text(&send(&house, query, variables, &keys[1]).await["it"]["id"]), made, "{query}");
    }
}

#[tokio::test]
async fn a_tournament_is_run_with_every_request_sent_twice() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2000, 1900, 1800, 1700]).await;
    let mut number = 0;
    for field in [
        "addEntrants(tournament: $t, entrants: [{ name: \"Late\" }], idempotencyKey: $k) { id }",
        "withdraw(tournament: $t, entrant: 5, idempotencyKey: $k) { id }",
        "returnEntrant(tournament: $t, entrant: 5, idempotencyKey: $k) { id }",
        "announceAbsence(tournament: $t, entrant: 5, round: 1, kind: HALF, idempotencyKey: $k) { id }",
        "pairRound(tournament: $t, idempotencyKey: $k) { number status }",
        "openRound(tournament: $t, round: 1, idempotencyKey: $k) { number }",
        "enterResult(tournament: $t, round: 1, table: 1, ranking: [[1], [2]], idempotencyKey: $k) { number }",
        "clearResult(tournament: $t, round: 1, table: 1, idempotencyKey: $k) { number }",
        "forfeit(tournament: $t, round: 1, table: 1, seats: [1], idempotencyKey: $k) { number }",
        "clearResult(tournament: $t, round: 1, table: 1, idempotencyKey: $k) { number }",
        "openGame(tournament: $t, round: 1, table: 1, idempotencyKey: $k) { number }",
    ] {
        number += 1;
        let key = format!("tournament-key-{number:04}");
        let once = hall.change(field, "$k: IdempotencyKey", json!({ "k": key })).await.ok();
        let (head, logs) = (hall.head().await, house.service.log().logs_len());
        let twice = hall.change(field, "$k: IdempotencyKey", json!({ "k": key })).await.ok();
        assert_eq!(once, twice, "{field}");
        assert_eq!((hall.head().await, house.service.log().logs_len()), (head, logs), "{field}");
    }
}

#[tokio::test]
async fn a_game_of_a_tournament_is_created_once_and_answered_as_a_game() {
    let house = House::new();
    let hall = Hall::create(&house, json!({ "name": "List", "kind": "triangulate", "format": "FREE" })).await;
    let players = [house.player("Ann").await, house.player("Ben").await];
    hall.change("addEntrants(tournament: $t, players: $p) { id }", "$p: [ID!]", json!({ "p": players })).await.ok();
    let input = json!({ "kind": "triangulate", "tournament": hall.id, "round": 1, "table": 1,
        "seats": players.iter().map(|player| json!({ "player": player })).collect::<Vec<_>>() });
    let query =
        "mutation($i: CreateGame!, $k: IdempotencyKey) { createGame(input: $i, idempotencyKey: $k) { id round } }";
    let first = send(&house, query, json!({ "i": input }), ONE).await;
    assert_eq!(send(&house, query, json!({ "i": input }), ONE).await, first);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn simultaneous_equal_requests_are_carried_out_once_and_all_answered() {
    let house = Arc::new(House::new());
    let game = house.create("triangulate").await;
    let action = first_action(&house, &game).await;
    let mut running = Vec::new();
    for _ in 0..16 {
        let (house, game, action) = (Arc::clone(&house), game.clone(), action.clone());
        running.push(tokio::spawn(async move { act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok() }));
    }
    for answer in running {
        assert_eq!(answer.await.unwrap()["act"]["ply"], 1);
    }
    assert_eq!(house.head(&game).await, 1);
}

#[tokio::test]
async fn keys_survive_a_restart_and_the_loss_of_the_index() {
    let dir = tempfile::tempdir().unwrap();
    let (game, action) = {
        let house = House::over(store::open(dir.path()).unwrap());
        let game = house.create("triangulate").await;
        let action = first_action(&house, &game).await;
        act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok();
        house.service.close();
        (game, action)
    };
    for is_lost in [false, true] {
        if is_lost {
            std::fs::remove_dir_all(dir.path().join("sled")).unwrap();
        }
        let house = House::over(store::open(dir.path()).unwrap());
        act(&house, &Caller::ADMIN, &game, &action, ONE).await.ok();
        assert_eq!(house.head(&game).await, 1);
        let found = house.service.verification(game.parse().unwrap(), &plybook_api::load::Meter::unlimited()).unwrap();
        assert!(found.fault.is_none(), "{found:?}");
        house.service.close();
    }
}

/// A game that ends tells its tournament the hash of its last event, which carries the request.
#[tokio::test]
async fn the_end_of_a_game_of_a_tournament_is_recorded_with_a_key() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 1, &[2000, 1900]).await;
    hall.pair_and_open(1).await;
    let game = hall.games(1).await.remove(0).0;
    let query = "mutation($g: ID!, $k: IdempotencyKey) { resign(game: $g, seat: 1, idempotencyKey: $k) { status } }";
    for _ in 0..2 {
        let told = send(&house, query, json!({ "g": game }), ONE).await;
        assert_eq!(told["resign"]["status"], "FINISHED");
    }
    assert_eq!(carriers(&house).len(), 1);
    for log in house.service.log().logs_after(None, usize::MAX).unwrap() {
        let found = house.service.verification(log, &plybook_api::load::Meter::unlimited()).unwrap();
        assert!(found.fault.is_none(), "{log}: {found:?}");
    }
}

/// What is imported keeps its bytes: the key is in the mark.
#[tokio::test]
async fn an_import_with_a_key_is_answered_again() {
    let (there, house) = (House::new(), House::new());
    let game = there.create("triangulate").await;
    let action = first_action(&there, &game).await;
    act(&there, &Caller::ADMIN, &game, &action, ONE).await.ok();
    let record = there.get("query($g: ID!) { game(id: $g) { record(format: JSON) } }", json!({ "g": game })).await;
    let import = "mutation($r: String!, $k: IdempotencyKey) {
        importRecord(record: $r, format: JSON, idempotencyKey: $k) { id ply } }";
    let key = "an-import-with-a-key";
    let variables = json!({ "r": record["game"]["record"] });
    let first = send(&house, import, variables.clone(), key).await;
    assert_eq!(first["importRecord"], json!({ "id": game, "ply": 1 }));
    assert_eq!(send(&house, import, variables, key).await, first);
    assert_eq!(house.service.log().len(), 3, "the mark, and two events");
    let refused = house.ask(&Caller::ADMIN, import, json!({ "r": "{}", "k": key })).await;
    assert_eq!(refused.code(), "BAD_INPUT");
    assert!(refused.says().contains("`idempotencyKey`"), "{}", refused.says());
}

#[tokio::test]
async fn every_mutation_that_records_takes_a_key() {
    // These can be repeated safely: docs/errors.md says so.
    const WITHOUT: [&str; 7] = [
        "analyze",
        "importPlayers",
        "cancelPairing",
        "issueGameTokens",
        "issueTableTokens",
        "createToken",
        "revokeToken",
    ];
    let house = House::new();
    let query = "{ __schema { mutationType { fields { name args { name type { name } } } } } }";
    let fields = house.get(query, json!({})).await["__schema"]["mutationType"]["fields"].clone();
    for field in fields.as_array().unwrap() {
        let takes = field["args"].as_array().unwrap().iter().any(|arg| arg["type"]["name"] == "IdempotencyKey");
        assert_eq!(takes, !WITHOUT.contains(&field["name"].as_str().unwrap()), "{}", field["name"]);
    }
}

/// The first legal action of seat 1.
async fn first_action(house: &House, game: &str) -> String {
    let query = "query($g: ID!) { game(id: $g) { position { legalActions } } }";
    text(&house.get(query, json!({ "g": game })).await["game"]["position"]["legalActions"][0])
}
