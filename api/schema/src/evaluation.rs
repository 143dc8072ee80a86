//! What the engine says of a position that belongs to no game.

use std::sync::LazyLock;

use async_graphql::Context;
use plybook_rules::AnyPosition;
use plybook_rules::engine::{Finding, VERSION};
use plybook_service::analysis::{self, Evaluation};
use plybook_service::error::Problem;

use super::desk;
use super::plain::{Members, Plain, Written};

/// How many actions are listed by default, and at most.
const ACTIONS: (usize, usize) = (5, 200);

/// A result that nobody can avoid.
pub struct Proof {
    winner: Option<u8>,
    plies: u16,
}

/// An evaluation, with what the schema makes of it.
pub struct Evaluated {
    found: Evaluation,
    proof: Option<Proof>,
}

/// Has a position evaluated; it is stopped if the client hangs up.
///
/// # Errors
/// As for [`Desk::evaluate`](plybook_service::access::Desk::evaluate), or the client has another one evaluated meanwhile.
pub async fn evaluated(
    ctx: &Context<'_>,
    position: &dyn AnyPosition,
    seat: Option<u8>,
    playouts: Option<u32>,
) -> Result<Written<Evaluated>, Problem> {
    let found = desk(ctx).evaluate(position, seat, playouts)?.finish().await?;
    let proof = found.proof.map(|(winner, plies)| Proof { winner, plies });
    Written::new(ctx, &Evaluated { found, proof })
}

impl Evaluated {
    fn best(&self) -> Option<&Finding> {
        self.found.actions().first()
    }
}

/// An action, and what is likely to follow it.
fn line(found: &Finding) -> Vec<&String> {
    std::iter::once(&found.action).chain(&found.line).collect()
}

impl Plain for Evaluated {
    const NAME: &'static str = "Evaluation";
    const ABOUT: &'static str = "What the engine says of a position; see docs/analysis.md.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Evaluated>> = LazyLock::new(|| {
            Members::<Evaluated>::new()
                .value::<Vec<f64>>(
                    "chances",
                    "The chance of each seat to win, from 0 to 1; index 0 is seat 1. With `draw`, they add up to 1. Once the \
                     game is over, the result.",
                    |of, out| out.put(&of.found.chances()),
                )
                .value::<f64>("draw", "The chance of a draw, from 0 to 1.", |of, out| out.put(&of.found.draw()))
                .value::<Option<u8>>(
                    "seat",
                    "The seat that `best` and `actions` are about; null where chance is to act, and once the game is over.",
                    |of, out| out.put(&of.found.seat),
                )
                .value::<Option<String>>(
                    "best",
                    "The best action; null where chance is to act, and once the game is over.",
                    |of, out| out.put(&of.best().map(|best| &best.action)),
                )
                .value::<Vec<String>>("line", "The best action, then those that are likely to follow it.", |of, out| {
                    out.put(&of.best().map(line).unwrap_or_default());
                })
                .first_objects("actions", "The actions of the seat, best first: 5 by default, at most 200.", ACTIONS, |of| {
                    of.found.actions()
                })
                .value::<u32>(
                    "playouts",
                    "How many playouts there were: fewer than asked for if the result is proved, none once the game is over.",
                    |of, out| out.put(&of.found.playouts),
                )
                .object("proof", "The result that nobody can avoid; null as long as none is proved.", |of: &Evaluated| {
                    of.proof.as_ref()
                })
                .value::<String>(
                    "engine",
                    "The version of the engine. Equal versions, playouts and positions give equal answers.",
                    |_, out| out.put(VERSION),
                )
        });
        &MEMBERS
    }
}

impl Plain for Finding {
    const NAME: &'static str = "EvaluatedAction";
    const ABOUT: &'static str = "An action that the engine looked at.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Finding>> = LazyLock::new(|| {
            Members::<Finding>::new()
                .value::<String>("action", "The action.", |found, out| out.put(&found.action))
                .value::<Vec<f64>>(
                    "chances",
                    "The chance of each seat to win after it, from 0 to 1; index 0 is seat 1. With `draw`, they add up to 1.",
                    |found, out| out.put(&analysis::by_seat(&found.chances())),
                )
                .value::<f64>("draw", "The chance of a draw after it, from 0 to 1.", |found, out| {
                    out.put(&analysis::rounded(found.chances().draw()));
                })
                .value::<u32>("playouts", "How many playouts went through it.", |found, out| out.put(&found.playouts))
                .value::<Vec<String>>("line", "The action, then those that are likely to follow it.", |found, out| {
                    out.put(&line(found));
                })
        });
        &MEMBERS
    }
}

impl Plain for Proof {
    const NAME: &'static str = "Proof";
    const ABOUT: &'static str = "A result that nobody can avoid.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Proof>> = LazyLock::new(|| {
            Members::<Proof>::new()
                .value::<Option<u8>>(
                    "winner",
                    "The only seat that wins; null in a draw, and if several win together.",
                    |proof, out| out.put(&proof.winner),
                )
                .value::<u16>(
                    "plies",
                    "After how many actions, where the winner hurries and the others delay; 0 once the game is over.",
                    |proof, out| out.put(&proof.plies),
                )
        });
        &MEMBERS
    }
}
