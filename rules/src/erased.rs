//! Type-erased games and positions.

use std::any::Any;
use std::fmt::Write;

use plybook_events::{Actor, Hash, Outcome, canonical};
use serde_json::Value;

use crate::engine::{self, Engine};
use crate::fact::StatedChances;
use crate::game::{About, Draw, Game, Last, Position};
use crate::log::{WordError, split_word};
use crate::measure::Tally;
use crate::predicate::{Extremes, Predicate, Scan, likeness};
use crate::repetition::{self, Past};
use crate::{ActionError, Actors, Class, Form, PositionError, Scene, Secret, SetupError, Teams, Timetable, Viewer};
use crate::{AnyCounts, Fact, FactLabel, Figures, Label, Spread, perft, search};

/// The rules of one game, type-erased; see [`Game`].
pub trait Rules: Send + Sync {
    /// See [`Game::ABOUT`].
    fn about(&self) -> &'static About;

    /// See [`Game::MEASURES`].
    fn measures(&self) -> Vec<Label>;

    /// See [`Game::HEAT`].
    fn heat(&self) -> Vec<Label>;

    /// See [`Game::LUCK`].
    fn luck(&self) -> Vec<Label>;

    /// The spread of each of [`Game::LUCK`].
    fn spreads(&self) -> Vec<Spread>;

    /// The facts of [`Game::FACTS`].
    fn facts(&self) -> Vec<FactLabel>;

    /// Empty counts, for a game that is about to start.
    fn counts(&self) -> AnyCounts;

    /// See [`Game::PLACES`].
    fn places(&self) -> &'static [&'static str];

    /// See [`Game::CLASSES`].
    fn classes(&self) -> &'static [Class];

    /// See [`Game::SECRETS`].
    fn secrets(&self) -> &'static [Secret];

    /// The JSON Schema of the setup, with defaults.
    fn setup_schema(&self) -> Value;

    /// See [`Game::complete`].
    ///
    /// # Errors
    /// The setup is invalid; the text says why.
    fn complete(&self, setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError>;

    /// See [`Game::setup_for`].
    fn setup_for(&self, setup: &Value, viewer: Viewer) -> Value;

    /// See [`Game::timetable`].
    fn timetable(&self, setup: &Value) -> Option<Timetable>;

    /// The initial position of a setup.
    ///
    /// # Errors
    /// The setup is invalid; the text says why.
    fn start(&self, setup: &Value) -> Result<Box<dyn AnyPosition>, SetupError>;

    /// Starts a game from a given position; see [`Game::set_up`].
    ///
    /// # Errors
    /// The position is invalid or contradicts the setup; the text says why.
    fn set_up(&self, setup: &Value, position: &Value) -> Result<Box<dyn AnyPosition>, PositionError>;

    /// Reads the complete JSON of a position.
    ///
    /// # Errors
    /// The JSON is not a valid position; the text says why.
    fn position(&self, json: &Value) -> Result<Box<dyn AnyPosition>, PositionError>;
}

/// A position of any game; see [`Position`]. Actions are text in the game's notation.
pub trait AnyPosition: Send + Sync {
    /// The number of seats.
    fn seats(&self) -> u8;

    /// Which seats win and lose together.
    fn teams(&self) -> Teams;

    /// Who may act; empty exactly when the game is over.
    fn to_act(&self) -> Actors;

    /// What is awaited from an actor whose actions cannot be listed.
    fn prompt(&self, actor: Actor) -> Option<Value>;

    /// How an action of an actor is put together on the board; see [`Position::form`].
    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form>;

    /// The legal actions of an actor, sorted by their bytes, each once. `None` if a prompt says what is
    /// awaited; empty if the actor is not to act.
    fn legal(&self, actor: Actor) -> Option<Vec<String>>;

    /// The action of an actor at a place in the list that [`legal`](Self::legal) gives, without making the list: `place`
    /// chooses it, from 0, by their number. `None` if nothing is listed.
    fn legal_at(&self, actor: Actor, place: &mut dyn FnMut(usize) -> usize) -> Option<String>;

