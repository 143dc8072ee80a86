//! Test data: plain text with the source on the first line, then members and, for perft, rows.
//!
//! ```text
//! # source where it comes from
//! setup: {"players":7}
//! actions: 1:L 2:-
//! outcome: {"reason":"rounds","winners":[]}
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use plybook_events::Actor;
use plybook_rules::log::split_word;
use plybook_rules::{AnyPosition, Rules};
use serde_json::Value;

/// Why a check failed: file, line and reason.
pub type Failure = String;

/// The start of a line that is neither a comment nor a row.
const MEMBERS: [&str; 5] = ["setup", "actions", "outcome", "refused", "viewer"];

/// A file of test data.
pub struct File {
    pub path: PathBuf,
    source: String,
    /// The lines that are neither comments nor blank, by number from 1.
    lines: Vec<(usize, String)>,
}

/// The files in a directory of a kind, by name; at least one.
pub fn files(kind: &str, name: &str) -> Result<Vec<File>, Failure> {
    let folder = top().join("tests/data").join(kind).join(name);
    let missing = || format!("{}: no file; {}", shown(&folder), remedy(kind, name));
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|_| missing())? {
        let path = entry.map_err(|why| format!("{}: {why}", shown(&folder)))?.path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("txt") => paths.push(path),
            // The golden lines of playthroughs, read by their own check.
            Some("jsonl") if path.with_extension("txt").exists() => {}
            _ => return Err(format!("{}: belongs to no test", shown(&path))),
        }
    }
    if paths.is_empty() {
        return Err(missing());
    }
    paths.sort();
    paths.into_iter().map(File::read).collect()
}

/// How to write what is missing in a directory of a kind; see docs/adding-a-game.md.
fn remedy(kind: &str, folder: &str) -> String {
    match folder {
        "perft" => format!("count positions with rows `2 ?` and UPDATE=1, or with `plybook perft {kind}`"),
        "endings" => format!("write a whole game for each way of ending; `plybook random {kind}` plays some"),
        "refused" => "write setups and actions that are refused, and a piece of each reason".to_owned(),
        "playthroughs" => "write a game, as every sort of viewer sees it; UPDATE=1 writes its lines".to_owned(),
        _ => "see docs/adding-a-game.md".to_owned(),
    }
}

/// A path relative to the root of the project.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(top()).unwrap_or(path).display().to_string()
}

/// Whether `UPDATE=1` asks for files to be written.
pub fn is_update() -> bool {
    std::env::var("UPDATE").is_ok_and(|update| update == "1")
}

/// The root of the project.
pub fn top() -> &'static Path {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    above.expect("tests/rules is two folders below the top")
}

impl File {
    fn read(path: PathBuf) -> Result<Self, Failure> {
        let text = fs::read_to_string(&path).map_err(|why| format!("{}: {why}", shown(&path)))?;
        let numbered = text.lines().zip(1..).map(|(line, number)| (number, line.trim_end().to_owned()));
        let lines = numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).collect();
        let source = text.lines().next().and_then(|first| first.strip_prefix("# source "));
        let file = Self { path, source: source.unwrap_or_default().to_owned(), lines };
        if source.is_none() {
            return Err(file.at(1, "the first line says `# source …`"));
        }
        for (index, (number, line)) in file.lines.iter().enumerate() {
            let Some(name) = member(line).map(|(name, _)| name) else { continue };
            if file.lines[..index].iter().any(|(_, line)| member(line).is_some_and(|(other, _)| other == name)) {
                return Err(file.at(*number, &format!("a second `{name}`")));
            }
        }
        Ok(file)
    }

    /// The name without the extension.
    pub fn name(&self) -> &str {
        self.path.file_stem().and_then(|name| name.to_str()).unwrap_or("")
    }

    /// The source of the data.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the file is named for this way of ending: `reason`, `reason-2`, `reason-by-a-hair`.
    pub fn is_named_for(&self, reason: &str) -> bool {
        self.name().strip_prefix(reason).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }

    /// A failure at a line.
    pub fn at(&self, line: usize, what: &str) -> Failure {
        format!("{}:{line}: {what}", shown(&self.path))
    }

    /// A member with its line, if there is one.
    pub fn get(&self, name: &str) -> Option<(usize, &str)> {
        self.lines.iter().find_map(|(number, line)| {
            let (found, text) = member(line)?;
            (found == name).then_some((*number, text))
        })
    }

    /// A member with its line.
    pub fn member(&self, name: &str) -> Result<(usize, &str), Failure> {
        self.get(name).ok_or_else(|| self.at(1, &format!("there is no `{name}: …`")))
    }

    /// The rows: lines that are not members.
    pub fn rows(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines.iter().filter(|(_, line)| member(line).is_none()).map(|(number, line)| (*number, line.as_str()))
    }

    /// Whether a figure is to be filled in: it is `?`, and `UPDATE=1` asks for it.
    pub fn is_open(&self, text: &str) -> bool {
        text == "?" && is_update()
    }

    /// Replaces a line.
    pub fn fill(&self, number: usize, line: &str) -> Result<(), Failure> {
        let failed = |why| format!("{}: {why}", shown(&self.path));
        let text = fs::read_to_string(&self.path).map_err(failed)?;
        let mut lines: Vec<&str> = text.lines().collect();
        lines[number - 1] = line;
        fs::write(&self.path, lines.join("\n") + "\n").map_err(failed)
    }

    /// Refuses members that this kind of file does not have, and rows if there should be none.
    pub fn only(&self, members: &[&str], rows: bool) -> Result<(), Failure> {
        for (number, line) in &self.lines {
            match member(line) {
                Some((name, _)) if members.contains(&name) => {}
                None if rows => {}
                _ => return Err(self.at(*number, &format!("{line:.40?} does not belong here"))),
            }
        }
        Ok(())
    }

    /// A member that is JSON.
    pub fn json(&self, name: &str) -> Result<(usize, Value), Failure> {
        let (number, text) = self.member(name)?;
        let json = serde_json::from_str(text).map_err(|why| self.at(number, &format!("`{name}`: {why}")))?;
        Ok((number, json))
    }

    /// The start position.
    pub fn start(&self, rules: &dyn Rules) -> Result<Box<dyn AnyPosition>, Failure> {
        let (number, setup) = self.json("setup")?;
        rules.start(&setup).map_err(|why| self.at(number, &format!("the setup is refused: {why}")))
    }

    /// The words of the actions, with their line.
    pub fn words(&self) -> Result<(usize, Vec<&str>), Failure> {
        let (number, text) = self.member("actions")?;
        Ok((number, text.split_ascii_whitespace().collect()))
    }

    /// The position after all actions.
    pub fn played(&self, rules: &dyn Rules) -> Result<Box<dyn AnyPosition>, Failure> {
        let mut position = self.start(rules)?;
        let (number, words) = self.words()?;
        for (word, ply) in words.into_iter().zip(1..) {
            act(position.as_mut(), word).map_err(|why| self.at(number, &format!("ply {ply}: {word}: {why}")))?;
        }
        Ok(position)
    }
}

/// Plays a word of an action list; returns who acted, and the action in canonical notation.
pub fn act(position: &mut dyn AnyPosition, word: &str) -> Result<(Actor, String), String> {
    let (actor, action) = split_word(position, word).map_err(|why| why.to_string())?;
    let action = position.judge(actor, action).map_err(|why| why.to_string())?;
    position.act(actor, &action).map_err(|why| format!("judged legal, but: {why}"))?;
    Ok((actor, action))
}

fn member(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.split_once(':')?;
    MEMBERS.contains(&name).then(|| (name, text.trim_start()))
}
