//! What the engine says of a position that belongs to no game.

use async_graphql::{Context, Object, SimpleObject};
use plybook_rules::AnyPosition;
use plybook_rules::engine::{Finding, VERSION};
use plybook_service::analysis::{self, Evaluation as Evaluated};
use plybook_service::error::Problem;

use super::desk;

/// How many actions are listed by default, and at most.
const ACTIONS: i32 = 5;
const ACTIONS_MAX: i32 = 200;

/// An evaluation.
pub struct Evaluation(Evaluated);

/// Has a position evaluated; it is stopped if the client hangs up.
///
/// # Errors
/// As for [`Desk::evaluate`](plybook_service::access::Desk::evaluate), or the client has another one evaluated meanwhile.
pub async fn evaluated(
    ctx: &Context<'_>,
    position: &dyn AnyPosition,
    seat: Option<u8>,
    playouts: Option<u32>,
) -> Result<Evaluation, Problem> {
    Ok(Evaluation(desk(ctx).evaluate(position, seat, playouts)?.finish().await?))
}

/// What the engine says of a position; see docs/analysis.md.
#[Object]
impl Evaluation {
    /// The chance of each seat to win, from 0 to 1; index 0 is seat 1. With `draw`, they add up to 1. Once the game is over,
    /// the result.
    async fn chances(&self) -> Vec<f64> {
        self.0.chances()
    }

    /// The chance of a draw, from 0 to 1.
    async fn draw(&self) -> f64 {
        self.0.draw()
    }

    /// The seat that `best` and `actions` are about; null where chance is to act, and once the game is over.
    async fn seat(&self) -> Option<u8> {
        self.0.seat
    }

    /// The best action; null where chance is to act, and once the game is over.
    async fn best(&self) -> Option<&String> {
        self.0.actions().first().map(|best| &best.action)
    }

    /// The best action, then those that are likely to follow it.
    async fn line(&self) -> Vec<&String> {
        self.0.actions().first().map(line).unwrap_or_default()
    }

    /// The actions of the seat, best first: 5 by default, at most 200.
    #[graphql(complexity = "first.unwrap_or(ACTIONS).clamp(0, ACTIONS_MAX) as usize * child_complexity.max(1)")]
    async fn actions(&self, first: Option<i32>) -> Result<Vec<EvaluatedAction<'_>>, Problem> {
        let first = usize::try_from(first.unwrap_or(ACTIONS)).ok().filter(|first| *first <= ACTIONS_MAX as usize);
        let first = first.ok_or_else(|| Problem::BadInput(format!("`first` is a number from 0 to {ACTIONS_MAX}")))?;
        Ok(self.0.actions().iter().take(first).map(EvaluatedAction).collect())
    }

    /// How many playouts there were: fewer than asked for if the result is proved, none once the game is over.
    async fn playouts(&self) -> u32 {
        self.0.playouts
    }

    /// The result that nobody can avoid; null as long as none is proved.
    async fn proof(&self) -> Option<Proof> {
        self.0.proof.map(|(winner, plies)| Proof { winner, plies })
    }

    /// The version of the engine. Equal versions, playouts and positions give equal answers.
    async fn engine(&self) -> &str {
        VERSION
    }
}

/// An action, and what is likely to follow it.
fn line(found: &Finding) -> Vec<&String> {
    std::iter::once(&found.action).chain(&found.line).collect()
}

struct EvaluatedAction<'a>(&'a Finding);

/// An action that the engine looked at.
#[Object]
impl EvaluatedAction<'_> {
    /// The action.
    async fn action(&self) -> &str {
        &self.0.action
    }

    /// The chance of each seat to win after it, from 0 to 1; index 0 is seat 1. With `draw`, they add up to 1.
    async fn chances(&self) -> Vec<f64> {
        analysis::by_seat(&self.0.chances())
    }

    /// The chance of a draw after it, from 0 to 1.
    async fn draw(&self) -> f64 {
        analysis::rounded(self.0.chances().draw())
    }

    /// How many playouts went through it.
    async fn playouts(&self) -> u32 {
        self.0.playouts
    }

    /// The action, then those that are likely to follow it.
    async fn line(&self) -> Vec<&String> {
        line(self.0)
    }
}

/// A result that nobody can avoid.
#[derive(SimpleObject)]
struct Proof {
    /// The only seat that wins; null in a draw, and if several win together.
    winner: Option<u8>,
    /// After how many actions, where the winner hurries and the others delay; 0 once the game is over.
    plies: u16,
}
