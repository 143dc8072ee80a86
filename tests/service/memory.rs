//! What survives: read models compared with the journal, and everything across a restart.

use std::path::Path;
use std::time::{Duration, Instant};

use plybook_api::access::Caller;
use plybook_events::body::Ended;
use plybook_events::{Body, By, Decider, Event, Hash, LogId, Outcome};
use plybook_store::{OpenError, Store};
use plybook_tests::store;
use serde_json::{Map, Value, json};

use crate::house::{ALL, Dice, House, kind_names, seats_of, text};

/// Opens a data directory; its previous owner may need a moment to release it.
pub fn open(dir: &Path) -> Store {
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        match store::open(dir) {
            Ok(store) => return store,
            Err(OpenError::Lock(_)) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
            Err(why) => panic!("{why}"),
        }
    }
}

/// All possible changes, in random order, some of them refused.
async fn live_a_little(house: &House, dice: &mut Dice, steps: usize) {
    let mut players = vec![house.player("Ada").await, house.player("Bela").await];
    let mut games = Vec::new();
    for _ in 0..steps {
        let pick = |dice: &mut Dice, n: usize| dice.below(n as u32) as usize;
        match dice.below(14) {
            0 => players.push(house.player(&format!("Player {}", dice.below(100))).await),
            1 | 2 => {
                let kinds = kind_names();
                let kind = kinds[pick(dice, kinds.len())];
                let mut free = players.clone();
                let seats: Vec<Value> = (0..seats_of(kind))
                    .map(|_| match free.len() {
                        0 => json!({}),
                        left => json!({ "player": free.swap_remove(pick(dice, left)) }),
                    })
                    .collect();
                games.push(
                    house.create_as(json!({ "kind": kind, "seats": seats, "tags": { "n": dice.below(5) } })).await,
                );
            }
            _ if games.is_empty() => {}
            3..=5 => {
                let game = games[pick(dice, games.len())].clone();
                let is_running = house.get("query($g: ID!) { game(id: $g) { status } }", json!({ "g": game })).await["game"]
                    ["status"]
                    == "RUNNING";
                if is_running {
                    house.play(&game, pick(dice, 12), dice).await;
                }
            }
            9 | 10 => {
                let (game, ply) = (&games[pick(dice, games.len())], dice.below(6));
                let query = "mutation($g: ID!, $p: Int!) { fork(game: $g, ply: $p, name: \"n\") { id } }";
                let made = house.ask(&Caller::ADMIN, query, json!({ "g": game, "p": ply })).await;
                games.extend(made.data["fork"]["id"].as_str().map(str::to_owned));
            }
            12 | 13 => {
                let changes = [
                    "editPlayer(player: $p, input: { name: \"Ada\", club: \"North\" })",
                    "editPlayer(player: $p, input: { club: null, country: \"SE\", links: [\"https://example.org\"] })",
                    "mergePlayers(from: $p, into: $q)",
                    "unmergePlayer(player: $p)",
                    "addPlayerKey(player: $p, key: \"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c\")",
                    "removePlayerKey(player: $p, key: \"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c\")",
                ];
                let change = changes[pick(dice, changes.len())];
                let [one, other] = [0, 0].map(|_| &players[pick(dice, players.len())]);
                let mut variables = json!({ "p": one });
                let mut head = "$p: ID!".to_owned();
                if change.contains("$q") {
                    variables["q"] = json!(other);
                    head += ", $q: ID!";
                }
                house.ask(&Caller::ADMIN, &format!("mutation({head}) {{ {change} {{ id }} }}"), variables).await;
            }
            11 => {
                let changes = ["name: \"m\"", "name: \"\"", "promote: true", "hidden: true", "hidden: false"];
                let change = changes[pick(dice, changes.len())];
                let query = format!("mutation($g: ID!) {{ arrangeLine(line: $g, {change}) {{ id }} }}");
                house.ask(&Caller::ADMIN, &query, json!({ "g": games[pick(dice, games.len())] })).await;
            }
            _ => {
                let changes = [
                    "takeBack(game: $g, toPly: 2, reason: \"r\")",
                    "annotate(game: $g, ply: 1, comment: \"c\")",
                    "resign(game: $g, seat: 1)",
                    "adjudicate(game: $g, input: { winners: [1], reason: \"a\" })",
                    "adjudicate(game: $g, input: { winners: [2], reason: \"b\" })",
                    "offerDraw(game: $g, seat: 1)",
                    "answerDraw(game: $g, seat: 2, accept: true)",
                    "reopenGame(game: $g, reason: \"r\")",
                    "unvoidGame(game: $g, reason: \"u\")",
                    "voidGame(game: $g, reason: \"v\")",
                ];
                // Games are voided less often than changed in other ways.
                let kinds_of_change = changes.len() - usize::from(dice.below(3) > 0);
                let change = changes[pick(dice, kinds_of_change)];
                let game = &games[pick(dice, games.len())];
                house
                    .ask(&Caller::ADMIN, &format!("mutation($g: ID!) {{ {change} {{ id }} }}"), json!({ "g": game }))
                    .await;
            }
        }
    }
}

