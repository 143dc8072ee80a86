//! Keys that sign checkpoints: those of logs, and those of witnesses.
//!
//! # Source
//! <https://c2sp.org/signed-note> and <https://c2sp.org/tlog-cosignature>; the text of a private key is that of Go's
//! `golang.org/x/mod/sumdb/note`.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::{Signature, Signer, VerifyingKey};
use plybook_events::Hash;

/// The signature type of a log's key: Ed25519 over the text of a note.
const LOG: u8 = 1;

/// The signature type of a witness's key: Ed25519 over the text of a checkpoint and a time.
const WITNESS: u8 = 4;

/// What the text of a private key begins with.
const PRIVATE: &str = "PRIVATE+KEY+";

/// The most characters of a key's name.
const NAME_CHARS_MAX: usize = 200;

/// Why a key cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A name has 1 to 200 characters, without white space, control characters and `+`.
    #[error("a key's name has 1 to {NAME_CHARS_MAX} characters, without white space and `+`")]
    Name,
    /// The text is not a key, or of a kind that is not known.
    #[error("not an Ed25519 key: it is written NAME+ID+KEY")]
    Text,
    /// It is the key of a log, where that of a witness is needed, or the other way round.
    #[error("this is the key of {}", if *.0 == LOG { "a log: that of a witness is needed" } else { "a witness: that of a log is needed" })]
    Type(u8),
    /// The id in the text is not that of the key.
    #[error("the id in the key's text is not that of the key")]
    Id,
}

/// The public key of a log, which checks signatures.
pub type VerifierKey = PublicKey<LOG>;

/// The private key of a log.
pub type SigningKey = PrivateKey<LOG>;

/// The public key of a witness, which checks cosignatures.
pub type WitnessKey = PublicKey<WITNESS>;

/// The private key of a witness.
pub type CosigningKey = PrivateKey<WITNESS>;

/// A public key with its name, of one signature type. As text: `<name>+<id in hex>+<type and key in base64>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey<const TYPE: u8> {
    name: String,
    id: u32,
    key: VerifyingKey,
}

/// A private key with its name, of one signature type. It has no `Debug` and no `Display`, so it is in no log.
pub struct PrivateKey<const TYPE: u8> {
    public: PublicKey<TYPE>,
    key: ed25519_dalek::SigningKey,
}

/// The id of a key: the first 4 bytes of SHA-256 of its name, a line feed, the type and the key.
fn id_of(name: &str, signature_type: u8, key: &[u8; 32]) -> u32 {
    let Hash(hash) = Hash::of_parts(&[name.as_bytes(), b"\n", &[signature_type], key]);
    u32::from_be_bytes(*hash.first_chunk().expect("a hash is longer"))
}

/// Checks a name.
fn checked(name: &str) -> Result<&str, KeyError> {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '+';
    let is_name = !name.is_empty() && name.chars().count() <= NAME_CHARS_MAX && name.chars().all(is_plain);
    if is_name { Ok(name) } else { Err(KeyError::Name) }
}

/// Reads `<name>+<id>+<key>`, and returns the 32 bytes of the key.
fn split(text: &str, signature_type: u8) -> Result<(&str, u32, [u8; 32]), KeyError> {
    let mut parts = text.splitn(3, '+');
    let (Some(name), Some(id), Some(key)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(KeyError::Text);
    };
    let number = u32::from_str_radix(id, 16).ok().filter(|number| format!("{number:08x}") == id);
    let id = number.ok_or(KeyError::Text)?;
    let key = BASE64.decode(key).map_err(|_| KeyError::Text)?;
    match key.split_first() {
        Some((found, key)) if *found == signature_type => {
            Ok((checked(name)?, id, key.try_into().map_err(|_| KeyError::Text)?))
        }
        Some((&found @ (LOG | WITNESS), _)) => Err(KeyError::Type(found)),
        _ => Err(KeyError::Text),
    }
}

impl<const TYPE: u8> PublicKey<TYPE> {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The id, which stands before a signature.
    pub(crate) fn id(&self) -> [u8; 4] {
        self.id.to_be_bytes()
    }

    /// Whether another key is the same but for its name.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.key == other.key
    }

    /// Whether these 64 bytes are this key's signature of a message.
    pub fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        let signature = Signature::from_slice(signature);
        signature.is_ok_and(|signature| self.key.verify_strict(message, &signature).is_ok())
    }
}

impl<const TYPE: u8> fmt::Display for PublicKey<TYPE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = BASE64.encode([&[TYPE], self.key.as_bytes().as_slice()].concat());
        write!(f, "{}+{:08x}+{key}", self.name, self.id)
    }
}

impl<const TYPE: u8> FromStr for PublicKey<TYPE> {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (name, id, key) = split(text, TYPE)?;
        if id != id_of(name, TYPE, &key) {
            return Err(KeyError::Id);
        }
        let key = VerifyingKey::from_bytes(&key).map_err(|_| KeyError::Text)?;
        Ok(Self { name: name.to_owned(), id, key })
    }
}

impl<const TYPE: u8> PrivateKey<TYPE> {
    /// The key of a name that a seed of 32 random bytes gives.
    ///
    /// # Errors
    /// [`KeyError::Name`].
    pub fn from_seed(name: &str, seed: &[u8; 32]) -> Result<Self, KeyError> {
        let key = ed25519_dalek::SigningKey::from_bytes(seed);
        let verifying = key.verifying_key();
        let id = id_of(checked(name)?, TYPE, verifying.as_bytes());
        Ok(Self { public: PublicKey { name: name.to_owned(), id, key: verifying }, key })
    }

    /// The public key.
    pub fn public(&self) -> &PublicKey<TYPE> {
        &self.public
    }

    /// The text that keeps the key, `PRIVATE+KEY+<name>+<id>+<seed>`. Anybody who has it can sign.
    pub fn to_secret_text(&self) -> String {
        let seed = BASE64.encode([&[TYPE], self.key.as_bytes().as_slice()].concat());
        format!("{PRIVATE}{}+{:08x}+{seed}", self.public.name, self.public.id)
    }

    /// Reads what [`to_secret_text`](Self::to_secret_text) wrote.
    ///
    /// # Errors
    /// It is something else. The message contains nothing of the text.
    pub fn from_secret_text(text: &str) -> Result<Self, KeyError> {
        let (name, id, seed) = split(text.trim_end().strip_prefix(PRIVATE).ok_or(KeyError::Text)?, TYPE)?;
        let key = Self::from_seed(name, &seed)?;
        if key.public.id == id { Ok(key) } else { Err(KeyError::Id) }
    }

    /// The 64 bytes of the signature of a message.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}
