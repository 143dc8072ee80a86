//! `tests/data/<kind>/records/<name>.ndjson`: one log for every ending in `tests/data/<kind>/endings`.

use std::fs;
use std::path::Path;

use plybook_example::kind;
use plybook_rules::log::split_word;
use serde_json::Value;

use crate::golden::{self, data, entries};
use crate::recorder::{Recorder, new_game};

/// A line `<name>: <text>` of a file of test data.
fn member<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(':')?.trim()))
}

fn json(text: &str, name: &str, path: &Path) -> Value {
    let found = member(text, name).unwrap_or_else(|| panic!("{}: there is no `{name}: …`", path.display()));
    serde_json::from_str(found).unwrap_or_else(|why| panic!("{}: `{name}`: {why}", path.display()))
}

#[test]
fn every_ending_has_its_golden_log() {
    let mut found = 0;
    for folder in entries(&data()) {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        let Some(rules) = kind(&name) else { continue };
        for path in entries(&folder.join("endings")) {
            let text = fs::read_to_string(&path).expect("test data can be read");
            let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("names are UTF-8");
            let golden = format!("{name}/records/{stem}.ndjson");
            let created = new_game(&name, rules.about().secrets);
            let mut game = Recorder::begin(&golden, &json(&text, "setup", &path), created);
            for (ply, word) in member(&text, "actions").unwrap_or_default().split_ascii_whitespace().enumerate() {
                let split = split_word(game.replay().position(), word);
                let (actor, action) = split.unwrap_or_else(|why| panic!("{golden}: ply {}: {why}", ply + 1));
                let action = action.to_owned();
                game.act(actor, &action, None);
            }
            let end = game.replay().end().unwrap_or_else(|| panic!("{golden}: the game has not ended"));
            let outcome = serde_json::to_value(&end.outcome).expect("an outcome is plain data");
            assert_eq!(outcome, json(&text, "outcome", &path), "{golden}");
            golden::compare(&golden, &game.text());
            found += 1;
        }
    }
    assert!(found > 0, "there are no endings");
}

/// The outcome stated by the ending of a golden log, if the log is one of an ending.
pub(crate) fn outcome_of(golden: &Path) -> Option<Value> {
    let stem = golden.file_stem()?.to_str()?;
    let path = golden.parent()?.parent()?.join("endings").join(format!("{stem}.txt"));
    Some(json(&fs::read_to_string(&path).ok()?, "outcome", &path))
}
