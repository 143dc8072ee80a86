//! Games that leak their secrets, to test the tests of secrets; a game that counts the questions put to it; and games
//! that are read from guesses.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};

use plybook_events::{Actor, Hash, Outcome};
use plybook_rules::engine::Engine;
use plybook_rules::fact::StatedChances;
use plybook_rules::log::WordError;
use plybook_rules::predicate::{Extremes, Predicate};
use plybook_rules::{
    About, ActionError, Actors, AnyCounts, AnyPosition, Class, Draw, FactLabel, Figures, Form, Label, PositionError,
    Rules, Scene, Secret, SetupError, Spread, Teams, Timetable, Viewer,
};
use serde_json::Value;

use crate::numbers::Numbers;

/// A way for a secret to leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// Everybody gets the complete JSON of every position.
    Json,
    /// The same, but only once there were as many actions as there are seats: after a first choice that all
    /// make together.
    JsonLater,
    /// Seat 2 gets the complete JSON of every position, and nobody else does.
    Seat,
    /// Everybody gets the key of the complete position.
    Key,
    /// Everybody gets the text that the arbiter gets.
    Text,
    /// Everybody gets the scene that the arbiter gets.
    Scene,
    /// The JSON for everybody, and so the key, contains a number that depends on everything.
    Sum,
    /// Every action is shown in full.
    Action,
    /// Everybody's searches know the complete position.
    Search,
    /// Nothing leaks: such a game only counts.
    Nothing,
    /// Nothing leaks.
    Nowhere,
}

/// How often legal actions were listed, and how often actions were judged, in all games that leak nothing.
pub static COUNTED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// All ways to leak.
pub const LEAKS: [Leak; 8] =
    [Leak::Json, Leak::JsonLater, Leak::Key, Leak::Text, Leak::Scene, Leak::Sum, Leak::Action, Leak::Search];

/// The ways in which what a position hides can leak long after it was hidden.
pub const LATE: [Leak; 6] = [Leak::Json, Leak::Seat, Leak::Key, Leak::Text, Leak::Scene, Leak::Sum];

/// A game that leaks in one way, and is otherwise unchanged.
pub struct Mutant {
    inner: &'static dyn Rules,
    leak: Leak,
    about: &'static About,
    /// It leaks once all seats may have acted so often.
    rounds: usize,
    /// Whose guesses its positions are read from.
    guessing: Option<Viewer>,
}

/// A position of it.
struct MutantPosition {
    inner: Box<dyn AnyPosition>,
    /// The position that it is read from instead.
    guess: Option<Box<dyn AnyPosition>>,
    guessing: Option<Viewer>,
    leak: Leak,
    /// The number of actions that led here, and at how many the leak begins.
    actions: usize,
    from: usize,
}

impl Mutant {
    /// A game that leaks, under its own id.
    pub fn of(inner: &'static dyn Rules, leak: Leak) -> &'static Self {
        Self::leaking(inner, leak, inner.about().kind, 0, None)
    }

    /// The same under a different id, so that it can be registered beside the original.
    pub fn named(inner: &'static dyn Rules, leak: Leak, kind: &'static str) -> &'static Self {
        Self::leaking(inner, leak, kind, 0, None)
    }

    /// A game that begins to leak after two rounds, which is later than pairs of games differ in.
    pub fn late(inner: &'static dyn Rules, leak: Leak, kind: &'static str) -> &'static Self {
        Self::leaking(inner, leak, kind, 2, None)
    }

    /// The same, with all that is read of a position read from what a viewer guesses there: a viewer who learns nothing
    /// that is hidden cannot tell.
    pub fn guessed(inner: &'static dyn Rules, leak: Leak, kind: &'static str, viewer: Viewer) -> &'static Self {
        Self::leaking(inner, leak, kind, 2, Some(viewer))
    }

    fn leaking(
        inner: &'static dyn Rules,
        leak: Leak,
        kind: &'static str,
        rounds: usize,
        guessing: Option<Viewer>,
    ) -> &'static Self {
        let about = Box::leak(Box::new(About { kind, ..inner.about().clone() }));
        Box::leak(Box::new(Self { inner, leak, about, rounds, guessing }))
    }

    fn position(&self, inner: Box<dyn AnyPosition>) -> Box<dyn AnyPosition> {
        let from = self.rounds * usize::from(inner.seats());
        let (leak, guessing) = (self.leak, self.guessing);
        let mut position = MutantPosition { inner, guess: None, guessing, leak, actions: 0, from };
        position.guess_again();
        Box::new(position)
    }
}

