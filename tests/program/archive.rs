//! `import`, `export`, `verify`, `rebuild`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use plybook_events::Hash;
use serde_json::{Value, json};

use crate::plybook::{Served, fill, run, run_with, run_with_room};

fn on(data: &Path, arguments: &[&str]) -> crate::plybook::Ran {
    run(&[arguments, &["--data", data.to_str().unwrap()]].concat())
}

#[test]
fn exports_are_imported_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let log = on(&data, &["export"]).ok();
    assert!(log.lines().count() > 100);
    // With the mark of each, which is not exported.
    assert!(on(&data, &["verify"]).ok().starts_with("12 logs with "));
    for (format, name) in [("ndjson", "all.ndjson"), ("json", "all.json")] {
        let (all, there) = (dir.path().join(name), dir.path().join(format));
        let exported = on(&data, &["export", "--format", format]).ok();
        fs::write(&all, &exported).unwrap();
        assert!(run(&["verify", all.to_str().unwrap()]).ok().starts_with("6 logs with "), "{format}");
        assert!(run_with(&["verify", "-"], &exported).ok().contains("0 bad"), "{format}");
        assert!(on(&there, &["import", all.to_str().unwrap()]).ok().starts_with("6 games taken in"), "{format}");
        assert_eq!(on(&there, &["export"]).ok(), log, "{format}");
        // As an editor may leave it, and from another program.
        let marked = format!("\u{feff}{exported}");
        assert!(run_with(&["verify", "-"], &marked).ok().contains("0 bad"), "{format}");
        let piped = dir.path().join(format!("{format}-piped"));
        run_with(&["import", "--data", piped.to_str().unwrap(), "-"], &marked).ok();
        assert_eq!(on(&piped, &["export"]).ok(), log, "{format}");
        on(&there, &["import", all.to_str().unwrap()]).ok();
        assert_eq!(on(&there, &["export"]).ok(), log, "what is there is left alone");
    }
    let files = dir.path().join("files");
    for format in ["ndjson", "json", "text"] {
        on(&data, &["export", "--format", format, "--into", files.to_str().unwrap()]).ok();
    }
    assert_eq!(fs::read_dir(&files).unwrap().count(), 18);
    let (mut records, again) = (Vec::new(), dir.path().join("again"));
    for file in fs::read_dir(&files).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|name| name == "json") {
            records.push(path.to_str().unwrap().to_owned());
        }
    }
    let mut arguments = vec!["import"];
    arguments.extend(records.iter().map(String::as_str));
    on(&again, &arguments).ok();
    let sorted = |log: &str| {
        let mut lines: Vec<_> = log.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&on(&again, &["export"]).ok()), sorted(&log));
}

#[test]
fn a_file_of_text_records_is_imported_game_by_game() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let text = on(&data, &["export", "--format", "text"]).ok();
    let why = run_with(&["verify", "-"], &text).fails(1);
    assert!(why.contains("a text record has no hashes"), "{why}");
    let began =
        "[Game \"01900000-0000-7000-8000-000000000001\"]\n[Kind \"tri\"]\n[Seat1 \"Ada\"]\n[Seat2 \"Bela\"]\n\n\n";
    let wrong = "[Kind \"tri\"]\n\n[Seat1 \"Ada\"]\n[Seat2 \"Bela\"]\n\n1. z9-z9\n";
    for (name, all) in
        [("lines", format!("{began}{text}{wrong}")), ("crlf", format!("{began}{text}{wrong}").replace('\n', "\r\n"))]
    {
        let there = dir.path().join(name);
        let ran = run_with(&["import", "--data", there.to_str().unwrap(), "-"], &all);
        assert_eq!(ran.out, "7 games taken in, 1 refused\n", "{}", ran.err);
        assert!(ran.fails(1).starts_with("-: record 8: "), "{name}");
    }
}

