//! Comparing the tree with the journal.

use std::ops::RangeInclusive;

use plybook_events::Hash;
use plybook_tlog::{Builder, Checkpoint, Sink, TILE_WIDTH, Tile, Tiles, leaf_hash};

use super::files::{Files, is_file};
use super::keys::Keys;
use super::tiles::TreeTiles;
use super::{Published, TlogError};
use crate::log::Log;

/// How many events are read from the journal at once.
pub(super) const READ_EVENTS: usize = 4096;

/// Tiles that are still to be written.
#[derive(Default)]
pub(super) struct Unwritten(Vec<(Tile, Vec<Hash>)>);

impl Sink for Unwritten {
    fn take(&mut self, tile: Tile, hashes: &[Hash]) {
        self.0.push((tile, if is_file(tile) { hashes.to_vec() } else { Vec::new() }));
    }
}

impl Unwritten {
    /// Writes them; those that could not be written remain.
    pub(super) fn write(&mut self, files: &Files) -> Result<(), TlogError> {
        while let Some((tile, hashes)) = self.0.first() {
            files.write(*tile, hashes)?;
            self.0.remove(0);
        }
        Ok(())
    }

    /// Writes those that were not as they should be.
    pub(super) fn write_again(mut self, files: &Files) -> Result<(), TlogError> {
        if !self.0.is_empty() {
            let tiles = self.0.len();
            tracing::info!(tiles, "tiles of the transparency log are missing or damaged, and are written again");
        }
        self.write(files)
    }
}

/// Compares tiles with those that are stored.
pub(super) struct Comparing<'a> {
    files: &'a Files,
    /// Those that are missing or differ. They are written only if the tree is the one that was signed.
    pub wrong: Unwritten,
    /// The leaves among which the first one is that differs.
    pub first: Option<RangeInclusive<u64>>,
}

impl<'a> Comparing<'a> {
    pub(super) fn new(files: &'a Files) -> Self {
        Self { files, wrong: Unwritten::default(), first: None }
    }
}

impl Sink for Comparing<'_> {
    fn take(&mut self, tile: Tile, hashes: &[Hash]) {
        if !is_file(tile) {
            return;
        }
        let stored = self.files.read(tile).unwrap_or_default();
        if stored == hashes {
            return;
        }
        self.wrong.take(tile, hashes);
        let differing = hashes.iter().zip(&stored).position(|(hash, stored)| hash != stored);
        if let Some(place) = differing {
            let (place, span) = (tile.index * u64::from(TILE_WIDTH) + place as u64, 1 << (8 * u32::from(tile.level)));
            let found = place * span..=place * span + (span - 1);
            // The last tile of leaves is compared before those above it, whose ranges are wider.
            self.first = Some(self.first.take().filter(|first| first.end() < found.end()).unwrap_or(found));
        }
    }
}

/// The first checkpoint: of the tree without leaves.
pub(super) fn begin(keys: &Keys, files: &Files) -> Result<(Builder, Published), TlogError> {
    let builder = Builder::default();
    let origin = keys.current().name().to_owned();
    let published = Published::sign(Checkpoint { origin, size: 0, root: builder.root() }, &keys.signing());
    files.write_checkpoint(&published.note)?;
    Ok((builder, published))
}

/// How many of the last events that a checkpoint covers are compared before the service answers. It takes a fraction of a second,
/// less than the lists of a million games, which are loaded beside it.
pub(super) const LAST_EVENTS: u64 = 1 << 17;

/// Checks that the journal leads to checkpoints, smallest first, by its `last` events that they cover. What comes before those is
/// believed for now, and left to [`Earlier`](super::earlier::Earlier). Returns the tree of the last checkpoint, and that of what
/// is believed.
pub(super) fn compare_last(
    log: &Log,
    files: &Files,
    checkpoints: &[&Checkpoint],
    last: u64,
) -> Result<(Builder, Builder), TlogError> {
    let sizes = checkpoints.first().zip(checkpoints.last());
    let (least, most) = sizes.map_or((0, 0), |(first, last)| (first.size, last.size));
    let from = |begin: u64| {
        let believed = Builder::resume(&TreeTiles::new(files, log, most), begin, most)
            .ok()
            .filter(|_| begin > 0 && log.len() >= most)?;
        Some((compare(believed.clone(), log, files, checkpoints), believed))
    };
    let begin = least.saturating_sub(last) / u64::from(TILE_WIDTH) * u64::from(TILE_WIDTH);
    let compared = match from(begin) {
        Some((Ok(builder), believed)) => return Ok((builder, believed)),
        Some((Err(why @ TlogError::Read(_)), _)) => Err(why),
        // Something is wrong, or it is short: all of it is read.
        _ => compare(Builder::default(), log, files, checkpoints).map(|builder| (builder, Builder::default())),
    };
    match compared {
        // A closed segment that is damaged stops no start: `plybook doctor` tells of it.
        Err(why @ TlogError::Read(_)) => {
            match from(log.closed_until().next_multiple_of(u64::from(TILE_WIDTH)).min(least)) {
                Some((Ok(builder), believed)) => Ok((builder, believed)),
                _ => Err(why),
            }
        }
        compared => compared,
    }
}

/// Like [`examine`], and writes tiles again that are missing or damaged. Returns the tree of the last checkpoint.
pub(super) fn compare(
    builder: Builder,
    log: &Log,
    files: &Files,
    checkpoints: &[&Checkpoint],
) -> Result<Builder, TlogError> {
    let (builder, wrong) = examine(builder, log, files, checkpoints)?;
    wrong.write_again(files)?;
    Ok(builder)
}

/// Checks, from a tree on, that the journal leads to checkpoints, smallest first. Returns the tree of the last one, and the tiles
/// that are not stored as they should be.
pub(super) fn examine(
    mut builder: Builder,
    log: &Log,
    files: &Files,
    checkpoints: &[&Checkpoint],
) -> Result<(Builder, Unwritten), TlogError> {
    let mut comparing = Comparing::new(files);
    for checkpoint in checkpoints {
        let (size, path, is_shared) = (checkpoint.size, files.checkpoint_path(), log.is_shared());
        if log.len() < size {
            return Err(TlogError::Cut { journal: log.len(), signed: size, path, is_shared });
        }
        grow(&mut builder, log, size, &mut comparing)?;
        for (tile, hashes) in builder.partial() {
            comparing.take(tile, hashes);
        }
        if builder.root() != checkpoint.root {
            return Err(TlogError::Changed { events: comparing.first, signed: size, path, is_shared });
        }
    }
    Ok((builder, comparing.wrong))
}

/// Adds the journal's next events to the tree, up to `size` leaves.
pub(super) fn grow(builder: &mut Builder, log: &Log, size: u64, sink: &mut impl Sink) -> Result<(), TlogError> {
    while builder.len() < size {
        let left = usize::try_from(size - builder.len()).unwrap_or(usize::MAX);
        for event in log.events(builder.len(), left.min(READ_EVENTS))? {
            builder.push(leaf_hash(&event), sink);
        }
    }
    Ok(())
}
