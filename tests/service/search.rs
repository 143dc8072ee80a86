//! Searching for positions, compared with folding every game.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use plybook_api::access::Caller;
use plybook_events::Actor;
use plybook_rules::Viewer;
use plybook_rules::log::word;
use serde_json::{Value, json};

use crate::house::{Dice, House, kind_names, seats_of, text};

const SEARCH: &str = "query($k: String!, $w: String!, $f: GameFilter, $n: Int, $a: String) { \
    search(kind: $k, where: $w, filter: $f, first: $n, after: $a) { \
    total games pending results { wins draws other } actions(first: 200) { key count } \
    hits { ply action cursor game { id } position { ply } } \
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor } searched { games positions end } } }";

/// Some games of a kind: over, running, void; and one that starts from a position of the first.
async fn games(house: &House, kind: &str) -> Vec<String> {
    let mut ids = Vec::new();
    for n in 0..12 {
        let id = house.create(kind).await;
        house.play_on(&id, 3 + 3 * (n % 4), &mut Dice(n as u64)).await;
        let change = match n % 4 {
            0 => "adjudicate(game: $g, input: { winners: [1], reason: \"a\" })",
            1 => "adjudicate(game: $g, input: { winners: [], reason: \"b\" })",
            2 => "voidGame(game: $g, reason: \"v\")",
            _ => "takeBack(game: $g, toPly: 2, reason: \"r\")",
        };
        let change = format!("mutation($g: ID!) {{ {change} {{ id }} }}");
        house.ask(&Caller::ADMIN, &change, json!({ "g": id })).await;
        ids.push(id);
    }
    let first = house.service.game(ids[0].parse().unwrap()).unwrap().replay();
    let position = first.position_at(2).unwrap().to_json(Viewer::All);
    let seats = vec![json!({}); usize::from(seats_of(kind))];
    let set_up = json!({ "kind": kind, "setup": first.setup(), "position": position, "seats": seats, "open": true });
    let id = house.create_as(set_up).await;
    house.play_on(&id, 5, &mut Dice(1)).await;
    ids.push(id);
    ids
}

/// The positions of the games that count, newest games first, in which `holds` is true of the ply, the number of legal
/// actions and whether seat 1 is to act; with what was played next.
fn folded(house: &House, ids: &[String], holds: impl Fn(usize, usize, bool) -> bool) -> Vec<(String, usize, Value)> {
    let mut found = Vec::new();
    for id in ids.iter().rev() {
        let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
        if replay.status() == plybook_rules::log::Status::Void || !replay.is_open() {
            continue;
        }
        for ply in 0..=replay.mainline().len() {
            let position = replay.position_at(ply).unwrap();
            if holds(ply, position.branching(), position.to_act().contains(Actor::Seat(1))) {
                let next = replay.mainline().get(ply);
                let next = next.map(|done| word(replay.rules().about(), done.actor, &done.action));
                found.push((id.clone(), ply, json!(next)));
            }
        }
    }
    found
}

fn listed(found: &Value) -> Vec<(String, usize, Value)> {
    let hits = found["hits"].as_array().unwrap().iter();
    hits.map(|hit| (text(&hit["game"]["id"]), hit["ply"].as_u64().unwrap() as usize, hit["action"].clone())).collect()
}

/// Whether a predicate holds, by the ply, the mobility, and whether seat 1 is to act.
type Holds = dyn Fn(usize, usize, bool) -> bool;

#[tokio::test]
async fn a_search_agrees_with_the_games() {
    for kind in kind_names() {
        let house = House::new();
        let ids = games(&house, kind).await;
        let cases: [(&str, &Holds); 7] = [
            ("ply >= 0", &|_, _, _| true),
            ("ply = 1 or ply = 4", &|ply, _, _| ply == 1 || ply == 4),
            ("mobility > 10 and not toAct(1)", &|_, mobility, first| mobility > 10 && !first),
            ("first: ply > 2", &|ply, _, _| ply == 3),
            ("ply >= 6", &|ply, _, _| ply >= 6),
            ("ply > 400", &|_, _, _| false),
            ("ply = 1 then within 2: mobility", &|ply, mobility, _| (ply == 2 || ply == 3) && mobility > 0),
        ];
        let mut all = None;
        for (predicate, holds) in cases {
            let wanted = folded(&house, &ids, holds);
            let found = house.get(SEARCH, json!({ "k": kind, "w": predicate, "n": 500 })).await["search"].clone();
            assert_eq!(listed(&found), wanted, "{kind}: {predicate}");
            assert_eq!((&found["total"], &found["pending"]), (&json!(wanted.len()), &json!(0)));
            assert_eq!((&found["searched"]["end"], &found["pageInfo"]["hasNextPage"]), (&Value::Null, &json!(false)));
            assert_eq!(
                &found["searched"]["positions"],
                all.get_or_insert(found["searched"]["positions"].clone()),
                "passed over or not"
            );
            let mut games: Vec<&str> = wanted.iter().map(|(id, ..)| id.as_str()).collect();
            games.dedup();
            assert_eq!(found["games"], games.len());
            let results = &found["results"];
            let sum = |of: &Value| of.as_array().map_or(of.as_u64(), |all| all.iter().map(Value::as_u64).sum());
            let counted: Option<u64> = ["wins", "draws", "other"].iter().map(|of| sum(&results[of])).sum();
            assert_eq!(counted, Some(games.len() as u64), "{results}");
            let mut actions: BTreeMap<String, u64> = BTreeMap::new();
            wanted
                .iter()
                .filter_map(|(.., next)| next.as_str())
                .for_each(|next| *actions.entry(next.into()).or_default() += 1);
            let told = found["actions"].as_array().unwrap();
            assert!(told.windows(2).all(|pair| pair[0]["count"].as_u64() >= pair[1]["count"].as_u64()), "{told:?}");
            let told: BTreeMap<String, u64> =
                told.iter().map(|one| (text(&one["key"]), one["count"].as_u64().unwrap())).collect();
            assert_eq!(told, actions);
            let plies = |hit: &Value| hit["position"]["ply"] == hit["ply"];
            assert!(found["hits"].as_array().unwrap().iter().all(plies));
        }
        if kind == "triangulate" {
            let filter = json!({ "k": kind, "w": "ply = 0", "f": { "reason": "b" } });
            let found = house.get(SEARCH, filter).await["search"].clone();
            assert_eq!((&found["total"], &found["results"]["draws"]), (&json!(3), &json!(3)), "{found}");
            let void = json!({ "k": kind, "w": "ply = 0", "f": { "status": "VOID" } });
            assert_eq!(house.get(SEARCH, void).await["search"]["total"], 3);
        }
    }
}

