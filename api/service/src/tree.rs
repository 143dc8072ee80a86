//! The variation tree of a game: its mainline, the lines below it, and where they meet again.
//!
//! A part of it is made from the lines up to its end: those that come later are not even read.

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
use crate::load::Meter;

/// The most nodes in one answer, and the most lines.
pub const NODES_MAX: usize = 5_000;

/// The number of nodes in one answer unless the caller asks for another.
pub const NODES_DEFAULT: usize = 2_000;

/// Who reads a tree.
pub struct TreeReader<'a> {
    /// Who the game is shown to.
    pub viewer: Viewer,
    /// Which hidden lines are included. A line that is left out takes the lines below it with it.
    pub audience: Audience,
    /// Whether the caller may arrange the lines of this owner.
    pub may_arrange: &'a dyn Fn(Option<LogId>) -> bool,
}

/// Which part of a tree to return, and what of it.
pub struct TreePage {
    /// The maximum number of nodes, and of lines: 1 to [`NODES_MAX`].
    pub nodes: usize,
    /// The id of the last node of the preceding part, or of the last line if that has no nodes there.
    pub after: Option<String>,
    /// Whether to count the lines of the whole tree.
    pub counts_lines: bool,
    /// Whether nodes name the other lines that pass through them.
    pub names_lines: bool,
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
    /// The number of lines of the whole tree, if they were to be counted.
    pub total_lines: Option<usize>,
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
    /// The first annotation of it, of the lines up to the end of the part.
    pub said: Option<Arc<Annotated>>,
    /// The id of an earlier node with the same key.
    pub same: Option<String>,
    /// The other lines up to the end of the part that pass through it, if they were to be named.
    pub lines: Vec<LogId>,
}

/// The tree as one viewer sees it, as far as it has grown.
struct Tree<'a> {
    service: &'a Service,
    audience: Audience,
    meter: &'a Meter<'a>,
    /// Parents before children.
    nodes: Vec<TreeNode>,
    lines: Vec<Line>,
    /// The lines still to be added, the next one last, each with the log it forks from.
    open: Vec<(Arc<Open>, LogId)>,
    /// The child of a node that an action leads to.
    children: HashMap<(usize, Actor, Box<str>), usize>,
    /// The first node of each position.
    first: HashMap<Hash, usize>,
    /// The first node that is to name the other lines that pass through it; `None` if none is.
    names_from: Option<usize>,
}

/// A position that one or more lines pass through.
struct TreeNode {
    /// The first line to reach it, and the ply.
    id: (LogId, usize),
    parent: Option<usize>,
    done: Option<(Actor, Box<str>)>,
    key: Hash,
    said: Option<Arc<Annotated>>,
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

/// A place in the order in which a tree is told: each line comes before its own nodes.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The number of nodes before it.
    nodes: usize,
    /// The number of lines before it.
    lines: usize,
}

/// What comes at a place.
enum Item {
    Line,
    Node,
}

impl Service {
    /// Returns a part of the variation tree of a game or a line: its own plies, then the lines below it, ordered by
    /// ply, rank and time of creation. The lines below a line come before its next sibling.
    ///
    /// # Errors
    /// A log cannot be read, `after` is not (or no longer) in this tree, or the meter stops it.
    pub fn tree(
        &self,
        game: &Replay,
        reader: &TreeReader<'_>,
        page: &TreePage,
        meter: &Meter<'_>,
    ) -> Result<TreePart, Problem> {
        let mut tree = Tree::begin(self, game, reader, meter)?;
        let from = page.after.as_deref().map_or(Ok(Place::default()), |after| tree.after(after))?;
        tree.names_from = page.names_lines.then_some(from.nodes);
        let (mut to, mut last) = (from, String::new());
        let next = loop {
            match tree.item(to)? {
                None => break None,
                Some(Item::Line) if to.lines < from.lines + page.nodes => {
                    last = tree.lines[to.lines].summary.id.to_string();
                    to.lines += 1;
                }
                Some(Item::Node) if to.nodes < from.nodes + page.nodes => {
                    last = tree.id(to.nodes);
                    to.nodes += 1;
                }
                Some(_) => break Some(last),
            }
        };
        let entry = |line: &Line| LineEntry {
            summary: Arc::clone(&line.summary),
            may_arrange: (reader.may_arrange)(line.summary.owner),
            last: tree.id(line.last),
        };
        let count = || self.lines_below(game.log(), reader.audience, usize::MAX, meter).map(|lines| lines.len());
        Ok(TreePart {
            game: game.log(),
            lines: tree.lines[from.lines..to.lines].iter().map(entry).collect(),
            nodes: (from.nodes..to.nodes).map(|index| tree.node(index)).collect(),
            next,
            total_lines: page.counts_lines.then(count).transpose()?,
        })
    }

