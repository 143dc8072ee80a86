//! What the events mean: one folder per game, and what all games share.
//!
//! A game is a [`Game`] with a [`Position`]; [`kinds`] lists all of them behind one type-erased interface,
//! [`Rules`] and [`AnyPosition`]. [`log`] turns the events of a log into positions. Nothing here depends on a
//! store, a clock, randomness, async, floats or the iteration order of a hash map. Random choices are passed
//! in as arguments, and the same events always give the same positions.

// The module of one game does not use what others need.
#![cfg_attr(not(feature = "all-games"), allow(unused))]

// Games may refer to this crate by name, so that their folders compile here and elsewhere (tests/example).
extern crate self as plybook_rules;

mod actors;
#[cfg(test)]
mod counted;
pub mod engine;
mod erased;
mod error;
pub mod fact;
pub mod form;
mod game;
pub mod games;
pub mod log;
pub mod measure;
pub mod notation;
mod pairs;
pub mod perft;
pub mod playthrough;
pub mod predicate;
mod registry;
pub mod repetition;
pub mod scene;
pub mod search;
mod secret;
mod set;
pub mod setup;
mod teams;
pub mod timetable;
mod toss;
pub mod view;
mod viewer;

pub use actors::Actors;
pub use erased::{AnyPosition, Rules};
pub use error::{ActionError, Illegal, PositionError, SetupError, Syntax};
pub use fact::{Argument, Fact, FactLabel};
pub use form::Form;
pub use game::{About, Draw, Game, Last, Position, listed, shuffle};
pub use measure::{AnyCounts, Chance, Figures, Heat, Label, Luck, Marks, Measure, Spread};
pub use plybook_events::{Actor, Outcome};
pub use registry::{RegisterError, kind, kinds, register_kinds};
pub use scene::{Class, Scene};
pub use secret::{Opens, Secret};
pub use set::{Bits, Numbered, Set};
pub use setup::SetupReader;
pub use teams::Teams;
pub use timetable::{Deadline, Timetable};
pub use viewer::Viewer;
