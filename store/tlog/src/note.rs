//! Signed notes: a text with signatures below it.
//!
//! # Source
//! <https://c2sp.org/signed-note>

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::{Cosignature, PublicKey, SigningKey, VerifierKey, WitnessKey};

/// The most bytes of a note that is read.
pub const NOTE_BYTES_MAX: usize = 64 << 10;

/// The most signatures of a note that is read.
const SIGNATURES_MAX: usize = 64;

/// What a line with a signature begins with: an em dash and a space.
const DASH: &str = "\u{2014} ";

/// A text and its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<Signed>,
}

/// A line with a signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signed {
    pub(crate) name: String,
    /// The key's id, and what the key signed with.
    pub(crate) bytes: Vec<u8>,
}

/// Why a note is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoteError {
    /// It is not built like a signed note.
    #[error("not a signed note: it has a text, an empty line, and lines with signatures")]
    Shape,
    /// None of its signatures is by the key.
    #[error("the note is not signed by this key")]
    Unsigned,
    /// A signature that names the key does not fit the text: it was changed.
    #[error("the signature does not fit the text of the note")]
    Forged,
}

impl Note {
    /// Signs a text, which ends with a line feed and has no empty line at its end.
    pub fn sign(text: String, keys: &[&SigningKey]) -> Self {
        debug_assert!(text.ends_with('\n'), "a note's text consists of lines");
        let mut note = Self { text, signatures: Vec::new() };
        for key in keys {
            note.add_signature(key);
        }
        note
    }

    /// Adds the signature of another key.
    pub fn add_signature(&mut self, key: &SigningKey) {
        let bytes = [key.public().id().as_slice(), &key.sign(self.text.as_bytes())].concat();
        self.signatures.push(Signed { name: key.public().name().to_owned(), bytes });
    }

    /// Adds the cosignature of a witness, which replaces an earlier one.
    pub fn add_cosignature(&mut self, cosignature: Cosignature) {
        let Signed { name, bytes } = cosignature.into_signed();
        self.signatures.retain(|signed| signed.name != name || signed.bytes[..4] != bytes[..4]);
        self.signatures.push(Signed { name, bytes });
    }

    /// Keeps only the signatures that name one of these keys.
    pub fn keep_signatures(&mut self, keys: &[VerifierKey]) {
        self.signatures.retain(|signed| keys.iter().any(|key| signed.is_by(key)));
    }

    /// The text, with the line feed at its end.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Checks that the note is signed by a key. Other signatures are ignored.
    ///
    /// # Errors
    /// It is not, or the text is another than was signed.
    pub fn check(&self, key: &VerifierKey) -> Result<(), NoteError> {
        let fits = |signed: &Signed| key.has_signed(self.text.as_bytes(), &signed.bytes[4..]).then_some(());
        self.signed_by(key, fits)
    }

    /// The cosignature of a witness, checked; of several, the last. Other signatures are ignored.
    ///
    /// # Errors
    /// There is none, or the text is another than was signed.
    pub fn cosignature(&self, key: &WitnessKey) -> Result<Cosignature, NoteError> {
        self.signed_by(key, |signed| Cosignature::checked(signed, &self.text, key))
    }

    /// Checks all signatures that name a key; what `check` makes of the last one.
    fn signed_by<const TYPE: u8, T>(
        &self,
        key: &PublicKey<TYPE>,
        check: impl Fn(&Signed) -> Option<T>,
    ) -> Result<T, NoteError> {
        let by_key = self.signatures.iter().filter(|signed| signed.is_by(key));
        let checked = by_key.map(|signed| check(signed).ok_or(NoteError::Forged));
        checked.reduce(Result::and).unwrap_or(Err(NoteError::Unsigned))
    }
}

impl Signed {
    /// Whether it names this key.
    pub(crate) fn is_by<const TYPE: u8>(&self, key: &PublicKey<TYPE>) -> bool {
        self.name == key.name() && self.bytes.starts_with(&key.id())
    }
}

impl fmt::Display for Signed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{DASH}{} {}", self.name, BASE64.encode(&self.bytes))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signed| signed.fmt(f))
    }
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<Self, NoteError> {
        let is_control = |c: char| c < ' ' && c != '\n';
        if note.len() > NOTE_BYTES_MAX || note.contains(is_control) || !note.ends_with('\n') {
            return Err(NoteError::Shape);
        }
        let end = note.rfind("\n\n").ok_or(NoteError::Shape)?;
        let (text, below) = (&note[..=end], &note[end + 2..]);
        let lines: Vec<&str> = below.lines().collect();
        if lines.is_empty() || lines.len() > SIGNATURES_MAX {
            return Err(NoteError::Shape);
        }
        let signed = |line: &&str| {
            let (name, signature) = line.strip_prefix(DASH)?.split_once(' ')?;
            let bytes = BASE64.decode(signature).ok()?;
            let is_name = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '+');
            (is_name && bytes.len() > 4).then(|| Signed { name: name.to_owned(), bytes })
        };
        let signatures = lines.iter().map(signed).collect::<Option<_>>().ok_or(NoteError::Shape)?;
        Ok(Self { text: text.to_owned(), signatures })
    }
}
