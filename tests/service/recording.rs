//! What recorders do beside acting: taking back their own last entry, and links for a table and its seats.

use plybook_api::access::{Caller, Role};
use plybook_events::{Actor, Hash};
use plybook_rules::AnyPosition;
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, caller, text};

const ONE: &str = "0b7a0c0e-0000-4000-8000-000000000001";
const TWO: &str = "0b7a0c0e-0000-4000-8000-000000000002";

/// A recorder with a token of its own.
fn recorder(name: &str) -> Caller {
    Caller { token: Some(Hash::of_parts(&[name.as_bytes()])), ..caller(Role::Recorder) }
}

async fn act(house: &House, who: &Caller, game: &str, action: &str, key: &str) {
    let query = "mutation($g: ID!, $a: String!, $k: IdempotencyKey) {
        act(game: $g, action: $a, idempotencyKey: $k) { id } }";
    house.ask(who, query, json!({ "g": game, "a": action, "k": key })).await.ok();
}

async fn undo(house: &House, who: &Caller, game: &str, entry: &str) -> Answer {
    let query = "mutation($g: ID!, $e: IdempotencyKey!) { undo(game: $g, entry: $e) { ply status } }";
    house.ask(who, query, json!({ "g": game, "e": entry })).await
}

fn position(house: &House, game: &str) -> Box<dyn AnyPosition> {
    house.service.game(game.parse().unwrap()).unwrap().replay().position().boxed()
}

/// The first legal action.
async fn any_action(house: &House, game: &str) -> String {
    let query = "query($g: ID!) { game(id: $g) { position { legalActions } } }";
    text(&house.get(query, json!({ "g": game })).await["game"]["position"]["legalActions"][0])
}

