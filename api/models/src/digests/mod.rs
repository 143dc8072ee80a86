//! The result of folding each recorded game once: the positions it passed through, and its measures. An index of positions is
//! in memory and in tables, with what was played in each game; columns of figures are in memory, and saved.
//!
//! A separate thread follows the journal, so no writer waits for it. A query waits until every event recorded
//! before it is applied ([`Digests::ask`]). A game is digested whenever it has changed: a running one that is
//! kept in memory goes on from its last ply, others from their logs. The fold of a long game is saved on the way, for whoever
//! reads it when it is not in memory. Running games with secrets are left out until they
//! are over.

mod batch;
mod digest;
mod digested;
mod figures;
mod follower;
mod growing;
mod kinds;
mod merge;
mod model;
mod node;
mod position_index;
mod recent;
mod run;
mod runs;
mod saved_figures;
mod saved_replays;
mod summary;
mod tally;
mod visits;

#[cfg(test)]
mod tests;

pub(super) use batch::{BATCH, ParsedEntry, last_digests, parse};
pub use digest::{Digest, short_key, shorten};
pub(super) use digested::DigestedGames;
pub use figures::{FigureColumns, FirstActionSum, LuckSum};
pub use kinds::KindDigests;
pub use model::{Digests, Snapshot};
pub use saved_replays::{KEYSPACES as REPLAY_KEYSPACES, LONG_PLIES};
pub use summary::{ActionSummary, PositionSummary};
