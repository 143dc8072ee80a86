//! Requests that go wrong, and mistakes that people make: what was done is told, and can be undone.

use plybook_api::access::{Caller, Role};
use plybook_events::Hash;
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{Answer, Dice, House, act_input, caller, text};

const KEY: &str = "0b7a0c0e-0000-4000-8000-000000000001";

/// Sends a mutation of the game `$g`.
async fn send(house: &House, who: &Caller, game: &str, field: &str) -> Answer {
    house.ask(who, &format!("mutation($g: ID!) {{ {field} }}"), json!({ "g": game })).await
}

/// A recorder with a token of its own.
fn recorder(number: u8) -> Caller {
    Caller { token: Some(Hash::of_event(&[number])), ..caller(Role::Recorder) }
}

#[tokio::test]
async fn a_request_stops_at_its_first_mutation_that_fails_and_tells_what_was_done() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let fields = "one: act(game: $g, action: \"b1-b2\") { ply } two: act(game: $g, action: \"z9-z9\") { ply }
        three: annotate(game: $g, ply: 1, comment: \"c\") { ply } four: resign(game: $g, seat: 2) { status }";
    let answer = send(&house, &Caller::ADMIN, &game, fields).await;
    assert_eq!(answer.data["one"], json!({ "ply": 1 }));
    let told = answer.errors.iter().map(|error| (text(&error["path"][0]), text(&error["extensions"]["code"])));
    let told: Vec<(String, String)> = told.collect();
    let expected = [("two", "ILLEGAL_ACTION"), ("three", "NOT_REACHED"), ("four", "NOT_REACHED")];
    assert_eq!(told, expected.map(|(path, code)| (path.to_owned(), code.to_owned())));
    assert_eq!(house.head(&game).await, 1);
}

#[tokio::test]
async fn one_bad_item_does_not_erase_the_answer() {
    let house = House::new();
    let game = house.create("triangulate").await;
    for bad in ["position(ply: 1) { ply }", "position(viewer: \"9\") { ply }", "positions(from: 1) { ply }"] {
        let query = format!("query($g: ID!) {{ game(id: $g) {{ good: position(ply: 0) {{ ply }} {bad} }} }}");
        let answer = house.ask(&Caller::SPECTATOR, &query, json!({ "g": game })).await;
        assert_eq!((answer.code().as_str(), &answer.data["game"]["good"]["ply"]), ("BAD_INPUT", &json!(0)), "{bad}");
    }
}

#[tokio::test]
async fn seats_that_decide_at_once_expect_the_same_ply_and_none_is_in_another_s_way() {
    let house = House::new();
    let game = house.create("triforce-building").await;
    let query = "mutation($g: ID!, $s: Int!, $a: String!, $p: Int!) {
        act(game: $g, seat: $s, action: $a, expectedPly: $p) { ply } }";
    let replay = || house.service.game(game.parse().unwrap()).unwrap().replay();
    let start = replay();
    let seats: Vec<_> = start.position().to_act().iter().collect();
    assert!(seats.len() > 6, "many seats act at once");
    for actor in &seats {
        let action = start.position().sample(*actor, &mut |_| 0);
        let act = act_input(*actor, &action);
        let variables = json!({ "g": game, "s": act["seat"], "a": action, "p": 0 });
        house.get(query, variables.clone()).await;
        // Sent again, it is refused: the seat has acted.
        let again = house.ask(&Caller::ADMIN, query, variables).await;
        assert_eq!(again.code(), "LOG_CONFLICT", "{actor}");
    }
    // All have acted, and each may act in the next round, which nobody has seen who expects ply 0.
    let (now, first) = (replay(), seats[0]);
    assert!(now.position().to_act().contains(first), "the next round has begun");
    let action = now.position().sample(first, &mut |_| 0);
    let seat = act_input(first, &action)["seat"].clone();
    let late = house.ask(&Caller::ADMIN, query, json!({ "g": game, "s": seat, "a": action, "p": 0 })).await;
    let more = &late.errors[0]["extensions"];
    assert_eq!((late.code().as_str(), &more["ply"]), ("LOG_CONFLICT", &json!(seats.len())));
    let ply = seats.len();
    house.get(query, json!({ "g": game, "s": seat, "a": action, "p": ply })).await;
}

