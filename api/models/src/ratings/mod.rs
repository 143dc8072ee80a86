//! Ratings: how strong players are, kind by kind, according to the recorded games.
//!
//! The model is loaded as it was saved, or computed from the catalogue, and then follows the journal on its own thread,
//! so no writer waits for it. A game that changes, arrives late or is removed is rated again in its place,
//! and so is everything after it.

mod game;
mod model;
mod skill;
#[cfg(test)]
mod tests;
mod timeline;

pub use game::Form;
pub use model::{Point, RankedPlayer, Ratings};
pub use skill::Skill;
