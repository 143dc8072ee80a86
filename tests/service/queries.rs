//! Queries.

use plybook_api::access::Caller;
use serde_json::{Value, json};

use crate::house::{Dice, House, act_input, kind_names, kinds, nobody, start, text};

#[tokio::test]
async fn rules_are_listed() {
    let house = House::new();
    let query = "{ rules { kind version title designer source minSeats maxSeats simultaneous chance secrets sealed setupSchema document } }";
    let told = house.get(query, json!({})).await;
    let told = told["rules"].as_array().unwrap();
    assert_eq!(told.len(), plybook_example::kinds().len());
    for (told, rules) in told.iter().zip(plybook_example::kinds()) {
        let about = rules.about();
        assert_eq!(told["kind"], about.kind);
        assert_eq!((&told["minSeats"], &told["maxSeats"]), (&json!(about.seats_min), &json!(about.seats_max)));
        assert_eq!(told["setupSchema"], rules.setup_schema());
        assert_eq!(told["document"], about.document);
        let prefixes: Vec<&str> = rules.secrets().iter().map(|secret| secret.prefix).collect();
        assert_eq!((&told["sealed"], &told["secrets"]), (&json!(prefixes), &json!(!prefixes.is_empty())));
        let one = house
            .get(
                "query($k: String!, $v: String) { ruleSet(kind: $k, version: $v) { kind } }",
                json!({ "k": about.kind, "v": about.version }),
            )
            .await;
        assert_eq!(one["ruleSet"]["kind"], about.kind);
    }
    let none = house
        .get(
            "{ a: ruleSet(kind: \"chess\") { kind } b: ruleSet(kind: \"triangulate\", version: \"v0\") { kind } }",
            json!({}),
        )
        .await;
    assert_eq!(none, json!({ "a": null, "b": null }));
}

/// A game says which seats are partners.
#[tokio::test]
async fn teams_are_told() {
    let house = House::new();
    let query = "query($id: ID!) { game(id: $id) { teams } }";
    for (partners, teams) in [(true, json!([[1, 3], [2, 4]])), (false, json!([[1], [2], [3], [4]]))] {
        let setup = json!({ "players": 4, "teams": partners });
        let seats = json!([{}, {}, {}, {}]);
        let game = house.create_as(json!({ "kind": "heaps", "seats": seats, "setup": setup })).await;
        assert_eq!(house.get(query, json!({ "id": game })).await["game"]["teams"], teams);
    }
}

#[tokio::test]
async fn nodes_are_found_by_id() {
    let house = House::new();
    let (player, game) = (house.player("Ada").await, house.create("triangulate").await);
    let query = "query($id: ID!) { node(id: $id) { __typename id } game(id: $id) { id ruleSet { kind } } player(id: $id) { id name } }";
    let found = house.get(query, json!({ "id": game })).await;
    let told = json!({ "id": game, "ruleSet": { "kind": "triangulate" } });
    assert_eq!(found, json!({ "node": { "__typename": "Game", "id": game }, "game": told, "player": null }));
    let found = house.get(query, json!({ "id": player })).await;
    assert_eq!(found["node"]["__typename"], "Player");
    assert_eq!((&found["game"], &found["player"]["name"]), (&Value::Null, &json!("Ada")));
    let found = house.get(query, json!({ "id": nobody() })).await;
    assert_eq!(found, json!({ "node": null, "game": null, "player": null }));
}

/// A fold, the position of a game and the rules themselves agree for every kind.
#[tokio::test]
async fn fold_agrees_with_the_rules_and_with_games() {
    let house = House::new();
    for rules in kinds() {
        let kind = rules.about().kind;
        let mut dice = Dice(1);
        let id = house.create(kind).await;
        house.play(&id, 30, &mut dice).await;
        let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
        let words: Vec<String> = replay.mainline().iter().map(|done| plybook_word(done.actor, &done.action)).collect();
        let fields = "ply position positionKey toAct prompts { seat kind description schema example dice { seat dice } } scene text outcome { reason }";
        let query = format!(
            "query($k: String!, $s: JSON, $a: [String!]!) {{ fold(kind: $k, setup: $s, actions: $a) {{ {fields} }} }}"
        );
        let folded = house.get(&query, json!({ "k": kind, "s": replay.setup(), "a": words })).await;
        let game = house
            .get(
                &format!("query($id: ID!) {{ game(id: $id) {{ position(viewer: \"all\") {{ {fields} }} }} }}"),
                json!({ "id": id }),
            )
            .await;
        assert_eq!(folded["fold"], game["game"]["position"], "{kind}");
        assert_eq!(folded["fold"]["position"], replay.position().to_json(plybook_rules::Viewer::All), "{kind}");
    }
}

