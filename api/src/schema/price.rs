//! The prices of fields, in units of [`crate::load::UNIT_US`] (10 µs of CPU time).
//!
//! A field without a price of its own costs one unit, and a list as many times its entries as it may have of
//! them. The prices are those of the dearest kind; `cargo bench -p plybook-tests --bench prices` holds them
//! against what the fields really take (docs/benchmarks.md). What depends on how much is recorded is priced
//! for a game of 150 plies and a store of some ten thousand games; beyond that, the limit on CPU time applies.

/// Something of a game's fold, which is usually in memory.
pub(super) const FOLD: usize = 10;

/// A position of a game, at most 63 actions from one that is kept.
pub(super) const AT_PLY: usize = 60;

/// A position, one action after another position.
pub(super) const STEP: usize = 2;

/// A position as JSON.
pub(super) const POSITION: usize = 5;

/// The key of a position: its canonical JSON, hashed.
pub(super) const KEY: usize = 8;

/// The legal actions of a seat.
pub(super) const LEGAL: usize = 20;

/// What is drawn.
pub(super) const SCENE: usize = 30;

/// A position in words.
pub(super) const TEXT: usize = 4;

/// An action judged and applied by itself.
pub(super) const ACTION: usize = 10;

/// A log verified.
pub(super) const VERIFICATION: usize = 600;

/// A record of a game.
pub(super) const RECORD: usize = 500;

/// A variation tree.
pub(super) const TREE: usize = 300;

/// A rules document, or the schema of a setup.
pub(super) const DOCUMENT: usize = 5;

/// A list that has to be looked for, before it is cut into pages.
pub(super) const LIST: usize = 20;

/// A list that has to be sorted.
pub(super) const SORTED: usize = 500;

/// A look into the index of positions.
pub(super) const EXPLORE: usize = 100;

/// A player's rating.
pub(super) const RATING: usize = 1;

/// The games that statistics are about.
pub(super) const STATISTICS: usize = 100;

/// A number of each of these games, and how they are distributed.
pub(super) const DISTRIBUTION: usize = 100;

/// The seats of a game, each as dear as its fields: most games have two.
pub(super) const SEATS: usize = 4;

/// A change to a game: judged, written, and its answer begun.
pub(super) const CHANGE: usize = 100;

/// A tournament, usually in memory.
pub(super) const TOURNAMENT: usize = 2;

/// A tournament as it stood in the past: its log, folded.
pub(super) const TOURNAMENT_AT: usize = 500;

/// Standings of some hundred entrants.
pub(super) const STANDINGS: usize = 500;

/// Why a round was paired like this; usually kept.
pub(super) const EXPLANATION: usize = 10;

/// A tournament's log verified, with its rounds paired again.
pub(super) const PAIRED_AGAIN: usize = 10_000;

/// An entry into a tournament.
pub(super) const ENTRY: usize = 5;

/// A round opened, with its games.
pub(super) const OPENING: usize = 5_000;

/// The opponents at a table, each as dear as its fields: most tables have two seats.
pub(super) const OPPONENTS: usize = 2;

/// The tie-breaks of a tournament, each as dear as its fields.
pub(super) const TIE_BREAKS: usize = 5;

/// The price of taking in a record.
pub(super) fn import(record: &str) -> usize {
    CHANGE + record.len() / 20
}
