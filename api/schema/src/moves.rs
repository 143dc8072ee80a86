//! An action of the mainline.

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use async_graphql::connection::{Connection, EmptyFields};
use async_graphql::{Context, Object};
use plybook_events::body::Annotated;
use plybook_events::{Actor, Hash};
use plybook_rules::Viewer;
use plybook_rules::log::Replay;
use plybook_service::error::Problem;

use super::connection::Total;
use super::game::Game;
use super::scalar::{DateTime, HashHex};
use super::{price, spend};

/// A page of a mainline.
pub type MovePage = Connection<u64, Move, Total, EmptyFields>;

/// An action of the mainline.
pub struct Move {
    pub replay: Arc<Replay>,
    pub ply: usize,
    pub viewer: Viewer,
    /// Its annotation.
    pub said: Option<Annotated>,
    /// The keys of the page that it is on.
    pub keys: Arc<Keys>,
}

/// The keys of the positions on a page of moves, computed together when the first is requested: computed
/// singly, each would take up to 63 actions.
pub struct Keys {
    replay: Arc<Replay>,
    viewer: Viewer,
    plies: RangeInclusive<usize>,
    found: OnceLock<Vec<Hash>>,
}

impl Keys {
    /// The keys of plies of a mainline.
    pub fn new(replay: Arc<Replay>, viewer: Viewer, plies: RangeInclusive<usize>) -> Self {
        Self { replay, viewer, plies, found: OnceLock::new() }
    }

    fn of(&self, ply: usize) -> Hash {
        self.found.get_or_init(|| self.find())[ply - self.plies.start()]
    }

    fn find(&self) -> Vec<Hash> {
        let first = *self.plies.start();
        let mut position = self.replay.position_at(first).expect("it is a ply of the mainline");
        let key = |ply| {
            if ply > first {
                self.replay.step(&mut position, ply);
            }
            position.key(self.viewer)
        };
        self.plies.clone().map(key).collect()
    }
}

impl Move {
    fn done(&self) -> &plybook_rules::log::Ply {
        &self.replay.mainline()[self.ply - 1]
    }
}

/// An action of the mainline.
#[Object]
impl Move {
    /// From 1.
    async fn ply(&self) -> usize {
        self.ply
    }

    /// The seq of its event in the log of `game`.
    async fn seq(&self) -> u64 {
        self.done().seq
    }

    /// The game or line whose log contains its event. Plies before the start of a line are in the log of an
    /// ancestor.
    async fn game(&self, ctx: &Context<'_>) -> Result<Game, Problem> {
        let owner = self.replay.owner(self.ply);
        Game::find(ctx, owner).ok_or_else(|| Problem::no_game(owner))
    }

    /// The seat that acted; null for chance.
    async fn seat(&self) -> Option<u8> {
        match self.done().actor {
            Actor::Seat(seat) => Some(seat),
            Actor::Chance => None,
        }
    }

    /// Who acted: `seat:N` or `chance`.
    async fn by(&self) -> String {
        self.done().actor.to_string()
    }

    /// The person who caused it: a role and the id of an access token, such as `recorder:1a2b3c4d`. Null if nobody is
    /// known, as in games that were recorded before this was written down.
    async fn who(&self) -> Option<String> {
        self.done().who.map(|who| who.to_string())
    }

    /// The action in the game's notation; `?` where the viewer may not know it.
    async fn action(&self) -> String {
        self.replay.shown(self.ply, self.viewer).unwrap_or_else(|| "?".to_owned())
    }

    /// The action in words: who did what.
    async fn text(&self) -> String {
        let action = self.replay.shown(self.ply, self.viewer).unwrap_or_else(|| "in secret".to_owned());
        match self.done().actor {
            Actor::Seat(seat) => {
                let name = self.replay.created().seats.get(usize::from(seat) - 1).map_or("", |entry| &entry.name);
                format!("{name}: {action}")
            }
            Actor::Chance => action,
        }
    }

    /// When it was recorded.
    async fn at(&self) -> DateTime {
        DateTime(self.done().at)
    }

    /// Time since the previous event, in milliseconds.
    async fn elapsed_ms(&self) -> f64 {
        // An `Int` ends at 24 days.
        self.done().elapsed_ms as f64
    }

    /// What the seat's clock showed afterwards, in milliseconds.
    async fn clock_ms(&self) -> Option<f64> {
        self.done().clock_ms.map(|ms| ms as f64)
    }

    /// Whether the service rolled it from the committed seed.
    async fn fair(&self) -> bool {
        self.done().is_fair
    }

    /// The comment on it. For plies before the start of a line: the line's own comment, or else its parent's.
    async fn comment(&self, ctx: &Context<'_>) -> Result<Option<&str>, Problem> {
        let comment = self.said.as_ref().and_then(|said| said.comment.as_deref());
        spend(ctx, comment.map_or(0, str::len))?;
        Ok(comment)
    }

    /// Marks such as `!` and `?`.
    async fn glyphs(&self) -> &[String] {
        self.said.as_ref().map_or(&[], |said| &said.glyphs)
    }

    /// The key of the position it led to.
    #[graphql(complexity = "price::TEXT")]
    async fn position_key(&self, ctx: &Context<'_>) -> Result<HashHex, Problem> {
        spend(ctx, 0)?;
        Ok(HashHex(self.keys.of(self.ply)))
    }
}
