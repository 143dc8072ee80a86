//! The variation tree of a game.

use async_graphql::{ID, SimpleObject};
use plybook_service::{LineEntry, NodeEntry, TreePart};

use super::scalar::{DateTime, HashHex};

/// A part of the variation tree of a game or a line; see docs/lines.md.
#[derive(SimpleObject)]
pub struct Tree {
    /// The lines that begin in this part, parents first.
    lines: Vec<TreeLine>,
    /// The positions of this part, parents first.
    nodes: Vec<TreeNode>,
    /// The `after` of the next part; null at the end.
    next: Option<String>,
    /// The number of lines of the whole tree.
    total_lines: usize,
}

/// A line of a variation tree.
#[derive(SimpleObject)]
struct TreeLine {
    /// Its id.
    id: ID,
    /// Its name.
    name: Option<String>,
    /// The id of the game or line that it leaves.
    parent: Option<ID>,
    /// The ply at which it leaves its parent.
    ply: Option<u32>,
    /// Its place among the lines that leave its parent at the same ply, lowest first.
    rank: i64,
    /// Whether lists leave it out.
    hidden: bool,
    /// When it was created.
    created_at: DateTime,
    /// Its last ply.
    plies: u32,
    /// Whether the caller may arrange it.
    may_arrange: bool,
    /// The id of the node where it ends.
    last: String,
}

/// A position of a variation tree.
#[derive(SimpleObject)]
struct TreeNode {
    /// Its id, `log:ply`, with the log that reached it first.
    id: String,
    /// The id of the node before; null at the start.
    parent: Option<String>,
    /// The number of actions that led to it.
    ply: usize,
    /// The action that led to it, written as in records; null at the start and where a position is set up.
    action: Option<String>,
    /// Who acted: `seat:N` or `chance`.
    by: Option<String>,
    /// The key of the position.
    position_key: HashHex,
    /// The comment on the action: the first, of the lines up to the end of this part.
    comment: Option<String>,
    /// Marks such as `!` and `?`, of the same line.
    glyphs: Vec<String>,
    /// The id of an earlier node with the same position: a transposition.
    same: Option<String>,
    /// The ids of the other lines that pass through it, of those up to the end of this part; a line of a later part passes
    /// through every node from its `last` up.
    lines: Vec<ID>,
}

impl From<TreePart> for Tree {
    fn from(part: TreePart) -> Self {
        Self {
            lines: part.lines.into_iter().map(TreeLine::from).collect(),
            nodes: part.nodes.into_iter().map(TreeNode::from).collect(),
            next: part.next,
            total_lines: part.total_lines.unwrap_or_default(),
        }
    }
}

impl From<LineEntry> for TreeLine {
    fn from(line: LineEntry) -> Self {
        let (summary, standing) = (&line.summary, &line.summary.standing);
        Self {
            id: summary.id.into(),
            name: standing.name.clone(),
            parent: summary.fork.as_ref().map(|fork| fork.game.into()),
            ply: summary.fork.as_ref().map(|fork| fork.ply),
            rank: standing.rank,
            hidden: standing.is_hidden,
            created_at: DateTime(summary.created_at),
            plies: standing.ply,
            may_arrange: line.may_arrange,
            last: line.last,
        }
    }
}

impl From<NodeEntry> for TreeNode {
    fn from(node: NodeEntry) -> Self {
        let said = node.said.as_deref();
        Self {
            comment: said.and_then(|said| said.comment.clone()),
            glyphs: said.map(|said| said.glyphs.clone()).unwrap_or_default(),
            id: node.id,
            parent: node.parent,
            ply: node.ply,
            action: node.action.map(String::from),
            by: node.by.map(|by| by.to_string()),
            position_key: HashHex(node.key),
            same: node.same,
            lines: node.lines.into_iter().map(ID::from).collect(),
        }
    }
}
