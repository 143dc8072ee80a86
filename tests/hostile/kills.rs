//! kill -9 while writers are at work, and during start-up, rebuilding, importing, filling and exporting.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::Event;

use crate::plybook::{command, run};
use crate::recording::{Acknowledged, Dice, Recorder};
use crate::rounds;

/// After this many rounds, a fresh directory is used, so that rounds stay short.
const ROUNDS_OF_DIR: usize = 25;

#[test]
fn no_kill_loses_an_acknowledged_event_or_a_secret() {
    let rounds = rounds(3, 1000);
    let mut dice = Dice(0x6b69_6c6c);
    let (mut acknowledged, mut in_start) = (0, 0);
    let mut known = Acknowledged::default();
    let mut dir = tempfile::tempdir().unwrap();
    for round in 0..rounds {
        if round % ROUNDS_OF_DIR == 0 {
            acknowledged += known.0.len();
            known = Acknowledged::default();
            dir = tempfile::tempdir().unwrap();
        }
        // Every fifth start has no index, so that it is killed while rebuilding one.
        if round % 5 == 4 {
            fs::remove_dir_all(dir.path().join("sled")).unwrap();
        }
        let child = Recorder::start(dir.path());
        let range = if round % 3 == 2 { 150 } else { 700 };
        thread::sleep(Duration::from_millis(20 + dice.below(range) as u64));
        in_start += usize::from(!known.hear(&child.kill()));
        if dir.path().join("journal").exists() {
            known.check(dir.path(), &format!("round {round}"));
        }
    }
    // The data that a kill leaves can be opened for recording, too.
    let child = Recorder::start(dir.path());
    child.wait_for("\nack ");
    assert!(known.hear(&child.kill()), "it opens");
    known.check(dir.path(), "at the end");
    acknowledged += known.0.len();
    assert!(acknowledged > rounds, "too little was recorded to test anything: {acknowledged}");
    println!(
        "{rounds} kills, {in_start} of them inside the start: {acknowledged} acknowledged events, 0 lost, 0 secrets lost"
    );
}

/// How long the program takes for a command.
fn lasting(arguments: &[&str]) -> Duration {
    let begun = Instant::now();
    run(arguments).ok();
    begun.elapsed()
}

/// Runs the program and kills it after part of the time that it usually takes; returns whether it was still
/// running.
fn killed(arguments: &[&str], lasting: Duration, dice: &mut Dice) -> bool {
    let mut child = command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(lasting * dice.below(90) as u32 / 100);
    let is_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    is_running
}

/// The journal, with all segments concatenated.
fn journal(data: &Path) -> Vec<u8> {
    let mut paths: Vec<_> = fs::read_dir(data.join("journal")).unwrap().map(|entry| entry.unwrap().path()).collect();
    // What is known of closed segments is no part of it.
    paths.retain(|path| path.extension().is_some());
    paths.sort();
    paths.iter().flat_map(|path| fs::read(path).unwrap()).collect()
}

/// Commands that work on a whole directory: when killed at any moment, they leave it as it was, or can be
/// continued.
#[test]
fn commands_that_are_killed_leave_nothing_half_done() {
    let rounds = rounds(2, 40);
    let dir = tempfile::tempdir().unwrap();
    let (data, copy, there) = (dir.path().join("data"), dir.path().join("copy"), dir.path().join("there"));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (at, copied, files) = (text(&data), text(&copy), text(&there));
    // Games whose secrets are all dice: running games with sealed submissions cannot be imported.
    run(&["bench", "--games", "200", "--kind", "triforce", "--only-fill", "--data", &at]).ok();
    let whole = journal(&data);
    let all = dir.path().join("all.ndjson");
    fs::write(&all, run(&["export", "--data", &at]).ok()).unwrap();
    let (all, scratch) = (text(&all), text(&dir.path().join("scratch")));
    let rebuild = ["rebuild", "--data", &at];
    let export = ["export", "--into", &files, "--format", "json", "--data", &at];
    let import = ["import", &all, "--data", &copied];
    let rebuilding = lasting(&rebuild);
    let exporting = lasting(&["export", "--into", &text(&dir.path().join("files")), "--format", "json", "--data", &at]);
    let importing = lasting(&["import", &all, "--data", &scratch]);
    let mut dice = Dice(0x636d_6473);
    let mut kills = 0;
    for round in 0..rounds {
        kills += usize::from(killed(&rebuild, rebuilding, &mut dice));
        kills += usize::from(killed(&export, exporting, &mut dice));
        assert!(journal(&data) == whole, "round {round}: the journal is as it was");
        kills += usize::from(killed(&import, importing, &mut dice));
        if copy.join("journal").exists() {
            check_imported(&copied, &format!("round {round}"));
        }
    }
    assert!(kills > 0);
    run(&rebuild).ok();
    run(&import).ok();
    let games = |at: &str| run(&["export", "--data", at]).ok();
    assert!(games(&copied) == games(&at), "what was killed is taken up again");
    assert!(run(&["verify", "--data", &at]).ok().contains(" 0 bad"));
    println!("{kills} kills of rebuild, export and import");
}

/// A fill that is killed again and again ends with the same games as an undisturbed one.
#[test]
fn a_killed_fill_continues() {
    let kills = rounds(3, 60);
    let dir = tempfile::tempdir().unwrap();
    let text = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (whole, filled) = (text("whole"), text("filled"));
    let games = rounds(300, 6_000).to_string();
    let fill = |at| ["bench", "--only-fill", "--seed", "5", "--games", &games, "--data", at].map(str::to_owned);
    let lasting = lasting(&fill(&whole).each_ref().map(String::as_str));
    let mut dice = Dice(0x6669_6c6c);
    let (mut done, mut tries) = (0, 0);
    let arguments = fill(&filled);
    let arguments = arguments.each_ref().map(String::as_str);
    while done < kills && tries < 20 * kills {
        // Eventually, little is left for the fill to do: then a fresh one is started.
        done += usize::from(killed(&arguments, lasting / 4, &mut dice));
        tries += 1;
        if tries % 8 == 7 && Path::new(&filled).exists() {
            // The child that fills ends with its parent, but not at once: it may still be writing.
            while Path::new(&filled).exists() {
                let _ = fs::remove_dir_all(&filled);
            }
        }
    }
    assert!(done > 0);
    // Until the child has ended, the directory is in use.
    let mut last = run(&arguments);
    for _ in 0..100 {
        if last.status == 0 {
            break;
        }
        thread::sleep(Duration::from_millis(100));
        last = run(&arguments);
    }
    last.ok();
    assert!(run(&["verify", "--data", &filled]).ok().contains(" 0 bad"));
    assert!(journal(Path::new(&filled)) == journal(Path::new(&whole)), "the same games, byte by byte");
    println!("{done} kills of a fill");
}

/// Every log that was imported is there completely.
fn check_imported(at: &str, what: &str) {
    let found = run(&["verify", "--data", at]);
    // Seeds of running games that were recorded elsewhere are noted as such before the game is written.
    assert_eq!(found.status, 0, "{what}: {}", found.err);
    for line in run(&["export", "--data", at]).ok().lines() {
        Event::parse(line.as_bytes()).unwrap();
    }
}