#[test]
fn a_log_has_to_end_in_the_head_that_is_known() {
    let dir = tempfile::tempdir().unwrap();
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records/resignation.ndjson");
    let text = fs::read_to_string(&golden).unwrap();
    let whole: Vec<&str> = text.lines().collect();
    let head = Hash::of_event(whole[4].as_bytes()).to_string();
    let path = golden.to_str().unwrap();
    assert!(run(&["verify", path, "--head", &head]).ok().starts_with("1 logs with 5 events verified, 0 bad"));
    let short = dir.path().join("short.ndjson");
    fs::write(&short, whole[..4].join("\n")).unwrap();
    assert!(run(&["verify", short.to_str().unwrap()]).ok().contains("0 bad"), "nobody knows that an event is missing");
    let why = run(&["verify", short.to_str().unwrap(), "--head", &head]).fails(1);
    assert!(why.contains(&format!("it ends in {}, not in {head}", Hash::of_event(whole[3].as_bytes()))), "{why}");
    let other = golden.with_file_name("time.ndjson");
    assert!(run(&["verify", path, other.to_str().unwrap(), "--head", &head]).ok().contains("0 bad"));
    let why = run(&["verify", other.to_str().unwrap(), short.to_str().unwrap(), "--head", &head]).fails(1);
    assert!(why.contains(&format!("none of 2 valid logs ends in {head}")), "{why}");
}

#[test]
fn a_record_over_many_lines_is_one_record() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let first = on(&data, &["export", "--format", "json"]).ok().lines().next().unwrap().to_owned();
    let record: serde_json::Value = serde_json::from_str(&first).unwrap();
    let pretty = dir.path().join("pretty.json");
    fs::write(&pretty, serde_json::to_string_pretty(&record).unwrap()).unwrap();
    assert!(run(&["verify", pretty.to_str().unwrap()]).ok().contains("0 bad"));
    assert!(on(&dir.path().join("there"), &["import", pretty.to_str().unwrap()]).ok().starts_with("1 games"));
}

#[test]
fn damage_is_found_and_refused() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let log = on(&data, &["export"]).ok().into_bytes();
    let (file, there) = (dir.path().join("bad.ndjson"), dir.path().join("there"));
    let first_log = log.iter().position(|byte| *byte == b'\n').unwrap();
    for at in [0, 10, first_log / 2, first_log - 2] {
        for flip in [1, 0x80] {
            let mut bad = log.clone();
            bad[at] ^= flip;
            fs::write(&file, &bad).unwrap();
            let found = run(&["verify", file.to_str().unwrap()]).fails(1);
            assert!(found.starts_with(file.to_str().unwrap()), "{found}");
            on(&there, &["import", file.to_str().unwrap()]).fails(1);
        }
    }
    // The other five games of the file are imported, as far as it can be read at all.
    let first = log.split(|byte| *byte == b'\n').next().unwrap();
    assert!(!on(&there, &["export"]).ok().as_bytes().starts_with(first));
    for bad in ["", "\n", "hello", "{}", "[1]", "\u{0}\u{0}"] {
        fs::write(&file, bad).unwrap();
        run(&["verify", file.to_str().unwrap()]).fails(1);
        on(&there, &["import", file.to_str().unwrap()]).fails(1);
    }
    run(&["verify", "/nowhere/at/all.json"]).fails(2);
    // The journal itself, changed behind our back.
    let journal = fs::read_dir(data.join("journal")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&journal).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&journal, bytes).unwrap();
    let found = on(&data, &["verify"]);
    assert_ne!(found.status, 0, "{}", found.out);
    assert!(!found.err.is_empty() && !found.err.contains("panicked"), "{}", found.err);
}

#[test]
fn the_index_is_built_again() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let log = on(&data, &["export"]).ok();
    assert!(on(&data, &["rebuild"]).ok().contains(&format!("from {} events", log.lines().count() + 6)));
    assert_eq!(on(&data, &["export"]).ok(), log);
    fs::remove_dir_all(data.join("sled")).unwrap();
    assert_eq!(on(&data, &["export"]).ok(), log);
}

#[test]
fn single_games_are_exported_and_unknown_ones_refused() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let first: serde_json::Value =
        serde_json::from_str(on(&data, &["export", "--format", "json"]).ok().lines().next().unwrap()).unwrap();
    let text = on(&data, &["export", "--format", "text", first["game"].as_str().unwrap()]).ok();
    assert!(text.contains("[Kind \"triangulate\"]"));
    on(&data, &["export", "07070707-0707-0707-0707-070707070707"]).fails(1);
    on(&data, &["export", "nonsense"]).fails(2);
}

