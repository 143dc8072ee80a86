//! The variation tree of a game: its mainline, the lines below it, and where they meet again.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::{Actor, Hash, LogId};
use plybook_models::{Audience, Summary};
use plybook_rules::Viewer;
use plybook_rules::log::Replay;

use super::Service;
use super::branch::Branch;
use crate::error::Problem;

/// The most nodes in one answer.
pub const NODES_MAX: usize = 5_000;

/// The number of nodes in one answer unless the caller asks for another.
pub const NODES_DEFAULT: usize = 2_000;

/// Which part of a tree to return, and for whom.
pub struct TreePage<'a> {
    /// The maximum number of nodes, 1 to [`NODES_MAX`].
    pub nodes: usize,
    /// The id of the last node of the preceding page.
    pub after: Option<String>,
    /// Which hidden lines are included. A line that is left out takes the lines below it with it.
    pub audience: Audience,
    /// Whether the caller may arrange the lines of this owner.
    pub may_arrange: &'a dyn Fn(Option<LogId>) -> bool,
}

/// A part of a tree.
pub struct TreePart {
    /// The log whose tree it is.
    pub game: LogId,
    /// The lines that begin in this part, parents first.
    pub lines: Vec<LineEntry>,
    /// The positions of this part, parents first.
    pub nodes: Vec<NodeEntry>,
    /// The `after` of the next part; `None` at the end.
    pub next: Option<String>,
    /// The number of lines of the whole tree.
    pub total_lines: usize,
    /// The number of nodes of the whole tree.
    pub total_nodes: usize,
}

/// A line of a tree.
pub struct LineEntry {
    /// The line.
    pub summary: Arc<Summary>,
    /// Whether the caller may arrange it.
    pub may_arrange: bool,
    /// The id of the node where it ends.
    pub last: String,
}

/// A position of a tree. Ids are written `log:ply`, with the log that reached it first.
pub struct NodeEntry {
    /// Its id.
    pub id: String,
    /// The id of the position before; `None` at the start.
    pub parent: Option<String>,
    /// The number of actions that led to it.
    pub ply: usize,
    /// The action that led to it, as in records; `None` at the start and where a position is set up.
    pub action: Option<Box<str>>,
    /// Who acted.
    pub by: Option<Actor>,
    /// The key of the position.
    pub key: Hash,
    /// The comment on it.
    pub comment: Option<String>,
    /// Marks such as `!`.
    pub glyphs: Vec<String>,
    /// The id of an earlier node with the same key.
    pub same: Option<String>,
    /// The other lines that pass through it.
    pub lines: Vec<LogId>,
}

/// The tree as one viewer sees it.
#[derive(Default)]
struct Tree {
    /// Parents before children.
    nodes: Vec<TreeNode>,
    lines: Vec<Line>,
    /// The child of a node that an action leads to.
    children: HashMap<(usize, Actor, Box<str>), usize>,
    /// The first node of each position.
    first: HashMap<Hash, usize>,
}

/// A position that one or more lines pass through.
struct TreeNode {
    /// The first line to reach it, and the ply.
    id: (LogId, usize),
    parent: Option<usize>,
    done: Option<(Actor, Box<str>)>,
    key: Hash,
    said: Option<Annotated>,
    same: Option<usize>,
    /// The other lines that pass through it.
    shared: Vec<LogId>,
}

/// A line of the tree.
struct Line {
    summary: Arc<Summary>,
    /// The number of nodes in the tree when this line was added.
    begins: usize,
    /// The node at the end of the line.
    last: usize,
}

/// A log in the tree whose own lines are still to be added.
struct Open {
    summary: Arc<Summary>,
    branch: Arc<Branch>,
    /// The nodes of its plies, starting at `branch.from`.
    path: Vec<usize>,
}

impl Service {
    /// Returns the variation tree of a game or a line: its own plies, then the lines below it, ordered by
    /// ply, rank and time of creation. The lines below a line come before its next sibling.
    ///
    /// # Errors
    /// A log cannot be read, or `after` is not (or no longer) a node of this tree.
    pub fn tree(&self, game: &Replay, viewer: Viewer, page: &TreePage<'_>) -> Result<TreePart, Problem> {
        let summary = self.models().known().games.get(game.log());
        let summary = summary.ok_or_else(|| Problem::no_game(game.log()))?;
        let tree = self.grow(game, summary, viewer, page.audience)?;
        let from = match &page.after {
            None => 0,
            Some(after) => tree.after(after)?,
        };
        let to = tree.nodes.len().min(from + page.nodes);
        let is_last = to == tree.nodes.len();
        let lines = tree.lines.iter().filter(|line| (from..to).contains(&line.begins) || is_last && line.begins == to);
        let entry = |line: &Line| LineEntry {
            summary: Arc::clone(&line.summary),
            may_arrange: (page.may_arrange)(line.summary.owner),
            last: tree.id(line.last),
        };
        Ok(TreePart {
            game: game.log(),
            lines: lines.map(entry).collect(),
            nodes: (from..to).map(|index| tree.node(index)).collect(),
            next: (!is_last).then(|| tree.id(to - 1)),
            total_lines: tree.lines.len(),
            total_nodes: tree.nodes.len(),
        })
    }

