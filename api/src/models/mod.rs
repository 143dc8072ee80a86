//! Read models answer questions about all games at once. They are fed from the journal, which always takes
//! precedence over them.

mod columns;
mod digests;
mod filter;
mod known;
mod pace;
mod ratings;
mod results;

use std::thread;

use plybook_store::Store;

pub use columns::{Distribution, Scan, Spread};
pub use digests::{
    ActionSummary, Digest, Digests, FigureColumns, KindDigests, LuckSum, PositionSummary, Snapshot,
    keyspace_name as digests_keyspace, short_key, shorten,
};
pub use filter::{Audience, Filter};
pub use known::{
    Branch, Catalogue, Contents, Excerpt, Import, KindGames, Order, OrderKey, Page, Player, Row, Selection, Summary,
    TournamentFilter, TournamentSummary, folded,
};
pub use ratings::{Form, Point, RankedPlayer, Ratings, Skill};
pub use results::{GameResult, Results};

use crate::error::Problem;

/// Rebuilds all read models from the journal, and returns the number of events read. `progress` is called
/// with the number of events read so far and the total.
///
/// # Errors
/// The journal or a keyspace cannot be read.
pub fn rebuild(store: &Store, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, Problem> {
    let catalogue = store.keyspace(known::KEYSPACE).map_err(Problem::internal)?;
    let digests = store.keyspace(&digests::keyspace_name()).map_err(Problem::internal)?;
    catalogue.clear().map_err(Problem::internal)?;
    digests.clear().map_err(Problem::internal)?;
    if let Some(tables) = store.tables(digests::FOLDER).map_err(Problem::internal)? {
        tables.clear().map_err(Problem::internal)?;
    }
    let mut known = Contents::default();
    let log = store.log();
    let total = log.len();
    let mut entries = log.entries(0, digests::BATCH)?;
    while !entries.is_empty() && known.position < total {
        // The catalogue and the next entries are ready by the time the digests are.
        let (next, rows) = thread::scope(|scope| {
            let rows = scope.spawn(|| digests::parts_of(log, &entries));
            let next =
                known.apply_to(&entries, &catalogue).and_then(|()| Ok(log.entries(known.position, digests::BATCH)?));
            (next, rows.join().expect("digesting does not panic"))
        });
        entries = next?;
        digests.apply(&rows, known.position).map_err(Problem::internal)?;
        progress(known.position, total);
    }
    Ok(known.position)
}
