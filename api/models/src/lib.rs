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

use plybook_events::LogId;
use plybook_store::Store;

pub use columns::{Distribution, Scan, Spread};
pub use digests::{
    ActionSummary, Digest, Digests, FigureColumns, FirstActionSum, KindDigests, LuckSum, PositionSummary, Snapshot,
    short_key, shorten,
};
pub use error::{FilterError, ModelError};
pub use filter::{Audience, Filter};
pub use known::{
    Branch, Catalogue, Contents, Excerpt, Import, KindGames, Order, OrderKey, Page, Player, Row, Selection, Summary,
    TournamentFilter, TournamentSummary, folded,
};
pub use ratings::{Form, Point, RankedPlayer, Ratings, Skill};
pub use results::{GameResult, Results};

use self::digests::DigestedGames;
use self::known::Rebuilding;

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
    let mut events = log.events(0, digests::BATCH)?;
    let mut games = Vec::new();
    let place = |known: &Rebuilding, games: Vec<(LogId, Option<Digest>)>| {
        for (id, digest) in &games {
            digested.place(known.contents(), *id, digest.as_ref());
        }
        digested.save_due(known.position(), true);
    };
    while !events.is_empty() && known.position() < total {
        let entries = digests::parse(known.position(), &events);
        // While these are digested, the games before are placed, and the catalogue and the next events get ready.
        let (next, digested) = thread::scope(|scope| {
            let digesting = scope.spawn(|| digests::last_digests(log, &entries));
            place(&known, std::mem::take(&mut games));
            let next = known.apply(&entries).and_then(|()| Ok(log.events(known.position(), digests::BATCH)?));
            (next, digesting.join().expect("digesting does not panic"))
        });
        (events, games) = (next?, digested);
        progress(known.position(), total);
    }
    place(&known, games);
    let position = known.position();
    digested.save(position);
    known.finish()?;
    Ok(position)
}