    /// Builds the tree of a game and all lines below it.
    fn grow(&self, game: &Replay, summary: Arc<Summary>, viewer: Viewer, audience: Audience) -> Result<Tree, Problem> {
        let mut tree = Tree::default();
        let branch = self.branch_of(game, 0, viewer);
        let start = TreeNode::new((game.owner(0), 0), None, None, branch.start);
        let start = tree.add(start);
        let path = tree.follow(start, &branch, |ply| game.owner(ply));
        for (ply, said) in self.said(game)? {
            if let Some(node) = path.get(ply) {
                tree.nodes[*node].said = Some(said);
            }
        }
        let below = self.forks_of(summary.id, audience);
        let first = Open { summary, branch, path };
        // A stack of lines still to be added, each with the log it forks from.
        let parent = Arc::new(first);
        let mut open: Vec<(Arc<Open>, Arc<Summary>)> =
            below.into_iter().rev().map(|line| (Arc::clone(&parent), line)).collect();
        while let Some((parent, line)) = open.pop() {
            let grown = Arc::new(self.grow_line(&mut tree, &parent, line)?);
            let below = self.forks_of(grown.summary.id, audience);
            open.extend(below.into_iter().rev().map(|line| (Arc::clone(&grown), line)));
        }
        Ok(tree)
    }

    /// Adds one line to the tree.
    fn grow_line(&self, tree: &mut Tree, parent: &Open, line: Arc<Summary>) -> Result<Open, Problem> {
        let fork = line.fork.as_ref().ok_or_else(|| Problem::internal("what forks is a line"))?;
        let own_from = parent.summary.fork.as_ref().map_or(0, |fork| fork.ply as usize);
        let from = parent.branch.common((fork.ply as usize, fork.seq), own_from, || self.glance(line.id))?;
        // A line shows everything, even where its game does not.
        let branch = self.branch(&line, from)?;
        let (id, begins) = (line.id, tree.nodes.len());
        let mut start = parent.path[from - parent.branch.from];
        if line.sets_up && from == fork.ply as usize {
            start = tree.add(TreeNode::new((id, from), Some(start), None, branch.start));
        }
        let path = tree.follow(start, &branch, |_| id);
        for (ply, said) in &branch.said {
            if let Some(node) = ply.checked_sub(from).and_then(|index| path.get(index)) {
                tree.nodes[*node].said.get_or_insert_with(|| said.clone());
            }
        }
        let last = path[path.len() - 1];
        tree.lines.push(Line { summary: Arc::clone(&line), begins, last });
        Ok(Open { summary: line, branch, path })
    }

    /// The lines that fork directly from a log and that the audience may see.
    fn forks_of(&self, parent: LogId, audience: Audience) -> Vec<Arc<Summary>> {
        let known = self.models().known();
        known.games.lines(parent).filter(|line| audience.sees(line)).collect()
    }
}

impl Tree {
    /// Appends a node.
    fn add(&mut self, mut node: TreeNode) -> usize {
        let index = self.nodes.len();
        match self.first.entry(node.key) {
            Entry::Occupied(first) => node.same = Some(*first.get()),
            Entry::Vacant(place) => {
                place.insert(index);
            }
        }
        if let (Some(parent), Some((actor, word))) = (node.parent, &node.done) {
            self.children.insert((parent, *actor, word.clone()), index);
        }
        self.nodes.push(node);
        index
    }

    /// Follows a log from a node, reusing existing nodes and adding missing ones. Returns the nodes of its
    /// plies, starting with `from`.
    fn follow(&mut self, from: usize, branch: &Branch, owner: impl Fn(usize) -> LogId) -> Vec<usize> {
        let mut path = vec![from];
        let mut at = from;
        for (index, played) in branch.plies.iter().enumerate() {
            let ply = branch.from + index + 1;
            let id = owner(ply);
            let step = (at, played.actor, played.word.clone());
            at = if let Some(known) = self.children.get(&step) {
                self.nodes[*known].shared.push(id);
                *known
            } else {
                self.add(TreeNode::new((id, ply), Some(at), Some((played.actor, played.word.clone())), played.key))
            };
            path.push(at);
        }
        path
    }

    /// The index after a node.
    fn after(&self, id: &str) -> Result<usize, Problem> {
        let unknown =
            || Problem::BadInput("`after` is the `next` of this tree, which has changed since: begin again".to_owned());
        let (log, ply) = id.split_once(':').ok_or_else(unknown)?;
        let log: LogId = log.parse().map_err(|_| unknown())?;
        let id = (log, ply.parse().map_err(|_| unknown())?);
        self.nodes.iter().position(|node| node.id == id).map(|index| index + 1).ok_or_else(unknown)
    }

    fn id(&self, index: usize) -> String {
        let (log, ply) = self.nodes[index].id;
        format!("{log}:{ply}")
    }

    fn node(&self, index: usize) -> NodeEntry {
        let node = &self.nodes[index];
        let said = node.said.as_ref();
        NodeEntry {
            id: self.id(index),
            parent: node.parent.map(|parent| self.id(parent)),
            ply: node.id.1,
            action: node.done.as_ref().map(|(_, word)| word.clone()),
            by: node.done.as_ref().map(|(actor, _)| *actor),
            key: node.key,
            comment: said.and_then(|said| said.comment.clone()),
            glyphs: said.map(|said| said.glyphs.clone()).unwrap_or_default(),
            same: node.same.map(|same| self.id(same)),
            lines: node.shared.clone(),
        }
    }
}

impl TreeNode {
    fn new(id: (LogId, usize), parent: Option<usize>, done: Option<(Actor, Box<str>)>, key: Hash) -> Self {
        Self { id, parent, done, key, said: None, same: None, shared: Vec::new() }
    }
}
