//! The two traits that every game under `games/` implements.

use std::fmt::Display;
use std::str::FromStr;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::{Value, json};

use crate::setup::{self, Member};
use crate::view::check_settings;
use crate::{
    Actors, Chance, Class, Fact, Form, Heat, Illegal, Measure, PositionError, Scene, Secret, SetupError, Syntax, Teams,
    Timetable, Viewer,
};

/// Returns a number, uniform in `0..n`. The caller decides where it comes from.
pub type Draw<'a> = dyn FnMut(u32) -> u32 + 'a;

/// Draws the first `count` items from all, one by one, without replacement.
pub fn shuffle<T>(items: &mut [T], count: usize, draw: &mut Draw<'_>) {
    for index in 0..count.min(items.len()) {
        items.swap(index, index + draw((items.len() - index) as u32) as usize);
    }
}

/// Draws one of the legal actions of an actor that is to act and not prompted.
pub fn listed<P: Position>(position: &P, actor: Actor, draw: &mut Draw<'_>) -> P::Action {
    let mut actions = Vec::new();
    position.legal(actor, &mut actions);
    actions.swap_remove(draw(actions.len() as u32) as usize)
}

/// Facts about a game.
#[derive(Clone, Debug)]
pub struct About {
    /// The game's id in the API and in records.
    pub kind: &'static str,
    /// The version of the rules. A record is replayed under the version it was recorded with.
    pub version: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// What it is about and how it is won, in two sentences, for people who have never seen it.
    pub summary: &'static str,
    /// Who designed it, and when.
    pub designer: &'static str,
    /// Where the rules are published.
    pub source: &'static str,
    /// The fewest seats.
    pub seats_min: u8,
    /// The most seats.
    pub seats_max: u8,
    /// Whether several seats may act at the same time.
    pub simultaneous: bool,
    /// Whether dice are rolled.
    pub chance: bool,
    /// Whether some seats know things that others do not.
    pub secrets: bool,
    /// The members of a setup that can be drawn, ascending. The value `"drawn"` asks for that.
    pub drawn: &'static [&'static str],
    /// The rules as implemented, with numbered rulings, in Markdown.
    pub document: &'static str,
}

impl About {
    /// Two seats that act in turn and know everything, without dice; the rest is to be filled in.
    pub const PLAIN: Self = Self {
        kind: "",
        version: "v1",
        title: "",
        summary: "",
        designer: "",
        source: "",
        seats_min: 2,
        seats_max: 2,
        simultaneous: false,
        chance: false,
        secrets: false,
        drawn: &[],
        document: "",
    };
}

