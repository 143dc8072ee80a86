//! `serve --journal`: several services on one stream. `tests/run` leaves these out, `tests/run all` runs them.

mod balancer;
mod faults;
mod frozen;
mod journal;
mod shared;
mod streams;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use plybook_tests::http::Client;
use plybook_tests::nats::Nats;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::plybook::{Ran, Served, http_at, run};

pub const CREATE: &str =
    "mutation { createGame(input: { kind: \"triangulate\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";
const NEXT: &str = "query($g: ID!) { game(id: $g) { ply head { seq } position { legalActions } } }";
const ACT: &str =
    "mutation($g: ID!, $a: String!, $s: Int!) { act(game: $g, action: $a, expectedSeq: $s) { ply head { hash } } }";

/// What all nodes have to answer alike.
pub const ALL: &str =
    "{ games(first: 100) { totalCount nodes { id kind status ply head { hash } verification { valid } } }
                     statistics(kind: \"triangulate\") { games plies { median } } }";

/// The longest that anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// The servers, and what the nodes on them have in common.
pub struct Cluster {
    pub nats: Nats,
    pub dir: TempDir,
    key: PathBuf,
}

impl Cluster {
    pub fn start(servers: usize) -> Self {
        let dir = TempDir::new().unwrap();
        let key = dir.path().join("key");
        run(&["vault", "key", key.to_str().unwrap()]).ok();
        Self { nats: Nats::start(servers), dir, key }
    }

    /// What leads a node to the stream.
    pub fn flags(&self) -> [String; 6] {
        let access = self.nats.access().credentials.unwrap();
        let [stream, access, key] =
            [self.nats.address("games").to_string(), text(&access).to_owned(), text(&self.key).to_owned()];
        [
            ["--journal".to_owned(), stream],
            ["--nats-credentials".to_owned(), access],
            ["--vault-key-file".to_owned(), key],
        ]
        .concat()
        .try_into()
        .unwrap()
    }

    pub fn node(&self, name: &str) -> Served {
        Served::start(&self.dir.path().join(name), &self.flags().each_ref().map(String::as_str))
    }

    /// A node, and what it logs.
    fn logging(&self, name: &str) -> (Served, PathBuf) {
        let log = self.dir.path().join(format!("{name}.log"));
        let flags = self.flags();
        let node = Served::start_logging_with(&self.dir.path().join(name), &log, &flags.each_ref().map(String::as_str));
        (node, log)
    }

    /// What `plybook cluster status` says.
    fn status(&self, nodes: &[&Served]) -> Ran {
        let (stream, access) = (self.nats.address("games").to_string(), self.nats.access().credentials.unwrap());
        let metrics: Vec<String> = nodes.iter().map(|node| format!("--node=http://{}", node.backstage())).collect();
        let flags = ["cluster", "status", "--journal", &stream, "--nats-credentials", text(&access)];
        run(&flags.into_iter().chain(metrics.iter().map(String::as_str)).collect::<Vec<_>>())
    }

    /// Lets another node know the tokens of one.
    fn give_tokens(&self, from: &str, to: &str) {
        let [from, to] = [from, to].map(|name| self.dir.path().join(name));
        fs::create_dir_all(&to).unwrap();
        let _ = fs::copy(from.join("tokens.jsonl"), to.join("tokens.jsonl"));
    }
}

/// An answer, and the position that it tells.
pub struct Answer {
    status: u16,
    pub position: u64,
    pub body: Value,
}

/// Asks a node, which answers once it has so many events.
pub fn ask(node: &Served, min_position: u64, token: Option<&str>, query: &str, variables: &Value) -> Answer {
    let body = json!({ "query": query, "variables": variables }).to_string();
    let mut client = Client::connect(node.address()).unwrap();
    let answer = client.send_after(min_position, "POST", "/graphql", token, &body).unwrap();
    Answer {
        status: answer.status,
        position: answer.position.expect("every answer tells it"),
        body: serde_json::from_slice(&answer.body).unwrap(),
    }
}

/// Plays a legal action through one node, as another showed the game after `position` events. Returns the position then.
pub fn play(shown: &Served, through: &Served, token: &str, game: &str, position: u64) -> u64 {
    let told = ask(shown, position, None, NEXT, &json!({ "g": game })).body["data"]["game"].clone();
    let variables = json!({ "g": game, "a": told["position"]["legalActions"][0], "s": told["head"]["seq"] });
    let answer = ask(through, position, Some(token), ACT, &variables);
    assert_eq!(answer.body["data"]["act"]["ply"].as_u64(), told["ply"].as_u64().map(|ply| ply + 1), "{}", answer.body);
    answer.position
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_game_is_recorded_through_any_node_and_followed_on_any() {
    let cluster = Cluster::start(3);
    let one = cluster.node("one");
    let token = one.admin();
    cluster.give_tokens("one", "two");
    let two = cluster.node("two");
    let mut changes = BufReader::new(TcpStream::connect(two.address()).unwrap());
    let follow = format!("GET /changes.ndjson?follow=true HTTP/1.1\r\nhost: {}\r\n\r\n", two.address());
    changes.get_mut().write_all(follow.as_bytes()).unwrap();
    changes.get_mut().set_read_timeout(Some(PATIENCE)).unwrap();

    let created = ask(&one, 0, Some(&token), CREATE, &json!({}));
    let game = created.body["data"]["createGame"]["id"].as_str().unwrap().to_owned();
    let mut position = created.position;
    for n in 0..6 {
        let (shown, through) = if n % 2 == 0 { (&two, &one) } else { (&one, &two) };
        position = play(shown, through, &token, &game, position);
    }
    let mut acted = 0;
    while acted < 6 {
        let mut line = String::new();
        assert!(changes.read_line(&mut line).unwrap() > 0, "the feed ends");
        acted += usize::from(line.contains(&game) && line.contains("\"acted\""));
    }

    // An action that was decided on an older state is a conflict, whichever node is asked.
    let stale = json!({ "g": game, "a": "b1-b2", "s": 1 });
    assert_eq!(ask(&two, 0, Some(&token), ACT, &stale).body["errors"][0]["extensions"]["code"], "LOG_CONFLICT");

    // A node that was killed, and an empty one, hold the same as one that was there all the time.
    two.signal("-KILL");
    assert_eq!(two.wait(PATIENCE), None);
    for _ in 0..3 {
        position = play(&one, &one, &token, &game, position);
    }
    let [two, three] = ["two", "three"].map(|name| cluster.node(name));
    position = play(&three, &two, &token, &game, position);
    let told = [&one, &two, &three].map(|node| ask(node, position, None, ALL, &json!({})).body);
    assert_eq!(told[0]["data"]["games"]["nodes"][0]["ply"], 10, "{}", told[0]);
    assert!(told[0] == told[1] && told[1] == told[2], "{told:?}");

    // What reads files finds none.
    let why = run(&["verify", "--data", text(&cluster.dir.path().join("three"))]).fails(2);
    assert!(why.contains("there is no store"), "{why}");
    let why = run(&["verify", "--journal", &cluster.nats.address("games").to_string()]).fails(2);
    assert!(why.contains("plybook journal copy"), "{why}");
    let said = cluster.status(&[&one, &three]).ok();
    assert!(said.contains(&format!("{position} events")) && said.matches("up to date").count() == 4, "{said}");

    // A node that does not get there in time says how far it is.
    let late = ask(&three, position + 1, None, ALL, &json!({}));
    assert_eq!((late.status, late.position), (503, position), "{}", late.body);
    assert_eq!(late.body["errors"][0]["extensions"]["code"], "BEHIND");
}

#[test]
fn without_a_quorum_a_node_reads_and_it_writes_again_by_itself() {
    let mut cluster = Cluster::start(3);
    let node = cluster.node("one");
    let token = node.admin();
    let created = ask(&node, 0, Some(&token), CREATE, &json!({}));
    let game = created.body["data"]["createGame"]["id"].as_str().unwrap().to_owned();
    let metric = |name: &str| {
        let metrics = http_at(node.backstage(), "GET", "/metrics", None, "").unwrap().1;
        let line = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{metrics}")).parse::<f64>().unwrap() as u64
    };
    assert_eq!((metric("plybook_journal_away"), metric("plybook_journal_behind_events")), (0, 0));
    for n in 0..2 {
        cluster.nats.kill(n);
    }
    let begun = Instant::now();
    let refused = loop {
        let answer = ask(&node, 0, Some(&token), CREATE, &json!({}));
        match answer.body["errors"][0]["extensions"]["code"].as_str() {
            Some("READ_ONLY") => break answer,
            Some("OUTCOME_UNKNOWN") | None => assert!(begun.elapsed() < PATIENCE, "{}", answer.body),
            Some(other) => panic!("{other}"),
        }
    };
    assert!(refused.body["errors"][0]["extensions"]["retryAfterMs"].as_u64() > Some(0), "{}", refused.body);
    // Nobody waits for the servers again.
    let (waited, begun) = (begun.elapsed(), Instant::now());
    for _ in 0..10 {
        let again = ask(&node, 0, Some(&token), CREATE, &json!({}));
        assert_eq!(again.body["errors"][0]["extensions"]["code"], "READ_ONLY", "{}", again.body);
    }
    assert!(begun.elapsed() < 5 * waited, "ten are refused in {:?}, the first in {waited:?}", begun.elapsed());
    let (status, why) = http_at(node.backstage(), "GET", "/readyz", None, "").unwrap();
    assert!(status == 503 && why.contains("do not answer") && why.contains("is not known"), "{why}");
    assert_eq!(metric("plybook_journal_away"), 1);
    assert_eq!(ask(&node, 0, None, NEXT, &json!({ "g": game })).body["data"]["game"]["ply"], 0);

    for n in 0..2 {
        cluster.nats.run(n);
    }
    let begun = Instant::now();
    while http_at(node.backstage(), "GET", "/readyz", None, "").unwrap().0 != 200 {
        assert!(begun.elapsed() < PATIENCE, "it does not write again");
        std::thread::sleep(Duration::from_millis(100));
    }
    let position = play(&node, &node, &token, &game, 0);
    assert!(position > created.position);
}

/// Stops a node, which closes what it has on its disk.
pub fn stop(node: Served) {
    node.signal("-TERM");
    assert_eq!(node.wait(PATIENCE), Some(0));
}

#[test]
fn a_node_goes_on_with_the_read_models_of_another() {
    let cluster = Cluster::start(1);
    let (one, other) = (cluster.node("one"), cluster.node("other"));
    let token = one.admin();
    let created = ask(&one, 0, Some(&token), CREATE, &json!({}));
    let game = created.body["data"]["createGame"]["id"].as_str().unwrap().to_owned();
    let mut position = created.position;
    for _ in 0..30 {
        position = play(&one, &one, &token, &game, position);
    }
    stop(one);
    for _ in 0..3 {
        position = play(&other, &other, &token, &game, position);
    }
    for (name, is_sound) in [("three", true), ("four", false)] {
        // As docs/cluster.md has it; so few events have no tiles.
        for folder in ["sled/catalogue", "sled/digests", "sled/ratings"] {
            let [from, to] = ["one", name].map(|node| cluster.dir.path().join(node).join(folder));
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            assert!(Command::new("cp").arg("-r").args([from, to]).status().unwrap().success());
        }
        if !is_sound {
            fs::write(cluster.dir.path().join(name).join("sled/ratings/snapshot"), "damaged").unwrap();
        }
        let (node, log) = cluster.logging(name);
        let told = [&other, &node].map(|node| ask(node, position, None, ALL, &json!({})).body);
        assert_eq!(told[0]["data"]["games"]["nodes"][0]["ply"], 33, "{}", told[0]);
        assert_eq!(told[0], told[1]);
        let log = fs::read_to_string(log).unwrap();
        assert!(log.contains("was copied"), "{log}");
        assert_eq!(log.contains("made again"), !is_sound, "{log}");
    }
}

#[test]
fn two_nodes_that_start_at_the_same_moment_make_one_administrator() {
    let cluster = Cluster::start(1);
    for n in 0..4 {
        let names = [format!("a-{n}"), format!("b-{n}")];
        let stream = format!("/games-{n}?");
        let flags = cluster.flags().map(|flag| flag.replace("/games?", &stream));
        let flags = flags.each_ref().map(String::as_str);
        let nodes = std::thread::scope(|scope| {
            let started = names.each_ref().map(|name| {
                let dir = cluster.dir.path().join(name);
                scope.spawn(move || Served::start(&dir, &flags))
            });
            started.map(|node| node.join().unwrap())
        });
        let listed = run(&[&["token", "list"], &flags[..]].concat()).ok();
        assert_eq!(listed.matches("first start").count(), 1, "{listed}");
        let tokens = names.each_ref().map(|name| fs::read_to_string(cluster.dir.path().join(name).join("admin-token")));
        assert_eq!(tokens.iter().filter(|token| token.is_ok()).count(), 1, "{n}");
        drop(nodes);
    }
}

#[test]
fn a_node_that_is_stopped_while_the_servers_are_away_ends_soon() {
    let mut cluster = Cluster::start(3);
    for is_noticed in [true, false] {
        let (node, log) = cluster.logging(if is_noticed { "noticed" } else { "unnoticed" });
        let token = fs::read_to_string(cluster.dir.path().join("noticed/admin-token")).unwrap().trim().to_owned();
        let created = ask(&node, 0, Some(&token), CREATE, &json!({}));
        assert!(created.body["data"]["createGame"]["id"].is_string(), "{}", created.body);
        for n in 0..3 {
            cluster.nats.kill(n);
        }
        if is_noticed {
            let begun = Instant::now();
            while http_at(node.backstage(), "GET", "/readyz", None, "").unwrap().0 == 200 {
                assert!(begun.elapsed() < PATIENCE, "it does not notice");
                std::thread::sleep(Duration::from_millis(50));
            }
        } else {
            // Somebody waits for an append that nobody answers.
            let body = json!({ "query": CREATE }).to_string();
            let (address, token) = (node.address().to_owned(), token.clone());
            std::thread::spawn(move || http_at(&address, "POST", "/graphql", Some(&token), &body));
            std::thread::sleep(Duration::from_millis(300));
        }
        stop(node);
        let log = fs::read_to_string(log).unwrap();
        assert!(log.contains("are not waited for"), "{log}");
        assert_eq!(log.contains("an append was not answered"), !is_noticed, "{log}");
        for n in 0..3 {
            cluster.nats.run(n);
        }
        cluster.nats.wait();
    }
}

/// How many requests are sent at a time, and how often.
const REQUESTS: usize = 300;
const ROUNDS: usize = 5;

/// The CPU time that nodes have taken so far.
fn cpu_of(nodes: &[&Served]) -> Duration {
    let of_thread = |path: PathBuf| -> u64 {
        let told = fs::read_to_string(path.join("schedstat")).unwrap_or_default();
        told.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0)
    };
    let threads = nodes.iter().flat_map(|node| fs::read_dir(format!("/proc/{}/task", node.pid())).unwrap());
    Duration::from_nanos(threads.map(|thread| of_thread(thread.unwrap().path())).sum())
}

/// The CPU time that a request takes which reads a game and verifies it: what nodes take in that time beyond what they take if
/// nobody asks. Each gets its share at once, since it would have a machine of its own, whose caches no other node uses.
fn cpu_of_reading(nodes: &[&Served], game: &str, idle_share: f64) -> Duration {
    let (before, begun) = (cpu_of(nodes), Instant::now());
    for n in 0..REQUESTS {
        // A name of its own, so that no node has the answer already.
        let query =
            format!("{{ r{n}: game(id: \"{game}\") {{ moves {{ nodes {{ ply text }} }} verification {{ valid }} }} }}");
        let answer = ask(nodes[n * nodes.len() / REQUESTS], 0, None, &query, &json!({})).body;
        assert_eq!(answer["data"][format!("r{n}")]["verification"]["valid"], true, "{answer}");
    }
    let idle = begun.elapsed().mul_f64(idle_share * nodes.len() as f64);
    (cpu_of(nodes) - before).saturating_sub(idle) / REQUESTS as u32
}

/// Nodes share nothing when they read, so three machines read three times as much if a request costs no more on three.
#[test]
fn a_request_that_reads_costs_as_much_on_three_nodes_as_on_one() {
    let cluster = Cluster::start(3);
    let nodes = ["one", "two", "three"].map(|name| cluster.node(name));
    let token = nodes[0].admin();
    let created = ask(&nodes[0], 0, Some(&token), CREATE, &json!({}));
    let game = created.body["data"]["createGame"]["id"].as_str().unwrap().to_owned();
    let mut position = created.position;
    for _ in 0..20 {
        position = play(&nodes[0], &nodes[0], &token, &game, position);
    }
    nodes.iter().for_each(|node| drop(ask(node, position, None, ALL, &json!({}))));
    let all: Vec<&Served> = nodes.iter().collect();
    let (before, begun) = (cpu_of(&all), Instant::now());
    std::thread::sleep(Duration::from_secs(3));
    let idle_share = (cpu_of(&all) - before).as_secs_f64() / begun.elapsed().as_secs_f64() / 3.0;
    let (mut one, mut three) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(cpu_of_reading(&all[..1], &game, idle_share));
        three.push(cpu_of_reading(&all, &game, idle_share));
    }
    let [one, three] = [one, three].map(|mut rounds| {
        rounds.sort();
        rounds[ROUNDS / 2]
    });
    let times = 3.0 * one.as_secs_f64() / three.as_secs_f64();
    println!(
        "a request takes {one:.0?} of CPU time on one node, {three:.0?} on three, so these read {times:.2} times as much; a node \
         that nobody asks takes {:.1} % of a core",
        100.0 * idle_share
    );
    assert!(times > 2.0);
}
