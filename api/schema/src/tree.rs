//! The variation tree of a game.

use std::sync::LazyLock;

use async_graphql::ID;
use plybook_service::{LineEntry, NodeEntry, TreePart};

use super::plain::{Members, Plain};
use super::scalar::{DateTime, HashHex};

impl Plain for TreePart {
    const NAME: &'static str = "Tree";
    const ABOUT: &'static str = "A part of the variation tree of a game or a line; see docs/lines.md.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<TreePart>> = LazyLock::new(|| {
            Members::<TreePart>::new()
                .objects("lines", "The lines that begin in this part, parents first.", |part| &part.lines)
                .objects("nodes", "The positions of this part, parents first.", |part| &part.nodes)
                .value::<Option<String>>("next", "The `after` of the next part; null at the end.", |part, out| {
                    out.put(&part.next);
                })
                .value::<usize>("totalLines", "The number of lines of the whole tree.", |part, out| {
                    out.put(&part.total_lines);
                })
        });
        &MEMBERS
    }
}

impl Plain for LineEntry {
    const NAME: &'static str = "TreeLine";
    const ABOUT: &'static str = "A line of a variation tree.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<LineEntry>> = LazyLock::new(|| {
            Members::<LineEntry>::new()
                .value::<ID>("id", "Its id.", |line, out| out.put(&line.summary.id))
                .value::<Option<String>>("name", "Its name.", |line, out| out.put(&line.summary.standing.name))
                .value::<Option<ID>>("parent", "The id of the game or line that it leaves.", |line, out| {
                    out.put(&line.summary.fork.as_ref().map(|fork| fork.game));
                })
                .value::<Option<u32>>("ply", "The ply at which it leaves its parent.", |line, out| {
                    out.put(&line.summary.fork.as_ref().map(|fork| fork.ply));
                })
                .value::<i64>(
                    "rank",
                    "Its place among the lines that leave its parent at the same ply, lowest first.",
                    |line, out| out.put(&line.summary.standing.rank),
                )
                .value::<bool>("hidden", "Whether lists leave it out.", |line, out| {
                    out.put(&line.summary.standing.is_hidden);
                })
                .value::<DateTime>("createdAt", "When it was created.", |line, out| {
                    out.put(&line.summary.created_at);
                })
                .value::<u32>("plies", "Its last ply.", |line, out| out.put(&line.summary.standing.ply))
                .value::<bool>("mayArrange", "Whether the caller may arrange it.", |line, out| {
                    out.put(&line.may_arrange);
                })
                .value::<String>("last", "The id of the node where it ends.", |line, out| out.put(&line.last))
        });
        &MEMBERS
    }
}

impl Plain for NodeEntry {
    const NAME: &'static str = "TreeNode";
    const ABOUT: &'static str = "A position of a variation tree.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<NodeEntry>> = LazyLock::new(|| {
            Members::<NodeEntry>::new()
                .value::<String>("id", "Its id, `log:ply`, with the log that reached it first.", |node, out| {
                    out.put(&node.id);
                })
                .value::<Option<String>>("parent", "The id of the node before; null at the start.", |node, out| {
                    out.put(&node.parent);
                })
                .value::<usize>("ply", "The number of actions that led to it.", |node, out| out.put(&node.ply))
                .value::<Option<String>>(
                    "action",
                    "The action that led to it, written as in records; null at the start and where a position is set \
                     up.",
                    |node, out| out.put(&node.action),
                )
                .value::<Option<String>>("by", "Who acted: `seat:N` or `chance`.", |node, out| {
                    out.put(&node.by.map(|by| by.to_string()));
                })
                .value::<HashHex>("positionKey", "The key of the position.", |node, out| {
                    out.put(&node.key.to_string());
                })
                .value::<Option<String>>(
                    "comment",
                    "The comment on the action: the first, of the lines up to the end of this part.",
                    |node, out| out.put(&node.said.as_ref().and_then(|said| said.comment.as_deref())),
                )
                .value::<Vec<String>>("glyphs", "Marks such as `!` and `?`, of the same line.", |node, out| {
                    out.put(node.said.as_ref().map_or(&[][..], |said| &said.glyphs));
                })
                .value::<Option<String>>(
                    "same",
                    "The id of an earlier node with the same position: a transposition.",
                    |node, out| out.put(&node.same),
                )
                .value::<Vec<ID>>(
                    "lines",
                    "The ids of the other lines that pass through it, of those up to the end of this part; a line of a \
                     later part passes through every node from its `last` up.",
                    |node, out| out.put(&node.lines),
                )
        });
        &MEMBERS
    }
}
