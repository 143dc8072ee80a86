//! The prices of fields, in units of [`plybook_service::load::UNIT_US`] (10 µs of CPU time).
//!
//! A field without a price of its own costs one unit, more for its memory than for its time. A list costs its
//! entries times the most that it can have. Fields that do more have a price here, measured for the most
//! expensive kind; `cargo bench -p plybook-tests --bench prices` compares the prices with the CPU time that
//! the fields really take (docs/benchmarks.md). What depends on the amount of recorded data is priced for a
//! game of 150 plies and a store of ten thousand games. Beyond that, and for games that are not in memory,
//! the limit on CPU time applies.

use plybook_service::analysis::{PLAYOUTS_DEFAULT, PLAYOUTS_MAX};

/// A fact from a game's fold that is in memory.
pub(super) const FOLD: usize = 1;
/// Folding a log.
pub(super) const LOG: usize = 60;
/// A game as it stands, or folding its log up to the event `at`.
pub(super) fn folded(at: Option<i64>) -> usize {
    at.map_or(FOLD, |_| LOG)
}

/// A position of a game, at most 63 actions from a kept one.
pub(super) const AT_PLY: usize = 8;
/// So many positions of a game one after another.
pub(super) fn positions(span: usize) -> usize {
    AT_PLY + span / 4
}

/// A position as JSON.
pub(super) const POSITION: usize = 2;
/// The key of a position: its canonical JSON, hashed.
pub(super) const KEY: usize = 2;
/// The legal actions of a seat.
pub(super) const LEGAL: usize = 4;
/// How an action is put together on the board, with pictures of what it is made of.
pub(super) const FORM: usize = 15;
/// The scene.
pub(super) const SCENE: usize = 15;
/// The scenes of so many plies, with everything that they share only once.
pub(super) fn scenes(span: usize) -> usize {
    SCENE + 5 * span
}

/// A position in words.
pub(super) const TEXT: usize = 2;
/// Judging and applying so many actions.
pub(super) fn actions(count: usize) -> usize {
    1 + count / 5
}

/// Verifying a log.
pub(super) const VERIFICATION: usize = 40;
/// The record of a game.
pub(super) const RECORD: usize = 50;
/// A proof of the transparency log, from some ten files of hashes; with both roots, if it is one of consistency.
pub(super) const PROOF: usize = 30;
/// The nodes of a variation tree.
pub(super) fn tree(nodes: usize) -> usize {
    5 + nodes / 20
}

/// The events in an answer of the feed, each at the price of its fields.
pub(super) const FEED: usize = 16;
/// Finding the analysis of a game, which is usually kept on disk.
pub(super) const ANALYSIS: usize = 50;
/// The positions of an analysis.
pub(super) const ANALYSED_PLIES: usize = 50;
/// Searching a position with so many playouts.
pub(super) fn playouts(count: Option<u32>) -> usize {
    8 * count.unwrap_or(PLAYOUTS_DEFAULT).min(PLAYOUTS_MAX) as usize
}

/// A rules document, or the schema of a setup.
pub(super) const DOCUMENT: usize = 2;
/// A QR code.
pub(super) const QR: usize = 100;
/// Finding the entries of a list, before it is cut into pages.
pub(super) const LIST: usize = 5;
/// All games that two players played against each other.
pub(super) const AGAINST: usize = 200;
/// A lookup in the index of positions.
pub(super) const EXPLORE: usize = 10;
/// Searching as many positions as one answer may.
pub(super) const SEARCH: usize = 20_000;
/// All measures of the games that one answer of a search usually finds.
pub(super) const FOUND_MEASURES: usize = 50;
/// A player's rating.
pub(super) const RATING: usize = 1;
/// Finding the figures of a game.
pub(super) const FIGURES: usize = 10;
/// Finding the games for statistics.
pub(super) const STATISTICS: usize = 30;
/// Finding the games of a player for statistics.
pub(super) const OF_PLAYER: usize = 250;
/// The luck of each seat in these games.
pub(super) const LUCK: usize = 100;
/// A number from each of these games, with its distribution.
pub(super) const DISTRIBUTION: usize = 10;
/// The reasons for which these games ended.
pub(super) const REASONS: usize = 400;
/// All measures of these games, each with its distribution.
pub(super) const MEASURES: usize = 400;
/// The counts on the boards of these games, added up.
pub(super) const HEAT: usize = 300;
/// The first actions of these games, each with its results.
pub(super) const FIRST_ACTIONS: usize = 150;
/// What the engine says of these games, added up.
pub(super) const ANALYSES: usize = 400;
/// The players of a store, sorted by name.
pub(super) const PLAYERS: usize = 10;
/// The seats of a game, each at the price of its fields: most games have two.
pub(super) const SEATS: usize = 4;
/// The number of imports that the price of a game counts: one, and a few that continue it.
pub(super) const IMPORTS: usize = 4;
/// A change to a game: judging and writing it, and starting the answer.
pub(super) const CHANGE: usize = 50;
/// A tournament, usually in memory.
pub(super) const TOURNAMENT: usize = 2;
/// A tournament in the past: folding its log.
pub(super) const TOURNAMENT_AT: usize = 500;
/// The standings of some hundred entrants.
pub(super) const STANDINGS: usize = 100;
/// Who played whom, of as many entrants.
pub(super) const CROSSTABLE: usize = 300;
/// Checking a pairing by hand.
pub(super) const CHECKED_PAIRING: usize = 250;
/// A bracket, or groups.
pub(super) const STAGES: usize = 10;
/// The reasons of a round's pairing, which are usually cached.
pub(super) const EXPLANATION: usize = 10;
/// Verifying a tournament's log, pairing its rounds again.
pub(super) const PAIRED_AGAIN: usize = 10_000;
/// Entering somebody into a tournament.
pub(super) const ENTRY: usize = 5;
/// Opening a round, with its games.
pub(super) const OPENING: usize = 5_000;
/// The opponents at a table, each at the price of its fields: most tables have two seats.
pub(super) const OPPONENTS: usize = 2;
/// The tie-breaks of a tournament, each at the price of its fields.
pub(super) const TIE_BREAKS: usize = 5;
/// Importing a record.
pub(super) fn import(record: &str) -> usize {
    CHANGE + record.len() / 20
}