fn plybook_word(actor: plybook_events::Actor, action: &str) -> String {
    match actor {
        plybook_events::Actor::Seat(seat) => format!("{seat}:{action}"),
        plybook_events::Actor::Chance => format!("chance:{action}"),
    }
}

#[tokio::test]
async fn positions_come_in_windows_that_agree_with_single_ones() {
    let house = House::new();
    for kind in kind_names() {
        let id = house.create(kind).await;
        house.play(&id, 70, &mut Dice(2)).await;
        let fields = "ply position positionKey toAct scene text";
        let window = |from: Value, to: Value| {
            let house = &house;
            let id = id.clone();
            async move {
                let query = format!(
                    "query($id: ID!, $f: Int, $t: Int) {{ game(id: $id) {{ ply positions(from: $f, to: $t) {{ {fields} }} }} }}"
                );
                house.ask(&Caller::ADMIN, &query, json!({ "id": id, "f": from, "t": to })).await
            }
        };
        let all = window(Value::Null, Value::Null).await.ok();
        let plies = all["game"]["ply"].as_u64().unwrap() as usize;
        let all = all["game"]["positions"].as_array().unwrap().clone();
        assert_eq!(all.len(), plies + 1, "{kind}");
        for (from, to) in [(0, 0), (1, 1), (63, 65), (64, 64), (5, 20), (plies - 1, plies), (3, 4000)] {
            if from <= plies {
                let some = window(json!(from), json!(to)).await.ok();
                let until = to.min(plies);
                assert_eq!(some["game"]["positions"], json!(all[from..=until]), "{kind} {from}..{to}");
            }
        }
        assert_eq!(window(json!(5), json!(4)).await.ok()["game"]["positions"], json!([]));
        for (from, to) in [(json!(-1), json!(3)), (json!(plies + 1), json!(plies + 2)), (json!(0), json!(-1))] {
            assert_eq!(window(from.clone(), to.clone()).await.code(), "BAD_INPUT", "{kind} {from}..{to}");
        }
        for ply in [0, 1, plies / 2, plies] {
            let query = format!("query($id: ID!, $p: Int) {{ game(id: $id) {{ position(ply: $p) {{ {fields} }} }} }}");
            let one = house.get(&query, json!({ "id": id, "p": ply })).await;
            assert_eq!(one["game"]["position"], all[ply], "{kind} ply {ply}");
        }
    }
}

#[tokio::test]
async fn legal_actions_are_those_of_the_rules() {
    let house = House::new();
    for rules in kinds() {
        let kind = rules.about().kind;
        let position = start(rules);
        let query = "query($k: String!, $s: JSON, $a: [String!]!, $n: Int) { fold(kind: $k, setup: $s, actions: $a) { legalActions(seat: $n) prompts { example schema } } }";
        let setup = rules.complete(&json!({}), &mut |_| 0).unwrap();
        for seat in 1..=position.seats() {
            let told = house.get(query, json!({ "k": kind, "s": setup, "a": [], "n": seat })).await;
            assert_eq!(
                told["fold"]["legalActions"],
                json!(position.legal(plybook_events::Actor::Seat(seat))),
                "{kind} {seat}"
            );
        }
        let beyond = json!({ "k": kind, "s": setup, "a": [], "n": position.seats() + 1 });
        assert_eq!(house.ask(&Caller::SPECTATOR, query, beyond).await.code(), "BAD_INPUT");
    }
}

#[tokio::test]
async fn a_bad_fold_says_what_is_wrong() {
    let house = House::new();
    let query = "query($k: String!, $s: JSON, $a: [String!]!) { fold(kind: $k, setup: $s, actions: $a) { ply } }";
    let fold = |kind: &str, setup: Value, actions: Value| {
        let variables = json!({ "k": kind, "s": setup, "a": actions });
        let house = &house;
        async move { house.ask(&Caller::SPECTATOR, query, variables).await }
    };
    assert_eq!(fold("chess", json!({}), json!([])).await.code(), "BAD_INPUT");
    assert_eq!(fold("triangulate", json!({ "size": 9 }), json!([])).await.code(), "BAD_SETUP");
    assert_eq!(fold("triangulate", json!(7), json!([])).await.code(), "BAD_SETUP");
    let illegal = fold("triangulate", json!({}), json!(["b1-b2", "b1-b2"])).await;
    assert_eq!(illegal.code(), "ILLEGAL_ACTION");
    assert_eq!(
        (&illegal.errors[0]["extensions"]["ply"], &illegal.errors[0]["extensions"]["action"]),
        (&json!(2), &json!("b1-b2"))
    );
    assert_eq!(fold("triangulate", json!({}), json!(["x".repeat(4001)])).await.code(), "BAD_INPUT");
    assert_eq!(fold("triangulate", json!({}), json!(vec!["b1-b2"; 5001])).await.code(), "BAD_INPUT");
    // Nothing can be played after the end, and the answer says at which ply it was tried.
    let mut position = start(plybook_example::kind("triangulate").unwrap());
    let (mut dice, mut words) = (Dice(3), Vec::new());
    while let Some(actor) = position.to_act().iter().next() {
        let action = position.sample(actor, &mut |n| dice.below(n));
        position.act(actor, &action).unwrap();
        words.push(text(&act_input(actor, &action)["action"]));
    }
    words.push("b1-b2".to_owned());
    let over = fold("triangulate", json!({}), json!(words)).await;
    assert_eq!((over.code().as_str(), &over.errors[0]["extensions"]["ply"]), ("ILLEGAL_ACTION", &json!(words.len())));
}