    /// The number of legal actions listed over all actors; 0 where prompted.
    fn branching(&self) -> usize;

    /// Judges an action and returns it in canonical notation.
    ///
    /// # Errors
    /// The action is not accepted.
    fn judge(&self, actor: Actor, action: &str) -> Result<String, ActionError>;

    /// Applies an action and returns it in canonical notation, as it is recorded.
    ///
    /// # Errors
    /// The action is not accepted; nothing has changed.
    fn accept(&mut self, actor: Actor, action: &str) -> Result<String, ActionError>;

    /// Applies an action without formatting it again, for actions that are already recorded.
    ///
    /// # Errors
    /// The action is not accepted; nothing has changed.
    fn act(&mut self, actor: Actor, action: &str) -> Result<(), ActionError>;

    /// Like [`AnyPosition::act`], and counts what the action did.
    ///
    /// # Errors
    /// The action is not accepted; nothing has changed.
    fn act_counted(&mut self, actor: Actor, action: &str, counts: &mut AnyCounts) -> Result<(), ActionError>;

    /// Counts what an action did that led from here to the position after it.
    fn count_action(&self, actor: Actor, action: &str, after: &dyn AnyPosition, counts: &mut AnyCounts);

    /// The figures of the game that led to this position, from its counts and its winners, however they were
    /// decided. There are no winners while the game runs, or in a draw.
    fn figures(&self, counts: &AnyCounts, winners: &[u8]) -> Figures;

    /// A predicate that holds here and in positions like this one: the game's own facts with their values.
    fn likeness(&self) -> String;

    /// Extends the extremes of the game that led to this position to it. `mobility` is [`AnyPosition::branching`].
    fn extend(&self, ply: u32, mobility: usize, counts: &AnyCounts, extremes: &mut Extremes);

    /// The plies at which a predicate holds, ascending, as these words are played from this position, which has ply 0.
    /// The predicate was read for this kind; `chances` are asked only if the predicate
    /// [does](Predicate::asks_for_chances).
    ///
    /// # Errors
    /// A word is not accepted.
    fn plies_with(
        &self,
        predicate: &Predicate,
        chances: StatedChances<'_>,
        words: &mut dyn Iterator<Item = &str>,
    ) -> Result<Vec<u32>, WordError>;

    /// A legal action as a viewer may see it; see [`Position::shown`].
    fn shown(&self, viewer: Viewer, actor: Actor, action: &str) -> Option<String>;

    /// Whether a secret action from earlier in the game may be known by now; see [`Position::is_opened`].
    fn is_opened(&self, actor: Actor, action: &str) -> bool;

    /// The action submitted for an absent seat; see [`Position::absent`].
    fn absent(&self, seat: u8) -> Option<String>;

    /// The number of the running round; see [`Position::round`].
    fn round(&self) -> Option<u32>;

    /// How the game ended; `None` while it runs.
    fn outcome(&self) -> Option<Outcome>;

    /// The position as a viewer may see it.
    fn to_json(&self, viewer: Viewer) -> Value;

    /// `SHA-256(kind || 0 || canonical JSON)` of the position as a viewer may see it. Two keys are equal
    /// exactly if the viewer sees equal positions of the same game.
    fn key(&self, viewer: Viewer) -> Hash;

    /// What to draw. `last` is the previous position, who acted, and the action.
    fn scene(&self, viewer: Viewer, last: Option<(&dyn AnyPosition, Actor, &str)>) -> Scene;

    /// The position in words.
    fn text(&self, viewer: Viewer) -> String;

    /// The number of action sequences of length `depth`; see [`perft::perft`].
    fn perft(&self, depth: u32) -> u64;

    /// A random legal action; see [`Position::sample`].
    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> String;

