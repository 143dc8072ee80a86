//! For tests: plays a game from words and keeps its counts.

use plybook_events::Actor;

use crate::measure::{Figures, Label, Tally};
use crate::{Game, Position};

/// A position, and the counts of the actions that led to it.
pub(crate) struct CountedGame<G: Game> {
    pub(crate) position: G::Position,
    counts: <G::Position as Position>::Counts,
}

impl<G: Game> CountedGame<G> {
    /// Starts from a position, with nothing counted.
    pub(crate) fn new(position: G::Position) -> Self {
        Self { position, counts: Default::default() }
    }

    /// Applies words, each by the only actor to act or by the seat before its colon.
    pub(crate) fn play(&mut self, words: &str) {
        for word in words.split_whitespace() {
            let seated = word.split_once(':').and_then(|(seat, action)| Some((seat.parse().ok()?, action)));
            let (actor, action) = match seated {
                Some((seat, action)) => (Actor::Seat(seat), action),
                None => (self.position.to_act().only().expect("one is to act"), word),
            };
            let action = action.parse().unwrap_or_else(|why| panic!("{word}: {why}"));
            self.position.judge(actor, &action).unwrap_or_else(|why| panic!("{word}: {why}"));
            self.apply(actor, &action);
        }
    }

    /// Plays at most this many random actions.
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

    fn apply(&mut self, actor: Actor, action: &<G::Position as Position>::Action) {
        let before = self.position.clone();
        self.position.apply(actor, action);
        before.count(actor, action, &self.position, &mut self.counts);
    }

    fn figures(&self, winners: &[u8]) -> Figures {
        Tally { position: &self.position, counts: &self.counts, winners }.figures::<G>()
    }

    /// The value of one measure while nobody has won; 0 where it does not apply.
    pub(crate) fn value(&self, name: &str) -> i64 {
        let index = found(G::MEASURES.iter().map(|measure| measure.label), name);
        self.figures(&[]).values[index].unwrap_or(0)
    }

    /// The sum of a heat over all places.
    pub(crate) fn heat_sum(&self, what: &str) -> i64 {
        self.counts_of(what).iter().map(|count| i64::from(*count)).sum()
    }

    /// Every measure that is not 0, given the winners: `stacks 1, longestSlide none`.
    pub(crate) fn values(&self, winners: &[u8]) -> String {
        let values = G::MEASURES.iter().zip(self.figures(winners).values);
        let told = values.filter(|(_, value)| *value != Some(0)).map(|(measure, value)| match value {
            Some(value) => format!("{} {value}", measure.label.name),
            None => format!("{} none", measure.label.name),
        });
        told.collect::<Vec<_>>().join(", ")
    }

    /// The places with a count above 0: `b2 1, c3 2`.
    pub(crate) fn heat(&self, what: &str) -> String {
        let counts = G::PLACES.iter().zip(self.counts_of(what));
        let told = counts.filter(|(_, count)| **count > 0).map(|(place, count)| format!("{place} {count}"));
        told.collect::<Vec<_>>().join(", ")
    }

    fn counts_of(&self, what: &str) -> &[u32] {
        (G::HEAT[found(G::HEAT.iter().map(|heat| heat.label), what)].counts)(&self.counts)
    }

    /// The luck of each seat: how often, expected in millionths, and actual.
    pub(crate) fn luck(&self, what: &str) -> Vec<(u64, i64, i64)> {
        let index = found(G::LUCK.iter().map(|chance| chance.label), what);
        let luck = self.figures(&[]).luck.swap_remove(index);
        luck.iter().map(|luck| (luck.count, luck.expected, luck.actual)).collect()
    }
}

fn found(mut labels: impl Iterator<Item = Label>, name: &str) -> usize {
    labels.position(|label| label.name == name).expect(name)
}
