//! A text that has been sent before is answered as if it had not been.

use actix_web::test::{TestRequest, call_service, init_service, read_body};
use async_graphql::parser::parse_query;
use plybook_api::access::Caller;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site, app};
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, next, nobody};

/// Documents of all sorts, to be sent as they are and damaged.
const DOCUMENTS: [&str; 16] = [
    "query($g: ID!, $n: Int) { game(id: $g) { ply moves(first: $n) { totalCount nodes { ply action } } } }",
    "query Q($g: ID!, $p: Int = 1) { game(id: $g) { position(ply: $p) { ply toAct } } }",
    "query($g: ID!, $yes: Boolean!) { a: game(id: $g) { ...F kind @skip(if: $yes) } } fragment F on Game { id status @include(if: $yes) }",
    "query($g: ID!) { node(id: $g) { __typename ... on Game { ply seats { number name } } ... on Player { name } } }",
    "query($s: GameStatus, $k: String, $n: Int) { games(filter: { status: $s, kind: $k }, first: $n) { totalCount nodes { id } } }",
    "query($f: GameFilter, $o: GameOrder, $n: Int) { games(filter: $f, orderBy: $o, first: $n) { totalCount } }",
    "query($k: String!, $a: [String!]!) { fold(kind: $k, actions: $a) { ply toAct } }",
    "query($k: String!, $a: String!) { fold(kind: $k, actions: [$a, $a]) { ply } }",
    "query One($k: String!) { ruleSet(kind: $k) { title } } query Two { rules { kind } }",
    "query Only($x: JSON) { fold(kind: \"tri\", setup: $x, actions: []) { ply } }",
    "{ rules { kind minSeats } __schema { queryType { name } } }",
    "{ games(first: 2) { totalCount edges { cursor } pageInfo { hasNextPage } } }",
    "{ t: __type(name: \"Game\") { name fields { name } } nothing: node(id: \"x\") { id } }",
    "mutation($g: ID!, $a: String!, $c: Int) { act(game: $g, action: $a, clockMs: $c) { ply } }",
    "mutation($g: ID!, $a: [ActInput!]!) { actAll(game: $g, actions: $a) { ply } }",
    "mutation($g: ID!, $c: String!) { actAll(game: $g, actions: { action: $c }) { id } }",
];

/// Values of all types, for any variable.
fn values(game: &str) -> Vec<Value> {
    vec![
        json!(game),
        json!(nobody()),
        json!("tri"),
        json!("RUNNING"),
        json!("CREATED_ASC"),
        json!(""),
        json!(1),
        json!(-1),
        json!(500),
        json!(3_000_000_000_u64),
        json!(1.5),
        json!(true),
        json!(null),
        json!([]),
        json!(["a1-a2", null]),
        json!([{ "action": "a1-a2" }, { "action": 1 }]),
        json!([{ "seat": 1, "action": "a1-a2" }]),
        json!({ "status": "RUNNING" }),
        json!({ "status": "RUNNING", "nothing": 1 }),
        json!({ "kind": ["tri"], "players": null }),
    ]
}

/// A document without some of its words, or with some in another place.
fn damaged(document: &str, dice: &mut Dice) -> String {
    let mut words: Vec<&str> = document.split_inclusive([' ', '(', ')', ':', ',', '$', '!']).collect();
    for _ in 0..dice.below(3) {
        let (at, to) = (dice.below(words.len() as u32) as usize, dice.below(words.len() as u32) as usize);
        match dice.below(3) {
            0 => drop(words.remove(at)),
            1 => words.insert(to, words[at]),
            _ => words.swap(at, to),
        }
    }
    words.concat()
}

/// An answer in a form that does not depend on the order in which errors are found.
fn told(answer: Answer) -> (String, Vec<String>) {
    let mut errors: Vec<String> = answer.errors.iter().map(Value::to_string).collect();
    errors.sort();
    (answer.data.to_string(), errors)
}

#[tokio::test]
async fn whatever_was_sent_before_is_answered_as_for_the_first_time() {
    let house = House::new();
    let game = house.create("triangulate").await;
    house.play(&game, 5, &mut Dice(1)).await;
    let values = values(&game);
    let mut dice = Dice(7);
    let (mut sent, mut valid) = (0, 0);
    for round in 0..40 {
        for document in DOCUMENTS {
            let text = if round == 0 { document.to_owned() } else { damaged(document, &mut dice) };
            if parse_query(&text).is_err() {
                continue;
            }
            for _ in 0..6 {
                let mut variables = json!({});
                for name in ["g", "n", "p", "yes", "s", "k", "f", "o", "a", "c", "x"] {
                    let right = match name {
                        "g" => Some(json!(game)),
                        "n" | "p" => Some(json!(2)),
                        "yes" => Some(json!(true)),
                        "k" => Some(json!("tri")),
                        _ => None,
                    };
                    match (dice.below(6), right) {
                        (0, _) => {}
                        (1 | 2, _) | (_, None) => {
                            variables[name] = values[dice.below(values.len() as u32) as usize].clone();
                        }
                        (_, Some(right)) => variables[name] = right,
                    }
                }
                // A comment makes a text a new one, and changes nothing else.
                let new = format!("{text} # {sent}");
                let expected = told(house.ask(&Caller::SPECTATOR, &new, variables.clone()).await);
                let found = told(house.ask(&Caller::SPECTATOR, &text, variables.clone()).await);
                assert_eq!(found, expected, "{text} {variables}");
                sent += 1;
                valid += usize::from(expected.1.is_empty());
            }
        }
    }
    assert!(valid > sent / 10 && valid < sent / 2, "{valid} of {sent} are valid");
}

