//! A run: the positions of some games of one kind, in a table.
//!
//! The table has a head for each position, and the sets of those that many games reached (`node.rs`); and of each game, under
//! its number, what was played in it: the length of each word, and the word. Its note lists the games: number of games; of each:
//! number, as the difference from the one before, id (16 bytes), result, and when it was played.

use std::io;
use std::sync::Arc;

use plybook_events::LogId;
use plybook_store::{Numbers, Table, TableError, TableId, TableWriter, push_number, signed, unsigned};
use roaring::RoaringBitmap;

use super::node::{self, Head, Sets};
use super::tally::{Asked, Counted, Tally};
use crate::results::GameResult;

/// The second numbers of keys: of heads.
pub(super) const HEAD: u8 = 0;
/// And of sets.
pub(super) const SETS: u8 = 1;
/// And, where the first number is that of a game, of what was played in it.
pub(super) const PLAYED: u8 = 2;

/// The positions of some games.
pub(super) struct Run {
    pub table: Arc<Table>,
    /// The games in it, by number.
    pub games: RoaringBitmap,
    /// Those of them that changed or went since; they do not count any more.
    pub gone: RoaringBitmap,
}

/// A game in a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RunGame {
    pub number: u32,
    pub id: LogId,
    pub counted: Counted,
}

impl Run {
    /// A run, and its games.
    pub fn new(table: Table) -> Result<(Self, Vec<RunGame>), TableError> {
        let games = read_games(&table.note()?).ok_or_else(|| table.damaged())?;
        let numbers = games.iter().map(|game| game.number).collect();
        Ok((Self { table: Arc::new(table), games: numbers, gone: RoaringBitmap::new() }, games))
    }

    /// Whether a game counts in it.
    pub fn holds(&self, number: u32) -> bool {
        self.games.contains(number) && !self.gone.contains(number)
    }

    /// Has the system begin to read what is needed to add up what was played from a position.
    pub fn prefetch(&self, key: u64, asked: Asked<'_>) {
        self.table.prefetch((key, HEAD));
        if asked.reads_games() {
            self.table.prefetch((key, SETS));
        }
    }

    /// Adds up what was played from a position.
    pub fn tally(&self, key: u64, asked: Asked<'_>, tally: &mut Tally) -> Result<(), TableError> {
        let Some(bytes) = self.table.get((key, HEAD))? else { return Ok(()) };
        match node::read_head(&bytes).ok_or_else(|| self.table.damaged())? {
            Head::Few(mut visits) => {
                visits.retain(|(_, number)| !self.gone.contains(*number));
                tally.add_few(&visits, asked);
            }
            Head::Many(sums) if self.gone.is_empty() && !asked.reads_games() => {
                let actions = sums.actions.iter().map(|(word, totals)| (*word, totals));
                tally.add_totals(&sums.all, sums.newest.iter().copied(), actions);
            }
            Head::Many(sums) => {
                let (all, mut sets) = self.sets(key, sums.actions.len())?;
                for set in &mut sets {
                    *set -= &self.gone;
                }
                let words = sums.actions.iter().map(|(word, _)| *word);
                tally.add_sets(&(all - &self.gone), words.zip(&sets), asked);
            }
        }
        Ok(())
    }

    /// The numbers of the games that reached a position.
    pub fn games_at(&self, key: u64) -> Result<RoaringBitmap, TableError> {
        let Some(bytes) = self.table.get((key, HEAD))? else { return Ok(RoaringBitmap::new()) };
        let all = match node::read_head(&bytes).ok_or_else(|| self.table.damaged())? {
            Head::Few(visits) => visits.iter().map(|(_, number)| *number).collect(),
            Head::Many(sums) => self.sets(key, sums.actions.len())?.0,
        };
        Ok(all - &self.gone)
    }

    /// What was played in a game that it holds, as records write it.
    pub fn words(&self, number: u32) -> Result<Vec<Box<str>>, TableError> {
        let played = self.table.get((number.into(), PLAYED))?;
        played.and_then(|played| node::read_words(&played)).ok_or_else(|| self.table.damaged())
    }

    fn sets(&self, key: u64, words: usize) -> Result<(RoaringBitmap, Vec<RoaringBitmap>), TableError> {
        let bytes = self.table.get((key, SETS))?.ok_or_else(|| self.table.damaged())?;
        node::read_sets(&bytes, words).ok_or_else(|| self.table.damaged())
    }
}

/// Writes a run.
pub(super) struct RunWriter(pub TableWriter);

impl RunWriter {
    /// Adds a position that a few games reached.
    pub fn push_few(&mut self, key: u64, visits: Vec<(&str, u32)>) -> io::Result<()> {
        self.0.push((key, HEAD), &node::few(visits))
    }

    /// Adds a position that many games reached. `games` says how games are counted.
    pub fn push_many(&mut self, key: u64, sets: &Sets, games: &[Option<Counted>]) -> io::Result<()> {
        let (head, sets) = node::many(sets, |number| games[number as usize].expect("a game in the index is counted"));
        self.0.push((key, HEAD), &head)?;
        self.0.push((key, SETS), &sets)
    }

    /// Adds what was played in a game.
    pub fn push_played<'w>(&mut self, number: u32, words: impl Iterator<Item = &'w str>) -> io::Result<()> {
        self.0.push((number.into(), PLAYED), &node::words(words))
    }

    /// Writes the games of the run, in the order of their numbers.
    pub fn finish(self, games: &[RunGame]) -> io::Result<TableId> {
        let mut note = Vec::new();
        push_number(&mut note, games.len() as u64);
        let mut before = 0;
        for game in games {
            push_number(&mut note, u64::from(game.number - before));
            note.extend_from_slice(&game.id.to_bytes());
            push_number(&mut note, game.counted.result.number().into());
            push_number(&mut note, unsigned(game.counted.played_ms));
            before = game.number;
        }
        self.0.finish(&note)
    }
}

/// Reads the games of a run; `None` if they are none.
pub(super) fn read_games(note: &[u8]) -> Option<Vec<RunGame>> {
    let mut from = Numbers(note);
    let mut games = Vec::new();
    let mut number = 0_u32;
    for _ in 0..from.next()? {
        number = number.checked_add(from.next()?.try_into().ok()?)?;
        let (id, rest) = from.0.split_first_chunk()?;
        from.0 = rest;
        let result = GameResult::from_number(from.next()?.try_into().ok()?)?;
        let counted = Counted { result, played_ms: signed(from.next()?) };
        games.push(RunGame { number, id: LogId::from_bytes(*id), counted });
    }
    from.0.is_empty().then_some(games)
}
