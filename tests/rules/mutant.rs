//! Games that leak their secrets, to test the tests of secrets, and a game that counts the questions put to
//! it.

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

/// A way for a secret to leak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leak {
    /// Everybody gets the complete JSON of every position.
    Json,
    /// The same, but only once there were as many actions as there are seats: after a first choice that all
    /// make together.
    JsonLater,
    /// Everybody gets the key of the complete position.
    Key,
    /// Everybody gets the text that the arbiter gets.
    Text,
    /// Everybody gets the scene that the arbiter gets.
    Scene,
    /// Every action is shown in full.
    Action,
    /// Everybody's searches know the complete position.
    Search,
    /// Nothing leaks: such a game only counts.
    Nothing,
}

/// How often legal actions were listed, and how often actions were judged, in all games that leak nothing.
pub static COUNTED: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// All ways to leak.
pub const LEAKS: [Leak; 7] =
    [Leak::Json, Leak::JsonLater, Leak::Key, Leak::Text, Leak::Scene, Leak::Action, Leak::Search];

/// A game that leaks in one way, and is otherwise unchanged.
pub struct Mutant {
    inner: &'static dyn Rules,
    leak: Leak,
    about: &'static About,
    /// It leaks once all seats may have acted so often.
    rounds: usize,
}

/// A position of it.
struct MutantPosition {
    inner: Box<dyn AnyPosition>,
    leak: Leak,
    /// The number of actions that led here, and at how many the leak begins.
    actions: usize,
    from: usize,
}

impl Mutant {
    /// A game that leaks, under its own id.
    pub fn of(inner: &'static dyn Rules, leak: Leak) -> &'static Self {
        Box::leak(Box::new(Self { inner, leak, about: inner.about(), rounds: 0 }))
    }

    /// A game that begins to leak after two rounds, which is later than pairs of games differ in.
    pub fn late(inner: &'static dyn Rules, leak: Leak) -> &'static Self {
        Box::leak(Box::new(Self { inner, leak, about: inner.about(), rounds: 2 }))
    }

    /// The same under a different id, so that it can be registered beside the original.
    pub fn named(inner: &'static dyn Rules, leak: Leak, kind: &'static str) -> &'static Self {
        let about = Box::leak(Box::new(About { kind, ..inner.about().clone() }));
        Box::leak(Box::new(Self { inner, leak, about, rounds: 0 }))
    }

    fn position(&self, inner: Box<dyn AnyPosition>) -> Box<dyn AnyPosition> {
        let from = self.rounds * usize::from(inner.seats());
        Box::new(MutantPosition { inner, leak: self.leak, actions: 0, from })
    }
}

impl MutantPosition {
    fn count(&self, what: usize) {
        if self.leak == Leak::Nothing {
            COUNTED[what].fetch_add(1, Ordering::Relaxed);
        }
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
        self.inner.prompt(actor)
    }

    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form> {
        self.inner.form(viewer, actor)
    }

    fn legal(&self, actor: Actor) -> Option<Vec<String>> {
        self.count(0);
        self.inner.legal(actor)
    }

    fn legal_at(&self, actor: Actor, place: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        self.inner.legal_at(actor, place)
    }

    fn branching(&self) -> usize {
        self.inner.branching()
    }

    fn judge(&self, actor: Actor, action: &str) -> Result<String, ActionError> {
        self.count(1);
        self.inner.judge(actor, action)
    }

    fn accept(&mut self, actor: Actor, action: &str) -> Result<String, ActionError> {
        self.count(1);
        self.actions += 1;
        self.inner.accept(actor, action)
    }

    fn act(&mut self, actor: Actor, action: &str) -> Result<(), ActionError> {
        self.count(1);
        self.actions += 1;
        self.inner.act(actor, action)
    }

    fn act_counted(&mut self, actor: Actor, action: &str, counts: &mut AnyCounts) -> Result<(), ActionError> {
        self.actions += 1;
        self.inner.act_counted(actor, action, counts)
    }

    fn count_action(&self, actor: Actor, action: &str, after: &dyn AnyPosition, counts: &mut AnyCounts) {
        self.inner.count_action(actor, action, after, counts);
    }

    fn figures(&self, counts: &AnyCounts, winners: &[u8]) -> Figures {
        self.inner.figures(counts, winners)
    }

    fn likeness(&self) -> String {
        self.inner.likeness()
    }

    fn extend(&self, ply: u32, mobility: usize, counts: &AnyCounts, extremes: &mut Extremes) {
        self.inner.extend(ply, mobility, counts, extremes);
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
        let leaks = self.leak == Leak::JsonLater && self.actions >= usize::from(self.seats());
        self.inner.to_json(if leaks { Viewer::All } else { self.viewer(viewer, Leak::Json) })
    }

    fn key(&self, viewer: Viewer) -> Hash {
        self.inner.key(self.viewer(viewer, Leak::Key))
    }

    fn scene(&self, viewer: Viewer, last: Option<(&dyn AnyPosition, Actor, &str)>) -> Scene {
        self.inner.scene(self.viewer(viewer, Leak::Scene), last)
    }

    fn text(&self, viewer: Viewer) -> String {
        self.inner.text(self.viewer(viewer, Leak::Text))
    }

    fn perft(&self, depth: u32) -> u64 {
        self.inner.perft(depth)
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        self.inner.sample(actor, draw)
    }

    fn choose(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        self.inner.choose(actor, draw)
    }

    fn estimates(&self) -> Vec<i32> {
        self.inner.estimates()
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Box<dyn AnyPosition> {
        Box::new(Self { inner: self.inner.guess(viewer, draw), ..*self })
    }

    fn search(&self, viewer: Viewer) -> Box<dyn Engine> {
        self.inner.search(self.viewer(viewer, Leak::Search))
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(Self { inner: self.inner.boxed(), ..*self })
    }

    fn as_any(&self) -> &dyn Any {
        self.inner.as_any()
    }
}
