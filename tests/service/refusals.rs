//! Refusals: the right code, an explanation, and nothing written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plybook_api::access::{Caller, Role};
use plybook_store::{EventBytes, Journal, JournalError, MemoryJournal, Store};
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, caller, nobody, seats_of, text};

/// A game of Triangulate with two actions played, and its head.
async fn begun(house: &House) -> String {
    let id = house.create("triangulate").await;
    house.play(&id, 2, &mut Dice(1)).await;
    id
}

async fn refused(house: &House, id: &str, query: &str, variables: Value) -> Answer {
    let (events, head) = (house.service.log().len(), house.head(id).await);
    let mut variables = variables;
    variables["g"] = json!(id);
    let answer = house.ask(&Caller::ADMIN, query, variables).await;
    assert_eq!((house.service.log().len(), house.head(id).await), (events, head), "{query} wrote something");
    assert!(!answer.errors.is_empty(), "{query} was not refused");
    answer
}

const ACT: &str = "mutation($g: ID!, $s: Int, $a: String!, $e: Int, $c: Int) { act(game: $g, seat: $s, action: $a, expectedSeq: $e, clockMs: $c) { id } }";

#[tokio::test]
async fn an_illegal_action_is_refused_with_the_reason_and_similar_ones() {
    let house = House::new();
    let id = begun(&house).await;
    let legal = house.get("query($g: ID!) { game(id: $g) { position { legalActions } } }", json!({ "g": id })).await;
    let legal: Vec<String> = serde_json::from_value(legal["game"]["position"]["legalActions"].clone()).unwrap();
    let near = format!("{}x", legal[0]);
    let answer = refused(&house, &id, ACT, json!({ "s": 1, "a": near })).await;
    assert_eq!(answer.code(), "ILLEGAL_ACTION");
    let more = &answer.errors[0]["extensions"];
    assert_eq!((&more["ply"], &more["action"]), (&json!(3), &json!(near)));
    assert!(!text(&more["why"]).is_empty());
    assert!(more["near"].as_array().unwrap().contains(&json!(legal[0])), "{more}");
    for action in ["", " ", "b1-b2 ", "\u{0}", "💥", "a1-a1", "z9-z9", &"b1-b2".repeat(700)] {
        assert_eq!(
            refused(&house, &id, ACT, json!({ "s": 1, "a": action })).await.code(),
            "ILLEGAL_ACTION",
            "{action:?}"
        );
    }
    assert_eq!(refused(&house, &id, ACT, json!({ "s": 1, "a": "x".repeat(4001) })).await.code(), "BAD_INPUT");
}

#[tokio::test]
async fn of_several_actions_all_or_none_are_recorded() {
    let house = House::new();
    let id = begun(&house).await;
    let query =
        "mutation($g: ID!, $a: [ActInput!]!, $e: Int) { actAll(game: $g, actions: $a, expectedSeq: $e) { id } }";
    let legal = house.get("query($g: ID!) { game(id: $g) { position { legalActions } } }", json!({ "g": id })).await;
    let first = json!({ "action": legal["game"]["position"]["legalActions"][0] });
    let answer =
        refused(&house, &id, query, json!({ "a": [first, { "action": "nonsense" }, { "action": "more" }] })).await;
    assert_eq!((answer.code().as_str(), &answer.errors[0]["extensions"]["ply"]), ("ILLEGAL_ACTION", &json!(4)));
    assert_eq!(refused(&house, &id, query, json!({ "a": [] })).await.code(), "BAD_INPUT");
    assert_eq!(refused(&house, &id, query, json!({ "a": vec![first.clone(); 5001] })).await.code(), "BAD_INPUT");
    assert_eq!(refused(&house, &id, query, json!({ "a": [first], "e": 0 })).await.code(), "LOG_CONFLICT");
}

