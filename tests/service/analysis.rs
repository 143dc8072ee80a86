//! Explorer and statistics, compared with folding every game.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plybook_events::LogId;
use plybook_models::Summary;
use plybook_rules::log::word;
use plybook_rules::log::{Replay, Status};
use plybook_rules::{Actor, Viewer};
use serde_json::{Value, json};

use crate::house::{Dice, House, act_input, kind_names, seats_of, text};

const EXPLORE: &str = "query($k: String!, $p: Hash, $s: JSON, $a: [String!], $f: GameFilter) { \
    explore(kind: $k, positionKey: $p, setup: $s, actions: $a, filter: $f) { \
    games pending actionCount results { wins draws other } position { positionKey toAct } recentGames { id } topGames { id } \
    actions(first: 1000) { action games positionKey lastPlayed results { wins draws other } } } }";

/// How a position is reached and left, computed from the games themselves.
#[derive(Default)]
struct ExplorerNode {
    games: BTreeSet<String>,
    /// Whether the rules end the game there.
    is_over: bool,
    actions: BTreeMap<String, (String, BTreeSet<String>)>,
}

/// Plays games with few different openings, and applies to some of them what happens in tournaments.
async fn tournament(house: &House, kind: &str, games: usize, dice: &mut Dice) -> Vec<String> {
    let players = [house.player("Ada").await, house.player("Bela").await, house.player("Chiara").await];
    let mut ids = Vec::new();
    for n in 0..games {
        let seats: Vec<Value> = (0..usize::from(seats_of(kind)))
            .map(|seat| match seat {
                0..3 => json!({ "player": players[(n + seat) % 3] }),
                _ => json!({}),
            })
            .collect();
        let id = house.create_as(json!({ "kind": kind, "seats": seats, "tags": { "n": n % 4 } })).await;
        play_openings(house, &id, 3 + n % 4, dice).await;
        let change = match n % 8 {
            0 => "resign(game: $g, seat: 1)",
            1 => "adjudicate(game: $g, input: { winners: [1], reason: \"a\" })",
            2 => "adjudicate(game: $g, input: { winners: [], reason: \"b\" })",
            3 => "takeBack(game: $g, toPly: 1, reason: \"r\")",
            4 => "voidGame(game: $g, reason: \"v\")",
            6 => "voidGame(game: $g, reason: \"v\") { id } unvoidGame(game: $g, reason: \"u\")",
            _ => "adjudicate(game: $g, input: { winners: [1, 2], reason: \"c\" })",
        };
        let change = format!("mutation($g: ID!) {{ {change} {{ id }} }}");
        house.ask(&plybook_api::access::Caller::ADMIN, &change, json!({ "g": id })).await;
        if n % 8 == 2 && n % 3 == 0 {
            house.get("mutation($g: ID!) { reopenGame(game: $g, reason: \"r\") { id } }", json!({ "g": id })).await;
        }
        if n % 8 == 1 && n % 3 == 0 {
            let again = "mutation($g: ID!) { takeBack(game: $g, toPly: 2, reason: \"r\") { id } }";
            house.get(again, json!({ "g": id })).await;
            play_openings(house, &id, 2, dice).await;
        }
        ids.push(id);
    }
    ids
}

/// Plays some actions, each one of the first two in the list.
async fn play_openings(house: &House, id: &str, actions: usize, dice: &mut Dice) {
    let mut position = house.service.game(id.parse().unwrap()).unwrap().replay().position().boxed();
    for _ in 0..actions {
        let Some(actor) = position.to_act().iter().next() else { return };
        let action = match position.legal(actor).filter(|legal| !legal.is_empty()) {
            Some(legal) => legal[dice.below(2.min(legal.len() as u32)) as usize].clone(),
            None => position.sample(actor, &mut |n| n / 2),
        };
        position.act(actor, &action).unwrap();
        house.act_all(id, &[act_input(actor, &action)]).await.ok();
    }
}

fn replay(house: &House, id: &str) -> Arc<Replay> {
    house.service.game(id.parse().unwrap()).unwrap().replay()
}

/// Whether a game counts in the explorer.
fn counts(replay: &Replay) -> bool {
    replay.status() != Status::Void && replay.is_open()
}

