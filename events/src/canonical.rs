//! Canonical JSON: the one way to write a value, so that equal values have equal bytes.
//!
//! The form of RFC 8785, restricted to the values that occur here: object keys are printable ASCII and
//! sorted, there is no white space, and numbers are integers of at most 53 bits.

use serde::Serialize;
use serde_json::Value;

/// The largest integer: 2^53 - 1, which every JSON reader keeps exactly.
pub const INTEGER_MAX: i64 = (1 << 53) - 1;

/// How deeply values may be nested.
pub const DEPTH_MAX: usize = 64;

/// Why a value has no canonical form, or bytes are not canonical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// A number with a fraction or an exponent, or too large.
    #[error("numbers are integers between -(2^53 - 1) and 2^53 - 1")]
    Number,
    /// A key that is not printable ASCII, or that needs an escape.
    #[error("object keys are printable ASCII without quotes and backslashes")]
    Key,
    /// Nested deeper than [`DEPTH_MAX`].
    #[error("values are nested at most 64 deep")]
    Depth,
    /// Bytes that are not canonical JSON, with the offset.
    #[error("not canonical JSON at byte {0}")]
    Form(usize),
}

/// The canonical bytes of a value. Members of structs may be in any order; in the order of their names, they are written at once.
///
/// ```
/// let value = serde_json::json!({"b": [1, 2], "a": "\u{e9}"});
/// let bytes = plybook_events::canonical::to_bytes(&value)?;
/// assert_eq!(bytes, "{\"a\":\"\u{e9}\",\"b\":[1,2]}".as_bytes());
/// # Ok::<(), plybook_events::canonical::CanonicalError>(())
/// ```
///
/// # Errors
/// A number that is not a 53-bit integer, a key that is not plain ASCII, or nesting deeper than 64.
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, CanonicalError> {
    let mut out = Vec::with_capacity(256);
    write(value, &mut out)?;
    Ok(out)
}

/// Appends the canonical bytes of a value.
///
/// # Errors
/// As for [`to_bytes`]; bytes appended before the error stay.
pub fn write<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> Result<(), CanonicalError> {
    let from = out.len();
    serde_json::to_writer(&mut *out, value).map_err(|_| CanonicalError::Key)?;
    match check(&out[from..]) {
        Err(CanonicalError::Form(_)) => {}
        checked => return checked,
    }
    // Members out of order, which the map of a `Value` sorts.
    let sorted: Value = serde_json::from_slice(&out[from..]).map_err(|_| CanonicalError::Depth)?;
    out.truncate(from);
    serde_json::to_writer(&mut *out, &sorted).map_err(|_| CanonicalError::Key)?;
    check(&out[from..])
}

/// Appends a string in quotes, with the escapes of RFC 8785.
pub fn write_string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a string in memory can be written");
}

fn is_key_byte(b: u8) -> bool {
    matches!(b, 0x20..=0x7e) && b != b'"' && b != b'\\'
}

/// Checks that the bytes are one value in canonical form.
///
/// Runs over the bytes once and allocates nothing.
///
/// # Errors
/// The first place that is not canonical, or the limit that is exceeded.
pub fn check(bytes: &[u8]) -> Result<(), CanonicalError> {
    let mut scan = Scan { bytes, at: 0 };
    scan.value(0)?;
    if scan.at == bytes.len() && simple_utf8(bytes) { Ok(()) } else { Err(CanonicalError::Form(scan.at)) }
}

fn simple_utf8(bytes: &[u8]) -> bool {
    bytes.is_ascii() || std::str::from_utf8(bytes).is_ok()
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn wrong<T>(&self) -> Result<T, CanonicalError> {
        Err(CanonicalError::Form(self.at))
    }

    fn take(&mut self, b: u8) -> Result<(), CanonicalError> {
        if self.peek() != b {
            return self.wrong();
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<(), CanonicalError> {
        if depth > DEPTH_MAX {
            return Err(CanonicalError::Depth);
        }
        match self.peek() {
            b'"' => self.string(),
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'-' | b'0'..=b'9' => self.integer(),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'n' => self.word(b"null"),
            _ => self.wrong(),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), CanonicalError> {
        if !self.bytes[self.at..].starts_with(word) {
            return self.wrong();
        }
        self.at += word.len();
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<(), CanonicalError> {
        self.at += 1;
        if self.peek() == b'}' {
            self.at += 1;
            return Ok(());
        }
        let mut before: Option<&'a [u8]> = None;
        loop {
            let key = self.key()?;
            if before.is_some_and(|b| b >= key) {
                return self.wrong();
            }
            before = Some(key);
            self.take(b':')?;
            self.value(depth + 1)?;
            match self.peek() {
                b',' => self.at += 1,
                _ => return self.take(b'}'),
            }
        }
    }

    fn key(&mut self) -> Result<&'a [u8], CanonicalError> {
        self.take(b'"')?;
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|b| !is_key_byte(*b)).unwrap_or(rest.len());
        self.at += len;
        match self.peek() {
            b'"' => self.at += 1,
            _ if len == rest.len() => return self.wrong(),
            _ => return Err(CanonicalError::Key),
        }
        Ok(&rest[..len])
    }

    fn array(&mut self, depth: usize) -> Result<(), CanonicalError> {
        self.at += 1;
        if self.peek() == b']' {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.value(depth + 1)?;
            match self.peek() {
                b',' => self.at += 1,
                _ => return self.take(b']'),
            }
        }
    }

    fn integer(&mut self) -> Result<(), CanonicalError> {
        let negative = self.peek() == b'-';
        self.at += usize::from(negative);
        let start = self.at;
        let mut n: i64 = 0;
        while let digit @ b'0'..=b'9' = self.peek() {
            n = n.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = self.at - start;
        let padded = digits > 1 && self.bytes[start] == b'0';
        if digits == 0 || padded || (negative && n == 0) {
            return Err(CanonicalError::Form(start));
        }
        let is_integer = n <= INTEGER_MAX && !matches!(self.peek(), b'.' | b'e' | b'E');
        if is_integer { Ok(()) } else { Err(CanonicalError::Number) }
    }

    fn string(&mut self) -> Result<(), CanonicalError> {
        self.at += 1;
        loop {
            let rest = &self.bytes[self.at..];
            let plain = rest.iter().position(|b| *b < 0x20 || *b == b'"' || *b == b'\\');
            self.at += plain.unwrap_or(rest.len());
            match self.peek() {
                b'"' if plain.is_some() => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => self.escape()?,
                _ => return self.wrong(),
            }
        }
    }

    /// The escapes that RFC 8785 writes: `\" \\ \b \f \n \r \t`, and `\u00xx` for other controls.
    fn escape(&mut self) -> Result<(), CanonicalError> {
        let rest = &self.bytes[self.at + 1..];
        let len = match rest {
            [b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', b'0', b'0', high @ (b'0' | b'1'), low, ..] if is_other_control(*high, *low) => 6,
            _ => return self.wrong(),
        };
        self.at += len;
        Ok(())
    }
}

/// Whether `\u00` followed by these digits is a control character without a short escape.
fn is_other_control(high: u8, low: u8) -> bool {
    let short = high == b'0' && matches!(low, b'8' | b'9' | b'a' | b'c' | b'd');
    matches!(low, b'0'..=b'9' | b'a'..=b'f') && !short
}