#[tokio::test]
async fn the_last_entry_is_taken_back_by_whoever_made_it() {
    let house = House::new();
    let (ada, bela) = (recorder("Ada"), recorder("Bela"));
    let game = house.create("triangulate").await;
    act(&house, &ada, &game, &any_action(&house, &game).await, ONE).await;
    assert_eq!(undo(&house, &bela, &game, ONE).await.code(), "BAD_INPUT", "the key is Ada's");
    act(&house, &bela, &game, &any_action(&house, &game).await, TWO).await;
    assert_eq!(undo(&house, &ada, &game, ONE).await.code(), "BAD_INPUT", "somebody has gone on");
    assert_eq!(undo(&house, &bela, &game, TWO).await.ok()["undo"]["ply"], 1);
    assert_eq!(undo(&house, &bela, &game, TWO).await.code(), "BAD_INPUT", "it is taken back already");
    assert_eq!(undo(&house, &ada, &game, ONE).await.ok()["undo"]["ply"], 0);
    let events = "query($g: ID!) { game(id: $g) { events(first: 9) { nodes { type } } verification { valid } } }";
    let told = house.get(events, json!({ "g": game })).await;
    let types: Vec<&str> = told["game"]["events"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(types, ["created", "acted", "acted", "taken_back", "taken_back"], "nothing is erased");
    assert_eq!(told["game"]["verification"]["valid"], true);
}

#[tokio::test]
async fn the_key_of_a_comment_takes_nothing_back() {
    let house = House::new();
    let (ada, bela) = (recorder("Ada"), recorder("Bela"));
    let game = house.create("triangulate").await;
    act(&house, &ada, &game, &any_action(&house, &game).await, ONE).await;
    let comment = "mutation($g: ID!, $k: IdempotencyKey) { annotate(game: $g, ply: 1, comment: \"c\", idempotencyKey: $k) { id } }";
    house.ask(&bela, comment, json!({ "g": game, "k": TWO })).await.ok();
    let resign = "mutation($g: ID!) { resign(game: $g, seat: 1) { id } }";
    house.ask(&ada, resign, json!({ "g": game })).await.ok();
    assert_eq!(undo(&house, &bela, &game, TWO).await.code(), "BAD_INPUT");
}

#[tokio::test]
async fn secrets_and_rolls_are_not_taken_back() {
    let house = House::new();
    let ada = recorder("Ada");
    let game = house.create("thrones").await;
    assert_eq!(undo(&house, &ada, &game, ONE).await.code(), "FORBIDDEN");

    let game = house.create("triforce").await;
    let mut dice = Dice(3);
    while position(&house, &game).to_act().only() != Some(Actor::Chance) {
        house.play(&game, 1, &mut dice).await;
    }
    let roll = "mutation($g: ID!, $k: IdempotencyKey) { roll(game: $g, idempotencyKey: $k) { id } }";
    house.ask(&ada, roll, json!({ "g": game, "k": ONE })).await.ok();
    assert_eq!(undo(&house, &ada, &game, ONE).await.code(), "FORBIDDEN", "nobody rolls until it suits them");
}

#[tokio::test]
async fn an_entry_that_ended_the_game_is_taken_back() {
    let house = House::new();
    let ada = recorder("Ada");
    let game = house.create("triangulate").await;
    house.play_on(&game, 5_000, &mut Dice(1)).await;
    let before = position(&house, &game);
    let actor = before.to_act().only().unwrap();
    let ends = |action: &String| {
        let mut after = before.boxed();
        after.act(actor, action).unwrap();
        after.outcome().is_some()
    };
    let last = before.legal(actor).unwrap().into_iter().find(ends).unwrap();
    act(&house, &ada, &game, &last, ONE).await;
    let status = "query($g: ID!) { game(id: $g) { status ply } }";
    let over = house.get(status, json!({ "g": game })).await["game"].clone();
    assert_eq!(over["status"], "FINISHED");
    let back = undo(&house, &ada, &game, ONE).await.ok()["undo"].clone();
    assert_eq!(back, json!({ "ply": over["ply"].as_u64().unwrap() - 1, "status": "RUNNING" }));
}

#[tokio::test]
async fn links_are_for_the_table_and_for_each_seat() {
    let house = House::new();
    let issue =
        "mutation($g: ID!) { issueGameTokens(game: $g) { seat token qr(base: \"https://plybook.example\") { size } } }";
    let game = house.create("triangulate").await;
    let told = house.ask(&caller(Role::Recorder), issue, json!({ "g": game })).await.ok();
    let seats: Vec<&Value> = told["issueGameTokens"].as_array().unwrap().iter().map(|token| &token["seat"]).collect();
    assert_eq!(seats, [&Value::Null, &json!(1), &json!(2)]);
    // A seat's token shows that seat's secrets.
    let secret = house.create("thrones").await;
    assert_eq!(house.ask(&caller(Role::Recorder), issue, json!({ "g": secret })).await.code(), "FORBIDDEN");
    house.ask(&caller(Role::Arbiter), issue, json!({ "g": secret })).await.ok();
    house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": game })).await;
    let over = house.ask(&caller(Role::Recorder), issue, json!({ "g": game })).await;
    assert_eq!(over.code(), "BAD_INPUT");
    let many = house.create_as(json!({ "kind": "triforce-building", "seats": vec![json!({}); 13] })).await;
    let told = house.ask(&caller(Role::Arbiter), issue, json!({ "g": many })).await.ok();
    assert_eq!(told["issueGameTokens"].as_array().unwrap().len(), 14, "the most seats are not too dear");
}

#[tokio::test]
async fn what_recorders_decide_can_expect_the_last_event() {
    let house = House::new();
    let game = house.create("triangulate").await;
    for change in [
        "resign(game: $g, seat: 1, expectedSeq: 7)",
        "offerDraw(game: $g, seat: 1, expectedSeq: 7)",
        "answerDraw(game: $g, seat: 1, accept: true, expectedSeq: 7)",
        "flagFall(game: $g, seat: 1, expectedSeq: 7)",
        "annotate(game: $g, ply: 0, comment: \"c\", expectedSeq: 7)",
        "undo(game: $g, entry: \"a-key-nobody-used\", expectedSeq: 7)",
    ] {
        let query = format!("mutation($g: ID!) {{ {change} {{ id }} }}");
        assert_eq!(
            house.ask(&caller(Role::Recorder), &query, json!({ "g": game })).await.code(),
            "LOG_CONFLICT",
            "{change}"
        );
    }
    let offer = "mutation($g: ID!) { offerDraw(game: $g, seat: 1, expectedSeq: 0) { drawOfferedBy } }";
    assert_eq!(house.get(offer, json!({ "g": game })).await["offerDraw"]["drawOfferedBy"], 1);
}
