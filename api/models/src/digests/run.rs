//! Sorted runs of a log-structured merge tree: visits in files that are written once.
//!
//! A file has nothing but visits, sixteen bytes each. What is known of it, a sparse index with a checksum of each block and the
//! tombstones of games, is in memory, and in the snapshot of the digests.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use plybook_store::ModelFiles;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};

use super::visit::Visit;
use crate::snapshot::numbers;

/// How many visits a block has; few in tests, so that there are several.
const BLOCK: usize = if cfg!(test) { 4 } else { 256 };

/// How many blocks are read at once by who reads all of them.
const STRETCH: usize = 64;

/// The visits of some games.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Run {
    /// The number in the name of its file.
    pub id: u64,
    /// How many visits it has.
    pub len: usize,
    /// The key of the first visit of each block.
    #[serde(with = "numbers")]
    firsts: Vec<u64>,
    /// The CRC-32 of each block.
    #[serde(with = "numbers")]
    checks: Vec<u32>,
    /// The games in it, by number.
    pub games: RoaringBitmap,
    /// Tombstones: those of them that changed or went since, and do not count any more.
    pub gone: RoaringBitmap,
    #[serde(skip)]
    file: Option<Arc<File>>,
}

impl Run {
    /// The name of the file of a run.
    pub fn name(id: u64) -> String {
        format!("{id}.run")
    }

    /// Writes a run of visits that are sorted, about so many of them.
    pub fn write(
        files: &ModelFiles,
        id: u64,
        len: usize,
        visits: impl Iterator<Item = io::Result<Visit>>,
    ) -> io::Result<Self> {
        let mut run = Self { id, ..Self::default() };
        files.replace(&Self::name(id), (len * Visit::BYTES) as u64, |to| {
            let mut block = Vec::with_capacity(BLOCK * Visit::BYTES);
            let mut end_block = |block: &mut Vec<u8>| {
                run.checks.push(crc32fast::hash(block));
                let written = to.write_all(block);
                block.clear();
                written
            };
            for visit in visits {
                let visit = visit?;
                if block.len() == BLOCK * Visit::BYTES {
                    end_block(&mut block)?;
                }
                if block.is_empty() {
                    run.firsts.push(visit.key);
                }
                run.len += 1;
                run.games.insert(visit.number);
                block.extend_from_slice(&visit.to_bytes());
            }
            if block.is_empty() { Ok(()) } else { end_block(&mut block) }
        })?;
        run.open(files)?;
        Ok(run)
    }

    /// Opens the file of a run that was written before.
    pub fn open(&mut self, files: &ModelFiles) -> io::Result<()> {
        let file = files.file(&Self::name(self.id))?;
        if file.metadata()?.len() != (self.len * Visit::BYTES) as u64 {
            return Err(ErrorKind::InvalidData.into());
        }
        self.file = Some(file.into());
        Ok(())
    }

    /// Whether a game counts in it.
    pub fn holds(&self, number: u32) -> bool {
        self.games.contains(number) && !self.gone.contains(number)
    }

    /// The visits of a position by games that count.
    pub fn at(&self, key: u64) -> io::Result<Vec<Visit>> {
        let from = self.firsts.partition_point(|first| *first < key).saturating_sub(1);
        let to = self.firsts.partition_point(|first| *first <= key);
        let mut visits = if from < to { self.blocks(from..to)? } else { Vec::new() };
        visits.retain(|visit| visit.key == key && !self.gone.contains(visit.number));
        Ok(visits)
    }

    /// All visits by games that count.
    pub fn all(&self) -> impl Iterator<Item = io::Result<Visit>> {
        let blocks = (0..self.firsts.len()).step_by(STRETCH);
        blocks.flat_map(move |from| {
            let (visits, why) = match self.blocks(from..self.firsts.len().min(from + STRETCH)) {
                Ok(visits) => (visits, None),
                Err(why) => (Vec::new(), Some(Err(why))),
            };
            let counted = visits.into_iter().filter(move |visit| !self.gone.contains(visit.number));
            counted.map(Ok).chain(why)
        })
    }

    /// Reads some blocks.
    fn blocks(&self, blocks: Range<usize>) -> io::Result<Vec<Visit>> {
        let visits = blocks.start * BLOCK..self.len.min(blocks.end * BLOCK);
        let mut bytes = vec![0; visits.len() * Visit::BYTES];
        let file = self.file.as_ref().expect("a run is opened before it is read");
        file.read_exact_at(&mut bytes, (visits.start * Visit::BYTES) as u64)?;
        let mut checked = bytes.chunks(BLOCK * Visit::BYTES).zip(&self.checks[blocks]);
        if !checked.all(|(block, check)| crc32fast::hash(block) == *check) {
            return Err(io::Error::new(ErrorKind::InvalidData, format!("{} is damaged", Self::name(self.id))));
        }
        Ok(bytes.as_chunks().0.iter().map(|bytes| Visit::from_bytes(*bytes)).collect())
    }
}
