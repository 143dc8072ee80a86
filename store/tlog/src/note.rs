//! Signed notes: a text with signatures below it.
//!
//! # Source
//! <https://c2sp.org/signed-note>

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::{SigningKey, VerifierKey};

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
struct Signed {
    name: String,
    /// The key's id, and what the key signed with.
    bytes: Vec<u8>,
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
        let sign = |key: &&SigningKey| {
            let bytes = [key.public().id().as_slice(), &key.sign(text.as_bytes())].concat();
            Signed { name: key.public().name().to_owned(), bytes }
        };
        let signatures = keys.iter().map(sign).collect();
        Self { text, signatures }
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
        let by_key = |signed: &&Signed| signed.name == key.name() && signed.bytes.starts_with(&key.id());
        let mut found = self.signatures.iter().filter(by_key).peekable();
        found.peek().ok_or(NoteError::Unsigned)?;
        let fits = |signed: &Signed| key.has_signed(self.text.as_bytes(), &signed.bytes[4..]);
        if found.all(fits) { Ok(()) } else { Err(NoteError::Forged) }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        for Signed { name, bytes } in &self.signatures {
            writeln!(f, "{DASH}{name} {}", BASE64.encode(bytes))?;
        }
        Ok(())
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
