//! A stream that is left for a directory of files.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cluster::{ALL, Cluster, PATIENCE, ask, stop, text};
use crate::logs::{ACT, SETUPS};
use crate::plybook::{Served, run};

/// The flags of a node, on another stream.
fn flags_on(cluster: &Cluster, stream: &str) -> Vec<String> {
    cluster.flags().iter().map(|flag| flag.replace("/games?", &format!("/{stream}?"))).collect()
}

fn start(data: &Path, flags: &[String]) -> Served {
    Served::start(data, &flags.iter().map(String::as_str).collect::<Vec<_>>())
}

fn get(node: &Served, token: &str, query: &str, variables: &Value) -> Value {
    node.get(Some(token), query, variables)
}

/// Waits until the checkpoint of a node covers so many events, and returns its key and its size.
fn checkpoint(node: &Served, events: u64) -> (String, u64) {
    let begun = Instant::now();
    loop {
        let text = node.http("GET", "/checkpoint", None, "").unwrap().1;
        let size = text.lines().nth(1).unwrap().parse().unwrap();
        if size >= events {
            return (text.lines().next().unwrap().to_owned(), size);
        }
        assert!(begun.elapsed() < PATIENCE, "no checkpoint covers {events} events: {text}");
        thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_stream_goes_back_to_files_and_from_there_to_another_stream_with_another_key() {
    let cluster = Cluster::start(1);
    let place = |name: &str| text(&cluster.dir.path().join(name)).to_owned();
    let node = cluster.node("node");
    let admin = node.admin();
    let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let input = json!({ "i": { "kind": "thrones", "seats": [{}, {}] } });
    let game = get(&node, &admin, create, &input)["createGame"]["id"].clone();
    let act = |node: &Served, seat: u8, action: &str| {
        get(node, &admin, ACT, &json!({ "g": game, "s": seat, "a": action }))["act"]["ply"].clone()
    };
    assert_eq!(act(&node, 1, SETUPS[0]), 1);
    let player = "mutation { createPlayer(input: { name: \"Ada\", yearOfBirth: 1987 }) { id } }";
    let player = get(&node, &admin, player, &json!({}))["createPlayer"]["id"].clone();
    let born = |node: &Served| {
        let query = "query($p: ID!) { player(id: $p) { yearOfBirth } }";
        get(node, &admin, query, &json!({ "p": player }))["player"]["yearOfBirth"].clone()
    };
    let position = ask(&node, 0, None, ALL, &json!({})).position;
    let (origin, _) = checkpoint(&node, position);

    let flags = cluster.flags();
    let key = flags[5].as_str();
    let from = ["--from", &flags[1], "--nats-credentials", &flags[3], "--vault-key-file", key];
    let copy = |to: &str| run(&[&["journal", "copy", "--to", to], &from[..]].concat());
    // While nodes record, as often as one wants.
    assert!(copy(&place("files")).ok().contains("is there, too"));
    let said = copy(&place("files")).ok();
    assert!(said.contains("\n0 of the events are new"), "{said}");
    for (file, clear) in [("vault", "fFffff"), ("tokens.jsonl", &admin[..]), ("admin-token", "")] {
        let bytes = fs::read_to_string(cluster.dir.path().join("files").join(file)).unwrap_or_default();
        assert!(clear.is_empty() || !bytes.contains(clear), "{file}");
    }
    assert!(copy("nats://127.0.0.1:1/other").fails(2).contains("from a stream to a directory"));

    // What is refused while nodes share it says how it is done.
    let in_stream: Vec<&str> = flags.iter().map(String::as_str).collect();
    let other_key = place("other-key");
    run(&["vault", "key", &other_key]).ok();
    for refused in [
        &["tlog", "rotate-key"][..],
        &["vault", "rekey", "--new-key-file", &other_key],
        &["serve", "--accept", "--listen", "127.0.0.1:0"],
    ] {
        let why = run(&[refused, &in_stream[..]].concat()).fails(2);
        assert!(why.contains("stop them") && why.contains("plybook journal copy"), "{refused:?}: {why}");
    }
    stop(node);

    // There it is done, and a backup of it comes back.
    let files = place("files");
    let rotated = run(&["tlog", "rotate-key", "--data", &files, "--vault-key-file", key]).ok();
    assert!(rotated.starts_with(&origin), "{rotated}");
    run(&["vault", "rekey", "--data", &files, "--vault-key-file", key, "--new-key-file", &other_key]).ok();
    run(&["backup", "--data", &files, "--to", &place("backup")]).ok();
    run(&["restore", "--from", &place("backup"), "--data", &place("restored")]).ok();

    // A store in files goes on with it, and so does another stream.
    let restored = place("restored");
    let alone = start(Path::new(&place("restored")), &["--vault-key-file".to_owned(), other_key.clone()]);
    assert_eq!(act(&alone, 2, SETUPS[1]), 2, "both set-ups are opened");
    assert_eq!(born(&alone), 1987);
    assert_eq!(checkpoint(&alone, position + 1).0, origin);
    stop(alone);
    let mut flags = flags_on(&cluster, "again");
    flags[5].clone_from(&other_key);
    run(&["journal", "copy", "--from", &restored, "--to", &flags[1], "--nats-credentials", &flags[3]]).ok();
    let node = start(Path::new(&restored), &flags);
    assert_eq!(act(&node, 1, "favor:hasten"), 3);
    assert_eq!(act(&node, 2, "favor:conspire"), 4);
    let void = "mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { verification { valid } } }";
    assert_eq!(get(&node, &admin, void, &json!({ "g": game }))["voidGame"]["verification"]["valid"], true);
    assert_eq!(born(&node), 1987);
    let position = ask(&node, 0, None, ALL, &json!({})).position;
    assert_eq!(checkpoint(&node, position).0, origin);
}
