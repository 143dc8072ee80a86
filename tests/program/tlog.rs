//! The transparency log through the program: served, checked by another implementation, and kept from being rewritten.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use plybook_events::{Body, Event, Hash, LogId};
use plybook_tests::http::Client;
use plybook_tlog::CosigningKey;
use serde_json::{Value, json};
use signed_note::{StandardVerifier, VerifierList};
use tlog_tiles::{Checkpoint, Tile, TileHashReader, TileReader, check_record, check_tree, prove_record, prove_tree};

use crate::operator;
use crate::plybook::{Served, fill, run};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"triangulate\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// Reads tiles from a service.
struct Remote<'a>(&'a Served);

impl TileReader for Remote<'_> {
    fn height(&self) -> u8 {
        8
    }

    fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, tlog_tiles::Error> {
        // This crate writes the height into paths, as Go's checksum database does.
        Ok(tiles.iter().map(|tile| self.0.bytes(&format!("/{}", tile.path().replace("tile/8/", "tile/")))).collect())
    }

    fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
}

impl Served {
    /// The body of an answer to GET.
    #[track_caller]
    fn bytes(&self, path: &str) -> Vec<u8> {
        let answer = Client::connect(self.address()).unwrap().send("GET", path, None, "").unwrap();
        assert_eq!(answer.status, 200, "{path}");
        answer.body
    }

    /// The last checkpoint, checked and read by another implementation.
    fn checkpoint(&self, key: &str) -> Checkpoint {
        let note = signed_note::Note::from_bytes(&self.bytes("/checkpoint")).unwrap();
        let known = VerifierList::new(vec![Box::new(StandardVerifier::new(key).unwrap())]);
        assert_eq!(note.verify(&known).unwrap().0.len(), 1);
        Checkpoint::from_bytes(note.text()).unwrap()
    }

