//! Links for a table and its seats, and what recorders decide beside acting.

use plybook_api::access::Role;
use serde_json::{Value, json};

use crate::house::{House, caller};

#[tokio::test]
async fn links_are_for_the_table_and_for_each_seat() {
    let house = House::new();
    let issue =
        "mutation($g: ID!) { issueGameTokens(game: $g) { seat token qr(base: \"https://plybook.example\") { size } } }";
    let game = house.create("triangulate").await;
    let told = house.ask(&caller(Role::Recorder), issue, json!({ "g": game })).await.ok();
    let seats: Vec<&Value> = told["issueGameTokens"].as_array().unwrap().iter().map(|token| &token["seat"]).collect();
    assert_eq!(seats, [&Value::Null, &json!(1), &json!(2)]);
    // A seat's token shows that seat's secrets.
    let secret = house.create("thrones").await;
    assert_eq!(house.ask(&caller(Role::Recorder), issue, json!({ "g": secret })).await.code(), "FORBIDDEN");
    house.ask(&caller(Role::Arbiter), issue, json!({ "g": secret })).await.ok();
    house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": game })).await;
    let over = house.ask(&caller(Role::Recorder), issue, json!({ "g": game })).await;
    assert_eq!(over.code(), "BAD_INPUT");
    let many = house.create_as(json!({ "kind": "triforce-building", "seats": vec![json!({}); 13] })).await;
    let told = house.ask(&caller(Role::Arbiter), issue, json!({ "g": many })).await.ok();
    assert_eq!(told["issueGameTokens"].as_array().unwrap().len(), 14, "the most seats are not too dear");
}

#[tokio::test]
async fn what_recorders_decide_can_expect_the_last_event() {
    let house = House::new();
    let game = house.create("triangulate").await;
    for change in [
        "resign(game: $g, seat: 1, expectedSeq: 7)",
        "offerDraw(game: $g, seat: 1, expectedSeq: 7)",
        "answerDraw(game: $g, seat: 1, accept: true, expectedSeq: 7)",
        "flagFall(game: $g, seat: 1, expectedSeq: 7)",
        "abandon(game: $g, seat: 1, expectedSeq: 7)",
        "annotate(game: $g, ply: 0, comment: \"c\", expectedSeq: 7)",
    ] {
        let query = format!("mutation($g: ID!) {{ {change} {{ id }} }}");
        assert_eq!(
            house.ask(&caller(Role::Recorder), &query, json!({ "g": game })).await.code(),
            "LOG_CONFLICT",
            "{change}"
        );
    }
    let offer = "mutation($g: ID!) { offerDraw(game: $g, seat: 1, expectedSeq: 0) { drawOfferedBy } }";
    assert_eq!(house.get(offer, json!({ "g": game })).await["offerDraw"]["drawOfferedBy"], 1);
}

#[tokio::test]
async fn tags_with_fixed_names_are_checked() {
    let house = House::new();
    let create = "mutation($input: CreateGame!) { createGame(input: $input) { tags } }";
    let recorder = caller(Role::Recorder);
    let create = |tags: Value| {
        let input = json!({ "kind": "triangulate", "seats": [{}, {}], "tags": tags });
        house.ask(&recorder, create, json!({ "input": input }))
    };
    let tags = json!({ "started": "2026-11-20T19:30:00Z", "place": "Club room", "arbiter": "Ada", "round": 3 });
    assert_eq!(create(tags.clone()).await.ok()["createGame"]["tags"], tags);
    create(json!({ "started": "2026-11-20" })).await.ok();
    for (tags, reason) in [
        (json!({ "started": "yesterday" }), "a day such as 2026-11-20"),
        (json!({ "started": 2026 }), "the tag `started` is a text"),
        (json!({ "place": "" }), "the tag `place` is a text of 1 to 200 characters"),
        (json!({ "arbiter": "a".repeat(201) }), "the tag `arbiter` is a text of 1 to 200 characters"),
    ] {
        let answer = create(tags).await;
        assert_eq!(answer.code(), "BAD_INPUT");
        assert!(answer.says().contains(reason), "{}", answer.says());
    }
}

/// A score sheet that cannot be read on: a comment says so, and the game waits or is adjudicated.
#[tokio::test]
async fn an_unclear_action_is_a_comment_and_no_action() {
    let house = House::new();
    let game = house.create("triangulate").await;
    house.get("mutation($g: ID!) { act(game: $g, action: \"b1-b2\") { ply } }", json!({ "g": game })).await;
    let act = "mutation($g: ID!) { act(game: $g, action: \"unclear\") { ply } }";
    assert_eq!(house.ask(&caller(Role::Recorder), act, json!({ "g": game })).await.code(), "ILLEGAL_ACTION");
    let note = "mutation($g: ID!) { annotate(game: $g, ply: 1, comment: \"unclear: d1-d2 or d1-c2\") { status ply } }";
    let noted = house.ask(&caller(Role::Recorder), note, json!({ "g": game })).await.ok();
    assert_eq!(noted["annotate"], json!({ "status": "RUNNING", "ply": 1 }), "the game waits");
    let end =
        "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"adjudicated\" }) { status ply } }";
    let ended = house.ask(&caller(Role::Arbiter), end, json!({ "g": game })).await.ok();
    assert_eq!(ended["adjudicate"], json!({ "status": "FINISHED", "ply": 1 }));
}