#[tokio::test]
async fn the_expected_ply_is_compared_before_anything_is_judged_and_comments_do_not_matter() {
    let house = House::new();
    let game = house.create("triangulate").await;
    send(&house, &Caller::ADMIN, &game, "annotate(game: $g, ply: 0, comment: \"c\") { ply }").await.ok();
    let act = |ply: u32, action: &str| format!("act(game: $g, action: \"{action}\", expectedPly: {ply}) {{ ply }}");
    for ply in [1, 4_000_000_000] {
        assert_eq!(send(&house, &Caller::ADMIN, &game, &act(ply, "nonsense")).await.code(), "LOG_CONFLICT");
    }
    send(&house, &Caller::ADMIN, &game, &act(0, "b1-b2")).await.ok();
    assert_eq!(send(&house, &Caller::ADMIN, &game, &act(0, "b1-b2")).await.code(), "LOG_CONFLICT");
    let dice = house.create("triforce").await;
    let roll = "roll(game: $g, expectedPly: 7) { ply }";
    assert_eq!(send(&house, &Caller::ADMIN, &dice, roll).await.code(), "LOG_CONFLICT");
}

#[tokio::test]
async fn a_recorder_takes_back_its_own_last_action_and_nothing_else() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let act =
        |action: &str, key: &str| format!("act(game: $g, action: \"{action}\", idempotencyKey: \"{key}\") {{ ply }}");
    let back = |ply: u32, key: &str| {
        format!("takeBack(game: $g, toPly: {ply}, reason: \"slip\", recordedWith: \"{key}\") {{ ply }}")
    };
    let (own, other) = (recorder(1), recorder(2));
    send(&house, &own, &game, &act("b1-b2", KEY)).await.ok();
    let plain = send(&house, &own, &game, "takeBack(game: $g, toPly: 0, reason: \"slip\") { ply }").await;
    assert_eq!(plain.code(), "FORBIDDEN");
    assert!(plain.says().contains("recordedWith"), "{}", plain.says());
    // Somebody else's action, another key, and too far back.
    assert_eq!(send(&house, &other, &game, &back(0, KEY)).await.code(), "FORBIDDEN");
    assert_eq!(send(&house, &own, &game, &back(0, "no-such-key-was-used")).await.code(), "FORBIDDEN");
    let legal = house.get("query($g: ID!) { game(id: $g) { position { legalActions } } }", json!({ "g": game })).await;
    let second = text(&legal["game"]["position"]["legalActions"][0]);
    send(&house, &own, &game, &act(&second, "the-second-key-of-all")).await.ok();
    assert_eq!(send(&house, &own, &game, &back(0, "the-second-key-of-all")).await.code(), "FORBIDDEN");
    assert_eq!(send(&house, &own, &game, &back(0, KEY)).await.code(), "FORBIDDEN", "it is not the last");
    assert_eq!(send(&house, &own, &game, &back(1, "the-second-key-of-all")).await.ok()["takeBack"]["ply"], 1);
    // What comes before is not the recorder's to take back any more.
    assert_eq!(send(&house, &own, &game, &back(0, KEY)).await.code(), "FORBIDDEN");
    assert_eq!(house.game(&game).await["verification"]["valid"], true);
}

#[tokio::test]
async fn a_recorder_takes_back_neither_rolls_nor_anything_in_games_with_secrets_or_that_are_over() {
    let house = House::new();
    let own = recorder(1);
    let back = format!("takeBack(game: $g, toPly: 0, reason: \"slip\", recordedWith: \"{KEY}\") {{ ply }}");
    let secret = house.create("triforce-building").await;
    let start = house.service.game(secret.parse().unwrap()).unwrap().replay();
    let action = start.position().sample(start.position().to_act().iter().next().unwrap(), &mut |_| 0);
    let act = format!("act(game: $g, seat: 1, action: \"{action}\", idempotencyKey: \"{KEY}\") {{ ply }}");
    send(&house, &own, &secret, &act).await.ok();
    assert!(send(&house, &own, &secret, &back).await.says().contains("secrets"));

    let dice = house.create("triforce").await;
    let replay = || house.service.game(dice.parse().unwrap()).unwrap().replay();
    let mut numbers = Dice(3);
    while !replay().position().to_act().contains(plybook_events::Actor::Chance) {
        house.play(&dice, 1, &mut numbers).await;
    }
    let ply = replay().mainline().len();
    let rolled = "rolled-with-this-key";
    send(&house, &own, &dice, &format!("roll(game: $g, idempotencyKey: \"{rolled}\") {{ ply }}")).await.ok();
    let back = format!("takeBack(game: $g, toPly: {ply}, reason: \"bad luck\", recordedWith: \"{rolled}\") {{ ply }}");
    assert!(send(&house, &own, &dice, &back).await.says().contains("roll"));
}