/// A disk without room leaves what was exported before.
#[test]
fn a_full_disk_leaves_what_was_exported() {
    let dir = tempfile::tempdir().unwrap();
    let (data, into) = (dir.path().join("data"), dir.path().join("files"));
    fill(&data);
    let export = ["export", "--into", into.to_str().unwrap(), "--data", data.to_str().unwrap()];
    run(&export).ok();
    let files = || {
        let mut files: Vec<_> = fs::read_dir(&into).unwrap().map(|file| file.unwrap().path()).collect();
        files.sort();
        files.into_iter().map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = files();
    assert!(run_with_room(0, &export).fails(2).contains("File too large"));
    assert!(files() == before);
}

#[test]
fn a_game_is_exported_as_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let (data, pages) = (dir.path().join("data"), dir.path().join("pages"));
    let [(game, game_file), (line, line_file)] = game_and_line();
    on(&data, &["import", game_file.to_str().unwrap(), line_file.to_str().unwrap()]).ok();
    let log = |text: &str| serde_json::from_str::<serde_json::Value>(text.lines().next().unwrap()).unwrap();
    let [id, line_id] = [&game, &line].map(|text| log(text)["game"].as_str().unwrap().to_owned());
    let into = pages.to_str().unwrap();
    on(&data, &["export", "--format", "html", "--into", into]).ok();
    let files: Vec<_> = fs::read_dir(&pages).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(files, [format!("{id}.html").as_str()], "a line is in the page of its game");
    let page = fs::read_to_string(pages.join(format!("{id}.html"))).unwrap();
    assert!(page.len() <= 700_000, "{} bytes", page.len());
    assert!(page.starts_with("<!doctype html>"), "{}", &page[..40]);
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("<!-- "), "every place is filled");
    let refused = on(&data, &["export", "--format", "html", "--into", into, &line_id]).fails(1);
    assert!(refused.contains("a line has no page of its own"), "{refused}");
}

/// A finished game and a line of it, as golden logs.
fn game_and_line() -> [(String, std::path::PathBuf); 2] {
    ["line-parent", "line-arranged"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/records/{name}.ndjson"));
        (fs::read_to_string(&path).unwrap(), path)
    })
}

#[test]
fn a_line_goes_with_its_game() {
    let dir = tempfile::tempdir().unwrap();
    let [(game, game_file), (line, line_file)] = game_and_line();
    let (game_file, line_file) = (game_file.to_str().unwrap(), line_file.to_str().unwrap());
    assert!(run(&["verify", line_file]).fails(1).contains("which it continues, is not here"));
    assert!(run(&["verify", line_file, game_file]).ok().starts_with("2 logs with "));
    on(&dir.path().join("alone"), &["import", line_file]).fails(1);
    // The line first: the game that it continues is still imported before it.
    let both = dir.path().join("both.ndjson");
    fs::write(&both, format!("{line}{game}")).unwrap();
    assert!(run(&["verify", both.to_str().unwrap()]).ok().starts_with("2 logs with "));
    let data = dir.path().join("data");
    assert!(on(&data, &["import", both.to_str().unwrap()]).ok().starts_with("2 games taken in"));
    assert!(on(&data, &["verify"]).ok().starts_with("4 logs with "));
    // One record, which contains the line; as text, in parentheses.
    let record = on(&data, &["export", "--format", "json"]).ok();
    assert_eq!(record.lines().count(), 1);
    let json = dir.path().join("game.json");
    fs::write(&json, &record).unwrap();
    assert!(run(&["verify", json.to_str().unwrap()]).ok().starts_with("2 logs with "));
    let there = dir.path().join("there");
    on(&there, &["import", json.to_str().unwrap()]).ok();
    let sorted = |log: String| {
        let mut lines: Vec<_> = log.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(on(&there, &["export"]).ok()), sorted(on(&data, &["export"]).ok()));
    assert_eq!(on(&data, &["export", "--format", "text"]).ok().matches("\n[Line ").count(), 0);
    assert!(on(&data, &["export", "--format", "text"]).ok().contains(" ( 5. "));
    on(&data, &["rebuild"]).ok();
    assert_eq!(on(&data, &["export", "--format", "json"]).ok(), record);
    // A changed byte of the game also fails the line's verification.
    let changed = game.replacen("\"seq\":3", "\"seq\":4", 1);
    fs::write(&both, format!("{line}{changed}")).unwrap();
    let found = run(&["verify", both.to_str().unwrap()]).fails(1);
    assert_eq!(found.lines().filter(|line| line.contains("both.ndjson: ")).count(), 2, "{found}");
}