    /// The lines below a log that an audience may see, parents first, and at most so many. A line that is left out takes the
    /// lines below it with it.
    pub(super) fn lines_below(
        &self,
        id: LogId,
        audience: Audience,
        most: usize,
        meter: &Meter<'_>,
    ) -> Result<Vec<LogId>, Problem> {
        let (mut below, mut open) = (Vec::new(), self.forks_of(id));
        while let Some(id) = open.pop().filter(|_| below.len() < most) {
            meter.check()?;
            if self.models().known().games.get(id).is_some_and(|line| audience.sees(&line)) {
                below.push(id);
                open.extend(self.forks_of(id));
            }
        }
        Ok(below)
    }

    /// The lines that fork directly from a log, the first one last.
    fn forks_of(&self, parent: LogId) -> Vec<LogId> {
        self.models().known().games.line_ids(parent).rev().collect()
    }
}

impl<'a> Tree<'a> {
    /// The tree with nothing but the plies of the game itself.
    fn begin(
        service: &'a Service,
        game: &Replay,
        reader: &TreeReader<'_>,
        meter: &'a Meter<'a>,
    ) -> Result<Self, Problem> {
        let summary = service.models().known().games.get(game.log());
        let summary = summary.ok_or_else(|| Problem::no_game(game.log()))?;
        let branch = service.branch_of(game, 0, reader.viewer, meter)?;
        let mut tree = Self {
            service,
            audience: reader.audience,
            meter,
            nodes: Vec::new(),
            lines: Vec::new(),
            open: Vec::new(),
            children: HashMap::new(),
            first: HashMap::new(),
            names_from: None,
        };
        let start = tree.add(TreeNode::new((game.owner(0), 0), None, None, branch.start));
        let path = tree.follow(start, &branch, |ply| game.owner(ply))?;
        for (ply, said) in service.said(game)? {
            if let Some(node) = path.get(ply) {
                tree.nodes[*node].said = Some(Arc::new(said));
            }
        }
        tree.open(Open { summary, branch, path });
        Ok(tree)
    }

    /// What comes at a place; `None` at the end. The tree grows until it is known.
    fn item(&mut self, at: Place) -> Result<Option<Item>, Problem> {
        loop {
            if self.lines.get(at.lines).is_some_and(|line| line.begins == at.nodes) {
                return Ok(Some(Item::Line));
            }
            if at.nodes < self.nodes.len() {
                return Ok(Some(Item::Node));
            }
            if !self.grow()? {
                return Ok(None);
            }
        }
    }

    /// The place after a node or a line.
    fn after(&mut self, id: &str) -> Result<Place, Problem> {
        let unknown =
            || Problem::BadInput("`after` is the `next` of this tree, which has changed since: begin again".to_owned());
        let (log, ply) = id.split_once(':').map_or((id, None), |(log, ply)| (log, Some(ply)));
        let log: LogId = log.parse().map_err(|_| unknown())?;
        let ply: Option<usize> = ply.map(str::parse).transpose().map_err(|_| unknown())?;
        let mut seen = Place::default();
        loop {
            if let Some(ply) = ply
                && let Some(index) = self.nodes[seen.nodes..].iter().position(|node| node.id == (log, ply))
            {
                let nodes = seen.nodes + index + 1;
                return Ok(Place { nodes, lines: self.lines.partition_point(|line| line.begins < nodes) });
            }
            let is_it = |line: &Line| ply.is_none() && line.summary.id == log;
            if let Some(index) = self.lines[seen.lines..].iter().position(is_it) {
                let lines = seen.lines + index + 1;
                return Ok(Place { nodes: self.lines[lines - 1].begins, lines });
            }
            seen = Place { nodes: self.nodes.len(), lines: self.lines.len() };
            if !self.grow()? {
                return Err(unknown());
            }
        }
    }

