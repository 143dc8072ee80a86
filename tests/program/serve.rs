//! `serve`: starting, stopping and being killed.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use crate::plybook::{Served, fill, http_at, run};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"triangulate\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

fn create(served: &Served, token: &str) -> String {
    served.get(Some(token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_second_service_on_the_same_data_is_told_so() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().to_str().unwrap();
    let served = Served::start(dir.path(), &[]);
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0", "--data", at][..],
        &["import", "none.json", "--data", at],
        &["rebuild", "--data", at],
    ] {
        let why = run(arguments).fails(2);
        assert!(why.contains("in use") && why.contains(at), "{why}");
    }
    for reads in ["verify", "export", "refold"] {
        run(&[reads, "--data", at]).ok();
    }
    assert_eq!(served.http("GET", "/healthz", None, "").unwrap().0, 200);
    let port = served.said.rsplit(':').next().unwrap().trim().trim_end_matches('/').to_owned();
    let other = tempfile::tempdir().unwrap();
    let why =
        run(&["serve", "--listen", &format!("127.0.0.1:{port}"), "--data", other.path().to_str().unwrap()]).fails(2);
    assert!(why.contains(&port), "the address is named: {why}");
}

#[test]
fn it_says_where_phones_find_it() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path(), &["--public-url", "https://games.example/"]);
    let told = "Phones and other devices find it at https://games.example/\n";
    assert!(served.said.contains(told) && !served.said.contains('█'), "{}", served.said);
    let (_, page) = served.http("GET", "/tournaments", None, "").unwrap();
    assert!(page.contains("\"og:url\" content=\"https://games.example/tournaments\""), "{page}");
    drop(served);
    let served = Served::start(dir.path(), &[]);
    assert!(!served.said.contains("Phones"), "nobody else reaches loopback: {}", served.said);
}

#[test]
fn metrics_are_at_an_address_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path(), &[]);
    assert_eq!(served.http("GET", "/metrics", None, "").unwrap().0, 404);
    assert_eq!(served.http("GET", "/readyz", None, "").unwrap(), (200, "ready\n".to_owned()));
    let at = served.backstage();
    let (status, metrics) = http_at(at, "GET", "/metrics", None, "").unwrap();
    assert!(status == 200 && metrics.contains("plybook_journal_events_total 0"), "{metrics}");
    let (status, readiness) = http_at(at, "GET", "/readyz", None, "").unwrap();
    // The vault may still be compared with the games.
    assert!(status == 200 && readiness.starts_with("ready"), "{readiness}");
    let other = tempfile::tempdir().unwrap();
    let why =
        run(&["serve", "--listen", "127.0.0.1:0", "--metrics-listen", at, "--data", other.path().to_str().unwrap()]);
    assert!(why.fails(2).contains(at), "the address is named");
}

#[test]
fn sigterm_ends_it_cleanly_and_a_restart_continues() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path(), &[]);
    let token = served.admin();
    let game = create(&served, &token);
    let act = "mutation($g: ID!, $a: String!) { act(game: $g, action: $a) { ply } }";
    served.get(Some(&token), act, &json!({ "g": game, "a": "b1-b2" }));
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(20)), Some(0));
    let served = Served::start(dir.path(), &[]);
    assert!(!served.said.contains("admin token"), "the token is made once");
    let query = "query($g: ID!) { game(id: $g) { ply position { legalActions } verification { valid } } }";
    let told = served.get(None, query, &json!({ "g": game }));
    assert_eq!((&told["game"]["ply"], &told["game"]["verification"]["valid"]), (&json!(1), &json!(true)));
    let next = &told["game"]["position"]["legalActions"][0];
    assert_eq!(served.get(Some(&token), act, &json!({ "g": game, "a": next }))["act"]["ply"], 2);
    served.signal("-INT");
    assert_eq!(served.wait(Duration::from_secs(20)), Some(0));
}

#[test]
fn the_demo_leaves_existing_data_alone() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let before = run(&["export", "--data", data.to_str().unwrap()]).ok();
    let served = Served::start(&data, &["--demo"]);
    assert!(served.said.contains("is not empty"), "{}", served.said);
    assert_eq!(served.get(None, "{ games { totalCount } }", &json!({}))["games"]["totalCount"], 6);
    drop(served);
    assert_eq!(run(&["export", "--data", data.to_str().unwrap()]).ok(), before);
}

