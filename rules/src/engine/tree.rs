//! The tree: nodes are positions, edges are actions.

use std::collections::BTreeMap;

use plybook_events::Actor;

use super::Engine;
use super::calibration::sharpness;
use super::chances::{Chances, Sum, WHOLE, winners};
use super::findings::{Finding, Findings, Proof};
use super::forced;
use crate::{Actors, Draw, Game, Position, Viewer};

/// How many actions of an actor are looked at where they cannot be listed.
const SAMPLES: usize = 32;

/// The most actions of an actor that are looked at below the root: those that look best at once.
const WIDTH: usize = 64;

/// The most actions of an actor that are looked at at the root.
const ROOT_WIDTH: usize = 4_096;

/// The most edges of a tree, some 150 MB. A full tree grows no more, but goes on to be searched.
const EDGES_MAX: usize = 1 << 21;

/// How long a likely line may be.
const LINE_MAX: usize = 24;

/// The share of exploration: the higher, the more is tried that looks bad.
const EXPLORATION: u64 = WHOLE as u64 / 8;

/// After how many playouts a win by force is looked for, in games of two.
const FORCED: [u32; 2] = [250, 2_000];

/// How many actions may be tried for it, for each playout so far.
const TRIES: u32 = 16;

type ActionOf<G> = <<G as Game>::Position as Position>::Action;

pub(super) struct Tree<G: Game> {
    root: G::Position,
    viewer: Viewer,
    /// Whether the viewer may not know all, so that the position differs from playout to playout.
    is_guessed: bool,
    nodes: Vec<Node<ActionOf<G>>>,
    /// The number of edges of all nodes.
    edges: usize,
    playouts: u32,
    /// The chances of all playouts.
    sum: Sum,
    /// The sharpness of what is stated, in percent.
    sharpness: u32,
    /// The nodes of the running playout, each with where in `chosen` begins what each actor chose there.
    path: Vec<(u32, usize)>,
    /// What the actors chose, by the numbers of their edges.
    chosen: Vec<usize>,
    /// Room for legal actions.
    listed: Vec<ActionOf<G>>,
}

struct Node<A> {
    /// What each actor can do; empty until the node is reached for the second time.
    tables: Vec<Table<A>>,
    /// The nodes after what several actors did at the same time.
    links: BTreeMap<Box<[usize]>, u32>,
    /// What the game's estimate says.
    chances: Chances,
    proof: Option<Proof>,
}

/// What one actor can do.
struct Table<A> {
    actor: Actor,
    edges: Vec<Edge<A>>,
    /// Whether all legal actions are listed.
    is_complete: bool,
}

struct Edge<A> {
    action: A,
    visits: u32,
    /// What the actor expected, added up over all visits.
    total: u64,
    /// What the actor expects right after the action.
    first: u32,
    /// The chances of all seats; only at the root.
    all: Option<Box<All>>,
    proof: Option<Proof>,
    /// The node after it, if nobody else acts at the same time.
    next: Option<u32>,
}

/// The chances of all seats after an action.
struct All {
    /// Right after it.
    first: Chances,
    /// In the playouts.
    sum: Sum,
}

impl<A> Node<A> {
    fn new(chances: Chances, proof: Option<Proof>) -> Self {
        Self { tables: Vec::new(), links: BTreeMap::new(), chances, proof }
    }

    /// The node after what the actors chose.
    fn next(&self, chosen: &[usize]) -> Option<u32> {
        match self.tables.as_slice() {
            [table] => table.edges.get(chosen[0])?.next,
            _ => self.links.get(chosen).copied(),
        }
    }

    /// Sets the node after what the actors chose.
    fn link(&mut self, chosen: &[usize], next: u32) {
        if let [table] = self.tables.as_mut_slice() {
            if let Some(edge) = table.edges.get_mut(chosen[0]) {
                edge.next = Some(next);
            }
        } else {
            self.links.insert(chosen.into(), next);
        }
    }
}

