//! What a game has to say for itself: the two traits that a folder under `games/` implements.

use std::fmt::Display;
use std::str::FromStr;

use plybook_events::{Actor, Outcome};
use serde_json::{Value, json};

use crate::view::check_settings;
use crate::{Actors, Chance, Heat, Illegal, Measure, PositionError, Scene, Secret, SetupError, Syntax, Viewer};

/// Gives the next number, uniform in `0..n`. Where it comes from is the caller's business.
pub type Draw<'a> = dyn FnMut(u32) -> u32 + 'a;

/// The facts of a game.
#[derive(Clone, Debug)]
pub struct About {
    /// Its id in the API and in records.
    pub kind: &'static str,
    /// The version of the rules: a record is replayed under the version it was made with.
    pub version: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Who designed it, and when.
    pub designer: &'static str,
    /// The published rules.
    pub source: &'static str,
    /// The fewest seats.
    pub seats_min: u8,
    /// The most seats.
    pub seats_max: u8,
    /// Whether several seats can be to act at once.
    pub simultaneous: bool,
    /// Whether dice are rolled.
    pub chance: bool,
    /// Whether seats know what others do not.
    pub secrets: bool,
    /// Markdown: the rules as implemented, with numbered rulings.
    pub document: &'static str,
}

/// A game: its facts, and how it is set up.
pub trait Game: Send + Sync + 'static {
    /// A state of the game.
    type Position: Position;

    /// The facts.
    const ABOUT: About;

    /// The numbers that a game gives, each once: 8 to 50, listed in its README too.
    const MEASURES: &'static [Measure<Self::Position>];

    /// What is counted at the places of the board; `visits` is among it, and comes first.
    const HEAT: &'static [Heat<<Self::Position as Position>::Counts>];

    /// What is compared with what was to be expected; nothing in a game without chance.
    const LUCK: &'static [Chance<<Self::Position as Position>::Counts>];

    /// The names of the places where something is counted, as the items of a scene carry them. Of
    /// boards that differ by the setup, those of all.
    const PLACES: &'static [&'static str];

    /// The sorts of secret actions; none in a game in which everybody knows everything.
    const SECRETS: &'static [Secret] = &[];

    /// The JSON Schema of the setup, with defaults.
    fn setup_schema() -> Value;

    /// Checks a setup, fills in the defaults and draws what is drawn: the result is complete,
    /// [`Game::start`] takes it, and completing it again changes nothing.
    ///
    /// # Errors
    /// What is wrong with the setup and what would be right.
    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError>;

    /// The first position of a setup. What the page of the game makes optional may be missing;
    /// unknown keys are refused.
    ///
    /// # Errors
    /// What is wrong with the setup and what would be right.
    fn start(setup: &Value) -> Result<Self::Position, SetupError>;

    /// The first position of a game that starts from a position somebody has set up.
    ///
    /// # Errors
    /// What is wrong with the position, or how it contradicts the setup.
    fn set_up(setup: &Value, position: &Value) -> Result<Self::Position, PositionError> {
        let start = Self::start(setup).map_err(|why| PositionError(format!("setup: {}", why.0)))?;
        let position = Self::Position::from_json(position)?;
        check_settings(&start.settings(), &position.settings())?;
        Ok(position)
    }

    /// What a viewer may see of a complete setup while the game runs.
    fn setup_for(setup: &Value, _viewer: Viewer) -> Value {
        setup.clone()
    }
}

/// The action that led to a position, for drawing it.
pub struct Last<'a, P: Position> {
    /// The position before.
    pub before: &'a P,
    /// Who acted.
    pub actor: Actor,
    /// What was done.
    pub action: &'a P::Action,
}

