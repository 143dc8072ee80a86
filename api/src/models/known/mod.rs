//! What is known about games, players and tournaments without folding them.

mod catalogue;
mod contents;
mod games;
mod imports;
mod names;
mod order;
mod players;
mod rows;
mod summary;
mod tournaments;

pub use catalogue::Catalogue;
pub(super) use catalogue::KEYSPACE;
pub use contents::Contents;
pub use imports::Import;
pub use names::folded;
pub use order::{Branch, Order, OrderKey};
pub use players::Player;
pub use rows::{Row, Rows};
pub use summary::Summary;
pub use tournaments::{TournamentFilter, TournamentSummary};
