//! A scan of a document's tokens before it is parsed.
//!
//! The parser recurses as deeply as the brackets nest, and has no limit of its own until it has read
//! everything: about ten thousand `[` would end the process with a stack overflow.

use super::limits::Limits;
use super::measure::Excess;

/// Counts open brackets, and returns the number of tokens.
///
/// # Errors
/// [`Excess::Tokens`] or [`Excess::Nesting`]. Text that is not GraphQL passes; the parser rejects it.
///
/// # Source
/// GraphQL specification (October 2021), 2.1 Source Text and appendix B.
pub fn scan(document: &str, limits: &Limits) -> Result<usize, Excess> {
    let bytes = document.as_bytes();
    let (mut at, mut tokens, mut open) = (0, 0_usize, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        let length = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' => {
                at += 1;
                continue;
            }
            b'#' => {
                at += comment(&bytes[at..]);
                continue;
            }
            b'"' if bytes[at..].starts_with(b"\"\"\"") => block_string(&bytes[at..]),
            b'"' => string(&bytes[at..]),
            _ if is_word(byte) => bytes[at..].iter().take_while(|&&next| is_word(next)).count(),
            _ => 1,
        };
        match byte {
            b'{' | b'[' | b'(' => open += 1,
            b'}' | b']' | b')' => open = open.saturating_sub(1),
            _ => {}
        }
        tokens += 1;
        if open > limits.nesting {
            return Err(Excess::Nesting { limit: limits.nesting });
        }
        if tokens > limits.tokens {
            return Err(Excess::Tokens { limit: limits.tokens });
        }
        at += length;
    }
    Ok(tokens)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.') || !byte.is_ascii()
}

fn comment(rest: &[u8]) -> usize {
    rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
}

/// The length of a string including its quotes. It ends at the end of the line, since brackets may follow.
fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' | b'\r' => return at,
            _ => at += 1,
        }
    }
    rest.len()
}

fn block_string(rest: &[u8]) -> usize {
    let mut at = 3;
    while at < rest.len() {
        if rest[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if rest[at..].starts_with(b"\"\"\"") {
            return at + 3;
        } else {
            at += 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(tokens: usize, nesting: usize) -> Limits {
        Limits { tokens, nesting, ..Limits::default() }
    }

    #[test]
    fn counts_tokens() {
        // query Q ( $ a : Int = 1 ) { f ( s : "x y" ) }
        let document = "query Q($a: Int = 1) { f(s: \"x y\") } # a comment {";
        assert_eq!(scan(document, &with(18, 64)), Ok(18));
        assert_eq!(scan(document, &with(17, 64)), Err(Excess::Tokens { limit: 17 }));
    }

    #[test]
    fn counts_open_brackets_outside_of_strings_and_comments() {
        let document = "{ a(b: [\"[[[\\\"[[\", \"\"\"{{{ \\\"\"\" {{ \"\"\"]) } # {{{{\n{ c }";
        assert!(scan(document, &with(100, 3)).is_ok());
        assert_eq!(scan(document, &with(100, 2)), Err(Excess::Nesting { limit: 2 }));
    }

    #[test]
    fn an_unclosed_string_hides_no_brackets_of_later_lines() {
        assert_eq!(scan("\"\n{{{{", &with(100, 3)), Err(Excess::Nesting { limit: 3 }));
    }

    #[test]
    fn any_text_can_be_scanned() {
        for text in ["", "\"", "\"\\", "\"\"\"", "\"\"\"\\\"\"\"", "é…🏃", "}}}]", "\u{feff}{a}"] {
            assert!(scan(text, &Limits::default()).is_ok(), "{text:?}");
        }
    }
}
