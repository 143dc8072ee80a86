//! Subscriptions.

use std::sync::Arc;

use futures_util::StreamExt;
use plybook_api::access::Caller;
use serde_json::json;

use crate::house::{Dice, House, next, nobody};

const EVENTS: &str =
    "subscription($g: ID!, $a: Int) { gameEvents(game: $g, after: $a) { seq type by hash prev bytes body at } }";

/// Many write at once, into several games; every follower of a game gets each of its events once, in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_event_is_lost_or_comes_twice() {
    let house = Arc::new(House::new());
    let (watched, other) = (house.create("triangulate").await, house.create("triangulate").await);
    const WRITTEN: u64 = 6 * 25;
    let follow = |after: Option<u64>| {
        let variables = json!({ "g": watched, "a": after.map_or(json!(-1), |after| json!(after)) });
        let mut follower = house.follow(&Caller::SPECTATOR, EVENTS, variables);
        let first = after.map_or(0, |after| after + 1);
        async move {
            let mut heard = Vec::new();
            for _ in first..=WRITTEN {
                heard.push(next(&mut follower).await.ok()["gameEvents"].clone());
            }
            let more = tokio::time::timeout(std::time::Duration::from_millis(30), follower.next()).await;
            assert!(more.is_err(), "no more than that");
            (first, heard)
        }
    };
    let followers: Vec<_> = (0..4).map(|_| tokio::spawn(follow(None))).collect();
    let writers: Vec<_> = (0..8)
        .map(|n| {
            let (house, game) = (Arc::clone(&house), if n % 4 == 3 { other.clone() } else { watched.clone() });
            tokio::spawn(async move {
                let query = "mutation($g: ID!, $c: String!) { annotate(game: $g, ply: 0, comment: $c) { id } }";
                for turn in 0..25 {
                    house.get(query, json!({ "g": game, "c": format!("{n} {turn}") })).await;
                }
            })
        })
        .collect();
    // One begins while they write.
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let late = tokio::spawn(follow(Some(10)));
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(house.head(&watched).await, WRITTEN);
    let log = house.service.log().read(watched.parse().unwrap(), 0).unwrap();
    for follower in followers.into_iter().chain([late]) {
        let (first, heard) = follower.await.unwrap();
        for (event, seq) in heard.iter().zip(first..) {
            assert_eq!(event["seq"], seq);
            assert_eq!(event["bytes"].as_str().unwrap().as_bytes(), &*log[seq as usize]);
        }
    }
}

#[tokio::test]
async fn following_begins_after_the_given_event() {
    let house = House::new();
    let id = house.create("triangulate").await;
    house.play(&id, 5, &mut Dice(1)).await;
    for (after, first) in [(json!(null), 0), (json!(-1), 0), (json!(0), 1), (json!(4), 5)] {
        let mut events = house.follow(&Caller::SPECTATOR, EVENTS, json!({ "g": id, "a": after }));
        for seq in first..=5 {
            assert_eq!(next(&mut events).await.ok()["gameEvents"]["seq"], seq);
        }
    }
    let mut events = house.follow(&Caller::SPECTATOR, EVENTS, json!({ "g": id, "a": 5 }));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(30), events.next()).await.is_err());
    house.play(&id, 1, &mut Dice(1)).await;
    assert_eq!(next(&mut events).await.ok()["gameEvents"]["seq"], 6);
}

#[tokio::test]
async fn invalid_subscriptions_are_refused_with_a_code_and_end() {
    let house = House::new();
    let id = house.create("triangulate").await;
    let player = house.player("Ada").await;
    for (query, variables, code) in [
        (EVENTS, json!({ "g": nobody() }), "NOT_FOUND"),
        (EVENTS, json!({ "g": player }), "NOT_FOUND"),
        (EVENTS, json!({ "g": "x" }), "BAD_INPUT"),
        (EVENTS, json!({ "g": id, "a": -2 }), "BAD_INPUT"),
        (EVENTS, json!({ "g": id, "a": i64::MIN }), "BAD_INPUT"),
        ("subscription($g: ID!) { gameUpdated(game: $g) { id } }", json!({ "g": nobody() }), "NOT_FOUND"),
        (
            "subscription($g: ID!) { gameUpdated(game: $g) { position(ply: 9) { ply } } }",
            json!({ "g": id }),
            "BAD_INPUT",
        ),
    ] {
        let mut stream = house.follow(&Caller::SPECTATOR, query, variables.clone());
        assert_eq!(next(&mut stream).await.code(), code, "{query} {variables}");
    }
    let mut ended = house.follow(&Caller::SPECTATOR, EVENTS, json!({ "g": nobody() }));
    next(&mut ended).await;
    assert!(ended.next().await.is_none());
}

/// A game that is imported while it is cached and followed is shown in its new state.
#[tokio::test]
async fn an_import_reaches_followers_and_readers() {
    let (here, there) = (House::new(), House::new());
    let id = here.create("triangulate").await;
    let log = |house: &House| {
        let lines = house.service.log().read(id.parse().unwrap(), 0).unwrap();
        lines.iter().map(|line| String::from_utf8(line.to_vec()).unwrap() + "\n").collect::<String>()
    };
    let import = "mutation($r: String!) { importRecord(record: $r, format: NDJSON) { ply position { ply } } }";
    there.get(import, json!({ "r": log(&here) })).await;
    there.play(&id, 3, &mut Dice(1)).await;
    let mut updates = here.follow(
        &Caller::SPECTATOR,
        "subscription($g: ID!) { gameUpdated(game: $g) { ply position { ply } head { seq } } }",
        json!({ "g": id }),
    );
    assert_eq!(next(&mut updates).await.ok()["gameUpdated"]["ply"], 0);
    let told = here.get(import, json!({ "r": log(&there) })).await;
    assert_eq!(told["importRecord"], json!({ "ply": 3, "position": { "ply": 3 } }));
    assert_eq!(
        next(&mut updates).await.ok()["gameUpdated"],
        json!({ "ply": 3, "position": { "ply": 3 }, "head": { "seq": 3 } })
    );
    let act = "mutation($g: ID!, $e: Int) { annotate(game: $g, ply: 3, comment: \"c\") { head { seq } } takeBack(game: $g, toPly: 2, reason: \"r\", expectedSeq: $e) { ply } }";
    here.get(act, json!({ "g": id, "e": 4 })).await;
}
