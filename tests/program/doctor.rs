//! `doctor`, and what the other commands say about an unhealthy directory.

use std::fs;
use std::iter;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use plybook_api::service::{Entry, NewTournament, Service};
use plybook_events::body::{OfRound, TournamentSettings};
use plybook_events::{Body, By, Event, LogId};
use plybook_store::{Options, Store};
use plybook_tournaments::log::Command;
use serde_json::{Value, json};

use crate::operator::{forget_index, rewrite};
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

/// What `plybook verify` finds in a log, this does too, even if the start accepted it.
#[test]
fn a_log_that_does_not_verify_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    forget_index(&data);
    let _ = fs::remove_dir_all(data.join("tlog"));
    rewrite(&data, |events| {
        let acted = events.iter_mut().find_map(|event| match &mut event.body {
            Body::Acted(acted) => Some(acted),
            _ => None,
        });
        acted.unwrap().action = "a1-a1".to_owned();
    });
    run(&["verify", "--data", data.to_str().unwrap()]).fails(1);
    finds(&data, "logs", &["event", "a1-a1"]);
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
fn every_problem_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    run(&["token", "create", "--role", "admin", "--data", data.to_str().unwrap()]).ok();
    assert_eq!(examine(&data), (0, vec![]));
    let tokens = data.join("tokens.jsonl");
    fs::set_permissions(&tokens, fs::Permissions::from_mode(0o644)).unwrap();
    finds(&data, "modes", &["tokens.jsonl", "644"]);
    let whole = fs::read(&tokens).unwrap();
    fs::write(&tokens, "[").unwrap();
    fs::set_permissions(&tokens, fs::Permissions::from_mode(0o600)).unwrap();
    finds(&data, "tokens", &["tokens.jsonl"]);
    fs::write(&tokens, whole).unwrap();
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

/// For what is lost beside the journal and the vault, neither of them is to be set back.
#[test]
fn a_lost_file_costs_no_journal() {
    let dir = tempfile::tempdir().unwrap();
    let (data, aside) = (dir.path().join("data"), dir.path().join("aside"));
    fill(&data);
    let served = Served::start(&data, &[]);
    served.signal("-TERM");
    assert_eq!(served.wait(std::time::Duration::from_secs(60)), Some(0));
    assert_eq!(examine(&data), (0, vec![]));
    for name in ["key", "checkpoint"] {
        let path = data.join("tlog").join(name);
        fs::rename(&path, &aside).unwrap();
        finds(&data, "tlog", &[name, "is missing"]);
        assert!(examine(&data).1[0]["do"].as_str().unwrap().contains("leave the journal as it is"), "{name}");
        fs::rename(&aside, &path).unwrap();
    }
    let personal = data.join("personal.json");
    fs::write(&personal, "{").unwrap();
    fs::set_permissions(&personal, fs::Permissions::from_mode(0o600)).unwrap();
    finds(&data, "personal data", &["personal.json is damaged"]);
}

/// A tournament whose first round is open, and its games.
fn tournament(data: &Path) -> (LogId, Vec<LogId>) {
    let service = Service::start(Store::open(data, &Options::default(), &mut |_, _| ()).unwrap()).unwrap();
    let settings = json!({
        "name": "Open",
        "kind": "tri",
        "seats": { "least": 2, "most": 2 },
        "format": { "format": "swiss", "rounds": 3 },
        "scoring": { "by": "result", "win": 10, "draw": 5, "loss": 0 },
        "tie_breaks": [],
    });
    let settings: TournamentSettings = serde_json::from_value(settings).unwrap();
    let live = service.create_tournament(NewTournament { settings, players: Vec::new() }).unwrap();
    let entry = |n| Entry { name: Some(format!("Player {n}")), ..Entry::default() };
    service.enter(&live, None, (1..=4).map(entry).collect()).unwrap();
    let by_hand = |_: &_| {
        let tables = vec![vec![1, 2], vec![3, 4]];
        Ok(vec![Command::ChangePairing { round: 1, tables, byes: None, is_forced: true }])
    };
    service.change_tournament(&live, None, by_hand).unwrap();
    service.open_round(&live, None, 1).unwrap();
    let tournament = live.tournament();
    let tables = &tournament.round(1).unwrap().tables;
    (tournament.id, tables.iter().flat_map(|table| &table.games).map(|game| game.id).collect())
}