#[test]
fn exports_stream_and_can_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let log = run(&["export", "--data", data.to_str().unwrap()]).ok();
    let served = Served::start(&data, &[]);
    let export = |query: &str| {
        let (status, body) = served.http("GET", &format!("/export/games.ndjson{query}"), None, "").unwrap();
        assert_eq!(status, 200, "{body}");
        body.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let all = export("?events=true");
    assert_eq!(all.len(), 6);
    let events: Vec<&str> =
        all.iter().flat_map(|game| game["events"].as_array().unwrap()).map(|line| line.as_str().unwrap()).collect();
    assert_eq!(events, log.lines().collect::<Vec<_>>());
    let cursor = all[2]["cursor"].as_str().unwrap();
    let rest: Vec<Value> = export(&format!("?events=true&after={cursor}"));
    assert_eq!(rest, all[3..]);
    assert!(export("?kind=tri").iter().all(|game| game["kind"] == "tri" && game.get("events").is_none()));
    for until in ["2999-01-01", "2999-01-01T00:00:00Z"] {
        assert_eq!(export(&format!("?until={until}")).len(), 6, "as openapi.json has it");
    }
    for bad in ["?after=x", "?kind=chess", "?status=odd", "?since=yesterday", "?colour=red"] {
        let (status, body) = served.http("GET", &format!("/export/games.ndjson{bad}"), None, "").unwrap();
        assert_eq!(status, 400, "{bad}: {body}");
    }
    let id = all[0]["game"].as_str().unwrap();
    let (status, body) = served.http("GET", &format!("/games/{id}/log.ndjson"), None, "").unwrap();
    assert_eq!(status, 200);
    assert_eq!(
        body.lines().collect::<Vec<_>>(),
        all[0]["events"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect::<Vec<_>>()
    );
    for bad in ["07070707-0707-0707-0707-070707070707", "x"] {
        assert_eq!(served.http("GET", &format!("/games/{bad}/log.ndjson"), None, "").unwrap().0, 404);
    }
}

/// Errors that only the transport reports: the codes of refusals by the schema itself.
#[test]
fn every_error_has_its_code_on_the_wire() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path(), &[]);
    let token = served.admin();
    let game = create(&served, &token);
    for (query, code) in [
        ("mutation($g: ID!) { act(game: $g, seat: -1, action: \"a\") { id } }", "BAD_INPUT"),
        ("mutation($g: ID!) { act(game: $g, seat: 256, action: \"a\") { id } }", "BAD_INPUT"),
        ("mutation($g: ID!) { act(game: $g, action: \"a\", expectedSeq: 99999999999999999999) { id } }", "BAD_INPUT"),
        ("mutation($g: ID!) { act(game: $g, action: \"a\", clockMs: -1) { id } }", "BAD_INPUT"),
        ("mutation($g: ID!) { act(game: $g, action: 5) { id } }", "BAD_INPUT"),
        ("mutation($g: ID!) { act(game: $g, action: \"b1-b9\") { id } }", "ILLEGAL_ACTION"),
        ("query($g: ID!) { game(id: $g) { position(ply: 99999999999) { ply } } }", "BAD_INPUT"),
        ("query($g: ID!) { game(id: $g) { nonsense } }", "BAD_INPUT"),
        (
            "query($g: ID!) { g: game(id: $g) { id } games(first: 500) { nodes { moves(first: 500) { nodes { ply } } } } }",
            "TOO_COMPLEX",
        ),
        (
            "query($g: ID!) { g: game(id: $g) { id } games(filter: { since: \"yesterday\" }) { totalCount } }",
            "BAD_INPUT",
        ),
    ] {
        let answer = served.ask(Some(&token), query, &json!({ "g": game })).unwrap();
        assert_eq!(answer["errors"][0]["extensions"]["code"], code, "{query}: {answer}");
    }
    let forged = served.ask(Some("plybook_0000"), "{ rules { kind } }", &json!({})).unwrap();
    assert_eq!(forged["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    assert_eq!(
        served.get(None, "query($g: ID!) { game(id: $g) { head { seq } } }", &json!({ "g": game }))["game"]["head"]["seq"],
        0
    );
}

/// Killed in the middle of a stream of changes, it loses none that it acknowledged.
#[test]
fn a_kill_loses_nothing_that_was_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let mut token = None;
    let mut acknowledged: Vec<(String, u64)> = Vec::new();
    for round in 0..4_u64 {
        let served = Served::start(dir.path(), &[]);
        let token = token.get_or_insert_with(|| served.admin()).clone();
        check(&served, &acknowledged);
        let (is_over, played) = (AtomicBool::new(false), AtomicU64::new(0));
        let more: Vec<(String, u64)> = std::thread::scope(|scope| {
            let writers: Vec<_> = (0..4).map(|_| scope.spawn(|| play(&served, &token, &is_over, &played))).collect();
            // On a busy machine, the first answer may take longer than all that follows.
            while played.load(Ordering::Relaxed) == 0 && !writers.iter().all(ScopedJoinHandle::is_finished) {
                std::thread::sleep(Duration::from_millis(10));
            }
            std::thread::sleep(Duration::from_millis(130 * round));
            served.signal("-KILL");
            let more = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
            is_over.store(true, Ordering::Relaxed);
            more
        });
        assert!(more.iter().map(|(_, ply)| ply).sum::<u64>() > 0, "round {round}: nothing was played");
        acknowledged.extend(more);
        assert_eq!(served.wait(Duration::from_secs(10)), None, "it was killed");
    }
    check(&Served::start(dir.path(), &[]), &acknowledged);
    assert_data_is_sound(dir.path());
}