    /// A sensible action; see [`search::choose`].
    fn choose(&self, actor: Actor, draw: &mut Draw<'_>) -> String;

    /// Roughly how well each seat stands; see [`Position::estimate`].
    fn estimates(&self) -> Vec<i32>;

    /// A position that looks the same to a viewer; see [`Position::guess`].
    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Box<dyn AnyPosition>;

    /// Starts to search this position, with what a viewer knows; see [`crate::engine`].
    fn search(&self, viewer: Viewer) -> Box<dyn Engine>;

    /// A boxed clone.
    fn boxed(&self) -> Box<dyn AnyPosition>;

    /// For [`AnyPosition::scene`], which downcasts the previous position.
    fn as_any(&self) -> &dyn Any;
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

impl<G: Game> Rules for G {
    fn about(&self) -> &'static About {
        const { &G::ABOUT }
    }

    fn measures(&self) -> Vec<Label> {
        G::MEASURES.iter().map(|measure| measure.label).collect()
    }

    fn heat(&self) -> Vec<Label> {
        G::HEAT.iter().map(|heat| heat.label).collect()
    }

    fn luck(&self) -> Vec<Label> {
        G::LUCK.iter().map(|chance| chance.label).collect()
    }

    fn spreads(&self) -> Vec<Spread> {
        G::LUCK.iter().map(|chance| chance.spread).collect()
    }

    fn facts(&self) -> Vec<FactLabel> {
        G::FACTS.iter().map(Fact::told).collect()
    }

    fn counts(&self) -> AnyCounts {
        AnyCounts::new::<G::Position>()
    }

    fn places(&self) -> &'static [&'static str] {
        G::PLACES
    }

    fn classes(&self) -> &'static [Class] {
        G::CLASSES
    }

    fn secrets(&self) -> &'static [Secret] {
        G::SECRETS
    }

    fn setup_schema(&self) -> Value {
        repetition::describe(G::setup_schema())
    }

    fn complete(&self, setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        let (setup, times) = repetition::split(setup)?;
        Ok(repetition::join(G::complete(&setup, draw)?, times))
    }

    fn setup_for(&self, setup: &Value, viewer: Viewer) -> Value {
        match repetition::split(setup) {
            Ok((setup, times)) => repetition::join(G::setup_for(&setup, viewer), times),
            Err(_) => G::setup_for(setup, viewer),
        }
    }

    fn timetable(&self, setup: &Value) -> Option<Timetable> {
        G::timetable(&repetition::split(setup).ok()?.0)
    }

    fn start(&self, setup: &Value) -> Result<Box<dyn AnyPosition>, SetupError> {
        let (setup, times) = repetition::split(setup)?;
        Ok(Erased::<G>::start(G::start(&setup)?, times))
    }

    fn set_up(&self, setup: &Value, position: &Value) -> Result<Box<dyn AnyPosition>, PositionError> {
        let (setup, times) = repetition::split(setup).map_err(|why| PositionError(format!("setup: {why}")))?;
        Ok(Erased::<G>::start(G::set_up(&setup, position)?, times))
    }

    fn position(&self, json: &Value) -> Result<Box<dyn AnyPosition>, PositionError> {
        Ok(Erased::<G>::start(G::Position::from_json(json)?, None))
    }
}

/// As many bytes as most positions have as JSON.
const KEY_BYTES: usize = 1_024;

/// A position, typed by the game it belongs to, with those before it if the game ends by repetition.
struct Erased<G: Game>(G::Position, Option<Past>);

impl<G: Game> Clone for Erased<G> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), self.1.clone())
    }
}

type ActionOf<G> = <<G as Game>::Position as Position>::Action;

impl<G: Game> Erased<G> {
    fn start(position: G::Position, times: Option<u8>) -> Box<dyn AnyPosition> {
        let mut start = Self(position, times.map(Past::new));
        start.note();
        Box::new(start)
    }

    /// Notes the position that was just reached.
    fn note(&mut self) {
        let key = self.1.is_some().then(|| self.key(Viewer::All));
        if let (Some(past), Some(key)) = (&mut self.1, key) {
            past.add(key);
        }
    }

