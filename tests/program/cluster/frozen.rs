//! A server that is frozen, or has given up `JetStream` since its disk is full: writing goes on, every node answers, and nodes start.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::cluster::{ALL, CREATE, Cluster, PATIENCE, ask, play, stop};
use crate::plybook::{Served, http_at};

/// Creates a game through a node, which may refuse that for a while, and returns how long that was.
fn create(node: &Served, token: &str) -> Duration {
    let begun = Instant::now();
    loop {
        let answer = ask(node, 0, Some(token), CREATE, &json!({}));
        match answer.body["errors"][0]["extensions"]["code"].as_str() {
            None => return begun.elapsed(),
            Some("READ_ONLY" | "OUTCOME_UNKNOWN" | "BEHIND") => std::thread::sleep(Duration::from_millis(50)),
            Some(other) => panic!("{other}"),
        }
        assert!(begun.elapsed() < PATIENCE, "nothing is written: {}", answer.body);
    }
}

/// The server stays frozen all the time: nothing here may wait until it goes on.
#[test]
fn one_frozen_server_stops_neither_writing_nor_reading_nor_a_start() {
    let cluster = Cluster::start(3);
    let nodes = ["one", "two", "three"].map(|name| cluster.node(name));
    let token = nodes[0].admin();
    let game = ask(&nodes[0], 0, Some(&token), CREATE, &json!({})).body["data"]["createGame"]["id"].clone();
    let game = game.as_str().unwrap();
    let mut position = (0..30).fold(0, |position, _| play(&nodes[0], &nodes[0], &token, game, position));
    for server in 0..3 {
        cluster.nats.pause(server);
        let waited = nodes.each_ref().map(|node| create(node, &token));
        println!("n{server} is frozen: {waited:.1?} until a node writes");
        for node in &nodes {
            position = play(node, node, &token, game, position);
        }
        let late = cluster.node(&format!("late-{server}"));
        let told = nodes.iter().chain([&late]).map(|node| ask(node, position, None, ALL, &json!({})).body);
        let told: Vec<_> = told.collect();
        assert!(told.iter().all(|body| *body == told[0] && body["errors"].is_null()), "{told:?}");
        for node in &nodes {
            assert_eq!(http_at(node.backstage(), "GET", "/readyz", None, "").unwrap().0, 200);
        }
        stop(late);
        cluster.nats.resume(server);
        cluster.nats.wait();
    }
}

#[test]
fn nodes_start_while_a_server_has_given_up_its_streams() {
    let mut cluster = Cluster::start(3);
    let node = cluster.node("one");
    let token = node.admin();
    create(&node, &token);
    // What a server says of itself after its disk was full is what one says that has no JetStream.
    cluster.nats.kill(2);
    let path = cluster.nats.dir.path().join("2.conf");
    let config = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = config.lines().filter(|line| !line.starts_with("jetstream")).collect();
    fs::write(&path, lines.join("\n").replace("jetstream: enabled", "")).unwrap();
    cluster.nats.run(2);
    let begun = Instant::now();
    let late = loop {
        // As long as it starts, it is one of those that do not answer.
        let (late, log) = cluster.logging("late");
        if fs::read_to_string(&log).unwrap().contains("has turned JetStream off") {
            break late;
        }
        assert!(begun.elapsed() < PATIENCE, "{}", fs::read_to_string(log).unwrap());
        stop(late);
    };
    create(&late, &token);
    // The leader takes a moment to miss it; if it hears of that server at all, it is behind.
    let is_missed = |out: &str| out.contains("n2: away") || out.contains(" operations behind");
    loop {
        let status = cluster.status(&[&node, &late]);
        if status.status == 1 && is_missed(&status.out) && status.out.contains("up to date") {
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "{}", status.out);
        std::thread::sleep(Duration::from_millis(200));
    }
}
