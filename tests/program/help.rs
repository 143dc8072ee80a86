//! Help, schema, completions, and wrong usage.

use crate::plybook::{command, run};

const COMMANDS: [&str; 27] = [
    "serve",
    "token",
    "key",
    "tlog",
    "prove",
    "check",
    "monitor",
    "witness",
    "import",
    "export",
    "verify",
    "vault",
    "backup",
    "restore",
    "journal",
    "cluster",
    "rebuild",
    "refold",
    "rules",
    "perft",
    "random",
    "draw",
    "search",
    "analyse",
    "bench",
    "schema",
    "completions",
];

#[test]
fn every_command_explains_itself() {
    let all = run(&["--help"]).ok();
    for name in COMMANDS {
        assert!(all.lines().any(|line| line.trim_start().starts_with(&format!("{name} "))), "{name}");
        let help = run(&[name, "--help"]).ok();
        assert!(help.contains("Usage: plybook"), "{help}");
        let has_example = help.lines().any(|line| line.trim_start().starts_with(&format!("plybook {name}")));
        assert!(has_example, "{name} has an example: {help}");
    }
    for name in ["new", "show", "sign", "verify"] {
        let help = run(&["key", name, "--help"]).ok();
        assert!(help.lines().any(|line| line.starts_with("Usage: plybook") && line.contains(" key ")), "{help}");
    }
    let help = run(&["cluster", "status", "--help"]).ok();
    assert!(help.lines().any(|line| line.starts_with("Usage: plybook") && line.contains(" cluster ")), "{help}");
    for name in ["copy", "check"] {
        let help = run(&["journal", name, "--help"]).ok();
        assert!(help.lines().any(|line| line.starts_with("Usage: plybook") && line.contains(" journal ")), "{help}");
    }
    for name in ["create", "list", "revoke"] {
        let help = run(&["token", name, "--help"]).ok();
        assert!(help.lines().any(|line| line.starts_with("Usage: plybook") && line.contains(" token ")), "{help}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    for arguments in [
        &[][..],
        &["play"],
        &["rules"],
        &["serve", "--listen", "nowhere"],
        &["serve", "--trusted-proxy", "somewhere"],
        &["serve", "--metrics-listen", "on"],
        &["import"],
        &["perft", "triangulate", "--depth", "x"],
        &["export", "--format", "xml"],
        &["--nonsense"],
        &["completions", "cmd"],
        &["bench", "--games", "0"],
        &["bench", "--games", "10,x"],
        &["rules", "triangulate", "--actions", "a", "--actions-file", "b"],
    ] {
        let why = run(arguments).fails(2);
        assert!(why.contains("Usage") || why.contains("error"), "{arguments:?}: {why}");
    }
    let dir = tempfile::tempdir().unwrap();
    let config = dir.path().join("plybook.toml");
    std::fs::write(&config, "listne = \"127.0.0.1:0\"\n").unwrap();
    let why = run(&["serve", "--config", config.to_str().unwrap()]).fails(2);
    assert!(why.contains("plybook.toml") && why.contains("listne"), "{why}");
}

#[test]
fn the_schema_is_printed() {
    let schema = run(&["schema"]).ok();
    for part in [
        "type Query {",
        "type Mutation {",
        "type Subscription {",
        "enum GameStatus {",
        "input GameFilter {",
        "scalar DateTime",
    ] {
        assert!(schema.contains(part), "{part}");
    }
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).ok();
        assert!(script.contains("plybook") && script.contains("rebuild"), "{shell}");
    }
}

/// `plybook … | head -1` is no fault, whatever is printed after that.
#[test]
fn nobody_has_to_read_what_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let [data, key] = ["data", "key"].map(|name| dir.path().join(name).to_str().unwrap().to_owned());
    std::fs::create_dir(&data).unwrap();
    for arguments in [
        &["token", "create", "--role", "recorder", "--data", &data][..],
        &["token", "list", "--data", &data],
        &["vault", "key", &key],
        &["perft", "triangulate", "--depth", "1"],
        &["schema"],
    ] {
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        let ran = command(arguments).stdout(write).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success() && !said.contains("panicked"), "{arguments:?}: {said}");
    }
}
