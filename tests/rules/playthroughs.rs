//! `playthroughs/*.txt`: games whose lines are all stored beside them as `<name>.jsonl`.

use std::fmt::Write;
use std::fs;

use plybook_rules::{Rules, Viewer, playthrough};

use crate::data::{Failure, File, act, is_update, shown};

pub fn check(rules: &dyn Rules, file: &File) -> Result<(), Failure> {
    file.only(&["setup", "actions", "viewer"], false)?;
    let viewer = match file.get("viewer") {
        None => Viewer::All,
        Some((number, text)) => text.parse().map_err(|why| file.at(number, &format!("{why}")))?,
    };
    let lines = lines(rules, file, viewer)?;
    let golden = file.path.with_extension("jsonl");
    if is_update() {
        return fs::write(&golden, lines).map_err(|why| format!("{}: {why}", shown(&golden)));
    }
    let kept =
        fs::read_to_string(&golden).map_err(|why| format!("{}: {why}; write it with UPDATE=1", shown(&golden)))?;
    if kept == lines {
        return Ok(());
    }
    let differs = kept.lines().zip(lines.lines()).position(|(kept, line)| kept != line);
    let number = differs.unwrap_or_else(|| kept.lines().count().min(lines.lines().count()));
    let got = lines.lines().nth(number).unwrap_or("no line");
    Err(format!("{}:{}: differs: now {got:.300}; UPDATE=1 rewrites it", shown(&golden), number + 1))
}

fn lines(rules: &dyn Rules, file: &File, viewer: Viewer) -> Result<String, Failure> {
    let mut position = file.start(rules)?;
    let (number, words) = file.words()?;
    let mut lines = playthrough::line(0, None, None, position.as_ref(), viewer) + "\n";
    for (word, ply) in words.into_iter().zip(1..) {
        let before = position.boxed();
        let (actor, action) =
            act(position.as_mut(), word).map_err(|why| file.at(number, &format!("ply {ply}: {word}: {why}")))?;
        let shown = before.shown(viewer, actor, &action);
        let line = playthrough::line(ply, Some((actor, &action)), shown, position.as_ref(), viewer);
        writeln!(lines, "{line}").expect("a string can be written to");
    }
    Ok(lines)
}
