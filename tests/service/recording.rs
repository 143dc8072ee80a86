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
