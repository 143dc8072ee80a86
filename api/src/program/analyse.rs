//! `analyse`: what the engine says of a position, or of a whole game.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use plybook_events::{Body, Event, Hash};
use plybook_rules::engine::{Chances, Findings, VERSION};
use plybook_rules::log::{Replay, Secrets, play, verify};
use plybook_rules::{AnyPosition, Viewer};
use plybook_service::analysis::{
    Budget, Examiner, Found, PLAYOUTS_DEFAULT, PLAYOUTS_MAX, PlyAnalysis, SEED, rounded, search, to_move, to_record,
};
use plybook_store::EventBytes;
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::rules::{Start, check_viewer};
use super::{Failure, archive, data};

/// Print who stands better in a position, and the best actions; or the same for each position of a recorded game.
///
/// One JSON object: the chances of each seat (from 0 to 1, with `draw` they add up to 1), all actions of the seat that
/// is to act, best first, the actions that are likely to follow, and who wins in how many plies if that is proved.
/// The same seed and the same number of playouts give the same answer on every machine.
///
/// Of a game, one JSON object like `Analysis` of the API: for each ply the chances, the best action, what the played one
/// lost and its mark, and for each roll the luck; then the accuracy of each seat, and the turning points.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook analyse triangulate --actions 'b1-b2 d1-d2+f6'
  plybook analyse tri --actions-file game.txt --ply 40 --playouts 20000
  plybook analyse thrones --actions-file game.txt --viewer 1 --seconds 10
  plybook analyse --game game.json")]
pub(crate) struct Analyse {
    #[command(flatten)]
    start: Option<Start>,
    /// Analyse a whole game: a .json record or the .ndjson log of one, with at most 20000 playouts for each search
    #[arg(long, value_name = "FILE", conflicts_with_all = ["Start", "ply", "seconds", "seed", "viewer", "seat"])]
    game: Option<PathBuf>,
    /// Analyse the position after this many of the actions [default: all]
    #[arg(long)]
    ply: Option<usize>,
    /// The number of playouts [default: 2000, or as many as fit into --seconds]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    playouts: Option<u32>,
    /// Stop after this many seconds, even if fewer playouts were made
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    seconds: Option<u64>,
    /// The seed of everything random
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Whose knowledge the analysis has: a seat's number, `public` or `all`
    #[arg(long, value_name = "SEAT|public|all", default_value = "all")]
    viewer: Viewer,
    /// The seat to analyse, where several are to act [default: the first]
    #[arg(long)]
    seat: Option<u8>,
}

impl Analyse {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Some(start) = &self.start else {
            return self.game.iter().try_for_each(|file| analyse_game(file, self.playouts));
        };
        let position = self.position(start)?;
        check_viewer(self.viewer, position.as_ref())?;
        if let Some(outcome) = position.outcome() {
            return Err(Failure::refused(format!(
                "the game is over: {}; name an earlier ply with --ply",
                outcome.reason
            )));
        }
        let actor = to_move(position.as_ref(), self.seat).map_err(Failure::refused)?;
        let actor = actor.ok_or_else(|| Failure::refused("chance is to act: add the roll to the actions"))?;
        let until = self.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let most = if until.is_some() { 10_000_000 } else { 2_000 };
        let is_over = || until.is_some_and(|until| Instant::now() >= until);
        let budget = Budget { playouts: self.playouts.unwrap_or(most), is_over: &is_over };
        let findings = search(position.as_ref(), self.viewer, actor, budget, self.seed)
            .ok_or_else(|| Failure::refused(format!("nothing was found for {actor}")))?;
        say!("{}", to_json(&findings));
        Ok(())
    }

    /// The position after the first actions.
    fn position(&self, start: &Start) -> Result<Box<dyn AnyPosition>, Failure> {
        let Some(ply) = self.ply else { return Ok(start.played()?.position) };
        let (mut position, words) = (start.position()?, start.words()?);
        let given = words.split_ascii_whitespace().count();
        if ply > given {
            return Err(Failure::refused(format!("there are {given} actions, and no ply {ply}")));
        }
        play(position.as_mut(), words.split_ascii_whitespace().take(ply), |_, _| {}).map_err(Failure::refused)?;
        Ok(position)
    }
}

/// Prints the analysis of the game in a file.
fn analyse_game(file: &Path, playouts: Option<u32>) -> Result<(), Failure> {
    let playouts = playouts.unwrap_or(PLAYOUTS_DEFAULT);
    if playouts > PLAYOUTS_MAX {
        return Err(Failure::trouble(format!("--playouts: at most {PLAYOUTS_MAX} for each position of a game")));
    }
    let (replay, head) = read_game(file)?;
    let examiner = Examiner::new(Arc::new(replay), playouts);
    let bar = data::bar("positions", 2 * examiner.total() as u64);
    let plies = 0..examiner.total();
    let found: Vec<Found> =
        plies.clone().into_par_iter().map(|ply| examiner.search(ply)).inspect(|_| bar.inc(1)).collect();
    let judged = plies.into_par_iter().map(|ply| examiner.judge(ply, &found[ply], found.get(ply + 1)));
    let judged: Vec<PlyAnalysis> = judged.inspect(|_| bar.inc(1)).collect();
    bar.finish_and_clear();
    say!("{}", to_record(examiner.replay().log(), (VERSION, examiner.playouts(), head), &judged));
    Ok(())
}

/// The only game in a file of logs or records, verified, and the hash of its last event.
fn read_game(file: &Path) -> Result<(Replay, Hash), Failure> {
    let refused = |why: &dyn std::fmt::Display| Failure::refused(format!("{}: {why}", file.display()));
    let logs = archive::logs_of(&archive::read(file)?).map_err(|why| refused(&why))?;
    let is_game = |lines: &[EventBytes]| match lines.first().and_then(|line| Event::parse(line).ok()) {
        Some(Event { body: Body::Created(created), .. }) => created.fork.is_none(),
        _ => false,
    };
    let games: Vec<_> = logs.iter().filter(|(_, lines)| is_game(lines)).collect();
    let [(id, lines)] = games.as_slice() else {
        return Err(refused(&format!("there are {} games in it: one is analysed at a time", games.len())));
    };
    let (found, replay) = verify(**id, lines, &Secrets::new());
    if let Some(fault) = found.fault {
        return Err(refused(&fault.problem));
    }
    let open = replay.filter(Replay::is_open);
    let replay = open.ok_or_else(|| refused(&"the game has secrets: it can be analysed once it is over"))?;
    Ok((replay, found.head))
}

/// Findings as JSON.
fn to_json(findings: &Findings) -> Value {
    let actions = findings
        .actions
        .iter()
        .map(|found| json!({ "action": found.action, "chances": parts(&found.chances()), "playouts": found.playouts }));
    let best = findings.best();
    json!({
        "actions": actions.collect::<Vec<_>>(),
        "best": std::iter::once(&best.action).chain(&best.line).collect::<Vec<_>>(),
        "chances": parts(&findings.chances()),
        "playouts": findings.playouts,
        "proof": findings.proof.map(|proof| json!({ "winner": proof.winner(), "plies": proof.plies })),
    })
}

/// Chances from 0 to 1, by seat, and of a draw, with four digits.
fn parts(chances: &Chances) -> Value {
    let seats = (1..=chances.seats()).map(|seat| (seat.to_string(), rounded(chances.seat(seat)).into()));
    Value::Object(seats.chain([("draw".to_owned(), rounded(chances.draw()).into())]).collect::<Map<_, _>>())
}