#[tokio::test]
async fn a_corrected_game_tells_who_decided_it_first() {
    let house = House::new();
    let game = house.create("triangulate").await;
    send(&house, &Caller::ADMIN, &game, "flagFall(game: $g, seat: 1) { id }").await.ok();
    for winner in [1, 2] {
        let ruling = format!("adjudicate(game: $g, input: {{ winners: [{winner}], reason: \"clock\" }}) {{ id }}");
        send(&house, &Caller::ADMIN, &game, &ruling).await.ok();
    }
    let query = "query($g: ID!) { game(id: $g) { corrected outcome { winners decidedBy }
        originalOutcome { winners reason decidedBy } } }";
    let told = house.get(query, json!({ "g": game })).await["game"].clone();
    let first = json!({ "winners": [2], "reason": "time", "decidedBy": "TIME" });
    assert_eq!((&told["corrected"], &told["originalOutcome"]), (&json!(true), &first));
    assert_eq!(told["outcome"], json!({ "winners": [2], "decidedBy": "ARBITER" }));
    send(&house, &Caller::ADMIN, &game, "reopenGame(game: $g, reason: \"r\") { id }").await.ok();
    let told = house.get(query, json!({ "g": game })).await["game"].clone();
    assert_eq!((&told["corrected"], &told["originalOutcome"]), (&json!(false), &Value::Null));
}

#[tokio::test]
async fn who_leaves_and_does_not_return_loses_by_abandonment() {
    let house = House::new();
    let game = house.create("tri").await;
    let answer = "abandon(game: $g, seat: 1) { outcome { winners reason decidedBy } }";
    let told = send(&house, &recorder(1), &game, answer).await.ok();
    let expected = json!({ "winners": [2], "reason": "abandonment", "decidedBy": "ABANDONMENT" });
    assert_eq!(told["abandon"]["outcome"], expected);
    assert_eq!(house.game(&game).await["verification"]["valid"], true);
    assert_eq!(send(&house, &recorder(1), &game, answer).await.code(), "GAME_OVER");
    let many = house.create("triforce").await;
    assert!(send(&house, &Caller::ADMIN, &many, answer).await.says().contains("adjudicate"));
}

#[tokio::test]
async fn a_double_forfeit_is_a_loss_for_all_and_no_draw() {
    let house = House::new();
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let game =
        house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": ada }, { "player": bela }] })).await;
    house.play(&game, 2, &mut Dice(1)).await;
    let ruling = "adjudicate(game: $g, input: { winners: [], forfeit: true, reason: \"both phones rang\" })
        { status seats { result } outcome { winners details } }";
    let told = send(&house, &Caller::ADMIN, &game, ruling).await.ok()["adjudicate"].clone();
    assert_eq!(told["seats"], json!([{ "result": "LOSS" }, { "result": "LOSS" }]));
    assert_eq!(told["outcome"], json!({ "winners": [], "details": { "forfeit": true } }));
    let query = "query($a: ID!, $b: ID!) { statistics(kind: \"triangulate\") { results { wins draws other } }
        player(id: $a) { against(opponent: $b) { wins draws other } ratings { value } } }";
    let counted = house.get(query, json!({ "a": ada, "b": bela })).await;
    assert_eq!(counted["statistics"]["results"], json!({ "wins": [0, 0], "draws": 0, "other": 1 }));
    assert_eq!(counted["player"]["against"], json!({ "wins": [0, 0], "draws": 0, "other": 1 }));
    assert_eq!(counted["player"]["ratings"], json!([]), "it is not rated");
    let wrong = "adjudicate(game: $g, input: { winners: [1], forfeit: true, reason: \"r\" }) { id }";
    assert!(send(&house, &Caller::ADMIN, &game, wrong).await.says().contains("`forfeit`"));
    let wrong =
        "adjudicate(game: $g, input: { winners: [], ranking: [[1], [2]], forfeit: true, reason: \"r\" }) { id }";
    assert_eq!(send(&house, &Caller::ADMIN, &game, wrong).await.code(), "BAD_INPUT");
}

#[tokio::test]
async fn in_a_tournament_a_table_is_forfeited_and_not_its_game() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2000, 1900]).await;
    for field in ["pairRound(tournament: $t) { id }", "openRound(tournament: $t, round: 1) { id }"] {
        hall.change(field.replace("{ id }", "{ number }").as_str(), "", json!({})).await.ok();
    }
    let query = "query($t: ID!) { tournament(id: $t) { rounds { tables { game { id } } } } }";
    let found = house.get(query, json!({ "t": hall.id })).await;
    let game = text(&found["tournament"]["rounds"][0]["tables"][0]["game"]["id"]);
    house.play(&game, 2, &mut Dice(1)).await;
    let ruling = "adjudicate(game: $g, input: { winners: [], forfeit: true, reason: \"r\" }) { id }";
    let refused = send(&house, &Caller::ADMIN, &game, ruling).await;
    assert!(refused.says().contains("declare the game void"), "{}", refused.says());
    // What the refusal advises works.
    send(&house, &Caller::ADMIN, &game, "voidGame(game: $g, reason: \"both phones rang\") { id }").await.ok();
    hall.change("forfeit(tournament: $t, round: 1, table: 1, seats: [1, 2]) { number }", "", json!({})).await.ok();
}

