//! The viewer's files, which are part of the program.
//!
//! A development build reads them from the source folder at every request.

use rust_embed::RustEmbed;

/// All files of `web-viewer/`, by their paths in it.
#[derive(RustEmbed)]
#[folder = "../web-viewer"]
pub struct Files;

impl Files {
    /// The text of a file.
    pub fn text(path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&Self::get(path)?.data).into_owned())
    }
}