/// The journal stores whatever it is given; events that a tournament cannot apply are found by the check of
/// tournaments.
#[test]
fn a_tournament_that_is_damaged_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let at = data.to_str().unwrap();
    let (id, games) = tournament(&data);
    let name = id.to_string();
    assert_eq!(examine(&data), (0, vec![]));
    assert!(run(&["doctor", "--data", at]).ok().contains("1 tournaments"));
    assert!(run(&["verify", "--data", at]).ok().contains(" 0 bad"));
    // A byte of its log changes.
    let segment = data.join("journal/00000000000000000000.log");
    let whole = fs::read(&segment).unwrap();
    let mut changed = whole.clone();
    let byte = changed.windows(9).position(|text| text == b"Player 3\"").unwrap();
    changed[byte] ^= 1;
    fs::write(&segment, &changed).unwrap();
    finds(&data, "journal", &["damaged at byte", &name]);
    assert!(run(&["verify", "--data", at]).fails(2).contains("damaged"));
    fs::write(&segment, &whole).unwrap();
    // Its last event, a valid one, does not fit.
    let store = Store::open(&data, &Options::default(), &mut |_, _| ()).unwrap();
    let head = store.log().head(id).unwrap();
    let last = Event::parse(&store.log().read(id, head.seq()).unwrap()[0]).unwrap();
    let (prev, seq, body) = (head.hash(), head.seq() + 1, Body::RoundClosed(OfRound { round: 1 }));
    let event =
        Event { at: last.at, by: By::Arbiter, log: id, prev, seq, body, who: None, signature: None, request: None };
    store.log().append(id, Some(&head), vec![event.to_bytes().unwrap()]).unwrap();
    drop(store);
    let at_event = format!("event {seq}");
    finds(&data, "tournaments", &["Open", &name, &at_event]);
    let why = run(&["verify", "--data", at]).fails(1);
    assert!(why.contains(&name) && why.contains(&at_event), "{why}");
    assert!(games.iter().all(|game| !why.contains(&game.to_string())), "its games are sound: {why}");
}

/// A tournament imported without its games, and games imported without it.
#[test]
fn a_tournament_is_compared_with_its_games() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy) = (dir.path().join("data"), dir.path().join("copy"));
    let (at, copied) = (data.to_str().unwrap(), copy.to_str().unwrap());
    let (id, games) = tournament(&data);
    let logs = run(&["export", "--data", at]).ok();
    let lines = |of: &dyn Fn(&str) -> bool| {
        let path = dir.path().join("some.ndjson");
        let some: String = logs.lines().filter(|line| of(line)).map(|line| format!("{line}\n")).collect();
        assert!(!some.is_empty(), "{logs}");
        fs::write(&path, some).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let is_of = |log: LogId| move |line: &str| line.contains(&format!("\"game\":\"{log}\""));
    run(&["import", &lines(&is_of(id)), "--data", copied]).ok();
    let text = run(&["doctor", "--data", copied]).ok();
    assert!(text.contains("2 of its games are not recorded here"), "{text}");
    run(&["import", &lines(&is_of(games[0])), "--data", copied]).ok();
    let text = run(&["doctor", "--data", copied]).ok();
    assert!(text.contains("1 of its games are not recorded here"), "{text}");
}

const SEALS: &str =
    "mutation { createGame(input: { kind: \"thrones\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// A missing vault: every command and the service name the affected games, and the export continues.
#[test]
fn every_command_names_a_lost_vault() {
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
    let compared = || http_at(served.backstage(), "GET", "/readyz", None, "").unwrap();
    let is_compared = |(_, ready): &(u16, String)| !ready.contains("being compared");
    let (status, ready) = iter::repeat_with(compared).find(is_compared).unwrap();
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
fn the_first_token_is_not_printed_to_logs() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let served = Served::start(&data, &[]);
    let path = data.join("admin-token");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!served.said.contains(&served.admin()) && served.said.contains(path.to_str().unwrap()), "{}", served.said);
}

/// A backup is not a data directory: nothing is written in it, nor is half of it taken for all, and what makes one of it is named.
#[test]
fn a_backup_is_neither_served_nor_examined() {
    let dir = tempfile::tempdir().unwrap();
    let (data, copy) = (dir.path().join("data"), dir.path().join("copy"));
    fill(&data);
    run(&["backup", "--data", data.to_str().unwrap(), "--to", copy.to_str().unwrap()]).ok();
    let before = listed(&copy);
    let (again, key) = (dir.path().join("again"), dir.path().join("key"));
    run(&["vault", "key", key.to_str().unwrap()]).ok();
    for arguments in [
        &["doctor"][..],
        &["serve", "--listen", "127.0.0.1:0"],
        &["rebuild"],
        &["verify"],
        &["export"],
        &["refold"],
        &["backup", "--to", again.to_str().unwrap()],
        &["token", "create", "--role", "admin"],
        &["tlog", "key"],
        &["vault", "encrypt", "--vault-key-file", key.to_str().unwrap()],
        &["journal", "copy", "--from", data.to_str().unwrap(), "--to", copy.to_str().unwrap()],
    ] {
        let at: &[&str] = if arguments[0] == "journal" { &[] } else { &["--data", copy.to_str().unwrap()] };
        let why = run(&[arguments, at].concat()).fails(1);
        assert!(why.contains("is a backup, not a data directory") && why.contains("plybook restore --from"), "{why}");
    }
    assert!(listed(&copy) == before && !again.exists());
    run(&["journal", "check", copy.to_str().unwrap()]).ok();
}
