//! Snapshots with a watermark: a read model in a file, and the last event of the journal that it has applied.
//!
//! A snapshot is a zstd frame with a checksum. In it are two msgpack values: a header, and the model.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};

use plybook_events::Hash;
use plybook_store::{Log, ModelFiles, Store};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zstd::{Decoder, Encoder};

/// The name of the file.
const NAME: &str = "snapshot";

/// Higher levels gain little.
const LEVEL: i32 = 1;

/// The buffer between msgpack and zstd.
const BUFFER_BYTES: usize = 1 << 16;

/// Where a read model is saved.
pub(super) struct SnapshotFile {
    pub files: ModelFiles,
    log: Log,
    version: String,
}

/// A snapshot counts only with the same version and over the same journal.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    version: String,
    /// The journal position of the next event to apply.
    position: u64,
    /// The hash of the event before.
    event: Hash,
}

impl SnapshotFile {
    /// Opens a folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store, folder: &str, version: String) -> io::Result<Option<Self>> {
        let files = store.model_files(folder)?;
        Ok(files.map(|files| Self { files, log: store.log().clone(), version }))
    }

    /// The header for everything before a position; `None` if that is nothing, or cannot be read.
    fn header(&self, position: u64) -> Option<Header> {
        let entries = self.log.entries(position.checked_sub(1)?, 1).ok()?;
        Some(Header { version: self.version.clone(), position, event: entries.first()?.hash })
    }

    /// The model that was saved, and the journal position of the next event to apply. `None` if there is none of this version
    /// and this journal, or if it is damaged.
    pub fn read<T: DeserializeOwned>(&self) -> Option<(T, u64)> {
        let read = self.files.file(NAME).and_then(|file| self.read_from(file));
        let is_new = |why: &io::Error| why.kind() == ErrorKind::NotFound;
        read.inspect_err(|why| {
            if !is_new(why) {
                tracing::warn!(%why, "a read model is made again");
            }
        })
        .ok()?
    }

    fn read_from<T: DeserializeOwned>(&self, file: File) -> io::Result<Option<(T, u64)>> {
        let mut from = rmp_serde::Deserializer::new(BufReader::with_capacity(BUFFER_BYTES, Decoder::new(file)?));
        let header = Header::deserialize(&mut from).map_err(invalid)?;
        if self.header(header.position).as_ref() != Some(&header) {
            return Ok(None);
        }
        let model = T::deserialize(&mut from).map_err(invalid)?;
        // The checksum is compared at the end of the frame.
        let rest = from.into_inner().read(&mut [0])?;
        if rest > 0 { Err(ErrorKind::InvalidData.into()) } else { Ok(Some((model, header.position))) }
    }

    /// Saves a model of about this many bytes that has applied everything before a journal position. Until that is done, the
    /// snapshot before counts.
    ///
    /// # Errors
    /// The disk refuses, or the last event cannot be read.
    pub fn write<T: Serialize>(&self, position: u64, bytes: u64, model: &T) -> io::Result<()> {
        let header = self.header(position).ok_or(ErrorKind::InvalidInput)?;
        self.files.replace(NAME, bytes, |file| {
            let mut encoder = Encoder::new(file, LEVEL)?;
            encoder.include_checksum(true)?;
            let mut to = BufWriter::with_capacity(BUFFER_BYTES, encoder);
            rmp_serde::encode::write(&mut to, &header).map_err(invalid)?;
            rmp_serde::encode::write(&mut to, model).map_err(invalid)?;
            to.flush()?;
            to.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            Ok(())
        })
    }

    /// Removes everything in the folder.
    pub fn clear(&self) -> io::Result<()> {
        // First, so that it never names files that are gone.
        self.files.remove(|name| name == NAME)?;
        self.files.remove(|_| true)
    }

    /// Removes all files beside the snapshot but these.
    pub fn keep_only(&self, is_kept: impl Fn(&str) -> bool) -> io::Result<()> {
        self.files.remove(|name| name != NAME && !is_kept(name))
    }
}

fn invalid(why: impl std::error::Error + Send + Sync + 'static) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why)
}

/// Columns of plain numbers in a snapshot: as bytes.
pub(super) mod numbers {
    use bytemuck::{AnyBitPattern, NoUninit};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_bytes::ByteBuf;

    pub fn serialize<T: NoUninit, S: Serializer>(numbers: &[T], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(bytemuck::cast_slice(numbers))
    }

    pub fn deserialize<'de, T: NoUninit + AnyBitPattern, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
        let bytes = ByteBuf::deserialize(from)?;
        if bytes.len() % size_of::<T>() > 0 {
            return Err(D::Error::custom("a number is cut off"));
        }
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }
}

/// Columns of ids in a snapshot: as bytes.
pub(super) mod ids {
    use plybook_events::LogId;
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(ids: &[LogId], to: S) -> Result<S::Ok, S::Error> {
        super::numbers::serialize(&ids.iter().map(|id| id.to_bytes()).collect::<Vec<[u8; 16]>>(), to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<LogId>, D::Error> {
        let ids: Vec<[u8; 16]> = super::numbers::deserialize(from)?;
        Ok(ids.into_iter().map(LogId::from_bytes).collect())
    }
}

/// What leaves members out if they are empty, in a snapshot: as JSON.
pub(super) mod json {
    use serde::de::{DeserializeOwned, Error as _};
    use serde::ser::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<T: Serialize, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&serde_json::to_string(value).map_err(S::Error::custom)?)
    }

    pub fn deserialize<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// A value as it is read from a snapshot.
#[cfg(test)]
pub(super) fn reread<T: Serialize + DeserializeOwned>(value: &T) -> T {
    rmp_serde::from_slice(&rmp_serde::to_vec(value).unwrap()).unwrap()
}
