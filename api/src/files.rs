//! The viewer's files, which are part of the program.
//!
//! A release has them as one archive, which `build.rs` makes: compressed together, they take two thirds of what they would
//! take one by one. A development build reads them from the source folder at every request.

use std::borrow::Cow;

#[cfg(packed_viewer)]
use packed as source;
#[cfg(not(packed_viewer))]
use unpacked as source;

/// All files of `web-viewer/`, by their paths in it, such as `base/dom.js`.
pub struct Files;

impl Files {
    /// The bytes of a file.
    pub fn get(path: &str) -> Option<Cow<'static, [u8]>> {
        source::get(path)
    }

    /// The text of a file.
    pub fn text(path: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&Self::get(path)?).into_owned())
    }

    /// The paths of all files, sorted.
    pub fn paths() -> impl Iterator<Item = String> {
        source::paths()
    }
}

#[cfg(packed_viewer)]
mod packed {
    use std::borrow::Cow;
    use std::collections::BTreeMap;
    use std::sync::LazyLock;

    /// As `build.rs` writes it: for each file a line with its length and its path, and its bytes.
    const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/viewer.zst"));

    static FILES: LazyLock<BTreeMap<&str, &[u8]>> = LazyLock::new(|| {
        const WHOLE: &str = "build.rs made the archive";
        let mut rest: &[u8] = Vec::leak(zstd::decode_all(ARCHIVE).expect(WHOLE));
        let mut files = BTreeMap::new();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            let head = std::str::from_utf8(&rest[..end]).expect(WHOLE);
            let (length, path) = head.split_once(' ').expect(WHOLE);
            let (bytes, after) = rest[end + 1..].split_at(length.parse().expect(WHOLE));
            files.insert(path, bytes);
            rest = after;
        }
        files
    });

    pub(super) fn get(path: &str) -> Option<Cow<'static, [u8]>> {
        FILES.get(path).map(|bytes| Cow::Borrowed(*bytes))
    }

    pub(super) fn paths() -> impl Iterator<Item = String> {
        FILES.keys().map(|path| (*path).to_owned())
    }
}

#[cfg(not(packed_viewer))]
mod unpacked {
    use std::borrow::Cow;
    use std::fs;
    use std::path::{Component, Path};

    const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../web-viewer");

    pub(super) fn get(path: &str) -> Option<Cow<'static, [u8]>> {
        let is_inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        if is_inside { fs::read(Path::new(FOLDER).join(path)).ok().map(Cow::Owned) } else { None }
    }

    pub(super) fn paths() -> impl Iterator<Item = String> {
        let (mut paths, mut folders) = (Vec::new(), vec![String::new()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(Path::new(FOLDER).join(&folder)).into_iter().flatten().flatten() {
                let path = format!("{folder}{}", entry.file_name().to_string_lossy());
                if entry.path().is_dir() { folders.push(path + "/") } else { paths.push(path) }
            }
        }
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
