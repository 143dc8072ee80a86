//! `rules`, `perft`, `random`: games without a store or a server.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use plybook_events::fair::Dice;
use plybook_events::{Actor, Hash, LogId};
use plybook_rules::log::{LastAction, play, split_word};
use plybook_rules::playthrough::line;
use plybook_rules::{ActionError, AnyPosition, Viewer, kind, kinds};
use serde_json::Value;

use super::Failure;

/// Replay a game and print its positions, one JSON line per ply.
///
/// An illegal action stops the replay with exit status 1 and `ply N: action: reason` on standard error; the
/// lines printed before it stay.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook rules triangulate --actions 'b1-b2 d1-d2+f6'
  plybook rules triforce --setup setup.json --actions-file game.txt --every-ply
  plybook rules thrones --actions-file game.txt --viewer 1")]
pub(crate) struct Rules {
    #[command(flatten)]
    start: Start,
    /// Print a line for every ply, not only for the last
    #[arg(long)]
    every_ply: bool,
    /// The viewer: a seat's number, `public` or `all`
    #[arg(long, value_name = "SEAT|public|all", default_value = "all")]
    viewer: Viewer,
}

/// Count the action sequences of a given length, to compare implementations of the rules.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook perft triangulate --depth 3")]
pub(crate) struct Perft {
    #[command(flatten)]
    start: Start,
    /// The number of actions in a sequence
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
}

/// Play random games and print their actions, one game per line.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook random triangulate
  plybook random triforce --games 100 --seed 7 > games.txt")]
pub(crate) struct Random {
    #[command(flatten)]
    start: Start,
    /// The number of games
    #[arg(long, default_value_t = 1)]
    games: u32,
    /// The seed; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop a game after this many actions
    #[arg(long, default_value_t = 2_000)]
    actions_max: usize,
    /// Play sensibly (a short search) instead of at random
    #[arg(long)]
    sensible: bool,
}

/// Where a game starts, and the actions to apply.
#[derive(Debug, Args)]
pub(super) struct Start {
    /// The game: triangulate, triforce, …
    kind: String,
    /// A file with the setup as JSON [default: the game's own default]
    #[arg(long, value_name = "FILE")]
    setup: Option<PathBuf>,
    /// A file with a complete position as JSON to start from, in the format that `plybook rules` prints
    #[arg(long, value_name = "FILE")]
    position: Option<PathBuf>,
    /// Actions separated by spaces; `SEAT:action` where several seats are to act
    #[arg(long, conflicts_with = "actions_file")]
    actions: Option<String>,
    /// A file with actions separated by whitespace
    #[arg(long, value_name = "FILE")]
    actions_file: Option<PathBuf>,
}

/// A position, and the last action with the position before it.
pub(super) struct Played {
    pub(super) position: Box<dyn AnyPosition>,
    pub(super) last: Option<LastAction>,
}

impl Rules {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let words = self.start.words()?;
        let mut position = self.start.position()?;
        check_viewer(self.viewer, position.as_ref())?;
        let secrets = kind(&self.start.kind).is_some_and(|rules| rules.about().secrets);
        let mut out = BufWriter::new(io::stdout().lock());
        let mut printed = line(0, None, None, position.as_ref(), self.viewer);
        for (index, word) in words.split_ascii_whitespace().enumerate() {
            if self.every_ply {
                print(&mut out, &printed)?;
            }
            let refused = |why: &dyn std::fmt::Display| Failure::refused(format!("ply {}: {word}: {why}", index + 1));
            let (actor, action) = split_word(position.as_ref(), word).map_err(|why| refused(&why))?;
            let action = position.judge(actor, action).map_err(|why| match why {
                // The reason why another seat may not do something could reveal a secret.
                ActionError::Illegal(_) if secrets && !self.viewer.knows(actor) => {
                    refused(&"the rules do not allow this action here")
                }
                _ => refused(&why),
            })?;
            let shown = position.shown(self.viewer, actor, &action);
            position.act(actor, &action).map_err(|why| refused(&why))?;
            printed = line(index + 1, Some((actor, &action)), shown, position.as_ref(), self.viewer);
        }
        print(&mut out, &printed)?;
        out.flush().map_err(Failure::output)
    }
}