#[tokio::test]
async fn seats_and_numbers_must_make_sense() {
    let house = House::new();
    let id = begun(&house).await;
    assert_eq!(refused(&house, &id, ACT, json!({ "s": 2, "a": "b1-b2" })).await.code(), "NOT_YOUR_TURN");
    for (variables, code) in [
        (json!({ "s": 3, "a": "b1-b2" }), "BAD_INPUT"),
        (json!({ "s": 0, "a": "b1-b2" }), "BAD_INPUT"),
        (json!({ "s": 1, "a": "b1-b2", "e": -1 }), "BAD_INPUT"),
        (json!({ "s": 1, "a": "b1-b2", "e": 1 }), "LOG_CONFLICT"),
        (json!({ "s": 1, "a": "b1-b2", "e": i64::MAX }), "LOG_CONFLICT"),
    ] {
        assert_eq!(refused(&house, &id, ACT, variables.clone()).await.code(), code, "{variables}");
    }
    // A number of the wrong size is refused before it reaches our code; the transport provides the code.
    for variables in [
        json!({ "s": -1, "a": "a" }),
        json!({ "s": 256, "a": "a" }),
        json!({ "s": 1, "a": "a", "c": -1 }),
        json!({ "s": 1.5, "a": "a" }),
        json!({ "s": 1, "a": "a", "e": u64::MAX }),
    ] {
        assert!(!refused(&house, &id, ACT, variables).await.says().is_empty());
    }
    let legal = house.get("query($g: ID!) { game(id: $g) { position { legalActions } } }", json!({ "g": id })).await;
    let legal = &legal["game"]["position"]["legalActions"][0];
    let clock = refused(&house, &id, ACT, json!({ "s": 1, "a": legal, "c": 1_u64 << 53 })).await;
    assert_eq!(clock.code(), "BAD_INPUT", "a number that JSON cannot hold exactly");
    for field in [
        "resign(game: $g, seat: 9)",
        "offerDraw(game: $g, seat: 0)",
        "answerDraw(game: $g, seat: 1, accept: true)",
        "flagFall(game: $g, seat: 3)",
        "takeBack(game: $g, toPly: 2, reason: \"r\")",
        "takeBack(game: $g, toPly: 4000000000, reason: \"r\")",
        "takeBack(game: $g, toPly: 0, reason: \" \")",
        "annotate(game: $g, ply: 3, comment: \"c\")",
        "annotate(game: $g, ply: 1, comment: \"\")",
        "annotate(game: $g, ply: 1, glyphs: [\"a b\"])",
        "annotate(game: $g, ply: 1, glyphs: [\"\"])",
        "annotate(game: $g, ply: 1, glyphs: [\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"])",
        "adjudicate(game: $g, input: { winners: [3], reason: \"r\" })",
        "adjudicate(game: $g, input: { winners: [2, 1], reason: \"r\" })",
        "adjudicate(game: $g, input: { winners: [1], ranking: [[1]], reason: \"r\" })",
        "adjudicate(game: $g, input: { winners: [1], ranking: [[2], [1]], reason: \"r\" })",
        "adjudicate(game: $g, input: { winners: [], ranking: [[2], [1]], reason: \"r\" })",
        "adjudicate(game: $g, input: { winners: [1, 2], reason: \"r\" })",
        "adjudicate(game: $g, input: { winners: [1], reason: \"entered without a record\" })",
        "adjudicate(game: $g, input: { winners: [1], reason: \"\" })",
        "voidGame(game: $g, reason: \"\")",
    ] {
        let query = format!("mutation($g: ID!) {{ {field} {{ id }} }}");
        assert_eq!(refused(&house, &id, &query, json!({})).await.code(), "BAD_INPUT", "{field}");
    }
}

#[tokio::test]
async fn long_texts_are_refused() {
    let house = House::new();
    let id = begun(&house).await;
    for field in [
        "annotate(game: $g, ply: 1, comment: $t)",
        "takeBack(game: $g, toPly: 1, reason: $t)",
        "voidGame(game: $g, reason: $t)",
        "adjudicate(game: $g, input: { winners: [], reason: $t })",
    ] {
        let query = format!("mutation($g: ID!, $t: String!) {{ {field} {{ id }} }}");
        let answer = refused(&house, &id, &query, json!({ "t": "é".repeat(4001) })).await;
        assert_eq!(answer.code(), "BAD_INPUT", "{field}");
        assert!(answer.says().contains("4000"), "{}", answer.says());
    }
    let annotate = "mutation($g: ID!, $t: String!) { annotate(game: $g, ply: 1, comment: $t) { id } }";
    house.get(annotate, json!({ "g": id, "t": "é".repeat(4000) })).await;
}

