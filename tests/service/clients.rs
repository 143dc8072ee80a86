//! What makes clients stumble elsewhere.

use plybook_api::access::{Caller, Role};
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, next, player, seat, seats_of, text};

/// Two players, and a game of Triangulate between them.
async fn two(house: &House) -> (String, String, String) {
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let seats = json!([{ "player": ada }, { "player": bela }]);
    let game = house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
    (game, ada, bela)
}

#[tokio::test]
async fn who_is_not_to_act_is_told_so() {
    let house = House::new();
    let (game, ada, bela) = two(&house).await;
    let act = "mutation($g: ID!) { act(game: $g, action: \"b1-b2\") { ply } }";
    for who in [player(&bela), seat(&game, 2)] {
        let refused = house.ask(&who, act, json!({ "g": game })).await;
        assert_eq!(refused.code(), "NOT_YOUR_TURN");
        assert!(refused.says().contains("seat 1"), "{}", refused.says());
    }
    house.ask(&player(&ada), act, json!({ "g": game })).await.ok();
    // Whoever does not play is not waiting for a turn.
    let stranger = house.player("Cleo").await;
    assert_eq!(house.ask(&player(&stranger), act, json!({ "g": game })).await.code(), "FORBIDDEN");
}

#[tokio::test]
async fn legal_actions_and_seats_to_act_are_told_without_parsing_words() {
    let house = House::new();
    let (game, ..) = two(&house).await;
    let query = "query($g: ID!) { game(id: $g) { position { seatsToAct chanceToAct toAct }
        moves { nodes { seat by game { id } } } } }";
    house.play(&game, 1, &mut Dice(1)).await;
    let told = house.get(query, json!({ "g": game })).await["game"].clone();
    assert_eq!(told["position"], json!({ "seatsToAct": [2], "chanceToAct": false, "toAct": ["seat:2"] }));
    assert_eq!(told["moves"]["nodes"], json!([{ "seat": 1, "by": "seat:1", "game": { "id": game } }]));
    // Where several seats are to act, a player is shown its own actions, as `act` takes its own seat.
    let query = "query($g: ID!) { game(id: $g) { position { legalActions seatsToAct } } }";
    let ask = async |who: &Caller, game: &str| {
        house.ask(who, query, json!({ "g": game })).await.ok()["game"]["position"].clone()
    };
    let many = house.create("triforce-building").await;
    let (mine, all) = (ask(&seat(&many, 3), &many).await, ask(&caller(Role::Recorder), &many).await);
    assert_eq!(all["legalActions"], Value::Null);
    assert_eq!(mine["seatsToAct"].as_array().unwrap().len(), usize::from(seats_of("triforce-building")));
    let named = "query($g: ID!) { game(id: $g) { position { legalActions(seat: 3) } } }";
    let named = house.ask(&seat(&many, 3), named, json!({ "g": many })).await.ok();
    assert_eq!(mine["legalActions"], named["game"]["position"]["legalActions"]);
}

#[tokio::test]
async fn the_number_of_names_decides_the_number_of_seats() {
    let house = House::new();
    let query = "mutation($i: CreateGame!) { createGame(input: $i) { seats { number } setup } }";
    let input = |seats: usize, setup: Value| json!({ "i": { "kind": "triforce-building", "setup": setup, "seats": vec![json!({}); seats] } });
    for seats in [7, 10, 13] {
        let made = house.get(query, input(seats, Value::Null)).await["createGame"].clone();
        assert_eq!((made["seats"].as_array().unwrap().len(), &made["setup"]["players"]), (seats, &json!(seats)));
    }
    let refused = house.ask(&Caller::ADMIN, query, input(7, json!({ "players": 13 }))).await;
    assert!(refused.says().contains("`setup.players` is 13"), "{}", refused.says());
    assert_eq!(house.ask(&Caller::ADMIN, query, input(8, Value::Null)).await.code(), "BAD_INPUT");
}

#[tokio::test]
async fn times_are_read_as_people_write_them() {
    let house = House::new();
    two(&house).await;
    let query = "query($t: DateTime!) { games(filter: { since: $t }) { totalCount } }";
    for time in ["2020-01-01", "2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00.123456Z"] {
        assert_eq!(house.get(query, json!({ "t": time })).await["games"]["totalCount"], 1, "{time}");
    }
    assert_eq!(house.get(query, json!({ "t": "2999-01-01" })).await["games"]["totalCount"], 0);
    for time in ["yesterday", "2020-13-01", "2020-01-01T00:00:00", ""] {
        let refused = house.ask(&Caller::SPECTATOR, query, json!({ "t": time })).await;
        assert!(refused.says().contains("2026-11-20T14:03:11Z"), "{}", refused.says());
    }
}

