//! One bracket: a score group and the players moved down into it.
//!
//! The best pairing depends on all players below, because they have to be paired too. It rarely matters,
//! though, so a bracket is first paired alone, assuming that the rest can do as well as possible; then with
//! the next bracket; then with everybody. Whatever the smaller graph left open is checked afterwards: a
//! pairing that is the best without a condition, and satisfies it, is the best with it.

use std::ops::Range;

use super::criteria::{Criteria, Edge, Layout, Place};
use super::optimum::Optimum;
use super::refine::refine;
use super::round::Round;
use super::weight::{Graded, Words};
use crate::{PairingError, Points};

/// The most words of a weight, which is enough for any tournament not constructed to need more.
const WORDS_MAX: usize = 64;

/// The most memory that a matching may take, in bytes.
const BYTES_MAX: usize = 2 << 30;

/// A bracket to be paired. Players are indices into those of the round.
pub(super) struct Bracket<'a> {
    pub(super) round: &'a Round,
    /// The players moved down into it.
    pub(super) down: &'a [usize],
    /// The score group.
    pub(super) residents: Range<usize>,
    /// The next score group.
    pub(super) next: Range<usize>,
}

/// The result of pairing a bracket.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BracketPairing {
    /// The pairs.
    pub(super) pairs: Vec<(usize, usize)>,
    /// The players who move down, or are left over at the end, in order.
    pub(super) floaters: Vec<usize>,
}

/// A vertex of the graph of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vertex {
    Player(usize),
    /// Stands for moving down alone, or for the bye.
    Out,
}

/// A graph, and what its vertices stand for.
struct Graph {
    vertices: Vec<Vertex>,
    edges: Vec<(usize, usize, Edge)>,
    is_perfect: bool,
}

