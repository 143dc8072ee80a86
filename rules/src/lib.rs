//! What the facts mean: one folder per game, and what all games share.
//!
//! A game is a [`Game`] with a [`Position`]; [`kinds`] lists them all behind one face, [`Rules`] and
//! [`AnyPosition`]. [`log`] turns the events of a log into positions. Nothing here knows a store, a
//! clock, randomness, async, floats or the order of a hash map: what is drawn comes in as an
//! argument, and the same events give the same positions for ever.

mod actors;
#[cfg(test)]
mod counted;
mod erased;
mod error;
mod game;
pub mod games;
mod json;
pub mod log;
pub mod measure;
pub mod perft;
pub mod playthrough;
pub mod scene;
pub mod search;
mod view;
mod viewer;

pub use actors::Actors;
pub use erased::{AnyPosition, Rules, kind, kinds};
pub use error::{ActionError, Illegal, PositionError, SetupError, Syntax};
pub use game::{About, Draw, Game, Last, Position};
pub use measure::{AnyCounts, Chance, Figures, Heat, Label, Luck, Marks, Measure, Spread};
pub use plybook_events::{Actor, Outcome};
pub use scene::Scene;
pub use viewer::Viewer;
