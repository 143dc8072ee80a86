//! The engine's laboratory: matches between players, and the calibration of stated chances.

mod calibrate;
mod matches;
mod uct;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use plybook_rules::{Rules, kind, kinds};
use serde_json::Value;

/// Measures how strong the engine is, and fits its chances to results.
#[derive(Debug, Parser)]
#[command(name = "plybook-lab", arg_required_else_help = true)]
enum Lab {
    Match(matches::Match),
    Calibrate(calibrate::Calibrate),
}

impl Lab {
    fn run(self) -> Result<Value, String> {
        match self {
            Self::Match(command) => command.run(),
            Self::Calibrate(command) => command.run(),
        }
    }
}

fn main() -> ExitCode {
    match Lab::parse().run() {
        Ok(answer) => {
            println!("{answer:#}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Positions are allocated and freed by the million, so much of the time goes into the allocator.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The rules of a kind.
fn rules_of(name: &str) -> Result<&'static dyn Rules, String> {
    kind(name).ok_or_else(|| {
        let known: Vec<_> = kinds().iter().map(|rules| rules.about().kind).collect();
        format!("no game is called {name:?}; there are: {}", known.join(", "))
    })
}

/// A progress bar over games on standard error, shown only on a terminal.
fn bar(games: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("games {wide_bar} {pos}/{len} {eta}").expect("the template is right");
    let bar = ProgressBar::new(games.into()).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A number, rounded.
fn digits(number: f64, unit: f64) -> f64 {
    (number * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use plybook_rules::engine::VERSION;
    use serde_json::Value;

    use super::Lab;

    /// The answer to a command line.
    fn run(line: &str) -> Result<Value, String> {
        Lab::try_parse_from(["plybook-lab"].into_iter().chain(line.split(' '))).map_err(|why| why.to_string())?.run()
    }

    #[test]
    fn a_match_counts_each_game_once() {
        let found = run("match triangulate --a playouts=150 --b random --games 4 --seed 3").unwrap();
        let (games, wins) = (&found["games"], &found["wins"]);
        assert_eq!((games, wins), (&4.into(), &4.into()), "who looks ahead beats who does not: {found}");
        let stopped = run("match tri --a uct=5 --b uct=9 --games 2 --opening 0 --actions-max 4").unwrap();
        assert_eq!((&stopped["draws"], &stopped["score"]), (&2.into(), &0.5.into()), "{stopped}");
        let three = run("match triforce --a random --b random --games 3 --actions-max 40").unwrap();
        assert_eq!((&three["draws"], three.get("elo")), (&3.into(), None), "stopped games are draws: {three}");
    }

    #[test]
    fn unknown_players_and_games_are_refused() {
        let why = run("match tri --a stockfish --b random").unwrap_err();
        assert!(why.contains("playouts=N, uct=N, estimate, random"), "{why}");
        for line in ["match chess --a random --b random", "calibrate chess"] {
            let why = run(line).unwrap_err();
            assert!(why.contains("no game is called \"chess\"; there are: triangulate"), "{why}");
        }
    }

    #[test]
    fn calibrate_compares_with_equal_chances() {
        let found = run("calibrate triangulate --games 6 --playouts 300 --actions-max 400").unwrap();
        let lead = found["lead"].as_i64().unwrap();
        assert!(lead > 0 && found["positions"].as_u64().unwrap() > 20, "{found}");
        let brier = |of: &str| found["brier"][of].as_f64().unwrap();
        assert!((brier("equal") - 0.25).abs() < 1e-9, "half a point off for each seat: {found}");
        assert!(brier("search") < 0.25 && brier("raw") < 1.0, "{found}");
        let sharpness = found["sharpness"].as_u64().unwrap();
        assert!((20..=400).contains(&sharpness) && found["engine"] == VERSION, "{found}");
        assert_eq!(found["games"].as_u64().unwrap() + found["unfinished"].as_u64().unwrap(), 6);
        let why = run("calibrate triangulate --games 2 --playouts 1 --actions-max 5").unwrap_err();
        assert!(why.contains("2 of 2 games were not over after 5 actions"), "{why}");
    }
}
