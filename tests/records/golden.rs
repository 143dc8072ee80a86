//! Golden files: comparing them, rewriting them with `UPDATE=1`, and listing them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use plybook_events::{Event, LogId};

/// A log that was recorded once and has to load for ever.
pub(crate) struct Golden {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// `tests/data`, with the games of `tests/example`.
pub(crate) fn data() -> PathBuf {
    plybook_example::register();
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// Compares a log with its golden file, given relative to `tests/data`; with `UPDATE=1`, writes it.
pub(crate) fn compare(path: &str, text: &str) {
    let file = data().join(path);
    if env::var_os("UPDATE").is_some_and(|update| update == "1") {
        fs::create_dir_all(file.parent().expect("it lies in a folder")).expect("the folder can be made");
        fs::write(&file, text).expect("the golden file can be written");
        return;
    }
    let golden = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{path}: {why}: write it with UPDATE=1"));
    for (seq, (golden, line)) in golden.lines().zip(text.lines()).enumerate() {
        assert_eq!(golden, line, "{path}: event {seq} is recorded differently now");
    }
    assert_eq!(golden.len(), text.len(), "{path}: other events are recorded now");
}

/// All golden logs, by path; at least one.
pub(crate) fn all() -> Vec<Golden> {
    let mut folders = vec![data().join("records")];
    folders.extend(entries(&data()).into_iter().map(|kind| kind.join("records")).filter(|folder| folder.is_dir()));
    let mut paths: Vec<_> = folders.iter().flat_map(|folder| entries(folder)).filter(|path| path.is_file()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "there are no golden logs");
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        Golden { path, text }
    };
    paths.into_iter().map(read).collect()
}

/// The contents of a directory, by name; empty if there is none.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = found.map(|entry| entry.expect("a folder can be listed").path()).collect();
    paths.sort();
    paths
}

impl Golden {
    pub(crate) fn name(&self) -> String {
        self.path.strip_prefix(data()).unwrap_or(&self.path).display().to_string()
    }

    pub(crate) fn lines(&self) -> Vec<&[u8]> {
        lines(self.text.as_bytes())
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        let parse = |line: &&[u8]| Event::parse(line).unwrap_or_else(|why| panic!("{}: {why}", self.name()));
        self.lines().iter().map(parse).collect()
    }

    pub(crate) fn id(&self) -> LogId {
        self.events().first().unwrap_or_else(|| panic!("{}: it is empty", self.name())).log
    }
}

/// The lines of a log, without line ends.
pub(crate) fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split(|b| *b == b'\n').filter(|line| !line.is_empty()).collect()
}
