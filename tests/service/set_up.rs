//! Games and lines that start from a given position.

use plybook_api::access::Caller;
use plybook_example::kinds;
use plybook_rules::log::verify;
use serde_json::{Value, json};

use crate::house::{Dice, House, seats_of, text};

const FORK: &str = "mutation($g: ID!, $p: Int!, $s: JSON, $a: [String!]) {
    fork(game: $g, ply: $p, position: $s, actions: $a) { id } }";

/// The complete positions of a game of each kind at its start and after some random actions, with its setup
/// and the id of the game.
async fn positions(house: &House, kind: &str, dice: &mut Dice) -> (String, Value, Vec<Value>) {
    let seats: Vec<Value> = (0..seats_of(kind)).map(|_| json!({})).collect();
    let id = house.create_as(json!({ "kind": kind, "seats": seats, "open": true })).await;
    house.play(&id, 24, dice).await;
    let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
    let at = |ply| replay.position_at(ply).unwrap().to_json(plybook_rules::Viewer::All);
    let last = replay.mainline().len();
    (id, replay.setup().clone(), [0, last / 2, last - 1].map(at).into())
}

fn new_game(kind: &str, setup: &Value, position: &Value) -> Value {
    let seats: Vec<Value> = (0..seats_of(kind)).map(|_| json!({})).collect();
    json!({ "kind": kind, "setup": setup, "position": position, "seats": seats, "open": true })
}

#[tokio::test]
async fn a_game_of_every_kind_continues_from_a_position() {
    let (house, there, mut dice) = (House::new(), House::new(), Dice(5));
    for rules in kinds() {
        let kind = rules.about().kind;
        let (_, setup, positions) = positions(&house, kind, &mut dice).await;
        for position in &positions {
            let id = house.create_as(new_game(kind, &setup, position)).await;
            let query = "query($g: ID!) { game(id: $g) { position(ply: 0) { position positionKey scene text } } }";
            let start = house.get(query, json!({ "g": id })).await["game"]["position"].clone();
            assert_eq!(start["position"], *position, "{kind}");
            house.play(&id, 6, &mut dice).await;
            let game = house.game(&id).await;
            assert_eq!(game["verification"]["valid"], true, "{kind}: {}", game["verification"]["problem"]);
            assert_eq!(game["events"]["nodes"][0]["body"]["position"], *position, "{kind}");
            for format in ["JSON", "NDJSON", "TEXT"] {
                let query = "query($g: ID!, $f: RecordFormat!) { game(id: $g) { record(format: $f) } }";
                let record = house.get(query, json!({ "g": id, "f": format })).await["game"]["record"].clone();
                let query = "mutation($r: String!, $f: RecordFormat!) {
                    importRecord(record: $r, format: $f) { position { positionKey } } }";
                let copy = there.get(query, json!({ "r": record, "f": format })).await["importRecord"].clone();
                assert_eq!(copy["position"]["positionKey"], game["position"]["positionKey"], "{kind} as {format}");
            }
            let query =
                "query($k: String!, $s: JSON, $p: JSON) { explore(kind: $k, setup: $s, position: $p) { games } }";
            let variables = json!({ "k": kind, "s": setup, "p": position });
            let explored = house.get(query, variables).await["explore"].clone();
            assert!(explored["games"].as_u64().unwrap() >= 1, "{kind}: {explored}");
        }
    }
}

