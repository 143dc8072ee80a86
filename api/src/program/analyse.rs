//! `analyse`: what the engine says of a position.

use std::time::{Duration, Instant};

use clap::Args;
use plybook_events::Actor;
use plybook_rules::engine::{Chances, Findings, WHOLE};
use plybook_rules::log::play;
use plybook_rules::{AnyPosition, Viewer};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::Failure;
use super::rules::Start;
use crate::generator::numbers::Numbers;

/// The playouts that one tree gets at least, as far as there are so many; and the most trees.
const PLAYOUTS_OF_TREE: u32 = 2_000;
const TREES_MAX: u32 = 8;

/// The playouts between two looks at the clock.
const STEP: u32 = 100;

/// Print who stands better in a position, and the best actions.
///
/// One JSON object: the chances of each seat (from 0 to 1, with `draw` they add up to 1), all actions of the seat that
/// is to act, best first, the actions that are likely to follow, and who wins in how many plies if that is proved.
/// The same seed and the same number of playouts give the same answer on every machine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook analyse triangulate --actions 'b1-b2 d1-d2+f6'
  plybook analyse tri --actions-file game.txt --ply 40 --playouts 20000
  plybook analyse thrones --actions-file game.txt --viewer 1 --seconds 10")]
pub(crate) struct Analyse {
    #[command(flatten)]
    start: Start,
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
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Whose knowledge the analysis has: a seat's number, `public` or `all`
    #[arg(long, value_name = "SEAT|public|all", default_value = "all")]
    viewer: Viewer,
    /// The seat to analyse, where several are to act [default: the first]
    #[arg(long)]
    seat: Option<u8>,
}

/// How long to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// The most playouts.
    pub(super) playouts: u32,
    /// When to stop in any case.
    pub(super) until: Option<Instant>,
}

impl Analyse {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let position = self.position()?;
        let seats = position.to_act().iter().filter(|actor| *actor != Actor::Chance).collect::<Vec<_>>();
        if let Some(outcome) = position.outcome() {
            return Err(Failure::refused(format!(
                "the game is over: {}; name an earlier ply with --ply",
                outcome.reason
            )));
        }
        let actor = match self.seat.map(Actor::Seat) {
            Some(actor) if seats.contains(&actor) => actor,
            Some(actor) => return Err(Failure::refused(format!("{actor} is not to act; to act: {}", list(&seats)))),
            None => *seats.first().ok_or_else(|| Failure::refused("chance is to act: add the roll to the actions"))?,
        };
        let until = self.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
        let most = if until.is_some() { 10_000_000 } else { 2_000 };
        let budget = Budget { playouts: self.playouts.unwrap_or(most), until };
        let findings = search(position.as_ref(), self.viewer, actor, budget, self.seed)
            .ok_or_else(|| Failure::refused(format!("nothing was found for {actor}")))?;
        println!("{}", to_json(&findings));
        Ok(())
    }

    /// The position after the first actions.
    fn position(&self) -> Result<Box<dyn AnyPosition>, Failure> {
        let Some(ply) = self.ply else { return Ok(self.start.played()?.position) };
        let (mut position, words) = (self.start.position()?, self.start.words()?);
        let given = words.split_ascii_whitespace().count();
        if ply > given {
            return Err(Failure::refused(format!("there are {given} actions, and no ply {ply}")));
        }
        play(position.as_mut(), words.split_ascii_whitespace().take(ply), |_, _| {}).map_err(Failure::refused)?;
        Ok(position)
    }
}

/// Searches a position in as many trees as the playouts are worth, on all cores. `None` if nothing was found.
pub(super) fn search(
    position: &dyn AnyPosition,
    viewer: Viewer,
    actor: Actor,
    budget: Budget,
    seed: u64,
) -> Option<Findings> {
    let trees = (budget.playouts / PLAYOUTS_OF_TREE).clamp(1, TREES_MAX);
    let found: Vec<Option<Findings>> = (0..trees)
        .into_par_iter()
        .map(|tree| {
            let mut numbers = Numbers::new(seed, "search", tree.into());
            let mut engine = position.search(viewer);
            let mut left = budget.playouts / trees + u32::from(tree < budget.playouts % trees);
            while left > 0 {
                let step = left.min(STEP);
                engine.run(step, &mut |n| numbers.below(n));
                left -= step;
                if budget.until.is_some_and(|until| Instant::now() >= until) {
                    break;
                }
            }
            engine.findings(actor)
        })
        .collect();
    let mut all: Option<Findings> = None;
    for findings in found.into_iter().flatten() {
        match &mut all {
            Some(all) => all.join(findings),
            None => all = Some(findings),
        }
    }
    if let (Some(all), Actor::Seat(seat)) = (&mut all, actor) {
        all.sort(seat);
    }
    all
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
    let part = |part: u32| Value::from((share(part) * 1e4).round() / 1e4);
    let seats = (1..=chances.seats()).map(|seat| (seat.to_string(), part(chances.seat(seat))));
    Value::Object(seats.chain([("draw".to_owned(), part(chances.draw()))]).collect::<Map<_, _>>())
}

/// A part of [`WHOLE`], from 0 to 1.
pub(super) fn share(part: u32) -> f64 {
    f64::from(part) / f64::from(WHOLE)
}

fn list(actors: &[Actor]) -> String {
    actors.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
