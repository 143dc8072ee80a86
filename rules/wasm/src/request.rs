//! What can be asked of the module.

use plybook_events::{IdError, LogId};
use plybook_rules::Viewer;
use serde_json::{Map, Value};

use crate::answer::Refusal;

/// A request. As JSON, its name is the member `do`, in lower case, and its other members are named as here; those that are
/// optional may be missing or null.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The games of the module, with the versions of their rules.
    Kinds,
    /// Checks a record, as `plybook verify` does, and keeps the games in it that can be folded.
    Open {
        /// A JSON record, or the logs of games as NDJSON: of one game, or of a line and all that it continues.
        text: String,
    },
    /// Positions of a game that was opened.
    Positions {
        /// The log of the game, or of a line in its record.
        game: LogId,
        /// The first ply.
        from: usize,
        /// The last ply, included.
        to: usize,
        /// What to say of each.
        look: Look,
    },
    /// Plays actions after a ply of a game that was opened.
    Play {
        /// The log of the game, or of a line in its record.
        game: LogId,
        /// The ply.
        ply: usize,
        /// Actions, with their seat (`2:LUR`) where several are to act.
        actions: Vec<String>,
        /// What to say of the last position.
        look: Look,
    },
    /// Plays actions from the start of a game.
    Fold {
        /// The kind of game.
        kind: String,
        /// The setup, an object; what is missing has its default.
        setup: Value,
        /// A complete position to start from.
        position: Option<Value>,
        /// As for `play`.
        actions: Vec<String>,
        /// What to say of the last position.
        look: Look,
    },
    /// Forgets the games that were opened.
    Close,
}

/// What to say of positions, and to whom: the members `viewer` and `parts` of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Who looks; by default, somebody who sees everything.
    pub viewer: Viewer,
    /// What to say.
    pub parts: Vec<Part>,
}

/// What is said of a position, besides its ply, who acted, what, and who is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `scene`: what to draw.
    Scene,
    /// `text`: the position in words.
    Text,
    /// `legal`: the legal actions by actor, and what is awaited where they cannot be listed.
    Legal,
    /// `form`: how actions are put together on the board, by actor; nothing for those that simply name places.
    Form,
    /// `position`: the position itself, with its key.
    Position,
}

/// How many sorts of [`Part`] there are.
const PARTS: usize = 5;

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// The bytes are no request; the text says what is wrong. They are read by hand: derived, this would be 40 kB of the
    /// module.
    pub fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        let value = serde_json::from_slice(bytes).map_err(|why| Refusal::bad(format!("the request: {why}")))?;
        let Value::Object(members) = value else { return Err(Refusal::bad("a request is an object")) };
        let mut of = Members(members);
        let request = match of.text("do")?.as_str() {
            "kinds" => Self::Kinds,
            "open" => Self::Open { text: of.text("text")? },
            "positions" => {
                Self::Positions { game: of.game()?, from: of.number("from")?, to: of.number("to")?, look: of.look()? }
            }
            "play" => {
                Self::Play { game: of.game()?, ply: of.number("ply")?, actions: of.texts("actions")?, look: of.look()? }
            }
            "fold" => Self::Fold {
                kind: of.text("kind")?,
                setup: of.take("setup").unwrap_or_else(|| Value::Object(Map::new())),
                position: of.take("position"),
                actions: of.texts("actions")?,
                look: of.look()?,
            },
            "close" => Self::Close,
            _ => return Err(Refusal::bad("`do` is `kinds`, `open`, `positions`, `play`, `fold` or `close`")),
        };
        match of.0.keys().next() {
            None => Ok(request),
            Some(name) => Err(Refusal::bad(format!("there is no member `{name}`"))),
        }
    }
}

/// The members of a request that were not read yet.
struct Members(Map<String, Value>);

impl Members {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<String, Refusal> {
        match self.take(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(Refusal::bad(format!("`{name}` is a text"))),
        }
    }

    fn number(&mut self, name: &str) -> Result<usize, Refusal> {
        let number = self.take(name).and_then(|value| value.as_u64());
        let number = number.and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| Refusal::bad(format!("`{name}` is a whole number from 0")))
    }

    fn texts(&mut self, name: &str) -> Result<Vec<String>, Refusal> {
        let wrong = || Refusal::bad(format!("`{name}` is a list of texts"));
        let Some(Value::Array(values)) = self.take(name) else { return Err(wrong()) };
        let texts = values.into_iter().map(|value| match value {
            Value::String(text) => Ok(text),
            _ => Err(wrong()),
        });
        texts.collect()
    }

    fn game(&mut self) -> Result<LogId, Refusal> {
        self.text("game")?.parse().map_err(|why: IdError| Refusal::bad(format!("`game`: {why}")))
    }

    fn look(&mut self) -> Result<Look, Refusal> {
        let viewer = match self.take("viewer") {
            None => Viewer::All,
            Some(Value::String(name)) => name.parse::<Viewer>().map_err(|why| Refusal::bad(why.to_string()))?,
            Some(_) => return Err(Refusal::bad("`viewer` is a text")),
        };
        let part = |name: String| match name.as_str() {
            "scene" => Ok(Part::Scene),
            "text" => Ok(Part::Text),
            "legal" => Ok(Part::Legal),
            "form" => Ok(Part::Form),
            "position" => Ok(Part::Position),
            _ => Err(Refusal::bad("`parts` are `scene`, `text`, `legal`, `form` and `position`")),
        };
        let parts = self.texts("parts")?.into_iter().map(part).collect::<Result<Vec<_>, _>>()?;
        if parts.len() > PARTS {
            Err(Refusal::bad("each of `parts` is named once"))
        } else {
            Ok(Look { viewer, parts })
        }
    }
}
