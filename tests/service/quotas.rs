//! What a token may add in a day.

use plybook_api::access::{Caller, QuotaLimits, Role};
use plybook_events::Hash;
use serde_json::{Value, json};

use crate::house::{House, caller, player};

const FORK: &str = "mutation($g: ID!, $a: [String!]) { fork(game: $g, ply: 0, actions: $a) { id } }";
const CREATE: &str = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
const PLAYER: &str = "mutation($n: String!) { createPlayer(input: { name: $n }) { id } }";
const LINKS: &str = "mutation($g: ID!) { issueGameTokens(game: $g) { seat } }";

fn holder(caller: Caller, number: u8) -> Caller {
    Caller { token: Some(Hash::of_parts(&[&[number]])), ..caller }
}

#[tokio::test]
async fn a_token_adds_so_much_in_a_day_and_is_told_which_quota_is_reached() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let anna = house.player("Anna").await;
    house.service.quotas().set(QuotaLimits { games: 2, players: 1, imports: 1, lines: 2, line_actions: 3, links: 1 });
    let recorder = holder(caller(Role::Recorder), 1);
    let record = "[Kind \"triangulate\"]\n[Seat1 \"A\"]\n[Seat2 \"B\"]\n\n1. b1-b2\n";
    let import = "mutation($r: String!) { importRecord(record: $r, format: TEXT) { id } }";
    let new = json!({ "i": { "kind": "triangulate", "seats": [{ "name": "A" }, { "name": "B" }] } });
    let wrong = json!({ "i": { "kind": "no such game", "seats": [] } });
    let tried: [(&str, &str, Value, u32); 4] = [
        ("games", CREATE, new.clone(), 2),
        ("players", PLAYER, json!({ "n": "Bert" }), 1),
        ("imports", import, json!({ "r": record }), 1),
        ("links", LINKS, json!({ "g": game }), 1),
    ];
    for (quota, mutation, variables, most) in tried {
        if quota == "games" {
            assert_eq!(house.ask(&recorder, mutation, wrong.clone()).await.code(), "BAD_INPUT", "it does not count");
        }
        for _ in 0..most {
            house.ask(&recorder, mutation, variables.clone()).await.ok();
        }
        let refused = house.ask(&recorder, mutation, variables.clone()).await;
        assert_eq!(refused.code(), "RATE_LIMITED", "{quota}");
        assert!(
            refused.says().contains(&format!("`{quota}` is reached: a token adds at most {most}")),
            "{}",
            refused.says()
        );
        if quota != "links" {
            house.ask(&holder(caller(Role::Recorder), 2), mutation, variables.clone()).await.ok();
            house.ask(&holder(Caller::ADMIN, 3), mutation, variables).await.ok();
        }
    }
    let player = holder(player(&anna), 4);
    house.ask(&player, FORK, json!({ "g": game, "a": ["b1-b2"] })).await.ok();
    let refused = house.ask(&player, FORK, json!({ "g": game, "a": ["b1-b2", "x", "x"] })).await;
    assert!(refused.says().contains("`line-actions`"), "{}", refused.says());
    house.ask(&player, FORK, json!({ "g": game, "a": [] })).await.ok();
    let refused = house.ask(&player, FORK, json!({ "g": game, "a": [] })).await;
    assert!(refused.says().contains("`lines`"), "{}", refused.says());
}