#[tokio::test]
async fn roles_have_their_article() {
    let house = House::new();
    let (game, ..) = two(&house).await;
    let query = "mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }";
    let says = house.ask(&caller(Role::Recorder), query, json!({ "g": game })).await.says();
    assert_eq!(says, "this needs the token of an arbiter, yours is a recorder's");
}

#[tokio::test]
async fn a_cursor_is_for_lists_in_its_own_order() {
    let house = House::new();
    two(&house).await;
    two(&house).await;
    let query = "query($o: GameOrder, $a: String) {
        games(orderBy: $o, first: 1, after: $a) { nodes { id } pageInfo { endCursor } } }";
    let first = house.get(query, json!({ "o": "PLY_DESC" })).await["games"].clone();
    let cursor = text(&first["pageInfo"]["endCursor"]);
    let second = house.get(query, json!({ "o": "PLY_DESC", "a": cursor })).await["games"].clone();
    assert_ne!(second["nodes"], first["nodes"]);
    let refused = house.ask(&Caller::SPECTATOR, query, json!({ "o": "CREATED_DESC", "a": cursor })).await;
    assert!(refused.says().contains("another order"), "{}", refused.says());
    let branches = "query($a: String) { games(first: 1) { nodes { branches(after: $a) { totalCount } } } }";
    let refused = house.ask(&Caller::SPECTATOR, branches, json!({ "a": cursor })).await;
    assert!(refused.says().contains("another order"), "lines are in none of these: {}", refused.says());
    for other in ["x", "0.1", "AAAA", "💥"] {
        let refused = house.ask(&Caller::SPECTATOR, query, json!({ "a": other })).await;
        assert!(refused.says().contains("`after`"), "{}", refused.says());
    }
}