    /// Waits for a checkpoint that covers the head of a game; its inclusion proof.
    fn inclusion(&self, game: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(60);
        let query = "query($g: ID!) { game(id: $g) { inclusion { index size leaf path checkpoint { origin size root at note key } } } }";
        loop {
            let found = self.get(None, query, &json!({ "g": game }))["game"]["inclusion"].clone();
            if !found.is_null() {
                return found;
            }
            assert!(Instant::now() < until, "no checkpoint covers the game");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn hashes(path: &Value) -> Vec<tlog_tiles::Hash> {
    let hash = |hash: &Value| tlog_tiles::Hash(hash.as_str().unwrap().parse::<Hash>().unwrap().0);
    path.as_array().unwrap().iter().map(hash).collect()
}

#[test]
fn another_implementation_follows_it_over_http() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().to_str().unwrap();
    for _ in 0..3 {
        fill(dir.path());
    }
    let served = Served::start(dir.path(), &["--tlog-origin", "games.example.org/plybook"]);
    let token = served.admin();
    let key = run(&["tlog", "key", "--data", at]).ok();
    assert!(key.starts_with("games.example.org/plybook+"), "{key}");
    let mut seen: Option<Checkpoint> = None;
    for _ in 0..3 {
        let game = served.get(Some(&token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
        served.get(
            Some(&token),
            "mutation($g: ID!) { act(game: $g, action: \"b1-b2\") { ply } }",
            &json!({ "g": game }),
        );
        let inclusion = served.inclusion(&game);
        let checkpoint = served.checkpoint(key.trim());
        assert_eq!(checkpoint.origin(), "games.example.org/plybook");

        // The proof that the service gives, checked by the other implementation; and the one that it makes of the tiles.
        let log = served.bytes(&format!("/games/{game}/log.ndjson"));
        let head = log.trim_ascii_end().rsplit(|b| *b == b'\n').next().unwrap();
        let (size, index) = (inclusion["size"].as_u64().unwrap(), inclusion["index"].as_u64().unwrap());
        let root = tlog_tiles::Hash(inclusion["checkpoint"]["root"].as_str().unwrap().parse::<Hash>().unwrap().0);
        let leaf = tlog_tiles::record_hash(head);
        assert_eq!(hashes(&json!([inclusion["leaf"]])), [leaf]);
        let path = hashes(&inclusion["path"]);
        check_record(&path, size, root, index, leaf).unwrap();
        let remote = Remote(&served);
        let tiles = TileHashReader::new(size, root, &remote);
        assert_eq!(prove_record(size, index, &tiles).unwrap(), path);

        // The same for what came since the last checkpoint.
        if let Some(old) = seen.replace(checkpoint) {
            let new = seen.as_ref().unwrap();
            let query = "query($f: Int!, $t: Int!) { consistency(from: $f, to: $t) { from fromRoot to toRoot path } }";
            let told = served.get(None, query, &json!({ "f": old.size(), "t": new.size() }))["consistency"].clone();
            assert_eq!(hashes(&json!([told["fromRoot"], told["toRoot"]])), [*old.hash(), *new.hash()]);
            let proof = hashes(&told["path"]);
            check_tree(&proof, new.size(), *new.hash(), old.size(), *old.hash()).unwrap();
            let tiles = TileHashReader::new(new.size(), *new.hash(), &remote);
            assert_eq!(prove_tree(new.size(), old.size(), &tiles).unwrap(), proof);
        }
    }
    assert!(seen.is_some_and(|seen| seen.size() > 256), "the tree has a full tile");

    // The logs of players are in it too, each event.
    let created = "mutation { createPlayer(input: { name: \"Ada\", club: \"North\" }) { id } }";
    let player = served.get(Some(&token), created, &json!({}))["createPlayer"]["id"].clone();
    let until = Instant::now() + Duration::from_secs(60);
    let query = "query($p: ID!) { player(id: $p) {
        first: inclusion(seq: 0) { index size leaf path checkpoint { root } } inclusion { index } } }";
    let found = loop {
        let found = served.get(None, query, &json!({ "p": player }))["player"].clone();
        // A checkpoint can be signed between one and the other.
        if ["first", "inclusion"].iter().all(|member| found[*member].is_object()) {
            break found;
        }
        assert!(Instant::now() < until, "no checkpoint covers the player");
    };
    let first = &found["first"];
    let index = first["index"].as_u64().unwrap();
    assert_eq!(found["inclusion"]["index"], index + 1, "the details are the second event");
    let [root, leaf] = [&first["checkpoint"]["root"], &first["leaf"]].map(|hash| hashes(&json!([hash]))[0]);
    check_record(&hashes(&first["path"]), first["size"].as_u64().unwrap(), root, index, leaf).unwrap();
}

#[test]
fn routes_and_queries_say_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path(), &[]);
    let game = served.get(Some(&served.admin()), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    let size = served.inclusion(&game)["size"].as_u64().unwrap();
    for (path, status) in [
        ("/checkpoint", 200),
        ("/checkpoint/keys", 200),
        ("/checkpoint/rotations", 200),
        (format!("/tile/0/000.p/{size}").as_str(), 200),
        (format!("/tile/0/000.p/{}", size + 1).as_str(), 404),
        ("/tile/0/000", 404),
        ("/tile/entries/000.p/1", 404),
        ("/tile/../key", 404),
        ("/tile/0/..%2f..%2fkey", 404),
        ("/tile/", 404),
    ] {
        let (found, body) = match Client::connect(served.address()).unwrap().send("GET", path, None, "") {
            Ok(answer) => (answer.status, answer.body),
            Err(why) => panic!("{path}: {why}"),
        };
        assert_eq!(found, status, "{path}");
        assert!(!String::from_utf8_lossy(&body).contains("PRIVATE"), "{path}");
    }
    for (query, what) in [
        ("{ consistency(from: 0) { to } }".to_owned(), "`from` is at least 1"),
        ("{ consistency(from: -1) { to } }".to_owned(), "not negative"),
        ("{ consistency(from: 2, to: 1) { to } }".to_owned(), "at most `to`"),
        (format!("{{ consistency(from: 1, to: {}) {{ to }} }}", size + 1), "the last checkpoint"),
        (format!("{{ game(id: \"{game}\") {{ inclusion(seq: 7) {{ index }} }} }}"), "events 0 to 0"),
        (format!("{{ game(id: \"{game}\") {{ inclusion(seq: -7) {{ index }} }} }}"), "from 0"),
    ] {
        let told = served.ask(None, &query, &json!({})).unwrap();
        assert!(told["errors"][0]["message"].as_str().is_some_and(|text| text.contains(what)), "{query}: {told}");
        assert_eq!(told["errors"][0]["extensions"]["code"], "BAD_INPUT", "{told}");
    }
    let told = served.get(None, &format!("{{ consistency(from: {size}) {{ path }} }}"), &json!({}));
    assert_eq!(told["consistency"]["path"], json!([]));
}

#[test]
fn a_result_that_the_operator_rewrites_is_not_served() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().to_str().unwrap();
    fill(dir.path());
    let served = Served::start(dir.path(), &[]);
    let token = served.admin();
    let game = served.get(Some(&token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    let resign = "mutation($g: ID!) { resign(game: $g, seat: 1) { outcome { winners } } }";
    assert_eq!(served.get(Some(&token), resign, &json!({ "g": game }))["resign"]["outcome"]["winners"], json!([2]));
    served.inclusion(&game);
    let keys = String::from_utf8(served.bytes("/checkpoint/keys")).unwrap();
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));
    run(&["verify", "--data", at]).ok();