    fn apply(&mut self, actor: Actor, action: &ActionOf<G>) {
        self.0.apply(actor, action);
        self.note();
    }

    fn is_repeated(&self) -> bool {
        self.1.as_ref().is_some_and(|past| past.is_over)
    }

    /// Parses an action, if the actor is to act at all.
    fn parse(&self, actor: Actor, action: &str) -> Result<ActionOf<G>, ActionError> {
        let to_act = self.to_act();
        if to_act.is_empty() {
            return Err(ActionError::Over);
        }
        if !to_act.contains(actor) {
            return Err(ActionError::NotToAct(actor));
        }
        Ok(action.parse()?)
    }

    /// Parses an action, if the actor may do it.
    fn judged(&self, actor: Actor, action: &str) -> Result<ActionOf<G>, ActionError> {
        let action = self.parse(actor, action)?;
        self.0.judge(actor, &action)?;
        Ok(action)
    }
}

impl<G: Game> AnyPosition for Erased<G> {
    fn seats(&self) -> u8 {
        self.0.seats()
    }

    fn teams(&self) -> Teams {
        self.0.teams()
    }

    fn to_act(&self) -> Actors {
        if self.is_repeated() { Actors::NONE } else { self.0.to_act() }
    }

    fn prompt(&self, actor: Actor) -> Option<Value> {
        if self.to_act().contains(actor) { self.0.prompt(actor) } else { None }
    }

    fn form(&self, viewer: Viewer, actor: Actor) -> Option<Form> {
        if self.to_act().contains(actor) { self.0.form(viewer, actor) } else { None }
    }

    fn legal(&self, actor: Actor) -> Option<Vec<String>> {
        if self.prompt(actor).is_some() {
            return None;
        }
        let mut actions = Vec::new();
        if self.to_act().contains(actor) {
            self.0.legal(actor, &mut actions);
        }
        let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        Some(texts)
    }

    fn legal_at(&self, actor: Actor, place: &mut dyn FnMut(usize) -> usize) -> Option<String> {
        let mut actions = Vec::new();
        if self.prompt(actor).is_none() && self.to_act().contains(actor) {
            self.0.legal(actor, &mut actions);
        }
        let (mut texts, mut ranges) = (String::new(), Vec::with_capacity(actions.len()));
        for action in &actions {
            let start = texts.len();
            write!(texts, "{action}").expect("a string takes every text");
            ranges.push(start..texts.len());
        }
        if ranges.is_empty() {
            return None;
        }
        let place = place(ranges.len());
        let (_, chosen, _) = ranges.select_nth_unstable_by(place, |a, b| texts[a.clone()].cmp(&texts[b.clone()]));
        Some(texts[chosen.clone()].to_owned())
    }

    fn branching(&self) -> usize {
        let listed = self.to_act().iter().filter(|actor| self.0.prompt(*actor).is_none());
        listed.map(|actor| self.0.count_legal(actor)).sum()
    }

    fn judge(&self, actor: Actor, action: &str) -> Result<String, ActionError> {
        Ok(self.judged(actor, action)?.to_string())
    }

    fn accept(&mut self, actor: Actor, action: &str) -> Result<String, ActionError> {
        let action = self.judged(actor, action)?;
        self.apply(actor, &action);
        Ok(action.to_string())
    }

    fn act(&mut self, actor: Actor, action: &str) -> Result<(), ActionError> {
        let action = self.judged(actor, action)?;
        self.apply(actor, &action);
        Ok(())
    }

    fn act_counted(&mut self, actor: Actor, action: &str, counts: &mut AnyCounts) -> Result<(), ActionError> {
        let action = self.judged(actor, action)?;
        let before = self.0.clone();
        self.apply(actor, &action);
        before.count(actor, &action, &self.0, counts.of_mut::<G::Position>());
        Ok(())
    }

