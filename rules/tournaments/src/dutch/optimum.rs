//! All matchings of maximum weight, narrowed down by one preference after another.

use integer_blossom::max_weight_matching;

use super::weight::Graded;

/// Potentials that have not settled after this many passes are given up.
const PASSES: usize = 64;

/// The maximum-weight matchings of a graph, one of which is at hand.
pub(super) struct Optimum<W> {
    /// The number of vertices.
    size: usize,
    /// The weights of the edges, one row per vertex; zero where there is no edge.
    weights: Vec<W>,
    /// The matching at hand.
    mate: Vec<Option<usize>>,
    /// The vertices whose mate may still change.
    open: Vec<usize>,
}

impl<W: Graded> Optimum<W> {
    /// Finds the maximum-weight matchings.
    ///
    /// `weights` has a row of `size` weights for each vertex and is symmetric; zero means no edge.
    pub(super) fn find(size: usize, weights: Vec<W>) -> Self {
        let mut optimum = Self { size, weights, mate: vec![None; size], open: (0..size).collect() };
        optimum.solve(|_, _, weight| weight);
        optimum
    }

    /// The mate of a vertex in the matching at hand.
    pub(super) fn mate(&self, vertex: usize) -> Option<usize> {
        self.mate[vertex]
    }

    /// Whether every vertex has a mate.
    pub(super) fn is_perfect(&self) -> bool {
        self.mate.iter().all(Option::is_some)
    }

    fn weight(&self, one: usize, other: usize) -> W {
        self.weights[one * self.size + other]
    }

    fn set(&mut self, one: usize, other: usize, weight: W) {
        self.weights[one * self.size + other] = weight;
        self.weights[other * self.size + one] = weight;
    }

    fn has(&self, one: usize, other: usize) -> bool {
        self.weight(one, other) > W::ZERO
    }

    /// Finds a maximum-weight matching of the open vertices.
    fn solve(&mut self, adjusted: impl Fn(usize, usize, W) -> W) {
        let size = self.open.len();
        let mut weights = vec![W::ZERO; size * size];
        for (row, &one) in self.open.iter().enumerate() {
            for (column, &other) in self.open.iter().enumerate().skip(row + 1) {
                let weight = self.weight(one, other);
                if weight > W::ZERO {
                    weights[row * size + column] = adjusted(one, other, weight);
                }
            }
        }
        for (index, mate) in max_weight_matching(&weights, size).into_iter().enumerate() {
            self.mate[self.open[index]] = mate.map(|mate| self.open[mate]);
        }
    }

    /// Keeps the matchings that give `vertex` the mate of highest possible rank, or none if `None` has that
    /// rank. One of these matchings is at hand afterwards.
    pub(super) fn prefer(&mut self, vertex: usize, rank: impl Fn(Option<usize>) -> u16) {
        let had = rank(self.mate[vertex]);
        let mut better: Vec<usize> = self.open.iter().copied().filter(|&other| self.has(vertex, other)).collect();
        better.retain(|&other| rank(Some(other)) > had);
        let best = better.iter().copied().max_by_key(|&other| rank(Some(other)));
        let alone = rank(None) > had;
        if (alone || best.is_some()) && !best.is_some_and(|best| !alone && self.swap(vertex, best)) {
            // Ranks count from that of being left alone, which needs no edge.
            let base = i64::from(rank(None));
            self.solve(|one, other, weight| match (one == vertex, other == vertex) {
                (true, _) => weight + W::bias(i64::from(rank(Some(other))) - base),
                (_, true) => weight + W::bias(i64::from(rank(Some(one))) - base),
                _ => weight,
            });
        }
        let has = rank(self.mate[vertex]);
        for index in 0..self.open.len() {
            let other = self.open[index];
            if !self.has(vertex, other) {
                continue;
            }
            let weight = self.weight(vertex, other);
            let kept = rank(Some(other)) == has;
            let pin = if rank(None) == has { W::ZERO } else { W::PIN };
            self.set(vertex, other, if kept { weight + pin } else { W::ZERO });
        }
    }