#[tokio::test]
async fn what_was_taken_back_can_be_looked_at() {
    let house = House::new();
    let game = house.create("triangulate").await;
    house.play(&game, 6, &mut Dice(1)).await;
    let query = "query($g: ID!, $at: Int) { game(id: $g) { position(at: $at) { ply position toAct }
        moves(at: $at) { totalCount nodes { ply action } } positions(from: 4, at: $at) { ply positionKey } } }";
    let before = house.get(query, json!({ "g": game, "at": 6 })).await;
    assert_eq!(before, house.get(query, json!({ "g": game })).await);
    send(&house, &Caller::ADMIN, &game, "takeBack(game: $g, toPly: 2, reason: \"slip\") { id }").await.ok();
    house.play(&game, 3, &mut Dice(2)).await;
    assert_eq!(house.get(query, json!({ "g": game, "at": 6 })).await, before);
    let ply = |at: u64| json!({ "g": game, "at": at });
    let query = "query($g: ID!, $at: Int) { game(id: $g) { position(at: $at) { ply } } }";
    for (at, expected) in [(0, 0), (3, 3), (7, 2), (10, 5)] {
        assert_eq!(house.get(query, ply(at)).await["game"]["position"]["ply"], expected, "after event {at}");
    }
    for at in [-1, 11] {
        let refused = house.ask(&Caller::SPECTATOR, query, json!({ "g": game, "at": at })).await;
        assert!(refused.says().contains("events 0 to 10"), "{}", refused.says());
    }
}

/// A game that is reopened is secret again, also where it is shown as it was when it was over.
#[tokio::test]
async fn what_was_open_at_a_time_is_shown_as_the_caller_may_see_it_now() {
    let house = House::new();
    let game = house.create("thrones").await;
    let ended = |who: u8| format!("adjudicate(game: $g, input: {{ winners: [{who}], reason: \"r\" }}) {{ id }}");
    let start = house.service.game(game.parse().unwrap()).unwrap().replay();
    let first = start.position().to_act().iter().next().unwrap();
    let action = start.position().sample(first, &mut |_| 0);
    house.act_all(&game, &[act_input(first, &action)]).await.ok();
    send(&house, &Caller::ADMIN, &game, &ended(1)).await.ok();
    let over = house.head(&game).await;
    send(&house, &Caller::ADMIN, &game, "reopenGame(game: $g, reason: \"r\") { id }").await.ok();
    let query = "query($g: ID!, $at: Int) { game(id: $g) { position(at: $at) { position } } }";
    let public = "query($g: ID!, $at: Int) { game(id: $g) { position(at: $at, viewer: \"public\") { position } } }";
    let variables = json!({ "g": game, "at": over });
    let shown = house.ask(&Caller::SPECTATOR, query, variables.clone()).await.ok();
    assert_eq!(shown, house.ask(&Caller::SPECTATOR, public, variables.clone()).await.ok());
    assert_ne!(shown, house.get(query, variables).await, "an arbiter sees more");
}

#[tokio::test]
async fn seats_that_cannot_be_told_apart_and_numbers_from_0_are_refused_by_name() {
    let house = House::new();
    let ada = house.player("Ada").await;
    let namesake = house.player("Ada").await;
    let query = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let game = |seats: Value, more: Value| {
        let mut input = json!({ "kind": "triangulate", "seats": seats });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "i": input })
    };
    for (seats, more, names) in [
        (json!([{ "name": "Cleo" }, { "name": " cleo" }]), json!({}), "`seats`: seat 1 and seat 2"),
        (json!([{ "player": ada }, { "name": "Ada" }]), json!({}), "`seats`: seat 1 and seat 2"),
        (json!([{ "player": ada }, { "player": ada, "name": "Other" }]), json!({}), "`seats`"),
        (json!([{}, {}]), json!({ "round": 0 }), "`round`"),
        (json!([{}, {}]), json!({ "table": 0 }), "`table`"),
    ] {
        let refused = house.ask(&Caller::ADMIN, query, game(seats, more)).await;
        assert_eq!(refused.code(), "BAD_INPUT");
        assert!(refused.says().contains(names), "{}", refused.says());
    }
    // Two people may have the same name.
    house.get(query, game(json!([{ "player": ada }, { "player": namesake }]), json!({}))).await;
}
