//! Two nodes of one stream: what is neither an event nor made from events counts on both.

use std::thread;
use std::time::{Duration, Instant};

use plybook_tests::nats::Nats;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::logs::{ACT, SETUPS};
use crate::plybook::{Ran, Served, run};

/// How long nothing is to happen.
const A_SECOND: Duration = Duration::from_secs(1);

/// The longest that anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Nodes that follow the stream `games`.
struct Nodes {
    nats: Nats,
    dir: TempDir,
}

impl Nodes {
    fn new() -> Self {
        Self { nats: Nats::start(3), dir: TempDir::new().unwrap() }
    }

    /// Arguments that lead to the stream.
    fn place(&self) -> [String; 6] {
        let credentials = self.nats.access().credentials.unwrap();
        let options = [
            ("--journal", self.nats.address("games").to_string()),
            ("--nats-credentials", credentials.to_str().unwrap().to_owned()),
            ("--vault-key-file", self.nats.key_file().to_str().unwrap().to_owned()),
        ];
        let [a, b, c] = options.map(|(option, value)| [option.to_owned(), value]);
        [a, b, c].concat().try_into().unwrap()
    }

    fn start(&self, name: &str) -> Served {
        let place = self.place();
        Served::start(&self.dir.path().join(name), &place.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn token(&self, arguments: &[&str]) -> Ran {
        let place = self.place();
        run(&[&["token"], arguments, &place.iter().map(String::as_str).collect::<Vec<_>>()].concat())
    }

    fn made(&self, arguments: &[&str]) -> String {
        self.token(&[&["create", "--role"], arguments].concat()).ok().trim().to_owned()
    }
}

#[track_caller]
fn wait_until(what: &str, within: Duration, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < within, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn create(node: &Served, token: &str, kind: &str) -> String {
    let input = json!({ "kind": kind, "seats": [{}, {}] });
    let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    node.get(Some(token), create, &json!({ "i": input }))["createGame"]["id"].as_str().unwrap().to_owned()
}

/// Waits until a node knows a game as far as this ply.
fn follow(node: &Served, game: &str, ply: u64) {
    let query = json!({ "query": "query($g: ID!) { game(id: $g) { ply } }", "variables": { "g": game } });
    wait_until("the other node follows", PATIENCE, || {
        node.ask(None, query["query"].as_str().unwrap(), &query["variables"])
            .is_some_and(|answer| answer["data"]["game"]["ply"] == ply)
    });
}

fn checkpoint(node: &Served) -> String {
    node.http("GET", "/checkpoint", None, "").unwrap().1
}

/// The number of events that a node's checkpoint covers.
fn covered(node: &Served) -> u64 {
    checkpoint(node).lines().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_token_counts_on_all_nodes_until_it_is_revoked_on_one() {
    let nodes = Nodes::new();
    let (one, other) = (nodes.start("one"), nodes.start("other"));
    let me = "{ me { role } }";
    let is_known = |node: &Served, token: &str| {
        let body = json!({ "query": me }).to_string();
        node.http("POST", "/graphql", Some(token), &body).unwrap().0 == 200
    };
    // The one that was made at the first start, too.
    wait_until("the first token counts", PATIENCE, || is_known(&other, &one.admin()));
    let token = nodes.made(&["recorder", "--label", "table 3"]);
    wait_until("it counts", PATIENCE, || is_known(&one, &token) && is_known(&other, &token));
    create(&other, &token, "tri");
    let listed = nodes.token(&["list"]).ok();
    let id = listed.lines().find(|line| line.contains("table 3")).unwrap().split(' ').next().unwrap();
    nodes.token(&["revoke", id]).ok();
    wait_until("it is revoked", PATIENCE, || !is_known(&one, &token) && !is_known(&other, &token));
    assert!(nodes.token(&["revoke", id]).fails(1).contains(id));
    assert!(!nodes.dir.path().join("one/tokens.jsonl").exists());
}

#[test]
fn a_game_with_secrets_is_played_on_two_nodes() {
    let nodes = Nodes::new();
    let (one, other) = (nodes.start("one"), nodes.start("other"));
    let game = create(&one, &one.admin(), "thrones");
    follow(&other, &game, 0);
    let seats = ["1", "2"].map(|seat| nodes.made(&["player", "--game", &game, "--seat", seat]));
    thread::sleep(A_SECOND);
    // The second set-up opens both, of which this node has sealed only one.
    let act = |node: &Served, seat: usize, action: &str| {
        node.get(Some(&seats[seat]), ACT, &json!({ "g": game, "a": action }))["act"]["ply"].clone()
    };
    assert_eq!(act(&one, 0, SETUPS[0]), 1);
    follow(&other, &game, 1);
    assert_eq!(act(&other, 1, SETUPS[1]), 2);
    follow(&one, &game, 2);
    assert_eq!(act(&one, 0, "favor:hasten"), 3);
    follow(&other, &game, 3);
    assert_eq!(act(&other, 1, "favor:conspire"), 4);
    follow(&one, &game, 4);
    // The end opens everything, and the seed.
    let void = "mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { verification { valid } } }";
    let told = other.get(Some(&one.admin()), void, &json!({ "g": game }));
    assert_eq!(told["voidGame"]["verification"]["valid"], true);
    for file in ["vault", "personal.json", "tokens.jsonl", "tlog/key"] {
        assert!(!nodes.dir.path().join("one").join(file).exists(), "{file} is shared");
    }
}

#[test]
fn a_mutation_that_is_repeated_on_another_node_is_carried_out_once() {
    let nodes = Nodes::new();
    let (one, other) = (nodes.start("one"), nodes.start("other"));
    let admin = one.admin();
    thread::sleep(A_SECOND);
    let create = "mutation($k: IdempotencyKey!) { createGame(idempotencyKey: $k, \
                  input: { kind: \"tri\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";
    for n in 0..20 {
        let key = json!({ "k": format!("a-key-of-its-own-{n}") });
        let ask = |node: &Served| node.get(Some(&admin), create, &key)["createGame"]["id"].clone();
        // On both at the same time, or on one at once after the other.
        let (first, second) = if n % 2 == 0 {
            thread::scope(|scope| {
                let first = scope.spawn(|| ask(&one));
                (ask(&other), first.join().unwrap())
            })
        } else {
            (ask(&one), ask(&other))
        };
        assert_eq!(first, second, "{n}");
    }
    let count = |node: &Served| -> Value {
        node.get(None, "{ games(first: 1) { totalCount } }", &json!({}))["games"]["totalCount"].clone()
    };
    wait_until("each is there once", PATIENCE, || count(&one) == 20 && count(&other) == 20);
}

#[test]
fn an_analysis_that_one_node_has_made_is_on_all_of_them() {
    let nodes = Nodes::new();
    let (one, other) = (nodes.start("one"), nodes.start("other"));
    let admin = one.admin();
    let game = create(&one, &admin, "triangulate");
    for action in ["b1-b2", "d1-d2"] {
        one.get(Some(&admin), ACT, &json!({ "g": game, "a": action }));
    }
    follow(&other, &game, 2);
    let analyze = |node: &Served, playouts: u32| {
        let query = format!("mutation($g: ID!) {{ analyze(game: $g, playouts: {playouts}) {{ state }} }}");
        node.get(Some(&admin), &query, &json!({ "g": game }))["analyze"]["state"].clone()
    };
    let analysis = |node: &Served| {
        let query =
            "query($g: ID!) { game(id: $g) { analysis { state playouts engine plies { ply best line glyph } } } }";
        node.get(Some(&admin), query, &json!({ "g": game }))["game"]["analysis"].clone()
    };
    assert!(analysis(&other).is_null());
    analyze(&one, 40);
    wait_until("it is done", PATIENCE, || analysis(&one)["state"] == "DONE");
    wait_until("the other node knows it", PATIENCE, || analysis(&other) == analysis(&one));
    // As it is there, nobody makes it again, not even with fewer playouts; a better one takes its place.
    assert_eq!(analyze(&other, 20), "DONE");
    analyze(&other, 60);
    wait_until("a better one is everywhere", PATIENCE, || {
        [&one, &other].iter().all(|node| analysis(node)["playouts"] == 60)
    });
    let joining = nodes.start("joining");
    wait_until("one that joins knows it", PATIENCE, || analysis(&joining) == analysis(&one));
}

#[test]
fn personal_data_is_erased_on_all_nodes() {
    let nodes = Nodes::new();
    let (one, other) = (nodes.start("one"), nodes.start("other"));
    let admin = one.admin();
    let create = "mutation { createPlayer(input: { name: \"Ada\", yearOfBirth: 1987 }) { id } }";
    let player = one.get(Some(&admin), create, &json!({}))["createPlayer"]["id"].clone();
    let born = |node: &Served| {
        let query = "query($p: ID!) { player(id: $p) { yearOfBirth } }";
        let answer = node.ask(Some(&admin), query, &json!({ "p": player })).unwrap();
        answer["data"]["player"]["yearOfBirth"].clone()
    };
    wait_until("it is known", PATIENCE, || born(&other) == 1987);
    let erase = "mutation($p: ID!) { editPlayer(player: $p, input: { yearOfBirth: null }) { id } }";
    other.get(Some(&admin), erase, &json!({ "p": player }));
    wait_until("it is erased", PATIENCE, || born(&one).is_null() && born(&other).is_null());
}

#[test]
fn a_node_that_is_stopped_while_it_signs_leaves_one_history() {
    let nodes = Nodes::new();
    let (one, other) = (nodes.start("one"), nodes.start("other"));
    let admin = one.admin();
    let record = |node: &Served| {
        create(node, &admin, "tri");
    };
    thread::sleep(A_SECOND);
    for _ in 0..3 {
        record(&one);
        let before = covered(&one);
        one.signal("-STOP");
        (0..5).for_each(|_| record(&other));
        wait_until("the other node signs", PATIENCE, || covered(&other) >= before + 5);
        one.signal("-CONT");
        record(&one);
        wait_until("both serve the same", PATIENCE, || {
            let (mine, theirs) = (checkpoint(&one), checkpoint(&other));
            mine == theirs && covered(&one) >= before + 6
        });
    }
    let doctor = run(&["journal", "check", &nodes.place()[1], "--nats-credentials", &nodes.place()[3]]).ok();
    assert!(doctor.contains("digest"), "{doctor}");
}

#[test]
fn a_node_without_the_key_or_with_another_one_does_not_start() {
    let nodes = Nodes::new();
    drop(nodes.start("one"));
    let other = nodes.dir.path().join("other-key");
    run(&["vault", "key", other.to_str().unwrap()]).ok();
    let place = nodes.place();
    let data = nodes.dir.path().join("other");
    for (key, words) in [
        (None, "--vault-key-file; `plybook vault key FILE` makes one"),
        (Some(other.to_str().unwrap()), "encrypted with another --vault-key-file"),
    ] {
        let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()];
        arguments.extend(place[..4].iter().map(String::as_str));
        arguments.extend(key.map(|key| ["--vault-key-file", key]).into_iter().flatten());
        let said = run(&arguments).fails(2);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_secret_that_a_node_has_not_heard_of_is_not_said_to_be_lost() {
    let nodes = Nodes::new();
    let node = nodes.start("one");
    let files = nodes.dir.path().join("files");
    let game = {
        let recorded = Served::start(&files, &[]);
        let game = create(&recorded, &recorded.admin(), "thrones");
        let seal = json!({ "g": game, "s": 1, "a": SETUPS[0] });
        recorded.get(Some(&recorded.admin()), ACT, &seal);
        recorded.signal("-TERM");
        assert_eq!(recorded.wait(PATIENCE), Some(0));
        game
    };
    // Its events arrive, and its secrets do not.
    let place = nodes.place();
    let copied = ["journal", "copy", "--from", files.to_str().unwrap(), "--to", &place[1], &place[2], &place[3]];
    run(&copied).ok();
    let code = |node: &Served| {
        let answer =
            node.ask(None, "query($g: ID!) { game(id: $g) { position { toAct } } }", &json!({ "g": game })).unwrap();
        answer["errors"][0]["extensions"]["code"].clone()
    };
    wait_until("the game is there", PATIENCE, || !code(&node).is_null());
    assert_eq!(code(&node), "BEHIND");
    // A node that starts knows what is lost.
    drop(node);
    assert_eq!(code(&nodes.start("one")), "SECRET_LOST");
}