/// A game: facts about it, and its setup.
pub trait Game: Send + Sync + 'static {
    /// A position of the game, with the rules.
    type Position: Position;

    /// Facts about the game.
    const ABOUT: About;

    /// The measures of a game, each name once: 8 to 50. The README lists them too.
    const MEASURES: &'static [Measure<Self::Position>];

    /// What is counted per place of the board; `visits` comes first.
    const HEAT: &'static [Heat<<Self::Position as Position>::Counts>];

    /// What is compared with its expected value; empty for games without chance.
    const LUCK: &'static [Chance<<Self::Position as Position>::Counts>] = &[];

    /// What positions can be searched for, each name once and none of those in [`crate::fact::common_facts`]. The
    /// README lists them too.
    const FACTS: &'static [Fact<Self::Position>];

    /// The names of all places that the items of a scene carry, such as spaces and cards; things are counted at them. If the
    /// board depends on the setup, the places of all boards.
    const PLACES: &'static [&'static str];

    /// The classes that only this game's scenes use, besides those in [`crate::scene::SHARED`]. Each needs a
    /// style in `web-viewer/base/scene.css`.
    const CLASSES: &'static [Class] = &[];

    /// The sorts of secret actions; empty if the game has no secrets.
    const SECRETS: &'static [Secret] = &[];

    /// The lead, in [`Position::estimate`], that doubles the odds of a seat against another one.
    /// `plybook-lab calibrate` fits it to games that the engine plays against itself.
    const LEAD: i32;

    /// What `plybook-lab calibrate` found of the chances that the engine states: a file in the game's folder. Empty if it was
    /// never run; then chances are stated as they are.
    const CALIBRATION: &'static str = "";

    /// The members of a setup, each of which stands for itself; otherwise see [`Game::setup_schema`] and [`Game::complete`].
    const SETUP: &'static [Member] = &[];

    /// The JSON Schema of the setup, with defaults.
    fn setup_schema() -> Value {
        let title = format!("Setup of {}", Self::ABOUT.title);
        setup::schema(&title, "All members may be left out.", Self::SETUP)
    }

    /// Checks a setup, fills in the defaults and makes the random choices: members in [`About::drawn`] whose value is
    /// `"drawn"`, and those that are missing if that is the default. The result is complete: [`Game::start`] accepts
    /// it, and completing it again changes nothing. What is drawn depends on nothing but the other members.
    ///
    /// # Errors
    /// The setup is invalid; the text says what is wrong and what would be valid.
    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        let complete = setup::complete(Self::SETUP, setup, draw)?;
        // Members that the game reads by itself are judged by it.
        Self::start(&complete)?;
        Ok(complete)
    }

    /// The initial position of a setup. Members that the rules document makes optional may be missing;
    /// unknown keys are refused.
    ///
    /// # Errors
    /// The setup is invalid; the text says what is wrong and what would be valid.
    fn start(setup: &Value) -> Result<Self::Position, SetupError>;

    /// The initial position of a game that starts from a given position.
    ///
    /// # Errors
    /// The position is invalid, or contradicts the setup.
    fn set_up(setup: &Value, position: &Value) -> Result<Self::Position, PositionError> {
        let start = Self::start(setup).map_err(|why| PositionError(format!("setup: {}", why.0)))?;
        let position = Self::Position::from_json(position)?;
        check_settings(&start.settings(), &position.settings())?;
        Ok(position)
    }

    /// When the rounds of a game with this complete setup are played; `None` if nothing is said about that.
    /// [`Position::round`] tells rounds apart, and [`Position::absent`] what is submitted when one is due.
    fn timetable(_setup: &Value) -> Option<Timetable> {
        None
    }

    /// What a viewer may see of a complete setup while the game runs.
    fn setup_for(setup: &Value, _viewer: Viewer) -> Value {
        setup.clone()
    }
}

/// The action that led to a position, for drawing it.
pub struct Last<'a, P: Position> {
    /// The previous position.
    pub before: &'a P,
    /// Who acted.
    pub actor: Actor,
    /// The action.
    pub action: &'a P::Action,
}