impl<A> Edge<A> {
    /// What the actor may expect of it.
    fn expected(&self) -> u64 {
        (u64::from(self.first) + self.total) / (u64::from(self.visits) + 1)
    }
}

impl<G: Game> Tree<G> {
    pub(super) fn new(root: G::Position, viewer: Viewer) -> Self {
        let is_guessed = viewer != Viewer::All && !G::SECRETS.is_empty();
        let sum = Sum::new(root.teams());
        Self {
            root,
            viewer,
            is_guessed,
            nodes: Vec::new(),
            edges: 0,
            playouts: 0,
            sum,
            sharpness: sharpness::<G>(),
            path: Vec::new(),
            chosen: Vec::new(),
            listed: Vec::new(),
        }
    }

    fn playout(&mut self, draw: &mut Draw<'_>) {
        let mut position = if self.is_guessed { self.root.guess(self.viewer, draw) } else { self.root.clone() };
        if self.nodes.is_empty() {
            self.nodes.push(self.evaluated(&position));
        }
        self.playouts += 1;
        self.path.clear();
        self.chosen.clear();
        let mut at = 0;
        let chances = loop {
            let node = &self.nodes[at as usize];
            if let Some(proof) = node.proof {
                break Chances::of_winners(position.teams(), proof.winners);
            }
            let to_act = position.to_act();
            if to_act.is_empty() {
                break judged::<G>(&position).0;
            }
            if node.tables.is_empty() {
                if self.edges >= EDGES_MAX {
                    break node.chances;
                }
                self.expand(at, &position, to_act, draw);
                if let Some(proof) = self.nodes[at as usize].proof {
                    break Chances::of_winners(position.teams(), proof.winners);
                }
            } else if self.is_guessed {
                self.extend(at, &position, to_act);
            }
            let from = self.chosen.len();
            self.choose(at, &position, to_act, draw);
            self.path.push((at, from));
            let node = &self.nodes[at as usize];
            let chosen = &self.chosen[from..];
            for (table, edge) in node.tables.iter().zip(chosen) {
                if position.to_act().contains(table.actor) && *edge != NOTHING {
                    position.apply(table.actor, &table.edges[*edge].action);
                }
            }
            match node.next(chosen) {
                Some(next) => at = next,
                None => break self.grow(at, from, &position),
            }
        };
        self.sum.add(&chances);
        self.back_up(&chances);
    }

    /// Proves a win by force of the seat that is to act, if there is one in a few turns.
    fn look_for_a_win(&mut self) {
        let [table] = self.nodes[0].tables.as_mut_slice() else { return };
        let Actor::Seat(seat) = table.actor else { return };
        if self.is_guessed || self.root.seats() != 2 || !table.is_complete {
            return;
        }
        let mut edges: Vec<_> = table.edges.iter().collect();
        edges.sort_by_key(|edge| std::cmp::Reverse(edge.visits));
        let actions: Vec<_> = edges.into_iter().map(|edge| edge.action.clone()).collect();
        let Some(win) = forced::win::<G>(&self.root, seat, &actions, TRIES * self.playouts) else { return };
        if let Some(edge) = table.edges.iter_mut().find(|edge| edge.action == win.action) {
            edge.proof = Some(Proof { winners: 1 << (seat - 1), plies: win.plies });
            self.prove(0);
        }
    }

    /// A node for a position. What a guess comes to proves nothing.
    fn evaluated(&self, position: &G::Position) -> Node<ActionOf<G>> {
        let (chances, proof) = judged::<G>(position);
        Node::new(chances, proof.filter(|_| !self.is_guessed))
    }

    /// Adds the node that the path leads to. Returns its chances.
    fn grow(&mut self, at: u32, from: usize, position: &G::Position) -> Chances {
        let node = self.evaluated(position);
        let chances = node.chances;
        let new = self.nodes.len() as u32;
        self.nodes[at as usize].link(&self.chosen[from..], new);
        self.nodes.push(node);
        chances
    }

