//! The read model of explorer and statistics: of each recorded game, the result of folding it once. An inverted index of positions
//! is a log-structured merge tree, figures are columns in memory.
//!
//! A separate thread follows the journal, so no writer waits for it. A query waits until every event recorded
//! before it is applied ([`Digests::ask`]). A game is digested whenever it has changed: a running one that is
//! kept in memory goes on from its last ply, others from their logs. Running games with secrets are left out until they
//! are over.

mod batch;
mod digest;
mod digested;
mod figures;
mod follower;
mod growing;
mod kinds;
mod memtable;
mod merge;
mod model;
mod position_index;
mod run;
mod summary;
mod varint;
mod visit;

#[cfg(test)]
mod tests;

pub(super) use batch::{BATCH, ParsedEntry, last_digests, parse};
pub use digest::{Digest, short_key, shorten};
pub(super) use digested::DigestedGames;
pub use figures::{FigureColumns, FirstActionSum, LuckSum};
pub use kinds::KindDigests;
pub use model::{Digests, Snapshot};
pub use summary::{ActionSummary, PositionSummary};