/// A state of a game, with the rules. Equality ignores nothing that a later action could depend on.
///
/// What happens automatically by the rules is part of [`Position::apply`].
pub trait Position: Clone + PartialEq + Send + Sync + 'static {
    /// An action of a seat or of chance.
    ///
    /// `Display` writes canonical notation: ASCII without spaces, never starting with `chance:` or with
    /// digits and a colon, since lists of actions use these prefixes to say who acts. `FromStr` reads that,
    /// and whatever else the notation allows, independently of the position and the actor. It need not read
    /// what [`Position::shown`] returns to viewers who may not see everything (`favor:?`).
    type Action: Clone + PartialEq + Display + FromStr<Err = Syntax> + Send + Sync;

    /// What is counted during a game, for its measures. Starts out empty.
    type Counts: Default + Send + Sync + 'static;

    /// The number of seats: as the setup said, the same throughout the game, and within the limits in
    /// [`About`].
    fn seats(&self) -> u8;

    /// Which seats win and lose together. The outcome names a team's seats together.
    fn teams(&self) -> Teams {
        Teams::alone(self.seats())
    }

    /// What the setup settles for the whole game, as a JSON object in the words of a setup: the same
    /// from the start of a game to its end. A position that is set up must agree with its setup in it.
    fn settings(&self) -> Value {
        json!({ "seats": self.seats() })
    }

    /// Who may act; empty exactly when the game is over.
    fn to_act(&self) -> Actors;

    /// What is awaited from an actor that is to act, if its legal actions are too many to list (a free-form
    /// submission, a roll); `None` if they are listed. An object with `kind` (one word), `description` (a sentence),
    /// `pattern` (a regular expression that the text of every such action fits) and, for a roll, `dice`: the dice of
    /// each seat, such as `{"1": ["d12"]}`.
    fn prompt(&self, _actor: Actor) -> Option<Value> {
        None
    }

    /// How an action of an actor that is to act is put together on the board, if its text does not simply name the
    /// places, as far as a viewer knows: to somebody who does not know where the actor is, [`Form::Routes`] begin wherever
    /// it may be. It must not depend on anything that the viewer may not know.
    fn form(&self, _viewer: Viewer, _actor: Actor) -> Option<Form> {
        None
    }

    /// Appends the legal actions of an actor that is to act and not prompted, each once and in any order.
    fn legal(&self, actor: Actor, out: &mut Vec<Self::Action>);

    /// The number of actions that [`Position::legal`] lists.
    fn count_legal(&self, actor: Actor) -> usize {
        let mut actions = Vec::new();
        self.legal(actor, &mut actions);
        actions.len()
    }

    /// Judges an action of an actor that is to act.
    ///
    /// # Errors
    /// The action is illegal here; the text says why, in words a player understands. It is sent to the actor
    /// alone, and may mention what only the actor knows.
    fn judge(&self, actor: Actor, action: &Self::Action) -> Result<(), Illegal>;

    /// Applies an action that [`Position::judge`] accepts, and everything that follows from it automatically.
    fn apply(&mut self, actor: Actor, action: &Self::Action);

    /// Counts what an action did between this position and the next. Called for each action of a game in
    /// order; costs about as much as applying it.
    fn count(&self, actor: Actor, action: &Self::Action, after: &Self, counts: &mut Self::Counts);

    /// How the game ended; `None` while it runs.
    ///
    /// [`Outcome::winners`] are the seats that won, ascending; empty in a draw. A game that ranks its seats
    /// lists all of them in [`Outcome::ranking`], in groups, best first. The winners follow from the game's
    /// rules; they are not always the first group.
    fn outcome(&self) -> Option<Outcome>;

    /// The position as the game's rules document defines its JSON. It is complete for [`Viewer::All`] and once the game is
    /// over; otherwise it contains only what the viewer may see. Its key is computed from it at every ply of a game, fastest
    /// if the members of structs are in the order of their names.
    fn view(&self, viewer: Viewer) -> impl Serialize;

    /// [`Position::view`] as JSON.
    fn to_json(&self, viewer: Viewer) -> Value {
        serde_json::to_value(self.view(viewer)).expect("a view is plain data")
    }

    /// Reads the complete JSON of a position, which may have been written by hand. The exact inverse of
    /// [`Position::to_json`] for [`Viewer::All`]: whatever it accepts is written back unchanged. Unknown
    /// members are therefore refused, as are positions that the rules do not allow.
    ///
    /// # Errors
    /// The JSON is not a valid position; the text says why, in plain words.
    fn from_json(json: &Value) -> Result<Self, PositionError>;

    /// The text of an action in this position (before it is applied) as a viewer may see it while the game
    /// runs; `None` hides it entirely.
    fn shown(&self, _viewer: Viewer, _actor: Actor, action: &Self::Action) -> Option<String> {
        Some(action.to_string())
    }

    /// Whether everybody may know, in this position, an earlier secret action of an actor. Called after each
    /// action; once opened, the action is revealed in the log and never hidden again. The end of the game
    /// opens everything without a call.
    fn is_opened(&self, _actor: Actor, _action: &Self::Action) -> bool {
        false
    }

    /// The action submitted for a seat that does not act in time, or whose player has left for good. It must
    /// be legal whenever the seat is to act, and a game in which nothing else is submitted must come to an
    /// end. `None` if the game has no such action. May be called in any position; whether it is `None` must
    /// not depend on the position.
    fn absent(&self, _seat: u8) -> Option<Self::Action> {
        None
    }

    /// The number of the running round, from 1, in a game that has a [`Game::timetable`]; 0 while chance is to draw what the
    /// first round begins with.
    fn round(&self) -> Option<u32> {
        None
    }

    /// A random action of an actor that is to act: uniform among the legal ones, a fair roll, or some legal
    /// submission.
    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> Self::Action {
        listed(self, actor, draw)
    }

    /// This position with all that a viewer does not know drawn anew: one that looks the same to the viewer, and
    /// could be the truth. It must not depend on what is hidden.
    #[must_use]
    fn guess(&self, _viewer: Viewer, _draw: &mut Draw<'_>) -> Self {
        self.clone()
    }

    /// What to draw, as a viewer may see it.
    fn scene(&self, viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene;

    /// The position in words, as a viewer may see it, for screen readers and terminals: what the scene says, unless the
    /// game has better words.
    fn text(&self, viewer: Viewer) -> String {
        self.scene(viewer, None).words()
    }

    /// Roughly how well a seat stands: higher is better, on a scale of the game's own ([`Game::LEAD`]). It guides
    /// [`crate::engine`] and the play of the demo; no rule depends on it.
    fn estimate(&self, seat: u8) -> i32;
}