    /// Gives `vertex` another mate by exchanging mates with a second pair, if that costs nothing.
    fn swap(&mut self, vertex: usize, wanted: usize) -> bool {
        let (Some(old), Some(left)) = (self.mate[vertex], self.mate[wanted]) else { return false };
        let is_equal = self.has(old, left)
            && self.weight(vertex, wanted) + self.weight(old, left)
                == self.weight(vertex, old) + self.weight(wanted, left);
        if is_equal {
            for (one, other) in [(vertex, wanted), (old, left)] {
                self.mate[one] = Some(other);
                self.mate[other] = Some(one);
            }
        }
        is_equal
    }

    /// Keeps the pair of `vertex` and its mate for good.
    pub(super) fn fix(&mut self, vertex: usize) {
        let mate = self.mate[vertex];
        self.open.retain(|&open| open != vertex && Some(open) != mate);
    }

    /// Removes the edges for which `is_kept` is false; the matching at hand has none of them.
    pub(super) fn keep(&mut self, is_kept: impl Fn(usize, usize) -> bool) {
        for row in 0..self.open.len() {
            for column in row + 1..self.open.len() {
                let (one, other) = (self.open[row], self.open[column]);
                if !is_kept(one, other) {
                    self.set(one, other, W::ZERO);
                }
            }
        }
    }

    /// Keeps the matchings with the greatest sum of exchange values.
    pub(super) fn exchange(&mut self, value: impl Fn(usize, usize) -> i64) {
        for row in 0..self.open.len() {
            for column in row + 1..self.open.len() {
                let (one, other) = (self.open[row], self.open[column]);
                if self.has(one, other) {
                    self.set(one, other, self.weight(one, other) + W::exchange(value(one, other)));
                }
            }
        }
        self.solve(|_, _, weight| weight);
    }

    /// The same matchings as those of a simpler graph, if potentials prove their optimality.
    ///
    /// Potentials are non-negative numbers, one for each vertex, whose sum at the ends of an edge is at least
    /// the edge's weight. If their total is the weight of a matching, that matching has maximum weight. The
    /// other maximum-weight matchings are then those that use only edges whose weight *equals* the sum at
    /// their ends, and that leave out no vertex with a positive potential. If only odd cycles of edges prove
    /// the optimum, there are no such potentials.
    pub(super) fn simplified(&self) -> Option<Optimum<i64>> {
        let potentials = self.doubled_potentials()?;
        let mut weights = vec![0; self.size * self.size];
        for &one in &self.open {
            for &other in &self.open {
                let weight = self.weight(one, other);
                if weight > W::ZERO && weight.double() == potentials[one] + potentials[other] {
                    let ends = [one, other].iter().filter(|end| potentials[**end] > W::ZERO).count();
                    weights[one * self.size + other] = ends as i64 * i64::PIN;
                }
            }
        }
        Some(Optimum { size: self.size, weights, mate: self.mate.clone(), open: self.open.clone() })
    }

    /// Twice the potentials: the sums of two that differ in direction, `there` and what is left of the weight
    /// of a pair once its other end has taken its share.
    fn doubled_potentials(&self) -> Option<Vec<W>> {
        let mut there = vec![W::ZERO; self.size];
        let share = |there: &[W], vertex: usize| match self.mate[vertex] {
            Some(mate) => self.weight(vertex, mate) - there[mate],
            None => W::ZERO,
        };
        for _ in 0..PASSES {
            let mut has_settled = true;
            for &vertex in &self.open {
                let back = share(&there, vertex);
                if back < W::ZERO {
                    return None;
                }
                for &other in &self.open {
                    let weight = self.weight(vertex, other);
                    if weight > W::ZERO && weight - back > there[other] {
                        there[other] = weight - back;
                        has_settled = false;
                    }
                }
            }
            if has_settled {
                let is_exposed_free = self.open.iter().all(|&v| self.mate[v].is_some() || there[v] == W::ZERO);
                return is_exposed_free
                    .then(|| (0..self.size).map(|vertex| there[vertex] + share(&there, vertex)).collect());
            }
        }
        None
    }
}