#[tokio::test]
async fn what_is_known_to_be_valid_is_refused_with_values_of_other_types() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let text = "query($g: ID!, $n: Int!, $s: GameStatus, $f: GameFilter) { game(id: $g) { moves(first: $n) { totalCount } } \
        games(filter: $f) { totalCount } g: games(filter: { status: $s }) { totalCount } }";
    let right = json!({ "g": game, "n": 3, "s": "RUNNING", "f": { "kind": "triangulate" } });
    for _ in 0..4 {
        house.ask(&Caller::SPECTATOR, text, right.clone()).await.ok();
    }
    for (name, wrong) in [
        ("g", json!(true)),
        ("g", json!(null)),
        ("n", json!("3")),
        ("n", json!(1.5)),
        ("n", json!([1])),
        ("s", json!("RUN")),
        ("s", json!(1)),
        ("f", json!({ "kind": 1 })),
        ("f", json!({ "kinds": "tri" })),
    ] {
        let mut variables = right.clone();
        variables[name] = wrong;
        let answer = house.ask(&Caller::SPECTATOR, text, variables.clone()).await;
        assert!(!answer.errors.is_empty(), "{variables}");
        let new = house.ask(&Caller::SPECTATOR, &format!("{text} # {variables}"), variables).await;
        assert_eq!(told(answer), told(new));
        house.ask(&Caller::SPECTATOR, text, right.clone()).await.ok();
    }
}

#[tokio::test]
async fn the_price_is_that_of_the_values_that_are_sent() {
    let house = House::new();
    let text = "query($n: Int) { games(first: $n) { nodes { moves(first: $n) { nodes { game { position { text scene { status } } } } } } } }";
    for _ in 0..4 {
        house.ask(&Caller::SPECTATOR, text, json!({ "n": 1 })).await.ok();
    }
    let dear = house.ask(&Caller::SPECTATOR, text, json!({ "n": 500 })).await;
    assert_eq!(dear.code(), "TOO_COMPLEX");
    let new = house.ask(&Caller::SPECTATOR, &format!("{text} #"), json!({ "n": 500 })).await;
    assert_eq!(told(dear), told(new));
    house.ask(&Caller::SPECTATOR, text, json!({ "n": 1 })).await.ok();
}

#[tokio::test]
async fn of_several_operations_the_one_named_is_executed_each_time() {
    let house = House::new();
    let text = "query A($k: String!) { ruleSet(kind: $k) { kind } } query B { rules { minSeats } }";
    for _ in 0..4 {
        for (name, field) in [("A", "ruleSet"), ("B", "rules")] {
            let request = crate::house::request(&Caller::SPECTATOR, text, json!({ "k": "triangulate" }));
            let answer = Answer::of(&house.schema.execute(request.operation_name(name)).await);
            assert!(answer.ok().get(field).is_some(), "{name}");
        }
        let request = crate::house::request(&Caller::SPECTATOR, text, json!({ "k": "triangulate" }));
        let unnamed = Answer::of(&house.schema.execute(request).await);
        assert_eq!(unnamed.says(), "Operation name required in request.");
    }
}

#[tokio::test]
async fn a_subscription_that_was_opened_before_sends_the_same() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let text = "subscription($g: ID!) { gameEvents(game: $g) { seq type } }";
    for _ in 0..4 {
        let mut events = house.follow(&Caller::SPECTATOR, text, json!({ "g": game }));
        assert_eq!(next(&mut events).await.ok()["gameEvents"]["type"], "created");
        let mut refused = house.follow(&Caller::SPECTATOR, text, json!({ "g": 1.5 }));
        assert!(!next(&mut refused).await.errors.is_empty());
    }
}

#[actix_web::test]
async fn a_mutation_that_is_known_begins_in_the_lane_where_it_belongs() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let metrics = Metrics::new();
    let identify = |token: Option<&str>| Ok(token.map_or(Caller::SPECTATOR, |_| Caller::ADMIN));
    let gate = Gate::new(house.schema.clone(), identify, Limits::default(), metrics.clone());
    let app = init_service(app(Site::new(gate, Doors::default(), || Readiness::Ready), |_| {})).await;
    let waits = |lane: &str| -> u64 {
        let count = format!("plybook_lane_wait_seconds_count{{lane=\"{lane}\"}} ");
        metrics.text().lines().find_map(|line| line.strip_prefix(&count)).unwrap().parse().unwrap()
    };
    let text = "mutation($g: ID!, $t: String!) { annotate(game: $g, ply: 0, comment: $t) { ply } }";
    for (sent, cheap, writing) in [(1, 1, 1), (2, 2, 2), (3, 2, 3), (4, 2, 4)] {
        let body = json!({ "query": text, "variables": { "g": game, "t": sent.to_string() } });
        let request = TestRequest::post().uri("/graphql").insert_header(("authorization", "Bearer x")).set_json(body);
        let answer: Value =
            serde_json::from_slice(&read_body(call_service(&app, request.to_request()).await).await).unwrap();
        assert!(answer.get("errors").is_none(), "{answer}");
        assert_eq!((waits("cheap"), waits("writing")), (cheap, writing), "after {sent}");
    }
}
