//! A search in several trees: what one says depends on the playouts, and not on the number of cores.

use plybook_events::Actor;
use plybook_rules::engine::{Chances, Engine, Findings, WHOLE};
use plybook_rules::{AnyPosition, Viewer};
use rayon::prelude::*;

use plybook_generator::numbers::Numbers;

/// The playouts that one tree gets at least, as far as there are so many; and the most trees.
const PLAYOUTS_OF_TREE: u32 = 2_000;
const TREES_MAX: u32 = 8;

/// The playouts after which a tree asks whether to stop.
const STEP: u32 = 100;

/// The seed of everything random, unless a caller names another: so there is one answer.
pub const SEED: u64 = 1;

/// How long to search.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    /// The most playouts.
    pub playouts: u32,
    /// Whether to stop in any case. It is asked often, and each tree has some playouts before.
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

impl Budget<'_> {
    /// So many playouts, however long they take.
    pub fn of(playouts: u32) -> Self {
        Self { playouts, is_over: &|| false }
    }

    /// How many trees the playouts are worth.
    fn trees(self) -> u32 {
        (self.playouts / PLAYOUTS_OF_TREE).clamp(1, TREES_MAX)
    }

    /// Searches a position in one of the trees.
    fn search(self, position: &dyn AnyPosition, viewer: Viewer, seed: u64, tree: u32) -> Box<dyn Engine> {
        let mut numbers = Numbers::new(seed, "search", tree.into());
        let mut engine = position.search(viewer);
        let mut left = self.playouts / self.trees() + u32::from(tree < self.playouts % self.trees());
        while left > 0 {
            let step = left.min(STEP);
            engine.run(step, &mut |n| numbers.below(n));
            left -= step;
            if (self.is_over)() {
                break;
            }
        }
        engine
    }
}

/// Searches a position for an actor, on all cores. `None` if nothing was found.
pub fn search(
    position: &dyn AnyPosition,
    viewer: Viewer,
    actor: Actor,
    budget: Budget<'_>,
    seed: u64,
) -> Option<Findings> {
    let trees = (0..budget.trees()).into_par_iter();
    joined(trees.map(|tree| budget.search(position, viewer, seed, tree).findings(actor)).collect(), actor)
}

/// Searches an open position on this thread: the chances, and what was found for an actor. The same as [`search`] finds.
pub(super) fn search_here(
    position: &dyn AnyPosition,
    actor: Option<Actor>,
    budget: Budget<'_>,
    seed: u64,
) -> (Chances, Option<Findings>) {
    let mut chances = Vec::new();
    let mut found = Vec::new();
    for tree in 0..budget.trees() {
        let engine = budget.search(position, Viewer::All, seed, tree);
        chances.extend(engine.chances());
        found.push(actor.and_then(|actor| engine.findings(actor)));
        if (budget.is_over)() {
            break;
        }
    }
    let chances = Chances::mean(&chances).expect("each tree has a playout");
    (chances, actor.and_then(|actor| joined(found, actor)))
}

/// What several trees found.
fn joined(found: Vec<Option<Findings>>, actor: Actor) -> Option<Findings> {
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

/// A part of [`WHOLE`], from 0 to 1.
pub fn share(part: u32) -> f64 {
    f64::from(part) / f64::from(WHOLE)
}

/// A part of [`WHOLE`], from -1 to 1, with four digits.
pub fn rounded(part: impl Into<i64>) -> f64 {
    // Zero has no sign here.
    (part.into() as f64 / f64::from(WHOLE) * 1e4).round() / 1e4 + 0.0
}
