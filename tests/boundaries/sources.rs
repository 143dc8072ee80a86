//! Source files without their comments, and the dependencies in manifests.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// A line of code.
pub(crate) struct Line {
    pub(crate) path: PathBuf,
    number: usize,
    pub(crate) text: String,
}

/// A dependency of a member.
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) line: String,
    /// Whether only its tests have it.
    pub(crate) is_dev: bool,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.strip_prefix(top()).unwrap_or(&self.path).display(), self.number)
    }
}

/// The root of the project.
pub(crate) fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests is a folder of the project")
}

/// The code below a directory, without comments and without third-party code (`vendor`).
pub(crate) fn code_of(folder: &str, extensions: &[&str]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut folders = vec![top().join(folder)];
    while let Some(folder) = folders.pop() {
        let listed = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display()));
        for entry in listed {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() && !path.ends_with("vendor") {
                folders.push(path);
            } else if path.extension().is_some_and(|found| extensions.iter().any(|extension| found == *extension)) {
                lines.extend(code(&path));
            }
        }
    }
    assert!(!lines.is_empty(), "{folder} holds no code");
    lines
}

/// The lines of a file that are not comments.
fn code(path: &Path) -> Vec<Line> {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut in_comment = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut line = line.trim();
        in_comment |= line.starts_with("/*") || line.starts_with("<!--");
        if in_comment {
            let Some((_, rest)) = line.split_once("*/").or_else(|| line.split_once("-->")) else { continue };
            in_comment = false;
            line = rest;
        }
        let code = if line.starts_with("//") { "" } else { line.split(" // ").next().unwrap_or(line) };
        if !code.is_empty() {
            lines.push(Line { path: path.to_owned(), number: index + 1, text: code.to_owned() });
        }
    }
    lines
}

/// Whether a text contains a word, not as part of a longer one.
pub(crate) fn names(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let starts_open = !word.starts_with(is_part);
    let ends_open = !word.ends_with(is_part);
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + word.len()..].chars().next().is_some_and(is_part);
        (starts_open || !before) && (ends_open || !after)
    })
}

/// The classes selected by a line of a style sheet.
pub(crate) fn classes_of(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    line.split('.').skip(1).map(move |rest| rest.find(|c| !is_part(c)).map_or(rest, |end| &rest[..end]))
}

/// The dependencies in a member's manifest.
pub(crate) fn dependencies(member: &str) -> Vec<Dependency> {
    let path = top().join(member).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut section = String::new();
    let mut found = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[') {
            header.trim_end_matches(']').clone_into(&mut section);
            let named = section.split_once("dependencies.").map(|(_, name)| name);
            assert!(named.is_none(), "{member}: dependencies are written one a line");
        } else if section.ends_with("dependencies") {
            let name = line.split(['.', ' ', '=']).next().unwrap_or(line).trim_matches('"').to_owned();
            found.push(Dependency { name, line: line.to_owned(), is_dev: section.contains("dev-") });
        }
    }
    found
}

#[test]
fn words_are_found_whole_and_not_in_comments() {
    assert!(names("let x: f64 = 1.0;", "f64"));
    assert!(!names("let f64x = 1;", "f64"));
    assert!(names("use std::fs::File;", "std::fs"));
    assert!(!names("std::fsx", "std::fs"));
    assert!(names("see https://example.org", "https://"));
    let classes: Vec<_> = classes_of(":is(.scene, .palette) .seat-10.last { opacity: .5; }").collect();
    assert_eq!(classes, ["scene", "palette", "seat-10", "last", "5"]);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("a.rs");
    fs::write(&path, "// f64\nlet a = 1; // f64\n/* f64\nf64 */ let b = 2;\nlet c: f64;\n").expect("it can be written");
    let found: Vec<_> = code(&path).into_iter().map(|line| (line.number, line.text)).collect();
    let expected = [(2, "let a = 1;"), (4, " let b = 2;"), (5, "let c: f64;")];
    assert_eq!(found, expected.map(|(number, text)| (number, text.to_owned())));
}
