//! The memory of a game in the read models, and of a folded game in the cache.
//!
//! `cargo bench -p plybook-tests --bench memory`. Measures the growth of the process's resident memory
//! (`VmRSS`) over many games, so that page sizes and spare capacity hardly matter.

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod support;

use std::process::Command;
use std::sync::Arc;

use plybook_api::service::Service;

use plybook_rules::{Rules, kind, kinds};
use plybook_store::{Options, Store};
use support::{Game, grouped, id, long_game, random_game};

/// The number of games in the models.
const LISTED: u64 = 50_000;

/// The number of folded games of each kind.
const FOLDED: u64 = 200;

/// The number of plies of a long game.
const PLIES: usize = 2_000;

fn main() {
    // Every figure is measured in a separate process with fresh memory.
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, what, name] = &arguments[..]
        && let Some(rules) = kind(name)
    {
        return if what == "listed" { listed(rules) } else { kept(rules) };
    }
    println!("| what | games | plies each | bytes a game | bytes a ply |");
    println!("|---|---:|---:|---:|---:|");
    let program = std::env::current_exe().expect("it runs");
    for what in ["listed", "kept"] {
        for rules in kinds() {
            let run = Command::new(&program).args([what, rules.about().kind]).status().expect("it runs again");
            assert!(run.success());
        }
    }
}

fn listed(rules: &'static dyn Rules) {
    let dir = tempfile::tempdir().expect("there is a disk");
    let store = Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).expect("it opens");
    fill(&store, &random_game(rules, 1, 0), LISTED);
    let before = resident();
    let service = Service::start(store).expect("it starts");
    let grown = resident().saturating_sub(before);
    assert_eq!(service.models().known().games.len() as u64, LISTED);
    print(&format!("{}, in the models", rules.about().kind), LISTED, 0, grown);
}

/// Records the same game many times.
fn fill(store: &Store, game: &Game, times: u64) {
    let appends: Vec<_> =
        (0..times).map(|n| plybook_store::Append { log: id(n), expected: None, events: game.log(id(n)).1 }).collect();
    for appended in store.log().append_many(&appends) {
        appended.expect("the events are right");
    }
}

fn kept(rules: &'static dyn Rules) {
    let game = long_game(rules, 5, PLIES);
    let store = Store::in_memory().expect("there is memory");
    fill(&store, &game, FOLDED);
    let service = Service::start(store).expect("it starts");
    // The first game is read and folded beforehand, with everything that this allocates once.
    let read = |n: u64| service.game(id(n)).expect("it is there").replay();
    assert_eq!(read(0).mainline().len(), game.actions.len());
    let before = resident();
    let held: Vec<Arc<_>> = (1..FOLDED).map(read).collect();
    let grown = resident().saturating_sub(before);
    assert!(held.iter().all(|replay| replay.mainline().len() == game.actions.len()));
    print(&format!("{}, folded and kept", rules.about().kind), FOLDED - 1, game.actions.len() as u64, grown);
}

fn print(what: &str, games: u64, plies: u64, bytes: u64) {
    let each = (bytes / games).checked_div(plies).map_or("–".to_owned(), |each| grouped(each as f64));
    println!("| {what} | {games} | {plies} | {} | {each} |", grouped((bytes / games) as f64));
}

/// The resident memory of this process in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("it is told");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("it is a number") * 1024
}