#[tokio::test]
async fn nothing_is_played_after_the_end() {
    let house = House::new();
    for end in ["resign(game: $g, seat: 1)", "voidGame(game: $g, reason: \"r\")"] {
        let id = begun(&house).await;
        house.get(&format!("mutation($g: ID!) {{ {end} {{ id }} }}"), json!({ "g": id })).await;
        for field in [
            "act(game: $g, action: \"b1-b2\")",
            "act(game: $g, seat: 2, action: \"b1-b2\")",
            "resign(game: $g, seat: 2)",
            "offerDraw(game: $g, seat: 1)",
            "answerDraw(game: $g, seat: 1, accept: true)",
            "flagFall(game: $g, seat: 1)",
            "roll(game: $g)",
        ] {
            let query = format!("mutation($g: ID!) {{ {field} {{ id }} }}");
            assert_eq!(refused(&house, &id, &query, json!({})).await.code(), "GAME_OVER", "{field} after {end}");
        }
    }
    let id = begun(&house).await;
    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }", json!({ "g": id })).await;
    for (field, code) in [
        ("takeBack(game: $g, toPly: 0, reason: \"r\")", "GAME_OVER"),
        ("adjudicate(game: $g, input: { winners: [1], reason: \"r\" })", "GAME_OVER"),
        ("voidGame(game: $g, reason: \"r\")", "BAD_INPUT"),
    ] {
        let query = format!("mutation($g: ID!) {{ {field} {{ id }} }}");
        assert_eq!(refused(&house, &id, &query, json!({})).await.code(), code, "{field}");
    }
}

#[tokio::test]
async fn games_and_players_are_created_from_valid_input_only() {
    let house = House::new();
    let id = begun(&house).await;
    let query = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let two = json!([{}, {}]);
    let long = "n".repeat(101);
    for (input, code) in [
        (json!({ "kind": "chess", "seats": two }), "BAD_INPUT"),
        (json!({ "kind": "k".repeat(5000), "seats": two }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": [] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": [{}, {}, {}] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "setup": { "rows": 9 } }), "BAD_SETUP"),
        (json!({ "kind": "triangulate", "seats": two, "setup": [] }), "BAD_SETUP"),
        (json!({ "kind": "triangulate", "seats": [{ "player": nobody() }, {}] }), "NOT_FOUND"),
        (json!({ "kind": "triangulate", "seats": [{ "player": "me" }, {}] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": [{ "name": long }, {}] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": [{ "name": "a\nb" }, {}] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": [{ "name": " " }, {}] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": { "elo": 1.5 } }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": { "é": 1 } }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": ["open"] }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": { "": 1 } }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": { "a=b": "c" } }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": { "big": 9_007_199_254_740_992_u64 } }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tags": { "text": "t".repeat(70_000) } }), "BAD_INPUT"),
        (json!({ "kind": "triangulate", "seats": two, "tournament": "cup" }), "BAD_INPUT"),
    ] {
        let answer = refused(&house, &id, query, json!({ "i": input })).await;
        assert_eq!(answer.code(), code, "{input}");
        assert!(answer.says().len() < 400, "{}", answer.says());
    }
    let tags =
        refused(&house, &id, query, json!({ "i": { "kind": "triangulate", "seats": two, "tags": { "elo": 1.5 } } }))
            .await;
    assert!(tags.says().contains("tags") && tags.says().contains("integers"), "{}", tags.says());
    for list in ["players", "tournaments", "games"] {
        let query = format!("{{ {list}(filter: {{ kind: \"zzz\" }}) {{ totalCount }} }}");
        assert!(house.ask(&Caller::ADMIN, &query, json!({})).await.says().contains("zzz"), "{list}");
    }
    for name in ["", "  ", &long, "a\u{7}b"] {
        let query = "mutation($n: String!) { createPlayer(input: { name: $n }) { id } }";
        assert_eq!(refused(&house, &id, query, json!({ "n": name })).await.code(), "BAD_INPUT", "{name:?}");
    }
    assert!(seats_of("triangulate") == 2);
}

