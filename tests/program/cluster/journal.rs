//! `journal`: copies to a stream on NATS and back, and checks of both.

use std::fs;
use std::path::Path;

use plybook_tests::nats::Nats;
use serde_json::json;

use crate::operator::{journal, write_journal};
use crate::plybook::{Served, fill, run};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"tri\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// What `journal check` says.
fn check(place: &str, credentials: &str) -> String {
    run(&["journal", "check", place, "--nats-credentials", credentials]).ok()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_store_goes_to_a_stream_while_it_records_and_back() {
    let nats = Nats::start(3);
    let (stream, access) = (nats.address("games").to_string(), nats.access().credentials.unwrap());
    let credentials = text(&access);
    let dir = tempfile::tempdir().unwrap();
    let (data, back) = (dir.path().join("data"), dir.path().join("back"));
    fill(&data);
    let served = Served::start(&data, &[]);
    let copy =
        |from: &str, to: &str| run(&["journal", "copy", "--from", from, "--to", to, "--nats-credentials", credentials]);

    let events = journal(&data).len();
    let said = copy(text(&data), &stream).ok();
    assert!(said.contains(&format!("{events} of the events are new in {stream}")), "{said}");
    // What was recorded since is added.
    served.get(Some(&served.admin()), CREATE, &json!({}));
    let said = copy(text(&data), &stream).ok();
    let new = journal(&data).len() - events;
    assert!(new > 0 && said.contains(&format!("{new} of the events are new")), "{said}");
    assert!(copy(text(&data), &stream).ok().contains("0 of the events are new"));
    // A directory that a service is using is no target.
    let why = copy(&stream, text(&data)).fails(2);
    assert!(why.contains("is in use by"), "{why}");

    copy(&stream, text(&back)).ok();
    let told = check(&stream, credentials);
    assert!(told.contains("digest") && told == check(text(&data), credentials), "{told}");
    assert_eq!(told, check(text(&back), credentials));
    let games = "{ games(first: 100) { totalCount edges { node { id kind status ply head { hash } } } } }";
    let copied = Served::start(&back, &[]);
    let of = |served: &Served| served.ask(None, games, &json!({})).unwrap();
    assert_eq!(of(&copied), of(&served));
    assert!(of(&served)["data"]["games"]["totalCount"].as_u64().unwrap() > 1);
}

#[test]
fn a_copy_says_what_hinders_it_and_writes_nothing() {
    let nats = Nats::start(1);
    let (stream, access) = (nats.address("games").to_string(), nats.access().credentials.unwrap());
    let dir = tempfile::tempdir().unwrap();
    let (data, other) = (dir.path().join("data"), dir.path().join("other"));
    fill(&data);
    let copy = |from: &str, to: &str| {
        run(&["journal", "copy", "--from", from, "--to", to, "--nats-credentials", text(&access)])
    };
    copy(text(&data), &stream).ok();
    let before = check(&stream, text(&access));

    // The same games in another order, and one event less.
    let mut events = journal(&data);
    events.pop();
    fs::create_dir_all(other.join("journal")).unwrap();
    write_journal(&other, &events);
    let why = copy(text(&other), &stream).fails(1);
    assert!(why.contains("more than"), "{why}");
    events.extend([events[0].clone(), events[0].clone()]);
    write_journal(&other, &events);
    let why = copy(text(&other), &stream).fails(1);
    assert!(why.contains("does not follow its log") || why.contains("not those with which the source begins"), "{why}");
    assert_eq!(check(&stream, text(&access)), before);

    let why =
        run(&["journal", "check", &nats.address("other").to_string(), "--nats-credentials", text(&access)]).fails(2);
    assert!(why.contains("there is no stream other"), "{why}");
    let why = run(&["journal", "check", &stream]).fails(2);
    assert!(why.contains("authorization violation"), "{why}");
    let why = run(&["journal", "check", "nats://plybook:secret@127.0.0.1/games"]).fails(2);
    assert!(why.contains("put them into a file"), "{why}");
    let why = run(&["journal", "check", text(dir.path())]).fails(2);
    assert!(why.contains("there is no store"), "{why}");
}