    // The result is rewritten, with all hashes; then the game is dropped. The index is deleted, so nothing else tells.
    let whole = operator::journal(dir.path());
    let refused = |change: fn(&mut Vec<Event>)| {
        operator::rewrite(dir.path(), change);
        operator::forget_index(dir.path());
        assert!(run(&["verify", "--data", at]).fails(1).contains("history was changed"));
        assert!(run(&["doctor", "--data", at]).out.contains("Wrong: tlog: history was changed"));
        run(&["serve", "--listen", "127.0.0.1:0", "--data", at]).fails(2)
    };
    let why = refused(|events| match &mut events.last_mut().unwrap().body {
        Body::Ended(ended) => ended.outcome.winners = vec![1],
        other => panic!("{other:?}"),
    });
    assert!(why.contains("history was changed"), "{why}");
    operator::write_journal(dir.path(), &whole);
    let why = refused(|events| {
        let game = events.last().unwrap().log;
        events.retain(|event| event.log != game);
    });
    assert!(why.contains("history was changed: the journal ends"), "{why}");
    let served = Served::start(dir.path(), &["--accept"]);
    let other = String::from_utf8(served.bytes("/checkpoint/keys")).unwrap();
    let name = |keys: &str| keys.split('+').next().unwrap().to_owned();
    assert_ne!(other, keys, "another log begins");
    assert_eq!(name(&other), name(&keys), "its name stays");
    drop(served);
    operator::write_journal(dir.path(), &whole);
    fs::remove_dir_all(dir.path().join("tlog")).unwrap();
    fs::rename(dir.path().join("tlog.before-1"), dir.path().join("tlog")).unwrap();
    operator::forget_index(dir.path());
    drop(Served::start(dir.path(), &[]));
}

#[test]
fn keys_are_shown_and_rotated_and_stay_private() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().to_str().unwrap();
    let log = dir.path().join("log");
    assert!(run(&["tlog", "key", "--data", at]).fails(2).contains("no store"));
    let served = Served::start_logging(dir.path(), &log);
    let key = run(&["tlog", "key", "--data", at]).ok();
    assert!(run(&["tlog", "rotate-key", "--data", at]).fails(2).contains("in use"));
    drop(served);
    let next = run(&["tlog", "rotate-key", "--data", at]).ok();
    let served = Served::start_logging(dir.path(), &log);
    assert_eq!(
        String::from_utf8(served.bytes("/checkpoint/keys")).unwrap(),
        run(&["tlog", "key", "--all", "--data", at]).ok()
    );
    let rotations = String::from_utf8(served.bytes("/checkpoint/rotations")).unwrap();
    assert_eq!(rotations, run(&["tlog", "rotations", "--data", at]).ok());
    let (position, event) = rotations.trim_end().split_once(' ').unwrap();
    let Body::KeyRotated(rotated) = Event::parse(event.as_bytes()).unwrap().body else { panic!("{event}") };
    assert_eq!([rotated.old, rotated.key], [key.trim(), next.trim()]);
    // Whoever knows only the old key sees that its owner named the new one.
    let until = Instant::now() + Duration::from_secs(60);
    while served.checkpoint(key.trim()).size() == 0 {
        assert!(Instant::now() < until, "no checkpoint covers the rotation");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(position, "0");
    assert_eq!(served.bytes("/tile/0/000.p/1"), Hash::of_parts(&[b"\0", event.as_bytes()]).0);
    let note = String::from_utf8(served.bytes("/checkpoint")).unwrap();
    assert_eq!(note, run(&["tlog", "checkpoint", "--data", at]).ok());
    for key in [&key, &next] {
        served.checkpoint(key.trim());
    }
    let (url, state) = (format!("http://{}/", served.address()), dir.path().join("seen.json"));
    let monitor = |keys: &[&str]| run(&[&["monitor", &url, "--state", state.to_str().unwrap()], keys].concat()).ok();
    let told = format!("event 0 replaces a key that you trust with {}", next.trim());
    assert!(monitor(&["--key", key.trim()]).contains(&told));
    assert!(!monitor(&["--key", key.trim(), "--key", next.trim()]).contains("replaces"));
    let told = served.get(None, "{ checkpoint { key note size } }", &json!({}));
    assert_eq!(told["checkpoint"], json!({ "key": next.trim(), "note": note, "size": 1 }));
    drop(served);
    let logged = fs::read_to_string(&log).unwrap();
    for name in ["key", "key.old"] {
        let path = dir.path().join("tlog").join(name);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        let secret = fs::read_to_string(path).unwrap();
        let secret = secret.trim().splitn(5, '+').last().unwrap();
        assert!(secret.len() > 40 && !logged.contains(secret) && !key.contains(secret) && !next.contains(secret));
    }
}

