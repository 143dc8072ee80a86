//! The analysis of a game: who stood better at each ply, what should have been played, and what it cost.

use async_graphql::{Context, Enum, Object, SimpleObject};
use plybook_service::Analysis as Made;
use plybook_service::analysis::{self, Glyph, accuracy, turning_points};
use plybook_service::error::Problem;

use super::game::Game;
use super::scalar::HashHex;
use super::{hold, price, service};

/// The analysis of a game, as far as it is done.
pub struct Analysis(pub Made);

/// The state of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "plybook_service::AnalysisState")]
pub enum AnalysisState {
    /// It is waiting for a worker.
    Queued,
    /// It is under way.
    Running,
    /// It is complete.
    Done,
    /// It was stopped, because nobody waited for it. What is done is not kept.
    Cancelled,
}

/// What the engine says of each position of a game; see docs/analysis.md.
#[Object]
impl Analysis {
    /// The game or line.
    #[graphql(complexity = "child_complexity")]
    async fn game(&self, ctx: &Context<'_>) -> Result<Game, Problem> {
        Game::find(ctx, self.0.game).ok_or_else(|| Problem::no_game(self.0.game))
    }

    /// The version of the engine. Equal versions, playouts and games give equal analyses.
    async fn engine(&self) -> &str {
        &self.0.about.engine
    }

    /// The most playouts of each search. A position takes one search, or a few more to compare actions.
    async fn playouts(&self) -> u32 {
        self.0.about.playouts
    }

    /// The hash of the last event of the game that it was made for.
    async fn head(&self) -> HashHex {
        HashHex(self.0.about.head)
    }

    /// Whether something was recorded in the game since.
    async fn stale(&self, ctx: &Context<'_>) -> bool {
        let head = service(ctx).log().head(self.0.game);
        head.is_none_or(|head| head.hash() != self.0.about.head)
    }

    /// How many positions are done.
    async fn done(&self) -> usize {
        // A complete one may have been found without its positions.
        if self.is_done() { self.0.about.total } else { self.0.plies.len() }
    }

    /// The number of positions: one more than the game has plies.
    async fn total(&self) -> usize {
        self.0.about.total
    }

    /// Whether it is waiting, under way or complete.
    async fn state(&self) -> AnalysisState {
        self.0.state.into()
    }

    /// The positions that are done, in order; ply `p` is the position after `p` actions.
    #[graphql(complexity = "price::ANALYSED_PLIES * child_complexity.max(1)")]
    async fn plies(&self, ctx: &Context<'_>) -> Result<Vec<PlyAnalysis>, Problem> {
        let plies = &self.0.plies;
        // `chances` and `luck` have a number for each seat.
        let seats = plies.first().map_or(0, |ply| ply.chances().len());
        hold(ctx, plies.len() * (ctx.field().selection_set().count() + 2 * seats))?;
        Ok(plies.iter().map(|ply| PlyAnalysis::from(ply.as_ref())).collect())
    }

    /// How well each seat played, from 0 to 100; index 0 is seat 1. Null as long as the analysis is not complete, and for
    /// a seat that never had a choice.
    #[graphql(complexity = "price::SEATS")]
    async fn accuracy(&self) -> Vec<Option<f64>> {
        let found = accuracy(&self.0.plies);
        if self.is_done() { found } else { vec![None; found.len()] }
    }

    /// The plies of the mistakes and blunders that lost the most, the greatest loss first: at most five. Empty as long as
    /// the analysis is not complete.
    #[graphql(complexity = "price::SEATS")]
    async fn turning_points(&self) -> Vec<usize> {
        if self.is_done() { turning_points(&self.0.plies) } else { Vec::new() }
    }
}

impl Analysis {
    fn is_done(&self) -> bool {
        self.0.state == plybook_service::AnalysisState::Done
    }
}

/// What the engine says of a position, and of the action that was played there.
#[derive(SimpleObject)]
struct PlyAnalysis {
    /// The number of actions that led to the position.
    ply: usize,
    /// The chance of each seat to win, from 0 to 1; index 0 is seat 1. With `draw`, they add up to 1.
    chances: Vec<f64>,
    /// The chance of a draw, from 0 to 1.
    draw: f64,
    /// What the seat that acted should have done, or at the end the first seat that is to act; null where chance is to act,
    /// and once the game is over.
    best: Option<String>,
    /// The best action, then those that are likely to follow it.
    line: Vec<String>,
    /// What the action played here lost for the seat that acted, from 0 to 1; null for rolls, after the last action, and
    /// where there was only one.
    loss_of_played: Option<f64>,
    /// Where the next action is a roll: how it changed what each seat may expect, from -1 to 1; index 0 is seat 1.
    luck: Option<Vec<f64>>,
    /// The mark of the action played here: `!!` (hard to find), `?!`, `?` or `??`.
    glyph: Option<&'static str>,
}

impl From<&analysis::PlyAnalysis> for PlyAnalysis {
    fn from(found: &analysis::PlyAnalysis) -> Self {
        Self {
            ply: found.ply,
            chances: found.chances(),
            draw: found.draw(),
            best: found.best.clone(),
            line: found.line.clone(),
            loss_of_played: found.loss(),
            luck: found.luck(),
            glyph: found.glyph.map(Glyph::text),
        }
    }
}
