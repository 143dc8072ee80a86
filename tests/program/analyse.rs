//! `analyse`.

use plybook_rules::engine::VERSION;
use serde_json::{Value, json};

use crate::plybook::{Served, run};

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments).ok()).unwrap()
}

#[test]
fn analyse_prints_chances_that_add_up_and_legal_actions() {
    for (kind, seats) in [("triangulate", 2), ("tri", 2), ("triforce", 3), ("thrones", 2)] {
        let found = json(&["analyse", kind, "--playouts", "50"]);
        let sum: f64 = found["chances"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{kind}: {found}");
        assert_eq!(found["chances"].as_object().unwrap().len(), seats + 1, "{kind}: one a seat, and the draw");
        assert_eq!((&found["playouts"], &found["best"][0]), (&50.into(), &found["actions"][0]["action"]), "{kind}");
        let first = found["best"][0].as_str().unwrap();
        let by = if kind == "thrones" { format!("1:{first}") } else { first.to_owned() };
        run(&["rules", kind, "--actions", &by]).ok();
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_whatever_the_number_of_cores() {
    let arguments = ["analyse", "thrones", "--playouts", "4000", "--seed", "9"];
    let all = run(&arguments).ok();
    let one = crate::plybook::command(&arguments).env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert_eq!(all, String::from_utf8(one.stdout).unwrap());
    assert_ne!(all, run(&["analyse", "thrones", "--playouts", "4000", "--seed", "10"]).ok());
}

#[test]
fn the_service_says_the_same_of_a_position() {
    let data = tempfile::tempdir().unwrap();
    let served = Served::start(data.path(), &[]);
    let query = "query($k: String!, $a: [String!]!, $p: Int) { evaluate(kind: $k, actions: $a, playouts: $p) {
        chances draw best line playouts proof { winner plies } actions(first: 200) { action chances draw playouts } } }";
    let cases: [(&str, &[&str], &str); 4] = [
        ("triangulate", &["b1-b2", "d1-d2+f6"], "300"),
        ("tri", &["x:A8"], "4001"),
        ("triforce", &["+L"], "100"),
        ("thrones", &[], "100"),
    ];
    for (kind, actions, playouts) in cases {
        let printed = json(&["analyse", kind, "--actions", &actions.join(" "), "--playouts", playouts]);
        let asked = json!({ "k": kind, "a": actions, "p": playouts.parse::<u32>().unwrap() });
        let told = served.get(Some(&served.admin()), query, &asked)["evaluate"].clone();
        let by_seat = |of: &Value| {
            let mut parts = of["chances"].as_object().unwrap().clone();
            let draw = parts.remove("draw").unwrap();
            let chances = (1..=parts.len()).map(|seat| parts[&seat.to_string()].clone()).collect::<Value>();
            json!({ "chances": chances, "draw": draw })
        };
        let action = |of: &Value| {
            let mut action = by_seat(of);
            action["action"] = of["action"].clone();
            action["playouts"] = of["playouts"].clone();
            action
        };
        let listed = printed["actions"].as_array().unwrap().iter().take(200).map(action).collect::<Value>();
        assert_eq!(told["actions"], listed, "{kind}");
        assert_eq!((&told["line"], &told["best"]), (&printed["best"], &printed["best"][0]), "{kind}");
        assert_eq!(json!({ "chances": told["chances"], "draw": told["draw"] }), by_seat(&printed), "{kind}");
        assert_eq!((&told["playouts"], &told["proof"]), (&printed["playouts"], &printed["proof"]), "{kind}");
    }
}

#[test]
fn analyse_says_what_is_wrong_with_a_position() {
    let why = run(&["analyse", "triangulate", "--ply", "2", "--actions", "b1-b2"]).fails(1);
    assert!(why.contains("there are 1 actions, and no ply 2"), "{why}");
    let why = run(&["analyse", "triangulate", "--seat", "2"]).fails(1);
    assert!(why.contains("seat:2 is not to act; to act: seat:1"), "{why}");
    run(&["analyse", "triangulate", "--playouts", "0"]).fails(2);
    run(&["analyse", "chess"]).fails(2);
}

/// What the program states was fitted for its engine, and agrees better with results than without.
#[test]
fn chances_are_calibrated_for_each_kind_and_for_this_engine() {
    let mut calibrated = 0;
    for rules in plybook_rules::kinds() {
        let kind = rules.about().kind;
        let folder = kind.replace('-', "_");
        let file = format!("{}/../rules/src/games/{folder}/calibration.json", env!("CARGO_MANIFEST_DIR"));
        // A game need not have been calibrated.
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        calibrated += 1;
        let found: Value = serde_json::from_str(&text).unwrap_or_else(|why| panic!("{file}: {why}"));
        assert_eq!(
            (&found["kind"], &found["engine"]),
            (&kind.into(), &VERSION.into()),
            "run `cargo run --release -p plybook-lab -- calibrate {kind}`"
        );
        let brier = |of: &str| found["brier"][of].as_f64().unwrap();
        assert!(
            brier("search") <= brier("raw") + 0.001 && brier("search") < brier("equal"),
            "{kind}: {}",
            found["brier"]
        );
        let bands = found["reliability"].as_array().unwrap();
        let off = |band: &Value| {
            let off = band["came"].as_f64().unwrap() - band["stated"].as_f64().unwrap();
            off.abs() * band["seats"].as_f64().unwrap()
        };
        let seats: f64 = bands.iter().map(|band| band["seats"].as_f64().unwrap()).sum();
        let off = bands.iter().map(off).sum::<f64>() / seats;
        assert!(off < 0.1, "{kind}: chances are off by {off} on average");
    }
    assert!(calibrated >= 5, "{calibrated} kinds are calibrated");
}

/// A file of `tests/data`.
fn data(name: &str) -> String {
    format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_recorded_game_is_analysed_ply_by_ply() {
    let record = data("records/played.ndjson");
    let arguments = ["analyse", "--game", &record, "--playouts", "30"];
    let found = json(&arguments);
    let plies = found["plies"].as_array().unwrap();
    assert!(plies.len() > 2, "{found}");
    for (number, ply) in plies.iter().enumerate() {
        let parts = ply["chances"].as_array().unwrap().iter().chain([&ply["draw"]]);
        let sum: f64 = parts.map(|part| part.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-3 && ply["ply"] == number, "{ply}");
    }
    assert!(found["accuracy"].is_array() && found["turningPoints"].is_array(), "{found}");
    assert_eq!((&found["playouts"], found["head"].as_str().unwrap().len()), (&30.into(), 64));
    let one = crate::plybook::command(&arguments).env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert_eq!(found, serde_json::from_slice::<Value>(&one.stdout).unwrap(), "on any number of cores");
}

#[test]
fn a_record_that_cannot_be_analysed_is_refused_with_the_reason() {
    let game = |file: &str| run(&["analyse", "--game", file]);
    let secret = game(&data("records/sealed-running.ndjson")).fails(1);
    assert!(secret.contains("it can be analysed once it is over"), "{secret}");
    let none = game(&data("records/player.ndjson")).fails(1);
    assert!(none.contains("there are 0 games in it: one is analysed at a time"), "{none}");
    let text = std::fs::read_to_string(data("records/played.ndjson")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let changed = dir.path().join("changed.ndjson");
    std::fs::write(&changed, text.replacen("acted", "bacted", 1)).unwrap();
    game(changed.to_str().unwrap()).fails(1);
    game("nowhere.json").fails(2);
    let played = data("records/played.ndjson");
    run(&["analyse", "--game", &played, "--playouts", "20001"]).fails(2);
    run(&["analyse", "--game", &played, "--ply", "3"]).fails(2);
    run(&["analyse", "tri", "--game", &played]).fails(2);
    run(&["analyse"]).fails(2);
}