#[tokio::test]
async fn ids_are_parsed_and_looked_up() {
    let house = House::new();
    let id = begun(&house).await;
    let player = house.player("Ada").await;
    for field in [
        "act(game: $x, action: \"b1-b2\")",
        "actAll(game: $x, actions: [{ action: \"b1-b2\" }])",
        "roll(game: $x)",
        "takeBack(game: $x, toPly: 0, reason: \"r\")",
        "annotate(game: $x, ply: 0, comment: \"c\")",
        "resign(game: $x, seat: 1)",
        "offerDraw(game: $x, seat: 1)",
        "answerDraw(game: $x, seat: 1, accept: true)",
        "flagFall(game: $x, seat: 1)",
        "adjudicate(game: $x, input: { winners: [], reason: \"r\" })",
        "voidGame(game: $x, reason: \"r\")",
    ] {
        let query = format!("mutation($x: ID!) {{ {field} {{ id }} }}");
        for (found, code) in [
            ("", "BAD_INPUT"),
            ("1", "BAD_INPUT"),
            ("../../etc/passwd", "BAD_INPUT"),
            (&nobody(), "NOT_FOUND"),
            (&player, "NOT_FOUND"),
        ] {
            assert_eq!(refused(&house, &id, &query, json!({ "x": found })).await.code(), code, "{field} {found:?}");
        }
    }
    for query in [
        "query($x: ID!) { node(id: $x) { id } }",
        "query($x: ID!) { game(id: $x) { id } }",
        "query($x: ID!) { player(id: $x) { id } }",
        "query($x: ID!) { games(filter: { player: $x }) { totalCount } }",
    ] {
        for bad in ["", "x", &"0".repeat(10_000)] {
            assert_eq!(
                house.ask(&caller(Role::Spectator), query, json!({ "x": bad })).await.code(),
                "BAD_INPUT",
                "{query}"
            );
        }
    }
}

#[tokio::test]
async fn pages_and_cursors_are_checked() {
    let house = House::new();
    let id = begun(&house).await;
    for field in ["games", "game(id: $g) { moves", "game(id: $g) { events"] {
        let close = if field == "games" { "" } else { "}" };
        for arguments in [
            "first: -1",
            "last: -1",
            "first: 501",
            "first: 1, last: 1",
            "after: \"\"",
            "after: \"x\"",
            "before: \"-\"",
            "after: \"9999999999999999999999\"",
        ] {
            let query =
                format!("query($g: ID!) {{ g: game(id: $g) {{ id }} {field}({arguments}) {{ totalCount }} {close} }}");
            assert_eq!(house.ask(&Caller::SPECTATOR, &query, json!({ "g": id })).await.code(), "BAD_INPUT", "{query}");
        }
    }
    for viewer in ["", "0", "3", "chance", "ALL"] {
        let query = "query($g: ID!, $v: String) { game(id: $g) { position(viewer: $v) { ply } } }";
        assert_eq!(
            house.ask(&Caller::SPECTATOR, query, json!({ "g": id, "v": viewer })).await.code(),
            "BAD_INPUT",
            "{viewer:?}"
        );
    }
}

/// A journal whose disk fails on command.
#[derive(Default)]
pub struct Failing {
    events: MemoryJournal,
    pub has_failed: AtomicBool,
}

impl Journal for Failing {
    fn len(&self) -> u64 {
        self.events.len()
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        if self.has_failed.load(Ordering::Relaxed) {
            Err(JournalError::ReadOnly)
        } else {
            self.events.append(at, events)
        }
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        self.events.read(from, limit)
    }
}

/// Once a write has failed, nothing is accepted any more, even if the disk works again. Reading continues,
/// and shows nothing that was not written.
#[tokio::test]
async fn after_a_failed_write_the_service_is_read_only() {
    let journal = Arc::new(Failing::default());
    let house = House::over(Store::over(journal.clone()).unwrap());
    let id = begun(&house).await;
    let before = house.game(&id).await;
    journal.has_failed.store(true, Ordering::Relaxed);
    let resign = "mutation($g: ID!) { resign(game: $g, seat: 1) { id } }";
    let create = "mutation { createPlayer(input: { name: \"Ada\" }) { id } }";
    for is_failing in [true, false] {
        journal.has_failed.store(is_failing, Ordering::Relaxed);
        // The failed write may be on the disk, but nothing later is.
        let code = if is_failing { "OUTCOME_UNKNOWN" } else { "READ_ONLY" };
        assert_eq!(refused(&house, &id, resign, json!({})).await.code(), code);
        assert_eq!(house.ask(&Caller::ADMIN, create, json!({})).await.code(), "READ_ONLY");
        assert_eq!(house.game(&id).await, before);
    }
}