/// The measures of the games with a hit are those that each of them has alone, and for all games those of statistics.
#[tokio::test]
async fn measures_are_those_of_the_games_with_a_hit() {
    let measures = "measures { name description value distribution { count min max mean median p10 p90 histogram { key count } } }";
    for kind in kind_names() {
        let house = House::new();
        games(&house, kind).await;
        let query = format!(
            "query($k: String!, $w: String!, $f: GameFilter, $n: Int) {{ \
             search(kind: $k, where: $w, filter: $f, first: $n) {{ {measures} games \
             hits {{ game {{ id }} }} }} }}"
        );
        let figures = "query($g: ID!) { game(id: $g) { figures { measures { name value } } } }";
        for (predicate, hits) in [("ply >= 6", 500), ("ply >= 6", 1), ("ply > 400", 500)] {
            let asked = json!({ "k": kind, "w": predicate, "n": hits });
            let found = house.get(&query, asked).await["search"].clone();
            if hits == 1 {
                let all = house.get(&query, json!({ "k": kind, "w": predicate, "n": 500 })).await["search"].clone();
                assert_eq!(found["measures"], all["measures"], "{kind}: whatever is listed");
                continue;
            }
            let mut each: BTreeMap<String, Value> = BTreeMap::new();
            for hit in found["hits"].as_array().unwrap() {
                let id = text(&hit["game"]["id"]);
                if let Entry::Vacant(place) = each.entry(id) {
                    let own =
                        house.get(figures, json!({ "g": place.key() })).await["game"]["figures"]["measures"].clone();
                    place.insert(own);
                }
            }
            assert_eq!(found["games"], each.len());
            for (index, measure) in found["measures"].as_array().unwrap().iter().enumerate() {
                let own = each.values().map(|measures| &measures[index]);
                assert!(own.clone().all(|one| one["name"] == measure["name"]), "{kind}: {measure}");
                let values: Vec<f64> = own.filter_map(|one| one["value"].as_f64()).collect();
                if values.is_empty() {
                    assert_eq!((&measure["value"], &measure["distribution"]), (&Value::Null, &Value::Null), "{kind}");
                    continue;
                }
                let told = |of: &str| measure["distribution"][of].as_f64().unwrap();
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let (least, most) =
                    (values.iter().copied().fold(f64::MAX, f64::min), values.iter().copied().fold(f64::MIN, f64::max));
                // Numbers are not read as exactly as they are written.
                let is_near = |of: &str, expected: f64| (told(of) - expected).abs() < 1e-9;
                assert!(
                    told("count") == values.len() as f64 && is_near("min", least) && is_near("max", most),
                    "{kind}: {measure}"
                );
                assert!(is_near("mean", mean) && measure["value"] == measure["distribution"]["mean"], "{measure}");
            }
        }
        let finished = json!({ "k": kind, "w": "ply >= 0", "f": { "status": "FINISHED" }, "n": 0 });
        let found = house.get(&query, finished.clone()).await["search"]["measures"].clone();
        let statistics =
            format!("query($k: String!, $f: GameFilter) {{ statistics(kind: $k, filter: $f) {{ {measures} }} }}");
        assert_eq!(found, house.get(&statistics, finished).await["statistics"]["measures"], "{kind}");
        assert!(found[0]["distribution"]["count"].as_u64() > Some(0), "{kind}: {found}");
    }
}

