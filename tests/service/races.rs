//! Concurrent requests.

use std::sync::Arc;

use plybook_api::access::Caller;
use serde_json::json;

use crate::house::{Dice, House};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_writers_with_the_same_head_one_wins() {
    let house = Arc::new(House::new());
    let id = house.create("triangulate").await;
    for round in 0..10 {
        let head = house.head(&id).await;
        let position = house.service.game(id.parse().unwrap()).unwrap().replay().position().boxed();
        let actor = position.to_act().only().unwrap();
        let legal = position.legal(actor).unwrap();
        let racers: Vec<_> = (0..32)
            .map(|n| {
                let (house, id, action) = (Arc::clone(&house), id.clone(), legal[n % legal.len()].clone());
                tokio::spawn(async move {
                    let query = "mutation($g: ID!, $a: String!, $e: Int) { act(game: $g, action: $a, expectedSeq: $e) { ply } }";
                    house.ask(&Caller::ADMIN, query, json!({ "g": id, "a": action, "e": head })).await.code()
                })
            })
            .collect();
        let mut codes = Vec::new();
        for racer in racers {
            codes.push(racer.await.unwrap());
        }
        let winners = codes.iter().filter(|code| *code == "OK").count();
        assert_eq!(winners, 1, "round {round}: {codes:?}");
        assert_eq!(codes.iter().filter(|code| *code == "LOG_CONFLICT").count(), 31, "{codes:?}");
        assert_eq!(house.head(&id).await, head + 1);
    }
    assert_eq!(house.game(&id).await["verification"]["valid"], true);
}

/// Without `expectedSeq`, the change is judged again if somebody else was first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_without_expected_seq_is_judged_again() {
    let house = Arc::new(House::new());
    let id = house.create("triangulate").await;
    house.play(&id, 10, &mut Dice(1)).await;
    let commentators: Vec<_> = (0..32)
        .map(|n| {
            let (house, id) = (Arc::clone(&house), id.clone());
            tokio::spawn(async move {
                let query = "mutation($g: ID!, $p: Int!, $c: String!) { annotate(game: $g, ply: $p, comment: $c) { moves(first: 20) { nodes { comment } } } }";
                let told = house.get(query, json!({ "g": id, "p": n % 10 + 1, "c": format!("by {n}") })).await;
                assert_ne!(told["annotate"]["moves"]["nodes"][n % 10]["comment"], json!(null), "the change is in its answer");
            })
        })
        .collect();
    for commentator in commentators {
        commentator.await.unwrap();
    }
    let game = house.game(&id).await;
    assert_eq!((&game["head"]["seq"], &game["verification"]["valid"]), (&json!(42), &json!(true)));
}

/// Creating, playing and listing at once: nothing waits for ever, and every answer is consistent.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_and_readers_do_not_block_each_other() {
    let house = Arc::new(House::new());
    let mut tasks = Vec::new();
    for n in 0..8_u64 {
        let house = Arc::clone(&house);
        tasks.push(tokio::spawn(async move {
            let mut dice = Dice(n);
            for _ in 0..6 {
                if n % 2 == 0 {
                    let id = house.create("triangulate").await;
                    house.play(&id, 5, &mut dice).await;
                    assert_eq!(house.game(&id).await["ply"], 5);
                } else {
                    let told = house.get("{ games(first: 500) { totalCount nodes { ply position { ply } head { ply seq } moves { totalCount } events { totalCount } } } players { totalCount } }", json!({})).await;
                    let nodes = told["games"]["nodes"].as_array().unwrap();
                    assert_eq!(told["games"]["totalCount"], nodes.len());
                    assert!(nodes.iter().all(|game| {
                        let [ply, shown, head, moves] = ["/ply", "/position/ply", "/head/ply", "/moves/totalCount"].map(|at| game.pointer(at));
                        ply == shown && ply == head && ply == moves && game["head"]["seq"] == game["ply"]
                            && game["events"]["totalCount"].as_u64() == game["ply"].as_u64().map(|ply| ply + 1)
                    }));
                }
            }
        }));
    }
    for task in tasks {
        tokio::time::timeout(std::time::Duration::from_secs(60), task).await.expect("nobody waits for ever").unwrap();
    }
}
