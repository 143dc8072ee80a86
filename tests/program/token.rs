//! `token`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::plybook::{Ran, Served, command, run};

#[test]
fn tokens_are_made_listed_and_revoked_while_the_service_runs() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let at = data.to_str().unwrap();
    let served = Served::start(&data, &[]);
    let made = run(&["token", "create", "--role", "recorder", "--label", "table 3", "--days", "2", "--data", at]).ok();
    let token = made.trim();
    assert!(token.starts_with("plybook_") && token.len() > 60);
    assert_eq!(fs::metadata(data.join("tokens.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);
    let listed = run(&["token", "list", "--data", at]).ok();
    assert!(!listed.contains(token) && listed.contains("table 3") && listed.contains("first start"));
    let create = "mutation { createPlayer(input: { name: \"Ada\" }) { id } }";
    served.get(Some(token), create, &json!({}));
    let id = listed.lines().find(|line| line.contains("table 3")).unwrap().split(' ').next().unwrap().to_owned();
    let written = run(&["token", "written", "--data", at]).ok();
    let line = written.lines().find(|line| line.contains(&id)).unwrap_or_else(|| panic!("{written}"));
    let [who, events, ..] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
    assert_eq!((who, events), (&*format!("recorder:{id}"), "1"), "{written}");
    run(&["token", "revoke", &id, "--data", at]).ok();
    let (status, body) = served.http("POST", "/graphql", Some(token), &json!({ "query": create }).to_string()).unwrap();
    assert_eq!(status, 401, "{body}");
    assert!(body.contains("UNAUTHENTICATED"));
    assert!(run(&["token", "revoke", &id, "--data", at]).fails(1).contains(&id));
    served.get(Some(&served.admin()), create, &json!({}));
}

#[test]
fn invalid_tokens_are_not_created() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().to_str().unwrap();
    let id = "07070707-0707-0707-0707-070707070707";
    for arguments in [
        &["--role", "king"][..],
        &["--role", "player"],
        &["--role", "recorder", "--player", id],
        &["--role", "player", "--seat", "1"],
        &["--role", "player", "--player", "ada"],
        &["--role", "recorder", "--days", "0"],
        &[],
    ] {
        run(&[&["token", "create", "--data", at], arguments].concat()).fails(2);
    }
    assert!(!dir.path().join("tokens.jsonl").exists());
    run(&["token", "create", "--role", "player", "--game", id, "--seat", "1", "--data", at]).ok();
}

/// Where the first token cannot be written, it is said how to make another: the next start makes none.
#[test]
fn a_first_token_that_is_lost_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fs::create_dir_all(data.join("admin-token")).unwrap();
    let why = run(&["serve", "--listen", "127.0.0.1:0", "--metrics-listen", "off", "--data", data.to_str().unwrap()]);
    assert!(why.fails(2).contains("plybook token create --role admin"));
}

/// A token that cannot be printed is a failure, so that scripts notice.
#[test]
fn a_token_that_cannot_be_printed_is_a_failure() {
    let dir = tempfile::tempdir().unwrap();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let arguments = ["token", "create", "--role", "recorder", "--data", dir.path().to_str().unwrap()];
    let why = Ran::of(&command(&arguments).stdout(full).output().unwrap()).fails(2);
    assert!(why.contains("standard output"), "{why}");
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let list = ["token", "list", "--data", dir.path().to_str().unwrap()];
    Ran::of(&command(&list).stdout(full).output().unwrap()).fails(2);
}

/// A file with the new token alone would end all others.
#[test]
fn no_token_is_made_where_all_are_gone() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().to_str().unwrap();
    run(&["token", "create", "--role", "admin", "--data", data]).ok();
    fs::remove_file(dir.path().join("tokens.jsonl")).unwrap();
    let why = run(&["token", "create", "--role", "recorder", "--data", data]).fails(2);
    assert!(why.contains("tokens.jsonl is gone: restore it from a backup"), "{why}");
    fs::remove_file(dir.path().join("tokens.lock")).unwrap();
    run(&["token", "create", "--role", "recorder", "--data", data]).ok();
}

/// The error says what credentials may be, and shows nothing of the file.
#[test]
fn credentials_for_nats_are_explained() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("credentials");
    fs::write(&file, "hunter2\n").unwrap();
    let journal = ["--journal", "nats://127.0.0.1:1/games", "--nats-credentials", file.to_str().unwrap()];
    let why = run(&[&["token", "list"][..], &journal].concat()).fails(2);
    assert!(why.contains("one line USER:PASSWORD") && !why.contains("hunter2"), "{why}");
}

/// A misspelt directory is not made, so that nobody gets a token that no service knows.
#[test]
fn tokens_are_not_made_where_there_is_no_directory() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("plybok");
    for arguments in [&["create", "--role", "admin"][..], &["list"], &["revoke", "1f3a9c20"]] {
        let why = run(&[&["token"], arguments, &["--data", missing.to_str().unwrap()]].concat()).fails(2);
        assert!(why.contains("there is no store in"), "{why}");
    }
    assert!(!missing.exists());
}
