//! Compaction of the index of positions: runs of about the same size are merged into one.

use std::io;
use std::iter::Peekable;

use plybook_store::ModelFiles;
use roaring::RoaringBitmap;

use super::run::Run;
use super::visit::Visit;

/// How many runs of about the same size are merged. With more, a question reads more runs; with fewer, a visit is written more
/// often.
const FANOUT: usize = 4;

/// The number of visits up to which runs are of the smallest size.
const SMALL: usize = 1 << 18;

/// A run is written anew if this share of its games has gone.
const GONE_SHARE: u64 = 4;

/// Runs to be merged, as they are at some moment.
pub(super) struct Merge(Vec<Run>);

impl Merge {
    /// What should be merged of the runs of a kind, if anything should.
    pub fn of(runs: &[Run]) -> Option<Self> {
        if let Some(run) = runs.iter().find(|run| run.gone.len() * GONE_SHARE > run.games.len()) {
            return Some(Self(vec![run.clone()]));
        }
        let size = |run: &Run| (run.len / SMALL).max(1).ilog(FANOUT);
        let of_size = |wanted: u32| runs.iter().filter(|run| size(run) == wanted).collect::<Vec<_>>();
        let chosen = runs.iter().map(|run| of_size(size(run))).find(|chosen| chosen.len() >= FANOUT)?;
        Some(Self(chosen.into_iter().cloned().collect()))
    }

    /// The runs that are merged, as they were.
    pub fn runs(&self) -> &[Run] {
        &self.0
    }

    /// Whether a run is one of those that are merged.
    pub fn takes(&self, run: &Run) -> bool {
        self.0.iter().any(|merged| merged.id == run.id)
    }

    /// The games that have gone from these runs since.
    pub fn gone_since(&self, runs: &[Run]) -> RoaringBitmap {
        let before = |run: &Run| self.0.iter().find(|merged| merged.id == run.id);
        let since = runs.iter().filter_map(|run| Some(&run.gone - &before(run)?.gone));
        since.fold(RoaringBitmap::new(), |all, gone| all | gone)
    }

    /// Writes the merged run. It ends with [`Interrupted`](io::ErrorKind::Interrupted) when it is over.
    pub fn write(&self, files: &ModelFiles, id: u64, is_over: impl Fn() -> bool) -> io::Result<Run> {
        let mut sources: Vec<_> = self.0.iter().map(|run| run.all().peekable()).collect();
        let visits = std::iter::from_fn(|| {
            if is_over() { Some(Err(io::ErrorKind::Interrupted.into())) } else { next(&mut sources) }
        });
        Run::write(files, id, self.0.iter().map(|run| run.len).sum(), visits)
    }
}

/// The least visit of sources that are sorted, or what is wrong with one.
fn next(sources: &mut [Peekable<impl Iterator<Item = io::Result<Visit>>>]) -> Option<io::Result<Visit>> {
    let firsts = sources.iter_mut().enumerate();
    let firsts = firsts.filter_map(|(at, source)| Some((source.peek()?.as_ref().ok().copied(), at)));
    let (_, least) = firsts.min()?;
    sources[least].next()
}
