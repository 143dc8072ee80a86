//! `rules`, `perft`, `random`, `draw`.

use std::fs;

use serde_json::Value;

use crate::plybook::{command, run};

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn rules_prints_the_last_position_or_every_one() {
    let one = lines(&run(&["rules", "triangulate", "--actions", "b1-b2"]).ok());
    assert_eq!(
        (one.len(), &one[0]["ply"], &one[0]["action"], &one[0]["by"]),
        (1, &1.into(), &"b1-b2".into(), &1.into())
    );
    let all = lines(&run(&["rules", "triangulate", "--actions", "b1-b2", "--every-ply"]).ok());
    assert_eq!((all.len(), &all[0]["ply"], &all[1]), (2, &0.into(), &one[0]));
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("actions.txt");
    fs::write(&file, "\n b1-b2\n\t").unwrap();
    assert_eq!(lines(&run(&["rules", "triangulate", "--actions-file", file.to_str().unwrap()]).ok()), one);
}

#[test]
fn an_illegal_action_is_reported_with_its_ply_and_the_reason() {
    let ran = run(&["rules", "triangulate", "--every-ply", "--actions", "b1-b2 b1-b2"]);
    assert_eq!(lines(&ran.out).len(), 2, "the lines already printed stay");
    let why = ran.fails(1);
    assert!(why.starts_with("ply 2: b1-b2: ") && why.lines().count() == 1, "{why}");
    for bad in ["x", "b1", "a1-a1", "💥", "9:b1-b2"] {
        let why = run(&["rules", "triangulate", "--actions", bad]).fails(1);
        assert!(why.starts_with(&format!("ply 1: {bad}: ")), "{why}");
    }
}

#[test]
fn bad_setups_are_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("setup.json");
    for setup in ["{\"x\":1}", "[]", "{", "", "1.5"] {
        fs::write(&file, setup).unwrap();
        let why = run(&["rules", "triangulate", "--setup", file.to_str().unwrap()]).fails(1);
        assert!(why.starts_with("setup: "), "{why}");
    }
    assert!(run(&["rules", "chess"]).fails(2).contains("triangulate"), "the games there are, are named");
    run(&["rules", "triangulate", "--setup", "/nowhere/setup.json"]).fails(2);
}

#[test]
fn viewers_are_all_public_or_a_seat() {
    let all = run(&["rules", "triangulate"]).ok();
    for viewer in ["all", "public", "1", "2"] {
        let seen = lines(&run(&["rules", "triangulate", "--viewer", viewer]).ok());
        assert_eq!(seen[0]["position"], lines(&all)[0]["position"], "there are no secrets in it");
    }
    for viewer in ["0", "seat", "-1", ""] {
        run(&["rules", "triangulate", "--viewer", viewer]).fails(2);
    }
    for command in ["rules", "draw", "analyse"] {
        let why = run(&[command, "triangulate", "--viewer", "3"]).fails(2);
        assert!(why.contains("the game has 2 seats, and no seat 3"), "{why}");
    }
}

#[test]
fn perft_counts() {
    assert_eq!(run(&["perft", "triangulate", "--depth", "0"]).ok(), "1\n");
    let legal = lines(&run(&["rules", "triangulate"]).ok())[0]["legal"]["1"].as_array().unwrap().len();
    assert_eq!(run(&["perft", "triangulate", "--depth", "1"]).ok(), format!("{legal}\n"));
    let after = run(&["perft", "triangulate", "--depth", "1", "--actions", "b1-b2"]).ok();
    let legal =
        lines(&run(&["rules", "triangulate", "--actions", "b1-b2"]).ok())[0]["legal"]["2"].as_array().unwrap().len();
    assert_eq!(after, format!("{legal}\n"));
    run(&["perft", "triangulate", "--depth", "21"]).fails(2);
    run(&["perft", "triangulate"]).fails(2);
}

#[test]
fn the_same_seed_gives_the_same_games_which_the_rules_accept() {
    for kind in ["triangulate", "tri"] {
        let random = |seed: &str| run(&["random", kind, "--games", "3", "--seed", seed, "--actions-max", "60"]).ok();
        let games = random("7");
        assert_eq!(games, random("7"));
        assert_ne!(games, random("8"));
        assert_eq!(games.lines().count(), 3);
        for game in games.lines() {
            run(&["rules", kind, "--actions", game]).ok();
        }
    }
    let sensible = run(&["random", "triangulate", "--sensible", "--actions-max", "6"]).ok();
    assert_eq!(sensible.split_whitespace().count(), 6);
}

#[test]
fn a_position_is_drawn() {
    let svg = run(&["draw", "triangulate", "--actions", "b1-b2", "--width", "200"]).ok();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("width=\"200\""));
    run(&["draw", "triangulate", "--width", "1"]).fails(2);
}

/// A reader who closes the pipe early causes neither a failure nor a panic.
#[test]
fn a_reader_that_closes_the_pipe_does_no_harm() {
    for arguments in [
        &["schema"][..],
        &["completions", "bash"],
        &["random", "triangulate", "--games", "200", "--actions-max", "50"],
        &["draw", "tri"],
    ] {
        let mut child = command(arguments)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(
            (ended.status.code(), String::from_utf8(ended.stderr).unwrap().as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}
