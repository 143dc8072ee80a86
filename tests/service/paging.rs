//! Paging lists every game once and in order, even while games are added; and the filters of games.

use std::collections::BTreeSet;

use plybook_api::access::Caller;
use serde_json::{Value, json};

use crate::house::{Dice, House, kind_names, kinds, seats_of, text};

const ORDERS: [&str; 5] = ["CREATED_DESC", "CREATED_ASC", "FINISHED_DESC", "PLY_DESC", "PLY_ASC"];

/// Games of all kinds with four players, tags and rounds; finished, running and void.
async fn many(house: &House, games: usize) -> Vec<String> {
    let mut players = Vec::new();
    for name in ["Ada", "Bela", "Chiara", "Deniz"] {
        players.push(house.player(name).await);
    }
    let mut dice = Dice(9);
    let kinds = kind_names();
    for n in 0..games {
        let kind = kinds[n % kinds.len()];
        let seat =
            |seat: u8| if seat < 2 { json!({ "player": players[(n + usize::from(seat)) % 4] }) } else { json!({}) };
        let seats: Vec<Value> = (0..seats_of(kind)).map(seat).collect();
        let tags = if n % 3 == 0 { json!({ "event": "Open", "board": n }) } else { json!({}) };
        let id = house.create_as(json!({ "kind": kind, "seats": seats, "round": n % 4 + 1, "tags": tags })).await;
        house.play(&id, dice.below(8) as usize, &mut dice).await;
        let end = match n % 5 {
            0 => "adjudicate(game: $g, input: { winners: [1], reason: \"forfeit\" })",
            1 => "adjudicate(game: $g, input: { winners: [], reason: \"agreed\" })",
            2 => "voidGame(game: $g, reason: \"r\")",
            _ => continue,
        };
        house.ask(&Caller::ADMIN, &format!("mutation($g: ID!) {{ {end} {{ id }} }}"), json!({ "g": id })).await;
    }
    players
}

async fn page(house: &House, filter: &Value, order: &str, arguments: Value) -> Value {
    let query = "query($f: GameFilter, $o: GameOrder, $first: Int, $after: String, $last: Int, $before: String) { games(filter: $f, orderBy: $o, first: $first, after: $after, last: $last, before: $before) { totalCount edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }";
    let mut variables = arguments;
    variables["f"] = filter.clone();
    variables["o"] = json!(order);
    house.get(query, variables).await["games"].clone()
}

fn ids(page: &Value) -> Vec<String> {
    let ids: Vec<_> = page["nodes"].as_array().unwrap().iter().map(|node| text(&node["id"])).collect();
    let edges: Vec<_> = page["edges"].as_array().unwrap().iter().map(|edge| text(&edge["node"]["id"])).collect();
    assert_eq!(ids, edges);
    ids
}

#[tokio::test]
async fn pages_have_every_game_once_while_games_are_added() {
    let house = House::new();
    many(&house, 40).await;
    for order in ORDERS {
        for size in [1, 3, 7, 100] {
            for is_forward in [true, false] {
                let at_start = page(&house, &json!({}), order, json!({ "first": 500 })).await;
                let expected = ids(&at_start);
                let (mut seen, mut cursor): (Vec<String>, Value) = (Vec::new(), Value::Null);
                for turn in 0.. {
                    assert!(turn < 200, "it never ends");
                    let asked = if is_forward {
                        json!({ "first": size, "after": cursor })
                    } else {
                        json!({ "last": size, "before": cursor })
                    };
                    let got = page(&house, &json!({}), order, asked).await;
                    let found = ids(&got);
                    assert!(found.len() <= size);
                    let (more, next) =
                        if is_forward { ("hasNextPage", "endCursor") } else { ("hasPreviousPage", "startCursor") };
                    cursor = got["pageInfo"][next].clone();
                    if is_forward {
                        seen.extend(found)
                    } else {
                        seen.splice(0..0, found).for_each(drop)
                    }
                    if got["pageInfo"][more] == false {
                        break;
                    }
                    if turn % 4 == 1 && turn < 10 {
                        house.create("triangulate").await;
                    }
                }
                let known: BTreeSet<_> = expected.iter().collect();
                let old: Vec<_> = seen.iter().filter(|id| known.contains(id)).cloned().collect();
                assert_eq!(old, expected, "{order}, {size} a page, forward {is_forward}");
                assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), seen.len(), "no game comes twice");
            }
        }
    }
}

