//! Read models answer questions about all games at once. They are fed from the journal, which always takes
//! precedence over them.

mod catalogue;
mod columns;
mod digests;
mod error;
mod filter;
mod ratings;
mod results;
mod snapshot;
mod watermark;

use std::thread;

use plybook_events::LogId;
use plybook_store::Store;

pub use catalogue::{
    Branch, Catalogue, Contents, Excerpt, Import, KindGames, Order, OrderKey, Page, Player, Row, Selection, Summary,
    TournamentFilter, TournamentSummary, folded,
};
pub use columns::{Distribution, Scan, Spread};
pub use digests::{
    ActionSummary, Digest, Digests, FigureColumns, FirstActionSum, KindDigests, LuckSum, PositionSummary, Snapshot,
    short_key, shorten,
};
pub use error::{FilterError, ModelError};
pub use filter::{Audience, Filter};
pub use ratings::{Form, Point, RankedPlayer, Ratings, Skill};
pub use results::{GameResult, Results};

use self::catalogue::Rebuilding;
use self::digests::DigestedGames;

/// Rebuilds all read models from the journal, and returns the number of events read. `progress` is called
/// with the number of events read so far and the total.
///
/// # Errors
/// The journal cannot be read, or the disk refuses.
pub fn rebuild(store: &Store, progress: &mut dyn FnMut(u64, u64)) -> Result<u64, ModelError> {
    let digested = DigestedGames::open(store)?;
    digested.clear()?;
    let mut known = Rebuilding::begin(store)?;
    let log = store.log();
    let total = log.len();
    let read = |from| Ok::<_, ModelError>(digests::parse(from, &log.events(from, digests::BATCH)?));
    let mut entries = read(0)?;
    let mut games = Vec::new();
    let place = |known: &Rebuilding, games: Vec<(LogId, Option<Digest>)>| {
        for (id, digest) in &games {
            digested.place(known.contents(), *id, digest.as_ref());
        }
        digested.save_due(known.position(), true);
    };
    while let Some(next) = entries.last().map(|entry| entry.position + 1).filter(|_| known.position() < total) {
        // While these are digested, the next ones are read, the games before are placed, and the catalogue gets ready.
        let (upcoming, applied, last) = thread::scope(|scope| {
            let digesting = scope.spawn(|| digests::last_digests(log, &entries));
            let reading = scope.spawn(|| read(next));
            place(&known, std::mem::take(&mut games));
            let applied = known.apply(&entries);
            let last = digesting.join().expect("digesting does not panic");
            (reading.join().expect("reading does not panic"), applied, last)
        });
        applied?;
        (entries, games) = (upcoming?, last?);
        progress(known.position(), total);
    }
    place(&known, games);
    let position = known.position();
    let ((), finished) = rayon::join(|| digested.save(position), || known.finish());
    finished?;
    Ok(position)
}
