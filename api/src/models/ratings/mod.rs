//! Ratings: how strong players are, kind by kind, from the games that were recorded.
//!
//! The model is worked out from the catalogue at every start, and then follows the journal on a thread of its
//! own, so no writer waits for it. A game that changes, comes late or goes is rated in its place, and everything
//! after it again.

mod game;
mod model;
mod skill;
#[cfg(test)]
mod tests;
mod timeline;

pub use game::Form;
pub use model::{Point, Ranked, Ratings};
pub use skill::Skill;
