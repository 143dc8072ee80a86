//! `endings/<reason>*.txt`: a complete game for each way of ending.

use plybook_rules::{Actor, Rules};
use serde_json::Value;

use crate::data::{Failure, File};

pub fn check(rules: &dyn Rules, file: &File) -> Result<(), Failure> {
    file.only(&["setup", "actions", "outcome"], false)?;
    let position = file.played(rules)?;
    let outcome = position
        .outcome()
        .map_or(Value::Null, |outcome| serde_json::to_value(outcome).expect("an outcome is plain data"));
    let (number, text) = file.member("outcome")?;
    if file.is_open(text) {
        return file.fill(number, &format!("outcome: {outcome}"));
    }
    if text == "?" {
        return Err(file.at(number, &format!("the outcome is {outcome}; UPDATE=1 fills it in")));
    }
    let (number, expected) = file.json("outcome")?;
    let reason = expected["reason"].as_str().unwrap_or_default();
    if reason.is_empty() || !file.is_named_for(reason) {
        return Err(file.at(number, &format!("the file is not named for its reason {reason:?}")));
    }
    if outcome != expected {
        return Err(file.at(number, &format!("the outcome is {outcome}")));
    }
    if !position.to_act().is_empty() {
        return Err(file.at(number, "somebody is to act after the end"));
    }
    let more = (1..=position.seats()).map(Actor::Seat).chain([Actor::Chance]);
    for actor in more {
        if position.legal(actor) != Some(Vec::new()) {
            return Err(file.at(number, &format!("{actor} has legal actions after the end")));
        }
    }
    Ok(())
}