impl Bracket<'_> {
    /// Pairs the bracket.
    ///
    /// # Errors
    /// The players moved down have too many different scores for the weights of the criteria.
    pub(super) fn pair(&self) -> Result<BracketPairing, PairingError> {
        let score = self.round.players[self.residents.start].score;
        let is_bye_here = self.round.bye_score.is_some_and(|bye| bye >= score);
        if !is_bye_here && !self.next.is_empty() {
            if let Some(paired) = self.pair_alone()? {
                return Ok(paired);
            }
            if let Some(paired) = self.pair_with_next()? {
                return Ok(paired);
            }
        }
        self.pair_with_all(is_bye_here)
    }

    fn members(&self) -> Vec<usize> {
        self.down.iter().copied().chain(self.residents.clone()).collect()
    }

    /// The players below the next score group.
    fn below(&self) -> Range<usize> {
        self.next.end..self.round.players.len()
    }

    fn has_bye(&self) -> bool {
        self.round.bye_score.is_some()
    }

    /// Pairs the bracket without looking down: all its players with each other, or all except one resident.
    fn pair_alone(&self) -> Result<Option<BracketPairing>, PairingError> {
        let members = self.members();
        let mut graph = self.graph(&members, true);
        if members.len() % 2 == 1 {
            let out = graph.add(Vertex::Out);
            for resident in self.residents.clone() {
                if self.next.clone().any(|other| self.round.may_meet(resident, other)) {
                    let vertex = self.down.len() + (resident - self.residents.start);
                    graph.edges.push((vertex, out, (resident, resident, Place::Below)));
                }
            }
        }
        let Some(mates) = self.best(&graph, false)? else { return Ok(None) };
        let paired = self.read(&graph, &mates);
        Ok(self.is_best_below(&paired.floaters).then_some(paired))
    }

    /// Whether the rest can be paired as well as possible, given these floaters.
    fn is_best_below(&self, floaters: &[usize]) -> bool {
        let next: Vec<usize> = self.next.clone().collect();
        let below = self.below();
        let Some(floater) = floaters.first() else {
            let rest: Vec<usize> = (self.next.start..below.end).collect();
            return self.round.can_complete(&rest, self.has_bye());
        };
        let mut bracket = vec![*floater];
        bracket.extend(&next);
        let is_one_left = bracket.len() % 2 == 1;
        let may_be_left = |player| player != *floater;
        let mates = self.round.mates(&bracket, is_one_left.then_some(&may_be_left));
        if mates.iter().any(Option::is_none) {
            return false;
        }
        let left = mates.get(bracket.len()).copied().flatten().map(|mate| bracket[mate]);
        let rest: Vec<usize> = left.into_iter().chain(below).collect();
        self.round.can_complete(&rest, self.has_bye())
    }

    /// Pairs the bracket so that the next one can be paired well, without looking further down.
    fn pair_with_next(&self) -> Result<Option<BracketPairing>, PairingError> {
        if self.below().is_empty() && !self.has_bye() {
            return Ok(None);
        }
        let mut players = self.members();
        players.extend(self.next.clone());
        let graph = self.graph(&players, false);
        let Some(mates) = self.best(&graph, false)? else { return Ok(None) };
        let left = (0..players.len()).filter(|vertex| mates[*vertex].is_none()).map(|vertex| players[vertex]);
        let rest: Vec<usize> = left.chain(self.below()).collect();
        Ok(self.round.can_complete(&rest, self.has_bye()).then(|| self.read(&graph, &mates)))
    }

    /// Pairs the bracket, taking everybody below into account.
    fn pair_with_all(&self, is_bye_here: bool) -> Result<BracketPairing, PairingError> {
        let mut players = self.members();
        players.extend(self.next.start..self.round.players.len());
        let mut graph = self.graph(&players, true);
        if self.has_bye() {
            let out = graph.add(Vertex::Out);
            for (vertex, &player) in players.iter().enumerate() {
                if self.round.may_have_bye(player) {
                    graph.edges.push((vertex, out, (player, player, Place::Bye)));
                }
            }
        }
        let complete = "the bracket before left players who can all be paired";
        let mates = self.best(&graph, is_bye_here)?.expect(complete);
        let paired = self.read(&graph, &mates);
        if !is_bye_here || paired.floaters.len() == 1 {
            return Ok(paired);
        }
        let mates = self.best(&graph, false)?.expect(complete);
        Ok(self.read(&graph, &mates))
    }

    /// The graph of these players, the bracket's own first.
    fn graph(&self, players: &[usize], is_perfect: bool) -> Graph {
        let mut edges = Vec::new();
        for (lower_vertex, &lower) in players.iter().enumerate().skip(self.down.len()) {
            for (higher_vertex, &higher) in players[..lower_vertex].iter().enumerate() {
                if self.round.may_meet(higher, lower) {
                    edges.push((higher_vertex, lower_vertex, (higher, lower, self.place(lower))));
                }
            }
        }
        Graph { vertices: players.iter().map(|player| Vertex::Player(*player)).collect(), edges, is_perfect }
    }

    fn place(&self, lower: usize) -> Place {
        if self.residents.contains(&lower) {
            Place::Here
        } else if self.next.contains(&lower) {
            Place::Next
        } else {
            Place::Below
        }
    }

    /// The mates in the best matching: by the criteria, and then by the order in which the rules try
    /// pairings. `None` if a matching has to be perfect and there is none.
    fn best(&self, graph: &Graph, is_bye_here: bool) -> Result<Option<Vec<Option<usize>>>, PairingError> {
        let mut levels: Vec<Points> = self.down.iter().map(|player| self.round.players[*player].score).collect();
        let groups = [self.residents.clone(), self.next.clone()];
        levels.extend(groups.into_iter().filter(|group| !group.is_empty()).map(|g| self.round.players[g.start].score));
        levels.sort_unstable_by(|one, other| other.cmp(one));
        levels.dedup();
        let criteria = Criteria::new(&self.round.players, levels, self.round.rounds, graph.is_perfect, is_bye_here);
        let edges: Vec<Edge> = graph.edges.iter().map(|(_, _, edge)| *edge).collect();
        let layout = criteria.layout(&edges);
        // Three words are reserved for what comes after the criteria.
        let words = layout.words + 3;
        let size = graph.vertices.len();
        if words > WORDS_MAX || (2 * size + 1).pow(2) * (words.next_power_of_two() + 1) * 8 > BYTES_MAX {
            return Err(PairingError::TooDeep);
        }
        Ok(match words {
            0..=4 => self.narrow::<4>(graph, &criteria, &layout, &edges),
            5..=6 => self.narrow::<6>(graph, &criteria, &layout, &edges),
            7..=8 => self.narrow::<8>(graph, &criteria, &layout, &edges),
            9..=16 => self.narrow::<16>(graph, &criteria, &layout, &edges),
            _ => self.narrow::<WORDS_MAX>(graph, &criteria, &layout, &edges),
        })
    }

    fn narrow<const N: usize>(
        &self,
        graph: &Graph,
        criteria: &Criteria<'_>,
        layout: &Layout,
        edges: &[Edge],
    ) -> Option<Vec<Option<usize>>> {
        let size = graph.vertices.len();
        let mut weights = vec![Words([0; N]); size * size];
        for ((one, other, _), weight) in graph.edges.iter().zip(criteria.weights::<N>(layout, edges)) {
            weights[one * size + other] = weight;
            weights[other * size + one] = weight;
        }
        let optimum = Optimum::find(size, weights);
        if graph.is_perfect && !optimum.is_perfect() {
            return None;
        }
        Some(match optimum.simplified() {
            Some(simpler) => self.refined(graph, simpler),
            None => self.refined(graph, optimum),
        })
    }

    fn refined<W: Graded>(&self, graph: &Graph, mut optimum: Optimum<W>) -> Vec<Option<usize>> {
        let scores: Vec<Points> = self.down.iter().map(|player| self.round.players[*player].score).collect();
        refine(&mut optimum, &scores, self.down.len()..self.down.len() + self.residents.len());
        (0..graph.vertices.len()).map(|vertex| optimum.mate(vertex)).collect()
    }

    /// The pairs of the bracket, and the players who are left.
    fn read(&self, graph: &Graph, mates: &[Option<usize>]) -> BracketPairing {
        let mut paired = BracketPairing::default();
        let members = self.down.len() + self.residents.len();
        for (vertex, mate) in mates.iter().enumerate().take(members) {
            let Vertex::Player(player) = graph.vertices[vertex] else { continue };
            match mate.map(|mate| graph.vertices[mate]) {
                Some(Vertex::Player(opponent)) if mate.is_some_and(|mate| mate < members) => {
                    if player < opponent {
                        paired.pairs.push((player, opponent));
                    }
                }
                _ => paired.floaters.push(player),
            }
        }
        paired
    }
}

impl Graph {
    fn add(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }
}