/// Has a game analysed, and waits until that is done.
fn analyse(served: &Served, admin: &str, game: &str) {
    let ask = |query: &str| served.get(Some(admin), query, &json!({ "g": game }));
    ask("mutation($g: ID!) { analyze(game: $g, playouts: 20) { state } }");
    for _ in 0..1_000 {
        if ask("query($g: ID!) { game(id: $g) { analysis { state } } }")["game"]["analysis"]["state"] == "DONE" {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the analysis of {game} takes too long");
}

/// A game of a tournament that is being played.
fn running_tournament_game(served: &Served, admin: &str) -> String {
    let ask = |query: &str, variables: &Value| served.get(Some(admin), query, variables);
    let input = json!({ "name": "Open", "kind": "triangulate", "format": "SWISS", "rounds": 1 });
    let made = ask("mutation($i: CreateTournament!) { createTournament(input: $i) { id } }", &json!({ "i": input }));
    let tournament = made["createTournament"]["id"].clone();
    let steps = "mutation($t: ID!) {
        addEntrants(tournament: $t, entrants: [{ name: \"Ada\" }, { name: \"Bela\" }]) { id }
        pairRound(tournament: $t) { status }
        openRound(tournament: $t, round: 1) { tables { game { id } } } }";
    let opened = ask(steps, &json!({ "t": tournament }));
    opened["openRound"]["tables"][0]["game"]["id"].as_str().unwrap().to_owned()
}

/// A record has the analysis that the service shows everybody with it: none of what only arbiters see, and none that is
/// stale.
#[test]
fn records_carry_the_analyses_that_everybody_may_see() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let secret = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records/sealed-setups.ndjson");
    on(&data, &["import", secret.to_str().unwrap()]).ok();
    let served = Served::start(&data, &[]);
    let admin = served.admin();
    let held = running_tournament_game(&served, &admin);
    let listed = served.get(None, "{ games(first: 20) { nodes { id kind } } }", &Value::Null);
    let games: Vec<(&str, &str)> = listed["games"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| (game["id"].as_str().unwrap(), game["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(games.len(), 8);
    let mut tri = games.iter().filter(|(_, kind)| *kind == "tri").map(|(id, _)| *id);
    let (stale, none) = (tri.next().unwrap(), tri.next().unwrap());
    for (game, _) in games.iter().filter(|(game, _)| *game != none) {
        analyse(&served, &admin, game);
    }
    let annotate = "mutation($g: ID!) { annotate(game: $g, ply: 3, comment: \"Bold.\") { id } }";
    served.get(Some(&admin), annotate, &json!({ "g": stale }));
    let record = "query($g: ID!) { game(id: $g) { json: record(format: JSON, withAnalysis: true)
        text: record(format: TEXT, withAnalysis: true) } }";
    let shown = |game: &str| served.get(None, record, &json!({ "g": game }))["game"].clone();
    let shown: Vec<(&str, Value)> = games.iter().map(|(game, _)| (*game, shown(game))).collect();
    let busy = on(&data, &["export", "--format", "json", "--with-analysis"]).fails(2);
    assert!(busy.contains(" is in use by "), "{busy}");
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));

    for (format, name, member, mark) in
        [("json", "json", "json", "\"analysis\":{"), ("text", "txt", "text", "[Analysis \"engine ")]
    {
        let into = dir.path().join(format);
        on(&data, &["export", "--format", format, "--with-analysis", "--into", into.to_str().unwrap()]).ok();
        for (game, record) in &shown {
            let written = fs::read_to_string(into.join(format!("{game}.{name}"))).unwrap();
            assert_eq!(written.trim_end(), record[member].as_str().unwrap().trim_end(), "{game} in {format}");
            let has_one = ![stale, none, held.as_str()].contains(game);
            assert_eq!(written.contains(mark), has_one, "{game} in {format}");
            assert_eq!(on(&data, &["export", "--format", format, "--with-analysis", game]).ok(), written);
            assert!(!on(&data, &["export", "--format", format, game]).ok().contains(mark));
        }
    }
    // What an engine said does not stand in the way of an import.
    let all = dir.path().join("all.json");
    fs::write(&all, on(&data, &["export", "--format", "json", "--with-analysis"]).ok()).unwrap();
    assert!(run(&["verify", all.to_str().unwrap()]).ok().contains("8 logs with "));
    let there = dir.path().join("there");
    assert!(on(&there, &["import", all.to_str().unwrap()]).ok().starts_with("8 games taken in, 0 refused"));
    for format in ["ndjson", "html"] {
        let why = on(&data, &["export", "--format", format, "--with-analysis"]).fails(2);
        assert!(why.contains("an analysis is added to records in json and text"), "{why}");
    }
}

/// A command that only reads reports that there is nothing, and creates nothing.
#[test]
fn commands_that_read_create_no_store() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("none");
    for command in ["export", "verify", "rebuild", "refold"] {
        let ran = on(&data, &[command]);
        assert_eq!(ran.status, 2, "{command}");
        assert!(ran.err.contains("there is no store in"), "{command}: {}", ran.err);
        assert!(!data.exists(), "{command} made a store");
    }
    let ran = on(&data, &["export", "--format", "json", "--with-analysis"]);
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("there is no store in") && !data.exists(), "{}", ran.err);
}

