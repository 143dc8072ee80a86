//! Merging runs of one kind into one.

use std::io;
use std::sync::Arc;

use plybook_store::{Cursor, Table, TableError, TableId, Tables};
use roaring::RoaringBitmap;

use super::node::{self, Head, Sets};
use super::run::{self, HEAD, PLAYED, Run, RunGame, RunWriter, SETS};
use super::tally::Counted;
use super::visits::FEW_MAX;

/// How many runs of about the same size are merged. With more, a question reads more runs; with fewer, a position is written
/// more often.
const FANOUT: usize = 4;

/// The size in bytes up to which runs are of the smallest size.
const SMALL_BYTES: u64 = 4 << 20;

/// A run is written anew if this share of its games has gone.
const GONE_SHARE: u64 = 4;

/// How many positions are merged before it is asked whether to stop.
const STRETCH: usize = 4096;

/// Runs to be merged, as they are at some moment.
pub(super) struct Merge {
    tables: Vec<Arc<Table>>,
    /// The games of each that do not count any more.
    gone: Vec<RoaringBitmap>,
}

/// Why runs were not merged.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unmerged {
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
    /// A table is damaged or cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The disk refuses.
    #[error(transparent)]
    Disk(#[from] io::Error),
}

impl Merge {
    /// What should be merged of the runs of a kind, if anything should.
    pub fn of(runs: &[Run]) -> Option<Self> {
        let among = |chosen: &[&Run]| Self {
            tables: chosen.iter().map(|run| Arc::clone(&run.table)).collect(),
            gone: chosen.iter().map(|run| run.gone.clone()).collect(),
        };
        if let Some(run) = runs.iter().find(|run| run.gone.len() * GONE_SHARE > run.games.len()) {
            return Some(among(&[run]));
        }
        let size = |run: &Run| (run.table.bytes() / SMALL_BYTES).max(1).ilog(FANOUT as u64);
        let of_size = |wanted: u32| runs.iter().filter(|run| size(run) == wanted).collect::<Vec<_>>();
        let chosen = runs.iter().map(|run| of_size(size(run))).find(|chosen| chosen.len() >= FANOUT)?;
        Some(among(&chosen))
    }

    /// Whether a run is one of those that are merged.
    pub fn takes(&self, run: &Run) -> bool {
        self.tables.iter().any(|table| table.id() == run.table.id())
    }

    /// Whether all that are merged are still among these.
    pub fn is_of(&self, runs: &[Run]) -> bool {
        runs.iter().filter(|run| self.takes(run)).count() == self.tables.len()
    }

    /// The numbers of the tables that are merged.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.tables.iter().map(|table| table.id().number)
    }

    /// The games that have gone from these runs since.
    pub fn gone_since(&self, runs: &[Run]) -> RoaringBitmap {
        let before = |run: &Run| self.tables.iter().zip(&self.gone).find(|(table, _)| table.id() == run.table.id());
        runs.iter()
            .filter_map(|run| Some(&run.gone - before(run)?.1))
            .fold(RoaringBitmap::new(), |all, gone| all | gone)
    }

    /// Writes the merged run.
    pub fn write(&self, to: &Tables, is_over: impl Fn() -> bool) -> Result<TableId, Unmerged> {
        let games = self.games()?;
        let mut counted = vec![None; games.last().map_or(0, |last| last.number as usize + 1)];
        for game in &games {
            counted[game.number as usize] = Some(game.counted);
        }
        let bytes = self.tables.iter().map(|table| table.bytes()).sum();
        let mut writer = RunWriter(to.writer(bytes)?);
        let mut cursors = self.tables.iter().map(|table| table.cursor()).collect::<Result<Vec<_>, _>>()?;
        let mut positions = 0_usize;
        while let Some((key, what)) = cursors.iter().filter_map(Cursor::key).min() {
            positions += 1;
            if positions.is_multiple_of(STRETCH) && is_over() {
                return Err(Unmerged::Stopped);
            }
            if what == PLAYED {
                self.write_played(key, &mut cursors, &mut writer)?;
            } else {
                self.write_position(key, &mut cursors, &counted, &mut writer)?;
            }
        }
        Ok(writer.finish(&games)?)
    }

    /// The games that count, in the order of their numbers.
    fn games(&self) -> Result<Vec<RunGame>, TableError> {
        let mut games = Vec::new();
        for (table, gone) in self.tables.iter().zip(&self.gone) {
            let all = run::read_games(&table.note()?).ok_or_else(|| table.damaged())?;
            games.extend(all.into_iter().filter(|game| !gone.contains(game.number)));
        }
        games.sort_unstable_by_key(|game| game.number);
        Ok(games)
    }

    /// Writes what was played in a game, if it counts.
    fn write_played(&self, number: u64, cursors: &mut [Cursor<'_>], to: &mut RunWriter) -> Result<(), Unmerged> {
        let mut is_written = false;
        for (cursor, gone) in cursors.iter_mut().zip(&self.gone) {
            if cursor.key() == Some((number, PLAYED)) {
                if !is_written && !gone.contains(number as u32) {
                    to.0.push((number, PLAYED), cursor.value())?;
                    is_written = true;
                }
                cursor.advance()?;
            }
        }
        Ok(())
    }

    fn write_position(
        &self,
        key: u64,
        cursors: &mut [Cursor<'_>],
        games: &[Option<Counted>],
        to: &mut RunWriter,
    ) -> Result<(), Unmerged> {
        let is_here = |cursor: &Cursor<'_>| cursor.key() == Some((key, HEAD));
        let here: Vec<usize> = (0..cursors.len()).filter(|source| is_here(&cursors[*source])).collect();
        if let [source] = here[..]
            && self.gone[source].is_empty()
        {
            let cursor = &mut cursors[source];
            while let Some(whole) = cursor.key().filter(|(at, what)| *at == key && *what != PLAYED) {
                to.0.push(whole, cursor.value())?;
                cursor.advance()?;
            }
            return Ok(());
        }
        let (mut few, mut many) = (Vec::new(), Sets::new());
        for source in here {
            let (cursor, gone) = (&mut cursors[source], &self.gone[source]);
            let damaged = || self.tables[source].damaged();
            match node::read_head(cursor.value()).ok_or_else(damaged)? {
                Head::Few(visits) => {
                    let left = visits.into_iter().filter(|(_, number)| !gone.contains(*number));
                    few.extend(left.map(|(word, number)| (Box::<str>::from(word), number)));
                }
                Head::Many(sums) => {
                    let words: Vec<Box<str>> = sums.actions.iter().map(|(word, _)| Box::from(*word)).collect();
                    cursor.advance()?;
                    let sets = cursor.key().filter(|found| *found == (key, SETS)).map(|_| cursor.value());
                    let (_, sets) = sets.and_then(|sets| node::read_sets(sets, words.len())).ok_or_else(damaged)?;
                    for (word, set) in words.into_iter().zip(sets) {
                        *many.entry(word).or_default() |= set - gone;
                    }
                }
            }
            cursor.advance()?;
        }
        many.retain(|_, set| !set.is_empty());
        let visits = few.len() as u64 + many.values().map(RoaringBitmap::len).sum::<u64>();
        if visits > FEW_MAX as u64 {
            for (word, number) in few {
                many.entry(word).or_default().insert(number);
            }
            to.push_many(key, &many, games)?;
        } else if visits > 0 {
            let rest = many.iter().flat_map(|(word, set)| set.iter().map(|number| (&**word, number)));
            to.push_few(key, few.iter().map(|(word, number)| (&**word, *number)).chain(rest).collect())?;
        }
        Ok(())
    }
}
