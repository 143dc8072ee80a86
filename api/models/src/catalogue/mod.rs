//! A catalogue of games, players and tournaments: what is known without folding them, with bitmap indexes and zone maps.

mod bitmaps;
mod contents;
mod games;
mod imports;
mod kind;
mod model;
mod names;
mod order;
mod players;
mod query;
mod rebuilding;
mod row_columns;
mod rows;
mod saved;
mod selection;
mod summaries;
mod summary;
mod terms;
mod tournaments;

#[cfg(test)]
mod tests;

pub use contents::Contents;
pub use imports::Import;
pub use kind::KindGames;
pub use model::Catalogue;
pub use names::folded;
pub use order::{Branch, Order, OrderKey};
pub use players::Player;
pub(super) use query::Query;
pub(super) use rebuilding::Rebuilding;
pub use row_columns::RowColumns;
pub use rows::Row;
pub(super) use rows::{By, ordinal};
pub use selection::{Excerpt, Page, Selection};
pub use summary::Summary;
pub(super) use terms::Term;
pub use tournaments::{TournamentFilter, TournamentSummary};
