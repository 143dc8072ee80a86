//! Evaluations of positions that belong to no game.

use std::time::{Duration, Instant};

use plybook_api::access::{Caller, Role, TableNumber};
use plybook_api::service::EVALUATIONS_MAX;
use plybook_events::{Actor, Hash, LogId};
use plybook_rules::{Viewer, kind};
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{Answer, Dice, House, caller, kinds, player, request, seat, seats_of, start, text};
use crate::tournament_roles::Stage;

const EVALUATE: &str = "query($k: String!, $s: JSON, $a: [String!]!, $x: JSON, $p: Int, $n: Int) {
    evaluate(kind: $k, setup: $s, actions: $a, position: $x, playouts: $p, seat: $n) {
        chances draw seat best line playouts engine proof { winner plies }
        actions(first: 200) { action chances draw playouts line } } }";

/// Few playouts: these tests are of the service.
const PLAYOUTS: u32 = 40;

async fn evaluate(house: &House, who: &Caller, variables: Value) -> Answer {
    house.ask(who, EVALUATE, variables).await
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn sum_of(part: &Value) -> f64 {
    part["chances"].as_array().unwrap().iter().map(number).sum::<f64>() + number(&part["draw"])
}

#[tokio::test]
async fn a_position_is_worth_the_same_in_a_game_and_in_none() {
    let house = House::new();
    for rules in kinds() {
        let name = rules.about().kind;
        let seats: Vec<Value> = (0..seats_of(name)).map(|_| json!({})).collect();
        let game = house.create_as(json!({ "kind": name, "seats": seats, "open": true })).await;
        house.play_on(&game, 14, &mut Dice(3)).await;
        let replay = house.service.game(game.parse().unwrap()).unwrap().replay();
        let query = "mutation($g: ID!, $p: Int) { analyze(game: $g, playouts: $p) { state } }";
        house.get(query, json!({ "g": game, "p": PLAYOUTS })).await;
        let analysis = loop {
            let query = "query($g: ID!) { game(id: $g) { setup analysis { state plies { chances draw best line } } } }";
            let found = house.get(query, json!({ "g": game })).await["game"].clone();
            if found["analysis"]["state"] == "DONE" {
                break found;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let plies = analysis["analysis"]["plies"].as_array().unwrap();
        for (ply, analysed) in plies.iter().enumerate() {
            let position = replay.position_at(ply).unwrap();
            let asked = json!({ "k": name, "s": analysis["setup"], "a": [], "x": position.to_json(Viewer::All), "p": PLAYOUTS });
            let found = evaluate(&house, &Caller::ADMIN, asked).await.ok()["evaluate"].clone();
            assert!((sum_of(&found) - 1.0).abs() < 1e-3, "{name}, ply {ply}: {found}");
            let to_act = position.to_act();
            if to_act.len() == 1 {
                for member in ["chances", "draw", "best", "line"] {
                    assert_eq!(found[member], analysed[member], "{name}, ply {ply}: {member}");
                }
            }
            let actions = found["actions"].as_array().unwrap();
            let Some(Actor::Seat(first)) = to_act.iter().find(|actor| *actor != Actor::Chance) else {
                assert_eq!((&found["best"], &found["seat"], actions.len()), (&json!(null), &json!(null), 0), "{name}");
                continue;
            };
            assert_eq!((&found["seat"], &found["line"][0]), (&json!(first), &found["best"]), "{name}, ply {ply}");
            assert_eq!(actions[0]["action"], found["best"], "{name}, ply {ply}");
            for action in actions {
                position.judge(Actor::Seat(first), action["action"].as_str().unwrap()).unwrap();
                assert!((sum_of(action) - 1.0).abs() < 1e-3, "{name}, ply {ply}: {action}");
                assert_eq!(action["line"][0], action["action"], "{name}, ply {ply}");
            }
            let through: u64 = actions.iter().map(|action| action["playouts"].as_u64().unwrap()).sum();
            let all = found["playouts"].as_u64().unwrap();
            assert!(through <= all && all <= PLAYOUTS.into(), "{name}, ply {ply}: {through} of {all}");
        }
    }
}

#[tokio::test]
async fn a_finished_position_is_worth_its_result() {
    let house = House::new();
    for rules in kinds() {
        let name = rules.about().kind;
        let (mut position, mut dice) = (start(rules), Dice(4));
        let mut words = Vec::new();
        while let Some(actor) = position.to_act().iter().next().filter(|_| words.len() < 3_000) {
            let action = position.sample(actor, &mut |n| dice.below(n));
            words.push(if position.to_act().len() == 1 {
                action.clone()
            } else {
                format!("{}:{action}", seat_of(actor))
            });
            position.act(actor, &action).unwrap();
        }
        let Some(outcome) = position.outcome() else { continue };
        let setup = rules.complete(&json!({}), &mut |_| 0).unwrap();
        let found = evaluate(&house, &Caller::ADMIN, json!({ "k": name, "s": setup, "a": words })).await.ok();
        let found = &found["evaluate"];
        let share = |seat: u8| if outcome.winners.contains(&seat) { 1.0 / outcome.winners.len() as f64 } else { 0.0 };
        for (seat, chance) in (1..).zip(found["chances"].as_array().unwrap()) {
            assert!((number(chance) - share(seat)).abs() < 1e-3, "{name}: {found}");
        }
        assert_eq!(number(&found["draw"]), if outcome.winners.is_empty() { 1.0 } else { 0.0 }, "{name}");
        let winner = (outcome.winners.len() == 1).then(|| outcome.winners[0]);
        assert_eq!(found["proof"], json!({ "winner": winner, "plies": 0 }), "{name}");
        assert_eq!((&found["best"], &found["playouts"]), (&json!(null), &json!(0)), "{name}");
    }
}

fn seat_of(actor: Actor) -> u8 {
    match actor {
        Actor::Seat(seat) => seat,
        Actor::Chance => panic!("chance acts alone"),
    }
}

#[tokio::test]
async fn what_cannot_be_evaluated_is_refused_as_by_fold() {
    let house = House::new();
    for (variables, code) in [
        (json!({ "k": "chess", "a": [] }), "BAD_INPUT"),
        (json!({ "k": "triangulate", "a": ["b1-b2", "zz"] }), "ILLEGAL_ACTION"),
        (json!({ "k": "triangulate", "a": [], "s": { "x": 1 } }), "BAD_SETUP"),
        (json!({ "k": "triangulate", "a": [], "x": {} }), "BAD_SETUP"),
    ] {
        let fold = "query($k: String!, $s: JSON, $a: [String!]!, $x: JSON) {
            fold(kind: $k, setup: $s, actions: $a, position: $x) { ply } }";
        let (told, folded) = (
            evaluate(&house, &Caller::ADMIN, variables.clone()).await,
            house.ask(&Caller::ADMIN, fold, variables).await,
        );
        assert_eq!((told.code().as_str(), told.says()), (code, folded.says()));
    }
    let refused = async |more: Value| {
        let mut variables = json!({ "k": "triangulate", "a": [] });
        variables.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let told = evaluate(&house, &Caller::ADMIN, variables).await;
        assert_eq!(told.code(), "BAD_INPUT", "{told:?}");
        told.says()
    };
    for playouts in [0, 20_001] {
        assert!(refused(json!({ "p": playouts })).await.contains("a number from 1 to 20000"));
    }
    assert!(refused(json!({ "n": 2 })).await.contains("seat:2 is not to act; to act: seat:1"));
    let many = "{ evaluate(kind: \"triangulate\", actions: [], playouts: 1) { actions(first: 201) { action } } }";
    assert_eq!(house.ask(&Caller::ADMIN, many, json!({})).await.code(), "BAD_INPUT");
    house.service.set_analysis_workers(0);
    assert!(refused(json!({})).await.contains("plybook analyse"));
}

#[tokio::test]
async fn each_of_several_seats_that_act_has_its_own_best_action() {
    let house = House::new();
    let asked = |seat: Option<u8>| json!({ "k": "thrones", "a": [], "p": PLAYOUTS, "n": seat });
    let mut found = Vec::new();
    for seat in [None, Some(1), Some(2)] {
        let told = evaluate(&house, &Caller::ADMIN, asked(seat)).await.ok()["evaluate"].clone();
        kind("thrones")
            .unwrap()
            .start(&json!({}))
            .unwrap()
            .judge(Actor::Seat(seat.unwrap_or(1)), told["best"].as_str().unwrap())
            .unwrap();
        found.push(told);
    }
    assert_eq!(found[0], found[1], "the first, unless another is named");
    assert_ne!(found[1]["best"], found[2]["best"]);
}

/// Whoever plays in a running tournament game is told nothing of any position: it could be the one on the board.
#[tokio::test]
async fn who_sits_in_a_running_tournament_game_is_refused() {
    let house = House::new();
    let hall = Hall::at(&house, Stage::Open).await;
    let other = Hall::at(&house, Stage::Planned).await;
    let game = hall.games(1).await[0].0.clone();
    let seats = house.get("query($g: ID!) { game(id: $g) { seats { player { id } } } }", json!({ "g": game })).await;
    let (seated, ada) = (text(&seats["game"]["seats"][0]["player"]["id"]), house.player("Ada").await);
    let casual =
        house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": seated }, { "player": ada }] })).await;
    let organiser = Caller { tournament: Some(other.id.parse().unwrap()), ..caller(Role::Organiser) };
    let table = Caller {
        role: Role::Table,
        tournament: Some(hall.id.parse().unwrap()),
        table: Some(TableNumber { round: 1, table: 1 }),
        ..Caller::SPECTATOR
    };
    let of_game = |game: &str| Caller { game: Some(game.parse::<LogId>().unwrap()), ..caller(Role::Recorder) };
    let asked = json!({ "k": "tri", "a": [], "p": 1 });
    let check = async |who: &Caller, code: &str| {
        let told = evaluate(&house, who, asked.clone()).await;
        assert_eq!(told.code(), code, "{who:?}: {told:?}");
        told
    };
    check(&Caller::SPECTATOR, "UNAUTHENTICATED").await;
    assert!(check(&player(&seated), "FORBIDDEN").await.says().contains("you sit in a running tournament game"));
    check(&seat(&game, 1), "FORBIDDEN").await;
    check(&of_game(&game), "FORBIDDEN").await;
    check(&table, "FORBIDDEN").await;
    assert!(
        check(&seat(&casual, 1), "FORBIDDEN").await.says().contains("you sit in"),
        "another token of the same person"
    );
    for who in [
        &player(&ada),
        &seat(&casual, 2),
        &of_game(&casual),
        &caller(Role::Recorder),
        &organiser,
        &caller(Role::Arbiter),
    ] {
        check(who, "OK").await;
    }
    // Two entries in the list of players can be one person.
    let merge = "mutation($a: ID!, $s: ID!) { mergePlayers(from: $a, into: $s) { id } }";
    let twin = house.player("Ada's twin").await;
    house.get(merge, json!({ "a": twin, "s": seated })).await;
    check(&player(&twin), "FORBIDDEN").await;
    hall.play(1).await;
    for who in [&player(&seated), &player(&twin), &seat(&game, 1), &of_game(&game), &seat(&casual, 1)] {
        check(who, "OK").await;
    }
}

fn client(number: u64) -> Caller {
    Caller { token: Some(Hash::of_event(&number.to_be_bytes())), ..caller(Role::Recorder) }
}

/// The dearest question of the slowest kind: it takes seconds.
fn dear() -> Value {
    json!({ "k": "thrones", "a": [], "p": 20_000 })
}

#[tokio::test]
async fn every_client_has_one_evaluation_at_a_time_and_few_clients_have_one() {
    let house = House::new();
    let ask = |who: &Caller| {
        let (schema, request) = (house.schema.clone(), request(who, EVALUATE, dear()));
        tokio::spawn(async move { Answer::of(&schema.execute(request).await) })
    };
    let mut under_way = Vec::new();
    for number in 0..EVALUATIONS_MAX as u64 {
        under_way.push(ask(&client(number)));
        tokio::task::yield_now().await;
    }
    let cheap = json!({ "k": "triangulate", "a": [], "p": 1 });
    let late = evaluate(&house, &client(99), cheap.clone()).await;
    assert_eq!((late.code().as_str(), late.says().contains("too many positions")), ("RATE_LIMITED", true), "{late:?}");
    assert_eq!(late.errors[0]["extensions"]["retryAfterMs"], 1_000);
    // Whoever asks again is not refused: what they asked for before is stopped, also if it had not begun.
    let (second, newest) = (ask(&client(0)), client(0));
    tokio::task::yield_now().await;
    evaluate(&house, &newest, cheap.clone()).await.ok();
    for older in [under_way.remove(0), second] {
        let told = older.await.unwrap();
        assert_eq!((told.code().as_str(), told.says().contains("stopped")), ("RATE_LIMITED", true), "{told:?}");
    }
    // Whoever hangs up makes room.
    under_way.iter().for_each(tokio::task::JoinHandle::abort);
    for older in under_way {
        assert!(older.await.unwrap_err().is_cancelled(), "it was under way");
    }
    for number in 100..100 + EVALUATIONS_MAX as u64 {
        let until = Instant::now() + Duration::from_secs(60);
        while evaluate(&house, &client(number), cheap.clone()).await.code() != "OK" {
            assert!(Instant::now() < until, "nothing was stopped");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
