//! Who sits at which pod, and in which seat: a search that exchanges two players at a time.
//!
//! The search is bounded by work, not by time, and draws from a generator with a fixed seed: the same history
//! gives the same seating everywhere.

use crate::{EntrantNumber, History, Points, Table, TableResult};

/// The largest number of exchanges tried.
const WORK: u32 = 4_000_000;
/// How many exchanges are tried after a kick that finds nothing better.
const KICKS: u32 = 200;
/// If no meeting is repeated, a player is exchanged only with this many neighbours in the order of scores.
const NEIGHBOURS: usize = 48;
/// The cost of a repeated meeting; more than any difference of scores.
const MET: u64 = 1 << 40;

/// Players at pods.
pub struct Seating {
    /// In the order of the pods.
    players: Vec<EntrantNumber>,
    /// Where each pod ends in `players`.
    ends: Vec<usize>,
    /// How often the players have met.
    met: Meetings,
    /// Per entrant.
    points: Vec<Points>,
    /// How many exchanges may still be tried.
    work: u32,
}

impl Seating {
    /// The best seating found for these players, who are sorted by score.
    pub fn found(
        history: &History,
        points: &[Points],
        players: &[EntrantNumber],
        pods: &[u8],
        forbidden: &[Vec<EntrantNumber>],
    ) -> Self {
        let ends = pods.iter().scan(0, |end, size| {
            *end += usize::from(*size);
            Some(*end)
        });
        let ends: Vec<usize> = ends.collect();
        let met = Meetings::new(history, players, forbidden);
        let players = dealt(points, players, &ends);
        let mut seating = Self { players, ends, met, points: points.to_vec(), work: WORK };
        seating.descend();
        seating.kick();
        seating
    }

    /// The pods, in order.
    pub fn pods(&self) -> impl Iterator<Item = Vec<EntrantNumber>> {
        (0..self.ends.len()).map(|pod| self.players[self.range(pod)].to_vec())
    }

    /// How often two players have met; very often if they may not meet.
    pub fn meetings(&self, one: EntrantNumber, other: EntrantNumber) -> u16 {
        self.met.times(one, other)
    }

    fn range(&self, pod: usize) -> std::ops::Range<usize> {
        let start = if pod == 0 { 0 } else { self.ends[pod - 1] };
        start..self.ends[pod]
    }

    fn pod_of(&self, at: usize) -> usize {
        self.ends.partition_point(|end| *end <= at)
    }

    /// The cost of a player at a pod, without the one who sits at `except`: repeated meetings, and squared
    /// differences of scores.
    fn cost(&self, player: EntrantNumber, pod: usize, except: usize) -> u64 {
        let points = self.points[player.index()].0;
        let others = self.range(pod).filter(|at| *at != except).map(|at| self.players[at]);
        let cost = |other: EntrantNumber| {
            let times = u64::from(self.meetings(player, other));
            MET * times * times + u64::from(points.abs_diff(self.points[other.index()].0)).pow(2)
        };
        others.map(cost).sum()
    }

    /// Whether somebody at this pod repeats a meeting.
    fn repeats(&self, pod: usize) -> bool {
        let range = self.range(pod);
        range
            .clone()
            .any(|one| (one + 1..range.end).any(|other| self.meetings(self.players[one], self.players[other]) > 0))
    }

    /// The cost of the whole seating.
    fn total(&self) -> u64 {
        (0..self.players.len()).map(|at| self.cost(self.players[at], self.pod_of(at), at)).sum()
    }

    /// Exchanges two players of different pods if that lowers the cost.
    fn exchange(&mut self, one: usize, other: usize) -> bool {
        let (pod, other_pod) = (self.pod_of(one), self.pod_of(other));
        self.work = self.work.saturating_sub(1);
        let (a, b) = (self.players[one], self.players[other]);
        let before = self.cost(a, pod, one) + self.cost(b, other_pod, other);
        let after = self.cost(b, pod, one) + self.cost(a, other_pod, other);
        if after < before {
            self.players.swap(one, other);
        }
        after < before
    }

    /// Exchanges players as long as that helps.
    fn descend(&mut self) {
        let mut is_better = true;
        while is_better && self.work > 0 {
            is_better = false;
            for one in 0..self.players.len() {
                let own = self.range(self.pod_of(one));
                // A player who repeats a meeting may move anywhere; others only within the neighbourhood.
                let reach = if self.repeats(self.pod_of(one)) { self.players.len() } else { NEIGHBOURS };
                for other in own.end..self.players.len().min(own.end + reach) {
                    if self.work == 0 {
                        return;
                    }
                    is_better |= self.exchange(one, other);
                }
                for other in own.start.saturating_sub(reach)..own.start {
                    if self.work > 0 && reach > NEIGHBOURS {
                        is_better |= self.exchange(one, other);
                    }
                }
            }
        }
    }