#[tokio::test]
async fn a_line_of_every_kind_continues_from_a_position() {
    let (house, mut dice) = (House::new(), Dice(5));
    for rules in kinds() {
        let kind = rules.about().kind;
        let (game, _, positions) = positions(&house, kind, &mut dice).await;
        let replay = house.service.game(game.parse().unwrap()).unwrap().replay();
        let last = replay.mainline().len();
        for (ply, position) in [(0, &positions[1]), (last, &positions[0]), (last / 2, &positions[2])] {
            let made = house.get(FORK, json!({ "g": game, "p": ply, "s": position })).await;
            let line = text(&made["fork"]["id"]);
            house.play(&line, 3, &mut dice).await;
            let folded = house.service.game(line.parse().unwrap()).unwrap().replay();
            let key = |at| folded.position_at(at).unwrap().key(plybook_rules::Viewer::All);
            let wanted = rules.position(position).unwrap().key(plybook_rules::Viewer::All);
            assert_eq!(key(ply), wanted, "{kind}: a line from ply {ply}");
            if ply > 0 {
                let before = replay.position_at(ply - 1).unwrap().key(plybook_rules::Viewer::All);
                assert_eq!(key(ply - 1), before, "{kind}: what lies before is the parent's");
            }
            let told = house.game(&line).await;
            assert_eq!(told["verification"]["valid"], true, "{kind}: {}", told["verification"]["problem"]);
            // A line of the line: from the position itself, and from the last ply.
            for from in [ply, folded.mainline().len()] {
                let made = house.get(FORK, json!({ "g": line, "p": from })).await;
                let again = house.service.game(text(&made["fork"]["id"]).parse().unwrap()).unwrap().replay();
                assert_eq!(again.position().key(plybook_rules::Viewer::All), key(from), "{kind}: forked at {from}");
                assert_eq!(again.owner(from), folded.log(), "{kind}: forked at {from}");
                let own = house.service.log().read(again.log(), 0).unwrap();
                assert!(
                    verify(again.log(), &own, &std::collections::BTreeMap::new()).0.fault.is_some(),
                    "alone it is no record"
                );
            }
        }
        let tree = house
            .get("query($g: ID!) { game(id: $g) { tree { totalLines nodes { action } } } }", json!({ "g": game }))
            .await["game"]["tree"]
            .clone();
        assert_eq!(tree["totalLines"], 9, "{kind}");
        let set_up = tree["nodes"].as_array().unwrap().iter().filter(|node| node["action"].is_null()).count();
        assert_eq!(set_up, 1 + 3, "{kind}: the start, and a node for each position that is set up");
    }
}

#[tokio::test]
async fn an_impossible_position_is_refused_with_the_reason() {
    let (house, mut dice) = (House::new(), Dice(5));
    for rules in kinds() {
        let kind = rules.about().kind;
        let (game, setup, positions) = positions(&house, kind, &mut dice).await;
        let mut surplus = positions[1].clone();
        surplus["surplus"] = json!(1);
        let mut lacking = positions[1].clone();
        let members = lacking.as_object_mut().unwrap();
        let name = ["toAct", "turn", "round"].into_iter().find(|name| members.contains_key(*name));
        let name = name.map_or_else(|| members.keys().next().unwrap().clone(), str::to_owned);
        members.remove(&name);
        let len = house.service.log().len();
        for bad in [json!({}), json!([]), json!("a1"), surplus, lacking] {
            let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
            let made = house.ask(&Caller::ADMIN, create, json!({ "i": new_game(kind, &setup, &bad) })).await;
            assert_eq!(made.code(), "BAD_SETUP", "{kind}: {bad}");
            assert!(made.errors[0]["message"].as_str().unwrap().starts_with("position: "), "{kind}: {:?}", made.errors);
            let forked = house.ask(&Caller::ADMIN, FORK, json!({ "g": game, "p": 1, "s": bad })).await;
            assert_eq!(forked.code(), "BAD_SETUP", "{kind}: {bad}");
        }
        assert_eq!(house.service.log().len(), len, "{kind}: something was written");
    }
}

#[tokio::test]
async fn a_position_with_secrets_is_recorded_openly_or_not_at_all() {
    let (house, mut dice) = (House::new(), Dice(5));
    for rules in kinds().iter().filter(|rules| rules.about().secrets) {
        let kind = rules.about().kind;
        let (_, setup, positions) = positions(&house, kind, &mut dice).await;
        for position in &positions {
            let read = rules.position(position).unwrap();
            let is_secret =
                [plybook_rules::Viewer::All, plybook_rules::Viewer::Public].map(|viewer| read.to_json(viewer));
            let mut input = new_game(kind, &setup, position);
            input["open"] = json!(false);
            let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
            let made = house.ask(&Caller::ADMIN, create, json!({ "i": input })).await;
            assert_eq!(made.errors.is_empty(), is_secret[0] == is_secret[1], "{kind}: {:?}", made.errors);
        }
    }
}
