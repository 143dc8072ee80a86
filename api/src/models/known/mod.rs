//! What is known about games, players and tournaments without folding them.

mod catalogue;
mod contents;
mod games;
mod imports;
mod kind;
mod names;
mod order;
mod ordered;
mod players;
mod query;
mod rows;
mod selection;
mod sets;
mod summary;
mod terms;
mod tournaments;

#[cfg(test)]
mod tests;

pub use catalogue::Catalogue;
pub(super) use catalogue::KEYSPACE;
pub use contents::Contents;
pub use imports::Import;
pub use kind::KindGames;
pub use names::folded;
pub use order::{Branch, Order, OrderKey};
pub use players::Player;
pub(super) use query::Query;
pub use rows::Row;
pub(super) use rows::{By, ordinal};
pub use selection::{Excerpt, Page, Selection};
pub use summary::Summary;
pub(super) use terms::Term;
pub use tournaments::{TournamentFilter, TournamentSummary};