#[tokio::test]
async fn games_are_found_by_who_won_how_where_and_what_they_passed_through() {
    let house = House::new();
    let input =
        |round: u32, tags: Value| json!({ "kind": "triangulate", "seats": [{}, {}], "round": round, "tags": tags });
    let first = house.create_as(input(1, json!({ "event": "Open", "hall": "A" }))).await;
    let second = house.create_as(input(2, json!({ "event": "Open", "hall": "B" }))).await;
    house.play(&first, 6, &mut Dice(1)).await;
    house.play(&second, 6, &mut Dice(2)).await;
    house.get("mutation($g: ID!) { resign(game: $g, seat: 2) { id } }", json!({ "g": first })).await;
    house.get("mutation($g: ID!) { flagFall(game: $g, seat: 1) { id } }", json!({ "g": second })).await;
    let asked =
        "query($g: ID!) { game(id: $g) { position { positionKey position } moves(first: 6) { nodes { action } } } }";
    let reached = house.get(asked, json!({ "g": first })).await["game"].clone();
    let key = &reached["position"]["positionKey"];
    let actions: Vec<&Value> = reached["moves"]["nodes"].as_array().unwrap().iter().map(|at| &at["action"]).collect();
    let query = "query($f: GameFilter) { games(filter: $f) { totalCount nodes { id } }
        statistics(kind: \"triangulate\", filter: $f) { games } }";
    for (filter, expected) in [
        (json!({ "winningSeat": 1 }), vec![&first]),
        (json!({ "winningSeat": 2 }), vec![&second]),
        (json!({ "decidedBy": "TIME" }), vec![&second]),
        (json!({ "decidedBy": "ARBITER" }), vec![]),
        (json!({ "round": 2 }), vec![&second]),
        (json!({ "tags": ["event=Open", "hall=A"] }), vec![&first]),
        (json!({ "tags": ["event", "hall=B"] }), vec![&second]),
        (json!({ "tags": ["event=Open"] }), vec![&second, &first]),
        (json!({ "position": { "key": key } }), vec![&first]),
        (json!({ "position": { "key": key }, "winningSeat": 2 }), vec![]),
        (json!({ "position": { "key": "0".repeat(64) } }), vec![]),
        (json!({ "kind": "triangulate", "position": { "key": key } }), vec![&first]),
        (json!({ "kind": "triangulate", "position": { "actions": actions } }), vec![&first]),
        (json!({ "kind": "triangulate", "position": { "actions": [] } }), vec![&second, &first]),
        (json!({ "kind": "triangulate", "position": { "position": reached["position"]["position"] } }), vec![&first]),
    ] {
        let found = house.get(query, json!({ "f": filter })).await;
        let ids: Vec<String> =
            found["games"]["nodes"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect();
        assert_eq!(ids, expected.iter().map(|id| (*id).clone()).collect::<Vec<_>>(), "{filter}");
        assert_eq!(found["statistics"]["games"], expected.len(), "{filter}");
    }
    for (filter, says) in [
        (json!({ "seat": 1 }), "name the player"),
        (json!({ "winningSeat": 14 }), "seats are numbered"),
        (json!({ "round": 0 }), "`round`"),
        (json!({ "tags": ["=x"] }), "tag"),
        (json!({ "tags": vec!["x"; 21] }), "tags"),
        (json!({ "position": { "actions": [] } }), "of which `kind`"),
        (json!({ "kind": "triangulate", "position": { "actions": ["no"] } }), "no"),
        (json!({ "kind": "triangulate", "position": { "position": {} } }), "position"),
        (json!({ "position": {} }), "PositionInput"),
        (json!({ "position": { "key": key, "actions": [] } }), "PositionInput"),
    ] {
        let query = "query($f: GameFilter) { games(filter: $f) { totalCount } }";
        let refused = house.ask(&Caller::SPECTATOR, query, json!({ "f": filter })).await;
        let told = serde_json::to_string(&refused.errors).unwrap();
        assert!(told.contains(says), "{filter}: {told}");
    }
}

#[tokio::test]
async fn the_explorer_is_read_some_levels_deep_in_one_request() {
    let house = House::new();
    for dice in 0..4 {
        let game = house.create("tri").await;
        house.play(&game, 8, &mut Dice(dice)).await;
    }
    let query = "{ explore(kind: \"tri\") { games actions { action games positionKey explorer { games
        actions { action games explorer { games position { ply positionKey } } } } } } }";
    let tree = house.get(query, json!({})).await["explore"].clone();
    assert_eq!(tree["games"], 4);
    let flat = "query($a: [String!]) { explore(kind: \"tri\", actions: $a) { games position { positionKey }
        actions { action games } } }";
    let mut counted = 0;
    for first in tree["actions"].as_array().unwrap() {
        for second in first["explorer"]["actions"].as_array().unwrap() {
            let there = house.get(flat, json!({ "a": [first["action"], second["action"]] })).await["explore"].clone();
            let nested = &second["explorer"];
            assert_eq!((&nested["games"], &nested["position"]["ply"]), (&there["games"], &json!(2)));
            assert_eq!(nested["position"]["positionKey"], there["position"]["positionKey"]);
            counted += second["games"].as_u64().unwrap();
        }
    }
    assert!(counted >= 4, "every game went through the tree");
}

#[tokio::test]
async fn objects_are_looked_up_together() {
    let house = House::new();
    let (game, ada, _) = two(&house).await;
    let query = "query($i: [ID!]!) { nodes(ids: $i) { __typename id } }";
    let found = house.get(query, json!({ "i": [ada, crate::house::nobody(), game] })).await;
    let expected = json!([{ "__typename": "Player", "id": ada }, null, { "__typename": "Game", "id": game }]);
    assert_eq!(found["nodes"], expected);
    let refused = house.ask(&Caller::SPECTATOR, query, json!({ "i": vec![game; 101] })).await;
    assert_eq!(refused.code(), "BAD_INPUT");
}

/// The examples are sent as they are written; only the variables are ours.
#[tokio::test]
async fn the_examples_of_the_documentation_work() {
    let house = House::new();
    let (game, ..) = two(&house).await;
    let document = include_str!("../../docs/clients.md");
    let examples: Vec<&str> =
        document.split("```graphql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(examples.len(), 6);
    let variables = json!({ "game": game, "action": "b1-b2", "ply": 0, "after": -1, "kind": "triangulate",
        "opening": ["b1-b2"], "key": "6f1c9a52-3f0e-4a55-9d53-0c5b1f4f7d11" });
    for example in examples {
        if example.starts_with("subscription") {
            next(&mut house.follow(&Caller::SPECTATOR, example, variables.clone())).await.ok();
        } else {
            house.get(example, variables.clone()).await;
        }
    }
}