/// Pages of any size, one after another, list the same positions.
#[tokio::test]
async fn pages_follow_each_other_within_and_between_games() {
    let house = House::new();
    let ids = games(&house, "tri").await;
    let wanted = folded(&house, &ids, |ply, _, _| ply != 1);
    for size in [1, 2, 7, 40] {
        let (mut after, mut hits, mut pages) = (Value::Null, Vec::new(), 0);
        loop {
            let page = json!({ "k": "tri", "w": "ply != 1", "n": size, "a": after });
            let found = house.get(SEARCH, page).await["search"].clone();
            let listed = listed(&found);
            assert_eq!(found["pageInfo"]["hasPreviousPage"], pages > 0);
            assert_eq!(found["total"], wanted.len() - hits.len(), "those after the cursor");
            hits.extend(listed);
            after = found["pageInfo"]["endCursor"].clone();
            pages += 1;
            if found["pageInfo"]["hasNextPage"] != true {
                break;
            }
        }
        assert_eq!(hits, wanted, "{size}");
        assert_eq!(pages, wanted.len().div_ceil(size));
    }
    // Without counts, a page stops when it is full, and the next one goes on there.
    let few = "query($a: String) { search(kind: \"tri\", where: \"ply != 1\", first: 2, after: $a) { \
        hits { ply game { id } } pageInfo { hasNextPage endCursor } } }";
    let (mut after, mut hits) = (Value::Null, 0);
    loop {
        let found = house.get(few, json!({ "a": after })).await["search"].clone();
        hits += found["hits"].as_array().unwrap().len();
        after = found["pageInfo"]["endCursor"].clone();
        if found["pageInfo"]["hasNextPage"] != true {
            break;
        }
    }
    assert_eq!(hits, wanted.len());
}

/// A game with secrets is searched once it is over, and no longer when it goes on.
#[tokio::test]
async fn running_games_with_secrets_are_not_searched() {
    let house = House::new();
    for kind in kind_names() {
        if !plybook_example::kind(kind).unwrap().about().secrets {
            continue;
        }
        let id = house.create(kind).await;
        house.play_on(&id, 4, &mut Dice(2)).await;
        let search = async || house.get(SEARCH, json!({ "k": kind, "w": "ply >= 0" })).await["search"].clone();
        let nothing = |found: &Value| {
            assert_eq!((&found["total"], &found["searched"]["positions"]), (&json!(0), &json!(0)), "{kind}: {found}");
            assert_eq!(found["actions"], json!([]));
        };
        nothing(&search().await);
        let ruling = "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"a\" }) { id } }";
        house.get(ruling, json!({ "g": id })).await;
        assert_eq!(search().await["total"], 5, "{kind}");
        house.get("mutation($g: ID!) { reopenGame(game: $g, reason: \"r\") { id } }", json!({ "g": id })).await;
        nothing(&search().await);
    }
}

#[tokio::test]
async fn invalid_searches_are_refused_with_the_place() {
    let house = House::new();
    let ask = async |kind: &str, predicate: &str, more: &str| {
        let query = format!("query($k: String!, $w: String!) {{ search(kind: $k, where: $w{more}) {{ total }} }}");
        house.ask(&Caller::SPECTATOR, &query, json!({ "k": kind, "w": predicate })).await
    };
    let wrong = ask("tri", "ply > 2 and iland(1) > 3", "").await;
    assert_eq!(wrong.code(), "BAD_INPUT");
    assert_eq!(wrong.says(), "`where`: column 13: tri has no fact `iland`; there is islands");
    for (kind, predicate, more) in [
        ("chess", "ply", ""),
        ("tri", "", ""),
        ("tri", "ply", ", filter: { kind: \"thrones\" }"),
        ("tri", "ply", ", filter: { origin: ANALYSIS }"),
        ("tri", "ply", ", first: 501"),
        ("tri", "ply", ", after: \"MTIz\""),
        ("tri", "ply", ", after: \"é\""),
    ] {
        assert_eq!(ask(kind, predicate, more).await.code(), "BAD_INPUT", "{kind} {predicate} {more}");
    }
    assert_eq!(ask("tri", "ply", "").await.code(), "OK");
}

/// `ruleSet { facts }` lists what the language knows.
#[tokio::test]
async fn the_facts_of_a_kind_are_listed() {
    let house = House::new();
    let query = "query($k: String!) { ruleSet(kind: $k) { facts { name description argument words } } }";
    let found = house.get(query, json!({ "k": "thrones" })).await["ruleSet"]["facts"].clone();
    let find = |name: &str| found.as_array().unwrap().iter().find(|fact| fact["name"] == name).unwrap().clone();
    assert_eq!(find("ply")["argument"], "NOTHING");
    assert_eq!(find("toAct")["argument"], "SEAT");
    let piece = find("piece");
    assert_eq!((&piece["argument"], &piece["words"][0]), (&json!("PLACE"), &json!("none")));
    for fact in found.as_array().unwrap() {
        let argument = match fact["argument"].as_str() {
            Some("SEAT") => "(2)",
            Some("PLACE") => "(d4)",
            _ => "",
        };
        let predicate = format!("{}{argument}", text(&fact["name"]));
        let answer = house.get(SEARCH, json!({ "k": "thrones", "w": predicate })).await;
        assert_eq!(answer["search"]["total"], 0, "{predicate}");
    }
}