    /// Lists what each actor can do.
    fn expand(&mut self, at: u32, position: &G::Position, to_act: Actors, draw: &mut Draw<'_>) {
        let width = if at == 0 { ROOT_WIDTH } else { WIDTH };
        let mut tables = Vec::with_capacity(to_act.len());
        for actor in to_act.iter() {
            self.listed.clear();
            let is_listed = position.prompt(actor).is_none();
            if is_listed {
                position.legal(actor, &mut self.listed);
            } else if actor != Actor::Chance {
                for _ in 0..SAMPLES {
                    let action = position.sample(actor, draw);
                    if !self.listed.contains(&action) {
                        self.listed.push(action);
                    }
                }
            }
            let is_root = at == 0;
            let mut edges: Vec<_> =
                self.listed.drain(..).map(|action| edge::<G>(position, actor, action, is_root)).collect();
            let is_complete = is_listed && edges.len() <= width && !self.is_guessed;
            if let Actor::Seat(seat) = actor {
                let wins = |edge: &Edge<_>| edge.proof.is_some_and(|proof| proof.wins(seat));
                edges.sort_by_key(|edge| std::cmp::Reverse((wins(edge), edge.first)));
                edges.truncate(width);
            }
            if self.is_guessed {
                for edge in &mut edges {
                    edge.proof = None;
                }
            }
            self.edges += edges.len();
            tables.push(Table { actor, edges, is_complete });
        }
        self.nodes[at as usize].tables = tables;
        self.prove(at);
    }

    /// Adds what an actor can do in this guess, and could not in those before.
    fn extend(&mut self, at: u32, position: &G::Position, to_act: Actors) {
        for actor in to_act.iter() {
            if position.prompt(actor).is_some() || actor == Actor::Chance {
                continue;
            }
            self.listed.clear();
            position.legal(actor, &mut self.listed);
            let node = &mut self.nodes[at as usize];
            let index = node.tables.iter().position(|table| table.actor == actor).unwrap_or_else(|| {
                node.tables.push(Table { actor, edges: Vec::new(), is_complete: false });
                node.tables.len() - 1
            });
            let table = &mut node.tables[index];
            for action in &self.listed {
                if table.edges.len() < ROOT_WIDTH && !table.edges.iter().any(|edge| edge.action == *action) {
                    table.edges.push(Edge { proof: None, ..edge::<G>(position, actor, action.clone(), at == 0) });
                    self.edges += 1;
                }
            }
        }
    }

    /// What each actor does in this playout, by the number of its edge.
    fn choose(&mut self, at: u32, position: &G::Position, to_act: Actors, draw: &mut Draw<'_>) {
        let is_guessed = self.is_guessed;
        let tables = &mut self.nodes[at as usize].tables;
        let chosen = &mut self.chosen;
        for table in tables {
            if !to_act.contains(table.actor) {
                chosen.push(NOTHING);
                continue;
            }
            let Actor::Seat(seat) = table.actor else {
                chosen.push(table.roll::<G>(position, draw));
                continue;
            };
            let may = |edge: &Edge<_>| !is_guessed || position.judge(table.actor, &edge.action).is_ok();
            chosen.push(table.best(seat, may).unwrap_or(NOTHING));
        }
    }

    /// Adds the result of a playout to all it went through, and proves what follows from it.
    fn back_up(&mut self, chances: &Chances) {
        while let Some((at, from)) = self.path.pop() {
            let chosen = &self.chosen[from..];
            let next = self.nodes[at as usize].next(chosen);
            let proof = next.and_then(|next| self.nodes[next as usize].proof);
            let node = &mut self.nodes[at as usize];
            let is_single = node.tables.len() == 1;
            for (table, edge) in node.tables.iter_mut().zip(chosen) {
                let Some(edge) = table.edges.get_mut(*edge) else { continue };
                edge.visits += 1;
                if let Actor::Seat(seat) = table.actor {
                    edge.total += u64::from(chances.expected(seat));
                }
                if let Some(all) = &mut edge.all {
                    all.sum.add(chances);
                }
                if is_single {
                    edge.proof = edge.proof.or(proof);
                }
            }
            self.chosen.truncate(from);
            if proof.is_some() {
                self.prove(at);
            }
        }
    }