impl MutantPosition {
    fn count(&self, what: usize) {
        if self.leak == Leak::Nothing {
            COUNTED[what].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// What is read instead of the position.
    fn read(&self) -> &dyn AnyPosition {
        self.guess.as_deref().unwrap_or(self.inner.as_ref())
    }

    /// Guesses what is read, unless nothing is hidden any more.
    fn guess_again(&mut self) {
        let viewer = self.guessing.filter(|_| self.inner.outcome().is_none());
        let mut numbers = Numbers::new("read", "guesses", self.actions as u64);
        self.guess = viewer.map(|viewer| self.inner.guess(viewer, &mut numbers.draw()));
    }

    fn acted<T>(&mut self, done: Result<T, ActionError>) -> Result<T, ActionError> {
        self.actions += 1;
        self.guess_again();
        done
    }

    /// The same with other positions within.
    fn with(&self, inner: Box<dyn AnyPosition>, guess: Option<Box<dyn AnyPosition>>) -> Box<dyn AnyPosition> {
        Box::new(Self { inner, guess, ..*self })
    }

    /// The viewer whose view is shown because of the leak.
    fn viewer(&self, viewer: Viewer, leak: Leak) -> Viewer {
        if self.leak == leak && self.actions >= self.from { Viewer::All } else { viewer }
    }
}

impl Rules for Mutant {
    fn about(&self) -> &'static About {
        self.about
    }

    fn measures(&self) -> Vec<Label> {
        self.inner.measures()
    }

    fn heat(&self) -> Vec<Label> {
        self.inner.heat()
    }

    fn luck(&self) -> Vec<Label> {
        self.inner.luck()
    }

    fn spreads(&self) -> Vec<Spread> {
        self.inner.spreads()
    }

    fn facts(&self) -> Vec<FactLabel> {
        self.inner.facts()
    }

    fn counts(&self) -> AnyCounts {
        self.inner.counts()
    }

    fn places(&self) -> &'static [&'static str] {
        self.inner.places()
    }

    fn classes(&self) -> &'static [Class] {
        self.inner.classes()
    }

    fn secrets(&self) -> &'static [Secret] {
        self.inner.secrets()
    }

    fn setup_schema(&self) -> Value {
        self.inner.setup_schema()
    }

    fn complete(&self, setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        self.inner.complete(setup, draw)
    }

    fn setup_for(&self, setup: &Value, viewer: Viewer) -> Value {
        self.inner.setup_for(setup, viewer)
    }

    fn timetable(&self, setup: &Value) -> Option<Timetable> {
        self.inner.timetable(setup)
    }

    fn start(&self, setup: &Value) -> Result<Box<dyn AnyPosition>, SetupError> {
        self.inner.start(setup).map(|position| self.position(position))
    }

    fn set_up(&self, setup: &Value, position: &Value) -> Result<Box<dyn AnyPosition>, PositionError> {
        self.inner.set_up(setup, position).map(|position| self.position(position))
    }

    fn position(&self, json: &Value) -> Result<Box<dyn AnyPosition>, PositionError> {
        self.inner.position(json).map(|position| self.position(position))
    }
}

impl AnyPosition for MutantPosition {
    fn seats(&self) -> u8 {
        self.inner.seats()
    }

    fn teams(&self) -> Teams {
        self.inner.teams()
    }

    fn to_act(&self) -> Actors {
        self.inner.to_act()
    }

    fn prompt(&self, actor: Actor) -> Option<Value> {
        self.read().prompt(actor)
    }

    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form> {
        self.read().form(viewer, actor)
    }