fn nodes(house: &House, ids: &[String]) -> BTreeMap<String, ExplorerNode> {
    let mut nodes: BTreeMap<String, ExplorerNode> = BTreeMap::new();
    for id in ids {
        let replay = replay(house, id);
        if !counts(&replay) {
            continue;
        }
        let key = |ply| replay.position_at(ply).unwrap().key(Viewer::All).to_string();
        for ply in 0..=replay.mainline().len() {
            let node = nodes.entry(key(ply)).or_default();
            node.games.insert(id.clone());
            node.is_over = replay.position_at(ply).unwrap().to_act().is_empty();
            if let Some(done) = replay.mainline().get(ply) {
                let word = word(replay.rules().about(), done.actor, &done.action);
                let action = node.actions.entry(word).or_insert_with(|| (key(ply + 1), BTreeSet::new()));
                action.1.insert(id.clone());
            }
        }
    }
    nodes
}

fn results(house: &House, games: &BTreeSet<String>, seats: usize) -> Value {
    let mut wins = vec![0; seats];
    let (mut draws, mut other) = (0, 0);
    for id in games {
        match replay(house, id).end() {
            None => other += 1,
            Some(end) if end.outcome.winners.is_empty() => draws += 1,
            Some(end) => end.outcome.winners.iter().for_each(|seat| wins[usize::from(*seat) - 1] += 1),
        }
    }
    json!({ "wins": wins, "draws": draws, "other": other })
}