async fn everything(house: &House) -> Value {
    let mut all = house.get("{ players(first: 500) { totalCount nodes { id name createdAt club country links seq merged { id } games(first: 2) { totalCount } } } games(first: 500) { totalCount nodes { id } } }", json!({})).await;
    let lines = house
        .get("{ games(filter: { origin: ANALYSIS }, includeHidden: true, first: 500) { nodes { id } } }", json!({}))
        .await;
    // Floats in a form that shows every bit.
    let mut ratings = Map::new();
    for kind in kind_names() {
        let query = "query($k: String!) { ratings(kind: $k, provisional: true, first: 100) { nodes { games value deviation player { id ratingHistory(kind: $k, last: 40) { at value deviation game { id averageRating } } } } } }";
        ratings.insert(kind.to_owned(), house.get(query, json!({ "k": kind })).await["ratings"].clone());
    }
    let both = [&all["games"], &lines["games"]];
    let ids: Vec<String> =
        both.iter().flat_map(|list| list["nodes"].as_array().unwrap()).map(|game| text(&game["id"])).collect();
    let mut games = Map::new();
    for id in ids {
        let place = "query($g: ID!) { game(id: $g) { name hidden forkedFrom { ply } branches(first: 500, includeHidden: true) { totalCount nodes { id } } tree(includeHidden: true) { totalLines lines { id name rank hidden } nodes { id comment } } } }";
        let place = house.get(place, json!({ "g": id })).await;
        games.insert(id.clone(), json!([house.game(&id).await, place]));
    }
    all["all"] = Value::Object(games);
    all["ratings"] = Value::Object(ratings);
    all
}

/// The summary of a game agrees with its fold.
async fn lists_agree_with_folds(house: &House) {
    let told = house.get("{ games(first: 500) { nodes { id ply status outcome { winners reason } finishedAt position { ply } head { ply } } } }", json!({})).await;
    for game in told["games"]["nodes"].as_array().unwrap() {
        let replay = house.service.game(text(&game["id"]).parse().unwrap()).unwrap().replay();
        assert_eq!(game["ply"], replay.mainline().len());
        assert_eq!(text(&game["status"]), format!("{:?}", replay.status()).to_uppercase());
        assert_eq!(game["outcome"]["reason"].as_str(), replay.end().map(|end| end.outcome.reason.as_str()));
        assert_eq!(game["finishedAt"].as_str().map(str::to_owned), replay.end().map(|end| end.at.to_string()));
    }
}

#[tokio::test]
async fn read_models_follow_from_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(11);
    for _ in 0..3 {
        let house = House::over(open(dir.path()));
        live_a_little(&house, &mut dice, 60).await;
        lists_agree_with_folds(&house).await;
        let before = everything(&house).await;
        house.service.close();
        assert_eq!(house.service.digests().ask().pending, 0);
        drop(house);

        let store = open(dir.path());
        plybook_models::rebuild(&store, &mut |_, _| ()).unwrap();
        let house = House::over(store);
        assert_eq!(everything(&house).await, before);
        house.service.close();
    }
}

/// Nothing was saved, as in a crash: everything is in the journal.
#[tokio::test]
async fn acknowledged_events_survive_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let mut before = json!(null);
    for round in 0..3 {
        let house = House::over(open(dir.path()));
        if round > 0 {
            assert_eq!(everything(&house).await, before);
        }
        live_a_little(&house, &mut Dice(round), 25).await;
        before = everything(&house).await;
    }
}

/// A log whose last event is ahead of the clock continues at that time, never earlier.
#[tokio::test]
async fn time_does_not_go_back_in_a_log() {
    let (house, there) = (House::new(), House::new());
    let model = house.create("triangulate").await;
    let mut first = house.service.events(model.parse().unwrap(), 0).unwrap().swap_remove(0);
    first.at = "2999-01-01T00:00:00.000Z".parse().unwrap();
    let record = String::from_utf8(first.to_bytes().unwrap()).unwrap();
    there
        .get("mutation($r: String!) { importRecord(record: $r, format: NDJSON) { id } }", json!({ "r": record }))
        .await;
    there.play(&model, 2, &mut Dice(1)).await;
    let game = there.game(&model).await;
    assert_eq!(game["verification"]["valid"], true);
    assert!(game["events"]["nodes"].as_array().unwrap().iter().all(|event| event["at"] == "2999-01-01T00:00:00.000Z"));
}

/// For an unreadable row, the keyspace is dropped and filled again; nothing recorded is lost.
#[tokio::test]
async fn a_row_that_is_too_large_is_rebuilt_from_the_journal() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::over(open(dir.path()));
    let model = house.create("triangulate").await;
    let first = house.service.events(model.parse().unwrap(), 0).unwrap().swap_remove(0);
    let Body::Created(mut created) = first.body else { panic!("a game begins with `created`") };
    created.tags.insert("long".to_owned(), "t".repeat(60_000).into());
    let log = LogId::from_bytes([9; 16]);
    let begun = Event {
        at: first.at,
        by: By::Service,
        log,
        prev: Hash::ZERO,
        seq: 0,
        body: Body::Created(created),
        who: None,
        signature: None,
        request: None,
    }
    .to_bytes()
    .unwrap();
    let mut outcome = Outcome::draw("long");
    outcome.details.insert("long".to_owned(), "d".repeat(60_000).into());
    let body = Body::Ended(Ended { decided_by: Decider::Arbiter, outcome, seed: None });
    let ended = Event {
        at: first.at,
        by: By::Arbiter,
        log,
        prev: Hash::of_event(&begun),
        seq: 1,
        body,
        who: None,
        signature: None,
        request: None,
    }
    .to_bytes()
    .unwrap();
    let record = format!("{}\n{}\n", String::from_utf8(begun).unwrap(), String::from_utf8(ended).unwrap());
    house
        .get("mutation($r: String!) { importRecord(record: $r, format: NDJSON) { id } }", json!({ "r": record }))
        .await;
    house.service.close();
    house.player("Late").await;
    house.service.close();
    let before = everything(&house).await;
    drop(house);
    let house = House::over(open(dir.path()));
    assert_eq!(everything(&house).await, before);
    let one =
        house.get(&format!("query($g: ID!) {{ game(id: $g) {{ {ALL} }} }}"), json!({ "g": log.to_string() })).await;
    assert_eq!(one["game"]["outcome"]["reason"], "long");
}
