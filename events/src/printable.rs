//! Characters that a text for people does not contain.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character is not shown itself, but changes how others are shown or what a terminal does: controls, controls
/// of the direction of writing, and invisible characters. The two joiners (U+200C, U+200D) are not among them: scripts and
/// emoji need them.
///
/// # Source
/// Unicode, general categories Cc, Cf, Zl and Zp.
pub fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E007F}')
}

/// The first unprintable character of a text that may have several lines, tabs, and the marks of direction that Hebrew and
/// Arabic texts have beside punctuation.
pub fn unprintable_in_lines(text: &str) -> Option<char> {
    text.chars().find(|c| is_unprintable_in_lines(*c))
}

fn is_unprintable_in_lines(c: char) -> bool {
    is_unprintable(c) && !matches!(c, '\n' | '\t' | '\u{61C}' | '\u{200E}' | '\u{200F}')
}

/// A text with several lines, safe to print: unprintable characters are written as `\u{1b}`.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    if unprintable_in_lines(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unprintable_in_lines(c) {
            write!(out, "{}", c.escape_unicode()).expect("a string can be written to");
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The same for JSON, in which they may only be in strings: they are written as `\u001b`.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_unprintable) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_unprintable(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("a string can be written to");
            }
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_shown_is_escaped_and_what_scripts_need_is_not() {
        for plain in ["Åsa Ödegård", "نام\u{200C}ها", "👩\u{200D}🚀", "два\nслова\tи", "שלום!\u{200F}"]
        {
            assert!(matches!(printable_lines(plain), Cow::Borrowed(text) if text == plain), "{plain:?}");
        }
        assert_eq!(printable_lines("\u{1b}[2J a\r\n\u{202E}b"), "\\u{1b}[2J a\\u{d}\n\\u{202e}b");
        for c in ['\0', '\u{7f}', '\u{9b}', '\u{200B}', '\u{2066}', '\u{2028}', '\u{FEFF}', '\u{E0041}'] {
            assert!(is_unprintable(c) && unprintable_in_lines(&format!("a{c}")) == Some(c), "{c:?}");
        }
    }

    #[test]
    fn escaped_json_is_read_as_the_same_text() {
        let text = "a\u{202E}\u{E0041}\u{9b}\"";
        let json = serde_json::to_string(text).unwrap();
        let escaped = printable_json(&json);
        assert!(!escaped.chars().any(is_unprintable), "{escaped}");
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), text);
    }
}
