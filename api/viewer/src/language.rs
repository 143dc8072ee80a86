//! The languages of the viewer, and where the words of each are.
//!
//! `web-viewer/words/` has the words in English: tables that modules import, and `pages.json` with what stands in pages as they
//! are served. A folder below it, named by the code of a language, has the same files in that language.

use std::collections::BTreeMap;

use async_graphql::Enum;
use clap::ValueEnum;

use crate::files::Files;

/// Where the words are.
const FOLDER: &str = "words/";

/// A language of the viewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Enum, ValueEnum)]
pub enum Language {
    /// English
    #[default]
    #[graphql(name = "EN")]
    #[value(name = "en")]
    English,
    /// German
    #[graphql(name = "DE")]
    #[value(name = "de")]
    German,
    /// Hebrew, written from right to left
    #[graphql(name = "HE")]
    #[value(name = "he")]
    Hebrew,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::English, Self::German, Self::Hebrew];

    /// As in BCP 47.
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::German => "de",
            Self::Hebrew => "he",
        }
    }

    /// The language of a code.
    pub fn parse(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// The file that stands for `path` in this language: the same one, unless it holds words.
    pub fn file(self, path: &str) -> String {
        let own = path.strip_prefix(FOLDER).map(|name| format!("{FOLDER}{}/{name}", self.code()));
        own.filter(|own| Files::get(own).is_some()).unwrap_or_else(|| path.to_owned())
    }

    /// What stands in pages as they are served, by key, with the program's version. None if the words are missing or cannot be read.
    pub fn words(self) -> Option<BTreeMap<String, String>> {
        let mut words: BTreeMap<String, String> =
            serde_json::from_str(&Files::text(&self.file("words/pages.json"))?).ok()?;
        words.insert("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Some(words)
    }

    /// A page in this language: each `{{key}}` is filled in with the text of that key, escaped. None if the words of pages are
    /// missing or cannot be read. A key without a text stays as it is.
    pub fn filled(self, page: &str) -> Option<String> {
        let words = self.words()?;
        let (mut text, mut rest) = (String::with_capacity(page.len()), page);
        while let Some((before, (key, after))) =
            rest.split_once("{{").and_then(|(before, place)| Some((before, place.split_once("}}")?)))
        {
            text.push_str(before);
            match words.get(key) {
                Some(word) => text.push_str(&escaped(word)),
                None => text.push_str(&format!("{{{{{key}}}}}")),
            }
            rest = after;
        }
        text.push_str(rest);
        Some(text)
    }
}

/// A text as it is written in a page, also in an attribute.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_that_of_one_language() {
        for language in Language::ALL {
            assert_eq!(Language::parse(language.code()), Some(language));
            let named = language.to_possible_value().expect("every language has a name");
            assert_eq!(named.get_name(), language.code(), "on the command line");
        }
        assert_eq!(Language::parse("DE"), None);
        assert_eq!(Language::parse(""), None);
    }

    #[test]
    fn words_are_in_the_folder_of_their_language() {
        assert_eq!(Language::English.file("words/language.js"), "words/language.js");
        assert_eq!(Language::German.file("words/language.js"), "words/de/language.js");
        assert_eq!(Language::Hebrew.file("words/language.js"), "words/he/language.js");
        assert_eq!(Language::Hebrew.file("words/locale.js"), "words/locale.js", "it has no words");
        assert_eq!(Language::German.file("base/dom.js"), "base/dom.js");
    }

    #[test]
    fn pages_are_filled_with_words() {
        let filled = |language: Language| {
            language.filled("<html lang=\"{{lang}}\" dir=\"{{dir}}\">{{none}} {{").expect("it is there")
        };
        assert_eq!(filled(Language::English), "<html lang=\"en\" dir=\"ltr\">{{none}} {{");
        assert_eq!(filled(Language::Hebrew), "<html lang=\"he\" dir=\"rtl\">{{none}} {{");
        assert_eq!(escaped("<\"a\" & 'b'"), "&lt;&quot;a&quot; &amp; 'b'");
    }
}
