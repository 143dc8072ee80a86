//! Imports: each is marked with who, when and from what, and is dated by the service.

use plybook_api::access::{Caller, Role};
use plybook_api::service::verify_any;
use plybook_events::body::Imported;
use plybook_events::{Body, Event, Hash, LogId, Timestamp};
use plybook_rules::log::{Secrets, Verifier};
use plybook_tests::store;
use serde_json::{Value, json};

use crate::house::{House, caller, text};

/// A finished game whose log says that it was recorded on 2026-01-01.
const OLD: &str = include_str!("../data/records/resignation.ndjson");

const IMPORT: &str = "mutation($r: String!, $s: String, $f: RecordFormat!) { \
    importRecord(record: $r, source: $s, format: $f) { id } }";

const TOLD: &str = "query($g: ID!) { game(id: $g) { imported createdAt playedAt finishedAt verification { valid } \
    imports { at who source file firstSeq lastSeq } } }";

fn holder(role: Role, id: &str) -> Caller {
    Caller { who: Some(format!("{role}:{id}").parse().unwrap()), ..caller(role) }
}

async fn import(house: &House, who: &Caller, record: &str, source: Value, format: &str) -> String {
    let made = house.ask(who, IMPORT, json!({ "r": record, "s": source, "f": format })).await.ok();
    text(&made["importRecord"]["id"])
}

async fn told(house: &House, game: &str) -> Value {
    house.ask(&Caller::SPECTATOR, TOLD, json!({ "g": game })).await.ok()["game"].clone()
}

/// The marks of a game, and whether their log verifies.
fn marks(house: &House, game: &str) -> (Vec<Event>, bool) {
    let id = Imported::marks_of(game.parse().unwrap());
    let lines = house.service.log().read(id, 0).unwrap();
    let find = |id: LogId| {
        house
            .service
            .log()
            .read(id, 0)
            .ok()
            .map(|lines| plybook_rules::log::LogBytes { lines, secrets: Secrets::new() })
    };
    let found = verify_any(&Verifier::new(&find), &find, id, &lines, &Secrets::new());
    (house.service.events(id, 0).unwrap(), found.fault.is_none())
}

fn time(value: &Value) -> Timestamp {
    text(value).parse().unwrap()
}

#[tokio::test]
async fn an_old_game_is_imported_as_it_is_and_dated_today() {
    let house = House::new();
    let before = house.create("triangulate").await;
    let game = import(&house, &holder(Role::Recorder, "0000000a"), OLD, json!("hall.ndjson"), "NDJSON").await;
    let found = told(&house, &game).await;
    let mark = found["imports"][0].clone();
    assert_eq!(found["imports"].as_array().unwrap().len(), 1);
    assert_eq!(
        mark,
        json!({ "at": mark["at"], "who": "recorder:0000000a", "source": "hall.ndjson",
            "file": Hash::of_parts(&[OLD.as_bytes()]).to_string(), "firstSeq": 0, "lastSeq": 4 })
    );
    assert_eq!(found["verification"]["valid"], true);
    // The bytes are those of the file, dates included; what the service says about it is of today.
    let lines: Vec<String> = OLD.lines().map(str::to_owned).collect();
    let read = house.service.log().read(game.parse().unwrap(), 0).unwrap();
    assert_eq!(read.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>(), lines);
    assert_eq!((&found["imported"], &found["createdAt"]), (&json!(true), &mark["at"]));
    assert_eq!(found["playedAt"], "2026-01-01T12:00:00.000Z");
    assert!(time(&found["finishedAt"]) >= time(&mark["at"]), "{found}");
    // It stands in the list where it came, not where it says.
    let lists = "query { games { nodes { id } } others: games(filter: { imported: false }) { nodes { id } totalCount } \
        imports: games(filter: { imported: true }) { nodes { id } totalCount } }";
    let lists = house.get(lists, json!({})).await;
    assert_eq!(lists["games"]["nodes"], json!([{ "id": game }, { "id": before }]));
    assert_eq!(lists["others"], json!({ "nodes": [{ "id": before }], "totalCount": 1 }));
    assert_eq!(lists["imports"], json!({ "nodes": [{ "id": game }], "totalCount": 1 }));
    let counted = "query { all: statistics(kind: \"triangulate\") { games } \
        own: statistics(kind: \"triangulate\", filter: { imported: false }) { games } }";
    let counted = house.get(counted, json!({})).await;
    assert_eq!((&counted["all"]["games"], &counted["own"]["games"]), (&json!(2), &json!(1)));
    // The mark comes first in the journal, and verifies against the game.
    let (events, is_valid) = marks(&house, &game);
    assert!(is_valid);
    let Body::Imported(body) = &events[0].body else { panic!("{events:?}") };
    assert_eq!((body.first, body.last, body.head), (0, 4, Hash::of_event(lines[4].as_bytes())));
    let position = |log: LogId| {
        let entries = house.service.log().entries(0, 100).unwrap();
        entries.iter().position(|entry| entry.log == log).unwrap()
    };
    assert_eq!(position(events[0].log) + 1, position(game.parse().unwrap()));
    // What is there already is not imported again.
    let len = house.service.log().len();
    import(&house, &Caller::ADMIN, OLD, Value::Null, "NDJSON").await;
    assert_eq!(house.service.log().len(), len);
}

