//! Shared by the benches: games that are the same in every run, and statistics over repeated runs.

#![allow(dead_code, reason = "each bench uses a part of it")]
#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

use std::time::{Duration, Instant};

use plybook_events::body::{Acted, Created, Ended, SeatEntry};
use plybook_events::{Actor, Body, By, Decider, Event, Hash, LogId, Outcome, Timestamp};
use plybook_rules::{AnyPosition, Rules};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// A game played at random.
pub struct Game {
    pub rules: &'static dyn Rules,
    pub setup: Value,
    pub actions: Vec<(Actor, String)>,
    /// The position they lead to.
    pub last: Box<dyn AnyPosition>,
}

/// Numbers that look random but are the same in every run.
pub fn draw(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed;
    move |n| {
        // SplitMix64, https://prng.di.unimi.it/splitmix64.c
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        ((u128::from(word) * u128::from(n)) >> 64) as u32
    }
}

/// A game of a kind, played at random until it ends or has this many plies.
pub fn random_game(rules: &'static dyn Rules, seed: u64, plies_max: usize) -> Game {
    play(rules, seed, plies_max, |_| true)
}

/// A long game of a kind: actions that would end it are avoided, if a few attempts find another.
pub fn long_game(rules: &'static dyn Rules, seed: u64, plies: usize) -> Game {
    play(rules, seed, plies, |position| !position.to_act().is_empty())
}

fn play(rules: &'static dyn Rules, seed: u64, plies_max: usize, is_good: impl Fn(&dyn AnyPosition) -> bool) -> Game {
    let mut draw = draw(seed);
    let setup = rules.complete(&json!({}), &mut draw).expect("every game has a default setup");
    let mut position = rules.start(&setup).expect("a complete setup starts");
    let mut actions = Vec::new();
    while actions.len() < plies_max {
        let actors: Vec<Actor> = position.to_act().iter().collect();
        if actors.is_empty() {
            break;
        }
        let mut tries = 0;
        let (actor, action, next) = loop {
            let actor = actors[draw(actors.len() as u32) as usize];
            let action = position.sample(actor, &mut draw);
            let mut next = position.boxed();
            next.act(actor, &action).expect("what is sampled is legal");
            tries += 1;
            if is_good(next.as_ref()) || tries == 30 {
                break (actor, action, next);
            }
        };
        actions.push((actor, action));
        position = next;
    }
    Game { rules, setup, actions, last: position }
}

impl Game {
    /// The events of its log, with its secrets in the open, and their bytes.
    pub fn log(&self, id: LogId) -> (Vec<Event>, Vec<Vec<u8>>) {
        chain(id, self.bodies(&[]))
    }

    /// The same, with players; if the rules have not ended it, the arbiter has.
    pub fn finished_log(&self, id: LogId, players: &[LogId]) -> (Vec<Event>, Vec<Vec<u8>>) {
        let mut bodies = self.bodies(players);
        if self.last.outcome().is_none() {
            let ended = Ended { decided_by: Decider::Arbiter, outcome: Outcome::draw("time"), seed: None };
            bodies.push((By::Arbiter, Body::Ended(ended)));
        }
        chain(id, bodies)
    }

    fn bodies(&self, players: &[LogId]) -> Vec<(By, Body)> {
        let about = self.rules.about();
        let player = |n: u8| players.get(usize::from(n) - 1).copied();
        let name = |n: u8| SeatEntry { name: format!("Player {n}"), player: player(n) };
        let created = Created {
            kind: about.kind.to_owned(),
            rules: about.version.to_owned(),
            setup: self.setup.clone(),
            seats: (1..=self.last.seats()).map(name).collect(),
            open: about.secrets,
            ..Created::default()
        };
        let mut bodies = vec![(By::Service, Body::Created(created))];
        for (actor, action) in &self.actions {
            let acted = Acted { action: action.clone(), clock_ms: Some(600_000), fair: false };
            bodies.push(((*actor).into(), Body::Acted(acted)));
        }
        if let Some(outcome) = self.last.outcome() {
            let ended = Ended { decided_by: Decider::Rules, outcome, seed: None };
            bodies.push((By::Service, Body::Ended(ended)));
        }
        bodies
    }
}

/// Bodies as the events of a log, one per second.
pub fn chain(id: LogId, bodies: Vec<(By, Body)>) -> (Vec<Event>, Vec<Vec<u8>>) {
    let mut prev = Hash::ZERO;
    let mut lines = Vec::with_capacity(bodies.len());
    let mut events = Vec::with_capacity(bodies.len());
    for (seq, (by, body)) in bodies.into_iter().enumerate() {
        let at = Timestamp::from_millis(1_790_000_000_000 + 1_000 * seq as i64).expect("it is in range");
        let event = Event { at, by, log: id, prev, seq: seq as u64, body, who: None, signature: None, request: None };
        let bytes = event.to_bytes().expect("it is a small event");
        prev = Hash::of_event(&bytes);
        lines.push(bytes);
        events.push(event);
    }
    (events, lines)
}

/// An id for a bench: version 7, so that it is accepted everywhere.
pub fn id(n: u64) -> LogId {
    let mut bytes = [0; 16];
    bytes[..2].copy_from_slice(&[1, 0x9a]);
    bytes[6] = 0x70;
    bytes[8..].copy_from_slice(&(n | 1 << 63).to_be_bytes());
    LogId::from_bytes(bytes)
}

/// The times of repeated runs of some work, fastest first.
pub struct Runs(Vec<Duration>);

impl Runs {
    /// Runs some work on one core once to warm up, and then this often. What counts is the time on the core:
    /// other work on the machine slows it down only through the caches.
    pub fn of(times: usize, mut work: impl FnMut()) -> Self {
        work();
        Self::from((0..times).map(|_| timed_on_core(&mut work)).collect())
    }

    /// Times measured one by one.
    pub fn from(mut took: Vec<Duration>) -> Self {
        took.sort_unstable();
        Self(took)
    }

    /// Items per second in the median run.
    pub fn median(&self, items: u64) -> f64 {
        items as f64 / self.at(50.0).as_secs_f64()
    }

    /// Items per second in the fastest run.
    pub fn best(&self, items: u64) -> f64 {
        items as f64 / self.0[0].as_secs_f64()
    }

    /// The time that this percentage of the runs stays within (nearest rank).
    pub fn at(&self, percent: f64) -> Duration {
        let rank = (self.0.len() as f64 * percent / 100.0).ceil() as usize;
        self.0[rank.saturating_sub(1)]
    }
}

/// How long some work takes.
pub fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

/// How long some work of this thread occupies a core.
pub fn timed_on_core(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let begun = now();
    work();
    now() - begun
}

/// A number with its thousands separated.
pub fn grouped(n: f64) -> String {
    let digits = format!("{n:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

/// `met`, or `LOST` if a figure misses its goal.
pub fn verdict(is_met: bool) -> &'static str {
    if is_met { "met" } else { "LOST" }
}

/// Milliseconds with three decimals.
pub fn ms(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}
