//! Names as people type them: without case, accents and other marks, in any order of words.

use std::collections::BTreeSet;

use deunicode::deunicode_with_tofu;

/// The words of a name in lower-case ASCII: `Łukasz O'Neill-Ångström` has `lukasz`, `oneill` and `angstrom`.
pub fn words(name: &str) -> Vec<String> {
    split(name).map(fold).collect()
}

/// The words of a name, each in its one or two spellings: `Müller` is written `muller` or `mueller`.
pub fn spellings(name: &str) -> Vec<Vec<String>> {
    let both = |word: &str| {
        let mut spellings = vec![fold(word), fold(&spelled_out(word))];
        spellings.dedup();
        spellings
    };
    split(name).map(both).collect()
}

/// The name with its words folded and sorted. Names that differ only in case, accents and the order of words
/// give the same text.
pub fn folded(name: &str) -> String {
    sorted(words(name))
}

/// The same, and with umlauts spelled out if that is another text. Two names are the same if they have a text in common.
pub fn foldings(name: &str) -> BTreeSet<String> {
    let spelled_out = split(name).map(|word| fold(&spelled_out(word))).collect();
    BTreeSet::from([folded(name), sorted(spelled_out)])
}

fn split(name: &str) -> impl Iterator<Item = &str> {
    let is_break =
        |c: char| c.is_whitespace() || matches!(c, '-' | '–' | ',' | ';' | '/' | '(' | ')' | '"' | '“' | '”');
    name.split(is_break).filter(|word| !word.is_empty())
}

fn fold(word: &str) -> String {
    // Characters without a Latin spelling stay as they are.
    let ascii = deunicode_with_tofu(word, "").to_lowercase();
    let plain: String = ascii.chars().filter(|c| c.is_alphanumeric()).collect();
    if plain.is_empty() { word.to_lowercase() } else { plain }
}

/// A word as it is written where there are no umlauts: `Jörg` as `joerg`, `Østergård` as `oestergaard`.
fn spelled_out(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    let mut letters = word.chars().flat_map(char::to_lowercase).peekable();
    while let Some(letter) = letters.next() {
        // A letter may be followed by its mark.
        let mark = letters.next_if(|next| matches!(next, '\u{308}' | '\u{30a}'));
        match (letter, mark) {
            ('ä' | 'æ', None) | ('a', Some('\u{308}')) => text.push_str("ae"),
            ('ö' | 'ø', None) | ('o', Some('\u{308}')) => text.push_str("oe"),
            ('ü', None) | ('u', Some('\u{308}')) => text.push_str("ue"),
            ('å', None) | ('a', Some('\u{30a}')) => text.push_str("aa"),
            (letter, mark) => text.extend([Some(letter), mark].into_iter().flatten()),
        }
    }
    text
}

fn sorted(mut words: Vec<String>) -> String {
    words.sort_unstable();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_without_marks_and_order() {
        assert_eq!(words("Łukasz O'Neill-Ångström"), ["lukasz", "oneill", "angstrom"]);
        assert_eq!(words("Groß, Jürgen (jun.)"), ["gross", "jurgen", "jun"]);
        assert_eq!(words("Иван"), ["ivan"]);
        assert_eq!(words("🐸"), ["frog"]);
        assert_eq!(words("\u{f8ff} – "), ["\u{f8ff}"], "a character for private use has no spelling");
        assert_eq!(folded("ÅNGSTRÖM, Zoë"), folded("Zoe Angstrom"));
        assert_ne!(folded("Zoë Ångström"), folded("Zoë Ångstrom jr"));
    }

    #[test]
    fn umlauts_may_be_spelled_out() {
        let are_same = |one: &str, other: &str| !foldings(one).is_disjoint(&foldings(other));
        for other in ["Jörg Müller", "Mueller, Joerg", "muller jorg", "Jo\u{308}rg Mu\u{308}ller", "Mueller Jörg"] {
            assert!(are_same("Müller, Jörg", other), "{other}");
        }
        assert!(are_same("Bauer, Manuel", "Manuel Bauer"));
        assert!(!are_same("Bauer, Manuel", "Manuel Baur"), "not every ue is an umlaut");
        assert_eq!(spellings("Müller, Ann"), [vec!["muller", "mueller"], vec!["ann"]]);
    }
}