/// A witness that never answers keeps the public tree where it is, while games go on: so could an operator.
#[test]
fn a_monitor_raises_an_alarm_if_the_tree_stands_still() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let (served, _) = finished(&data);
    let key = run(&["tlog", "key", "--data", data.to_str().unwrap()]).ok();
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));
    let witness = CosigningKey::from_seed("witness.example.net", &[3; 32]).unwrap().public().to_string();
    let served = Served::start(&data, &["--witness", &format!("{witness}=http://127.0.0.1:9")]);
    let state = dir.path().join("seen.json");
    let look = |missing: &str| {
        let url = format!("http://{}/", served.address());
        let named = ["--key", key.trim(), "--state", state.to_str().unwrap(), "--missing", missing];
        run(&[&["monitor", &url], named.as_slice()].concat())
    };
    look("0").ok();
    assert!(look("0").ok().contains("as seen before"), "what is known is in the tree");
    let game = served.get(Some(&served.admin()), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    look("0").ok();
    look("10").ok();
    let alarm = look("0").fails(1);
    assert!(alarm.contains(&format!("ALARM: game {game}: its event 0 was seen at ")), "{alarm}");
}

/// The findings of `tests/python/check.py`: what it prints, or that it refuses.
fn python(file: &Path, key: &str) -> Option<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/check.py");
    let ran = Command::new("python3").arg(script).arg(file).arg(key.trim()).output().expect("python3 can be run");
    assert!(!String::from_utf8_lossy(&ran.stderr).contains("Traceback"), "{ran:?}");
    ran.status.success().then(|| String::from_utf8(ran.stdout).unwrap())
}

