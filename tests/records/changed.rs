//! The rules of a game, with one change.

use std::any::Any;

use plybook_events::{Actor, Hash, Outcome};
use plybook_rules::engine::Engine;
use plybook_rules::fact::StatedChances;
use plybook_rules::log::WordError;
use plybook_rules::predicate::{Extremes, Predicate};
use plybook_rules::{
    About, ActionError, Actors, AnyCounts, AnyPosition, Class, Draw, FactLabel, Figures, Form, Illegal, Label,
    PositionError, Rules, Scene, Secret, SetupError, Spread, Teams, Timetable, Viewer, kind,
};
use serde_json::Value;

/// The change.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    /// Every setup is refused.
    Setup,
    /// The setup has one more seat.
    Seats,
    /// This action is forbidden.
    Forbidden(&'static str),
    /// After this many actions, the game ends with this reason.
    Ends(usize, &'static str),
    /// No game ends.
    Endless,
    /// The end has this reason.
    Reason(&'static str),
    /// Every die shows less than half its maximum.
    Dice,
}

/// The rules of a kind, with a change and the next version.
pub(crate) struct Changed {
    rules: &'static dyn Rules,
    about: &'static About,
    change: Change,
}

/// A position under changed rules.
struct Position {
    inner: Box<dyn AnyPosition>,
    change: Change,
    /// The number of actions done.
    ply: usize,
}

impl Changed {
    pub(crate) fn rules(name: &str, change: Change) -> &'static dyn Rules {
        let rules = kind(name).expect("a kind that there is");
        let was = rules.about();
        let about = About { version: "v2", seats_max: was.seats_max, ..*was };
        Box::leak(Box::new(Self { rules, about: Box::leak(Box::new(about)), change }))
    }
}

impl Rules for Changed {
    fn about(&self) -> &'static About {
        self.about
    }

    fn measures(&self) -> Vec<Label> {
        self.rules.measures()
    }

    fn heat(&self) -> Vec<Label> {
        self.rules.heat()
    }

    fn luck(&self) -> Vec<Label> {
        self.rules.luck()
    }

    fn spreads(&self) -> Vec<Spread> {
        self.rules.spreads()
    }

    fn facts(&self) -> Vec<FactLabel> {
        self.rules.facts()
    }

    fn counts(&self) -> AnyCounts {
        self.rules.counts()
    }

    fn places(&self) -> &'static [&'static str] {
        self.rules.places()
    }

    fn classes(&self) -> &'static [Class] {
        self.rules.classes()
    }

    fn secrets(&self) -> &'static [Secret] {
        self.rules.secrets()
    }

    fn setup_schema(&self) -> Value {
        self.rules.setup_schema()
    }

    fn complete(&self, setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        self.rules.complete(setup, draw)
    }

    fn setup_for(&self, setup: &Value, viewer: Viewer) -> Value {
        self.rules.setup_for(setup, viewer)
    }

    fn timetable(&self, setup: &Value) -> Option<Timetable> {
        self.rules.timetable(setup)
    }

    fn start(&self, setup: &Value) -> Result<Box<dyn AnyPosition>, SetupError> {
        if matches!(self.change, Change::Setup) {
            return Err("the board is too small".into());
        }
        Ok(Box::new(Position { inner: self.rules.start(setup)?, change: self.change, ply: 0 }))
    }

    fn set_up(&self, setup: &Value, position: &Value) -> Result<Box<dyn AnyPosition>, PositionError> {
        self.rules.set_up(setup, position)
    }

    fn position(&self, json: &Value) -> Result<Box<dyn AnyPosition>, PositionError> {
        self.rules.position(json)
    }
}

impl Position {
    fn is_over(&self) -> bool {
        matches!(self.change, Change::Ends(ply, _) if self.ply >= ply)
    }
}

impl AnyPosition for Position {
    fn seats(&self) -> u8 {
        self.inner.seats() + u8::from(matches!(self.change, Change::Seats))
    }

    fn teams(&self) -> Teams {
        self.inner.teams()
    }

    fn to_act(&self) -> Actors {
        if self.is_over() { Actors::NONE } else { self.inner.to_act() }
    }

    fn prompt(&self, actor: Actor) -> Option<Value> {
        self.inner.prompt(actor)
    }

    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form> {
        self.inner.form(viewer, actor)
    }

    fn legal(&self, actor: Actor) -> Option<Vec<String>> {
        self.inner.legal(actor)
    }

    fn legal_at(&self, actor: Actor, place: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        let mut legal = self.legal(actor)?;
        if legal.is_empty() { None } else { Some(legal.swap_remove(place(legal.len()))) }
    }

    fn branching(&self) -> usize {
        self.inner.branching()
    }

    fn judge(&self, actor: Actor, action: &str) -> Result<String, ActionError> {
        if self.is_over() {
            return Err(ActionError::Over);
        }
        match self.change {
            Change::Forbidden(forbidden) if forbidden == action => {
                Err(Illegal("the frog is too tired".to_owned()).into())
            }
            _ => self.inner.judge(actor, action),
        }
    }

    fn accept(&mut self, actor: Actor, action: &str) -> Result<String, ActionError> {
        let canonical = self.judge(actor, action)?;
        self.act(actor, action)?;
        Ok(canonical)
    }

    fn act(&mut self, actor: Actor, action: &str) -> Result<(), ActionError> {
        self.judge(actor, action)?;
        self.inner.act(actor, action)?;
        self.ply += 1;
        Ok(())
    }

    fn act_counted(&mut self, actor: Actor, action: &str, counts: &mut AnyCounts) -> Result<(), ActionError> {
        self.judge(actor, action)?;
        self.inner.act_counted(actor, action, counts)?;
        self.ply += 1;
        Ok(())
    }

    fn count_action(&self, actor: Actor, action: &str, after: &dyn AnyPosition, counts: &mut AnyCounts) {
        let after = after.as_any().downcast_ref::<Self>().expect("both are positions of one game");
        self.inner.count_action(actor, action, after.inner.as_ref(), counts);
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
        self.inner.shown(viewer, actor, action)
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
        match self.change {
            Change::Ends(_, reason) if self.is_over() => Some(Outcome::draw(reason)),
            Change::Endless => None,
            Change::Reason(reason) => self.inner.outcome().map(|end| Outcome { reason: reason.to_owned(), ..end }),
            _ => self.inner.outcome(),
        }
    }

    fn to_json(&self, viewer: Viewer) -> Value {
        self.inner.to_json(viewer)
    }

    fn key(&self, viewer: Viewer) -> Hash {
        self.inner.key(viewer)
    }

    fn scene(&self, viewer: Viewer, _last: Option<(&dyn AnyPosition, Actor, &str)>) -> Scene {
        self.inner.scene(viewer, None)
    }

    fn text(&self, viewer: Viewer) -> String {
        self.inner.text(viewer)
    }

    fn perft(&self, depth: u32) -> u64 {
        self.inner.perft(depth)
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        match self.change {
            Change::Dice => self.inner.sample(actor, &mut |n| draw(n) / 2),
            _ => self.inner.sample(actor, draw),
        }
    }

    fn choose(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        self.inner.choose(actor, draw)
    }

    fn estimates(&self) -> Vec<i32> {
        self.inner.estimates()
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Box<dyn AnyPosition> {
        self.inner.guess(viewer, draw)
    }

    fn search(&self, viewer: Viewer) -> Box<dyn Engine> {
        self.inner.search(viewer)
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(Self { inner: self.inner.boxed(), ..*self })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
