//! The key that a vault is encrypted with.

use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, Generate, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

/// The bytes of a key.
const KEY_BYTES: usize = 32;

/// The bytes of a nonce.
pub const NONCE_BYTES: usize = 24;

/// A key of XChaCha20-Poly1305. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct VaultKey([u8; KEY_BYTES]);

/// Why a file gives no key. Nothing of its contents is told.
#[derive(Debug, thiserror::Error)]
pub enum VaultKeyError {
    /// The file holds something else.
    #[error("{} holds no key: 32 bytes in hex or base64, as `plybook vault key` writes them", .0.display())]
    Malformed(PathBuf),
    /// The operating system refused. Check the path and the permissions.
    #[error("the key of the vault, {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

/// A secret that was encrypted.
pub struct Encrypted {
    /// What was drawn for it.
    pub nonce: [u8; NONCE_BYTES],
    /// The text, encrypted.
    pub text: Vec<u8>,
}

impl fmt::Debug for VaultKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VaultKey(…)")
    }
}

impl VaultKey {
    /// The key in a file: 32 bytes in hex or base64, with white space around them.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else.
    pub fn read(path: &Path) -> Result<Self, VaultKeyError> {
        let io = |source| VaultKeyError::Io { path: path.to_owned(), source };
        let bytes = fs::read(path).map_err(io)?;
        let text = str::from_utf8(&bytes).unwrap_or_default().trim();
        let key = const_hex::decode(text).ok().or_else(|| STANDARD.decode(text).ok());
        let key = key.and_then(|key| key.try_into().ok()).map(Self);
        key.ok_or_else(|| VaultKeyError::Malformed(path.to_owned()))
    }

    /// Makes a key, and writes it to a new file that only its owner can read.
    ///
    /// # Errors
    /// The file exists, or cannot be written.
    pub fn make(path: &Path) -> Result<Self, VaultKeyError> {
        let key = Self(chacha20poly1305::Key::generate().into());
        let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).and_then(|mut file| {
            let whole = writeln!(file, "{}", const_hex::encode(key.0)).and_then(|()| file.sync_all());
            // Half a key would be in the way of the next one.
            whole.inspect_err(|_| drop(fs::remove_file(path)))
        });
        written.map_err(|source| VaultKeyError::Io { path: path.to_owned(), source })?;
        Ok(key)
    }

    /// Encrypts a text, bound to its context.
    pub fn encrypt(&self, context: &[u8], text: &[u8]) -> Encrypted {
        let nonce = XNonce::generate();
        let sealed = self.cipher().encrypt(&nonce, Payload { msg: text, aad: context }).expect("secrets are short");
        Encrypted { nonce: nonce.into(), text: sealed }
    }

    /// `None` if it was encrypted with another key or for another context, or changed.
    pub fn decrypt(&self, context: &[u8], sealed: &Encrypted) -> Option<Vec<u8>> {
        self.cipher().decrypt(&sealed.nonce.into(), Payload { msg: &sealed.text, aad: context }).ok()
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new(&self.0.into())
    }
}
