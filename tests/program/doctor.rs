//! `doctor`, and what the other commands say about an unhealthy directory.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::plybook::{Served, fill, http_at, run};

/// The exit status, and the findings.
fn examine(data: &Path) -> (i32, Vec<Value>) {
    let ran = run(&["doctor", "--json", "--data", data.to_str().unwrap()]);
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    assert_eq!(told["healthy"], ran.status == 0);
    (ran.status, told["findings"].as_array().unwrap().clone())
}

/// The only finding, which has to contain these words.
#[track_caller]
fn finds(data: &Path, check: &str, words: &[&str]) {
    let (status, findings) = examine(data);
    assert_eq!((status, findings.len()), (1, 1), "{findings:?}");
    assert_eq!(findings[0]["check"], check, "{findings:?}");
    for word in words {
        assert!(findings[0]["found"].as_str().unwrap().contains(word), "{word}: {findings:?}");
    }
    assert!(!findings[0]["do"].as_str().unwrap().is_empty());
}

#[test]
fn a_healthy_directory_is_found_healthy_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let before = listed(&data);
    assert_eq!(examine(&data), (0, vec![]));
    let text = run(&["doctor", "--data", data.to_str().unwrap()]).ok();
    assert!(
        text.contains("It is healthy.") && text.contains("6 events") | text.contains("events in 1 segments"),
        "{text}"
    );
    assert_eq!(listed(&data), before);
    let served = Served::start(&data, &[]);
    let text = run(&["doctor", "--data", data.to_str().unwrap()]).ok();
    assert!(text.contains("in use by process"), "{text}");
    drop(served);
    run(&["doctor", "--data", dir.path().join("none").to_str().unwrap()]).fails(2);
}

/// All files with their contents.
fn listed(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(listed(&path));
        } else {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn everything_that_is_wrong_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    run(&["token", "create", "--role", "admin", "--data", data.to_str().unwrap()]).ok();
    assert_eq!(examine(&data), (0, vec![]));
    let tokens = data.join("tokens.json");
    fs::set_permissions(&tokens, fs::Permissions::from_mode(0o644)).unwrap();
    finds(&data, "modes", &["tokens.json", "644"]);
    let whole = fs::read(&tokens).unwrap();
    fs::write(&tokens, "[").unwrap();
    fs::set_permissions(&tokens, fs::Permissions::from_mode(0o600)).unwrap();
    finds(&data, "tokens", &["tokens.json"]);
    fs::write(&tokens, whole).unwrap();
    fs::create_dir(data.join("sled.damaged-1")).unwrap();
    finds(&data, "index", &["sled.damaged-1"]);
    fs::remove_dir(data.join("sled.damaged-1")).unwrap();
    fs::write(data.join("journal/notes.txt"), "x").unwrap();
    finds(&data, "leftovers", &["notes.txt"]);
    fs::remove_file(data.join("journal/notes.txt")).unwrap();
    let segment = data.join("journal/00000000000000000000.log");
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, &whole[..whole.len() - 7]).unwrap();
    finds(&data, "journal", &["torn bytes"]);
    let mut changed = whole.clone();
    changed[200] ^= 1;
    fs::write(&segment, &changed).unwrap();
    let game = String::from_utf8_lossy(&whole).split("\"game\":\"").nth(1).unwrap()[..36].to_owned();
    finds(&data, "journal", &["00000000000000000000.log is damaged at byte", "event", &game]);
    assert!(fs::read(&segment).unwrap() == changed, "nothing is repaired");
    fs::write(&segment, &whole).unwrap();
    assert_eq!(examine(&data), (0, vec![]));
}

const SEALS: &str =
    "mutation { createGame(input: { kind: \"thrones\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// A missing vault: every command and the service name the affected games, and the export continues.
#[test]
fn a_lost_vault_is_named_by_everything_that_looks() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let at = data.to_str().unwrap();
    fill(&data);
    let served = Served::start(&data, &[]);
    let token = served.admin();
    let game = served.get(Some(&token), SEALS, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    let word = run(&["random", "thrones", "--seed", "1", "--actions-max", "1"]).ok();
    let action = word.trim().strip_prefix("1:").unwrap();
    let act = "mutation($g: ID!, $a: String!) { act(game: $g, seat: 1, action: $a) { ply } }";
    served.get(Some(&token), act, &json!({ "g": game, "a": action }));
    assert_eq!(served.http("GET", "/readyz", None, "").unwrap(), (200, "ready\n".to_owned()));
    drop(served);
    assert_eq!(examine(&data).0, 0);
    fs::remove_file(data.join("vault")).unwrap();
    let lost = ["the seed of its dice", "what seat 1 sealed in event 1"];
    finds(&data, "vault", &[&game, lost[0], lost[1]]);
    let why = run(&["verify", "--data", at]).fails(1);
    assert!(why.contains(&game) && why.contains(lost[1]), "{why}");
    let ran = run(&["export", "--format", "json", "--data", at]);
    assert!(ran.status == 1 && ran.out.lines().count() == 6 && ran.err.contains(&game), "{}", ran.err);
    assert_eq!(run(&["export", "--data", at]).ok().lines().filter(|line| line.contains(&game)).count(), 2);
    let served = Served::start(&data, &[]);
    assert_eq!(served.http("GET", "/readyz", None, "").unwrap(), (200, "ready\n".to_owned()));
    let (status, ready) = http_at(served.backstage(), "GET", "/readyz", None, "").unwrap();
    assert!(status == 200 && ready.starts_with("ready, but ") && ready.contains(&game), "{ready}");
    for query in ["", "?events=true"] {
        let (_, body) = served.http("GET", &format!("/export/games.ndjson{query}"), None, "").unwrap();
        assert_eq!(body.lines().count(), 7, "{body}");
        let told: Value = serde_json::from_str(body.lines().last().unwrap()).unwrap();
        assert_eq!((&told["game"], &told["code"]), (&json!(game), &json!("SECRET_LOST")));
    }
    let whole = served.get(Some(&token), SEALS, &json!({}))["createGame"]["id"].clone();
    served.get(None, "query($g: ID!) { game(id: $g) { ply } }", &json!({ "g": whole }));
}

#[test]
fn the_first_token_is_not_printed_where_logs_go() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let served = Served::start(&data, &[]);
    let path = data.join("admin-token");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!served.said.contains(&served.admin()) && served.said.contains(path.to_str().unwrap()), "{}", served.said);
}
