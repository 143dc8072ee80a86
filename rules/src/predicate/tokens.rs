//! The tokens of a predicate's text.

use super::{Comparison, PredicateError, TEXT_MAX};

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// A name, a place or a keyword.
    Name(&'t str),
    /// A whole number.
    Number(i64),
    /// What stands between quotes.
    Quoted(&'t str),
    Comparison(Comparison),
    Open,
    Close,
    Colon,
    /// Where the text ends.
    End,
}

/// The tokens with the column of each, in characters from 1. The last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, PredicateError> {
    if text.len() > TEXT_MAX {
        let why = format!("a predicate has at most {TEXT_MAX} bytes, and this one has {}", text.len());
        return Err(PredicateError { column: 1, why });
    }
    let (mut rest, mut column, mut found) = (text, 1, Vec::new());
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '(' => (Some(Token::Open), 1),
            ')' => (Some(Token::Close), 1),
            ':' => (Some(Token::Colon), 1),
            '"' | '\'' => quoted(rest, column)?,
            '=' | '!' | '<' | '>' => comparison(rest, column)?,
            '-' | '0'..='9' | 'a'..='z' | 'A'..='Z' => word(rest, column)?,
            other => {
                let why = format!("`{}` means nothing here", other.escape_default());
                return Err(PredicateError { column, why });
            }
        };
        found.extend(token.map(|token| (token, column)));
        column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    found.push((Token::End, column));
    Ok(found)
}

type Found<'t> = Result<(Option<Token<'t>>, usize), PredicateError>;

fn quoted(rest: &str, column: usize) -> Found<'_> {
    let (quote, inner) = rest.split_at(1);
    let Some(end) = inner.find(quote) else {
        return Err(PredicateError { column, why: format!("there is no second {quote}") });
    };
    Ok((Some(Token::Quoted(&inner[..end])), end + 2))
}

fn comparison(rest: &str, column: usize) -> Found<'_> {
    let length = rest.find(|c| !"=!<>".contains(c)).unwrap_or(rest.len());
    let comparison = match &rest[..length] {
        "=" => Comparison::Equal,
        "!=" => Comparison::Different,
        "<" => Comparison::Less,
        "<=" => Comparison::AtMost,
        ">" => Comparison::More,
        ">=" => Comparison::AtLeast,
        other => {
            let why = format!("`{other}` is no comparison: they are = != < <= > >=");
            return Err(PredicateError { column, why });
        }
    };
    Ok((Some(Token::Comparison(comparison)), length))
}

fn word(rest: &str, column: usize) -> Found<'_> {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
    let length = rest[1..].find(|c| !is_inside(c)).map_or(rest.len(), |end| end + 1);
    let word = &rest[..length];
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if !is_number {
        if word.starts_with('-') {
            return Err(PredicateError { column, why: "a minus stands before a number only".to_owned() });
        }
        return Ok((Some(Token::Name(word)), length));
    }
    match word.parse() {
        Ok(number) => Ok((Some(Token::Number(number)), length)),
        Err(_) => Err(PredicateError { column, why: format!("`{word}` is not a number that can be compared") }),
    }
}
