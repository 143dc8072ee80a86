//! What nodes share, on its way into a data directory of files.

use std::path::{Path, PathBuf};

use plybook_stream::{NatsAccess, NatsAddress, StreamError, VaultKey};

use crate::personal::{PERSONAL, Personal};
use crate::shared::Shared;
use crate::tlog::TlogError;
use crate::vault::{VAULT, Vault, VaultError};
use crate::{disk, tlog};

/// Documents, and the files in which a store on its own keeps the same.
const DOCUMENTS: [(&str, &str); 2] = [(Personal::DOCUMENT, PERSONAL), ("tokens", "tokens.jsonl")];

/// What nodes share, to be copied with the journal: the transparency log was read before the journal, so that its checkpoint covers
/// nothing that the copy lacks, and the secrets are read after it, so that those of all its events are there.
pub struct SharedCopy {
    shared: Shared,
    tlog: Vec<(&'static str, String)>,
}

/// Why what nodes share cannot be copied.
#[derive(Debug, thiserror::Error)]
pub enum SharedCopyError {
    /// The vault cannot be opened, or is damaged.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The transparency log is damaged.
    #[error(transparent)]
    Tlog(#[from] TlogError),
    /// The servers are away.
    #[error(transparent)]
    Stream(#[from] StreamError),
    /// The operating system refused. Check the permissions and the disk.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
}

impl SharedCopy {
    /// Reads what has to be read before the journal.
    ///
    /// # Errors
    /// As for [`Shared::open`].
    pub fn read(address: &NatsAddress, access: &NatsAccess, key: &VaultKey) -> Result<Self, SharedCopyError> {
        let shared = Shared::open(address, access, Some(key))?;
        let tlog = tlog::shared_files(&shared)?;
        Ok(Self { shared, tlog })
    }

    /// Writes everything into a data directory that nothing else is using, once the journal is copied: secrets that are new there,
    /// encrypted with the key, and the rest as it is now.
    ///
    /// # Errors
    /// The servers are away, the vault there is damaged or has another key, or the disk refuses something.
    pub fn write(self, dir: &Path, key: &VaultKey) -> Result<(), SharedCopyError> {
        self.shared.vault().catch_up()?;
        Vault::open(&dir.join(VAULT), Some(key))?.take_from(self.shared.vault())?;
        let folder = dir.join(tlog::FOLDER);
        disk::make_dir(&folder).map_err(|source| SharedCopyError::Io { path: folder.clone(), source })?;
        let write = |path: PathBuf, bytes: &[u8]| {
            disk::replace(&path, bytes, 0o600).map_err(|source| SharedCopyError::Io { path, source })
        };
        for (name, text) in &self.tlog {
            write(folder.join(name), text.as_bytes())?;
        }
        for (document, file) in DOCUMENTS {
            if let Some(version) = self.shared.document(document).read()? {
                write(dir.join(file), &version.bytes)?;
            }
        }
        Ok(())
    }
}