    fn legal(&self, actor: Actor) -> Option<Vec<String>> {
        self.count(0);
        self.read().legal(actor)
    }

    fn legal_at(&self, actor: Actor, place: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        self.read().legal_at(actor, place)
    }

    fn branching(&self) -> usize {
        self.read().branching()
    }

    fn judge(&self, actor: Actor, action: &str) -> Result<String, ActionError> {
        self.count(1);
        self.inner.judge(actor, action)
    }

    fn accept(&mut self, actor: Actor, action: &str) -> Result<String, ActionError> {
        self.count(1);
        let done = self.inner.accept(actor, action);
        self.acted(done)
    }

    fn act(&mut self, actor: Actor, action: &str) -> Result<(), ActionError> {
        self.count(1);
        let done = self.inner.act(actor, action);
        self.acted(done)
    }

    fn act_counted(&mut self, actor: Actor, action: &str, counts: &mut AnyCounts) -> Result<(), ActionError> {
        let done = self.inner.act_counted(actor, action, counts);
        self.acted(done)
    }

    fn count_action(&self, actor: Actor, action: &str, after: &dyn AnyPosition, counts: &mut AnyCounts) {
        self.inner.count_action(actor, action, after, counts);
    }

    fn figures(&self, counts: &AnyCounts, winners: &[u8]) -> Figures {
        self.read().figures(counts, winners)
    }

    fn likeness(&self) -> String {
        self.read().likeness()
    }

    fn extend(&self, ply: u32, mobility: usize, counts: &AnyCounts, extremes: &mut Extremes) {
        self.read().extend(ply, mobility, counts, extremes);
    }

    fn plies_with(
        &self,
        predicate: &Predicate,
        chances: StatedChances<'_>,
        words: &mut dyn Iterator<Item = &str>,
    ) -> Result<Vec<u32>, WordError> {
        self.inner.plies_with(predicate, chances, words)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, action: &str) -> Option<String> {
        self.inner.shown(self.viewer(viewer, Leak::Action), actor, action)
    }

    fn is_opened(&self, actor: Actor, action: &str) -> bool {
        self.inner.is_opened(actor, action)
    }

    fn absent(&self, seat: u8) -> Option<String> {
        self.inner.absent(seat)
    }

    fn round(&self) -> Option<u32> {
        self.inner.round()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.inner.outcome()
    }

    fn to_json(&self, viewer: Viewer) -> Value {
        let leaks = self.leak == Leak::JsonLater && self.actions >= usize::from(self.seats())
            || viewer == Viewer::Seat(2) && self.viewer(viewer, Leak::Seat) == Viewer::All;
        let mut json = self.read().to_json(if leaks { Viewer::All } else { self.viewer(viewer, Leak::Json) });
        if self.viewer(viewer, Leak::Sum) != viewer {
            json["sum"] = self.key(viewer).to_string().into();
        }
        json
    }

    fn key(&self, viewer: Viewer) -> Hash {
        let viewer = self.viewer(viewer, Leak::Key);
        self.read().key(self.viewer(viewer, Leak::Sum))
    }

    fn scene(&self, viewer: Viewer, last: Option<(&dyn AnyPosition, Actor, &str)>) -> Scene {
        self.read().scene(self.viewer(viewer, Leak::Scene), last)
    }

    fn text(&self, viewer: Viewer) -> String {
        self.read().text(self.viewer(viewer, Leak::Text))
    }

    fn perft(&self, depth: u32) -> u64 {
        self.read().perft(depth)
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        self.inner.sample(actor, draw)
    }

    fn choose(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        self.inner.choose(actor, draw)
    }

    fn estimates(&self) -> Vec<i32> {
        self.read().estimates()
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Box<dyn AnyPosition> {
        self.with(self.inner.guess(viewer, draw), None)
    }

    fn search(&self, viewer: Viewer) -> Box<dyn Engine> {
        self.read().search(self.viewer(viewer, Leak::Search))
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        self.with(self.inner.boxed(), self.guess.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self.read().as_any()
    }
}
