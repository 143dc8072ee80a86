//! The files of tiles and of the last checkpoint.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use plybook_events::Hash;
use plybook_tlog::{Checkpoint, Note, SigningKey, TILE_WIDTH, Tile, Tiles};

use super::{Published, TlogError};
use crate::disk;
use crate::log::ReadError;

/// The bytes of a hash.
const HASH_BYTES: usize = 32;

/// The files of a transparency log: its tiles, below `tile/`, and its checkpoints.
pub(super) struct Files {
    dir: PathBuf,
}

/// A tile cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TileError {
    /// The operating system refused, or there is no such tile. Restarting the service writes it again.
    #[error("{}: {source}", path.display())]
    Io {
        /// The tile's file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// The file does not have the length of the tile. Restarting the service writes it again.
    #[error("{} is damaged", .0.display())]
    Damaged(PathBuf),
    /// The events of the tile cannot be read from the journal. Tell the operator.
    #[error(transparent)]
    Journal(#[from] ReadError),
    /// The events of the tile are not those that the tree has. Tell the operator: the journal was changed.
    #[error("the journal's events for the tile {0} are not those of the tree")]
    Changed(Tile),
}

/// Whether a tile is a file. A full one of level 0 is made from the journal when somebody asks for it.
pub(super) fn is_file(tile: Tile) -> bool {
    tile.level > 0 || tile.width < TILE_WIDTH
}

impl TileError {
    /// Whether there is no such file.
    pub(super) fn is_absence(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == ErrorKind::NotFound)
    }
}

/// A checkpoint as it is stored, not checked.
pub(super) struct Stored {
    pub path: PathBuf,
    pub note: String,
    pub at_ms: i64,
}

impl Files {
    pub(super) fn new(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(super) fn checkpoint_path(&self) -> PathBuf {
        self.dir.join("checkpoint")
    }

    pub(super) fn cosigned_path(&self) -> PathBuf {
        self.dir.join("cosigned")
    }

    fn path(&self, tile: Tile) -> PathBuf {
        self.dir.join("tile").join(tile.to_string())
    }

    /// The bytes of a tile. A partial one that is gone is the beginning of the full one.
    fn bytes(&self, tile: Tile) -> Result<Vec<u8>, TileError> {
        let path = self.path(tile);
        let len = HASH_BYTES * usize::from(tile.width);
        let read = match fs::read(&path) {
            Err(why) if why.kind() == ErrorKind::NotFound && tile.width < TILE_WIDTH => {
                fs::read(self.path(Tile::full(tile.level, tile.index))).map(|mut bytes| {
                    bytes.truncate(len);
                    bytes
                })
            }
            read => read,
        };
        match read {
            Ok(bytes) if bytes.len() == len => Ok(bytes),
            Ok(_) => Err(TileError::Damaged(path)),
            Err(source) => Err(TileError::Io { path, source }),
        }
    }

    /// Writes a tile, if it is a file. Once it is full, its partial ones are removed.
    pub(super) fn write(&self, tile: Tile, hashes: &[Hash]) -> Result<(), TlogError> {
        let path = self.path(tile);
        if is_file(tile) {
            let bytes: Vec<u8> = hashes.iter().flat_map(|hash| hash.0).collect();
            let written = fs::create_dir_all(disk::parent(&path)).and_then(|()| {
                let fresh = self.dir.join("tile.new");
                fs::write(&fresh, bytes)?;
                fs::rename(&fresh, &path)
            });
            written.map_err(|source| TlogError::Io { path: path.clone(), source })?;
        }
        if tile.width == TILE_WIDTH {
            let mut partial = path.into_os_string();
            partial.push(".p");
            // Usually there are some. If they cannot be removed, they take up room and do no harm.
            let _ = fs::remove_dir_all(partial);
        }
        Ok(())
    }

    /// The last checkpoint; `None` if there is none.
    pub(super) fn checkpoint(&self) -> Result<Option<Stored>, TlogError> {
        Stored::read(self.checkpoint_path())
    }

    /// The last checkpoint that enough witnesses have cosigned; `None` if there is none.
    pub(super) fn cosigned(&self) -> Result<Option<Stored>, TlogError> {
        Stored::read(self.cosigned_path())
    }

    /// Stores a checkpoint that witnesses have cosigned.
    pub(super) fn write_cosigned(&self, note: &Note) -> Result<(), TlogError> {
        let path = self.cosigned_path();
        let written = disk::replace(&path, note.to_string().as_bytes(), 0o644);
        written.map_err(|source| TlogError::Io { path, source })
    }

    /// Forgets which checkpoint was cosigned.
    pub(super) fn remove_cosigned(&self) -> Result<(), TlogError> {
        let path = self.cosigned_path();
        match fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(TlogError::Io { path, source }),
            _ => Ok(()),
        }
    }

    /// Stores a checkpoint that was signed, so that it survives a power cut.
    pub(super) fn write_checkpoint(&self, note: &Note) -> Result<(), TlogError> {
        let path = self.checkpoint_path();
        let written = disk::replace(&path, note.to_string().as_bytes(), 0o644);
        written.map_err(|source| TlogError::Io { path, source })
    }
}

impl Published {
    /// Signs a checkpoint.
    pub(super) fn sign(checkpoint: Checkpoint, keys: &[&SigningKey]) -> Self {
        let note = checkpoint.sign(keys);
        Self { checkpoint, note, cosignatures: Vec::new(), at_ms: millis(SystemTime::now()) }
    }
}

impl Tiles for Files {
    type Error = TileError;

    fn read(&self, tile: Tile) -> Result<Vec<Hash>, TileError> {
        let bytes = self.bytes(tile)?;
        let (hashes, _) = bytes.as_chunks::<HASH_BYTES>();
        Ok(hashes.iter().map(|hash| Hash(*hash)).collect())
    }
}

impl Stored {
    /// A copy of a file with this name.
    pub(super) fn copied(name: &str, note: String) -> Self {
        Self { path: Path::new(super::FOLDER).join(name), note, at_ms: 0 }
    }

    /// Reads a file; `None` if there is none.
    fn read(path: PathBuf) -> Result<Option<Self>, TlogError> {
        let read = fs::read_to_string(&path).and_then(|note| Ok((note, fs::metadata(&path)?.modified()?)));
        match read {
            Ok((note, at)) => Ok(Some(Self { path, note, at_ms: millis(at) })),
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(None),
            Err(source) => Err(TlogError::Io { path, source }),
        }
    }
}

/// Milliseconds since 1970.
fn millis(at: SystemTime) -> i64 {
    at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
