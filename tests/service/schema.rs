//! The schema: it has what clients rely on, is documented, and limits the cost of queries.

use std::collections::{BTreeMap, BTreeSet};

use plybook_api::access::Caller;
use serde_json::{Value, json};

use crate::house::{Dice, House, text};

const CONTRACT: &str = include_str!("contract.txt");

/// The standard introspection query, as graphql-js sends it.
const INTROSPECTION: &str = "query IntrospectionQuery { __schema { description queryType { name } mutationType { name } subscriptionType { name } types { ...FullType } directives { name description isRepeatable locations args(includeDeprecated: true) { ...InputValue } } } } \
    fragment FullType on __Type { kind name description specifiedByURL fields(includeDeprecated: true) { name description args(includeDeprecated: true) { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields(includeDeprecated: true) { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } } \
    fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue isDeprecated deprecationReason } \
    fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }";

async fn types() -> Vec<Value> {
    let house = House::new();
    let told = house.ask(&Caller::SPECTATOR, INTROSPECTION, json!({})).await.ok();
    let types = told["__schema"]["types"].as_array().unwrap().clone();
    types.into_iter().filter(|found| !text(&found["name"]).starts_with("__")).collect()
}

fn written(reference: &Value) -> String {
    match reference["kind"].as_str() {
        Some("NON_NULL") => written(&reference["ofType"]) + "!",
        Some("LIST") => format!("[{}]", written(&reference["ofType"])),
        _ => text(&reference["name"]),
    }
}

fn members<'a>(of: &'a Value, name: &str) -> &'a [Value] {
    of[name].as_array().map_or(&[], Vec::as_slice)
}

