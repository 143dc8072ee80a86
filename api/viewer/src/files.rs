//! The viewer's files, embedded in the program.
//!
//! A development build reads them from the source folder at every request.

use std::borrow::Cow;

use rust_embed::RustEmbed;

/// All files of `web-viewer/`, by their paths in it, such as `base/dom.js`.
pub struct Files;

#[derive(RustEmbed)]
#[folder = "../../web-viewer"]
struct Embedded;

impl Files {
    /// The bytes of a file.
    pub fn get(path: &str) -> Option<Cow<'static, [u8]>> {
        Some(Embedded::get(path)?.data)
    }

    /// The text of a file.
    pub fn text(path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&Self::get(path)?).into_owned())
    }

    /// The paths of all files, sorted.
    pub fn paths() -> impl Iterator<Item = String> {
        let mut paths: Vec<String> = Embedded::iter().map(Cow::into_owned).collect();
        paths.sort();
        paths.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_there_and_nothing_outside() {
        let paths: Vec<String> = Files::paths().collect();
        assert!(paths.is_sorted() && paths.len() > 200);
        assert!(paths.iter().all(|path| Files::get(path).is_some()));
        assert!(Files::text("base/dom.js").is_some_and(|text| text.contains("export function h(")));
        for path in ["", "base", "base/", "/base/dom.js", "../README.md", "base/../../README.md", "base/none.js"] {
            assert_eq!(Files::get(path), None, "{path}");
        }
    }
}
