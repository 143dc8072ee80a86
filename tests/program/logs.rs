//! What the service logs at the most verbose level: no secret, salt, seed or token.

use std::path::Path;

use serde_json::{Value, json};

use crate::plybook::{Served, run};

pub const SETUPS: [&str; 2] = [
    "setup:mmwwwwwww/fFffffmmm/pppppffff/ppppppppp:Ra1Rb1Tb2Sc1Sd1Xf1Df2Cg1Eg2Bh1Wh2Li1Li2:pafbwcmd",
    "setup:mmwwwwwww/fFffffmmm/pppppffff/ppppppppp:Ra9Tb8Rb9Sc9Sd9Df8Xf9Eg8Cg9Wh8Bh9Li8Li9:pafbwcmd",
];

pub const ACT: &str = "mutation($g: ID!, $s: Int, $a: String!) { act(game: $g, seat: $s, action: $a) { ply } }";
const VOID: &str =
    "mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { events(first: 500) { nodes { body } } } }";
const READ: &str = "query($g: ID!) { game(id: $g) { setup position { position text scene } record(format: TEXT) tree { nodes { action positionKey } }
    events(first: 500) { nodes { bytes } } verification { valid } } }";

fn token(data: &Path, arguments: &[&str]) -> String {
    run(&[&["token", "create"], arguments, &["--data", data.to_str().unwrap()]].concat()).ok().trim().to_owned()
}

fn create(served: &Served, token: &str, kind: &str, setup: &Value, seats: usize) -> String {
    let input = json!({ "kind": kind, "setup": setup, "seats": vec![json!({}); seats] });
    let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    served.get(Some(token), create, &json!({ "i": input }))["createGame"]["id"].as_str().unwrap().to_owned()
}

/// All texts in a value under these names.
fn named<'a>(value: &'a Value, names: &[&str], found: &mut Vec<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| named(item, names, found)),
        Value::Object(members) => {
            for (name, member) in members {
                found.extend(member.as_str().filter(|_| names.contains(&name.as_str())));
                named(member, names, found);
            }
        }
        _ => {}
    }
}

#[test]
fn the_log_has_no_secret_salt_seed_or_token() {
    let dir = tempfile::tempdir().unwrap();
    let (data, log) = (dir.path().join("data"), dir.path().join("log"));
    let served = Served::start_logging(&data, &log);
    let admin = served.admin();
    let recorder = token(&data, &["--role", "recorder"]);
    let mut hidden = vec![admin.clone(), recorder.clone(), "plybook_made-up".to_owned()];

    let thrones = create(&served, &recorder, "thrones", &json!({}), 2);
    let seats = ["1", "2"].map(|seat| token(&data, &["--role", "player", "--game", &thrones, "--seat", seat]));
    for actions in [SETUPS, ["favor:hasten", "favor:conspire"]] {
        for (seat, action) in seats.iter().zip(actions) {
            served.get(Some(seat), ACT, &json!({ "g": thrones, "a": action }));
        }
    }
    hidden.extend(seats);
    let building = create(&served, &recorder, "triforce-building", &json!({ "players": 7 }), 7);
    served.get(Some(&recorder), ACT, &json!({ "g": building, "s": 3, "a": "-" }));

    // Refused requests are logged no more than successful ones.
    for caller in [None, Some("plybook_made-up"), Some(recorder.as_str()), Some(hidden[3].as_str())] {
        for game in [&thrones, &building] {
            let _ = served.ask(caller, ACT, &json!({ "g": game, "s": 1, "a": "conspire:e5" }));
            let _ = served.ask(caller, READ, &json!({ "g": game }));
            let _ = served.ask(caller, "{ nonsense", &json!({ "g": 1 }));
        }
    }
    let mut contents = Vec::new();
    for game in [&thrones, &building] {
        served.get(Some(&admin), READ, &json!({ "g": game }));
        let log = std::fs::read_to_string(&log).unwrap();
        contents.push((log, served.get(Some(&admin), VOID, &json!({ "g": game }))));
    }
    drop(served);

    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(logged.contains("TRACE") && logged.contains("answered"), "everything is logged");
    for (before, told) in &contents {
        let (mut salts, mut secrets) = (Vec::new(), Vec::new());
        named(told, &["salt", "seed"], &mut salts);
        named(told, &["content"], &mut secrets);
        assert!(salts.len() > 1 && secrets.iter().any(|secret| secret.len() > 6), "{told}");
        for secret in salts.iter().chain(&secrets).filter(|secret| secret.len() > 6) {
            assert!(!before.contains(*secret) && !logged.contains(*secret), "{secret} is logged");
        }
    }
    for token in &hidden {
        assert!(!logged.contains(token.as_str()), "a token is logged: {token}");
        assert!(!logged.contains(token.trim_start_matches("plybook_")), "a token is logged: {token}");
    }
}