    /// Adds the next line; `false` if there is none.
    fn grow(&mut self) -> Result<bool, Problem> {
        while let Some((parent, id)) = self.open.pop() {
            self.meter.check()?;
            let line = self.service.models().known().games.get(id).filter(|line| self.audience.sees(line));
            if let Some(line) = line {
                let grown = self.add_line(&parent, line)?;
                self.open(grown);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Has the lines below a log added next.
    fn open(&mut self, log: Open) {
        let below = self.service.forks_of(log.summary.id);
        let log = Arc::new(log);
        self.open.extend(below.into_iter().map(|line| (Arc::clone(&log), line)));
    }

    /// Adds one line to the tree.
    fn add_line(&mut self, parent: &Open, line: Arc<Summary>) -> Result<Open, Problem> {
        let service = self.service;
        let fork = line.fork.as_ref().ok_or_else(|| Problem::internal("what forks is a line"))?;
        let own_from = parent.summary.fork.as_ref().map_or(0, |fork| fork.ply as usize);
        let from = parent.branch.common((fork.ply as usize, fork.seq), own_from, || service.glance(line.id))?;
        // A line shows everything, even where its game does not.
        let branch = service.branch(&line, from, self.meter)?;
        let (id, begins) = (line.id, self.nodes.len());
        let mut start = parent.path[from - parent.branch.from];
        if line.sets_up && from == fork.ply as usize {
            start = self.add(TreeNode::new((id, from), Some(start), None, branch.start));
        }
        let path = self.follow(start, &branch, |_| id)?;
        for (ply, said) in &branch.said {
            if let Some(node) = ply.checked_sub(from).and_then(|index| path.get(index)) {
                self.nodes[*node].said.get_or_insert_with(|| Arc::clone(said));
            }
        }
        let last = path[path.len() - 1];
        self.lines.push(Line { summary: Arc::clone(&line), begins, last });
        Ok(Open { summary: line, branch, path })
    }

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
    fn follow(&mut self, from: usize, branch: &Branch, owner: impl Fn(usize) -> LogId) -> Result<Vec<usize>, Problem> {
        let mut path = vec![from];
        let mut at = from;
        for (index, played) in branch.plies.iter().enumerate() {
            let ply = branch.from + index + 1;
            let id = owner(ply);
            let step = (at, played.actor, played.word.clone());
            at = if let Some(known) = self.children.get(&step).copied() {
                if self.names_from.is_some_and(|from| known >= from) {
                    self.meter.spend(size_of::<LogId>())?;
                    self.nodes[known].shared.push(id);
                }
                known
            } else {
                self.meter.check()?;
                self.add(TreeNode::new((id, ply), Some(at), Some((played.actor, played.word.clone())), played.key))
            };
            path.push(at);
        }
        Ok(path)
    }

    fn id(&self, index: usize) -> String {
        let (log, ply) = self.nodes[index].id;
        format!("{log}:{ply}")
    }

    fn node(&self, index: usize) -> NodeEntry {
        let node = &self.nodes[index];
        NodeEntry {
            id: self.id(index),
            parent: node.parent.map(|parent| self.id(parent)),
            ply: node.id.1,
            action: node.done.as_ref().map(|(_, word)| word.clone()),
            by: node.done.as_ref().map(|(actor, _)| *actor),
            key: node.key,
            said: node.said.clone(),
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

#[cfg(test)]
mod tests {
    use plybook_store::Store;

    use super::*;
    use crate::shelf::tests::actions;
    use crate::{NewGame, NewLine, NewSeat};

    const LINES: usize = 200;

    #[test]
    fn a_part_reads_no_lines_beyond_its_end() {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let new = NewGame { kind: "triangulate".into(), seats: vec![NewSeat::default(); 2], ..NewGame::default() };
        let live = service.create_game(&new).unwrap();
        service.command(&live, &actions(2), None).unwrap();
        let game = live.replay();
        for n in 0..LINES {
            let legal = game.position_at(1).unwrap().legal(Actor::Seat(2)).unwrap();
            let line = NewLine {
                game: game.log(),
                ply: 1,
                actions: vec![legal[n % legal.len()].clone()],
                position: None,
                name: None,
                assume: Vec::new(),
                owner: None,
                is_hidden: false,
            };
            service.fork(line).unwrap();
        }
        let reader = TreeReader { viewer: Viewer::All, audience: Audience::Everybody, may_arrange: &|_| false };
        let part = |nodes, after, counts_lines| {
            let page = TreePage { nodes, after, counts_lines, names_lines: true };
            service.tree(&game, &reader, &page, &Meter::unlimited()).unwrap()
        };
        let first = part(1, None, false);
        assert_eq!((first.nodes.len(), first.lines.len(), service.branches.len()), (1, 0, 1));
        assert_eq!(part(1, None, true).total_lines, Some(LINES));
        assert_eq!(service.branches.len(), 1, "lines are counted without reading them");
        // The mainline, and as many lines as there may be nodes.
        let third = part(3, first.next, false);
        assert!(third.lines.len() <= 3 && service.branches.len() <= 5, "{} logs", service.branches.len());

        // Lines that have no nodes of their own do not make a part any longer, and all parts together are the whole tree.
        let whole = part(NODES_MAX, None, false);
        assert_eq!((whole.lines.len(), whole.next), (LINES, None));
        let (mut nodes, mut lines, mut after) = (Vec::new(), Vec::new(), None);
        loop {
            let page = part(7, after, false);
            assert!(page.nodes.len() <= 7 && page.lines.len() <= 7);
            nodes.extend(page.nodes.into_iter().map(|node| node.id));
            lines.extend(page.lines.into_iter().map(|line| line.summary.id));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(nodes, whole.nodes.iter().map(|node| node.id.clone()).collect::<Vec<_>>());
        assert_eq!(lines, whole.lines.iter().map(|line| line.summary.id).collect::<Vec<_>>());
    }
}
