//! The size of a document, bounded before async-graphql reads it: its parser recurses with every bracket, and its validation
//! follows a fragment as often as it is spread.

use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};

/// The most lexical tokens of a document.
const TOKENS_MAX: usize = 8_000;

/// The most brackets of any kind that are open at once.
const NESTING_MAX: usize = 64;

/// The most fields, fragments, arguments and directives of a document, those of a fragment counted as often as it is spread.
const SIZE_MAX: usize = 2_000;

/// A document that exceeds a limit. The caller should ask for less, or split the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    #[error("the document has more than {TOKENS_MAX} tokens")]
    Tokens,
    #[error("the document's brackets nest deeper than {NESTING_MAX}")]
    Nesting,
    #[error(
        "the document has more than {SIZE_MAX} fields, arguments and directives, fragments counted as often as they are spread"
    )]
    Size,
}

/// Counts the tokens and the open brackets of a text. One that is not GraphQL passes; the parser refuses it.
///
/// # Errors
/// [`Excess::Tokens`] or [`Excess::Nesting`].
///
/// # Source
/// GraphQL specification (October 2021), 2.1 Source Text and appendix B.
pub fn scan(document: &str) -> Result<(), Excess> {
    let (mut rest, mut tokens, mut open) = (document.as_bytes(), 0, 0_usize);
    while let Some(&byte) = rest.first() {
        rest = &rest[token_len(rest)..];
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b'#' => continue,
            b'{' | b'[' | b'(' => open += 1,
            b'}' | b']' | b')' => open = open.saturating_sub(1),
            _ => {}
        }
        tokens += 1;
        if open > NESTING_MAX {
            return Err(Excess::Nesting);
        }
        if tokens > TOKENS_MAX {
            return Err(Excess::Tokens);
        }
    }
    Ok(())
}

/// The length of the token, comment or separator that a text begins with.
fn token_len(rest: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+.".contains(byte) || !byte.is_ascii();
    let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    match rest {
        [b'"', b'"', b'"', ..] => quoted_len(rest, b"\"\"\"", |_| false),
        // It ends at the end of the line even if it is not closed, since brackets may follow.
        [b'"', ..] => quoted_len(rest, b"\"", is_line_end),
        [b'#', ..] => rest.iter().position(is_line_end).unwrap_or(rest.len()),
        [byte, ..] if is_word(byte) => rest.iter().take_while(|byte| is_word(byte)).count(),
        _ => 1,
    }
}

/// The length of a string with its quotes.
fn quoted_len(rest: &[u8], quote: &[u8], is_end: impl Fn(&u8) -> bool) -> usize {
    let mut at = quote.len();
    while at < rest.len() && !is_end(&rest[at]) {
        match &rest[at..] {
            rest if rest.starts_with(quote) => return at + quote.len(),
            [b'\\', escaped @ ..] if escaped.starts_with(quote) => at += 1 + quote.len(),
            [b'\\', _, ..] if quote.len() == 1 => at += 2,
            _ => at += 1,
        }
    }
    at.min(rest.len())
}

/// Counts the selections of a document, with its fragments spread; returns whether it asks for the schema.
///
/// # Errors
/// [`Excess::Size`].
pub fn measure(document: &ExecutableDocument) -> Result<bool, Excess> {
    let mut counting = Counting { document, left: SIZE_MAX, introspects: false };
    for (_, operation) in document.operations.iter() {
        let variables = operation.node.variable_definitions.iter();
        let directives: usize = variables.map(|variable| variable.node.directives.len()).sum();
        counting.take(directives + operation.node.directives.len())?;
        counting.count(&operation.node.selection_set.node)?;
    }
    Ok(counting.introspects)
}

struct Counting<'a> {
    document: &'a ExecutableDocument,
    left: usize,
    introspects: bool,
}

impl Counting<'_> {
    fn take(&mut self, amount: usize) -> Result<(), Excess> {
        self.left = self.left.checked_sub(amount).ok_or(Excess::Size)?;
        Ok(())
    }

    /// Also ends where fragments spread each other for ever. Validation reports the unknown ones.
    fn count(&mut self, set: &SelectionSet) -> Result<(), Excess> {
        for selection in &set.items {
            self.take(1 + selection.node.directives().len())?;
            match &selection.node {
                Selection::Field(field) => {
                    self.introspects |= matches!(field.node.name.node.as_str(), "__schema" | "__type");
                    self.take(field.node.arguments.len())?;
                    self.count(&field.node.selection_set.node)?;
                }
                Selection::InlineFragment(fragment) => self.count(&fragment.node.selection_set.node)?,
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.node.fragment_name.node) {
                        self.take(fragment.node.directives.len())?;
                        self.count(&fragment.node.selection_set.node)?;
                    }
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    #[test]
    fn tokens_are_counted() {
        assert_eq!(scan(&"a,\n".repeat(TOKENS_MAX)), Ok(()));
        assert_eq!(scan(&"{a(b:\"c d\")}".repeat(TOKENS_MAX / 8)), Ok(()));
        assert_eq!(scan(&("a ".repeat(TOKENS_MAX) + "}")), Err(Excess::Tokens));
    }

    #[test]
    fn open_brackets_are_counted_outside_of_strings_and_comments() {
        let nested = |inside: &str, levels: usize| "[".repeat(levels) + inside;
        for hidden in ["\"[[\\\"[[\"", "\"\"\"[[[ \\\"\"\" [[ \"\"\"", "# [[[[\n", "\"\"", "é…🏃", "\"\\", "\"\"\""]
        {
            assert_eq!(scan(&nested(hidden, NESTING_MAX)), Ok(()), "{hidden}");
        }
        for open in ["[", "\"\n[", "\"\"\"\\\"\"\" \"\"\"[", "# ]\n["] {
            assert_eq!(scan(&nested(open, NESTING_MAX)), Err(Excess::Nesting), "{open}");
        }
        assert_eq!(scan(&"}[]".repeat(1_000)), Ok(()));
    }

    #[test]
    fn selections_count_as_often_as_their_fragments_are_spread() {
        let measured = |document: &str| measure(&parse_query(document).unwrap());
        let fields = |count: usize| "a ".repeat(count);
        let spread = |document: &str, count| measured(&format!("{document} fragment F on Q {{ {} }}", fields(count)));
        assert_eq!(measured(&format!("{{ {} }}", fields(SIZE_MAX))), Ok(false));
        assert_eq!(measured(&format!("{{ {} a(b: 1) @skip(if: true) }}", fields(SIZE_MAX - 2))), Err(Excess::Size));
        assert_eq!(spread("{ ...F ...F }", SIZE_MAX / 2 - 1), Ok(false));
        assert_eq!(spread("query A { ...F } query B { ...F }", SIZE_MAX / 2), Err(Excess::Size));
        assert_eq!(measured("{ ...F } fragment F on Q { a ...G } fragment G on Q { ...F }"), Err(Excess::Size));
        let links = |link| format!("fragment F{link} on Q {{ ...F{next} ...F{next} }}", next = link + 1);
        let doubling = (0..60).map(links).collect::<Vec<_>>().concat();
        assert_eq!(spread(&format!("{{ ...F0 }} {doubling} fragment F60 on Q {{ ...F }}"), 1), Err(Excess::Size));
        assert_eq!(measured("{ ...F } fragment F on Q { a { __type(name: \"Q\") { name } } }"), Ok(true));
        assert_eq!(measured("{ __typename }"), Ok(false));
    }
}
