//! The prices of fields, in units of [`plybook_service::load::UNIT_US`] (10 µs of CPU time).
//!
//! A field without a price of its own costs one unit, more for its memory than for its time. A list costs its
//! entries times the most that it can have. Fields that do more have one of the prices here, measured for the most
//! expensive kind; `cargo bench -p plybook-tests --bench prices` compares the prices with the CPU time that
//! the fields really take (docs/benchmarks.md). What depends on the amount of recorded data is priced for a
//! game of 150 plies and a store of ten thousand games. Beyond that, and for games that are not in memory,
//! the limit on CPU time applies. What a mutation takes besides, the transport adds.

use plybook_service::analysis::{PLAYOUTS_DEFAULT, PLAYOUTS_MAX};

/// A fact that is in memory: what a field costs without a price of its own.
pub(super) const FOLD: usize = 1;
/// A position as JSON, its key, a text, or a document.
pub(super) const TEXT: usize = 2;
/// Finding the entries of a list, before it is cut into pages.
pub(super) const LIST: usize = 5;
/// A position of a game, at most 63 actions from a kept one.
pub(super) const AT_PLY: usize = 8;
/// A lookup: in the index of positions, of the figures of a game, of players by name, of a bracket.
pub(super) const LOOKUP: usize = 10;
/// A scene, or how an action is put together on the board, with pictures of what it is made of.
pub(super) const SCENE: usize = 15;
/// Something that takes all of a log: folding or verifying it, its record, its analysis, a proof of its events.
pub(super) const LOG: usize = 50;
/// Something about a hundred entrants or games, such as standings. A QR code takes as long.
pub(super) const ENTRANTS: usize = 100;
/// Something added up over all games of a player or a filter, or over all encounters of a tournament.
pub(super) const GAMES: usize = 300;
/// Pairing the rounds of a tournament again, or opening one, with its games.
pub(super) const PAIRING: usize = 10_000;
/// Searching as many positions as one answer may.
pub(super) const SEARCH: usize = 20_000;

/// The seats of a game, each at the price of its fields: most games have two.
pub(super) const SEATS: usize = 4;
/// The number of imports that the price of a game counts: one, and a few that continue it.
pub(super) const IMPORTS: usize = 4;
/// The opponents at a table, each at the price of its fields: most tables have two seats.
pub(super) const OPPONENTS: usize = 2;
/// The tie-breaks of a tournament, each at the price of its fields.
pub(super) const TIE_BREAKS: usize = 5;
/// The positions of an analysis.
pub(super) const ANALYSED_PLIES: usize = 50;
/// The events in an answer of the feed, each at the price of its fields.
pub(super) const FEED: usize = 16;

/// A game as it stands, or folding its log up to the event `at`.
pub(super) fn folded(at: Option<i64>) -> usize {
    at.map_or(FOLD, |_| LOG)
}

/// So many positions of a game one after another.
pub(super) fn positions(span: usize) -> usize {
    AT_PLY + span / 4
}

/// The scenes of so many plies, with everything that they share only once.
pub(super) fn scenes(span: usize) -> usize {
    SCENE + 5 * span
}

/// Judging and applying so many actions.
pub(super) fn actions(count: usize) -> usize {
    1 + count / 5
}

/// The nodes of a variation tree.
pub(super) fn tree(nodes: usize) -> usize {
    LIST + nodes / 5
}

/// Searching a position with so many playouts.
pub(super) fn playouts(count: Option<u32>) -> usize {
    8 * count.unwrap_or(PLAYOUTS_DEFAULT).min(PLAYOUTS_MAX) as usize
}

/// Importing a record.
pub(super) fn import(record: &str) -> usize {
    FOLD + record.len() / 20
}
