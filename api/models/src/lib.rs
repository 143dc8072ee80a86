//! Read models answer questions about all games at once. They are fed from the journal, which always takes
//! precedence over them.

mod blocks;
mod columns;
mod digests;
mod error;
mod filter;
mod game_run;
mod known;
mod manifest;
mod pace;
mod ratings;
mod results;

use std::thread;

use plybook_store::{Changes, Store};

pub use columns::{Distribution, Scan, Spread};
pub use digests::{
    ActionSummary, Digest, Digests, FigureColumns, FirstActionSum, KindDigests, LuckSum, PositionSummary, Snapshot,
    keyspace_name as digests_keyspace, short_key, shorten,
};
pub use error::{FilterError, ModelError};
pub use filter::{Audience, Filter};
pub use known::{
    Branch, Catalogue, Contents, Excerpt, Import, KindGames, Order, OrderKey, Page, Player, Row, Selection, Summary,
    TournamentFilter, TournamentSummary, folded,
};
pub use ratings::{Form, Point, RankedPlayer, Ratings, Skill};
pub use results::{GameResult, Results};

use self::known::Rebuilding;

/// Rebuilds all read models from the journal, and returns the number of events read. `progress` is called
/// with the number of events read so far and the total.
///
/// # Errors
/// The journal, a keyspace or a table cannot be read.
pub fn rebuild(store: &Store, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, ModelError> {
    let digests = store.keyspace(&digests::keyspace_name())?;
    digests.clear()?;
    for folder in [digests::FOLDER, digests::FIGURES_FOLDER] {
        if let Some(tables) = store.tables(folder)? {
            tables.clear()?;
        }
    }
    let mut known = Rebuilding::begin(store)?;
    let log = store.log();
    let total = log.len();
    let mut entries = log.entries(0, digests::BATCH)?;
    let mut digested = (Changes::new(), 0);
    while !entries.is_empty() && known.position() < total {
        // While these are digested, what was before is written, and the catalogue and the next entries get ready.
        let (next, rows) = thread::scope(|scope| {
            let rows = scope.spawn(|| digests::parts_of(log, &entries));
            let next = digests.apply(&digested.0, digested.1).map_err(ModelError::from).and_then(|()| {
                known.apply(&entries)?;
                Ok(log.entries(known.position(), digests::BATCH)?)
            });
            (next, rows.join().expect("digesting does not panic"))
        });
        entries = next?;
        digested = (rows, known.position());
        progress(known.position(), total);
    }
    digests.apply(&digested.0, digested.1)?;
    let position = known.position();
    known.finish()?;
    Ok(position)
}
