//! For tests: a game that is played by words and counted on the way.

use plybook_events::Actor;

use crate::{Measure, Position, Rules, Tally, kind};

/// A position, and what was counted on the way to it.
pub(crate) struct Counted<P> {
    pub(crate) position: P,
    pub(crate) tally: Tally,
    rules: &'static dyn Rules,
}

impl<P: Position> Counted<P> {
    /// A game of a kind that goes on from a position.
    pub(crate) fn new(name: &str, position: P) -> Self {
        let rules = kind(name).expect("a game is called so");
        Self { tally: Tally::new(rules, position.seats()), position, rules }
    }

    /// Does what the words say, each by the one who is to act, or by the seat before its colon.
    pub(crate) fn play(&mut self, words: &str) {
        for word in words.split_whitespace() {
            let seated = word.split_once(':').and_then(|(seat, token)| Some((seat.parse().ok()?, token)));
            let (actor, token) = match seated {
                Some((seat, token)) => (Actor::Seat(seat), token),
                None => (self.position.to_act().only().expect("one is to act"), word),
            };
            let action: P::Action = token.parse().unwrap_or_else(|why| panic!("{word}: {why}"));
            self.position.judge(actor, &action).unwrap_or_else(|why| panic!("{word}: {why}"));
            self.apply(actor, &action);
        }
    }

    /// Plays at random, as far as so many actions.
    pub(crate) fn play_at_random(&mut self, seed: u64, actions: usize) {
        let mut state = seed;
        let mut draw = |n: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(n)) as u32
        };
        for _ in 0..actions {
            let actors: Vec<Actor> = self.position.to_act().iter().collect();
            if actors.is_empty() {
                return;
            }
            let actor = actors[draw(actors.len() as u32) as usize];
            let action = self.position.sample(actor, &mut draw);
            self.apply(actor, &action);
        }
    }

    fn apply(&mut self, actor: Actor, action: &P::Action) {
        let before = self.position.clone();
        self.position.apply(actor, action);
        before.count(actor, action, &self.position, &mut self.tally);
    }

    /// One measure.
    pub(crate) fn value(&self, name: &str) -> i64 {
        self.tally.value(found(self.rules.measures(), name))
    }

    /// What was counted at all places together.
    pub(crate) fn heat_sum(&self, what: &str) -> i64 {
        self.tally.heat(found(self.rules.heat(), what)).iter().map(|count| i64::from(*count)).sum()
    }

    /// Every measure that is not 0, where these seats have won: `stacks 1, longestSlide none`.
    pub(crate) fn values(&mut self, winners: &[u8]) -> String {
        self.position.standing(winners, &mut self.tally);
        let values = self.rules.measures().iter().zip(self.tally.values());
        let told = values.filter(|(_, value)| **value != Some(0)).map(|(measure, value)| match value {
            Some(value) => format!("{} {value}", measure.name),
            None => format!("{} none", measure.name),
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// The places where something was counted: `b2 1, c3 2`.
    pub(crate) fn heat(&self, what: &str) -> String {
        let counts = self.rules.places().iter().zip(self.tally.heat(found(self.rules.heat(), what)));
        let told = counts.filter(|(_, count)| **count > 0).map(|(place, count)| format!("{place} {count}"));
        told.collect::<Vec<_>>().join(", ")
    }

    /// What chance did to each seat: how often, expected in millionths, and actual.
    pub(crate) fn luck(&self, what: &str) -> Vec<(u64, i64, i64)> {
        let seats = self.tally.luck(found(self.rules.luck(), what)).iter();
        seats.map(|luck| (luck.count, luck.expected, luck.actual)).collect()
    }
}

fn found(list: &[Measure], name: &str) -> usize {
    list.iter().position(|measure| measure.name == name).expect(name)
}