/// A service with a finished game; its data directory and the game.
fn finished(data: &Path) -> (Served, String) {
    fill(data);
    let served = Served::start(data, &[]);
    let token = served.admin();
    let game = served.get(Some(&token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    served.get(Some(&token), "mutation($g: ID!) { act(game: $g, action: \"b1-b2\") { ply } }", &json!({ "g": game }));
    served.get(Some(&token), "mutation($g: ID!) { resign(game: $g, seat: 1) { ply } }", &json!({ "g": game }));
    served.inclusion(&game);
    (served, game)
}

#[test]
fn a_result_is_checked_offline() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join("data");
    let (served, game) = finished(&at);
    let at = at.to_str().unwrap();
    let file = dir.path().join("game.proof.json");
    let path = file.to_str().unwrap();
    run(&["prove", &game, "--data", at, "--out", path]).ok();
    let key = run(&["tlog", "key", "--data", at]).ok();
    let told = run(&["check", path, "--key", key.trim()]).ok();
    assert!(told.starts_with(&format!("{game}: triangulate, seat 2 won (resignation)\n  3 events, head ")), "{told}");
    assert!(told.contains(key.trim()), "{told}");
    assert!(python(&file, &key).is_some_and(|told| told.starts_with("3 events, head ")));

    // Nothing in it can be changed: neither verifier takes the file for a proof of something else.
    let text = fs::read_to_string(&file).unwrap();
    let proof: Value = serde_json::from_str(&text).unwrap();
    let last = proof["record"]["events"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    let mut changed: Vec<(&str, Value)> = Vec::new();
    let mut change = |what, change: &dyn Fn(&mut Value)| {
        let mut other = proof.clone();
        change(&mut other);
        assert_ne!(other, proof, "{what}");
        changed.push((what, other));
    };
    change("result", &|p| p["record"]["events"][2] = last.replace("\"winners\":[2]", "\"winners\":[1]").into());
    change("end", &|p| drop(p["record"]["events"].as_array_mut().unwrap().pop()));
    change("event", &|p| drop(p["record"]["events"].as_array_mut().unwrap().remove(1)));
    change("index", &|p| p["inclusion"]["index"] = (p["inclusion"]["index"].as_u64().unwrap() ^ 1).into());
    change("path", &|p| p["inclusion"]["path"][0] = "00".repeat(32).into());
    change("shorter path", &|p| drop(p["inclusion"]["path"].as_array_mut().unwrap().pop()));
    change("longer path", &|p| p["inclusion"]["path"].as_array_mut().unwrap().push("00".repeat(32).into()));
    let size: u64 = proof["checkpoint"].as_str().unwrap().lines().nth(1).unwrap().parse().unwrap();
    let other_note = |from: &str, to: &str| proof["checkpoint"].as_str().unwrap().replacen(from, to, 1);
    change("size", &|p| p["checkpoint"] = other_note(&format!("\n{size}\n"), &format!("\n{}\n", size + 1)).into());
    let root = proof["checkpoint"].as_str().unwrap().lines().nth(2).unwrap().to_owned();
    let other_root = format!("{}{}", if root.starts_with('A') { "B" } else { "A" }, &root[1..]);
    change("root", &|p| p["checkpoint"] = other_note(&root, &other_root).into());
    let other = dir.path().join("other");
    run(&["import", path, "--data", other.to_str().unwrap()]).fails(1);
    for (what, other) in changed {
        fs::write(&file, other.to_string()).unwrap();
        run(&["check", path, "--key", key.trim()]).fails(1);
        assert_eq!(python(&file, &key), None, "{what}");
    }
    fs::write(&file, &text).unwrap();
    let foreign = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
    run(&["check", path, "--key", foreign]).fails(1);
    assert_eq!(python(&file, foreign), None);
    run(&["check", path, "--key", foreign, "--key", key.trim()]).ok();
    for text in ["", "{}", "[]", &text[..text.len() / 2], &text.replace("proof/1", "proof/2"), &"[".repeat(100_000)] {
        fs::write(&file, text).unwrap();
        run(&["check", path, "--key", key.trim()]).fails(1);
    }
    run(&["prove", "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "--data", at]).fails(1);
    drop(served);
}

#[test]
fn a_monitor_raises_an_alarm() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let (served, game) = finished(&data);
    let key = run(&["tlog", "key", "--data", data.to_str().unwrap()]).ok();
    let state = dir.path().join("seen.json");
    let look = |served: &Served| {
        let url = format!("http://{}/", served.address());
        run(&["monitor", &url, "--key", key.trim(), "--state", state.to_str().unwrap()])
    };
    assert!(look(&served).ok().contains(" 7 games, noted for the first time"));
    assert!(look(&served).ok().contains(" 7 games, as seen before"));
    let token = served.admin();
    let next = served.get(Some(&token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    served.inclusion(&next);
    assert!(look(&served).ok().contains(" 8 games"), "the tree has grown, and a game is new");
    assert!(look(&served).ok().contains(" 8 games"));
    let seen = fs::read_to_string(&state).unwrap();
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));
    assert!(
        run(&["monitor", "http://127.0.0.1:1/", "--key", key.trim(), "--state", state.to_str().unwrap()])
            .fails(2)
            .contains("127.0.0.1")
    );
    assert!(run(&["monitor", "file:///etc/passwd", "--key", key.trim(), "--state", "s"]).fails(2).contains("http"));

    // The operator has the key, and makes the tree anew: every checkpoint is signed, and starts are clean.
    let whole = operator::journal(&data);
    let id: LogId = game.parse().unwrap();
    let forked = |what: &str, change: &dyn Fn(&mut Vec<Event>), more: bool| {
        operator::write_journal(&data, &whole);
        operator::rewrite(&data, |events| change(events));
        operator::forget_index(&data);
        fs::remove_file(data.join("tlog/checkpoint")).unwrap();
        let served = Served::start(&data, &[]);
        if more {
            let token = served.admin();
            let game = served.get(Some(&token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
            served.inclusion(&game);
        } else {
            served.inclusion(&next);
        }
        let why = look(&served).fails(1);
        assert!(why.starts_with("ALARM: "), "{what}: {why}");
        fs::write(&state, &seen).unwrap();
        served.signal("-TERM");
        served.wait(Duration::from_secs(30));
        why
    };
    let result = |events: &mut Vec<Event>| {
        let last = events.iter_mut().rfind(|event| event.log == id).unwrap();
        let Body::Ended(ended) = &mut last.body else { panic!("{last:?}") };
        ended.outcome.winners = vec![1];
    };
    assert!(forked("another result", &result, false).contains("two trees of"));
    assert!(forked("another result, and more", &result, true).contains("history was changed"));
    let dropped = |events: &mut Vec<Event>| events.retain(|event| event.log != id);
    assert!(forked("a dropped game", &dropped, false).contains("shrunk"));
}