/// A golden log.
fn golden(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("data/records/{name}.ndjson"))).unwrap()
}

#[test]
fn logs_that_cannot_be_imported_do_not_stop_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records");
    let names = fs::read_dir(records).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("tournament")).collect();
    names.sort();
    let logs: Vec<String> = names.iter().map(|name| golden(name.trim_end_matches(".ndjson"))).collect();
    let games = logs.len() - 2;
    // A game whose moves are still sealed, between games of two tournaments and these.
    let all = dir.path().join("all.ndjson");
    fs::write(&all, format!("{}{}", golden("sealed-running"), logs.concat())).unwrap();
    let data = dir.path().join("data");
    let ran = on(&data, &["import", all.to_str().unwrap()]);
    assert_eq!(ran.out, format!("{games} games and 2 tournaments taken in, 1 refused\n"));
    let sealed: serde_json::Value = serde_json::from_str(golden("sealed-running").lines().next().unwrap()).unwrap();
    let why = ran.fails(1);
    assert!(why.contains(sealed["game"].as_str().unwrap()) && why.contains("sealed"), "{why}");
    assert_eq!(why.lines().count(), 1, "{why}");
    // The imported log is the exported one, byte for byte.
    let exported = on(&data, &["export"]).ok();
    for log in &logs {
        assert!(exported.contains(log.as_str()));
    }
    assert_eq!(exported.lines().count(), logs.iter().map(|log| log.lines().count()).sum::<usize>());
    assert!(on(&data, &["verify"]).ok().contains("0 bad"));
}

#[test]
fn a_report_file_becomes_a_tournament() {
    let dir = tempfile::tempdir().unwrap();
    let (data, file) = (dir.path().join("data"), dir.path().join("open.trf"));
    fs::write(&file, run(&["pair", "--generate", "--players", "9", "--rounds", "3"]).ok()).unwrap();
    let path = file.to_str().unwrap();
    assert!(on(&data, &["import", path]).fails(1).contains("say so with --kind"));
    let told = on(&data, &["import", path, "--kind", "tri", "--time-zone", "Europe/Vienna"]).ok();
    assert!(told.contains("0 games and 1 tournaments taken in, 0 refused"), "{told}");
    assert!(on(&data, &["verify"]).ok().contains("0 bad"));
    let log = on(&data, &["export"]).ok();
    assert!(log.contains("\"time_zone\":\"Europe/Vienna\"") && log.contains("\"type\":\"tournament_finished\""));
    assert!(
        on(&data, &["import", path, "--kind", "tri", "--time-zone", "Vienna"]).fails(1).contains("is no time zone")
    );
}