/// Compares a node of the explorer with the games, or with a subset of them.
fn check(house: &House, found: &Value, node: &ExplorerNode, accepted: &BTreeSet<String>, seats: usize) {
    let of = |games: &BTreeSet<String>| games.intersection(accepted).cloned().collect::<BTreeSet<_>>();
    let games = of(&node.games);
    assert_eq!(found["pending"], 0);
    assert_eq!(found["games"], games.len(), "{found}");
    assert_eq!(found["results"], results(house, &games, seats));
    let mut actions = BTreeMap::new();
    for (word, (key, games)) in &node.actions {
        let games = of(games);
        if !games.is_empty() {
            let last = games.iter().map(|id| replay(house, id).created_at()).max().unwrap();
            let results = results(house, &games, seats);
            let wanted = json!({ "action": word, "games": games.len(), "positionKey": key, "results": results,
                "lastPlayed": last.to_string() });
            actions.insert(word.clone(), wanted);
        }
    }
    let told = found["actions"].as_array().unwrap();
    assert!(told.windows(2).all(|pair| pair[0]["games"].as_u64() >= pair[1]["games"].as_u64()), "{told:?}");
    assert_eq!(
        told.iter().map(|action| (text(&action["action"]), action.clone())).collect::<BTreeMap<_, _>>(),
        actions
    );
    assert_eq!(found["actionCount"], actions.len());
    let named: Vec<String> = found["recentGames"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect();
    assert_eq!(named.len(), games.len().min(10));
    assert!(named.iter().all(|id| games.contains(id)));
}

#[tokio::test]
async fn the_explorer_agrees_with_the_games() {
    let mut dice = Dice(3);
    for kind in kind_names() {
        let house = House::new();
        let ids = tournament(&house, kind, 48, &mut dice).await;
        let seats = usize::from(plybook_example::kind(kind).unwrap().about().seats_max);
        let nodes = nodes(&house, &ids);
        let all: BTreeSet<String> = ids.iter().cloned().collect();
        for (key, node) in nodes.iter().take(120) {
            let found = house.get(EXPLORE, json!({ "k": kind, "p": key })).await["explore"].clone();
            assert_eq!(found["position"]["positionKey"], **key);
            // Whatever became of the game in which it was found, which may have been resigned there.
            if !plybook_example::kind(kind).unwrap().about().secrets {
                assert_eq!(found["position"]["toAct"].as_array().unwrap().is_empty(), node.is_over, "{found}");
            }
            check(&house, &found, node, &all, seats);
        }
        if nodes.is_empty() {
            continue;
        }
        // A player won, or took part in a seat; a tag; a time.
        let player = replay(&house, &ids[0]).created().seats[0].player.unwrap();
        let since = replay(&house, &ids[20]).created_at().to_string();
        let filters = [
            json!({ "player": player.to_string(), "seat": 1 }),
            json!({ "winner": player.to_string() }),
            json!({ "tags": ["n=2"] }),
            json!({ "since": since, "minPly": 3 }),
            json!({ "status": "RUNNING" }),
            json!({ "reason": "c" }),
        ];
        for filter in filters {
            let listed = "query($f: GameFilter) { games(filter: $f, first: 500) { nodes { id } } }";
            let listed = house.get(listed, json!({ "f": filter })).await;
            let accepted = listed["games"]["nodes"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect();
            for (key, node) in nodes.iter().take(15) {
                let found = house.get(EXPLORE, json!({ "k": kind, "p": key, "f": filter })).await["explore"].clone();
                check(&house, &found, node, &accepted, seats);
            }
        }
    }
}

/// Two ways to the same position are counted together, and setup and actions lead to it.
#[tokio::test]
async fn transpositions_count_together() {
    let house = House::new();
    for actions in [["b1-b2", "h4-g4", "e1-e2"], ["e1-e2", "h4-g4", "b1-b2"]] {
        let id = house.create("triangulate").await;
        let sent: Vec<Value> = actions.iter().map(|action| json!({ "action": action })).collect();
        let answer = house.act_all(&id, &sent).await;
        assert_eq!(answer.code(), "OK", "{answer:?}");
    }
    let way = json!({ "k": "triangulate", "a": ["e1-e2", "h4-g4", "b1-b2"] });
    let found = house.get(EXPLORE, way).await["explore"].clone();
    assert_eq!(found["games"], 2);
    let start = house.get(EXPLORE, json!({ "k": "triangulate", "a": [] })).await["explore"].clone();
    assert_eq!((&start["games"], &start["actionCount"]), (&json!(2), &json!(2)));
}

/// Sealed actions do not appear in any figure before the game is over.
#[tokio::test]
async fn running_games_with_secrets_count_when_they_are_over() {
    let house = House::new();
    for kind in kind_names() {
        let rules = plybook_example::kind(kind).unwrap();
        if !rules.about().secrets {
            continue;
        }
        let id = house.create(kind).await;
        house.play_on(&id, 4, &mut Dice(2)).await;
        let query = "query($k: String!) { statistics(kind: $k) { games finished plies { count } branching { count } \
            firstActions { action } measures { name distribution { count } } } }";
        let before = house.get(query, json!({ "k": kind })).await["statistics"].clone();
        assert_eq!((&before["games"], &before["branching"]["count"]), (&json!(1), &json!(0)), "{before}");
        assert_eq!(before["firstActions"], json!([]));
        let ruling = "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"a\" }) { id } }";
        house.get(ruling, json!({ "g": id })).await;
        let after = house.get(query, json!({ "k": kind })).await["statistics"].clone();
        assert_eq!(after["finished"], 1);
        assert_eq!(after["firstActions"].as_array().unwrap().len(), 1, "{after}");
    }
}

#[tokio::test]
async fn statistics_agree_with_the_games() {
    let mut dice = Dice(9);
    let house = House::new();
    let kind = "triangulate";
    let ids = tournament(&house, kind, 40, &mut dice).await;
    let query = "query($k: String!, $f: GameFilter) { statistics(kind: $k, filter: $f) { games finished pending \
        results { wins draws other } plies { count min max mean median histogram { key count } } reasons { key count } \
        byMonth { key count } firstActions { action games positionKey } heat(what: \"visits\") { max total places { key count } scene } luck { name } \
        measures { name description value distribution { count } } } }";
    let found = house.get(query, json!({ "k": kind })).await["statistics"].clone();
    let valid: Vec<Arc<Summary>> = {
        let known = house.service.models().known();
        let games = ids.iter().map(|id| known.games.get(id.parse::<LogId>().unwrap()).unwrap());
        games.filter(|game| !game.standing.is_void()).collect()
    };
    assert_eq!(found["games"], valid.len());
    assert_eq!(found["finished"], valid.iter().filter(|game| game.standing.end.is_some()).count());
    let plies: Vec<u32> = valid.iter().map(|game| game.standing.ply).collect();
    let spread = &found["plies"];
    assert_eq!(spread["min"], f64::from(*plies.iter().min().unwrap()));
    assert_eq!(spread["max"], f64::from(*plies.iter().max().unwrap()));
    let mean = f64::from(plies.iter().sum::<u32>()) / plies.len() as f64;
    assert!((spread["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
    let binned: u64 = spread["histogram"].as_array().unwrap().iter().map(|bin| bin["count"].as_u64().unwrap()).sum();
    assert_eq!(binned, plies.len() as u64);
    let reasons = |reason: &str| {
        let is_for = |game: &&Arc<Summary>| game.standing.outcome().is_some_and(|end| end.reason == reason);
        valid.iter().filter(is_for).count()
    };
    for reason in found["reasons"].as_array().unwrap() {
        assert_eq!(reason["count"], reasons(&text(&reason["key"])), "{reason}");
    }
    assert!(found["measures"].as_array().unwrap().iter().all(|measure| !text(&measure["description"]).is_empty()));
    assert!(found["heat"]["max"].as_u64() > Some(0), "{}", found["heat"]);
    assert_eq!(found["luck"], json!([]));
    // Head to head, from both sides.
    let query = "query($p: ID!, $o: ID!) { player(id: $p) { against(opponent: $o, kind: \"triangulate\") \
        { wins draws other } statistics(kind: \"triangulate\") { games results { wins } } } }";
    let seats = replay(&house, &ids[0]).created().seats.clone();
    let (one, two) = (seats[0].player.unwrap().to_string(), seats[1].player.unwrap().to_string());
    let there = house.get(query, json!({ "p": one, "o": two })).await["player"]["against"].clone();
    let back = house.get(query, json!({ "p": two, "o": one })).await["player"]["against"].clone();
    assert_eq!((&there["wins"][0], &there["wins"][1]), (&back["wins"][1], &back["wins"][0]));
    assert!(there["wins"][0].as_u64() > Some(0) || there["wins"][1].as_u64() > Some(0), "{there}");
}

#[tokio::test]
async fn invalid_queries_are_refused() {
    let house = House::new();
    let explore = |arguments: &str| format!("{{ explore({arguments}) {{ games }} }}");
    let caller = plybook_api::access::Caller::SPECTATOR;
    let cases = [
        (explore("kind: \"chess\""), "BAD_INPUT"),
        (explore("kind: \"tri\", filter: { kind: \"thrones\" }"), "BAD_INPUT"),
        (explore("kind: \"tri\", filter: { origin: ANALYSIS }"), "BAD_INPUT"),
        (explore("kind: \"triangulate\", actions: [\"a1-a9\"]"), "ILLEGAL_ACTION"),
        (explore(&format!("kind: \"tri\", positionKey: \"{}\"", "ab".repeat(32))), "NOT_FOUND"),
        (explore(&format!("kind: \"tri\", actions: [], positionKey: \"{}\"", "ab".repeat(32))), "BAD_INPUT"),
        ("{ explore(kind: \"tri\") { actions(first: 5000) { games } } }".to_owned(), "BAD_INPUT"),
        ("{ statistics(kind: \"tri\") { heat(what: \"warmth\") { max } } }".to_owned(), "BAD_INPUT"),
        ("{ statistics(kind: \"chess\") { games } }".to_owned(), "BAD_INPUT"),
    ];
    for (query, code) in cases {
        assert_eq!(house.ask(&caller, &query, json!({})).await.code(), code, "{query}");
    }
    let empty = "{ explore(kind: \"tri\") { games actions { action } recentGames { id } } statistics(kind: \"tri\") \
        { games plies { count mean histogram { key } } reasons { key } measures { value distribution { count } } } }";
    let empty = house.get(empty, json!({})).await;
    assert_eq!(empty["explore"], json!({ "games": 0, "actions": [], "recentGames": [] }));
    assert_eq!(empty["statistics"]["plies"], json!({ "count": 0, "mean": null, "histogram": [] }));
}

/// Chance acts in the explorer like a seat.
#[tokio::test]
async fn rolls_are_actions_of_the_explorer() {
    let house = House::new();
    let kinds = kind_names().into_iter().filter(|kind| plybook_example::kind(kind).unwrap().about().chance);
    let mut rolled = 0;
    for kind in kinds {
        let id = house.create(kind).await;
        house.play(&id, 150, &mut Dice(1)).await;
        let replay = replay(&house, &id);
        let roll = replay.mainline().iter().position(|done| done.actor == Actor::Chance);
        if let Some(ply) = roll.filter(|_| replay.is_open()) {
            let key = replay.position_at(ply).unwrap().key(Viewer::All).to_string();
            let found = house.get(EXPLORE, json!({ "k": kind, "p": key })).await["explore"].clone();
            assert_eq!(found["actions"][0]["action"], *replay.mainline()[ply].action);
            rolled += 1;
        }
    }
    assert!(rolled > 0, "no roll was looked at");
}