    /// Proves how a node ends, if its edges say so.
    fn prove(&mut self, at: u32) {
        let node = &mut self.nodes[at as usize];
        let [table] = node.tables.as_slice() else { return };
        if self.is_guessed || node.proof.is_some() {
            return;
        }
        node.proof = match table.actor {
            Actor::Seat(seat) => table.proof_of(seat),
            Actor::Chance => table.proof_of_chance(),
        };
        if let Some(proof) = node.proof {
            node.chances = Chances::of_winners(node.chances.teams(), proof.winners);
        }
    }

    /// The most likely actions from a node on, as long as one seat acts after the other.
    fn line(&self, mut at: u32) -> Vec<String> {
        let mut line = Vec::new();
        while line.len() < LINE_MAX {
            let [table] = self.nodes[at as usize].tables.as_slice() else { break };
            let Actor::Seat(seat) = table.actor else { break };
            let Some(index) = table.likeliest(seat) else { break };
            line.push(table.edges[index].action.to_string());
            match table.edges[index].next {
                Some(next) => at = next,
                None => break,
            }
        }
        line
    }
}

/// Stands for the choice of an actor that has none.
const NOTHING: usize = usize::MAX;

impl<A: Clone + PartialEq + std::fmt::Display> Table<A> {
    /// What chance does: an outcome drawn by the rules.
    fn roll<G: Game>(&mut self, position: &G::Position, draw: &mut Draw<'_>) -> usize
    where
        G::Position: Position<Action = A>,
    {
        let action = position.sample(Actor::Chance, draw);
        self.edges.iter().position(|edge| edge.action == action).unwrap_or_else(|| {
            self.edges.push(edge::<G>(position, Actor::Chance, action, false));
            self.edges.len() - 1
        })
    }

    /// The edge to try next, among those that may be; `None` if there are none.
    fn best(&self, seat: u8, may: impl Fn(&Edge<A>) -> bool) -> Option<usize> {
        let visits: u64 = self.edges.iter().map(|edge| u64::from(edge.visits)).sum();
        let root = (visits << 16).isqrt() + (1 << 8);
        let score = |index: usize, edge: &Edge<A>| {
            let explored = (EXPLORATION * root / (index as u64 + 2) / (u64::from(edge.visits) + 1)) >> 8;
            edge.expected() + explored
        };
        let open = self
            .edges
            .iter()
            .enumerate()
            .filter(|(_, edge)| edge.proof.is_none_or(|proof| proof.shares(seat) || proof.is_draw()));
        let open =
            open.filter(|(_, edge)| may(edge)).map(|(index, edge)| (score(index, edge), std::cmp::Reverse(index)));
        let any = || self.edges.iter().position(&may);
        open.max().map(|(_, index)| index.0).or_else(any)
    }

    /// The edge that most playouts went through, or that is proved to win.
    fn likeliest(&self, seat: u8) -> Option<usize> {
        let wins = |edge: &Edge<A>| edge.proof.filter(|proof| proof.wins(seat)).map(|proof| u16::MAX - proof.plies);
        let edges = self.edges.iter().enumerate().filter(|(_, edge)| edge.visits > 0 || edge.proof.is_some());
        edges.max_by_key(|(index, edge)| (wins(edge), edge.visits, std::cmp::Reverse(*index))).map(|(index, _)| index)
    }

    /// How the game ends if this seat chooses: the quickest win; else, if all is proved, the best of it.
    fn proof_of(&self, seat: u8) -> Option<Proof> {
        let proofs = || self.edges.iter().filter_map(|edge| edge.proof);
        if let Some(win) = proofs().filter(|proof| proof.wins(seat)).min_by_key(|proof| proof.plies) {
            return Some(win.earlier());
        }
        if !self.is_complete || self.edges.iter().any(|edge| edge.proof.is_none()) {
            return None;
        }
        let rank = |proof: &Proof| (proof.shares(seat), proof.is_draw(), proof.plies);
        let best = proofs().max_by_key(rank)?;
        // Which of several others wins is theirs to say only if it makes no difference to this seat.
        let is_settled = best.shares(seat) || best.is_draw() || proofs().all(|proof| proof.winners == best.winners);
        is_settled.then(|| best.earlier())
    }

    /// How the game ends whatever chance does.
    fn proof_of_chance(&self) -> Option<Proof> {
        let first = self.edges.first()?.proof?;
        let same = |edge: &Edge<A>| edge.proof.is_some_and(|proof| proof.winners == first.winners);
        if !self.is_complete || !self.edges.iter().all(same) {
            return None;
        }
        let plies = self.edges.iter().filter_map(|edge| edge.proof).map(|proof| proof.plies).max()?;
        Some(Proof { plies, ..first }.earlier())
    }
}

/// The chances in a position, and the proof if the game is over.
fn judged<G: Game>(position: &G::Position) -> (Chances, Option<Proof>) {
    match position.outcome() {
        Some(outcome) => {
            (Chances::of_outcome(position.teams(), &outcome), Some(Proof { winners: winners(&outcome), plies: 0 }))
        }
        None => (Chances::estimated::<G>(position), None),
    }
}

/// An edge for an action, judged by the position right after it.
fn edge<G: Game>(position: &G::Position, actor: Actor, action: ActionOf<G>, is_root: bool) -> Edge<ActionOf<G>> {
    let mut after = position.clone();
    after.apply(actor, &action);
    let (chances, proof) = judged::<G>(&after);
    let first = if let Actor::Seat(seat) = actor { chances.expected(seat) } else { 0 };
    let all = is_root.then(|| Box::new(All { first: chances, sum: Sum::new(position.teams()) }));
    Edge { action, visits: 0, total: 0, first, all, proof, next: None }
}

impl<G: Game> Engine for Tree<G> {
    fn run(&mut self, playouts: u32, draw: &mut Draw<'_>) {
        for _ in 0..playouts {
            if self.nodes.first().is_some_and(|root| root.proof.is_some()) {
                break;
            }
            self.playout(draw);
            if FORCED.contains(&self.playouts) {
                self.look_for_a_win();
            }
        }
    }

    fn findings(&self, actor: Actor) -> Option<Findings> {
        let root = self.nodes.first()?;
        let table = root.tables.iter().find(|table| table.actor == actor)?;
        let Actor::Seat(seat) = actor else { return None };
        let found = |edge: &Edge<ActionOf<G>>| {
            let is_single = root.tables.len() == 1;
            let next = edge.next.filter(|_| is_single);
            let all = edge.all.as_deref().expect("the root counts for all seats");
            Finding {
                action: edge.action.to_string(),
                playouts: edge.visits,
                proof: edge.proof.filter(|_| is_single).map(Proof::earlier),
                line: next.map(|next| self.line(next)).unwrap_or_default(),
                sum: all.sum,
                first: all.first,
                sharpness: self.sharpness,
            }
        };
        let actions = table.edges.iter().map(found).collect();
        let mut findings = Findings { actions, playouts: self.playouts, proof: root.proof };
        findings.sort(seat);
        (!findings.actions.is_empty()).then_some(findings)
    }

    fn chances(&self) -> Option<Chances> {
        let root = self.nodes.first()?;
        let chances = if root.proof.is_some() { Some(root.chances) } else { self.sum.mean() };
        chances.map(|chances| chances.sharpened(self.sharpness))
    }
}