    fn count_action(&self, actor: Actor, action: &str, after: &dyn AnyPosition, counts: &mut AnyCounts) {
        let after = after.as_any().downcast_ref::<Self>().expect("both are positions of one game");
        let action = action.parse().unwrap_or_else(|_| panic!("{action} was applied before"));
        self.0.count(actor, &action, &after.0, counts.of_mut::<G::Position>());
    }

    fn figures(&self, counts: &AnyCounts, winners: &[u8]) -> Figures {
        Tally { position: &self.0, counts: counts.of::<G::Position>(), winners }.figures::<G>()
    }

    fn likeness(&self) -> String {
        likeness::<G>(&self.0)
    }

    fn extend(&self, ply: u32, mobility: usize, counts: &AnyCounts, extremes: &mut Extremes) {
        extremes.extend::<G>(&self.0, ply, mobility, counts.of::<G::Position>());
    }

    fn plies_with(
        &self,
        predicate: &Predicate,
        chances: StatedChances<'_>,
        words: &mut dyn Iterator<Item = &str>,
    ) -> Result<Vec<u32>, WordError> {
        let mut at = self.clone();
        let mut scan = Scan::<G>::new(predicate, &at.0, chances);
        let mut plies = Vec::new();
        plies.extend(scan.holds(&at.0).then_some(0));
        for (word, ply) in words.zip(1..) {
            let (actor, action) = split_word(&at, word)?;
            let action = at.judged(actor, action)?;
            scan.apply(&mut at.0, actor, &action);
            at.note();
            plies.extend(scan.holds(&at.0).then_some(ply));
        }
        Ok(plies)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, action: &str) -> Option<String> {
        if viewer == Viewer::All {
            return Some(action.to_owned());
        }
        self.0.shown(viewer, actor, &self.parse(actor, action).ok()?)
    }

    fn is_opened(&self, actor: Actor, action: &str) -> bool {
        action.parse().is_ok_and(|action| self.0.is_opened(actor, &action))
    }

    fn absent(&self, seat: u8) -> Option<String> {
        self.0.absent(seat).map(|action| action.to_string())
    }

    fn round(&self) -> Option<u32> {
        self.0.round()
    }

    fn outcome(&self) -> Option<Outcome> {
        let repeated = || self.is_repeated().then(|| Outcome::draw(repetition::REASON));
        self.0.outcome().or_else(repeated)
    }

    fn to_json(&self, viewer: Viewer) -> Value {
        self.0.to_json(viewer)
    }

    fn key(&self, viewer: Viewer) -> Hash {
        let mut bytes = Vec::with_capacity(KEY_BYTES);
        bytes.extend_from_slice(G::ABOUT.kind.as_bytes());
        bytes.push(0);
        canonical::write(&self.0.view(viewer), &mut bytes).expect("positions are canonical");
        Hash::of_parts(&[&bytes])
    }

    fn scene(&self, viewer: Viewer, last: Option<(&dyn AnyPosition, Actor, &str)>) -> Scene {
        let parsed = last.and_then(|(before, actor, action)| {
            let before = before.as_any().downcast_ref::<Self>()?;
            Some((before, actor, action.parse().ok()?))
        });
        let last = parsed.as_ref().map(|(before, actor, action)| Last { before: &before.0, actor: *actor, action });
        Scene { kind: G::ABOUT.kind, ..self.0.scene(viewer, last) }
    }

    fn text(&self, viewer: Viewer) -> String {
        self.0.text(viewer)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft::perft(&self.0, depth)
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        self.0.sample(actor, draw).to_string()
    }

    fn choose(&self, actor: Actor, draw: &mut Draw<'_>) -> String {
        search::choose(&self.0, actor, draw).to_string()
    }

    fn estimates(&self) -> Vec<i32> {
        (1..=self.0.seats()).map(|seat| self.0.estimate(seat)).collect()
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Box<dyn AnyPosition> {
        Box::new(Self(self.0.guess(viewer, draw), self.1.clone()))
    }

    fn search(&self, viewer: Viewer) -> Box<dyn Engine> {
        engine::search::<G>(&self.0, viewer)
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