/// Keeps playing until the service no longer answers, and counts what was played; returns the game and the acknowledged ply.
fn play(served: &Served, token: &str, is_over: &AtomicBool, played: &AtomicU64) -> (String, u64) {
    let Some(created) = served.ask(Some(token), CREATE, &json!({})) else { return (String::new(), 0) };
    let game = created["data"]["createGame"]["id"].as_str().unwrap().to_owned();
    let (mut ply, mut action) = (0, json!("b1-b2"));
    let act = "mutation($g: ID!, $a: String!) { act(game: $g, action: $a) { ply status position { legalActions } } }";
    while !is_over.load(Ordering::Relaxed) {
        let Some(answer) = served.ask(Some(token), act, &json!({ "g": game, "a": action })) else { break };
        let done = &answer["data"]["act"];
        ply = done["ply"].as_u64().unwrap_or_else(|| panic!("{answer}"));
        played.fetch_add(1, Ordering::Relaxed);
        let legal = done["position"]["legalActions"].as_array().unwrap();
        if legal.is_empty() {
            break;
        }
        action = legal[ply as usize * 7 % legal.len()].clone();
    }
    (game, ply)
}

fn check(served: &Served, acknowledged: &[(String, u64)]) {
    for (game, ply) in acknowledged.iter().filter(|(game, _)| !game.is_empty()) {
        let told =
            served.get(None, "query($g: ID!) { game(id: $g) { ply verification { valid } } }", &json!({ "g": game }));
        assert!(told["game"]["ply"].as_u64().unwrap() >= *ply, "{game}: {told} after {ply}");
        assert_eq!(told["game"]["verification"]["valid"], true, "{game}");
    }
}

fn assert_data_is_sound(data: &Path) {
    assert!(run(&["verify", "--data", data.to_str().unwrap()]).ok().contains("0 bad"));
    assert!(fs::read_dir(data).unwrap().count() > 2);
}

/// A service that starts where nothing can be written says so in its log, not at `/readyz` alone.
#[test]
fn a_start_for_reading_alone_is_logged() {
    let dir = tempfile::tempdir().unwrap();
    let (data, log) = (dir.path().join("data"), dir.path().join("log"));
    fill(&data);
    // The file that the disk is tried with cannot be written.
    fs::create_dir(data.join("probe")).unwrap();
    let _served = Served::start_logging(&data, &log);
    let logged = fs::read_to_string(&log).unwrap();
    assert!(logged.contains("nothing can be recorded: the disk takes no writes (Is a directory"), "{logged}");
}

/// A segment whose compression was stopped is not said to be compressed.
#[test]
fn only_what_was_compressed_is_said_to_be() {
    let dir = tempfile::tempdir().unwrap();
    let (data, config, log) = (dir.path().join("data"), dir.path().join("plybook.toml"), dir.path().join("log"));
    run(&["bench", "--games", "150", "--only-fill", "--data", data.to_str().unwrap()]).ok();
    fs::write(&config, "segment-mib = 1\n").unwrap();
    let served = Served::start_with(&data, &["--config", config.to_str().unwrap()], |service| {
        service.stderr(fs::File::create(&log).unwrap());
    });
    let admin = served.admin();
    let files = |ending: &str| {
        let files = fs::read_dir(data.join("journal")).unwrap().map(|file| file.unwrap().file_name());
        files.filter(|name| name.to_str().unwrap().ends_with(ending)).count()
    };
    for _ in 0..600 {
        if files(".zst") + files(".zst.new") > 0 {
            break;
        }
        served.get(Some(&admin), "mutation { createPlayer(input: { name: \"Ada\" }) { id } }", &json!({}));
        std::thread::sleep(Duration::from_millis(50));
    }
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    let told = fs::read_to_string(&log).unwrap();
    assert_eq!(told.matches("a segment of the journal was compressed").count(), files(".zst"), "{told}");
}

/// Signals that come together are one; a later one ends a service that takes its time.
#[test]
fn a_second_signal_counts_if_it_is_later() {
    let dir = tempfile::tempdir().unwrap();
    for (drain, pause, status) in [("2", "0.1", 0), ("60", "1", 2)] {
        let served = Served::start(&dir.path().join("data"), &["--drain-seconds", drain]);
        let script = format!("kill -TERM {0}; sleep {pause}; kill -TERM {0}", served.pid());
        assert!(std::process::Command::new("sh").args(["-c", &script]).status().unwrap().success());
        assert_eq!(served.wait(Duration::from_secs(30)), Some(status));
    }
}