/// A state of a game and its rules. Equality ignores nothing that a later action could depend on.
///
/// What a page says happens by itself is done by [`Position::apply`] at once.
pub trait Position: Clone + PartialEq + Send + Sync + 'static {
    /// What a seat or chance does.
    ///
    /// It is displayed in canonical notation: ASCII without spaces, and never with `chance:` or
    /// digits and a colon in front, which lists of actions put before a token to say who acts. It is
    /// read from that, and from whatever else the notation allows, whatever the position and the
    /// actor. What [`Position::shown`] gives to viewers who may not see all (`favor:?`) need not be
    /// readable.
    type Action: Clone + PartialEq + Display + FromStr<Err = Syntax> + Send + Sync;

    /// What is counted in the course of a game, for its measures; nothing at first.
    type Counts: Default + Send + Sync + 'static;

    /// How many seats there are: what the setup said, the same from the start of a game to its end,
    /// and within what [`About`] allows.
    fn seats(&self) -> u8;

    /// What the setup settles for the whole game, as a JSON object in the words of a setup: the same
    /// from the start of a game to its end. A position that is set up must agree with its setup in it.
    fn settings(&self) -> Value {
        json!({ "seats": self.seats() })
    }

    /// Who may act; empty exactly when the game is over.
    fn to_act(&self) -> Actors;

    /// What is awaited from an actor that is to act, where its legal actions are too many to list
    /// (a free-form submission, a roll); `None` where they are listed.
    fn prompt(&self, _actor: Actor) -> Option<Value> {
        None
    }

    /// Appends the legal actions of an actor that is to act and not prompted: each once, any order.
    fn legal(&self, actor: Actor, out: &mut Vec<Self::Action>);

    /// How many legal actions [`Position::legal`] would list.
    fn count_legal(&self, actor: Actor) -> usize {
        let mut actions = Vec::new();
        self.legal(actor, &mut actions);
        actions.len()
    }

    /// Judges an action of an actor that is to act.
    ///
    /// # Errors
    /// Why the rules forbid it here, in words a player understands. The text goes to the actor
    /// alone and may name what only the actor knows.
    fn judge(&self, actor: Actor, action: &Self::Action) -> Result<(), Illegal>;

    /// Does an action that [`Position::judge`] allows, and all that follows from it by itself.
    fn apply(&mut self, actor: Actor, action: &Self::Action);

    /// Counts what an action did that led from this position to the next. Costs about as much as
    /// doing it, and is told of each action of a game in order.
    fn count(&self, actor: Actor, action: &Self::Action, after: &Self, counts: &mut Self::Counts);

    /// How the game ended; `None` while it runs.
    ///
    /// [`Outcome::winners`] are the seats that won, ascending; none in a draw. A game that ranks its
    /// seats gives all of them in [`Outcome::ranking`], in groups, the best first: the winners are
    /// then a matter of the game's rules, and not always the first group.
    fn outcome(&self) -> Option<Outcome>;

    /// The position as JSON, as the game's page defines it. For [`Viewer::All`] and once the game
    /// is over it is complete; else it holds what the viewer may see and nothing more.
    fn to_json(&self, viewer: Viewer) -> Value;

    /// Reads the complete JSON of a position, which people may have written: the exact inverse of
    /// [`Position::to_json`] for [`Viewer::All`]. Whatever it accepts is written again as it was read,
    /// so further members are refused, and so is a position that the rules do not allow.
    ///
    /// # Errors
    /// What is wrong with it, in words that people understand.
    fn from_json(json: &Value) -> Result<Self, PositionError>;

    /// The token of an action in this position (before it is applied) as a viewer may see it while
    /// the game runs; `None` hides it whole.
    fn shown(&self, _viewer: Viewer, _actor: Actor, action: &Self::Action) -> Option<String> {
        Some(action.to_string())
    }

    /// Whether a secret action that an actor did earlier is known to everybody in this position.
    /// The end of the game opens all without asking. Asked after each action; what is opened once
    /// is revealed in the log and never hidden again.
    fn is_opened(&self, _actor: Actor, _action: &Self::Action) -> bool {
        false
    }

    /// What is submitted for a seat that does not act in time, or whose player has left for good:
    /// legal whenever the seat is to act, and a game in which nothing else is submitted comes to its
    /// end. `None` where the game has no such thing; that is asked in any position, whether or not the
    /// seat is to act, and must not depend on it.
    fn absent(&self, _seat: u8) -> Option<Self::Action> {
        None
    }

    /// An action of an actor that is to act, drawn at random: uniform among the legal ones, or a
    /// fair roll, or some legal submission.
    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> Self::Action {
        let mut actions = Vec::new();
        self.legal(actor, &mut actions);
        actions.swap_remove(draw(actions.len() as u32) as usize)
    }

    /// What to draw, as a viewer may see it.
    fn scene(&self, viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene;

    /// The position in words, as a viewer may see it: for screen readers and terminals.
    fn text(&self, viewer: Viewer) -> String;

    /// How well a seat stands, roughly: more is better, on a scale of the game's own. Guides the
    /// play of the demo; no rule depends on it.
    fn estimate(&self, seat: u8) -> i32;
}
