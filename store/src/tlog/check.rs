//! Comparing the tree with the journal.

use std::ops::RangeInclusive;

use plybook_events::Hash;
use plybook_tlog::{Builder, Checkpoint, Sink, TILE_WIDTH, Tile, Tiles, leaf_hash};

use super::files::{Files, LEAVES_BELOW};
use super::keys::Keys;
use super::tiles::TreeTiles;
use super::{Published, TlogError};
use crate::log::Log;

/// How many events are read from the journal at once.
pub(super) const READ_EVENTS: usize = 4096;

/// Full tiles that are still to be written.
#[derive(Default)]
pub(super) struct Full(Vec<(Tile, Vec<Hash>)>);

impl Sink for Full {
    fn take(&mut self, tile: Tile, hashes: &[Hash]) {
        self.0.push((tile, hashes.to_vec()));
    }
}

impl Full {
    /// Writes them; those that could not be written remain.
    pub(super) fn write(&mut self, files: &Files) -> Result<(), TlogError> {
        while let Some((tile, hashes)) = self.0.first() {
            files.write(*tile, hashes)?;
            self.0.remove(0);
        }
        Ok(())
    }
}

/// Compares full tiles with those that are stored.
pub(super) struct Comparing<'a> {
    files: &'a Files,
    /// The number of leaves of the tree.
    size: u64,
    /// Tiles that are missing and will be written, unless nothing is.
    absent: Option<Full>,
    /// The number of other tiles that are missing or differ.
    pub wrong: u64,
    /// The leaves among which the first one is that differs.
    pub first: Option<RangeInclusive<u64>>,
}

impl<'a> Comparing<'a> {
    pub(super) fn new(files: &'a Files, size: u64) -> Self {
        Self { files, size, absent: None, wrong: 0, first: None }
    }

    /// Writes the tiles that are missing. A node that was away lacks those of what was recorded meanwhile.
    fn write_absent(&mut self) -> Result<(), TlogError> {
        self.absent.as_mut().map_or(Ok(()), |absent| absent.write(self.files))
    }
}

impl Sink for Comparing<'_> {
    fn take(&mut self, tile: Tile, hashes: &[Hash]) {
        let stored = match (self.files.read(tile), &mut self.absent) {
            (Err(why), _) if why.is_absence() && !is_needed(tile, self.size) => return,
            (Err(why), Some(absent)) if why.is_absence() => return absent.take(tile, hashes),
            (read, _) => read.unwrap_or_default(),
        };
        if stored == hashes {
            return;
        }
        self.wrong += 1;
        let differing = hashes.iter().zip(&stored).position(|(hash, stored)| hash != stored);
        if let Some(place) = differing {
            let (place, span) = (tile.index * u64::from(TILE_WIDTH) + place as u64, 1 << (8 * u32::from(tile.level)));
            self.first.get_or_insert(place * span..=place * span + (span - 1));
        }
    }
}

/// Whether a tile has to be a file in a tree of `size` leaves: the others have a full one above them.
fn is_needed(tile: Tile, size: u64) -> bool {
    tile.level > 0 || tile.index / u64::from(TILE_WIDTH) >= size / LEAVES_BELOW
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
        let believed = Builder::resume(&TreeTiles::new(files, log), begin, most)
            .ok()
            .filter(|_| begin > 0 && log.len() >= most)?;
        Some((mend_from(believed.clone(), log, files, checkpoints), believed))
    };
    let begin = least.saturating_sub(last) / u64::from(TILE_WIDTH) * u64::from(TILE_WIDTH);
    let compared = match from(begin) {
        Some((Ok((builder, 0)), believed)) => return Ok((builder, believed)),
        Some((Err(why @ TlogError::Read(_)), _)) => Err(why),
        // Something is wrong, or it is short: all of it is read.
        _ => compare(log, files, checkpoints).map(|builder| (builder, Builder::default())),
    };
    match compared {
        // A closed segment that is damaged stops no start: `plybook doctor` tells of it.
        Err(why @ TlogError::Read(_)) => {
            match from(log.closed_until().next_multiple_of(u64::from(TILE_WIDTH)).min(least)) {
                Some((Ok((builder, 0)), believed)) => Ok((builder, believed)),
                _ => Err(why),
            }
        }
        compared => compared,
    }
}

/// Checks that the journal leads to checkpoints, smallest first, and that their tiles are stored; writes those again that
/// are not. Returns the tree of the last one.
fn compare(log: &Log, files: &Files, checkpoints: &[&Checkpoint]) -> Result<Builder, TlogError> {
    let (builder, wrong) = mend_from(Builder::default(), log, files, checkpoints)?;
    if wrong > 0 {
        tracing::warn!(tiles = wrong, "tiles of the transparency log are damaged, and are written again");
        let (mut again, mut full) = (Builder::default(), Full::default());
        for checkpoint in checkpoints {
            grow(&mut again, log, checkpoint.size, &mut full, |full| full.write(files))?;
            for (tile, hashes) in again.partial().filter(|(tile, _)| is_needed(*tile, builder.len())) {
                files.write(tile, hashes)?;
            }
        }
    }
    Ok(builder)
}

/// Checks that the journal leads to checkpoints, smallest first. Returns the tree of the last one, and how many of their
/// tiles are not stored.
pub(super) fn examine(log: &Log, files: &Files, checkpoints: &[&Checkpoint]) -> Result<(Builder, u64), TlogError> {
    examine_from(Builder::default(), log, checkpoints, Comparing::new(files, last_size(checkpoints)))
}

/// Like [`examine`], from a tree on; writes the tiles that are missing, so that only those that differ count.
fn mend_from(
    builder: Builder,
    log: &Log,
    files: &Files,
    checkpoints: &[&Checkpoint],
) -> Result<(Builder, u64), TlogError> {
    let comparing = Comparing::new(files, last_size(checkpoints));
    examine_from(builder, log, checkpoints, Comparing { absent: Some(Full::default()), ..comparing })
}

fn last_size(checkpoints: &[&Checkpoint]) -> u64 {
    checkpoints.last().map_or(0, |last| last.size)
}

fn examine_from(
    mut builder: Builder,
    log: &Log,
    checkpoints: &[&Checkpoint],
    mut comparing: Comparing<'_>,
) -> Result<(Builder, u64), TlogError> {
    for checkpoint in checkpoints {
        let (size, path, is_shared) = (checkpoint.size, comparing.files.checkpoint_path(), log.is_shared());
        if log.len() < size {
            return Err(TlogError::Cut { journal: log.len(), signed: size, path, is_shared });
        }
        grow(&mut builder, log, size, &mut comparing, Comparing::write_absent)?;
        for (tile, hashes) in builder.partial() {
            comparing.take(tile, hashes);
        }
        comparing.write_absent()?;
        if builder.root() != checkpoint.root {
            return Err(TlogError::Changed { events: comparing.first, signed: size, path, is_shared });
        }
    }
    Ok((builder, comparing.wrong))
}

/// Adds the journal's next events to the tree, up to `size` leaves; `after_each` is called after some of them.
pub(super) fn grow<S: Sink>(
    builder: &mut Builder,
    log: &Log,
    size: u64,
    sink: &mut S,
    mut after_each: impl FnMut(&mut S) -> Result<(), TlogError>,
) -> Result<(), TlogError> {
    while builder.len() < size {
        let left = usize::try_from(size - builder.len()).unwrap_or(usize::MAX);
        for event in log.events(builder.len(), left.min(READ_EVENTS))? {
            builder.push(leaf_hash(&event), sink);
        }
        after_each(sink)?;
    }
    Ok(())
}