#[tokio::test]
async fn a_text_record_is_a_marked_game_of_today() {
    let house = House::new();
    let there = House::new();
    let old = import(&there, &Caller::ADMIN, OLD, Value::Null, "NDJSON").await;
    let query = "query($g: ID!) { game(id: $g) { record(format: TEXT) } }";
    let record = text(&there.get(query, json!({ "g": old })).await["game"]["record"]);
    let game = import(&house, &holder(Role::Admin, "0000000a"), &record, Value::Null, "TEXT").await;
    let found = told(&house, &game).await;
    let file = Hash::of_parts(&[record.as_bytes()]).to_string();
    assert_eq!(
        (&found["imported"], &found["imports"][0]["who"], &found["imports"][0]["file"], &found["imports"][0]["source"]),
        (&json!(true), &json!("admin:0000000a"), &json!(file), &Value::Null)
    );
    let first = house.service.events(game.parse().unwrap(), 0).unwrap().remove(0);
    assert!(first.at > "2026-06-01T00:00:00.000Z".parse().unwrap(), "{first:?}");
    assert!(marks(&house, &game).1);
}

#[tokio::test]
async fn what_continues_a_game_is_marked_too_and_all_of_it_survives_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let open = || House::over(store::open(dir.path()).unwrap());
    let start: String = OLD.lines().take(3).flat_map(|line| [line, "\n"]).collect();
    let (game, before) = {
        let house = open();
        let game = import(&house, &holder(Role::Recorder, "0000000a"), &start, json!("start"), "NDJSON").await;
        let rest = json!({ "r": OLD, "s": "rest", "f": "NDJSON" });
        assert_eq!(house.ask(&holder(Role::Recorder, "0000000a"), IMPORT, rest).await.code(), "FORBIDDEN");
        import(&house, &holder(Role::Arbiter, "0000000b"), OLD, json!("rest"), "NDJSON").await;
        let found = told(&house, &game).await;
        let imports = found["imports"].as_array().unwrap();
        let range = |import: &Value| (import["firstSeq"].as_u64().unwrap(), import["lastSeq"].as_u64().unwrap());
        assert_eq!(imports.iter().map(range).collect::<Vec<_>>(), [(0, 2), (3, 4)]);
        assert_eq!((&imports[0]["source"], &imports[1]["who"]), (&json!("start"), &json!("arbiter:0000000b")));
        assert_eq!(found["createdAt"], imports[0]["at"]);
        assert!(marks(&house, &game).1);
        house.service.close();
        (game, found)
    };
    assert_eq!(told(&open(), &game).await, before, "from the rows that were kept");
    std::fs::remove_dir_all(dir.path().join("sled")).unwrap();
    assert_eq!(told(&open(), &game).await, before, "from the journal");
}

#[tokio::test]
async fn a_game_that_is_only_continued_by_an_import_keeps_its_date() {
    let [here, there] = [House::new(), House::new()];
    let game = here.create("triangulate").await;
    let query = "query($g: ID!) { game(id: $g) { record(format: NDJSON) } }";
    let record = |of: Value| text(&of["game"]["record"]);
    let begun = record(here.get(query, json!({ "g": game })).await);
    import(&there, &Caller::ADMIN, &begun, Value::Null, "NDJSON").await;
    there.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": game })).await;
    let created = told(&here, &game).await["createdAt"].clone();
    assert_eq!(told(&here, &game).await["imported"], false);
    let ended = record(there.get(query, json!({ "g": game })).await);
    import(&here, &Caller::ADMIN, &ended, Value::Null, "NDJSON").await;
    let found = told(&here, &game).await;
    assert_eq!((&found["imported"], &found["createdAt"]), (&json!(true), &created));
    assert_eq!((&found["imports"][0]["firstSeq"], &found["imports"][0]["who"]), (&json!(1), &Value::Null));
}

#[tokio::test]
async fn a_source_is_a_short_name() {
    let house = House::new();
    for source in ["", "  ", "a\nb", &"x".repeat(201)] {
        let variables = json!({ "r": OLD, "s": source, "f": "NDJSON" });
        let refused = house.ask(&Caller::ADMIN, IMPORT, variables).await;
        assert!(refused.says().contains("`source` has 1 to 200 printable characters"), "{source:?}");
    }
    assert_eq!(house.service.log().len(), 0);
}