    /// While meetings are repeated: shuffles two pods, one of which repeats a meeting, and improves the
    /// seating again. Keeps the best one.
    fn kick(&mut self) {
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut draw = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        let (mut best, mut cost) = (self.players.clone(), self.total());
        let mut tries = 0;
        while cost >= MET && self.ends.len() > 1 && self.work > 0 && tries < KICKS {
            tries += 1;
            let repeating: Vec<usize> = (0..self.ends.len()).filter(|pod| self.repeats(*pod)).collect();
            let Some(pod) = repeating.get(draw(repeating.len().max(1))) else { break };
            let other = (pod + 1 + draw(self.ends.len() - 1)) % self.ends.len();
            for at in self.range(*pod) {
                let range = self.range(other);
                let with = range.start + draw(range.len());
                self.players.swap(at, with);
            }
            self.descend();
            let now = self.total();
            if now < cost {
                (best, cost, tries) = (self.players.clone(), now, 0);
            } else {
                self.players.clone_from(&best);
            }
        }
        self.players = best;
    }
}

/// How often players have met.
struct Meetings {
    /// Per entrant, the index among the players; `usize::MAX` for others.
    places: Vec<usize>,
    /// The lower triangle of the matrix of all players.
    times: Vec<u16>,
}

impl Meetings {
    fn new(history: &History, players: &[EntrantNumber], forbidden: &[Vec<EntrantNumber>]) -> Self {
        let mut places = vec![usize::MAX; history.entrants.len()];
        for (place, player) in players.iter().enumerate() {
            places[player.index()] = place;
        }
        let times = vec![0; players.len() * players.len().saturating_sub(1) / 2];
        let mut meetings = Self { places, times };
        let played = |table: &&Table| !matches!(table.result, Some(TableResult::Forfeit(_)));
        for table in history.rounds.iter().flat_map(|round| &round.tables).filter(played) {
            meetings.add(&table.seats);
        }
        for group in forbidden {
            meetings.add(group);
        }
        meetings
    }

    /// Counts a meeting between all of these.
    fn add(&mut self, entrants: &[EntrantNumber]) {
        for (at, one) in entrants.iter().enumerate() {
            for other in &entrants[at + 1..] {
                if let Some(index) = self.index(*one, *other) {
                    self.times[index] += 1;
                }
            }
        }
    }

    fn index(&self, one: EntrantNumber, other: EntrantNumber) -> Option<usize> {
        let (one, other) = (self.places[one.index()], self.places[other.index()]);
        let (low, high) = (one.min(other), one.max(other));
        (low < high && high != usize::MAX).then(|| high * (high - 1) / 2 + low)
    }

    fn times(&self, one: EntrantNumber, other: EntrantNumber) -> u16 {
        self.index(one, other).map_or(0, |index| self.times[index])
    }
}

/// The first seating. Where several pods have one score, players are dealt out, so that each pod gets some of
/// the upper and some of the lower numbers; the other pods are filled in order.
fn dealt(points: &[Points], players: &[EntrantNumber], ends: &[usize]) -> Vec<EntrantNumber> {
    let mut seated = players.to_vec();
    let starts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
    let score = |at: usize| points[players[at].index()];
    let mut pod = 0;
    while pod < ends.len() {
        let first = score(starts[pod]);
        let whole = (pod..ends.len()).take_while(|pod| score(ends[*pod] - 1) == first).count();
        if whole > 1 {
            let mut next: Vec<usize> = starts[pod..pod + whole].to_vec();
            let mut turn = 0;
            for player in &players[starts[pod]..ends[pod + whole - 1]] {
                while next[turn] == ends[pod + turn] {
                    turn = (turn + 1) % whole;
                }
                seated[next[turn]] = *player;
                next[turn] += 1;
                turn = (turn + 1) % whole;
            }
        }
        pod += whole.max(1);
    }
    seated
}

/// Assigns the seats of a pod as evenly as possible, by how often each player had the same seat and by the
/// mean of its seats, where 0 is the first and 1 the last.
pub fn seat(history: &History, pod: &[EntrantNumber]) -> Vec<EntrantNumber> {
    let size = pod.len();
    // Thousandths, per player and seat.
    let cost: Vec<Vec<u64>> = pod.iter().map(|player| seat_costs(history, *player, size)).collect();
    let mut order: Vec<usize> = (0..size).collect();
    let mut is_better = true;
    while is_better {
        is_better = false;
        for one in 0..size {
            for other in one + 1..size {
                let (a, b) = (order[one], order[other]);
                if cost[a][other] + cost[b][one] < cost[a][one] + cost[b][other] {
                    order.swap(one, other);
                    is_better = true;
                }
            }
        }
    }
    order.into_iter().map(|player| pod[player]).collect()
}

/// What each seat of a table of this size costs a player.
fn seat_costs(history: &History, player: EntrantNumber, size: usize) -> Vec<u64> {
    let tables = || history.rounds.iter().flat_map(|round| &round.tables);
    let part = |seat: usize, size: usize| 1000 * seat as i64 / (size as i64 - 1).max(1);
    let (mut had, mut sum, mut count) = (vec![0_u64; size], 0, 0);
    for table in tables() {
        if let Some(seat) = table.seats.iter().position(|seated| *seated == player) {
            if let Some(had) = had.get_mut(seat) {
                *had += 1;
            }
            sum += part(seat, table.seats.len());
            count += 1;
        }
    }
    let cost = |seat: usize| {
        // The mean that this seat would give, compared with the middle of the table.
        let off = (sum + part(seat, size) - 500 * (count + 1)).unsigned_abs();
        4_000_000 * had[seat] * had[seat] + off * off
    };
    (0..size).map(cost).collect()
}
