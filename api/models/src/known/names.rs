//! Names as people type them: without case, accents and other marks, in any order of words.

use deunicode::deunicode_with_tofu;

/// The words of a name in lower-case ASCII: `Łukasz O'Neill-Ångström` has `lukasz`, `oneill` and `angstrom`.
pub fn words(name: &str) -> Vec<String> {
    let is_break =
        |c: char| c.is_whitespace() || matches!(c, '-' | '–' | ',' | ';' | '/' | '(' | ')' | '"' | '“' | '”');
    let fold = |word: &str| {
        // Characters without a Latin spelling stay as they are.
        let ascii = deunicode_with_tofu(word, "").to_lowercase();
        let plain: String = ascii.chars().filter(|c| c.is_alphanumeric()).collect();
        if plain.is_empty() { word.to_lowercase() } else { plain }
    };
    name.split(is_break).filter(|word| !word.is_empty()).map(fold).collect()
}

/// The name with its words folded and sorted. Names that differ only in case, accents and the order of words
/// give the same text.
pub fn folded(name: &str) -> String {
    let mut words = words(name);
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
}