/// Checks that a viewer with a seat has one of this game.
///
/// # Errors
/// The game has fewer seats.
pub(super) fn check_viewer(viewer: Viewer, position: &dyn AnyPosition) -> Result<(), Failure> {
    match viewer {
        Viewer::Seat(seat) if seat > position.seats() => {
            Err(Failure::trouble(format!("--viewer: the game has {} seats, and no seat {seat}", position.seats())))
        }
        _ => Ok(()),
    }
}

impl Perft {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let position = self.start.played()?.position;
        say!("{}", position.perft(self.depth));
        Ok(())
    }
}

impl Random {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let start = self.start.played()?.position;
        let mut out = BufWriter::new(io::stdout().lock());
        for game in 0..u64::from(self.games) {
            let mut dice = seeded(self.seed, game);
            let mut position = start.boxed();
            let mut words = Vec::new();
            while words.len() < self.actions_max {
                let to_act = position.to_act();
                let Some(actor) = to_act.iter().nth(pick(to_act.len(), &mut dice)) else { break };
                let draw = &mut |n| dice.below(n);
                let action = if self.sensible { position.choose(actor, draw) } else { position.sample(actor, draw) };
                position.act(actor, &action).map_err(Failure::refused)?;
                words.push(if to_act.len() > 1 { prefixed(actor, &action) } else { action });
            }
            print(&mut out, &words.join(" "))?;
        }
        out.flush().map_err(Failure::output)
    }
}

impl Start {
    pub(super) fn words(&self) -> Result<String, Failure> {
        match &self.actions_file {
            Some(path) => read(path),
            None => Ok(self.actions.clone().unwrap_or_default()),
        }
    }

    /// The initial position.
    pub(super) fn position(&self) -> Result<Box<dyn AnyPosition>, Failure> {
        let rules = kind(&self.kind).ok_or_else(|| no_such_kind(&self.kind))?;
        let json = |what: &str, path: &Path| -> Result<Value, Failure> {
            serde_json::from_str(&read(path)?)
                .map_err(|why| Failure::refused(format!("{what}: {}: not JSON: {why}", path.display())))
        };
        let setup = match &self.setup {
            Some(path) => json("setup", path)?,
            None => Value::Object(serde_json::Map::new()),
        };
        match &self.position {
            Some(path) => rules
                .set_up(&setup, &json("position", path)?)
                .map_err(|why| Failure::refused(format!("position: {why}"))),
            None => rules.start(&setup).map_err(|why| Failure::refused(format!("setup: {why}"))),
        }
    }

    /// The position after all actions.
    pub(super) fn played(&self) -> Result<Played, Failure> {
        let (mut position, words) = (self.position()?, self.words()?);
        let last = play(position.as_mut(), words.split_ascii_whitespace(), |_, _| {}).map_err(Failure::refused)?;
        Ok(Played { position, last })
    }
}

/// An error that lists the known kinds.
pub(super) fn no_such_kind(name: &str) -> Failure {
    let known: Vec<_> = kinds().iter().map(|rules| rules.about().kind).collect();
    Failure::trouble(format!("no game is called {name:?}; there are: {}", known.join(", ")))
}

/// The fair dice of one random game, from a public seed.
fn seeded(seed: u64, game: u64) -> Dice {
    let seed = Hash::of_parts(&[b"plybook random", &seed.to_be_bytes()]);
    Dice::new(&seed, LogId::from_bytes([0; 16]), game)
}

/// Picks one of several actors that may act at the same time.
fn pick(actors: usize, dice: &mut Dice) -> usize {
    if actors > 1 { dice.below(actors as u32) as usize } else { 0 }
}

fn prefixed(actor: Actor, action: &str) -> String {
    match actor {
        Actor::Seat(seat) => format!("{seat}:{action}"),
        Actor::Chance => format!("chance:{action}"),
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|why| Failure::trouble(format!("{}: {why}", path.display())))
}

fn print(out: &mut impl Write, line: &str) -> Result<(), Failure> {
    writeln!(out, "{line}").map_err(Failure::output)
}
