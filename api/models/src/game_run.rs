//! Runs: a few bytes about each of some games, in tables that are never changed.
//!
//! The key of a game is the number of its kind (32 bits) and its own number (32 bits). The note of a table lists the keys, in
//! Roaring's portable format. What has changed since is in a newer run.

use std::io;
use std::sync::Arc;

use plybook_store::{Cursor, Table, TableError, TableId, Tables};
use roaring::RoaringTreemap;

/// A game: the number of its kind in the upper half, and its own number.
pub(super) type GameKey = u64;

/// The bytes of a game in a table, or less.
const GAME_BYTES: u64 = 512;

/// Something about games, in a table. Clones refer to the same one.
#[derive(Clone)]
pub(super) struct GameRun {
    pub table: Arc<Table>,
    /// The games about which this is said here, and in no newer run.
    pub games: RoaringTreemap,
}

/// Why runs were not merged.
#[derive(Debug, thiserror::Error)]
pub(super) enum UnmergedRuns {
    /// One of them cannot be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The disk refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl GameRun {
    /// A table, whose games are in no newer run.
    fn new(table: Table) -> Result<Self, TableError> {
        let games = RoaringTreemap::deserialize_from(&*table.note()?).map_err(|_| table.damaged())?;
        Ok(Self { table: Arc::new(table), games })
    }

    /// What is said about a game.
    pub fn get(&self, game: GameKey) -> Result<Vec<u8>, TableError> {
        self.table.get((game, 0))?.ok_or_else(|| self.table.damaged())
    }

    /// Has the system begin to read what is said about a game.
    pub fn prefetch(&self, game: GameKey) {
        self.table.prefetch((game, 0));
    }

    /// Goes on to a game that counts.
    fn skip(&self, cursor: &mut Cursor<'_>) -> Result<(), TableError> {
        while cursor.key().is_some_and(|(game, _)| !self.games.contains(game)) {
            cursor.advance()?;
        }
        Ok(())
    }

    fn merge(tables: &Tables, one: &Self, other: &Self) -> Result<TableId, UnmergedRuns> {
        let mut writer = tables.writer(one.table.bytes() + other.table.bytes())?;
        let (mut left, mut right) = (one.table.cursor()?, other.table.cursor()?);
        loop {
            one.skip(&mut left)?;
            other.skip(&mut right)?;
            let cursor = match (left.key(), right.key()) {
                (None, None) => break,
                (Some(key), other) if other.is_none_or(|other| key < other) => &mut left,
                _ => &mut right,
            };
            writer.push(cursor.key().expect("it is at a pair"), cursor.value())?;
            cursor.advance()?;
        }
        Ok(writer.finish(&note(&(&one.games | &other.games)))?)
    }
}

/// Opens runs, the newest last.
pub(super) fn open_runs(
    tables: &Tables,
    ids: impl DoubleEndedIterator<Item = TableId>,
) -> Result<Vec<GameRun>, TableError> {
    let mut runs = Vec::new();
    let mut newer = RoaringTreemap::new();
    for id in ids.rev() {
        let mut run = GameRun::new(tables.table(&id)?)?;
        run.games -= &newer;
        newer |= &run.games;
        runs.push(run);
    }
    runs.reverse();
    Ok(runs)
}

/// Writes a run of games in the order of their keys, and merges others with it, so that there are few. The newest is the last.
pub(super) fn push_run<B: AsRef<[u8]>>(
    tables: &Tables,
    runs: &mut Vec<GameRun>,
    games: impl ExactSizeIterator<Item = (GameKey, B)>,
) -> Result<(), UnmergedRuns> {
    if games.len() > 0 {
        let mut writer = tables.writer(games.len() as u64 * GAME_BYTES)?;
        let mut keys = RoaringTreemap::new();
        for (game, bytes) in games {
            writer.push((game, 0), bytes.as_ref())?;
            keys.insert(game);
        }
        for run in &mut *runs {
            run.games -= &keys;
        }
        runs.push(GameRun::new(tables.table(&writer.finish(&note(&keys))?)?)?);
    }
    runs.retain(|run| !run.games.is_empty());
    while let [.., one, other] = runs.as_slice()
        && one.games.len() < 2 * other.games.len()
    {
        let merged = GameRun::new(tables.table(&GameRun::merge(tables, one, other)?)?)?;
        runs.truncate(runs.len() - 2);
        runs.push(merged);
    }
    Ok(())
}

fn note(games: &RoaringTreemap) -> Vec<u8> {
    let mut note = Vec::with_capacity(games.serialized_size());
    games.serialize_into(&mut note).expect("memory takes it");
    note
}