#[tokio::test]
async fn players_are_listed_by_name_and_by_what_they_play() {
    let house = House::new();
    let mut ids = Vec::new();
    for name in ["Chiara", "ada", "Bela", "Adam"] {
        ids.push(house.player(name).await);
    }
    let seats: Vec<Value> =
        (0..crate::house::seats_of("triangulate")).map(|n| json!({ "player": ids[n as usize] })).collect();
    house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
    let names = |filter: Value| {
        let house = &house;
        async move {
            let query = "query($f: PlayerFilter) { players(filter: $f) { totalCount nodes { name } } }";
            let told = house.get(query, json!({ "f": filter })).await;
            let nodes = told["players"]["nodes"].as_array().unwrap().clone();
            assert_eq!(told["players"]["totalCount"], nodes.len());
            nodes.iter().map(|node| text(&node["name"])).collect::<Vec<_>>()
        }
    };
    assert_eq!(names(json!({})).await, ["ada", "Adam", "Bela", "Chiara"]);
    assert_eq!(names(json!({ "nameContains": "AD" })).await, ["ada", "Adam"]);
    assert_eq!(names(json!({ "kind": "triangulate" })).await, ["ada", "Chiara"]);
    assert_eq!(names(json!({ "kind": "triangulate", "nameContains": "c" })).await, ["Chiara"]);
    assert_eq!(names(json!({ "kind": "heaps" })).await, Vec::<String>::new());
    let query = "query($id: ID!) { player(id: $id) { name createdAt games { totalCount nodes { kind seats { player { id } } } } } }";
    let told = house.get(query, json!({ "id": ids[0] })).await;
    assert_eq!(told["player"]["games"]["nodes"][0]["seats"][0]["player"]["id"], json!(ids[0]));
    let query =
        "query($a: String) { players(first: 2, after: $a) { nodes { name } pageInfo { hasNextPage endCursor } } }";
    let first = house.get(query, json!({})).await;
    let second = house.get(query, json!({ "a": first["players"]["pageInfo"]["endCursor"] })).await;
    assert_eq!(second["players"]["nodes"], json!([{ "name": "Bela" }, { "name": "Chiara" }]));
    assert_eq!(second["players"]["pageInfo"]["hasNextPage"], false);
    assert_eq!(house.ask(&Caller::SPECTATOR, query, json!({ "a": "x" })).await.code(), "BAD_INPUT");
}

#[tokio::test]
async fn one_field_that_is_refused_leaves_the_others() {
    let house = House::new();
    let ada = house.player("Ada").await;
    house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": ada }, {}] })).await;
    let query = "query($p: ID!) { tri: explore(kind: \"tri\") { games } explore(kind: \"chess\") { games }
        statistics(kind: \"chess\") { games } search(kind: \"chess\", where: \"over\") { total }
        fold(kind: \"chess\", actions: []) { ply } expectedScore(kind: \"chess\", players: [])
        player(id: $p) { name statistics(kind: \"chess\") { games }
            first: statistics(kind: \"triangulate\", filter: { seat: 1 }) { games }
            second: games(filter: { seat: 2 }) { totalCount } } }";
    let told = house.ask(&Caller::SPECTATOR, query, json!({ "p": ada })).await;
    assert_eq!(told.errors.len(), 6, "{:?}", told.errors);
    let player = json!({ "name": "Ada", "statistics": null, "first": { "games": 1 }, "second": { "totalCount": 0 } });
    let expected = json!({ "tri": { "games": 0 }, "explore": null, "statistics": null, "search": null, "fold": null,
        "expectedScore": null, "player": player });
    assert_eq!(told.data, expected);
}