#[tokio::test]
async fn orders_are_what_they_say() {
    let house = House::new();
    many(&house, 30).await;
    for order in ORDERS {
        let query = format!("{{ games(first: 500, orderBy: {order}) {{ nodes {{ createdAt finishedAt ply }} }} }}");
        let nodes = house.get(&query, json!({})).await["games"]["nodes"].as_array().unwrap().clone();
        let sorted = |key: &dyn Fn(&Value) -> (bool, String, u64), up: bool| {
            nodes.windows(2).all(|two| if up { key(&two[0]) <= key(&two[1]) } else { key(&two[0]) >= key(&two[1]) })
        };
        let created = |node: &Value| (true, text(&node["createdAt"]), 0);
        let finished = |node: &Value| {
            (node["finishedAt"].is_string(), node["finishedAt"].as_str().unwrap_or_default().to_owned(), 0)
        };
        let ply = |node: &Value| (true, String::new(), node["ply"].as_u64().unwrap());
        assert!(
            match order {
                "CREATED_DESC" => sorted(&created, false),
                "CREATED_ASC" => sorted(&created, true),
                "FINISHED_DESC" => sorted(&finished, false),
                "PLY_DESC" => sorted(&ply, false),
                _ => sorted(&ply, true),
            },
            "{order}: {nodes:?}"
        );
    }
}

/// Every filter, and pairs of them, compared with examining every game.
#[tokio::test]
async fn filters_agree_with_examining_every_game() {
    let house = House::new();
    let players = many(&house, 45).await;
    let query = "query($f: GameFilter) { games(filter: $f, first: 500, orderBy: CREATED_ASC) { nodes { id kind status createdAt ply tags round setup outcome { winners reason } seats { number player { id } result } } } }";
    let mut games = house.get(query, json!({})).await["games"]["nodes"].as_array().unwrap().clone();
    // Void games in which nobody acted are listed only if void ones are asked for.
    let never_was = |game: &Value| game["status"] == "VOID" && game["ply"] == 0;
    assert!(!games.iter().any(never_was));
    let void =
        house.get(query, json!({ "f": { "status": "VOID" } })).await["games"]["nodes"].as_array().unwrap().clone();
    games.extend(void.into_iter().filter(never_was));
    games.sort_by_key(|game| (text(&game["createdAt"]), text(&game["id"])));
    let times: Vec<String> = games.iter().map(|game| text(&game["createdAt"])).collect();
    let sits = |game: &Value, id: &str| game["seats"].as_array().unwrap().iter().any(|seat| seat["player"]["id"] == id);
    type Accept<'a> = Box<dyn Fn(&Value) -> bool + 'a>;
    let mut filters: Vec<(Value, Accept<'_>)> = vec![
        (json!({}), Box::new(|_| true)),
        (json!({ "origin": "RECORDED" }), Box::new(|_| true)),
        (json!({ "origin": "ANALYSIS" }), Box::new(|_| false)),
        (json!({ "reason": "forfeit" }), Box::new(|game| game["outcome"]["reason"] == "forfeit")),
        (json!({ "minPly": 3 }), Box::new(|game| game["ply"].as_u64().unwrap() >= 3)),
        (json!({ "maxPly": 4 }), Box::new(|game| game["ply"].as_u64().unwrap() <= 4)),
        (json!({ "minPly": 3, "maxPly": 2 }), Box::new(|_| false)),
        (json!({ "since": times[20] }), Box::new(|game| text(&game["createdAt"]) >= times[20])),
        (json!({ "until": times[20] }), Box::new(|game| text(&game["createdAt"]) < times[20])),
        (json!({ "since": times[30], "until": times[10] }), Box::new(|_| false)),
        (json!({ "tags": ["event"] }), Box::new(|game| game["tags"].get("event").is_some())),
        (json!({ "tags": ["event=Open"] }), Box::new(|game| game["tags"]["event"] == "Open")),
        (json!({ "tags": ["board=12"] }), Box::new(|game| game["tags"]["board"] == 12)),
        (json!({ "tags": ["event=Closed"] }), Box::new(|_| false)),
        (json!({ "tournament": crate::house::nobody() }), Box::new(|_| false)),
        (
            json!({ "players": [players[0], players[1]] }),
            Box::new(|game| sits(game, &players[0]) && sits(game, &players[1])),
        ),
        (
            json!({ "player": players[1], "seat": 2 }),
            Box::new(|game| game["seats"][1]["player"]["id"] == json!(players[1])),
        ),
        (
            json!({ "winner": players[2] }),
            Box::new(|game| {
                game["seats"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|seat| seat["player"]["id"] == json!(players[2]) && seat["result"] == "WIN")
            }),
        ),
        (
            json!({ "setup": games[0]["setup"] }),
            Box::new(|game| {
                games[0]["setup"].as_object().unwrap().iter().all(|(key, value)| game["setup"].get(key) == Some(value))
            }),
        ),
    ];
    for rules in kinds() {
        let kind = rules.about().kind;
        filters.push((json!({ "kind": kind }), Box::new(move |game| game["kind"] == kind)));
    }
    for status in ["RUNNING", "FINISHED", "VOID"] {
        filters.push((json!({ "status": status }), Box::new(move |game| game["status"] == status)));
    }
    for id in &players {
        filters.push((json!({ "player": id }), Box::new(move |game| sits(game, id))));
    }
    let mut found_some = 0;
    for (first, accepts_first) in &filters {
        for (second, accepts_second) in &filters {
            let mut both = first.as_object().unwrap().clone();
            if second
                .as_object()
                .unwrap()
                .keys()
                .any(|key| both.contains_key(key) || key.starts_with("player") || key == "seat")
                && first != second
            {
                continue;
            }
            both.extend(second.as_object().unwrap().clone());
            let expected: Vec<_> = games
                .iter()
                .filter(|game| accepts_first(game) && accepts_second(game))
                .filter(|game| both.contains_key("status") || !never_was(game))
                .map(|game| text(&game["id"]))
                .collect();
            let got = page(&house, &json!(both), "CREATED_ASC", json!({ "first": 500 })).await;
            assert_eq!(ids(&got), expected, "{both:?}");
            assert_eq!(got["totalCount"], expected.len());
            found_some += usize::from(!expected.is_empty());
        }
    }
    assert!(found_some > 50, "only {found_some} filters found anything");
    let unknown = house.ask(&Caller::ADMIN, "{ games(filter: { kind: \"chess\" }) { totalCount } }", json!({})).await;
    assert_eq!(unknown.code(), "BAD_INPUT");
}