#[tokio::test]
async fn the_schema_has_what_clients_rely_on() {
    let mut fields: BTreeMap<String, (String, BTreeMap<String, String>)> = BTreeMap::new();
    let mut values: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for found in types().await {
        let name = text(&found["name"]);
        for field in members(&found, "fields").iter().chain(members(&found, "inputFields")) {
            let arguments = members(field, "args")
                .iter()
                .map(|argument| (text(&argument["name"]), written(&argument["type"])))
                .collect();
            fields.insert(format!("{name}.{}", text(&field["name"])), (written(&field["type"]), arguments));
        }
        values.insert(name, members(&found, "enumValues").iter().map(|value| text(&value["name"])).collect());
    }
    let mut missing = Vec::new();
    for line in CONTRACT.lines().filter(|line| !line.starts_with('#')) {
        if let Some((name, expected)) = line.split_once(" = ") {
            let expected: BTreeSet<String> = expected.split(' ').map(str::to_owned).collect();
            if values.get(name) != Some(&expected) {
                missing.push(format!("{line}, found {:?}", values.get(name)));
            }
            continue;
        }
        let (field, expected) = line.rsplit_once(": ").unwrap();
        let (field, arguments) = field.split_once('(').unwrap_or((field, ")"));
        let Some((found, found_arguments)) = fields.get(field) else {
            missing.push(line.to_owned());
            continue;
        };
        let arguments: BTreeMap<String, String> = arguments
            .trim_end_matches(')')
            .split(", ")
            .filter_map(|argument| argument.split_once(": "))
            .map(|(name, of)| (name.to_owned(), of.to_owned()))
            .collect();
        let more_required = found_arguments.iter().any(|(name, of)| !arguments.contains_key(name) && of.ends_with('!'));
        let fits = arguments.iter().all(|(name, of)| found_arguments.get(name) == Some(of));
        // A field that is never null suits clients that allow for null.
        let is_right = found == expected || found.trim_end_matches('!') == expected;
        if !is_right || !fits || more_required {
            missing.push(format!("{line}, found {field}{found_arguments:?}: {found}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Everything of ours is documented; fields that Relay and GraphQL name in the same way everywhere need not
/// be.
#[tokio::test]
async fn everything_is_described() {
    let builtin = ["Boolean", "Float", "ID", "Int", "String"];
    let mut silent = Vec::new();
    for found in types().await {
        let name = text(&found["name"]);
        if builtin.contains(&name.as_str()) {
            continue;
        }
        let mut check = |what: String, found: &Value| {
            if found["description"].as_str().is_none_or(|description| description.trim().is_empty()) {
                silent.push(what);
            }
        };
        check(name.clone(), &found);
        for list in ["fields", "inputFields", "enumValues"] {
            for member in members(&found, list) {
                check(format!("{name}.{}", text(&member["name"])), member);
                for argument in members(member, "args") {
                    check(format!("{name}.{}({})", text(&member["name"]), text(&argument["name"])), argument);
                }
            }
        }
        if found["kind"] == "SCALAR" {
            assert!(found["specifiedByURL"].is_string(), "{name} has no URL that specifies it");
        }
    }
    assert!(silent.is_empty(), "not described: {silent:?}");
}

#[tokio::test]
async fn the_viewers_queries_are_allowed() {
    let house = House::new();
    let id = house.create("tri").await;
    house.play(&id, 120, &mut Dice(1)).await;
    let (player, opponent) = (house.player("Ada").await, house.player("Bela").await);
    house
        .ask(&Caller::ADMIN, "mutation($g: ID!) { analyze(game: $g, playouts: 1) { state } }", json!({ "g": id }))
        .await
        .ok();
    let game =
        house.get("query($g: ID!) { game(id: $g) { position(ply: 3) { positionKey } } }", json!({ "g": id })).await;
    let key = &game["game"]["position"]["positionKey"];
    let viewer = ["queries", "list-queries", "figure-queries"]
        .map(|name| {
            let path = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../web-viewer/model/{}.js"), name);
            std::fs::read_to_string(path).unwrap()
        })
        .concat();
    // What several queries share is a constant of its own.
    let constants = viewer.lines().rev().filter_map(|line| {
        let (name, text) = line.trim_start_matches("export ").strip_prefix("const ")?.split_once(" = ")?;
        Some((format!("${{{name}}}"), text.strip_suffix(';')?.trim_matches(['`', '\''])))
    });
    let viewer = constants.fold(viewer.clone(), |viewer, (name, text)| viewer.replace(&name, text));
    let queries: Vec<&str> = viewer
        .split(['`', '\''])
        .filter(|text| ["query ", "subscription "].iter().any(|start| text.starts_with(start)))
        .collect();
    assert!(queries.len() >= 10, "{} queries", queries.len());
    for query in queries {
        // Evaluations are for players and recorders.
        let who = if query.contains(" evaluate(") { &Caller::ADMIN } else { &Caller::SPECTATOR };
        let variables = json!({ "playouts": 1, "base": "https://plybook.example", "id": id, "ids": [id], "from": 0, "to": 99, "first": if query.contains(" moves(") { 500 } else { 25 }, "kind": "tri", "name": "a", "seq": 0, "provisional": true, "format": "JSON", "what": "visits", "player": player, "opponent": opponent, "ply": 3, "key": key, "actions": [], "where": "ply = 3", "after": if query.starts_with("sub") { json!(-1) } else { json!(null) } });
        if query.starts_with("subscription") {
            crate::house::next(&mut house.follow(&Caller::SPECTATOR, query, variables)).await.ok();
        } else {
            let answer = house.ask(who, query, variables).await;
            // This service keeps no transparency log.
            if !query.contains("checkpoint") {
                answer.ok();
            }
        }
    }
}

#[tokio::test]
async fn large_requests_pass_and_absurd_ones_do_not() {
    let house = House::new();
    let id = house.create("triangulate").await;
    let all = "ply position positionKey toAct legalActions prompts { seat kind description schema example dice { seat dice } } scene text outcome { winners ranking reason decidedBy details }";
    for query in [
        format!("query($g: ID!) {{ game(id: $g) {{ positions {{ {all} }} }} }}"),
        "query($g: ID!) { game(id: $g) { moves(first: 500) { nodes { ply seq by action text at elapsedMs comment glyphs positionKey } } } }".to_owned(),
        "query($g: ID!) { game(id: $g) { id } games(first: 500) { nodes { id kind status ply createdAt seats { name result } outcome { winners reason } } } }".to_owned(),
    ] {
        house.ask(&Caller::SPECTATOR, &query, json!({ "g": id })).await.ok();
    }
    for query in [
        "{ games(first: 500) { nodes { moves(first: 500) { nodes { ply } } } } }",
        "{ games(first: 100) { nodes { positions { scene } } } }",
        "{ games(first: 500) { nodes { moves(first: 200) { nodes { text positionKey } } } } }",
        "{ games(first: 500) { nodes { positions(from: 0, to: 99) { scene } } } }",
        "{ players(first: 500) { nodes { games(first: 500) { nodes { id } } } } }",
        "subscription($g: ID!) { gameUpdated(game: $g) { branches(first: 500) { nodes { positions { scene } } } } }",
    ] {
        let answer = if query.starts_with("sub") {
            crate::house::next(&mut house.follow(&Caller::SPECTATOR, query, json!({ "g": id }))).await
        } else {
            house.ask(&Caller::SPECTATOR, query, json!({})).await
        };
        assert_eq!(answer.code(), "TOO_COMPLEX", "{query}");
        let told = &answer.errors[0]["extensions"];
        assert!(told["cost"].as_u64() > told["limit"].as_u64(), "{query}: {told}");
    }
}

#[tokio::test]
async fn lists_of_types_within_each_other_have_an_end() {
    let house = House::new();
    let twice = |inner: String, _| {
        format!("{{ one: interfaces {{ possibleTypes {inner} }} two: interfaces {{ possibleTypes {inner} }} }}")
    };
    let nested = (0..6).fold("{ name }".to_owned(), twice);
    let answer = house.ask(&Caller::SPECTATOR, &format!("{{ __schema {{ types {nested} }} }}"), json!({})).await;
    assert!(answer.errors.iter().all(|error| error["extensions"]["code"] == "TOO_COMPLEX"), "{:?}", answer.errors);
    assert_eq!((answer.errors.is_empty(), &answer.data["__schema"]), (false, &Value::Null));
}
