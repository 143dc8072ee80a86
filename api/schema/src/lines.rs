//! Lines of analysis: where they fork, lists of them, and the variation tree.

use std::sync::Arc;

use async_graphql::{Context, Enum, Object};
use plybook_events::LogId;
use plybook_events::body::Fork as ForkBody;
use plybook_rules::log::Replay;
use plybook_service::error::Problem;
use plybook_service::{NODES_DEFAULT, NODES_MAX, TreePage};

use super::connection::Page;
use super::game::Game;
use super::games::{GamePage, list_lines};
use super::scalar::HashHex;
use super::tree::Tree;
use super::{desk, hold, measured};

/// Who finds a line. One that only its author sees is not recorded: clients keep it.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum Visibility {
    /// Everybody: it is in the lists and in the tree of its game.
    Public,
    /// Who is given its id.
    Unlisted,
}

/// Where a line leaves its parent.
pub struct Fork(pub ForkBody);

/// Where a line leaves its parent.
#[Object]
impl Fork {
    /// The parent: a recorded game or another line.
    async fn game(&self, ctx: &Context<'_>) -> Result<Game, Problem> {
        Game::find(ctx, self.0.game).ok_or_else(|| Problem::no_game(self.0.game))
    }

    /// The ply at which it leaves the parent.
    async fn ply(&self) -> u32 {
        self.0.ply
    }

    /// The seq of the parent's event that led to that ply.
    async fn seq(&self) -> u64 {
        self.0.seq
    }

    /// The hash of that event, which is also the `prev` of the line's first event.
    async fn hash(&self) -> HashHex {
        HashHex(self.0.hash)
    }
}

/// A page of the lines that fork directly from a log.
pub(super) async fn branches(
    ctx: &Context<'_>,
    parent: LogId,
    page: &Page,
    include_hidden: Option<bool>,
) -> Result<GamePage, Problem> {
    let audience = desk(ctx).audience(include_hidden.unwrap_or_default())?;
    measured(ctx, |meter| list_lines(ctx, parent, audience, page, meter)).await
}

/// A part of the variation tree of a game, as the caller sees it.
pub(super) async fn tree(
    ctx: &Context<'_>,
    replay: Arc<Replay>,
    max_nodes: Option<i32>,
    after: Option<String>,
    include_hidden: Option<bool>,
) -> Result<Tree, Problem> {
    let nodes = max_nodes.map_or(Some(NODES_DEFAULT), |nodes| usize::try_from(nodes).ok());
    let nodes = nodes
        .filter(|nodes| (1..=NODES_MAX).contains(nodes))
        .ok_or_else(|| Problem::BadInput(format!("`maxNodes` is a number from 1 to {NODES_MAX}")))?;
    let counts_lines = ctx.look_ahead().field("totalLines").exists();
    let names_lines = ctx.look_ahead().field("nodes").field("lines").exists();
    let page = TreePage { nodes, after, counts_lines, names_lines };
    let (desk, wants_hidden) = (desk(ctx), include_hidden.unwrap_or_default());
    let part = measured(ctx, |meter| desk.tree(&replay, wants_hidden, &page, meter)).await?;
    let members =
        |list| ctx.look_ahead().field(list).selection_fields().iter().map(|of| of.selection_set().count()).sum();
    let [of_line, of_node]: [usize; 2] = ["lines", "nodes"].map(members);
    hold(ctx, part.lines.len() * of_line + part.nodes.len() * of_node)?;
    Ok(part.into())
}