#[tokio::test]
async fn moves_and_events_are_paged_both_ways() {
    let house = House::new();
    let id = house.create("tri").await;
    house.play(&id, 30, &mut Dice(2)).await;
    for (field, key) in [("moves", "ply"), ("events", "seq")] {
        let all = house
            .get(
                &format!(
                    "query($id: ID!) {{ game(id: $id) {{ {field}(first: 500) {{ totalCount nodes {{ {key} }} }} }} }}"
                ),
                json!({ "id": id }),
            )
            .await;
        let all = all["game"][field].clone();
        let numbers = |connection: &Value| {
            connection["nodes"].as_array().unwrap().iter().map(|node| node[key].as_u64().unwrap()).collect::<Vec<_>>()
        };
        let first = u64::from(field == "moves");
        assert_eq!(numbers(&all), (first..first + all["totalCount"].as_u64().unwrap()).collect::<Vec<_>>());
        for is_forward in [true, false] {
            let (mut seen, mut cursor) = (Vec::new(), Value::Null);
            loop {
                let arguments = if is_forward { "first: 7, after: $c" } else { "last: 7, before: $c" };
                let query = format!(
                    "query($id: ID!, $c: String) {{ game(id: $id) {{ {field}({arguments}) {{ nodes {{ {key} }} pageInfo {{ hasNextPage hasPreviousPage startCursor endCursor }} }} }} }}"
                );
                let got = house.get(&query, json!({ "id": id, "c": cursor })).await["game"][field].clone();
                let (more, next) =
                    if is_forward { ("hasNextPage", "endCursor") } else { ("hasPreviousPage", "startCursor") };
                cursor = got["pageInfo"][next].clone();
                if is_forward {
                    seen.extend(numbers(&got))
                } else {
                    seen.splice(0..0, numbers(&got)).for_each(drop)
                }
                if got["pageInfo"][more] == false {
                    break;
                }
            }
            assert_eq!(seen, numbers(&all), "{field}");
        }
    }
}
